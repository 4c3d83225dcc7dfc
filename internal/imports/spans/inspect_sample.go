package spans

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// inspectRun is a sample that is being read. Its messages are the conversation. Its events have the tokens of each reply, the time
// of each call, and the work of sub-agents. The messages of sub-agents are only in the events.
type inspectRun struct {
	to          *logs.Sink
	session     *logs.Session
	sample      *inspectSample
	attachments *attachments
	scoring     bool // inside a scoring step, in older logs
	marksInput  bool // a message is marked as the sample's input
	hasUsage    bool // an event has the tokens of a reply
}

// inspectEvent is an event of a sample.
type inspectEvent struct {
	Event    word           `json:"event"`
	Action   word           `json:"action"` // begin or end of a step
	Span     word           `json:"span_id"`
	Parent   word           `json:"parent_id"`
	ID       word           `json:"id"`
	Type     word           `json:"type"`
	Name     word           `json:"name"`
	Start    logs.Instant   `json:"timestamp"`
	End      logs.Instant   `json:"completed"`
	Output   inspectOutput  `json:"output"`
	Tools    jsontext.Value `json:"tools"`
	Error    jsontext.Value `json:"error"`
	Function word           `json:"function"`
	Args     jsontext.Value `json:"arguments"`
	Result   jsontext.Value `json:"result"`
}

// inspectID identifies a message.
type inspectID struct {
	ID     word `json:"id"`
	Source word `json:"source"` // "input" for a message of the sample's input
}

// addAll adds the messages and the events of the sample in the order in which they happened: a model's event comes after the
// messages up to its reply.
func (r *inspectRun) addAll() {
	messages := r.sample.Messages
	if len(messages) == 0 {
		r.addInput()
	}
	indexByID := map[word]int{}
	for i, one := range messages {
		var m inspectID
		if json.Unmarshal(one, &m, logs.Lenient) == nil && m.ID != "" {
			indexByID[m.ID] = i
		}
	}
	added := 0 // number of messages
	for _, raw := range r.sample.Events {
		e, ok := r.decodeEvent(raw)
		if !ok {
			continue
		}
		if i, known := indexByID[e.replyID()]; known && e.Event == "model" && i >= added {
			r.addMessages(messages[added : i+1])
			added = i + 1
		}
		r.addEvent(e)
	}
	r.addMessages(messages[added:])
	r.addSampleUsage()
}

func (r *inspectRun) decodeEvent(raw jsontext.Value) (*inspectEvent, bool) {
	var kind struct {
		Event word `json:"event"`
	}
	if json.Unmarshal(raw, &kind, logs.Lenient) != nil || !slices.Contains([]word{"span_begin", "step", "model", "tool"}, kind.Event) {
		return nil, false
	}
	var e inspectEvent
	if json.Unmarshal(raw, &e, logs.Lenient) != nil {
		r.to.LeaveOut("events that cannot be read")
		return nil, false
	}
	return &e, true
}

func (r *inspectRun) addInput() {
	for _, h := range messagesOf(r.attachments.resolve(r.sample.Input)) {
		if h.text != "" && h.role != logs.RoleSystem {
			r.session.Say(logs.Message{Role: cmp.Or(h.role, logs.RoleUser), Text: h.text})
		}
	}
}

func (e *inspectEvent) replyID() word {
	if len(e.Output.Choices) == 0 {
		return ""
	}
	var m inspectID
	_ = json.Unmarshal(e.Output.Choices[0].Message, &m, logs.Lenient)
	return m.ID
}

func (r *inspectRun) addMessages(messages []jsontext.Value) {
	r.session.At(0, "")
	for _, raw := range messages {
		raw = r.attachments.resolve(raw)
		var m inspectID
		_ = json.Unmarshal(raw, &m, logs.Lenient)
		h := readMessage(raw, 0)
		switch h.role {
		case logs.RoleSystem:
			r.session.System = logs.JoinTexts(r.session.System, h.text)
		case logs.RoleUser:
			isInput := m.Source == "input"
			r.marksInput = r.marksInput || isInput
			r.session.Say(logs.Message{Role: logs.RoleUser, Text: h.text, Aside: r.marksInput && !isInput})
		default:
			addMessage(r.session, h, string(m.ID))
		}
	}
}

