package logs

import (
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// Run is a run that was read from a log, with the fields by which runs are selected and grouped. A field is empty if the log
// does not have it.
type Run struct {
	trace.Run

	Format        string // the name of the log's format
	Time          string // start of the run in RFC 3339, in UTC
	Session       string // the session's id
	Prompt        string // the first message of the user
	System        string
	Model         string
	Provider      string
	ProviderModel string
	Cwd           string
	Metadata      map[string]string

	// IDs are the log's ids of Calls, by index; "" for a call without one.
	IDs []string

	Catalog *catalog.Catalog // the tools that the model was offered; nil if the log does not have them

	Deferred []catalog.Ref // see [trace.Header]
}

func (in *importing) completeSession(s *Session) {
	defer in.spill.releaseMemory(s)
	if in.err != nil {
		return
	}
	if finish := s.sink.format.Finish; finish != nil {
		finish(s)
	}
	if s.isTooLarge() {
		s.sink.CountTooLarge(s.Pos)
		return
	}
	events, err := in.loadEvents(s)
	if err != nil {
		in.err = err
		return
	}
	in.account.Sessions++
	if len(events) == 0 && !s.Complete && !s.IsBroken() {
		in.account.LeaveOut("sessions without a message and without a call")
		return
	}
	a := assembly{in: in, session: s, events: events, calls: s.join(events)}
	for _, run := range a.runs() {
		in.account.countRun(run)
		if in.err = in.yield(run); in.err != nil {
			return
		}
	}
}

func (in *importing) loadEvents(s *Session) ([]event, error) {
	events, err := in.spill.events(s)
	if err != nil {
		return nil, err
	}
	return in.mergeOutput(s, s.rename(s.arrange(events)))
}

// IsBroken reports whether the log shows that the session did not end properly.
func (s *Session) IsBroken() bool { return s.Error != "" || s.Unended != "" && !s.Ended }

func (a *Account) countRun(run *Run) {
	a.Runs++
	a.Calls += len(run.Calls)
	for i := range run.Calls {
		if run.Calls[i].Tool.Server == trace.BuiltinServer {
			a.Builtin++
		}
	}
}

// assembly makes the runs of a session.
type assembly struct {
	in      *importing
	session *Session
	events  []event
	calls   []*joined

	bySubagent map[string]bool // whether a sub-agent made the call, by call id; nil until first used
}

// runs returns the run of the session, or a run for each prompt if the options ask for that.
func (a *assembly) runs() []*Run {
	starts := a.promptStarts()
	if len(starts) > 1 && a.in.options.Split != SplitTurn {
		a.in.account.SeveralPrompts++
		starts = starts[:1]
	}
	if len(starts) == 0 {
		starts = []int{0}
	}
	starts[0] = 0                 // events before the first message of the user belong to its run
	deferred := a.deferredTools() // before cachedCatalog, because deferredTools finds out whether the list of tools is complete
	tools := a.cachedCatalog()
	ends := append(slices.Clone(starts[1:]), len(a.events))
	var runs []*Run
	for i, from := range starts {
		to := ends[i]
		run := a.makeRun(from, to, len(starts) == 1)
		run.Catalog, run.Deferred = tools, deferred
		runs = append(runs, run)
	}
	return runs
}

// promptStarts returns the indices of the events at which the user speaks to the main agent. Consecutive messages count as one.
func (a *assembly) promptStarts() []int {
	var at []int
	spoke := false
	for i := range a.events {
		e := &a.events[i]
		isUser := e.Kind == said && e.Message.Role == RoleUser && e.Message.Agent == "" && !e.Message.Aside
		if isUser && !spoke {
			at = append(at, i)
		}
		if e.Kind == said || e.Kind == asked {
			spoke = isUser
		}
	}
	return at
}

// makeRun returns the run of a.events[from:to]. whole is true if the run is the whole session.
func (a *assembly) makeRun(from, to int, whole bool) *Run {
	s := a.session
	run := &Run{
		Format: s.sink.format.Name, Time: a.startTime(from, to), Session: s.ID, System: s.System, Model: s.Model, Provider: s.Provider, ProviderModel: s.ProviderModel, Cwd: s.Cwd,
		Metadata: maps.Clone(s.Metadata),
	}
	run.Pos = source.Pos{File: s.Pos.File, Line: s.Pos.Line}
	a.addCalls(run, from, to)
	a.addTurns(run, from, to)
	a.addUsage(run, from, to, whole)
	a.addDelegations(run, from, to)
	a.addEnd(run, from, to)
	if whole {
		run.Duration, run.StopReason = s.Duration, s.StopReason
	}
	return run
}

// startTime returns the start of the session, otherwise the time of the first event that has one, in UTC and to the second; "" if
// the log has neither.
func (a *assembly) startTime(from, to int) string {
	if at, err := time.Parse(time.RFC3339, a.session.Time); err == nil {
		return at.UTC().Format(time.RFC3339)
	}
	for i := range a.events[from:to] {
		if at := a.events[from+i].At.Time; at > 0 {
			return time.Unix(0, at).UTC().Format(time.RFC3339)
		}
	}
	return ""
}

func (a *assembly) addCalls(run *Run, from, to int) {
	run.Calls = []trace.Call{}
	for _, c := range a.calls {
		if c.eventIndex < from || c.eventIndex >= to {
			continue
		}
		if c.call.Agent != "" && a.in.options.Subagents == SubagentsLeaveOut {
			a.in.account.LeaveOut(outSubagents)
			continue
		}
		if c.call.Args.Absent {
			a.in.account.LeaveOut("arguments that the log does not keep")
		}
		run.Calls, run.IDs = append(run.Calls, a.traceCall(c)), append(run.IDs, c.call.loggedID())
	}
}

// traceCall returns a call in the form of a trace.
func (a *assembly) traceCall(c *joined) trace.Call {
	call := trace.Call{
		Tool: &trace.Tool{Ref: c.ref}, Args: c.args, Failed: c.result.Failed || c.result.Error != "",
		Detail: &trace.Detail{
			Args: c.object, Result: c.result.Text, Error: c.result.Error, Duration: c.result.Duration, Agent: c.call.Agent,
		},
	}
	if c.search != nil {
		search := *c.search
		search.Tools = c.found(a.session)
		call.Detail.Search = &search
	}
	return call
}

// addTurns adds the messages of the main agent between two indices of events. Messages of one reply are one turn.
func (a *assembly) addTurns(run *Run, from, to int) {
	ofReply := map[string]int{}
	for _, e := range a.events[from:to] {
		if e.Kind != said || e.Message.Agent != "" {
			continue
		}
		m := e.Message
		if at, ok := ofReply[m.ID]; ok && m.ID != "" {
			run.Turns[at].Content = JoinTexts(run.Turns[at].Content, m.Text)
			continue
		}
		if isPrompt := m.Role == RoleUser && !m.Aside; isPrompt && run.Prompt == "" {
			run.Prompt = m.Text
		}
		ofReply[m.ID] = len(run.Turns)
		run.Turns = append(run.Turns, trace.Turn{Role: m.Role, Content: m.Text})
	}
	a.addTurnTokens(run, from, to, ofReply)
}

// JoinTexts returns two texts with a line break between them, or the other text if one is empty.
func JoinTexts(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

func (a *assembly) addTurnTokens(run *Run, from, to int, ofReply map[string]int) {
	for _, e := range a.events[from:to] {
		if e.Kind != spent {
			continue
		}
		if at, ok := ofReply[e.Usage.Reply]; ok && e.Usage.Reply != "" {
			turn := &run.Turns[at]
			turn.Input, turn.Output, turn.Total = e.Usage.Input, e.Usage.Output, e.Usage.Total
		}
	}
}

func (a *assembly) addDelegations(run *Run, from, to int) {
	for _, e := range a.events[from:to] {
		if e.Kind == delegated {
			extra := run.NeedExtra()
			extra.Delegations = append(extra.Delegations, trace.Delegation{From: e.FromTo[0], To: e.FromTo[1]})
		}
	}
}

// addEnd adds the final response, and the reason why the run is broken. If no record shows the end, a run that ends at a result or
// at a message of the user is broken.
func (a *assembly) addEnd(run *Run, from, to int) {
	s, isLastRun := a.session, to == len(a.events)
	last := a.lastEvent(from, to)
	if last != nil && last.Kind == said && last.Message.Role == RoleAssistant {
		run.FinalResponse, run.HasFinal = run.Turns[len(run.Turns)-1].Content, true
	}
	if isLastRun && s.Final != nil {
		run.FinalResponse, run.HasFinal = *s.Final, true
	}
	switch {
	case isLastRun && s.Error != "":
		run.Error = s.Error
	case isLastRun && s.Ended: // the run is not broken
	case isLastRun && s.Unended != "":
		run.Error = s.Unended
	case last == nil:
	case last.Kind == answered:
		run.Error = "the log ends at the result of a call, before the agent's reply"
	case last.Kind == said && last.Message.Role == RoleUser:
		run.Error = "the log ends at a message of the user, before the agent's reply"
	}
}

// lastEvent returns the last message, call or result of the main agent; nil if there is none.
func (a *assembly) lastEvent(from, to int) *event {
	for i := to - 1; i >= from; i-- {
		e := &a.events[i]
		switch {
		case e.Kind == said && e.Message.Agent == "" && (e.Message.Text != "" || e.Message.Role == RoleUser):
			return e
		case e.Kind == asked && e.Call.Agent == "", e.Kind == answered && !a.isOfSubagent(e.Result.CallID):
			return e
		}
	}
	return nil
}

// isOfSubagent reports whether a sub-agent made the call.
func (a *assembly) isOfSubagent(id string) bool {
	if a.bySubagent == nil {
		a.bySubagent = map[string]bool{}
		for _, c := range a.calls {
			a.bySubagent[c.call.ID] = c.call.Agent != ""
		}
	}
	return id != "" && a.bySubagent[id]
}

// readCatalog returns the tools that the model was offered, without the agent's own tools. The name of a tool without a server is
// resolved in the same way as in a call. The result is nil if an element of the list cannot be read, because the list would lack a
// tool.
func (a *assembly) readCatalog() *catalog.Catalog {
	if a.session.defersSome {
		return nil
	}
	byServer := map[string]toolList{}
	seen := map[catalog.Ref]bool{}
	for _, t := range a.session.tools {
		if t.Name != "" {
			continue
		}
		ref, tool, err := a.offeredTool(t)
		if err != nil {
			a.in.account.leaveOutAt(source.Pos{File: a.session.Pos.File, Line: a.session.Pos.Line}, outLists)
			return nil
		}
		if tool == nil || seen[ref] {
			continue
		}
		seen[ref] = true
		byServer[ref.Server] = toolList{append(byServer[ref.Server].Tools, tool)}
	}
	if len(byServer) == 0 {
		return nil
	}
	text, err := json.Marshal(byServer, Lenient, json.Deterministic(true))
	if err == nil {
		var read *catalog.Catalog
		if read, err = catalog.FromServers(text); err == nil {
			return read
		}
	}
	a.in.account.leaveOutAt(source.Pos{File: a.session.Pos.File, Line: a.session.Pos.Line}, outLists)
	return nil
}

// toolList has the tools of a server in the form of a cassette.
type toolList struct {
	Tools []jsontext.Value `json:"tools"`
}
