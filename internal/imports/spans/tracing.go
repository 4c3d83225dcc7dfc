package spans

import (
	"cmp"
	"crypto/sha256"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/source"
)

// tracing is the place of a record in a trace. A record is a span, an observation, or a run of a part of a program. Records can be
// in any order and enclose each other, and each record of a model repeats the history.
type tracing struct {
	to      *logs.Sink
	session *logs.Session
	trace   string
	record  string
}

// recordIn returns the place of a record in a trace. If the record is the first of the trace, the trace's session begins at
// pos.
func recordIn(s *logs.Sink, pos source.Pos, trace, record string) tracing {
	t := tracing{to: s, session: s.Session(trace, pos), trace: trace, record: record}
	t.session.ID = trace
	return t
}

// recordedWork is the work of a model or of an agent that one record describes.
type recordedWork struct {
	start, end                     logs.Instant
	inputs, outputs                []message
	usage                          logs.Usage
	failed                         bool
	reason                         string // reason of the failure
	finish                         string // finish reason
	name                           string // name of the agent; "" for a model
	model, providerModel, provider string
}

// traceNotes are kept for a trace until it is complete.
type traceNotes struct {
	start, end logs.Instant // the earliest start and the latest end of all records
	modelStart logs.Instant // start of the first record of a model
	hasUsage   bool         // a record of a model has tokens
	model      ending
	finish     string // finish reason of the last reply
	agent      ending
	agentUsage *logs.Usage   // usage of the outermost agent; nil if its record has none
	tools      []logs.Record // records of tools; Parent is the name of the tool
}

// ending describes the record that ends last among the records of models, or of agents. Among agents, this is the outermost.
type ending struct {
	time   logs.Instant
	seen   bool
	failed bool
	reason string
}

func (e *ending) replaceIfLater(m *recordedWork) bool {
	if e.seen && e.time > m.end {
		return false
	}
	*e = ending{m.end, true, m.failed, m.reason}
	return true
}

// failedUnsaid is the error of a run whose last record failed without saying why.
const failedUnsaid = "a record has an error status without a message"

// Bounds on the values that runs can be selected by.
const (
	maxMetadata = 200 // characters of a value
	maxKeys     = 50  // values of one run
)

// metadata has the values by which runs of an evaluation program can be selected.
type metadata map[string]string

// add adds a value, unless there are too many. The first value of a key counts.
func (m metadata) add(key, value string) {
	if value != "" && m[key] == "" && len(m) < maxKeys && len(key) <= maxMetadata {
		m[key] = source.Shorten(value, maxMetadata)
	}
}

func (t tracing) notes() *traceNotes {
	if t.session.Notes == nil {
		t.session.Notes = &traceNotes{}
	}
	return t.session.Notes.(*traceNotes)
}

func (n *traceNotes) extend(start, end logs.Instant) {
	if n.start == 0 || start < n.start {
		n.start = start
	}
	n.end = max(n.end, end)
}

// addMetadata notes a value that runs can be selected by. The first value of a key counts.
func (t tracing) addMetadata(key, value string) {
	t.session.Describe(key, source.Shorten(value, maxMetadata))
}

// addModel adds the inputs and outputs of a model, and its tokens.
func (t tracing) addModel(m recordedWork) {
	n := t.notes()
	n.extend(m.start, m.end)
	if !n.model.seen || m.start < n.modelStart {
		n.modelStart = m.start
		t.session.Model, t.session.ProviderModel, t.session.Provider = m.model, m.providerModel, m.provider
		t.session.System = cmp.Or(systemPrompt(m.inputs), t.session.System)
	}
	t.session.At(int64(m.start), t.record)
	t.addInputs(m.inputs)
	t.session.At(int64(m.end), t.record)
	t.addOutputs(m.outputs)
	t.addUsage(m)
	if n.model.replaceIfLater(&m) {
		n.finish = m.finish
	}
}

// addUsage adds the tokens of a reply. A reply without token counts is skipped if it failed or has no cost.
func (t tracing) addUsage(m recordedWork) {
	u := m.usage
	hasTokens := u.Input.Known || u.Output.Known || u.Total.Known
	if !hasTokens && (m.failed || !u.Cost.Known) {
		return
	}
	u.Reply = t.record
	t.notes().hasUsage = true
	t.session.Spend(u)
}

// noteOutermost notes the inputs and outputs of an agent, or of the whole program. The inputs count only if no record of a model
// has inputs, and the outputs only if none has outputs.
func (t tracing) noteOutermost(m recordedWork) {
	n := t.notes()
	n.extend(m.start, m.end)
	t.addSpare(m)
	if !n.agent.replaceIfLater(&m) {
		return
	}
	n.agentUsage = nil
	if u := m.usage; u.Input.Known || u.Output.Known || u.Total.Known {
		n.agentUsage = &u
	}
	t.session.System = cmp.Or(t.session.System, systemPrompt(m.inputs))
	if m.name != "" {
		delete(t.session.Metadata, agentName)
		t.addMetadata(agentName, m.name)
	}
}

