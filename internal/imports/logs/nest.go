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
	s.distinguish(events)
	return s.assign(events)
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

// withoutSpare removes spare messages of the user if others exist, and spare messages and calls of agents if others exist.
func withoutSpare(events []event) []event {
	has := map[bool]bool{} // whether there is such a message, by whether the user is the author
	byUser := func(e *event) bool { return e.Kind == said && e.Message.Role == RoleUser }
	for i := range events {
		if e := &events[i]; !e.Spare && (e.Kind == said || e.Kind == asked) {
			has[byUser(e)] = true
		}
	}
	return slices.DeleteFunc(events, func(e event) bool { return e.Spare && has[byUser(&e)] })
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

// withoutInner removes the events of a record that lies inside another record of the same reply, as a framework's record
// encloses the record of the provider's client. The outer record counts, for messages, calls and tokens alike.
func (s *Session) withoutInner(events []event) []event {
	if s.place(""); len(s.records) == 0 {
		return events
	}
	s.findCircles()
	for i := range events {
		if one := s.records[events[i].reply()]; one != nil {
			one.parts |= 1 << events[i].Kind
		}
	}
	return slices.DeleteFunc(events, func(e event) bool {
		own := s.records[e.reply()]
		if own == nil || own.circle {
			return false
		}
		for outer := range own.outer.outward() {
			if outer.parts&(1<<e.Kind) != 0 {
				return true
			}
		}
		return false
	})
}

// distinguish gives a call a new id if another reply asked for a call with the same id before, as some models do. A call is a
// repeat only if the same reply asks for the id twice. Results and executions with the id belong to the last call before them
// that has it, except for results that repeat history.
func (s *Session) distinguish(events []event) {
	type place struct{ reply, id string }
	own := map[place]string{}   // the id of a call by its reply and logged id
	latest := map[string]Call{} // the latest call by logged id
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case asked:
			at := place{e.Call.Reply, e.Call.ID}
			before, is := latest[at.id]
			if id, repeats := own[at]; repeats {
				e.Call.ID = id
				continue
			}
			if is && (before.Reply == "" || at.reply == "") {
				e.Call.ID = before.ID
				continue
			}
			if is && at.id != "" {
				e.Call.ID += replyMark + at.reply
			}
			own[at], latest[at.id] = e.Call.ID, e.Call
		case executed:
			if call, is := latest[e.Call.ID]; is {
				e.Call.ID = call.ID
			}
		case answered:
			if call, is := latest[e.Result.CallID]; is && !e.Result.History {
				e.Result.CallID = call.ID
			}
		}
	}
}

// replyMark separates the id of a call from its reply, if another reply uses the same id.
const replyMark = "\x00"

func (c Call) loggedID() string {
	id, _, _ := strings.Cut(c.ID, replyMark)
	return id
}

// assign marks the events of sub-agents, and inserts each delegation before the sub-agent's first event.
func (s *Session) assign(events []event) []event {
	if len(s.agents) == 0 {
		return events
	}
	out := make([]event, 0, len(events))
	begun := map[string]bool{}
	for _, e := range events {
		in := e.At.In
		if e.Kind == executed {
			in = e.Record.Parent
		}
		chain := s.agentsAround(in)
		for i := len(chain) - 2; i >= 0; i-- { // the outermost is the main agent
			if record := chain[i]; !begun[record] {
				begun[record] = true
				from := MainAgent
				if i < len(chain)-2 {
					from = s.agents[chain[i+1]]
				}
				out = append(out, event{Kind: delegated, At: e.At, To: [2]string{from, s.agents[record]}})
			}
		}
		if len(chain) > 1 {
			e.Message.Agent, e.Call.Agent = s.agents[chain[0]], s.agents[chain[0]]
		}
		out = append(out, e)
	}
	return out
}

// agentsAround lists the records of agents that enclose a record, the nearest first. Of nested records of one agent only the
// outermost is listed.
func (s *Session) agentsAround(record string) []string {
	var chain []string
	for one := range s.place(record).outward() {
		switch {
		case !one.works || one.circle:
		case len(chain) > 0 && s.agents[chain[len(chain)-1]] == s.agents[one.id]:
			chain[len(chain)-1] = one.id
		default:
			chain = append(chain, one.id)
		}
	}
	return chain
}

// Agents lists the names of the agents whose records enclose a record, the nearest first.
func (s *Session) Agents(record string) []string {
	chain := s.agentsAround(record)
	for i, id := range chain {
		chain[i] = s.agents[id]
	}
	return chain
}

// WorkInTools marks what models do inside records of tools as the work of sub-agents, which get the tool's name. It does
// nothing if a record is already the work of an agent. The Parent of each given record is the name of the tool.
func (s *Session) WorkInTools(tools []Record) {
	if len(s.agents) > 0 || len(tools) == 0 {
		return
	}
	for _, tool := range tools {
		s.Works(tool.ID, tool.Parent)
	}
	s.place("")
	for id, one := range s.records {
		if one.linked && (one.outer == nil || !one.outer.linked) && s.agents[id] == "" {
			s.Works(id, MainAgent)
		}
	}
}
