package report

import (
	"math/big"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
)

// regressionsOf returns what is worse in a case than in the base's, which is nil for a new case.
func regressionsOf(base, head *Case) []Regression {
	r := Regression{Case: head.ID, Path: head.Suite, Line: head.Line, Head: string(head.Verdict)}
	if base == nil {
		if head.Verdict == gates.Pass {
			return nil
		}
		r.Kind = BrokenNewCase
		return []Regression{r}
	}
	if badness(head.Verdict) > badness(base.Verdict) {
		r.Kind, r.Base = WorseVerdict, string(base.Verdict)
		return []Regression{r} // which its figures are behind
	}
	var list []Regression
	for i := range head.Gates {
		list = append(list, worseFigures(base, head, &head.Gates[i])...)
	}
	return list
}

// badness orders verdicts. A case that is skipped has shown nothing: that is worse than a pass.
func badness(v gates.Verdict) int {
	switch v {
	case gates.Pass:
		return 0
	case gates.Skipped:
		return 1
	case gates.Fail:
		return 2
	}
	return 3
}

// worseFigures returns the failing assertions of a gate whose figure is farther from its bound than it was.
func worseFigures(base, head *Case, g *gates.Result) []Regression {
	was := base.gate(g.Gate)
	if was == nil {
		return nil
	}
	var list []Regression
	for i := range g.Assertions {
		a := &g.Assertions[i]
		if a.Verdict != gates.Fail {
			continue
		}
		before, after := figureText(was, a.Target), assertedText(a)
		if movedAway(a.Matcher, before, after) {
			list = append(list, Regression{
				Kind: WorseFigure, Case: head.ID, What: a.Target, Path: head.Suite, Line: a.Line, Base: before, Head: after,
			})
		}
	}
	return list
}

// figureText returns a figure of a gate as it is printed: of its metrics, else of an assertion on it.
func figureText(g *gates.Result, target string) string {
	if v, ok := g.Metrics[target]; ok {
		return v.Digits()
	}
	for i := range g.Assertions {
		if a := &g.Assertions[i]; a.Target == target && a.Actual != nil {
			return assertedText(a)
		}
	}
	return ""
}

// assertedText returns the figure that an assertion was made on, as it is printed: both sides are rounded alike, be they
// computed just now or read from a saved report.
func assertedText(a *gates.Assertion) string {
	switch v := a.Actual.(type) {
	case nil:
		return ""
	case gates.Value:
		return v.Digits()
	case string:
		return v
	}
	return gates.ActualText(a.Actual)
}

// movedAway reports whether a figure is farther from a bound that it does not keep than it was before.
func movedAway(matcher, before, after string) bool {
	was, okBefore := digits(before)
	is, okAfter := digits(after)
	bounds, okBounds := parseBounds(matcher)
	if !okBefore || !okAfter || !okBounds {
		return false
	}
	for _, b := range bounds {
		if !b.holds(is) && b.distance(is).Cmp(b.distance(was)) > 0 {
			return true
		}
	}
	return false
}

// limit is one comparison of a matcher.
type limit struct {
	op string
	at *big.Rat
}

// parseBounds reads a matcher that reports print as comparisons, such as ">= 80" or ">= 10 and < 20".
func parseBounds(matcher string) ([]limit, bool) {
	var bounds []limit
	for _, part := range strings.Split(matcher, " and ") {
		op, number, _ := strings.Cut(part, " ")
		at, ok := digits(number)
		if !ok || strings.HasPrefix(number, "$") || !strings.Contains(" >= > <= < == != ", " "+op+" ") {
			return nil, false
		}
		bounds = append(bounds, limit{op, at})
	}
	return bounds, true
}

func (l limit) holds(v *big.Rat) bool {
	sign := v.Cmp(l.at)
	switch l.op {
	case ">=":
		return sign >= 0
	case ">":
		return sign > 0
	case "<=":
		return sign <= 0
	case "<":
		return sign < 0
	case "==":
		return sign == 0
	}
	return sign != 0
}

// distance returns how far v is on the wrong side of the bound; 0 or less when it is on the right one.
func (l limit) distance(v *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(v, l.at)
	switch l.op {
	case ">=", ">":
		return d.Neg(d)
	case "==":
		return d.Abs(d)
	case "!=":
		return new(big.Rat)
	}
	return d
}

// findings compares the findings over all catalogs. The same finding can stand several times, so that they are counted.
func (c *comparer) findings() {
	c.out.New = extra(c.after, c.before)
	c.out.Fixed = extra(c.before, c.after)
	for _, f := range c.out.New {
		if f.Severity == "critical" {
			c.out.Regressions = append(c.out.Regressions, Regression{
				Kind: NewCritical, Case: f.Path, What: strings.TrimSpace(f.Rule + " " + f.Tool), Path: f.Path, Line: f.Line, Head: f.Message,
			})
		}
	}
}
