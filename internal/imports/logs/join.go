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
	call       Call
	ref        catalog.Ref
	args       trace.ArgsState
	object     jsontext.Value
	canonical  string // arguments in the form of [Canonical], for joining
	eventIndex int    // index of the event in which the model asked for the call
	done       bool   // the call has a result
	paired     bool   // the call has an execution
	result     Result

	search *trace.Search // lacks the tools that the search returned, see found; nil if the call is not a search
}

// join returns the calls that a model asked for, each once, with their results and executions. If no model asked for a call, the
// outermost executions are the calls.
func (s *Session) join(events []event) []*joined {
	j := joiner{session: s, byID: map[string]*joined{}}
	for i := range events {
		j.noteEvent(i, &events[i])
	}
	if len(j.calls) == 0 {
		j.useExecutionsAsCalls(events)
		j.joinResults(events)
	} else {
		j.joinResults(events)
		j.joinExecutions(events)
	}
	for _, c := range j.calls {
		c.markSearch()
	}
	return j.calls
}

// joiner puts the calls of one session together.
type joiner struct {
	session   *Session
	calls     []*joined
	byID      map[string]*joined
	withoutID []*joined // calls without an id, beginning with the first that has no result
	unpaired  *unpaired // nil until first used
}

func (j *joiner) noteEvent(i int, e *event) {
	switch e.Kind {
	case asked:
		j.addAsked(i, e.Call)
	case executed:
		if own := j.session.linkedRecord(e.Record.ID); own != nil {
			own.isExecution = true
		}
	}
}

func (j *joiner) addAsked(i int, c Call) {
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
	one := &joined{call: c, eventIndex: i, ref: in.names.ref(j.session.sink.format, c.Server, c.Name)}
	one.args, one.object = readArgs(c.Args)
	one.canonical = string(Canonical(one.object))
	j.calls = append(j.calls, one)
	if c.ID == "" {
		j.withoutID = append(j.withoutID, one)
	}
	return one
}

// joinResults joins each result with the call that it names. A result without an id belongs to the first call that has neither an
// id nor a result.
func (j *joiner) joinResults(events []event) {
	for i := range events {
		if events[i].Kind != answered {
			continue
		}
		result := events[i].Result
		call := j.byID[result.CallID]
		if call == nil && result.CallID == "" {
			call = j.firstUnanswered(i)
		}
		switch {
		case call != nil:
			call.addResult(result)
		case !result.History:
			j.session.sink.LeaveOut(outResults)
		}
	}
}

// firstUnanswered returns the call for a result without an id: the first call that has neither an id nor a result. It returns nil
// if there is none, or if that call does not come before resultIndex.
func (j *joiner) firstUnanswered(resultIndex int) *joined {
	for len(j.withoutID) > 0 && j.withoutID[0].done {
		j.withoutID = j.withoutID[1:]
	}
	if len(j.withoutID) == 0 || j.withoutID[0].eventIndex >= resultIndex {
		return nil
	}
	return j.withoutID[0]
}

// addResult adds a result. A second result only fills in the fields that the first lacks.
func (c *joined) addResult(r Result) {
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

// joinExecutions joins the executions with the calls that a model asked for: by the call's id, otherwise with the first call of the
// same tool and arguments that has no execution yet.
func (j *joiner) joinExecutions(events []event) {
	for i := range events {
		e := &events[i]
		if e.Kind != executed {
			continue
		}
		one := j.callOf(e)
		if one == nil {
			j.session.sink.LeaveOut(outExecutions)
			continue
		}
		j.session.linkedRecord(e.Record.ID).setCall(one)
		one.paired = true
		j.addExecution(one, e)
	}
}

// addExecution adds an execution to its call: the result, and the arguments and the server if the call lacks them.
func (j *joiner) addExecution(c *joined, e *event) {
	c.addResult(e.Result)
	if c.call.Args.Absent && !e.Call.Args.Absent {
		c.call.Args = e.Call.Args
		c.args, c.object = readArgs(e.Call.Args)
	}
	if ref, _ := j.refAndArgs(e); c.ref.Server == "" && c.ref.Name == ref.Name {
		c.ref.Server = ref.Server
	}
	c.canonical = string(Canonical(c.object))
}

// callOf returns the call that an event executed; nil if there is none. It looks for the call with the event's id, then the call of
// an enclosing execution, then a call without an execution: in the nearest enclosing record, or the first of the session.
func (j *joiner) callOf(e *event) *joined {
	if one := j.byID[e.Call.ID]; one != nil && e.Call.ID != "" {
		return one
	}
	if one := j.enclosingCall(e); one != nil {
		return one
	}
	if j.unpaired == nil {
		j.unpaired = newUnpaired(j.session, j.calls)
	}
	ref, args := j.refAndArgs(e)
	traits := j.unpaired.traitsFor(ref, args, e.Call.Args.Absent)
	return j.unpaired.find(traits, j.session.linkedRecord(e.Record.Parent))
}

// enclosingCall returns the call that an enclosing record executes, if e executes the same call: a client's span encloses that
// of the server. It returns nil if there is none.
func (j *joiner) enclosingCall(e *event) *joined {
	ref, args := j.refAndArgs(e)
	for outer := range j.session.linkedRecord(e.Record.Parent).outward() {
		if one := outer.call; one != nil && one.matches(ref, args, e.Call.Args.Absent) {
			return one
		}
	}
	return nil
}

// setCall sets the call whose execution the record is. A nil record is ignored.
func (r *record) setCall(one *joined) {
	if r != nil {
		r.call = one
	}
}

func (j *joiner) refAndArgs(e *event) (ref catalog.Ref, canonical string) {
	_, object := readArgs(e.Call.Args)
	return j.session.sink.in.names.ref(j.session.sink.format, e.Call.Server, e.Call.Name), string(Canonical(object))
}

// matches reports whether an execution of ref with these arguments can be an execution of the call. Arguments and servers are
// compared only if both the call and the execution have them.
func (c *joined) matches(ref catalog.Ref, args string, withoutArgs bool) bool {
	lacksServer := c.ref.Server == "" || ref.Server == ""
	isSameTool := c.ref.Name == ref.Name && (lacksServer || c.ref.Server == ref.Server)
	lacksArgs := withoutArgs || c.call.Args.Absent
	return isSameTool && (lacksArgs || c.canonical == args)
}

// useExecutionsAsCalls adds the outermost executions as calls. An execution inside another execution of the same call adds to
// that call.
func (j *joiner) useExecutionsAsCalls(events []event) {
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
		one.addResult(e.Result)
		j.session.linkedRecord(e.Record.ID).setCall(one)
		if id := e.Call.ID; id != "" && j.byID[id] == nil {
			j.byID[id] = one
		}
	}
	for _, e := range inner {
		if one := j.enclosingCall(e); one != nil {
			j.addExecution(one, e)
			j.session.linkedRecord(e.Record.ID).setCall(one)
			continue
		}
		j.session.sink.LeaveOut("executions inside others")
	}
}

// isInner reports whether another execution encloses this one. A record that encloses itself is not inner.
func (j *joiner) isInner(e *event) bool {
	if own := j.session.linkedRecord(e.Record.ID); own != nil && own.inCircle {
		return false
	}
	for outer := range j.session.linkedRecord(e.Record.Parent).outward() {
		if outer.isExecution {
			return true
		}
	}
	return false
}
