package logs

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// MainAgent is the name of the main agent in delegations.
const MainAgent = "main"

// arrange puts the events of a session into the order of their times, leaves out what repeats others, and finds the
// sub-agents.
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

// withoutRepeated leaves out messages that history repeats.
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

// withoutSpare leaves out spare events where others say the same: what the user said, or what agents said.
func withoutSpare(events []event) []event {
	has := map[bool]bool{} // by whether the user said it
	byUser := func(e *event) bool { return e.Kind == said && e.Message.Role == RoleUser }
	for i := range events {
		if e := &events[i]; !e.Spare && (e.Kind == said || e.Kind == asked) {
			has[byUser(e)] = true
		}
	}
	return slices.DeleteFunc(events, func(e event) bool { return e.Spare && has[byUser(&e)] })
}

// reply returns the reply that an event is a part of; "" where it is of none.
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

// withoutInner leaves out what a record notes of a reply inside another record of the same reply, as a framework's record
// encloses that of the provider's client: the outer one counts, for messages, for calls, and for tokens.
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

// distinguish gives a call an id of its own where another reply asked for one by the same id before, as some models do: only
// what one reply asks for twice by one id is a repeat. Results and executions that name the id are of the last call of the id
// before them, except for results that repeat history.
func (s *Session) distinguish(events []event) {
	type place struct{ reply, id string }
	own := map[place]string{}   // the id of a call by its place
	latest := map[string]Call{} // of an id
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

// replyMark is between the id of a call and its reply where another reply has the id, too.
const replyMark = "\x00"

func (c Call) loggedID() string {
	id, _, _ := strings.Cut(c.ID, replyMark)
	return id
}

// assign marks what sub-agents did, and notes each delegation where the sub-agent's first event is.
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

// agentsAround lists the records of agents around a record, the nearest first. Records of one agent inside each other are
// one, the outermost.
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

// Agents lists the names of the agents whose records are around a record, the nearest first.
func (s *Session) Agents(record string) []string {
	chain := s.agentsAround(record)
	for i, id := range chain {
		chain[i] = s.agents[id]
	}
	return chain
}

// WorkInTools marks what models do inside records of tools as the work of sub-agents, which go by the tool's name, where no
// record is the work of an agent. The Parent of such a record is the name of the tool.
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
