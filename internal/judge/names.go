package judge

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
)

// Names returns the tools that a configured gate names, in the spelling of the suite, sorted and without repeats.
func (c Check) Names() []string {
	names := slices.Concat(c.Plan.Named...)
	if mentioner, ok := c.Plan.Measurer.(Mentioner); ok {
		names = append(names, mentioner.Mentions()...)
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// Names returns the tools that are expected in runs, in the spelling of the suite, sorted and without repeats.
func (e RunExpect) Names() []string {
	names := slices.Concat(lists.Map(e.checks, runCheck.names)...)
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// NamesOf returns the tools in the expectations on one target.
func (e RunExpect) NamesOf(target string) (names []string) {
	for _, check := range e.checks {
		if check.Target == target {
			names = append(names, check.names()...)
		}
	}
	return names
}

// names returns the names that the check expects; nil if the values of its target are not names.
func (c runCheck) names() []string {
	if !slices.Contains(nameTargets, c.path.target.name) {
		return nil
	}
	return c.Matcher.texts()
}

func (m Matcher) texts() []string {
	var value any
	_, arg, _ := strings.Cut(m.text, " ")
	if json.Unmarshal([]byte(arg), &value) != nil {
		return nil // the matcher has no argument
	}
	var texts []string
	everyNode(value, 0, func(v any, _ int) bool {
		if text, isText := v.(string); isText {
			texts = append(texts, text) // in any order, because the caller sorts
		}
		return true
	})
	return texts
}

// Lacks reports whether the gate cannot hold, because all tools of one list in p.Named are gone.
func (p Plan) Lacks(gone func(name string) bool) bool {
	exists := func(name string) bool { return !gone(name) }
	return slices.ContainsFunc(p.Named, func(names []string) bool {
		return len(names) > 0 && !slices.ContainsFunc(names, exists)
	})
}

// Members is a set of tools in the spelling of a suite: a bare name means a tool of that name on any server, and server.name means
// the tool of one server.
type Members struct {
	ids   map[string]bool // qualified ids
	names map[string]bool // bare names
}

// NewMembers returns the set of members. A member that begins with one of the declared servers and a dot means only a tool of
// this server.
func NewMembers(members []string, servers []string) Members {
	set := Members{ids: map[string]bool{}, names: map[string]bool{}}
	for _, m := range members {
		set.ids[m] = true
		if !Qualified(m, servers) {
			set.names[m] = true
		}
	}
	return set
}

// Names reports whether one of the members means the tool. It compares the whole id, because names of servers and of tools can
// contain dots.
func (m Members) Names(ref catalog.Ref) bool {
	return m.ids[ref.ID()] || m.names[ref.Name]
}

// Qualified reports whether member begins with a declared server and a dot. servers are the declared servers, sorted.
func Qualified(member string, servers []string) bool {
	for i := 1; i < len(member); i++ {
		if member[i] != '.' {
			continue
		}
		if _, declared := slices.BinarySearch(servers, member[:i]); declared {
			return true
		}
	}
	return false
}