func (r *inspectRun) addEvent(e *inspectEvent) {
	switch e.Event {
	case "span_begin":
		r.session.Link(string(e.ID), string(e.Parent))
		switch e.Type {
		case "agent":
			r.session.MarkAgent(string(e.ID), cmp.Or(string(e.Name), "agent"))
		case "scorer", "scorers":
			r.session.MarkAgent(string(e.ID), inspectScorer)
		}
	case "step":
		if e.Type == "scorer" {
			r.scoring = e.Action == "begin"
		}
	case "model":
		r.addReply(e)
	case "tool":
		r.session.At(0, string(e.Span))
		text, failed := resultText(r.attachments.resolve(e.Result))
		result := logs.Result{Text: text, Failed: failed, Duration: between(e.Start, e.End)}
		if why := errorText(e.Error); why != "" {
			result.Failed, result.Error = true, why
		}
		r.session.Execute(logs.Record{Parent: string(e.Span)}, logs.Call{
			ID: string(e.ID), Name: string(e.Function), Args: argsIn(r.attachments.resolve(e.Args)),
		}, result)
	}
}

// inspectScorer is a made-up name of an agent, to which replies of scoring models are given. They are not part of the run.
const inspectScorer = "\x00scorer"

// addReply reads a reply of a model. It adds the message of a sub-agent's model, because the sample's messages lack it. It drops a
// reply of a scorer's model, which is not part of the run.
func (r *inspectRun) addReply(e *inspectEvent) {
	around := r.session.Agents(string(e.Span))
	if r.scoring || slices.Contains(around, inspectScorer) {
		r.to.LeaveOut("replies of models that score")
		return
	}
	reply := string(e.replyID())
	r.session.At(0, string(e.Span))
	if len(around) > 1 && len(e.Output.Choices) > 0 {
		addMessage(r.session, readMessage(r.attachments.resolve(e.Output.Choices[0].Message), 0), reply)
	} else if !r.to.Seen(r.session.ID + " tools " + sumOf(string(e.Tools))) {
		for _, one := range logs.ElementsOf(r.attachments.resolve(e.Tools)) {
			offerDefinition(r.session, one)
		}
	}
	if u := e.Output.Usage.usage(); u.Input.Known || u.Output.Known || u.Total.Known {
		u.Reply, r.hasUsage = reply, true
		r.session.Spend(u)
	}
}

// addSampleUsage adds the tokens of the whole sample if no event has the tokens of a reply. The tokens of a sample include the
// tokens of models that score.
func (r *inspectRun) addSampleUsage() {
	if r.hasUsage {
		return
	}
	sum := logs.Sums{}
	for _, one := range r.sample.Usage {
		sum.Add(one.usage())
	}
	if whole, ok := sum.Total(); ok {
		whole.Whole = true
		r.session.Spend(whole)
	}
}

// attachments are texts that a sample stores once and refers to by name.
type attachments struct {
	texts     map[string]word
	bytesLeft int // bytes of texts that may still be inserted
}

func newAttachments(texts map[string]word) *attachments { return &attachments{texts, logs.MaxValue} }

// attachmentMark is the beginning of a reference to a text.
const attachmentMark = `"attachment://`

// resolve replaces the references in a value by the texts of the sample's attachments. Unknown references are kept.
func (a *attachments) resolve(raw jsontext.Value) jsontext.Value {
	if len(a.texts) == 0 || !bytes.Contains(raw, []byte(attachmentMark)) {
		return raw
	}
	var out []byte
	rest := string(raw)
	for {
		before, after, found := strings.Cut(rest, attachmentMark)
		out = append(out, before...)
		if !found {
			return out
		}
		name, _, _ := strings.Cut(after, `"`)
		text, known := a.texts[name]
		if !known || len(text) > a.bytesLeft {
			out, rest = append(out, attachmentMark...), after
			continue
		}
		a.bytesLeft -= len(text)
		out, _ = jsontext.AppendQuote(out, string(text))
		rest = after[len(name)+1:]
	}
}
