package compare

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// weakenings returns the case's settings that are weaker than the base's or cannot be compared with them, by key. live
// means that the runs were made just now, by the head's agent.
func weakenings(base, head *report.Case, live bool) []report.Weakening {
	if len(base.Settings) == 0 || len(head.Settings) == 0 {
		return nil // a report of a version without them
	}
	d := judgeDiff{before: settingsByKey(base), after: settingsByKey(head), head: head, live: live}
	d.classes = classKinds(d.before, d.after)
	sameRuns := head.Base != nil && head.Base.SameRuns
	keys := slices.AppendSeq(slices.Collect(maps.Keys(d.before)), maps.Keys(d.after))
	slices.Sort(keys)
	var list []report.Weakening
	for _, key := range slices.Compact(keys) {
		s := settingChange{judgeDiff: &d, key: key, shape: shapeOf(key), base: d.before[key], head: d.after[key]}
		if s.ofMissingGate() || key == cassetteKey && keepsEvidence(base, head) || sameRuns && isOfRuns(key) {
			continue
		}
		kind := s.classify()
		if kind == "" {
			continue
		}
		file, line := s.head.place(head)
		list = append(list, report.Weakening{
			Kind: kind, Case: head.ID, Suite: head.Suite, Name: head.Name, Model: head.Model, Key: key,
			Base: s.base.text(), Head: s.head.text(), File: file, Line: line, ToldOnly: kind == report.GivenChanged,
		})
	}
	return list
}

// Softens reports whether a case of the head is judged by less than the base's, once it follows what the change did to tools, and to
// the catalogs that have moved, by their old paths.
func Softens(base, head *report.Case, moved map[string]string) bool {
	c := comparer{moved: moved}
	counts := func(w report.Weakening) bool { return !w.ToldOnly }
	return slices.ContainsFunc(weakenings(c.followed(base, head), head, false), counts)
}

// isUnjudged reports whether a case is no longer judged: it is skipped, or has nothing to judge it by. The base's verdict makes no
// difference: a case that failed is not mended by that.
func isUnjudged(base, head *report.Case) bool {
	verdict, leftOut := head.ByOwnSuite()
	isSkipped := verdict == judge.Skipped && base.Verdict != judge.Skipped
	return isSkipped || leftOut != "" && leftOut != report.HasMistakes && base.LeftOut == ""
}

// unjudged is the weakening of a case that is no longer judged. All that judged it is gone with that.
func unjudged(base, head *report.Case) report.Weakening {
	own, _ := head.ByOwnSuite()
	return report.Weakening{
		Kind: report.NotJudged, Case: head.ID, Suite: head.Suite, Name: head.Name, Model: head.Model, Key: "verdict",
		Base: report.Optional(base.Verdict), Head: report.Optional(own), Line: head.Line,
	}
}

const cassetteKey = "cassette"

// isOfRuns reports whether a key says where the runs stand, and how they are read.
func isOfRuns(key string) bool {
	return key == cassetteKey || strings.HasPrefix(key, cassetteKey+".") || key == "builtins"
}

// keepsEvidence reports whether a case has all recordings that it had, wherever they stand. Others beside them take nothing away.
func keepsEvidence(base, head *report.Case) bool {
	marks := func(c *report.Case) []string {
		var list []string
		for _, r := range c.Recordings {
			list = append(list, cmp.Or(string(r.SHA256), "path "+r.Path))
		}
		slices.Sort(list)
		return list
	}
	was, is := marks(base), marks(head)
	return slices.Equal(was, is) || len(was) > 0 && len(beyond(was, is)) == 0
}

// setting is all values that one key has: expectations of one target can be several.
type setting []report.Setting

func settingsByKey(c *report.Case) map[string]setting {
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
func (s setting) text() report.Optional { return report.Optional(strings.Join(s.values(), "; ")) }

// place returns the place of the setting: its file, where that is not the suite's, and its line; that of the case, where it has none.
func (s setting) place(of *report.Case) (file string, line int) {
	if len(s) == 0 || s[0].Line == 0 {
		return "", of.Line
	}
	return s[0].File, s[0].Line
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
	head          *report.Case
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

// ofMissingGate reports whether the key belongs to a gate that only one side has: that is reported once, at the gate.
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
	return report.SettingChanged
}

func when(is bool, kind string) string {
	if is {
		return kind
	}
	return ""
}

// Items returns the entries that were added to and removed from a setting, sorted; a setting that is not a list is one
// entry.
func Items(base, head string) (added, removed []string) {
	before, after := setting{{Value: base}}.multiset(), setting{{Value: head}}.multiset()
	return beyond(after, before), beyond(before, after)
}
