package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// checkOffered notes the tools that the gates name and that the agent was not offered: a misspelt one is never picked. The
// suite's reader has looked for those of servers with a snapshot.
func (k *caseCheck) checkOffered(h *trace.Header) {
	if h.Recorded == nil || k.allSnapshots() {
		return
	}
	offered := map[string]bool{}
	for _, t := range h.Recorded.Tools {
		if t.Server == "" {
			return // the recording does not tell servers apart
		}
		offered[t.Name], offered[t.Server+"."+t.Name] = true, true
	}
	compared := 0
	for _, m := range k.Members {
		if offered[m.Name] || k.isOfSnapshot(m.Name) {
			continue
		}
		hint := ""
		if compared += len(offered); compared <= maxCompared {
			hint = source.DidYouMean(m.Name, slices.Collect(maps.Keys(offered)))
		}
		k.drift(false, m.Pos, fmt.Sprintf("tool %q is not among those that the agent was offered%s", m.Name, hint))
	}
}

// maxCompared bounds the comparisons of names that hints may cost in a case.
const maxCompared = 50_000

// isOfSnapshot reports whether a tool is named as one of a server that has a snapshot.
func (k *caseCheck) isOfSnapshot(tool string) bool {
	return slices.ContainsFunc(k.Servers, func(s *suite.Server) bool {
		return s.Snapshot != nil && strings.HasPrefix(tool, s.Name+".")
	})
}
