package staleness

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// notOffered returns differences for the tools that the gates name and that the agent was not offered, because no agent ever
// selects a misspelt tool. Package suite has already checked the tools of servers with a snapshot.
func (s *Staleness) notOffered() (list []Difference) {
	if s.own == nil || len(s.ServerNames) == 0 || s.HasAllSnapshots() {
		return nil
	}
	offered := map[string]bool{}
	for _, t := range s.Trace.Recorded.Tools {
		if t.Server == "" {
			return nil // the recording does not name its servers
		}
		offered[t.Name], offered[t.Server+"."+t.Name] = true, true
	}
	for _, ref := range s.Trace.Deferred {
		offered[ref.Name], offered[ref.ID()] = true, true
	}
	compared := 0
	for _, m := range s.Members {
		isBuiltin := len(judge.BuiltinsOf([]string{m.Name})) > 0
		if isBuiltin || offered[m.Name] || s.hasSnapshotFor(m.Name) {
			continue
		}
		hint := ""
		compared += len(offered)
		if compared <= maxCompared {
			hint = source.DidYouMean(m.Name, slices.Collect(maps.Keys(offered)))
		}
		list = append(list, Difference{Pos: m.Pos, Message: fmt.Sprintf("tool %q is not among those that the agent was offered%s", m.Name, hint)})
	}
	return list
}

// maxCompared bounds the number of names that are compared for the hints of a case.
const maxCompared = 50_000

// hasSnapshotFor reports whether a tool's name begins with a server that has a snapshot. The snapshot may lack the tool.
func (s *Staleness) hasSnapshotFor(tool string) bool {
	return slices.ContainsFunc(s.Servers, func(one *suite.Server) bool {
		return one.Snapshot != nil && strings.HasPrefix(tool, one.Name+".")
	})
}
