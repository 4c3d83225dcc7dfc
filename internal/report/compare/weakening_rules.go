package compare

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
)

// settingRule gives the kind of weakening that a change of some settings is. A key without a rule is listed as changed,
// so that a new gate needs no rule to be safe.
type settingRule struct {
	applies func(key string) bool
	judge   func(settingChange) string
}

var settingRules = []settingRule{
	{is("runs"), moved(-1, report.FewerRuns)},
	{is("allow_run_errors"), moved(1, report.MoreErrorsAllowed)},
	{is("stale_catalog"), settingChange.staleness},
	{starts("pricing."), settingChange.price},
	{part("min_"), bound(-1, report.MinimumRemoved, report.LowerMinimum)},
	{part("max_"), bound(1, report.MaximumRemoved, report.HigherMaximum)},
	{last("classes"), settingChange.inClasses},
	{last("members"), settingChange.inClasses},
	{is("members[]"), settingChange.meaning},
	{is("model"), settingChange.given},
	{is("agent"), settingChange.agent},
	{is("prompt"), settingChange.given},
	{is("system_prompt"), settingChange.given},
	{is("servers"), settingChange.given},
	{is("servers without catalog"), settingChange.unlisted},
	{is("servers[].catalog"), settingChange.snapshot},
	{last("expected_tool"), membersAdded},
	{last("correct"), settingChange.correct},
	{is("distractors.count"), settingChange.distractors},
	{is(edgesRestricted), settingChange.restricted},
	{is(edgesAllowed), settingChange.allowed},
	{last("error_pattern"), settingChange.pattern},
	{is("faults"), settingChange.faults},
	{is("faults[].times"), bound(-1, report.FaultRemoved, report.FaultMilder)},
	{is("faults[].delay_ms"), bound(-1, "", report.FaultMilder)}, // which goes with the times
	{last("rules.disable"), grown(report.RuleDisabled)},
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

// sign compares the numbers of both sides; not ok unless each has one.
func (s settingChange) sign() (sign int, ok bool) {
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
		a, okA := report.Digits(above)
		b, okB := report.Digits(below)
		if !okA || !okB || b.Sign() == 0 {
			return nil, false
		}
		return a.Quo(a, b), true
	}
	return report.Digits(text)
}

// moved is the rule of a number that is weaker when it moves in one direction: -1 is down, 1 is up.
func moved(weaker int, kind string) func(settingChange) string {
	return func(s settingChange) string {
		sign, ok := s.sign()
		if !ok {
			return report.SettingChanged
		}
		return when(sign == weaker, kind)
	}
}

// bound is the rule of a number that need not be given.
func bound(weaker int, removed, kind string) func(settingChange) string {
	return func(s settingChange) string {
		switch {
		case s.removed():
			return removed
		case s.added():
			return ""
		}
		return moved(weaker, kind)(s)
	}
}

// staleness orders the policies, the strictest first. The default fails on some differences and warns of the others.
func (s settingChange) staleness() string {
	order := []string{"fail", "affected", "default", "warn", "ignore"}
	base, head := slices.Index(order, string(s.base.text())), slices.Index(order, string(s.head.text()))
	if base < 0 || head < 0 {
		return report.SettingChanged
	}
	return when(head > base, report.StaleAllowed)
}

// grown is the rule of lists that are the weaker the more they hold.
func grown(kind string) func(settingChange) string {
	return func(s settingChange) string {
		if s.base.cut() || s.head.cut() {
			return report.SettingChanged
		}
		return when(len(without(s.head.set(), s.base.set())) > 0, kind)
	}
}

// cut reports whether a list was too long to be kept as a whole.
func (s setting) cut() bool {
	return slices.ContainsFunc(s, func(one report.Setting) bool {
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
				return report.SettingChanged
			}
			for _, entry := range entries {
				delete(entry, "reason")
			}
			bare, err := json.Marshal(entries)
			if err != nil {
				return report.SettingChanged
			}
			(*side)[i].Value = string(bare)
		}
	}
	return grown(report.RuleIgnored)(s)
}

var membersAdded = grown(report.ToolAdded)

// correct judges the right tools among distractors: without any, nothing but a distractor is wrong, and every call to one
// makes the accuracy 0.
func (s settingChange) correct() string {
	if len(s.head.set()) == 0 {
		return report.NothingCorrect
	}
	return membersAdded(s)
}

// pattern judges the pattern of errors. A new one finds more errors, but also more that were made good.
func (s settingChange) pattern() string {
	if s.removed() {
		return report.PatternRemoved
	}
	return report.SettingChanged
}

// severity judges the severity that a suite gives a rule. One that is raised takes a finding out of those that bounds on
// warnings count.
func (s settingChange) severity() string {
	var name []string
	if json.Unmarshal([]byte(quotedStep.FindString(s.key)), &name) != nil {
		return report.SettingChanged
	}
	rule, ok := lint.Find(name[0])
	if !ok {
		return report.SettingChanged
	}
	rank := func(given setting) int {
		if len(given) == 0 {
			return severityRank(rule.Severity.String())
		}
		return severityRank(given[0].Value)
	}
	base, head := rank(s.base), rank(s.head)
	if head < base && s.boundsWarnings() {
		return report.SettingChanged
	}
	return when(head > base, report.SeverityLowered)
}

// boundsWarnings reports whether the base expects something of the number of warnings.
func (d *judgeDiff) boundsWarnings() bool {
	for key := range d.before {
		if strings.HasPrefix(key, gates.ToolQuality.Name+"."+judge.ExpectKey) && strings.Contains(key, "warning") {
			return true
		}
	}
	return false
}
