package compare

import (
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// boundDrops adds to p the figures whose drop has a bound, and returns a regression for each figure that dropped farther. base is
// nil for a new case.
func boundDrops(p *report.Pair, base, head *report.Case) (list []report.Regression) {
	for i := range head.Gates {
		g := &head.Gates[i]
		if g.MaxDrop == nil {
			continue
		}
		var was *judge.Result
		if base != nil {
			was = base.Gate(g.Gate)
		}
		d := report.DropOf(g.MaxDrop, was, g)
		p.Drops = append(p.Drops, d)
		if d.IsTooFar() {
			list = append(list, report.Regression{
				Kind: report.DroppedTooFar, Case: head.ID, What: d.Target, Path: head.Suite, Line: g.Line, Base: string(d.Base), Head: string(d.Head),
			})
		}
	}
	return list
}
