package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// These constants bound the curves that are drawn. [Options].All overrides them.
const (
	maxCurves = 10 // curves of cases that pass
	maxPoints = 20 // points of one curve
)

// writeCurve draws accuracy by number of distractors, with one bar for each point. It uses only plain characters and no colour, so
// that every log and font can show it.
func (t *writer) writeCurve(g *judge.Result) {
	points := report.CurveOf(g)
	if len(points) == 0 {
		return
	}
	t.p.line("  ", t.p.paint(dim, fmt.Sprintf("%11s  %-*s  %8s  %9s  %4s", "distractors", barCells+2, "= accuracy, | certified", "accuracy",
		"certified", "runs")))
	shown := t.p.limit(len(points), maxPoints)
	for _, p := range points[:shown] {
		if !p.Measured {
			t.p.line("  ", fmt.Sprintf("%11d  no run finished", p.Count))
			continue
		}
		t.p.line("  ", fmt.Sprintf("%11d  %s  %8s  %9s  %4d", p.Count, bar(p.Accuracy, p.CertifiedLower), percentText(p.Accuracy),
			percentText(p.CertifiedLower), p.Runs))
	}
	t.p.writeRest("  ", len(points)-shown, "point")
}

// writeGoodCurves draws the curves of a case that passes, until maxCurves are drawn. drawn is the number of curves drawn before.
// It returns the number of curves of the case.
func (t *writer) writeGoodCurves(c *report.Case, drawn int) int {
	n := 0
	for i := range c.Gates {
		g := &c.Gates[i]
		if len(g.Curve)+len(g.CurveAbsent) == 0 {
			continue
		}
		if t.options.All || drawn+n < maxCurves {
			t.writeCurve(g)
		}
		n++
	}
	return n
}

func percentText(n int) string { return strconv.Itoa(n) + "%" }

// barCells is the width of a bar, at 4 % a cell.
const barCells = 25

// bar returns a bar that is filled up to accuracy, in percent, with a mark in the cell of the certified floor. Only 100 % fills
// it completely, and only 0 % leaves it empty.
func bar(accuracy, certified int) string {
	accuracy, certified = report.InChart(accuracy), report.InChart(certified)
	filled := accuracy * barCells / 100
	if accuracy > 0 {
		filled = max(filled, 1)
	}
	cells := []byte(strings.Repeat("=", filled) + strings.Repeat(" ", barCells-filled))
	cells[min(certified*barCells/100, barCells-1)] = '|'
	return "[" + string(cells) + "]"
}
