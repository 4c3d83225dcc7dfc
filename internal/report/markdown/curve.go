package markdown

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// These constants bound the curves that are drawn. The other curves are only in the table.
const (
	maxCharts      = 5
	maxChartPoints = 40
)

// curves returns the section on accuracy by number of distractors: charts of the curves that fell furthest or are lowest, and a
// folded table of all points. In a comment, the charts are folded, too.
func (d *document) curves(most int) string {
	list := d.r.Curves(d.Pairs())
	if len(list) == 0 || most == 0 {
		return ""
	}
	charts := d.charts(list, min(most, maxCharts))
	table, points := d.curveTable(list, most)
	const title = "Accuracy against distractors"
	switch {
	case charts == "":
		return fold(title, table)
	case d.options.Limit < SummaryLimit:
		return fold(title, charts+"\n"+table)
	}
	return "#### " + title + "\n\n" + charts + "\n" + fold(judge.CountOf(points, "point"), table)
}

// charts returns charts of the first curves that can be drawn, each below the name of its case. most bounds the number of charts.
// The name is not in the source of the chart, which contains only numbers that the program made.
func (d *document) charts(list []report.Curve, most int) string {
	var b strings.Builder
	drawn, compared := 0, false
	for _, c := range list {
		chart, withBase := chartOf(c)
		if chart == "" || drawn == most {
			continue
		}
		drawn++
		compared = compared || withBase
		b.WriteString("\n" + d.caseName(c.Case) + unmeasured(c) + "\n\n" + chart)
	}
	if drawn == 0 {
		return ""
	}
	legend := "Bars: accuracy. Orange line: certified floor, the success rate that the runs prove at 95 % confidence."
	if compared {
		legend += " Grey line: accuracy of the base."
	}
	rest := ""
	if left := len(list) - drawn; left > 0 {
		rest = "\n" + judge.CountOf(left, "more curve") + verb(left, " is", " are") + " in the table alone.\n"
	}
	return legend + "\n" + b.String() + rest
}

// unmeasured returns a text with the points at which no run finished; "" if there are none.
func unmeasured(c report.Curve) string {
	const most = 8
	var at []string
	for _, p := range c.Points {
		if !p.Measured {
			at = append(at, strconv.Itoa(p.Count))
		}
	}
	if len(at) == 0 {
		return ""
	}
	list := strings.Join(at[:min(len(at), most)], ", ")
	if left := len(at) - most; left > 0 {
		list += " and " + judge.CountOf(left, "more point")
	}
	return ", no run finished at " + list
}

// chartHead is the beginning of a chart. It sets the colours of accuracy, certified floor and base, because Mermaid writes no
// legend and the text above the charts names the colours.
const chartHead = "%%{init: {\"xyChart\": {\"width\": 600, \"height\": 280}, " +
	"\"themeVariables\": {\"xyChart\": {\"plotColorPalette\": \"#8ab4f8, #d9480f, #818b98\"}}}}%%\n" +
	"xychart-beta\n"

// chartOf returns a Mermaid chart of the measured points; "" if there are too few points for a line, or too many to be
// distinguished. withBase reports whether the chart also shows the base's curve, which must have all of these points.
func chartOf(c report.Curve) (chart string, withBase bool) {
	var counts, accuracy, certified, base []string
	for _, p := range c.Points {
		if !p.Measured {
			continue
		}
		counts = append(counts, strconv.Quote(strconv.Itoa(p.Count)))
		accuracy = append(accuracy, strconv.Itoa(report.InChart(p.Accuracy)))
		certified = append(certified, strconv.Itoa(report.InChart(p.CertifiedLower)))
		if was, ok := c.Base[p.Count]; ok {
			base = append(base, strconv.Itoa(report.InChart(was)))
		}
	}
	if len(counts) < 2 || len(counts) > maxChartPoints {
		return "", false
	}
	series := func(kind string, values []string) string {
		return "    " + kind + " [" + strings.Join(values, ", ") + "]\n"
	}
	chart = chartHead + series(`x-axis "distractors"`, counts) + "    y-axis \"percent\" 0 --> 100\n" +
		series("bar", accuracy) + series("line", certified)
	if withBase = len(base) == len(counts); withBase {
		chart += series("line", base)
	}
	return "```mermaid\n" + chart + "```\n", withBase
}

// curveTable returns a table of the first points, and the number of all points. most bounds the number of rows.
func (d *document) curveTable(list []report.Curve, most int) (markdown string, points int) {
	type place struct{ curve, point int }
	var places []place
	for i := range list {
		for j := range list[i].Points {
			places = append(places, place{i, j})
		}
	}
	columns := []string{"Case", "Distractors:", "Runs:", "Accuracy %:", "Certified %:"}
	markdown = tableOf(columns, len(places), most, "points", func(i int) []string {
		c := list[places[i].curve]
		p := c.Points[places[i].point]
		return append([]string{d.caseName(c.Case), count(p.Count)}, pointCells(c, p)...)
	})
	return markdown, len(places)
}

func pointCells(c report.Curve, p report.CurvePoint) []string {
	figure := report.Delta{}
	was, compared := c.Base[p.Count]
	if compared {
		figure.Base = report.Optional(strconv.Itoa(was))
	}
	certified := report.Absent
	if p.Measured {
		figure.Head = report.Optional(strconv.Itoa(p.Accuracy))
		certified = strconv.Itoa(p.CertifiedLower)
	}
	return []string{count(p.Runs), cmp.Or(figureCell(figure, !compared, true), report.Absent), certified}
}
