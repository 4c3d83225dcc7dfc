package markdown

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// shownCurve is a distractor curve of the document.
type shownCurve struct {
	of     int // index of the case
	points []report.CurvePoint
	base   map[int]int // accuracy by count, of the base where it had another curve
	fall   int         // by how much accuracy fell at most, at one point
	lowest int         // accuracy
}

// Bounds of the curves that are drawn; the others are in the table alone.
const (
	mostCharts      = 5
	mostChartPoints = 40
)

// curves shows accuracy against the number of distractors: charts of the curves that fell furthest or are lowest, and a
// folded table of all points. In a comment the charts are folded, too.
func (d *document) curves(most int) string {
	list := d.curvesToShow()
	if len(list) == 0 || most == 0 {
		return ""
	}
	charts := d.charts(list, min(most, mostCharts))
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

// curvesToShow returns the curves: those first that fell furthest, then those that are lowest.
func (d *document) curvesToShow() []shownCurve {
	var list []shownCurve
	for i := range d.r.Cases {
		for j := range d.r.Cases[i].Gates {
			if points := report.CurveOf(&d.r.Cases[i].Gates[j]); len(points) > 0 {
				list = append(list, newShownCurve(i, points, d.pairs[i].BaseCurve))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b shownCurve) int {
		return cmp.Or(cmp.Compare(b.fall, a.fall), cmp.Compare(a.lowest, b.lowest))
	})
	return list
}

func newShownCurve(of int, points []report.CurvePoint, base []judge.CurvePoint) shownCurve {
	c := shownCurve{of: of, points: points, base: make(map[int]int, len(base)), lowest: 100}
	for _, p := range base {
		c.base[p.Count] = p.Accuracy
	}
	for _, p := range points {
		if !p.Measured {
			continue
		}
		c.lowest = min(c.lowest, p.Accuracy)
		if was, ok := c.base[p.Count]; ok {
			c.fall = max(c.fall, was-p.Accuracy)
		}
	}
	return c
}

// charts draws the first most curves that can be drawn, each below the name of its case. The name is outside of the
// chart, whose source holds nothing but numbers that the program made.
func (d *document) charts(list []shownCurve, most int) string {
	var b strings.Builder
	drawn, compared := 0, false
	for _, c := range list {
		chart, withBase := c.chart()
		if chart == "" || drawn == most {
			continue
		}
		drawn++
		compared = compared || withBase
		b.WriteString("\n" + d.caseHeading(c.of) + c.missing() + "\n\n" + chart)
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

// missing names the points at which no run finished.
func (c *shownCurve) missing() string {
	const most = 8
	var at []string
	for _, p := range c.points {
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

// chartHead begins a chart. Mermaid writes no legend, so that the colours are given: accuracy, certified floor, base.
const chartHead = "%%{init: {\"xyChart\": {\"width\": 600, \"height\": 280}, " +
	"\"themeVariables\": {\"xyChart\": {\"plotColorPalette\": \"#8ab4f8, #d9480f, #818b98\"}}}}%%\n" +
	"xychart-beta\n"

// chart returns the points at which runs finished as a Mermaid chart, which GitHub draws, and whether the base's curve is
// in it; nothing when there are too few points for a line, or too many to be distinguished. The base is drawn where it has
// all of these points.
func (c *shownCurve) chart() (chart string, withBase bool) {
	var counts, accuracy, certified, base []string
	for _, p := range c.points {
		if !p.Measured {
			continue
		}
		counts = append(counts, strconv.Quote(strconv.Itoa(p.Count)))
		accuracy = append(accuracy, strconv.Itoa(report.InChart(p.Accuracy)))
		certified = append(certified, strconv.Itoa(report.InChart(p.CertifiedLower)))
		if was, ok := c.base[p.Count]; ok {
			base = append(base, strconv.Itoa(report.InChart(was)))
		}
	}
	if len(counts) < 2 || len(counts) > mostChartPoints {
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

// curveTable is the table of the points, the first most of them, and how many there are.
func (d *document) curveTable(list []shownCurve, most int) (markdown string, points int) {
	type place struct{ curve, point int }
	var places []place
	for i := range list {
		for j := range list[i].points {
			places = append(places, place{i, j})
		}
	}
	columns := []string{"Case", "Distractors:", "Runs:", "Accuracy %:", "Certified %:"}
	markdown = tableOf(columns, len(places), most, "points", func(i int) []string {
		c := &list[places[i].curve]
		p := c.points[places[i].point]
		return append([]string{d.caseName(c.of), count(p.Count)}, c.cells(p)...)
	})
	return markdown, len(places)
}

// cells are those of a point: runs, accuracy and certified floor.
func (c *shownCurve) cells(p report.CurvePoint) []string {
	figure := report.Delta{}
	was, compared := c.base[p.Count]
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
