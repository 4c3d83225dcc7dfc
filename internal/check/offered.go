package check

import (
	"fmt"
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
	var names []string
	for _, t := range h.Recorded.Tools {
		if t.Server == "" {
			return // the recording does not tell servers apart
		}
		for _, name := range []string{t.Name, t.Server + "." + t.Name} {
			offered[name] = true
			names = append(names, name)
		}
	}
	for _, m := range k.Members {
		if offered[m.Name] || k.isOfSnapshot(m.Name) {
			continue
		}
		k.drift(false, m.Pos, fmt.Sprintf("tool %q is not among those that the agent was offered%s", m.Name, source.DidYouMean(m.Name, names)))
	}
}

// isOfSnapshot reports whether a tool is named as one of a server that has a snapshot.
func (k *caseCheck) isOfSnapshot(tool string) bool {
	return slices.ContainsFunc(k.Servers, func(s *suite.Server) bool {
		return s.Snapshot != nil && strings.HasPrefix(tool, s.Name+".")
	})
}
