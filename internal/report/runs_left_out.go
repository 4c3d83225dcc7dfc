package report

import "github.com/org/mcp-gates/internal/judge"

// WithoutPassingRuns returns the report without the single runs of cases that pass or are skipped, which no rendering shows unless it is
// asked for one: their rows, what tool_selection found in each, and the assertions on each. They are counted, as those of [CaseCut] are.
// The report of a shard keeps them, because the merged report is written in other formats, too.
func (r *Report) WithoutPassingRuns() *Report {
	if r.Shard != nil {
		return r
	}
	lean := *r
	lean.Cases = make([]Case, len(r.Cases))
	for i := range r.Cases {
		lean.Cases[i] = r.Cases[i]
		if v := r.Cases[i].Verdict; v == judge.Pass || v == judge.Skipped {
			lean.Cases[i].leaveOutRuns()
		}
	}
	return &lean
}

// leaveOutRuns counts the runs of a case in place of listing them.
func (c *Case) leaveOutRuns() {
	if len(c.Rows)+len(c.Expect) == 0 {
		return
	}
	cut := &CaseCut{Runs: c.rowsCut() + len(c.Rows)}
	for _, e := range c.RunExpectations() {
		cut.Expect = append(cut.Expect, e.CutExpect)
	}
	c.Rows, c.Expect, c.Cut = []Row{}, []RunAssertion{}, cut
	if c.ToolSelection != nil {
		found := *c.ToolSelection
		found.Runs = []judge.SelectionRun{}
		c.ToolSelection = &found
	}
}
