package logs

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/trace"
)

// The account's reasons for leaving out calls and results.
const (
	outExecutions = "executions that no model asked for"
	// OutRepeated is the reason for a call with the id of an earlier call.
	OutRepeated  = "calls that repeat an id"
	outResults   = "results without a call"
	outSubagents = "calls of sub-agents"
)

// joined is a call with everything that is known about it.
type joined struct {
	call   Call
	ref    catalog.Ref
	args   trace.ArgsState
	object jsontext.Value
	key    callKey // for joining
	at     int     // index of its event
	done   bool    // the call has a result
	paired bool    // the call has an execution
	result Result

	search *trace.Search // without the tools that it returned; nil for another call
}

// join counts each call once. The calls are those that a model asked for; results and executions add to them. If no model asked
// for anything, the outermost executions are the calls.
func (s *Session) join(events []event) []*joined {
	j := joiner{session: s, byID: map[string]*joined{}}
	for i := range events {
		j.event(i, &events[i])
	}
	if len(j.calls) == 0 {
		j.onlyExecutions(events)
		j.answers(events)
	} else {
		j.answers(events)
		j.execute(events)
	}
	for _, c := range j.calls {
		c.markSearch()
	}
	return j.calls
}

// joiner puts the calls of one session together.
type joiner struct {
	session  *Session
	calls    []*joined
	byID     map[string]*joined
	nameless []*joined // calls without an id, beginning with the first that has no result
	unpaired *unpaired // nil until first used
}

func (j *joiner) event(i int, e *event) {
	switch e.Kind {
	case asked:
		j.ask(i, e.Call)
	case executed:
		if at := j.session.place(e.Record.ID); at != nil {
			at.executed = true
		}
	}
}

func (j *joiner) ask(i int, c Call) {
	if c.ID != "" && j.byID[c.ID] != nil {
		j.session.sink.LeaveOut(OutRepeated)
		return
	}
	one := j.add(i, c)
	if c.ID != "" {
		j.byID[c.ID] = one
	}
}

func (j *joiner) add(i int, c Call) *joined {
	in := j.session.sink.in
	one := &joined{call: c, at: i, ref: in.names.ref(j.session.sink.format, c.Server, c.Name)}
	one.args, one.object = arguments(c.Args)
	one.key = keyOf(one.ref, one.object)
	j.calls = append(j.calls, one)
	if c.ID == "" {
		j.nameless = append(j.nameless, one)
	}
	return one
}

// answers joins the results that name their calls. If a call has several results, the first counts.
func (j *joiner) answers(events []event) {
	for i := range events {
		if events[i].Kind != answered {
			continue
		}
		one := j.byID[events[i].Result.CallID]
		if one == nil {
			one = j.firstUnanswered(i, events[i].Result.CallID)
		}
		if one == nil && !events[i].Result.History {
			j.session.sink.LeaveOut(outResults)
		}
		if one == nil {
			continue
		}
		one.take(events[i].Result)
	}
}

// firstUnanswered returns the call for a result without an id: the first call before i that has neither an id nor a result.
func (j *joiner) firstUnanswered(i int, id string) *joined {
	for len(j.nameless) > 0 && j.nameless[0].done {
		j.nameless = j.nameless[1:]
	}
	if id != "" || len(j.nameless) == 0 || j.nameless[0].at >= i {
		return nil
	}
	return j.nameless[0]
}

// take adds a result. A second result only fills in the fields that the first lacks.
func (c *joined) take(r Result) {
	if !c.done {
		c.done, c.result = true, r
		return
	}
	c.result.Text, c.result.Error = cmp.Or(c.result.Text, r.Text), cmp.Or(c.result.Error, r.Error)
	c.result.Failed = c.result.Failed || r.Failed
	if c.result.Found == nil {
		c.result.Found = r.Found
	}
	c.result.Pool = cmp.Or(c.result.Pool, r.Pool)
	c.result.Duration = cmp.Or(c.result.Duration, r.Duration)
}

