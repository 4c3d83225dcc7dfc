package markdown

import (
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/report/trend"
)

// minOpen is the number of figures that are not folded, even if fewer of them are main figures.
const minOpen = 3

func (d *document) figures(most int) string {
	list := d.Figures
	if len(list) == 0 || most == 0 {
		return ""
	}
	mainFigures := 0
	for mainFigures < len(list) && list[mainFigures].Main {
		mainFigures++
	}
	fewest := minOpen
	if len(d.c.Tools) > 0 {
		fewest = 0 // the table of tools shows why the figures moved
	}
	shown := list[:min(len(list), most)]
	unfolded := min(len(shown), d.medium.Limit(tell.MovedFigures).Open, max(mainFigures, fewest))
	open := shown[:unfolded]
	text := ""
	if len(open) > 0 {
		text = strong(tell.MovedFigures.Title()) + "\n\n" + d.figureTable(open)
	}
	if rest := shown[len(open):]; len(rest) > 0 {
		text += "\n" + fold(judge.CountOf(len(rest), "more figure")+" that moved", d.figureTable(rest))
	}
	return text + moreItems(len(list)-len(shown), "figures")
}

func (d *document) figureTable(list []tell.Moved) string {
	base := "base"
	if d.c.Base.Ref != "" {
		base = code(string(d.c.Base.Ref))
	}
	line := func(m *tell.Moved) string { return d.r.Sparklines.Case(&d.r.Cases[m.Case], m.Name) }
	columns := []string{"Case", "Figure", base + ":", "here:", "change:"}
	isDrawn := slices.ContainsFunc(list, func(m tell.Moved) bool { return line(&m) != "" })
	if isDrawn {
		columns = append(columns, trend.Title)
	}
	return tableOf(columns, len(list), len(list), "", func(i int) []string {
		m := &list[i]
		change := m.Change
		if m.Chance != nil {
			change += "<br>*" + d.line(m.Chance) + "*"
		}
		row := []string{d.line(tell.CaseName(&d.r.Cases[m.Case])), d.line(m.Title), d.line(m.Base), strong(d.line(m.Head)), change}
		if isDrawn {
			row = append(row, drawn(line(m)))
		}
		return row
	})
}

// drawn returns a sparkline as a code span, in which all characters have the same width; "" for an empty sparkline.
func drawn(line string) string {
	if line == "" {
		return ""
	}
	return "`" + line + "`"
}
