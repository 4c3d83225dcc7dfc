package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// notOffered returns the tools that the gates name and that the agent was not offered: a misspelt one is never picked.
// The suite's reader has looked for those of servers with a snapshot.
func (r recorded) notOffered() (list []drift) {
	if r.own == nil || len(r.ServerNames) == 0 || r.allSnapshots() {
		return nil
	}
	offered := map[string]bool{}
	for _, t := range r.trace.Recorded.Tools {
		if t.Server == "" {
			return nil // the recording does not name its servers
		}
		offered[t.Name], offered[t.Server+"."+t.Name] = true, true
	}
	for _, ref := range r.trace.Deferred {
		offered[ref.Name], offered[ref.ID()] = true, true
	}
	compared := 0
	for _, m := range r.Members {
		if offered[m.Name] || r.isOfSnapshot(m.Name) || len(judge.BuiltinsOf([]string{m.Name})) > 0 {
			continue
		}
		hint := ""
		if compared += len(offered); compared <= maxCompared {
			hint = source.DidYouMean(m.Name, slices.Collect(maps.Keys(offered)))
		}
		list = append(list, drift{pos: m.Pos, message: fmt.Sprintf("tool %q is not among those that the agent was offered%s", m.Name, hint)})
	}
	return list
}

// maxCompared bounds how many names are compared for the hints of a case.
const maxCompared = 50_000

// isOfSnapshot reports whether a tool is named as one of a server that has a snapshot.
func (r recorded) isOfSnapshot(tool string) bool {
	return slices.ContainsFunc(r.Servers, func(s *suite.Server) bool {
		return s.Snapshot != nil && strings.HasPrefix(tool, s.Name+".")
	})
}
