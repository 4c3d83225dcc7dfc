package markdown

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// rowsToShow returns the indexes of the cases that changed or do not pass, the most important first.
func (d *document) rowsToShow() []int { return d.Cases[:d.Important] }

// cases returns a table of cases, the first most of them. nouns is the word for the others.
func (d *document) cases(list []int, most int, nouns string) string {
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
			figure, alone := p.Figure(f.Name), p.New || d.c == nil
			cell := figureCell(figure, alone, tell.SameRates(before, figure))
			if f.With != "" {
				cell = bothCell(cell, figureCell(p.Figure(f.With), alone, false))
			}
			cells = append(cells, cell)
			before = figure
		}
		return cells
	})
}

func (d *document) status(i int) string {
	p, v := d.Pair(i), d.r.Cases[i].Verdict
	is := map[judge.Verdict]string{judge.Pass: "passes", judge.Fail: "fails", judge.Skipped: "skipped"}[v]
	if is == "" {
		is = "error"
	}
	switch {
	case d.c == nil && v == judge.Pass:
		is = ""
	case d.c == nil:
	case p.New:
		is = "new, " + is
	case p.Base != v:
		is = "now " + is
	case v == judge.Pass:
		is = ""
	default:
		is = "still " + is
	}
	return strings.TrimSpace(sign(v) + " " + is)
}

func (d *document) caseName(i int) string { return d.line(tell.CaseName(&d.r.Cases[i])) + d.origin(i) }

// origin returns the lines below the name of a case: its suite where there are several, the runs that broke, and its former name.
func (d *document) origin(i int) string {
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

// figureCell returns a figure as "92 → 78 (−14)". alone leaves out the base, plain leaves out the
// test.
func figureCell(f report.Delta, alone, plain bool) string {
	head := number(string(f.Head))
	if alone || !f.Changed() {
		return head
	}
	text := "**" + cmp.Or(number(string(f.Base)), report.Absent) + " → " + cmp.Or(head, report.Absent) + "**"
	if diff := f.Difference(); diff != "" {
		text += " (" + diff + ")"
	}
	if plain {
		return text
	}
	return text + chanceOf(f)
}

// bothCell returns two figures that share a column, those that changed in lines of their own.
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

// number sets the thousands of a figure apart. Any other text, which only a saved report can hold, is code.
func number(figure string) string {
	if figure == "" {
		return ""
	}
	if _, ok := report.Digits(figure); !ok || figure[0] == '$' {
		return code(figure)
	}
	return report.Grouped(figure)
}

func chanceOf(d report.Delta) string {
	if said := d.Significance(); said != "" {
		return "<br>*" + strings.ReplaceAll(said, "<", "&lt;") + "*"
	}
	return ""
}

// mostOpenCases is how many cases are shown without a click where there is nothing else to show.
const mostOpenCases = 10

// allCases is the table of all cases: folded where there is more to show.
func (d *document) allCases(most int) string {
	rows := d.Cases
	if len(rows) == 0 || most == 0 {
		return ""
	}
	table := d.cases(rows, most, "cases")
	if d.c == nil && len(rows) <= mostOpenCases {
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
