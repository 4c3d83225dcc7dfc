package markdown

import (
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// runs returns the folded table of the runs of cases that changed or do not pass, or of the chosen run of each case.
func (d *document) runs(most int) string {
	if most == 0 {
		return ""
	}
	type run struct {
		owner *report.Case
		row   *report.Row // nil if the case has no such run
	}
	var list []run
	for _, i := range d.casesWithRuns() {
		c := &d.r.Cases[i]
		rows := c.RowsOf(d.options.Run)
		for j := range rows {
			list = append(list, run{c, &rows[j]})
		}
		if d.options.Run > 0 && len(rows) == 0 {
			list = append(list, run{c, nil})
		}
	}
	if len(list) == 0 {
		return ""
	}
	title := judge.CountOf(len(list), "run") + " of these cases"
	if d.options.Run > 0 {
		title = "run " + count(d.options.Run) + " of each case"
	}
	return fold(title, tableOf([]string{"Run", "", "Selected", "Called", "Tokens:"}, len(list), most, "runs", func(i int) []string {
		one := list[i]
		if one.row != nil {
			return d.runCells(one.owner, one.row)
		}
		return []string{d.line(tell.CaseName(one.owner)), "", "", one.owner.MissingRun(d.options.Run), ""}
	}))
}

func (d *document) casesWithRuns() []int {
	if d.options.Run == 0 {
		return d.importantCases()
	}
	all := make([]int, len(d.r.Cases))
	for i := range all {
		all[i] = i
	}
	return all
}

// runCells returns the cells of a run. The cell of the verdict is empty if the run has no verdict of its own.
func (d *document) runCells(c *report.Case, row *report.Row) []string {
	most := tell.MostCalls
	if d.options.Run > 0 {
		most = 0
	}
	called, tokens, mark := d.line(tell.Calls(c, row, most)), "", ""
	if row.IsJudged(c.ExpectsOfRuns()) {
		mark = sign(row.Verdict)
	}
	if row.Err != "" {
		called = "did not finish: " + code(string(row.Err))
	}
	if row.Tokens != nil {
		tokens = report.Thousands(*row.Tokens)
	}
	if row.IsOverBudget() {
		tokens += ", over budget"
	}
	return []string{code(row.Name), mark, tell.Selected(row), called, tokens}
}

func (d *document) warnings(most int) string {
	n := len(d.r.Warnings)
	if n == 0 || most == 0 {
		return ""
	}
	return fold(judge.CountOf(n, "warning"), d.problems(d.r.Warnings, most, "warnings"))
}

func (d *document) commands(most int) string {
	const shown = 5
	if most == 0 {
		return ""
	}
	lines := d.r.Reproduce(d.importantCases(), min(shown, most))
	if len(lines) == 0 {
		return ""
	}
	return fold("Reproduce locally", "```sh\n"+strings.Join(lines, "\n")+"\n```")
}

func (d *document) complexity(most int) string {
	if len(d.r.Complexity) == 0 || most == 0 {
		return ""
	}
	list := d.r.Complexity
	columns := []string{"Complexity", "Cases:", "Passed:", "Accuracy %:"}
	return fold("Accuracy by complexity", tableOf(columns, min(len(list), most), most, "", func(i int) []string {
		s := list[i]
		return []string{code(s.Complexity), count(s.Cases), count(s.Passed), percent(s.Accuracy)}
	}))
}
