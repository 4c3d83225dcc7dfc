package imports

import (
	"cmp"
	"slices"
)

// finishTrace adds what is known when all records of a trace were read.
func finishTrace(s *Session) {
	n, ok := s.Notes.(*traceNotes)
	if !ok {
		return
	}
	s.Duration = between(n.start, n.end)
	s.workInTools(n)
	if u := n.agentUsage; u != nil && !n.spent {
		u.Whole = true
		s.Spend(*u)
	}
	s.end(n)
}

// end notes how the run ended: as the agent's record says, else as that of the last reply.
func (s *Session) end(n *traceNotes) {
	last := n.model
	if n.agent.seen {
		last = n.agent
	}
	s.StopReason = n.finish
	if last.failed {
		s.Error = cmp.Or(last.why, failedUnsaid)
		return
	}
	asksForCalls := slices.Contains([]string{"", "tool_call", "tool_calls", "tool_use", "function_call"}, n.finish)
	s.Ended = n.agent.seen || !asksForCalls
}

// workInTools marks what models do inside tools as the work of sub-agents, which go by the tool's name where the trace names
// no agents.
func (s *Session) workInTools(n *traceNotes) {
	if len(s.agents) > 0 || len(n.tools) == 0 {
		return
	}
	for _, tool := range n.tools {
		s.Works(tool.ID, tool.Parent)
	}
	links := s.parents()
	for id, parent := range links {
		if _, inside := links[parent]; !inside && s.agents[id] == "" {
			s.Works(id, mainAgent)
		}
	}
}
