package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
)

// rows writes the runs of a case, each in a line: all of them where everything is listed, the one that was asked for
// where one was, else none.
func (t *text) rows(c *Case) {
	if !t.options.All && t.options.Run == 0 {
		return
	}
	shown := c.rowsOf(t.options.Run)
	for i := range shown {
		row := &shown[i]
		verdict := ""
		if row.isJudged(len(c.Expect) > 0) {
			verdict = t.p.verdict(row.Verdict) + " "
		}
		t.p.line("  ", verdict, Safe(row.Name), ": ", row.outcome(t.options.All))
	}
	if len(shown) == 0 && t.options.Run > 0 {
		t.p.line("  ", c.lacks(t.options.Run))
	}
}

// isJudged reports whether the run has a verdict of its own: where nothing is expected of each run, only one that did not
// finish or was left out has.
func (r *Row) isJudged(expects bool) bool { return expects || r.Verdict != judge.Pass }

// rowsOf returns the row of a run, as a list that is empty when there is none; of run 0 all rows.
func (c *Case) rowsOf(run int) []Row {
	if run == 0 {
		return c.Rows
	}
	i := slices.IndexFunc(c.Rows, func(r Row) bool { return r.Run == run })
	if i < 0 {
		return nil
	}
	return c.Rows[i : i+1]
}

// lacks says that there is no such run.
func (c *Case) lacks(run int) string {
	has := count(len(c.Rows), "run")
	if len(c.Rows) == 0 {
		has = "no runs"
	}
	return fmt.Sprintf("no run %d: the case has %s", run, has)
}

// describe returns the run as one line, below a case that says what is wrong with its runs.
func (r *Row) describe() string {
	bare := Row{Called: r.Called, Tokens: r.Tokens, Err: r.Err}
	return fmt.Sprintf("run %d: ", r.Run) + bare.outcome(false)
}

// outcome says in one line what became of the run; all lists every tool that it called.
func (r *Row) outcome(all bool) string {
	if r.Err != "" {
		return "did not finish: " + Safe(string(r.Err))
	}
	text := r.choice() + "called " + called(r.Called, all)
	if r.Tokens == nil {
		return text
	}
	text += fmt.Sprintf(" (%d tokens", *r.Tokens)
	if r.isOverBudget() {
		text += ", over budget"
	}
	return text + ")"
}

// choice says whether the run selected, where that is judged.
func (r *Row) choice() string {
	switch {
	case r.RowSelection == nil:
		return ""
	case r.Selected:
		return "selected, "
	}
	return "did not select, "
}

func (r *Row) isOverBudget() bool {
	return r.RowSelection != nil && r.OverBudget != nil && *r.OverBudget
}

// called returns the tools that a run called, the first few of them unless all are wanted.
func called(tools []string, all bool) string {
	most := 8
	if len(tools) == 0 {
		return "nothing"
	}
	if all {
		most = len(tools)
	}
	list := safeNames(tools[:min(len(tools), most)], ", ")
	if more := len(tools) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// safeNames joins names as a terminal may show them.
func safeNames(names []string, between string) string {
	safe := make([]string, len(names))
	for i, name := range names {
		safe[i] = Safe(name)
	}
	return strings.Join(safe, between)
}
