package report

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
)

// Weakening is a change of how a case is judged that can turn a failure into a pass.
type Weakening struct {
	Kind  string   `json:"kind"`
	Case  string   `json:"case"` // id
	Suite string   `json:"suite"`
	Name  string   `json:"name"` // of the case
	Model Optional `json:"model"`
	Key   string   `json:"key"`  // of the setting; "" for a removed case
	Base  Optional `json:"base"` // null when there was none
	Head  Optional `json:"head"` // null when there is none
	Line  int      `json:"line"` // in the head's suite: the case's for what is gone, 0 for a case that is

	Reason   string   `json:"reason,omitempty"`  // of what is weakened in effect: the message of what fails by the base's suite
	Settings []string `json:"settings,omitzero"` // of what is weakened in effect: the keys of the case's other entries

	// ToldOnly marks a change that is shown and that fail-on-weakened does not count.
	ToldOnly bool `json:"told_only"`
}

// The kinds of weakenings. A change that nobody can tell to be harmless is SettingChanged.
const (
	CaseRemoved       = "case removed"
	GateRemoved       = "gate removed"
	AssertionRemoved  = "no longer expected"
	BoundLowered      = "lower bound lowered"
	BoundRaised       = "upper bound raised"
	MayBeAbsent       = "may be absent now"
	LowerMinimum      = "minimum lowered"
	HigherMaximum     = "maximum raised"
	MinimumRemoved    = "minimum removed"
	MaximumRemoved    = "maximum removed"
	FewerRuns         = "fewer runs asked for"
	MoreErrorsAllowed = "more run errors allowed"
	StaleAllowed      = "stale catalogs allowed"
	ToolAdded         = "tool added to those that count"
	ClassRemoved      = "class removed"
	ClassAdded        = "class added"
	NothingCorrect    = "no correct tools left"
	FewerDistractors  = "fewer distractors"
	PatternRemoved    = "error pattern removed"
	RuleDisabled      = "rule disabled"
	RuleIgnored       = "findings ignored"
	SeverityLowered   = "severity lowered"
	PriceLowered      = "price lowered"
	SettingChanged    = "changed"
)

// weakenings returns what of the case's settings is weaker than, or not comparable with, the base's, by key.
func weakenings(base, head *Case) []Weakening {
	if len(base.Settings) == 0 || len(head.Settings) == 0 {
		return nil // a report of a version that did not tell
	}
	before, after := settingsByKey(base), settingsByKey(head)
	keys := slices.AppendSeq(slices.Collect(maps.Keys(before)), maps.Keys(after))
	slices.Sort(keys)
	var list []Weakening
	for _, key := range slices.Compact(keys) {
		s := settingChange{shape: quotedStep.ReplaceAllString(key, "[]"), base: before[key], head: after[key]}
		if s.ofMissingGate(before, after) || key == cassetteKey && sameEvidence(base, head) {
			continue
		}
		kind := s.classify()
		if kind == "" {
			continue
		}
		list = append(list, Weakening{
			Kind: kind, Case: head.ID, Suite: head.Suite, Name: head.Name, Model: head.Model, Key: key,
			Base: s.base.text(), Head: s.head.text(), Line: cmp.Or(s.head.line(), head.Line),
		})
	}
	return list
}

const cassetteKey = "cassette"

// sameEvidence reports whether a case has the same recordings as before, wherever they stand.
func sameEvidence(base, head *Case) bool {
	marks := func(c *Case) []string {
		var list []string
		for _, r := range c.Recordings {
			list = append(list, cmp.Or(string(r.SHA256), "path "+r.Path))
		}
		slices.Sort(list)
		return list
	}
	return slices.Equal(marks(base), marks(head))
}

// setting is all values that one key has: expectations of one target can be several.
type setting []Setting

func settingsByKey(c *Case) map[string]setting {
	byKey := map[string]setting{}
	for _, s := range c.Settings {
		byKey[s.Key] = append(byKey[s.Key], s)
	}
	return byKey
}

// text returns the values as people read them.
func (s setting) text() Optional {
	values := make([]string, len(s))
	for i, one := range s {
		values[i] = one.Value
	}
	slices.Sort(values)
	return Optional(strings.Join(values, "; "))
}

func (s setting) line() int {
	if len(s) == 0 {
		return 0
	}
	return s[0].Line
}

// set returns the members of the lists that the values are, as compact JSON; a value that is no list is a member.
func (s setting) set() []string {
	var members []string
	for _, one := range s {
		var items []json.RawMessage
		if !strings.HasPrefix(one.Value, "[") || json.Unmarshal([]byte(one.Value), &items) != nil {
			members = append(members, one.Value)
			continue
		}
		for _, item := range items {
			members = append(members, plainItem(item))
		}
	}
	slices.Sort(members)
	return slices.Compact(members)
}

// plainItem returns a text as it is, and anything else as JSON.
func plainItem(item json.RawMessage) string {
	var text string
	if json.Unmarshal(item, &text) == nil {
		return text
	}
	return string(item)
}

// quotedStep is a step of a key that holds a name of the suite's own. Names say nothing about what a setting means.
var quotedStep = regexp.MustCompile(`\["(?:[^"\\]|\\.)*"\]`)

// settingChange is one key on both sides.
type settingChange struct {
	shape      string // the key without names
	base, head setting
}

func (s settingChange) added() bool   { return len(s.base) == 0 }
func (s settingChange) removed() bool { return len(s.head) == 0 }

// ofMissingGate reports whether the key belongs to a gate that only one side has: that is said once, at the gate.
func (s settingChange) ofMissingGate(before, after map[string]setting) bool {
	gate, _, inGate := strings.Cut(s.shape, ".")
	if !inGate || gate == gates.ExpectKey {
		return false
	}
	isGate := func(list setting) bool { return len(list) == 1 && list[0].Value == gates.GatePresent }
	return isGate(before[gate]) != isGate(after[gate])
}

// classify returns the kind of weakening that the change is; "" when it is none.
func (s settingChange) classify() string {
	if s.base.text() == s.head.text() {
		return ""
	}
	if s.base.text() == gates.GatePresent || s.head.text() == gates.GatePresent {
		return when(s.removed(), GateRemoved)
	}
	if strings.HasPrefix(s.shape, gates.ExpectKey+".") || strings.Contains(s.shape, "."+gates.ExpectKey+".") {
		return s.expectation()
	}
	if slices.Equal(s.base.set(), s.head.set()) && !s.added() && !s.removed() {
		return ""
	}
	for _, rule := range settingRules {
		if rule.applies(s.shape) {
			return rule.judge(s)
		}
	}
	return SettingChanged
}

func when(is bool, kind string) string {
	if is {
		return kind
	}
	return ""
}
