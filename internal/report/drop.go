package report

import (
	"math/big"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
)

// Drop is a figure of a case whose drop is bounded by max_drop.
type Drop struct {
	Target string   `json:"target"` // such as tool_selection.rate
	Base   Optional `json:"base"`   // base's figure in percent; null if the base has no such figure
	Head   Optional `json:"head"`   // head's figure in percent; null if the head has no such figure
	Most   int      `json:"most"`   // largest allowed drop, in percentage points
}

// DropOf returns the drop of a gate's bounded figure. base is nil if the base has no such gate.
func DropOf(bound *judge.MaxDrop, base, head *judge.Result) Drop {
	figure := func(g *judge.Result) Optional {
		if g != nil {
			if v, ok := g.Metrics[bound.Target]; ok {
				return Optional(v.Digits())
			}
		}
		return ""
	}
	return Drop{Target: bound.Target, Base: figure(base), Head: figure(head), Most: bound.Most}
}

// IsJudged reports whether base and head have the figure.
func (d *Drop) IsJudged() bool {
	_, hasBase := Digits(string(d.Base))
	_, hasHead := Digits(string(d.Head))
	return hasBase && hasHead
}

// IsTooFar reports whether the figure dropped by more than the bound allows.
func (d *Drop) IsTooFar() bool {
	base, hasBase := Digits(string(d.Base))
	head, hasHead := Digits(string(d.Head))
	return hasBase && hasHead && base.Sub(base, head).Cmp(big.NewRat(int64(d.Most), 1)) > 0
}

// Says returns a sentence about a drop that is too far. name writes the name of a figure.
func (d *Drop) Says(name func(string) string) string {
	digits := func(figure Optional) string { return strings.TrimSuffix(string(figure), "%") }
	return name(d.Target) + " fell from " + digits(d.Base) + " to " + digits(d.Head) + " %, " + name(MaxDrop) + " allows " + judge.CountOf(d.Most, "point")
}
