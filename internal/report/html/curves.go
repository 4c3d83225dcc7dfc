package html

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// Bounds of the curves that are shown: a case can have a point for each count.
const (
	mostCurves = 200
	mostPoints = 200
)

// curve is a distractor curve of the page.
type curve struct {
	of     int // index of the case
	points []report.CurvePoint
	base   map[int]int // accuracy by count, of the base where it had another curve
	fall   int         // by how much accuracy fell at most, at one point
	lowest int         // accuracy
}

// hasCharts reports whether the page has a curve to draw: two points at which runs finished.
func (d *document) hasCharts() bool {
	return slices.ContainsFunc(d.allCurves(), func(c curve) bool { return c.isDrawn() })
}

// allCurves returns the curves: those first that fell furthest, then those that are lowest.
func (d *document) allCurves() []curve {
	var list []curve
	for i := range d.r.Cases {
		for j := range d.r.Cases[i].Gates {
			if points := report.CurveOf(&d.r.Cases[i].Gates[j]); len(points) > 0 {
				list = append(list, newCurve(i, points, d.pairs[i].BaseCurve))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b curve) int { return cmp.Or(cmp.Compare(b.fall, a.fall), cmp.Compare(a.lowest, b.lowest)) })
	return list
}

func newCurve(of int, points []report.CurvePoint, base []judge.CurvePoint) curve {
	c := curve{of: of, points: points, base: make(map[int]int, len(base)), lowest: 100}
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

// isDrawn reports whether the points make a line.
func (c *curve) isDrawn() bool {
	measured := 0
	for _, p := range c.points {
		if p.Measured {
			measured++
		}
	}
	return measured > 1
}

// curves shows accuracy against the number of distractors. The script draws a chart of each table.
func (d *document) curves() markup {
	list := d.allCurves()
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<p class=dim>The certified floor is the success rate that the runs prove at 95 % confidence.\n<div class=grid>\n")
	for i := range list[:min(len(list), mostCurves)] {
		b.WriteString("<figure><figcaption>" + string(caseLink(list[i].of, &d.r.Cases[list[i].of])) + "</figcaption>\n" + string(list[i].write()) + "</figure>\n")
	}
	b.WriteString("</div>\n")
	if left := len(list) - mostCurves; left > 0 {
		b.WriteString("<p class=dim>and " + string(counted(left, "more curve")) + ", which the JSON report has\n")
	}
	return markup(b.String()) + d.complexity()
}

// write is the table of the points of a curve.
func (c *curve) write() markup {
	columns := []markup{"Distractors:", "Accuracy %:", "Certified floor %:", "Accuracy of the base %:", "Runs:"}
	t := newTable("points", columns, len(c.points), mostPoints, func(i int) []markup {
		p := c.points[i]
		was := markup("")
		if n, ok := c.base[p.Count]; ok {
			was = number(n)
		}
		if !p.Measured {
			return []markup{number(p.Count), report.Absent, report.Absent, was, "0"}
		}
		return []markup{number(p.Count), number(p.Accuracy), number(p.CertifiedLower), was, count(p.Runs)}
	})
	if c.isDrawn() {
		t.class = "curve"
	}
	return t.write()
}

// complexity is the table of figures by complexity.
func (d *document) complexity() markup {
	list := d.r.Complexity
	columns := []markup{"Complexity", "Cases:", "Passed:", "Accuracy %:", "Hits:"}
	return newTable("accuracy by complexity", columns, len(list), mostCurves, func(i int) []markup {
		s := list[i]
		accuracy := markup(report.Absent)
		if s.Accuracy != nil {
			accuracy = number(*s.Accuracy)
		}
		return []markup{name(s.Complexity), count(s.Cases), count(s.Passed), accuracy, count(s.Correct + s.Distractor)}
	}).write()
}