// execute joins the executions with the calls that a model asked for: by the call's id, otherwise with the first call of the
// same tool and arguments that has no execution yet.
func (j *joiner) execute(events []event) {
	for i := range events {
		e := &events[i]
		if e.Kind != executed {
			continue
		}
		one := j.find(e)
		if one == nil {
			j.session.sink.LeaveOut(outExecutions)
			continue
		}
		j.session.place(e.Record.ID).setCall(one)
		one.paired = true
		j.perform(one, e)
	}
}

// perform adds an execution to its call: the result, and the arguments and the server if the call lacks them.
func (j *joiner) perform(c *joined, e *event) {
	c.take(e.Result)
	if c.call.Args.Absent && !e.Call.Args.Absent {
		c.call.Args = e.Call.Args
		c.args, c.object = arguments(e.Call.Args)
	}
	if ref, _ := j.refAndKey(e); c.ref.Server == "" && c.ref.Name == ref.Name {
		c.ref.Server = ref.Server
	}
	c.key = keyOf(c.ref, c.object)
}

// find returns the call that was executed: the call with its id, otherwise the call of an enclosing execution, otherwise a call
// without an execution, in the nearest enclosing record or the first of the session.
func (j *joiner) find(e *event) *joined {
	if one := j.byID[e.Call.ID]; one != nil && e.Call.ID != "" {
		return one
	}
	if one := j.enclosing(e); one != nil {
		return one
	}
	if j.unpaired == nil {
		j.unpaired = newUnpaired(j.session, j.calls)
	}
	ref, key := j.refAndKey(e)
	return j.unpaired.find(j.unpaired.traitsFor(ref, key, e.Call.Args.Absent), j.session.place(e.Record.Parent))
}

// enclosing returns the call whose execution encloses another execution of the same call, as a client's span encloses a server's.
func (j *joiner) enclosing(e *event) *joined {
	ref, key := j.refAndKey(e)
	for outer := range j.session.place(e.Record.Parent).outward() {
		if one := outer.call; one != nil && one.matches(ref, key, e.Call.Args.Absent) {
			return one
		}
	}
	return nil
}

// setCall notes the call that the record is about. A nil record is ignored.
func (r *record) setCall(one *joined) {
	if r != nil {
		r.call = one
	}
}

func (j *joiner) refAndKey(e *event) (catalog.Ref, callKey) {
	ref := j.session.sink.in.names.ref(j.session.sink.format, e.Call.Server, e.Call.Name)
	_, object := arguments(e.Call.Args)
	return ref, keyOf(ref, object)
}

// matches reports whether an execution of ref can be an execution of the call. Servers do not differ if only one side names a
// server.
func (c *joined) matches(ref catalog.Ref, key callKey, withoutArgs bool) bool {
	if withoutArgs || c.call.Args.Absent {
		return c.ref.Name == ref.Name && (c.ref.Server == "" || ref.Server == "" || c.ref.Server == ref.Server)
	}
	return c.key == key || (c.ref.Server == "" || ref.Server == "") && c.ref.Name == ref.Name && c.key.args == key.args
}

// onlyExecutions takes the outermost executions as the calls. An execution inside another execution of the same call adds to
// that call.
func (j *joiner) onlyExecutions(events []event) {
	var inner []*event
	for i := range events {
		e := &events[i]
		if e.Kind != executed {
			continue
		}
		if j.isInner(e) {
			inner = append(inner, e)
			continue
		}
		one := j.add(i, e.Call)
		one.take(e.Result)
		j.session.place(e.Record.ID).setCall(one)
		if id := e.Call.ID; id != "" && j.byID[id] == nil {
			j.byID[id] = one
		}
	}
	for _, e := range inner {
		if one := j.enclosing(e); one != nil {
			j.perform(one, e)
			j.session.place(e.Record.ID).setCall(one)
			continue
		}
		j.session.sink.LeaveOut("executions inside others")
	}
}

// isInner reports whether another execution encloses this one. Records that enclose each other in a circle are not inner.
func (j *joiner) isInner(e *event) bool {
	if own := j.session.place(e.Record.ID); own != nil && own.circle {
		return false
	}
	for outer := range j.session.place(e.Record.Parent).outward() {
		if outer.executed {
			return true
		}
	}
	return false
}
