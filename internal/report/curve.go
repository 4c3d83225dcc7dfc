package report

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
)

// curvePoint is a point of a distractor curve as it is shown.
type curvePoint struct {
	judge.CurvePoint      // of a point without a finished run the count alone
	measured         bool // a run of it finished
}

// curveOf returns the points of a gate's curve by count, those included at which no run finished.
func curveOf(g *judge.Result) []curvePoint {
	points := make([]curvePoint, 0, len(g.Curve)+len(g.CurveAbsent))
	for _, p := range g.Curve {
		points = append(points, curvePoint{p, true})
	}
	for _, at := range g.CurveAbsent {
		points = append(points, curvePoint{CurvePoint: judge.CurvePoint{Count: at}})
	}
	slices.SortStableFunc(points, func(a, b curvePoint) int { return cmp.Compare(a.Count, b.Count) })
	return points
}

// curve returns the case's curve; nil when it has none.
func (c *Case) curve() []judge.CurvePoint {
	for _, g := range c.Gates {
		if g.Curve != nil {
			return g.Curve
		}
	}
	return nil
}

// baseCurve returns the curve of the base where the head's differs from it; else nil. Both may be nil.
func baseCurve(base, head *Case) []judge.CurvePoint {
	if base == nil || slices.Equal(base.curve(), head.curve()) {
		return nil
	}
	return base.curve()
}

// inChart returns a percentage as it can be drawn: a saved report can hold any number.
func inChart(percent int) int { return min(max(percent, 0), 100) }
