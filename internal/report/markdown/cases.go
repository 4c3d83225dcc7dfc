package markdown

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// importantCases returns the indexes of the cases that changed or do not pass, the most important first.
func (d *document) importantCases() []int { return d.Cases[:d.Important] }

// caseTable returns a table of the listed cases. most bounds the number of rows, and a line with nouns counts the rest.
func (d *document) caseTable(list []int, most int, nouns string) string {
	titles := []string{"", "Case"}
	columns := slices.DeleteFunc(slices.Clone(report.Figures), func(f report.Figure) bool { return f.Title == "" })
	for _, f := range columns {
		titles = append(titles, strings.TrimSpace(f.Title+" "+unitOfFigure(f))+":")
	}
	return tableOf(titles, len(list), most, nouns, func(at int) []string {
		i := list[at]
		p := d.Pair(i)
		cells := []string{d.status(i), d.caseName(i)}
		var before report.Delta
		for _, f := range columns {
			figure, hasNoBase := p.Figure(f.Name), p.New || d.c == nil
			repeatsTest := tell.SameRates(before, figure) // the figure before shows the same test
			cell := figureCell(figure, hasNoBase, repeatsTest)
			if f.With != "" {
				cell = bothCell(cell, figureCell(p.Figure(f.With), hasNoBase, false))
			}
			cells = append(cells, cell)
			before = figure
		}
		return cells
	})
}

func (d *document) status(i int) string {
	pair, verdict := d.Pair(i), d.r.Cases[i].Verdict
	word := cmp.Or(map[judge.Verdict]string{judge.Pass: "passes", judge.Fail: "fails", judge.Skipped: "skipped"}[verdict], "error")
	isCompared := d.c != nil
	isNew := isCompared && pair.New
	isChanged := isCompared && !isNew && pair.Base != verdict
	switch {
	case isNew:
		word = "new, " + word
	case isChanged:
		word = "now " + word
	case verdict == judge.Pass: // the sign is enough
		word = ""
	case isCompared:
		word = "still " + word
	}
	return strings.TrimSpace(sign(verdict) + " " + word)
}

func (d *document) caseName(i int) string {
	return d.line(tell.CaseName(&d.r.Cases[i])) + d.linesBelowName(i)
}

// linesBelowName returns the lines below the name of a case: its suite if there are several suites, the runs that broke, and its
// former name.
func (d *document) linesBelowName(i int) string {
	lines := ""
	if d.suites {
		lines += "<br>" + code(d.r.Cases[i].Suite)
	}
	if broke := tell.Broke(&d.r.Cases[i]); broke != nil {
		lines += "<br>" + d.line(broke)
	}
	if was := d.Pair(i).WasID; was != "" {
		lines += "<br>was " + code(string(was))
	}
	return lines
}

// figureCell returns a figure as "92 → 78 (−14)". It leaves out the base's figure if hasNoBase is set, and the significance test
// if withoutTest is set.
func figureCell(f report.Delta, hasNoBase, withoutTest bool) string {
	head := number(string(f.Head))
	if hasNoBase || !f.Changed() {
		return head
	}
	text := "**" + cmp.Or(number(string(f.Base)), report.Absent) + " → " + cmp.Or(head, report.Absent) + "**"
	if diff := f.Difference(); diff != "" {
		text += " (" + diff + ")"
	}
	if withoutTest {
		return text
	}
	return text + significanceOf(f)
}

// bothCell returns a cell with two figures that share a column. If one of them changed, each is on its own line.
func bothCell(first, second string) string {
	if first == "" && second == "" {
		return ""
	}
	between := " / "
	if strings.Contains(first+second, "→") {
		between = " /<br>"
	}
	return cmp.Or(first, report.Absent) + between + cmp.Or(second, report.Absent)
}

// number returns a figure with commas between thousands. Any other text, which only a saved report can have, is written as code.
func number(figure string) string {
	if figure == "" {
		return ""
	}
	if _, ok := report.Digits(figure); !ok || figure[0] == '$' {
		return code(figure)
	}
	return report.Grouped(figure)
}

func significanceOf(d report.Delta) string {
	if text := d.Significance(); text != "" {
		return "<br>*" + strings.ReplaceAll(text, "<", "&lt;") + "*"
	}
	return ""
}

// maxOpenCases is the greatest number of cases in a table that is not folded. Without a base, the table is the main content.
const maxOpenCases = 10

// allCases returns the table of all cases. It is folded if there is a base, or if there are many cases.
func (d *document) allCases(most int) string {
	rows := d.Cases
	if len(rows) == 0 || most == 0 {
		return ""
	}
	table := d.caseTable(rows, most, "cases")
	if d.c == nil && len(rows) <= maxOpenCases {
		return table
	}
	title := judge.CountOf(len(rows), "case")
	if n := d.r.Counts.Passed; n == len(rows) {
		title += verb(n, " passes", " pass")
	} else if n > 0 {
		title = "All " + title + ", " + count(n) + verb(n, " passes", " pass")
	}
	return fold(title, table)
}

func unitOfFigure(f report.Figure) string {
	if f.IsPercent() {
		return "%"
	}
	return ""
}
