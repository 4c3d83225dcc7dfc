package logs

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// MainAgent is the name of the main agent in delegations.
const MainAgent = "main"

// arrange sorts the events of a session by time, leaves out repeated events, and finds the sub-agents.
func (s *Session) arrange(events []event) []event {
	sort.SliceStable(events, func(i, j int) bool {
		a, b := &events[i], &events[j]
		return cmp.Compare(a.At.Time, b.At.Time) < 0
	})
	events = withoutSpare(withoutRepeated(events))
	events = s.withoutInner(events)
	s.distinguishIDs(events)
	return s.assignAgents(events)
}

// withoutRepeated removes messages that repeat an earlier message, such as those of a history.
func withoutRepeated(events []event) []event {
	seen := map[string]bool{}
	return slices.DeleteFunc(events, func(e event) bool {
		if e.Kind != said || e.Message.Once == "" {
			return false
		}
		repeats := seen[e.Message.Once]
		seen[e.Message.Once] = true
		return repeats
	})
}

// withoutSpare removes spare messages of the user if the user has other messages. It removes all other spare events if agents have
// other messages or calls.
func withoutSpare(events []event) []event {
	byUser := func(e *event) bool { return e.Kind == said && e.Message.Role == RoleUser }
	var userHasOthers, agentsHaveOthers bool
	for i := range events {
		e := &events[i]
		switch {
		case e.Spare, e.Kind != said && e.Kind != asked:
		case byUser(e):
			userHasOthers = true
		default:
			agentsHaveOthers = true
		}
	}
	return slices.DeleteFunc(events, func(e event) bool {
		hasOthers := agentsHaveOthers
		if byUser(&e) {
			hasOthers = userHasOthers
		}
		return e.Spare && hasOthers
	})
}

// reply returns the id of the reply that an event belongs to; "" if there is none.
func (e *event) reply() string {
	switch e.Kind {
	case said:
		return e.Message.ID
	case asked:
		return e.Call.Reply
	case spent:
		return e.Usage.Reply
	}
	return ""
}

// withoutInner removes the events of a record that another record encloses, if the outer record has events of the same kind: a
// framework's record encloses the record of the provider's client, and both have the messages, calls and tokens of one reply.
func (s *Session) withoutInner(events []event) []event {
	s.linkRecords()
	if len(s.records) == 0 {
		return events
	}
	s.markCircles()
	for i := range events {
		if one := s.records[events[i].reply()]; one != nil {
			one.kinds |= 1 << events[i].Kind
		}
	}
	return slices.DeleteFunc(events, func(e event) bool {
		own := s.records[e.reply()]
		if own == nil || own.inCircle {
			return false
		}
		for outer := range own.outer.outward() {
			if outer.kinds&(1<<e.Kind) != 0 {
				return true
			}
		}
		return false
	})
}

// distinguishIDs gives a call a new id if an earlier call of another reply has the same id, because some models reuse ids. If
// both calls are of the same reply, or the reply of either is unknown, the later call is a repeat and gets the id of the earlier
// call. A result or an execution gets the id of the latest earlier call with its logged id, unless it is a result that repeats
// history.
func (s *Session) distinguishIDs(events []event) {
	type replyAndID struct{ reply, id string }
	newIDs := map[replyAndID]string{} // by the call's reply and logged id
	latest := map[string]Call{}       // the latest call, by logged id
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case asked:
			logged := replyAndID{e.Call.Reply, e.Call.ID}
			if id, repeats := newIDs[logged]; repeats {
				e.Call.ID = id
				continue
			}
			before, isUsed := latest[logged.id]
			if lacksReply := before.Reply == "" || logged.reply == ""; isUsed && lacksReply {
				e.Call.ID = before.ID
				continue
			}
			if isUsed && logged.id != "" {
				e.Call.ID += replyMark + logged.reply
			}
			newIDs[logged], latest[logged.id] = e.Call.ID, e.Call
		case executed:
			if call, known := latest[e.Call.ID]; known {
				e.Call.ID = call.ID
			}
		case answered:
			if call, known := latest[e.Result.CallID]; known && !e.Result.History {
				e.Result.CallID = call.ID
			}
		}
	}
}

// replyMark separates the logged id of a call from the id of its reply, in an id that distinguishIDs made.
const replyMark = "\x00"

func (c Call) loggedID() string {
	id, _, _ := strings.Cut(c.ID, replyMark)
	return id
}

// assignAgents marks the events of sub-agents, and inserts each delegation before the sub-agent's first event.
func (s *Session) assignAgents(events []event) []event {
	if len(s.agents) == 0 {
		return events
	}
	out := make([]event, 0, len(events))
	begun := map[string]bool{} // records of sub-agents that had an event
	for _, e := range events {
		enclosing := e.At.In
		if e.Kind == executed {
			enclosing = e.Record.Parent
		}
		chain := s.agentsAround(enclosing)
		mainIndex := len(chain) - 1 // the outermost agent is the main agent
		for i := mainIndex - 1; i >= 0; i-- {
			record := chain[i]
			if begun[record] {
				continue
			}
			begun[record] = true
			from := MainAgent
			if i+1 < mainIndex {
				from = s.agents[chain[i+1]]
			}
			out = append(out, event{Kind: delegated, At: e.At, FromTo: [2]string{from, s.agents[record]}})
		}
		if mainIndex > 0 {
			nearest := s.agents[chain[0]]
			e.Message.Agent, e.Call.Agent = nearest, nearest
		}
		out = append(out, e)
	}
	return out
}

// agentsAround lists the records of agents among a record and the records that enclose it, the nearest first. If records of one
// agent are nested, only the outermost of them is listed.
func (s *Session) agentsAround(record string) []string {
	var chain []string
	for one := range s.linkedRecord(record).outward() {
		switch {
		case !one.isAgent || one.inCircle:
		case len(chain) > 0 && s.agents[chain[len(chain)-1]] == s.agents[one.id]:
			chain[len(chain)-1] = one.id
		default:
			chain = append(chain, one.id)
		}
	}
	return chain
}

// Agents lists the names of the agents of a record and of the records that enclose it, the nearest first.
func (s *Session) Agents(record string) []string {
	chain := s.agentsAround(record)
	for i, id := range chain {
		chain[i] = s.agents[id]
	}
	return chain
}

// MarkToolAgents marks the given records of tools as the work of sub-agents, so that what models do inside them belongs to the
// sub-agents. Each record's Parent is the name of its tool, which becomes the name of the sub-agent. The outermost records
// become the work of the main agent. MarkToolAgents does nothing if a record is already the work of an agent.
func (s *Session) MarkToolAgents(tools []Record) {
	if len(s.agents) > 0 || len(tools) == 0 {
		return
	}
	for _, tool := range tools {
		s.MarkAgent(tool.ID, tool.Parent)
	}
	s.linkRecords()
	for id, one := range s.records {
		isOutermost := one.inLog && (one.outer == nil || !one.outer.inLog)
		if isOutermost && s.agents[id] == "" {
			s.MarkAgent(id, MainAgent)
		}
	}
}
