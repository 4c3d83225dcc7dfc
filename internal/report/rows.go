package report

import (
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
)

// IsJudged reports whether the run has a verdict of its own. Without expectations on each run (expects is false), only a run
// that did not finish or was left out has a verdict.
func (r *Row) IsJudged(expects bool) bool { return expects || r.Verdict != judge.Pass }

// RowsOf returns a list with the row of a run; an empty list if there is no such row. For run 0 it returns all rows.
func (c *Case) RowsOf(run int) []Row {
	if run == 0 {
		return c.Rows
	}
	i := slices.IndexFunc(c.Rows, func(r Row) bool { return r.Run == run })
	if i < 0 {
		return nil
	}
	return c.Rows[i : i+1]
}

// TimelineOf returns the timeline that contains a run; nil if the report has none.
func (c *Case) TimelineOf(run int) *Timeline {
	for _, list := range [][]Timeline{c.Shown, c.Timelines} {
		for i := range list {
			if _, found := slices.BinarySearch(list[i].Runs, run); found {
				return &list[i]
			}
		}
	}
	return nil
}

// MissingRun returns the reason why a run has no row: the case has no such run, or the report leaves the run out. It
// must be called only for a run without a row.
func (c *Case) MissingRun(run int) string {
	if n := c.countCutRows(); run <= len(c.Rows)+n {
		return fmt.Sprintf("run %d is not in the report, which leaves out %d of the %d runs of the case; check this case alone with --run %d", run, n, len(c.Rows)+n, run)
	}
	has := judge.CountOf(len(c.Rows), "run")
	if len(c.Rows) == 0 {
		has = "no runs"
	}
	return fmt.Sprintf("no run %d: the case has %s", run, has)
}

// IsOverBudget reports whether the run used more tokens than a gate of its case allows.
func (r *Row) IsOverBudget() bool {
	return r.RowSelection != nil && r.OverBudget != nil && *r.OverBudget
}
