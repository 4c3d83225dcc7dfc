package judge

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
)

// Names returns the tools that a configured gate names, as the suite writes them, sorted, each once.
func (c Check) Names() []string {
	names := slices.Concat(c.Plan.Named...)
	if mentioner, ok := c.Plan.Measurer.(Mentioner); ok {
		names = append(names, mentioner.Mentions()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Names returns the tools that are expected in runs, as the suite writes them, sorted, each once.
func (e RunExpect) Names() []string {
	var names []string
	for _, check := range e.checks {
		names = append(names, check.names()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// NamesOf returns the tools that are expected of one target.
func (e RunExpect) NamesOf(target string) []string {
	var names []string
	for _, check := range e.checks {
		if check.Target == target {
			names = append(names, check.names()...)
		}
	}
	return names
}

// names returns the names that are expected of a target whose value is one name or a list of names.
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
			texts = append(texts, text) // the caller sorts
		}
		return true
	})
	return texts
}

// Lacks reports whether the gate cannot hold because tools are gone: all tools of one of its lists in Named.
func (p Plan) Lacks(gone func(name string) bool) bool {
	return slices.ContainsFunc(p.Named, func(names []string) bool {
		return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return !gone(name) })
	})
}

// Members is a set of tools as a suite names them: bare, for a tool of that name on any server, or qualified as
// server.name.
type Members struct {
	ids   map[string]bool // match a call's qualified id
	names map[string]bool // match a call's bare name, too
}

// NewMembers returns the set of members. A member that begins with one of the declared servers and a dot is meant for
// that server alone.
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

// Names reports whether one of the members names the tool. An id is never split at a dot: names of servers and of tools
// hold dots.
func (m Members) Names(ref catalog.Ref) bool {
	return m.ids[ref.ID()] || m.names[ref.Name]
}

// Qualified reports whether member begins with one of the declared servers, which are sorted, and a dot.
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
