package spans

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/imports/logs"
)

func finishTrace(s *logs.Session) {
	n, ok := s.Notes.(*traceNotes)
	if !ok {
		return
	}
	s.Duration = between(n.start, n.end)
	s.MarkToolAgents(n.tools)
	if u := n.agentUsage; u != nil && !n.hasUsage {
		u.Whole = true
		s.Spend(*u)
	}
	endTrace(s, n)
}

// endTrace sets the end of the run from the record of the outermost agent, otherwise from the record of the last reply.
func endTrace(s *logs.Session, n *traceNotes) {
	last := n.model
	if n.agent.seen {
		last = n.agent
	}
	s.StopReason = n.finish
	if last.failed {
		s.Error = cmp.Or(last.reason, failedUnsaid)
		return
	}
	asksForCalls := slices.Contains([]string{"", "tool_call", "tool_calls", "tool_use", "function_call"}, n.finish)
	s.Ended = n.agent.seen || !asksForCalls
}
