package text

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// rows writes the runs of a case, each in a line: all of them where everything is listed, the one that was asked for
// where one was, else none.
func (t *writer) rows(c *report.Case) {
	if !t.options.All && t.options.Run == 0 {
		return
	}
	shown := c.RowsOf(t.options.Run)
	for i := range shown {
		row := &shown[i]
		verdict := ""
		if row.IsJudged(c.ExpectsOfRuns()) {
			verdict = t.p.verdict(row.Verdict) + " "
		}
		t.p.line("  ", verdict, report.Safe(row.Name), ": ", outcomeOf(row, t.options.All))
	}
	if more := c.MoreRuns(); more != "" && t.options.Run == 0 {
		t.p.line("  ", more)
	}
	if len(shown) == 0 && t.options.Run > 0 {
		t.p.line("  ", c.Lacks(t.options.Run))
	}
}

// rowLine returns the run as one line, below a case that says what is wrong with its runs.
func rowLine(r *report.Row) string {
	bare := report.Row{Called: r.Called, Tokens: r.Tokens, Err: r.Err}
	return fmt.Sprintf("run %d: ", r.Run) + outcomeOf(&bare, false)
}

// outcomeOf says in one line what became of the run; all lists every tool that it called.
func outcomeOf(r *report.Row, all bool) string {
	if r.Err != "" {
		return "did not finish: " + report.Safe(string(r.Err))
	}
	text := choiceOf(r) + "called " + called(r.Called, all)
	if r.Tokens == nil {
		return text
	}
	text += fmt.Sprintf(" (%d tokens", *r.Tokens)
	if r.IsOverBudget() {
		text += ", over budget"
	}
	return text + ")"
}

// choiceOf says whether the run selected, where that is judged.
func choiceOf(r *report.Row) string {
	switch {
	case r.RowSelection == nil:
		return ""
	case r.Selected:
		return "selected, "
	}
	return "did not select, "
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
	list := safeNames(tools[:min(len(tools), most)])
	if more := len(tools) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// safeNames joins names as a terminal may show them.
func safeNames(names []string) string {
	safe := make([]string, len(names))
	for i, name := range names {
		safe[i] = report.Safe(name)
	}
	return strings.Join(safe, ", ")
}
