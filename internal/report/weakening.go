package report

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
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
	OrderChanged      = "order changed"
	SharedRemoved     = "tool left to another class"
	OthersChanged     = "changes what other gates judge"
	MeaningChanged    = "means other tools now"
	ServersLeftOut    = "calls to more servers are left out"
	GivenRemoved      = "no longer given"
	GivenUnkept       = "changed, and the recording does not keep it"
	GivenChanged      = "changed, and the recording keeps it" // told, not counted
	WorkflowChanged   = "workflow changed"
	SettingChanged    = "changed"
)

// weakenings returns what of the case's settings is weaker than, or not comparable with, the base's, by key. Runs that
// were made live just now are of the head's agent.
func weakenings(base, head *Case, live bool) []Weakening {
	if len(base.Settings) == 0 || len(head.Settings) == 0 {
		return nil // a report of a version that did not tell
	}
	d := judgeDiff{before: settingsByKey(base), after: settingsByKey(head), head: head, live: live}
	d.classes = classKinds(d.before, d.after)
	keys := slices.AppendSeq(slices.Collect(maps.Keys(d.before)), maps.Keys(d.after))
	slices.Sort(keys)
	var list []Weakening
	for _, key := range slices.Compact(keys) {
		s := settingChange{judgeDiff: &d, key: key, shape: shapeOf(key), base: d.before[key], head: d.after[key]}
		if s.ofMissingGate() || key == cassetteKey && sameEvidence(base, head) {
			continue
		}
		kind := s.classify()
		if kind == "" {
			continue
		}
		list = append(list, Weakening{
			Kind: kind, Case: head.ID, Suite: head.Suite, Name: head.Name, Model: head.Model, Key: key,
			Base: s.base.text(), Head: s.head.text(), Line: cmp.Or(s.head.line(), head.Line), ToldOnly: kind == GivenChanged,
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

// values returns the values, sorted.
func (s setting) values() []string {
	values := make([]string, len(s))
	for i, one := range s {
		values[i] = one.Value
	}
	slices.Sort(values)
	return values
}

// text returns the values as people read them.
func (s setting) text() Optional { return Optional(strings.Join(s.values(), "; ")) }

func (s setting) line() int {
	if len(s) == 0 {
		return 0
	}
	return s[0].Line
}

// items returns the members of the lists that the values are, in their order: a text as it is, and anything else as
// compact JSON. Any other value than a list is a member.
func (s setting) items() []string {
	var members []string
	for _, one := range s {
		var items []json.RawMessage
		if !strings.HasPrefix(one.Value, "[") || json.Unmarshal([]byte(one.Value), &items) != nil {
			members = append(members, plainItem([]byte(one.Value)))
			continue
		}
		for _, item := range items {
			members = append(members, plainItem(item))
		}
	}
	return members
}

// multiset returns the items, sorted.
func (s setting) multiset() []string {
	items := s.items()
	slices.Sort(items)
	return items
}

// set returns the items, sorted, each once.
func (s setting) set() []string { return slices.Compact(s.multiset()) }

// beyond returns what a has more often than b; both are sorted.
func beyond(a, b []string) []string {
	var list []string
	for _, item := range a {
		for len(b) > 0 && b[0] < item {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == item {
			b = b[1:]
			continue
		}
		list = append(list, item)
	}
	return list
}

// plainItem returns a text as it is, and anything else as JSON.
func plainItem(item []byte) string {
	var text string
	if json.Unmarshal(item, &text) == nil {
		return text
	}
	return string(item)
}

// quotedStep is a step of a key that holds a name of the suite's own. Names say nothing about what a setting means.
var quotedStep = regexp.MustCompile(`\["(?:[^"\\]|\\.)*"\]`)

// shapeOf returns a key without names.
func shapeOf(key string) string { return quotedStep.ReplaceAllString(key, "[]") }

// judgeDiff is all settings of a case on both sides.
type judgeDiff struct {
	before, after map[string]setting
	classes       map[string]string // see classKinds
	head          *Case
	live          bool
}

// settingChange is one key on both sides.
type settingChange struct {
	*judgeDiff
	key, shape string
	base, head setting
}

func (s settingChange) added() bool   { return len(s.base) == 0 }
func (s settingChange) removed() bool { return len(s.head) == 0 }

// ofMissingGate reports whether the key belongs to a gate that only one side has: that is said once, at the gate.
func (s settingChange) ofMissingGate() bool {
	gate, _, inGate := strings.Cut(s.shape, ".")
	return inGate && isGate(gate) && (len(s.before[gate]) > 0) != (len(s.after[gate]) > 0)
}

// isGate reports whether a key is a gate's own. Any other key can have [judge.GatePresent] for its value, too.
func isGate(key string) bool {
	return slices.ContainsFunc(gates.All, func(g *judge.Gate) bool { return g.Name == key })
}

// classify returns the kind of weakening that the change is; "" when it is none.
func (s settingChange) classify() string {
	if slices.Equal(s.base.values(), s.head.values()) {
		return ""
	}
	if isGate(s.key) {
		return s.gate()
	}
	if strings.HasPrefix(s.shape, judge.ExpectKey+".") || strings.Contains(s.shape, "."+judge.ExpectKey+".") {
		return s.expectation()
	}
	if slices.Equal(s.base.multiset(), s.head.multiset()) && !s.added() && !s.removed() {
		return s.order()
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
