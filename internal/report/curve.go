package report

import (
	"cmp"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

// CurvePoint is a point of a distractor curve in a rendering.
type CurvePoint struct {
	judge.CurvePoint      // for a point without a finished run, only Count is set
	Measured         bool // a run of this point finished
}

// Curve is a distractor curve of a case, with the curve of the base.
type Curve struct {
	Case   int // index of the case in the report
	Points []CurvePoint
	Base   map[int]int // the base's accuracy in percent, by count, if its curve differs

	fall   int // the greatest fall of the accuracy at one point, in percentage points
	lowest int // the lowest accuracy, in percent
}

// Curves returns the curves of all cases. Curves with the greatest fall come first, then curves with the lowest accuracy. pairs
// has the pair of each case.
func (r *Report) Curves(pairs []Pair) (list []Curve) {
	for i := range r.Cases {
		for j := range r.Cases[i].Gates {
			if points := CurveOf(&r.Cases[i].Gates[j]); len(points) > 0 {
				list = append(list, newCurve(i, points, pairs[i].BaseCurve))
			}
		}
	}
	lists.SortStable(list, func(a, b *Curve) int { return cmp.Or(cmp.Compare(b.fall, a.fall), cmp.Compare(a.lowest, b.lowest)) })
	return list
}

func newCurve(of int, points []CurvePoint, base []judge.CurvePoint) Curve {
	c := Curve{Case: of, Points: points, Base: make(map[int]int, len(base)), lowest: 100}
	for _, p := range base {
		c.Base[p.Count] = p.Accuracy
	}
	for _, p := range points {
		if !p.Measured {
			continue
		}
		c.lowest = min(c.lowest, p.Accuracy)
		if was, ok := c.Base[p.Count]; ok {
			c.fall = max(c.fall, was-p.Accuracy)
		}
	}
	return c
}

// CurveOf returns the points of a gate's curve by count, including points at which no run finished.
func CurveOf(g *judge.Result) []CurvePoint {
	points := lists.Map(g.Curve, func(p judge.CurvePoint) CurvePoint { return CurvePoint{p, true} })
	absent := func(at int) CurvePoint { return CurvePoint{CurvePoint: judge.CurvePoint{Count: at}} }
	points = append(points, lists.Map(g.CurveAbsent, absent)...)
	lists.SortStable(points, func(a, b *CurvePoint) int { return cmp.Compare(a.Count, b.Count) })
	return points
}

// Curve returns the case's curve; nil if it has none.
func (c *Case) Curve() []judge.CurvePoint {
	for _, g := range c.Gates {
		if g.Curve != nil {
			return g.Curve
		}
	}
	return nil
}

// InChart returns a percentage cut to the range from 0 to 100, because a saved report can have any number.
func InChart(percent int) int { return min(max(percent, 0), 100) }
