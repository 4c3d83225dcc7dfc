package report

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
)

// settingRule tells what a change of some settings means. A key that no rule names is listed as changed, so that a new
// gate needs no rule to be safe.
type settingRule struct {
	applies func(key string) bool
	judge   func(settingChange) string
}

var settingRules = []settingRule{
	{is("runs"), lowered(FewerRuns)},
	{is("allow_run_errors"), raised(MoreErrorsAllowed)},
	{is("stale_catalog"), settingChange.staleness},
	{starts("pricing."), lowered(PriceLowered)},
	{part("min_"), settingChange.minimum},
	{part("max_"), settingChange.maximum},
	{last("members"), settingChange.members},
	{last("expected_tool"), membersAdded},
	{last("correct"), settingChange.correct},
	{is("distractors.count"), lowered(FewerDistractors)},
	{last("error_pattern"), settingChange.pattern},
	{last("rules.disable"), grown(RuleDisabled)},
	{last("rules.ignore"), settingChange.ignored},
	{has(".rules.severity"), settingChange.severity},
}

func is(key string) func(string) bool { return func(k string) bool { return k == key } }

func starts(prefix string) func(string) bool {
	return func(k string) bool { return strings.HasPrefix(k, prefix) }
}

func last(name string) func(string) bool {
	return func(k string) bool { return k == name || strings.HasSuffix(k, "."+name) }
}

func has(text string) func(string) bool {
	return func(k string) bool { return strings.Contains(k, text) }
}

// part applies to keys with a step that begins with prefix.
func part(prefix string) func(string) bool {
	return func(k string) bool { return strings.HasPrefix(k, prefix) || strings.Contains(k, "."+prefix) }
}

// order compares the numbers of both sides; not ok unless each has one.
func (s settingChange) order() (sign int, ok bool) {
	base, okBase := rational(string(s.base.text()))
	head, okHead := rational(string(s.head.text()))
	if !okBase || !okHead {
		return 0, false
	}
	return head.Cmp(base), true
}

// rational returns the number that digits say, which may be a fraction of whole numbers.
func rational(text string) (*big.Rat, bool) {
	if above, below, isFraction := strings.Cut(text, "/"); isFraction {
		a, okA := digits(above)
		b, okB := digits(below)
		if !okA || !okB || b.Sign() == 0 {
			return nil, false
		}
		return a.Quo(a, b), true
	}
	return digits(text)
}

// lowered is the rule of numbers that are the stricter the higher they are.
func lowered(kind string) func(settingChange) string {
	return func(s settingChange) string { return s.moved(-1, kind) }
}

// raised is the rule of numbers that are the stricter the lower they are.
func raised(kind string) func(settingChange) string {
	return func(s settingChange) string { return s.moved(1, kind) }
}

func (s settingChange) moved(weaker int, kind string) string {
	sign, ok := s.order()
	if !ok {
		return SettingChanged
	}
	return when(sign == weaker, kind)
}

func (s settingChange) minimum() string {
	switch {
	case s.removed():
		return MinimumRemoved
	case s.added():
		return ""
	}
	return s.moved(-1, LowerMinimum)
}

func (s settingChange) maximum() string {
	switch {
	case s.removed():
		return MaximumRemoved
	case s.added():
		return ""
	}
	return s.moved(1, HigherMaximum)
}

// staleness orders the policies. The default fails on some differences and warns of the others.
func (s settingChange) staleness() string {
	order := []string{"fail", "default", "warn", "ignore"}
	base, head := slices.Index(order, string(s.base.text())), slices.Index(order, string(s.head.text()))
	if base < 0 || head < 0 {
		return SettingChanged
	}
	return when(head > base, StaleAllowed)
}

// grown is the rule of lists that are the weaker the more they hold.
func grown(kind string) func(settingChange) string {
	return func(s settingChange) string {
		if s.base.cut() || s.head.cut() {
			return SettingChanged
		}
		return when(len(without(s.head.set(), s.base.set())) > 0, kind)
	}
}

