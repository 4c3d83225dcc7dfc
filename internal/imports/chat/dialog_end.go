package chat

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

func (d *dialogs) close(one *dialog) {
	d.open = slices.DeleteFunc(d.open, func(other *dialog) bool { return other == one })
	d.heldBytes -= one.heldBytes
	if one.tooLarge {
		d.to.CountTooLarge(one.pos)
		return
	}
	s := d.to.Session("", one.pos)
	one.describeSession(s)
	if why := one.lackedPart(); why != "" && !s.IsBroken() {
		s.Ended, s.Unended = false, why
		d.to.CountRepliesAlone()
	}
	deferred := d.offerAll(one, s)
	events := 0
	for i := range one.turns {
		events += len(one.turns[i].events)
	}
	s.Grow(events)
	p := pairing{sink: d.to, session: s, deferred: deferred, ids: map[string]string{}, answered: map[string]bool{}}
	for i := range one.turns {
		p.addTurn(i, &one.turns[i])
	}
	d.to.Done(s)
}

// offerAll adds the tools of all requests to the session, and returns the servers whose tools are deferred.
func (d *dialogs) offerAll(one *dialog, s *logs.Session) (deferred map[string]bool) {
	deferred = map[string]bool{}
	for _, tools := range one.tools {
		s.NoteFullToolList()
		offered := d.readTools(tools)
		if offered.defersSome {
			s.DeferSome()
		}
		for _, tool := range offered.tools {
			s.Offer(tool)
		}
		if slices.ContainsFunc(logs.ElementsOf(tools), func(one jsontext.Value) bool { return one.Kind() != '{' }) {
			s.Offer(logs.Offered{}) // the list is unknown
		}
		for _, server := range offered.deferred {
			deferred[server] = true
		}
	}
	one.noteUnlisted(s, deferred)
	return deferred
}

// noteUnlisted notes in the session that the log lacks names of deferred tools if it lists no tool of a server that defers tools.
func (one *dialog) noteUnlisted(s *logs.Session, deferred map[string]bool) {
	listed := map[string]bool{}
	for i := range one.turns {
		for _, tool := range one.turns[i].offers {
			listed[tool.Server] = true
		}
	}
	for server := range deferred {
		if !listed[server] {
			s.DeferSome()
		}
	}
}

func (one *dialog) describeSession(s *logs.Session) {
	s.Model, s.ProviderModel, s.System = one.model, one.last.model, one.system
	s.Metadata, s.Final, s.Time = one.metadata, one.final, one.time
	s.ID = cmp.Or(one.thread, one.metadata["session_id"], one.metadata["conversation_id"], one.metadata["thread_id"])
	s.StopReason, s.Error, s.Unended = one.last.stop, one.last.err, one.last.unended
	s.Ended = one.last.ended || one.final != nil
}

// lackedPart returns the reason why a conversation with only replies cannot be a whole run; "" if it can be.
func (one *dialog) lackedPart() string {
	switch {
	case !one.onlyReplies || one.final != nil:
		return ""
	case one.previous != "":
		return "the log lacks the reply that this one continues"
	case one.lacksResult():
		return "the log has replies alone, and ends at a call without its result"
	}
	return ""
}

func (one *dialog) lacksResult() bool {
	last := fmt.Sprintf("reply %d", one.replies)
	answered := map[[2]string]bool{} // by the id of the call, or by "" and the name of the tool
	var asked [][2]string            // keys of answered
	for i := range one.turns {
		for _, e := range one.turns[i].events {
			switch {
			case e.Kind == eventResult && e.Result.CallID != "":
				answered[[2]string{e.Result.CallID}] = true
			case e.Kind == eventResult:
				answered[[2]string{"", e.Call.Name}] = true
			case e.Kind == eventCall && e.Call.Reply == last && e.Call.ID != "":
				asked = append(asked, [2]string{e.Call.ID})
			case e.Kind == eventCall && e.Call.Reply == last:
				asked = append(asked, [2]string{"", e.Call.Name})
			}
		}
	}
	return slices.ContainsFunc(asked, func(call [2]string) bool { return !answered[call] })
}

// pairing gives each call of a conversation a unique id, and each result the id of its call. Some programs number the calls of
// each reply from the beginning. Others give them no id: results are then matched by the tool's name, in the order of the calls.
type pairing struct {
	sink     *logs.Sink
	session  *logs.Session
	ids      map[string]string // unique ids of calls by their ids in the log; if calls share an id, that of the latest
	answered map[string]bool   // keyed by the unique ids of calls
	deferred map[string]bool   // servers whose tools are deferred
	waiting  []callWithoutID
	calls    int
}

// callWithoutID is a call without an id in the log; id is its unique id.
type callWithoutID struct{ tool, id string }

func (p *pairing) addTurn(i int, t *turn) {
	reply := fmt.Sprintf("turn %d", i)
	for _, e := range t.events {
		switch e.Kind {
		case eventCall:
			if !p.assignID(&e.Call) {
				p.countRepeated(t)
				continue
			}
			e.Call.Reply = cmp.Or(e.Call.Reply, reply)
		case eventResult:
			e.Result.CallID = p.resultID(e.Call.Name, e.Result.CallID)
			e.Call = logs.Call{}
		case eventMessage:
			if e.Message.Role == logs.RoleAssistant && e.Message.ID == "" {
				e.Message.ID = reply
			}
		}
		e.addTo(p.session)
	}
	for _, tool := range t.offers {
		tool.Deferred = p.deferred[tool.Server]
		p.session.Offer(tool)
	}
}

// assignID gives a call a unique id. It returns false if the call repeats an earlier call that has no result yet.
func (p *pairing) assignID(c *logs.Call) bool {
	p.calls++
	own := fmt.Sprintf("call %d", p.calls)
	if c.ID == "" {
		p.waiting = append(p.waiting, callWithoutID{c.Name, own})
		c.ID = own
		return true
	}
	if earlier, known := p.ids[c.ID]; known && !p.answered[earlier] {
		return false
	}
	p.ids[c.ID] = own
	c.ID = own
	return true
}

// countRepeated counts a repeated call of the turn t as left out, unless the turn has a result. The call then waited for approval,
// and the log has it a second time with its result.
func (p *pairing) countRepeated(t *turn) {
	if !slices.ContainsFunc(t.events, func(e turnEvent) bool { return e.Kind == eventResult }) {
		p.sink.LeaveOut(logs.OutRepeated)
	}
}

func (p *pairing) resultID(tool, id string) string {
	own, known := p.ids[id]
	if !known {
		own = p.takeWaiting(tool, id)
	}
	p.answered[own] = true
	return own
}

// takeWaiting returns the id of the first call without an id that waits for a result. If the result names a tool, the call must be of
// this tool.
func (p *pairing) takeWaiting(tool, id string) string {
	namesNothing := tool == "" && id == ""
	at := slices.IndexFunc(p.waiting, func(w callWithoutID) bool { return namesNothing || w.tool == tool })
	if at < 0 {
		return "unknown " + id
	}
	own := p.waiting[at].id
	p.waiting = slices.Delete(p.waiting, at, at+1)
	return own
}
