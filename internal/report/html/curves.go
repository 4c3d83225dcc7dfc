package html

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// A case can have a point for each number of distractors, so these constants bound the curves of the page.
const (
	maxCurves = 200
	maxPoints = 200
)

// hasCharts reports whether the page has a curve to draw: one with at least two points at which runs finished.
func (d *document) hasCharts() bool {
	return slices.ContainsFunc(d.r.Curves(d.Pairs()), isDrawn)
}

func isDrawn(c report.Curve) bool {
	return lists.Count(c.Points, func(p report.CurvePoint) bool { return p.Measured }) > 1
}

// curves returns tables of accuracy by number of distractors. The script draws a chart from each table.
func (d *document) curves() markup {
	list := d.r.Curves(d.Pairs())
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<p class=dim>The certified floor is the success rate that the runs prove at 95 % confidence.\n<div class=grid>\n")
	for i := range list[:min(len(list), maxCurves)] {
		b.WriteString("<figure><figcaption>" + string(caseLink(list[i].Case, &d.r.Cases[list[i].Case])) + "</figcaption>\n" + string(pointTable(list[i])) + "</figure>\n")
	}
	b.WriteString("</div>\n")
	if left := len(list) - maxCurves; left > 0 {
		b.WriteString("<p class=dim>and " + string(counted(left, "more curve")) + ", which the JSON report has\n")
	}
	return markup(b.String()) + d.complexity()
}

func pointTable(c report.Curve) markup {
	columns := []markup{"Distractors:", "Accuracy %:", "Certified floor %:", "Accuracy of the base %:", "Runs:"}
	t := newTable("points", columns, len(c.Points), maxPoints, func(i int) []markup {
		p := c.Points[i]
		was := markup("")
		if n, ok := c.Base[p.Count]; ok {
			was = number(n)
		}
		if !p.Measured {
			return []markup{number(p.Count), report.Absent, report.Absent, was, "0"}
		}
		return []markup{number(p.Count), number(p.Accuracy), number(p.CertifiedLower), was, count(p.Runs)}
	})
	if isDrawn(c) {
		t.class = "curve"
	}
	return t.write()
}

func (d *document) complexity() markup {
	list := d.r.Complexity
	columns := []markup{"Complexity", "Cases:", "Passed:", "Accuracy %:", "Hits:"}
	return newTable("accuracy by complexity", columns, len(list), maxCurves, func(i int) []markup {
		s := list[i]
		accuracy := markup(report.Absent)
		if s.Accuracy != nil {
			accuracy = number(*s.Accuracy)
		}
		return []markup{name(s.Complexity), count(s.Cases), count(s.Passed), accuracy, count(s.Correct + s.Distractor)}
	}).write()
}
