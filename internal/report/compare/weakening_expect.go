package compare

import (
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// absentSuffix ends the keys that say what an absent figure does: skipped is the only value.
const (
	absentSuffix = ".when_absent"
	skipped      = "skip"
)

// expectation judges a change of what is expected of one figure.
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

// interval is what numbers some bounds leave; nil ends are open.
type interval struct {
	low, high             *big.Rat
	lowStrict, highStrict bool       // the end itself is left out
	not                   []*big.Rat // left out besides
}

// interval returns the numbers that keep all expectations; not ok unless each is made of bounds.
func (s setting) interval() (interval, bool) {
	var in interval
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
	strict := b.op == ">" || b.op == "<"
	if b.op != "<" && b.op != "<=" && (in.low == nil || after(b.at, strict, in.low, in.lowStrict)) {
		in.low, in.lowStrict = b.at, strict
	}
	if b.op != ">" && b.op != ">=" && (in.high == nil || below(b.at, strict, in.high, in.highStrict)) {
		in.high, in.highStrict = b.at, strict
	}
}

// after reports whether a lower end at a leaves fewer numbers than one at b.
func after(a *big.Rat, aStrict bool, b *big.Rat, bStrict bool) bool {
	if sign := a.Cmp(b); sign != 0 {
		return sign > 0
	}
	return aStrict && !bStrict
}

// weaker says how in leaves numbers that base does not; "" when it leaves none.
func (in interval) weaker(base interval) string {
	if base.low != nil && (in.low == nil || after(base.low, base.lowStrict, in.low, in.lowStrict)) {
		return report.BoundLowered
	}
	if base.high != nil && (in.high == nil || below(base.high, base.highStrict, in.high, in.highStrict)) {
		return report.BoundRaised
	}
	return when(slices.ContainsFunc(base.not, in.holds), report.SettingChanged)
}

// holds reports whether the interval has the number.
func (in interval) holds(v *big.Rat) bool {
	if in.low != nil && (v.Cmp(in.low) < 0 || in.lowStrict && v.Cmp(in.low) == 0) {
		return false
	}
	if in.high != nil && (v.Cmp(in.high) > 0 || in.highStrict && v.Cmp(in.high) == 0) {
		return false
	}
	return !slices.ContainsFunc(in.not, func(not *big.Rat) bool { return v.Cmp(not) == 0 })
}

// below reports whether an upper end at a leaves fewer numbers than one at b.
func below(a *big.Rat, aStrict bool, b *big.Rat, bStrict bool) bool {
	if sign := a.Cmp(b); sign != 0 {
		return sign < 0
	}
	return aStrict && !bStrict
}
