package weaken

import (
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// The directions below are about the expectations of one figure.

// absentSuffix ends the keys of settings on absent figures. The only value of such a setting is skipped.
const (
	absentSuffix = ".when_absent"
	skipped      = "skip"
)

// skippedNow is the direction of the setting when_absent: an absent figure failed in the base and is skipped in the head.
func skippedNow(c change) answer {
	target, ok := strings.CutSuffix(c.key, absentSuffix)
	return answerIf(ok && c.mayBeAbsent(target))
}

// absentNow is the direction of the expectations of a figure: an absent figure failed in the base and is skipped in the head,
// though when_absent has the same values, because the head lacks a stricter expectation.
func absentNow(c change) answer {
	sameSkips := slices.Equal(c.before[c.key+absentSuffix].values(), c.after[c.key+absentSuffix].values())
	return answerIf(c.mayBeAbsent(c.key) && sameSkips)
}

// mayBeAbsent reports whether an absent figure failed in the base and is skipped in the head.
func (s *sides) mayBeAbsent(target string) bool {
	isStrict := func(side map[string]setting) bool {
		whenAbsent := side[target+absentSuffix]
		skips := len(whenAbsent) - len(whenAbsent.expectations())
		return len(side[target].expectations()) > skips
	}
	isStillExpected := len(s.after[target].expectations()) > 0
	return isStrict(s.before) && !isStrict(s.after) && isStillExpected
}

// expectations returns the values without those of when_absent, which have the same key if the name of a target ends in
// .when_absent.
func (s setting) expectations() setting {
	return slices.DeleteFunc(slices.Clone(s), func(one report.Setting) bool { return one.Value == skipped })
}

func expectedAsBefore(c change) answer {
	base, head := c.base.expectations(), c.head.expectations()
	return answerIf(len(base) == 0 || slices.Equal(base.values(), head.values()))
}

func lessExpected(c change) answer {
	base, head := c.base.expectations(), c.head.expectations()
	if _, _, areBounds := c.intervals(); areBounds && len(head) > 0 {
		return no
	}
	gone, fresh := surplus(base.set(), head.set()), surplus(head.set(), base.set())
	return answerIf(len(head) == 0 || len(gone) > 0 && len(fresh) == 0)
}

func lowerBound(c change) answer {
	base, head, _ := c.intervals()
	return answerIf(base.low.tighter(head.low, 1))
}

func higherBound(c change) answer {
	base, head, _ := c.intervals()
	return answerIf(base.high.tighter(head.high, -1))
}

// otherwiseExpected is the direction of a changed expectation that is not a bound on a number, or of a number that is no longer
// excluded.
func otherwiseExpected(c change) answer {
	base, head, ok := c.intervals()
	if ok {
		return answerIf(slices.ContainsFunc(base.not, head.holds))
	}
	return answerIf(len(surplus(c.base.expectations().set(), c.head.expectations().set())) > 0)
}

// intervals returns the numbers that satisfy the expectations of base and head; ok is false unless all expectations are bounds.
func (c change) intervals() (base, head interval, ok bool) {
	base, okBase := c.base.expectations().interval()
	head, okHead := c.head.expectations().interval()
	if !okBase || !okHead {
		return interval{}, interval{}, false
	}
	return base, head, true
}

// interval is a range of numbers, except the numbers in not.
type interval struct {
	low, high end
	not       []*big.Rat
}

// end is one end of an interval. If at is nil, the interval is unbounded on this side. A strict end is not part of the
// interval.
type end struct {
	at     *big.Rat
	strict bool
}

// tighter reports whether the end allows fewer numbers than the other end: sign is 1 for lower ends, -1 for upper ends.
func (e end) tighter(than end, sign int) bool {
	switch {
	case e.at == nil:
		return false
	case than.at == nil:
		return true
	}
	if order := sign * e.at.Cmp(than.at); order != 0 {
		return order > 0
	}
	return e.strict && !than.strict
}

// interval returns the numbers that satisfy all expectations of the setting; ok is false unless all are bounds.
func (s setting) interval() (in interval, ok bool) {
	for _, one := range s {
		bounds, ok := report.ParseBounds(one.Value)
		if !ok {
			return in, false
		}
		for _, b := range bounds {
			in.add(b)
		}
	}
	return in, true
}

func (in *interval) add(b report.Bound) {
	if b.Op == "!=" {
		in.not = append(in.not, b.At)
		return
	}
	e := end{b.At, b.Op == ">" || b.Op == "<"}
	if b.Op[0] != '<' && e.tighter(in.low, 1) {
		in.low = e
	}
	if b.Op[0] != '>' && e.tighter(in.high, -1) {
		in.high = e
	}
}

func (in interval) holds(v *big.Rat) bool {
	at := end{at: v}
	return !in.low.tighter(at, 1) && !in.high.tighter(at, -1) &&
		!slices.ContainsFunc(in.not, func(not *big.Rat) bool { return v.Cmp(not) == 0 })
}
