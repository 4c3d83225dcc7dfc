package gates

import (
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/stat"
)

// evidence returns the counts for each run. It keeps no reference to the trace.
func (c *selectionCounts) evidence(hasBudget bool) *judge.SelectionEvidence {
	e := &judge.SelectionEvidence{Expected: c.tools, Runs: make([]judge.SelectionRun, len(c.runs))}
	e.Rate = stat.FloorPercent(int64(c.selected), int64(len(c.runs)))
	for i, r := range c.runs {
		e.Runs[i] = judge.SelectionRun{Run: r.run.Number, Selected: r.selected, Called: []string{}}
		over, isKnown := r.over, !hasBudget || r.tokens.Known
		if isKnown {
			e.Runs[i].OverBudget = &over
		}
	}
	if len(c.tokens) > 0 {
		e.Tokens = &judge.SelectionTokens{Median: stat.Median(c.tokens), Max: c.maxTokens()}
	}
	return e
}
