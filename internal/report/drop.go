package report

import (
	"math/big"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
)

// Drop is a figure of a case of which max_drop says how far it may be below the base's.
type Drop struct {
	Target string   `json:"target"` // such as tool_selection.rate
	Base   Optional `json:"base"`   // in percent; null where the base has no such figure
	Head   Optional `json:"head"`   // likewise
	Most   int      `json:"most"`   // percent points
}

// DropOf returns how far the figure of a gate is below the base's, where a bound says how far it may be. base is nil where it has no
// such gate.
func DropOf(bound *judge.MaxDrop, base, head *judge.Result) Drop {
	figure := func(g *judge.Result) Optional {
		if g == nil {
			return ""
		}
		v, ok := g.Metrics[bound.Target]
		if !ok {
			return ""
		}
		return Optional(v.Digits())
	}
	return Drop{Target: bound.Target, Base: figure(base), Head: figure(head), Most: bound.Most}
}

// IsJudged reports whether both sides have the figure.
func (d *Drop) IsJudged() bool {
	_, hasBase := Digits(string(d.Base))
	_, hasHead := Digits(string(d.Head))
	return hasBase && hasHead
}

// IsTooFar reports whether the figure is farther below the base's than it may be.
func (d *Drop) IsTooFar() bool {
	base, hasBase := Digits(string(d.Base))
	head, hasHead := Digits(string(d.Head))
	return hasBase && hasHead && base.Sub(base, head).Cmp(big.NewRat(int64(d.Most), 1)) > 0
}

// Says says how far a figure fell that is farther below the base's than it may be. name writes a name.
func (d *Drop) Says(name func(string) string) string {
	digits := func(figure Optional) string { return strings.TrimSuffix(string(figure), "%") }
	return name(d.Target) + " fell from " + digits(d.Base) + " to " + digits(d.Head) + " %, " + name(MaxDrop) + " allows " + judge.CountOf(d.Most, "point")
}
