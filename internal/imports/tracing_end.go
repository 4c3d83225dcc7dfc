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
	if !n.toldByUser {
		s.At(int64(n.lastAgent.start), "")
		for _, h := range n.lastAgent.told {
			if h.text != "" && (h.role == RoleUser || h.role == "") {
				s.Say(Message{Role: RoleUser, Text: h.text})
			}
		}
	}
	if !n.saidReply {
		s.At(int64(n.lastAgent.end), "")
		for _, h := range n.lastAgent.said {
			if h.role == RoleAssistant || h.role == "" {
				s.speak(h, "")
			}
		}
	}
	if u := n.lastAgent.usage; !n.spent && (u.Input.Known || u.Output.Known || u.Total.Known) {
		u.Whole = true
		s.Spend(u)
	}
	s.end(n)
}

// end notes how the run ended: as the agent's record says, else as that of the last reply.
func (s *Session) end(n *traceNotes) {
	last := n.lastModel
	if n.agentEnded {
		last = n.lastAgent
	}
	s.StopReason = n.lastModel.finish
	if last.failed {
		s.Error = cmp.Or(last.why, failedUnsaid)
		return
	}
	asksForCalls := slices.Contains([]string{"", "tool_call", "tool_calls", "tool_use", "function_call"}, n.lastModel.finish)
	s.Ended = n.agentEnded || !asksForCalls
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
	for id, parent := range s.links {
		if _, inside := s.links[parent]; !inside && s.agents[id] == "" {
			s.Works(id, mainAgent)
		}
	}
}
