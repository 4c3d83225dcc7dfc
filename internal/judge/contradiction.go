package judge

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Contradiction returns the reason why the verdict of an assertion cannot be right for its figure and matcher; "" if there is
// none. It examines only figures, and only matchers that consist of operators, such as ">= 80 and < 90".
func (a *Assertion) Contradiction() string {
	switch {
	case a.Verdict == Pass && a.Actual == nil:
		return "passes without a figure"
	case a.Verdict == Skipped && a.Actual != nil:
		return fmt.Sprintf("is skipped with the figure %s, expected skipped only where it is absent", Clip(ActualText(a.Actual)))
	}
	low, high, ok := figureRange(a.Actual)
	if !ok {
		return ""
	}
	return a.contradictionFor(low, high)
}

// ContradictionIn is [Assertion.Contradiction], but also compares the figure with the figure for the same target in g.Metrics.
func (a *Assertion) ContradictionIn(g *Result) string {
	v, has := g.Metrics[a.Target]
	if !has || a.Verdict == Error {
		return a.Contradiction()
	}
	low, high, ok := figureRange(a.Actual)
	if !ok || v.rat().Cmp(low) < 0 || v.rat().Cmp(high) > 0 {
		return fmt.Sprintf("has the figure %s for %s, expected %s as in \"metrics\"", Clip(ActualText(a.Actual)), Clip(a.Target), v.Digits())
	}
	return a.Contradiction()
}

// AgreesWith reports whether the assertion belongs to the expectation, and has the verdict that the expectation's matcher gives
// for the figure. It does not check the verdict on a rounded figure, or on a text that is not a figure.
func (a *Assertion) AgreesWith(e Expectation) bool {
	isSame := a.Target == e.Target && a.K == e.K && a.Matcher == e.Matcher.String()
	maySkip := e.SkipAbsent
	if !isSame || a.Verdict == Skipped && !maySkip {
		return false
	}
	v, isFigure := a.Actual.(Value)
	isExact := isFigure && units[v.Unit].decimals == 0
	wasCompared := a.Verdict == Pass || a.Verdict == Fail
	if !isExact || !wasCompared {
		return true
	}
	holds, _ := e.Matcher.Match(v, &Work{})
	return holds == (a.Verdict == Pass)
}

// RunContradiction is [Assertion.Contradiction] for an assertion about one run. The actual value of such an assertion can be
// any JSON value, also null.
func (a *Assertion) RunContradiction() string {
	raw, _ := a.Actual.(jsontext.Value)
	if a.Verdict == Skipped && a.Actual != nil {
		return "is skipped with a value, expected skipped only where it is absent"
	}
	low, high, ok := figureRange(a.Actual)
	switch {
	case !ok:
		return ""
	case raw.Kind() != '0': // not a JSON number: a text of digits is never equal to a number, and a figure is always a number
		if a.Verdict != Pass {
			return ""
		}
		return a.contradictionFor(low, high)
	}
	n, _ := parseDecimal(string(raw))
	return a.contradictionFor(n, n)
}

// contradictionFor returns why the verdict cannot be right for any figure from low to high; "" if it can be right.
func (a *Assertion) contradictionFor(low, high *big.Rat) string {
	bounds, ok := parseBounds(a.Matcher)
	if !ok {
		return ""
	}
	canHold, canFail := true, false
	for _, b := range bounds {
		holds, fails := b.outcomesIn(low, high)
		canHold, canFail = canHold && holds, canFail || fails
	}
	if a.Verdict == Pass && !canHold || a.Verdict == Fail && !canFail {
		return fmt.Sprintf("has verdict %q, though %s is %s, with matcher %q", a.Verdict, Clip(a.Target), Clip(ActualText(a.Actual)), Clip(a.Matcher))
	}
	return ""
}

// outcomesIn reports whether a number from low to high satisfies the bound, and whether a number in this range breaks it.
func (b bound) outcomesIn(low, high *big.Rat) (holds, fails bool) {
	isTrue := operators[b.op]
	lowSign, highSign := low.Cmp(b.limit), high.Cmp(b.limit)
	signs := []int{lowSign, highSign}
	if lowSign < 0 && highSign > 0 { // the limit itself is between low and high
		signs = append(signs, 0)
	}
	for _, sign := range signs {
		holds, fails = holds || isTrue(sign), fails || !isTrue(sign)
	}
	return holds, fails
}

// parseBounds parses operators as [Matcher.String] writes them.
func parseBounds(text string) ([]bound, bool) {
	var bounds []bound
	for part := range strings.SplitSeq(text, " and ") {
		op, digits, _ := strings.Cut(part, " ")
		limit, ok := parseDecimal(digits)
		if !ok || operators[op] == nil {
			return nil, false
		}
		bounds = append(bounds, bound{op, limit})
	}
	return bounds, true
}

// figureRange returns the lowest and the highest exact value of a reported figure. They differ if the figure has decimals, because
// it was rounded.
func figureRange(actual any) (low, high *big.Rat, ok bool) {
	digits := ""
	switch v := actual.(type) {
	case Value:
		digits = v.Digits()
	case string:
		digits = v
	case jsontext.Value:
		if digits = string(v); v.Kind() == '"' && json.Unmarshal(v, &digits) != nil {
			return nil, nil, false
		}
	}
	n, ok := parseDecimal(digits)
	if !ok {
		return nil, nil, false
	}
	_, decimals, _ := strings.Cut(digits, ".")
	if decimals == "" {
		return n, n, true
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(decimals))), nil)
	halfStep := new(big.Rat).SetFrac(big.NewInt(1), power.Mul(power, big.NewInt(2)))
	return new(big.Rat).Sub(n, halfStep), new(big.Rat).Add(n, halfStep), true
}
