package markdown

import (
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// moved is a figure of a case that differs from the base's.
type moved struct {
	of int // index of the case
	report.Delta
}

// figures is the table of figures that moved: those that every case is compared by first, of regressions before others.
func (d *document) figures(most int) string {
	if d.c == nil || most == 0 {
		return ""
	}
	list := d.moved(func(p *report.Pair) []report.Delta { return p.Figures })
	main := len(list)
	list = append(list, d.moved(func(p *report.Pair) []report.Delta { return p.Others })...)
	if len(list) == 0 {
		return ""
	}
	shown := list[:min(len(list), most)]
	others := openOthers
	if len(d.c.Tools) > 0 {
		others = 0 // the table of tools says why they moved
	}
	open := shown[:min(len(shown), openFigures, max(main, others))]
	text := ""
	if len(open) > 0 {
		text = "**Figures that moved**\n\n" + d.figureTable(open)
	}
	if rest := shown[len(open):]; len(rest) > 0 {
		text += "\n" + fold(judge.CountOf(len(rest), "more figure")+" that moved", d.figureTable(rest))
	}
	return text + more(len(list)-len(shown), "figures")
}

// moved returns the figures of the cases that differ, regressions first.
func (d *document) moved(of func(*report.Pair) []report.Delta) []moved {
	var list []moved
	for _, i := range d.rowsToShow() {
		for _, f := range of(&d.pairs[i]) {
			if f.Changed() && !d.pairs[i].New && !(f.Head == "" && d.r.Cases[i].Verdict == judge.Error) {
				list = append(list, moved{i, f})
			}
		}
	}
	return list
}

func (d *document) figureTable(list []moved) string {
	base := "base"
	if d.c.Base.Ref != "" {
		base = code(string(d.c.Base.Ref))
	}
	return tableOf([]string{"Case", "Figure", base + ":", "here:", "change:"}, len(list), len(list), "", func(i int) []string {
		m := list[i]
		change := m.Difference()
		inBullet := d.r.Cases[m.of].Verdict.Broken() // which says how likely chance is
		if !inBullet && (i == 0 || list[i-1].of != m.of || !sameRates(list[i-1].Delta, m.Delta)) {
			change += chanceOf(m.Delta)
		}
		return []string{d.nameAndModel(&d.r.Cases[m.of]), figureTitle(m.Name), valueWithUnit(m.Name, m.Base), strong(valueWithUnit(m.Name, m.Head)), change}
	})
}

func valueWithUnit(name string, value report.Optional) string {
	text := number(string(value))
	if text == "" {
		return report.Absent
	}
	digits, hasUnit := strings.CutSuffix(text, "%")
	if hasUnit || unitOfFigure(report.FigureNamed(name)) != "" {
		return digits + " %"
	}
	return text
}

// figureTitle is the name of a figure in a table.
func figureTitle(name string) string {
	f := report.FigureNamed(name)
	switch {
	case f.Label != "":
		return f.Label
	case f.Title != "":
		return f.Title
	}
	return code(name)
}
