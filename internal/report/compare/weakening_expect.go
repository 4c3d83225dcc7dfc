package compare

import (
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// absentSuffix ends the keys of what an absent figure leads to: skipped is the only value.
const (
	absentSuffix = ".when_absent"
	skipped      = "skip"
)

// expectation judges a change of the expectations of one figure.
func (s settingChange) expectation() string {
	if target, ok := strings.CutSuffix(s.key, absentSuffix); ok && s.mayBeAbsent(target) {
		return report.MayBeAbsent
	}
	s.base, s.head = s.base.expectations(), s.head.expectations() // a target can end like the key
	switch {
	case slices.Equal(s.base.values(), s.head.values()), s.added():
		return ""
	case s.removed():
		return report.AssertionRemoved
	}
	kind := s.otherwiseExpected()
	if kind == "" && s.mayBeAbsent(s.key) && slices.Equal(s.before[s.key+absentSuffix].values(), s.after[s.key+absentSuffix].values()) {
		return report.MayBeAbsent
	}
	return kind
}

// mayBeAbsent reports whether an absent figure failed in the base, and is skipped now.
func (d *judgeDiff) mayBeAbsent(target string) bool {
	strict := func(side map[string]setting) bool {
		given := side[target+absentSuffix]
		return len(side[target].expectations()) > len(given)-len(given.expectations())
	}
	return strict(d.before) && !strict(d.after) && len(d.after[target].expectations()) > 0
}

// expectations returns the values that are not those of keys that say what an absent figure does.
func (s setting) expectations() setting {
	return slices.DeleteFunc(slices.Clone(s), func(one report.Setting) bool { return one.Value == skipped })
}

// otherwiseExpected judges expectations that both sides have.
func (s settingChange) otherwiseExpected() string {
	base, okBase := s.base.interval()
	head, okHead := s.head.interval()
	if okBase && okHead {
		return head.weaker(base)
	}
	gone := without(s.base.set(), s.head.set())
	switch {
	case len(gone) == 0:
		return ""
	case len(without(s.head.set(), s.base.set())) == 0:
		return report.AssertionRemoved
	}
	return report.SettingChanged
}

// interval is the numbers between two ends, without a few.
type interval struct {
	low, high end
	not       []*big.Rat
}

// end is one end of an interval, which is open when at is nil. A strict end is itself left out.
type end struct {
	at     *big.Rat
	strict bool
}

// tighter reports whether the end leaves fewer numbers than the other: with sign 1 of two lower ends, with -1 of two
// upper ones.
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

// interval returns the numbers that keep all expectations; not ok unless each is made of bounds.
func (s setting) interval() (in interval, ok bool) {
	for _, one := range s {
		bounds, ok := parseBounds(one.Value)
		if !ok {
			return in, false
		}
		for _, b := range bounds {
			in.add(b)
		}
	}
	return in, true
}

func (in *interval) add(b limit) {
	if b.op == "!=" {
		in.not = append(in.not, b.at)
		return
	}
	e := end{b.at, b.op == ">" || b.op == "<"}
	if b.op[0] != '<' && e.tighter(in.low, 1) {
		in.low = e
	}
	if b.op[0] != '>' && e.tighter(in.high, -1) {
		in.high = e
	}
}

// weaker returns the kind of weakening by which the interval has numbers that base does not; "" when it has none.
func (in interval) weaker(base interval) string {
	switch {
	case base.low.tighter(in.low, 1):
		return report.BoundLowered
	case base.high.tighter(in.high, -1):
		return report.BoundRaised
	}
	return when(slices.ContainsFunc(base.not, in.holds), report.SettingChanged)
}

// holds reports whether the interval has the number.
func (in interval) holds(v *big.Rat) bool {
	at := end{at: v}
	return !in.low.tighter(at, 1) && !in.high.tighter(at, -1) &&
		!slices.ContainsFunc(in.not, func(not *big.Rat) bool { return v.Cmp(not) == 0 })
}
