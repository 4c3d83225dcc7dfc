package gates

import (
	"github.com/org/mcp-gates/internal/stat"
)

// SelectionEvidence is what [ToolSelection] found, run by run. Its JSON form is a part of the report's contract
// (docs/report.md). Rates are whole percents.
type SelectionEvidence struct {
	Expected []string         `json:"expected"` // tools, as written
	Rate     int              `json:"rate"`
	Within   *int             `json:"within_budget_rate"` // nil where runs under a budget have no tokens
	PassHat  []int            `json:"pass_hat"`           // for k = 1, 2, …; empty where Within is nil
	Runs     []SelectionRun   `json:"runs"`               // that the gate judges, by number
	Tokens   *SelectionTokens `json:"tokens"`             // nil when no run has tokens
}

// SelectionRun is one judged run. A case can have a hundred thousand: Tokens and Called are shared with the report's
// rows, and filled in with them.
type SelectionRun struct {
	Run        int      `json:"run"`
	Selected   bool     `json:"selected"`
	OverBudget *bool    `json:"over_budget"` // nil where there is a budget and the run has no tokens
	Tokens     *int64   `json:"tokens"`
	Called     []string `json:"called"` // qualified ids, each once, in order of first call
}

// SelectionTokens sums up the tokens of the judged runs that have them.
type SelectionTokens struct {
	Median int64 `json:"median"` // of an even count, the lower of the two in the middle
	Max    int64 `json:"max"`
}

// evidence returns the counts run by run. It keeps nothing of the trace.
func (c *selectionCounts) evidence(hasCap bool) *SelectionEvidence {
	yes, no := true, false
	e := &SelectionEvidence{Expected: c.tools, Runs: make([]SelectionRun, len(c.runs))}
	e.Rate = stat.FloorPercent(int64(c.selected), int64(len(c.runs)))
	for i, r := range c.runs {
		e.Runs[i] = SelectionRun{Run: r.run.Number, Selected: r.selected, Called: []string{}}
		switch {
		case r.over:
			e.Runs[i].OverBudget = &yes
		case !hasCap || r.tokens.Known:
			e.Runs[i].OverBudget = &no
		}
	}
	if len(c.tokens) > 0 {
		e.Tokens = &SelectionTokens{Median: stat.Median(c.tokens), Max: c.maxTokens()}
	}
	return e
}