// cut reports whether a list was too long to be kept as a whole.
func (s setting) cut() bool {
	return slices.ContainsFunc(s, func(one Setting) bool {
		return strings.HasPrefix(one.Value, "[") && !json.Valid([]byte(one.Value))
	})
}

// ignored judges findings that are ignored, whatever the reason.
func (s settingChange) ignored() string {
	for _, side := range []*setting{&s.base, &s.head} {
		*side = slices.Clone(*side)
		for i, one := range *side {
			var entries []map[string]any
			if json.Unmarshal([]byte(one.Value), &entries) != nil {
				return SettingChanged
			}
			for _, entry := range entries {
				delete(entry, "reason")
			}
			bare, err := json.Marshal(entries)
			if err != nil {
				return SettingChanged
			}
			(*side)[i].Value = string(bare)
		}
	}
	return grown(RuleIgnored)(s)
}

// members judges the members of a class. A class more can make good what was called unexpectedly, and one less what was
// missed.
func (s settingChange) members() string {
	switch {
	case s.added():
		return ClassAdded
	case s.removed():
		return ClassRemoved
	}
	return membersAdded(s)
}

var membersAdded = grown(ToolAdded)

// correct judges the right tools among distractors: without any, nothing but a distractor is wrong.
func (s settingChange) correct() string {
	if len(s.head.set()) == 0 {
		return NothingCorrect
	}
	if s.added() {
		return ""
	}
	return membersAdded(s)
}

// pattern judges what is taken for an error. One that is added finds more errors, but can also find more that were made
// good.
func (s settingChange) pattern() string {
	if s.removed() {
		return PatternRemoved
	}
	return SettingChanged
}

// severity judges the severity that a suite gives a rule. What the rule's own is, the settings do not tell.
func (s settingChange) severity() string {
	base, head := severityRank(string(s.base.text())), severityRank(string(s.head.text()))
	switch {
	case s.added():
		return when(head > 0, SettingChanged)
	case s.removed():
		return when(base == 0, SeverityLowered)
	}
	return when(head > base, SeverityLowered)
}

// expectation judges a change of what is expected of one figure.
func (s settingChange) expectation() string {
	if strings.HasSuffix(s.shape, ".when_absent") && (s.base.skips() || s.head.skips()) {
		return when(len(s.head) > len(s.base), MayBeAbsent)
	}
	if s.added() {
		return ""
	}
	if s.removed() {
		return AssertionRemoved
	}
	base, okBase := s.base.interval()
	head, okHead := s.head.interval()
	if okBase && okHead {
		return head.weaker(base)
	}
	gone := without(s.base.set(), s.head.set())
	switch {
	case len(gone) == 0:
		return ""
	case len(s.head.set()) == 0 || len(without(s.head.set(), s.base.set())) == 0:
		return AssertionRemoved
	}
	return SettingChanged
}

// skips reports whether the setting is that of absent figures.
func (s setting) skips() bool { return len(s) > 0 && s[0].Value == "skip" }

// interval is what numbers some bounds leave; nil ends are open.
type interval struct {
	low, high             *big.Rat
	lowStrict, highStrict bool // the end itself is left out
}

// interval returns the numbers that keep all expectations; not ok unless each is made of bounds other than !=.
func (s setting) interval() (interval, bool) {
	var in interval
	for _, one := range s {
		bounds, ok := parseBounds(one.Value)
		if !ok {
			return in, false
		}
		for _, b := range bounds {
			if b.op == "!=" {
				return in, false
			}
			in.add(b)
		}
	}
	return in, true
}

func (in *interval) add(b limit) {
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
		return BoundLowered
	}
	if base.high != nil && (in.high == nil || below(base.high, base.highStrict, in.high, in.highStrict)) {
		return BoundRaised
	}
	return ""
}

// below reports whether an upper end at a leaves fewer numbers than one at b.
func below(a *big.Rat, aStrict bool, b *big.Rat, bStrict bool) bool {
	if sign := a.Cmp(b); sign != 0 {
		return sign < 0
	}
	return aStrict && !bStrict
}
