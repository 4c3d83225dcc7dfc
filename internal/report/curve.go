package report

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
)

// CurvePoint is a point of a distractor curve as it is shown.
type CurvePoint struct {
	judge.CurvePoint      // of a point without a finished run the count alone
	Measured         bool // a run of it finished
}

// CurveOf returns the points of a gate's curve by count, those included at which no run finished.
func CurveOf(g *judge.Result) []CurvePoint {
	points := make([]CurvePoint, 0, len(g.Curve)+len(g.CurveAbsent))
	for _, p := range g.Curve {
		points = append(points, CurvePoint{p, true})
	}
	for _, at := range g.CurveAbsent {
		points = append(points, CurvePoint{CurvePoint: judge.CurvePoint{Count: at}})
	}
	slices.SortStableFunc(points, func(a, b CurvePoint) int { return cmp.Compare(a.Count, b.Count) })
	return points
}

// Curve returns the case's curve; nil when it has none.
func (c *Case) Curve() []judge.CurvePoint {
	for _, g := range c.Gates {
		if g.Curve != nil {
			return g.Curve
		}
	}
	return nil
}

// InChart returns a percentage as it can be drawn: a saved report can hold any number.
func InChart(percent int) int { return min(max(percent, 0), 100) }
