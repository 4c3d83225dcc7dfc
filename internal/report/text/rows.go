package text

import (
	"fmt"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// writeRows writes a line for each run of a case if options ask for everything, or for the one run that options ask for; otherwise
// nothing.
func (t *writer) writeRows(c *report.Case) {
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
		t.p.line("  ", verdict, report.Safe(row.Name), ": ", t.outcomeOf(c, row))
	}
	if more := c.MoreRuns(); more != "" && t.options.Run == 0 {
		t.p.line("  ", more)
	}
	if len(shown) == 0 && t.options.Run > 0 {
		t.p.line("  ", c.MissingRun(t.options.Run))
	}
}

func (t *writer) rowLine(c *report.Case, r *report.Row) string {
	withoutSelection := report.Row{Run: r.Run, Called: r.Called, More: r.More, Tokens: r.Tokens, Err: r.Err}
	return fmt.Sprintf("run %d: ", r.Run) + t.outcomeOf(c, &withoutSelection)
}

// outcomeOf returns one line on the outcome of a run. If options ask for everything or for this run, the line has every call.
func (t *writer) outcomeOf(c *report.Case, r *report.Row) string {
	if r.Err != "" {
		return "did not finish: " + report.Safe(string(r.Err))
	}
	most := tell.MostCalls
	if t.options.All || t.options.Run > 0 {
		most = 0
	}
	text := choiceOf(r) + "called " + t.p.render(tell.Calls(c, r, most))
	if r.Tokens == nil {
		return text
	}
	text += fmt.Sprintf(" (%d tokens", *r.Tokens)
	if r.IsOverBudget() {
		text += ", over budget"
	}
	return text + ")"
}

func choiceOf(r *report.Row) string {
	switch {
	case r.RowSelection == nil:
		return ""
	case r.Selected:
		return "selected, "
	}
	return "did not select, "
}
