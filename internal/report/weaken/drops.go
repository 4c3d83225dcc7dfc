package weaken

import (
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// dropInEffect returns the reason why a case with a weakened max_drop would fail by the base's max_drop: its figure dropped
// farther than this bound allows. It returns "" if the case would not fail.
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
