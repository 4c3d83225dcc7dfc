package weaken

import (
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// dropInEffect returns why a case whose max_drop is weaker does not hold by the base's: its figure is farther below the base's than that
// allows. It is "" where the base's bound holds.
func dropInEffect(base, head *report.Case, settings []report.Weakening) string {
	for _, w := range settings {
		gate, isBound := strings.CutSuffix(w.Key, "."+report.MaxDrop)
		if !isBound {
			continue
		}
		was, is := base.Gate(gate), head.Gate(gate)
		if was == nil || was.MaxDrop == nil {
			continue
		}
		if d := report.DropOf(was.MaxDrop, was, is); d.IsTooFar() {
			return d.Says(func(name string) string { return name })
		}
	}
	return ""
}