// addSpare adds the inputs and outputs of the outermost agent as spare events; see [logs.Session.Spare].
func (t tracing) addSpare(m recordedWork) {
	s := t.session
	s.Spare(true)
	s.At(int64(m.start), t.record)
	for _, h := range m.inputs {
		if h.text != "" && (h.role == logs.RoleUser || h.role == "") {
			s.Say(logs.Message{Role: logs.RoleUser, Text: h.text, Once: "spare " + logs.RoleUser + sumOf(h.text)})
		}
	}
	s.At(int64(m.end), t.record)
	for _, h := range m.outputs {
		if h.role != logs.RoleAssistant && h.role != "" {
			continue
		}
		if h.text != "" || len(h.calls) > 0 {
			s.Say(logs.Message{Role: logs.RoleAssistant, Text: h.text, Once: "spare " + logs.RoleAssistant + sumOf(h.text)})
		}
		for _, call := range h.calls {
			if !t.to.Seen(t.trace + " spare call " + call.ID + call.Name + string(call.Args.Object)) {
				s.Ask(call)
			}
		}
	}
	s.Spare(false)
}

// agentName is the key of the outermost agent's name in the metadata.
const agentName = "gen_ai.agent.name"

func (t tracing) addTool(start logs.Instant, parent string, call logs.Call, result logs.Result) {
	t.notes().tools = append(t.notes().tools, logs.Record{ID: t.record, Parent: call.Name})
	t.session.At(int64(start), t.record)
	t.session.Execute(logs.Record{ID: t.record, Parent: parent}, call, result)
}

// addInputs adds the new part of a model's input: messages of the user since the model's last message, and results of calls.
// Everything before repeats the history of this run or of earlier runs.
func (t tracing) addInputs(told []message) {
	last := -1
	for i, h := range told {
		if h.role == logs.RoleAssistant {
			last = i
		}
	}
	times := map[string]int{}
	for i, h := range told {
		for _, result := range h.results {
			if i > last && result.CallID != "" {
				t.session.Answer(result)
				continue
			}
			t.addHistoryResult(result)
		}
		if h.role != logs.RoleUser && h.role != "" || h.text == "" {
			continue
		}
		times[h.text]++
		if i > last {
			t.session.Say(logs.Message{Role: logs.RoleUser, Text: h.text, Once: fmt.Sprintf("%s %d %s", logs.RoleUser, times[h.text], sumOf(h.text))})
		}
	}
}

func systemPrompt(told []message) string {
	text := ""
	for _, h := range told {
		if h.role == logs.RoleSystem {
			text = logs.JoinTexts(text, h.text)
		}
	}
	return text
}

// addHistoryResult adds the result of a call, unless an earlier record had it, because the history repeats results.
func (t tracing) addHistoryResult(r logs.Result) {
	if r.CallID != "" && !t.to.Seen(t.trace+" result "+r.CallID) {
		r.History = true
		t.session.Answer(r)
	}
}

// addOutputs adds the output of a model. It drops repeated output, because the attributes and the events of a span may both have
// the output.
func (t tracing) addOutputs(said []message) {
	calls := 0
	for _, h := range said {
		if h.role != logs.RoleAssistant && h.role != "" {
			continue
		}
		if h.text != "" || len(h.calls) > 0 {
			t.session.Say(logs.Message{Role: logs.RoleAssistant, Text: h.text, ID: t.record, Once: t.record + " " + sumOf(h.text)})
		}
		for _, call := range h.calls {
			calls++
			if !t.to.Seen(fmt.Sprintf("%s/%s call %d %s", t.trace, t.record, calls, call.Name)) {
				call.Reply = t.record
				t.session.Ask(call)
			}
		}
		for _, result := range h.results {
			t.addHistoryResult(result) // result of a tool that ran at the provider
		}
	}
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return string(sum[:8])
}

func addMessage(s *logs.Session, h message, reply string) {
	if h.text != "" || len(h.calls) > 0 {
		s.Say(logs.Message{Role: logs.RoleAssistant, Text: h.text, ID: reply})
	}
	for _, call := range h.calls {
		call.Reply = reply
		s.Ask(call)
	}
	for _, result := range h.results {
		s.Answer(result)
	}
}

func (t tracing) offerToolsIn(input jsontext.Value) {
	var request struct {
		Tools jsontext.Value `json:"tools"`
	}
	_ = json.Unmarshal(objectIn(input), &request, logs.Lenient) // any other value has no tools
	t.offerTools(request.Tools)
}

func (t tracing) offerTools(definitions jsontext.Value) {
	if definitions == nil || t.to.Seen(t.trace+" tools "+sumOf(string(definitions))) {
		return
	}
	for _, one := range logs.ElementsOf(definitions) {
		offerDefinition(t.session, one)
	}
}
