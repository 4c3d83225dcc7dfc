package weaken

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// setting holds all values of one key: a target can have several expectations.
type setting []report.Setting

func byKey(list []report.Setting) map[string]setting {
	settings := map[string]setting{}
	for _, s := range list {
		settings[s.Key] = append(settings[s.Key], s)
	}
	return settings
}

// values returns the values, sorted.
func (s setting) values() []string {
	values := lists.Map(s, func(one report.Setting) string { return one.Value })
	slices.Sort(values)
	return values
}

func (s setting) text() report.Optional { return report.Optional(strings.Join(s.values(), "; ")) }

// items returns the members of all values that are lists, in order. Any other value is one member. Texts are returned as they
// are, anything else as compact JSON.
func (s setting) items() (members []string) {
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

func plainItem(item []byte) string {
	var text string
	if json.Unmarshal(item, &text) == nil {
		return text
	}
	return string(item)
}

// multiset returns the items, sorted.
func (s setting) multiset() []string {
	items := s.items()
	slices.Sort(items)
	return items
}

// set returns the items, sorted, each once.
func (s setting) set() []string { return slices.Compact(s.multiset()) }

// isCut reports whether a list was too long to be kept as a whole.
func (s setting) isCut() bool {
	return slices.ContainsFunc(s, func(one report.Setting) bool {
		return strings.HasPrefix(one.Value, "[") && !json.Valid([]byte(one.Value))
	})
}

// surplus returns the elements of a that b does not have, or has fewer times. Both are sorted.
func surplus(a, b []string) (list []string) {
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

// Items returns the added and the removed entries of a setting, sorted. A setting that is not a list has one entry.
func Items(base, head string) (added, removed []string) {
	before, after := setting{{Value: base}}.multiset(), setting{{Value: head}}.multiset()
	return surplus(after, before), surplus(before, after)
}

// quotedStep matches a step of a key that is a name from the suite. Such names do not decide what a setting means.
var quotedStep = regexp.MustCompile(`\["(?:[^"\\]|\\.)*"\]`)

// shapeOf returns a key without the names from the suite, as in servers[].
func shapeOf(key string) string { return quotedStep.ReplaceAllString(key, "[]") }

// nameIn returns the name from the suite in a key; "" if there is none.
func nameIn(key string) string {
	var names []string
	if json.Unmarshal([]byte(quotedStep.FindString(key)), &names) != nil {
		return ""
	}
	return names[0]
}

func renamedIn(key string, now func(old string) string) string {
	step := quotedStep.FindString(key)
	if step == "" {
		return key
	}
	return strings.Replace(key, step, judge.CompactJSON([]string{now(nameIn(key))}), 1)
}
