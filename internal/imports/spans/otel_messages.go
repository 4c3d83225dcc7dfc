package spans

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// otelInputs returns the messages that a model was given. The names of the attributes depend on the library.
func otelInputs(a attributes) []message {
	var all []message
	if system := a.get("gen_ai.system_instructions"); system != nil {
		for _, h := range messagesOf(system) {
			all = append(all, message{role: logs.RoleSystem, text: h.text})
		}
	}
	if value := a.get("gen_ai.input.messages", "gen_ai.prompt"); value != nil {
		return append(all, messagesOf(value)...)
	}
	for _, prefix := range []string{"gen_ai.prompt.", "llm.input_messages."} {
		if list := a.indexed(prefix); list != nil {
			return append(all, messagesByIndex(list)...)
		}
	}
	return append(all, messagesOf(a.get("input.value", "traceloop.entity.input"))...)
}

func otelOutputs(a attributes) []message {
	if value := a.get("gen_ai.output.messages", "gen_ai.completion"); value != nil {
		return messagesOf(value)
	}
	for _, prefix := range []string{"gen_ai.completion.", "llm.output_messages."} {
		if list := a.indexed(prefix); list != nil {
			return messagesByIndex(list)
		}
	}
	return messagesOf(a.get("output.value", "traceloop.entity.output"))
}

// messagesByIndex returns the messages of indexed keys, which are the elements of list. Their content may be a list of blocks
// as text.
func messagesByIndex(list jsontext.Value) []message {
	var all []message
	for _, one := range logs.ElementsOf(list) {
		h := readMessage(one, 0)
		if blocks := jsonIn(h.text); blocks.Kind() == '[' && strings.Contains(h.text, `"type"`) {
			h.text = ""
			h.addContent(blocks)
		}
		all = append(all, h)
	}
	return all
}

func (t tracing) offerOTelTools(a attributes) {
	definitions := unquoted(a.get("gen_ai.tool.definitions", "gen_ai.request.tools"))
	for _, prefix := range []string{"llm.request.functions.", "llm.tools."} {
		if definitions == nil {
			definitions = a.indexed(prefix)
		}
	}
	t.offerTools(definitions)
}

// addEvent reads an event that is logged beside the spans.
func (r *otelReader) addEvent(v logs.Value, e *otelRecord, resource attributes) {
	name := string(cmp.Or(e.Name, word(e.Attributes.text("event.name"))))
	if !strings.HasPrefix(name, "gen_ai.") {
		return
	}
	if e.TraceID == "" || e.SpanID == "" {
		r.to.LeaveOut("events outside a trace")
		return
	}
	one := recordIn(r.to, v.Pos, string(e.TraceID), string(e.SpanID))
	at := cmp.Or(e.Time, e.Observed)
	one.addOTelMetadata(resource, e.Attributes)
	if strings.HasSuffix(name, "operation.details") {
		one.addOTelModel(&otelSpan{Start: at, End: at, Attributes: e.Attributes})
		return
	}
	one.addOTelEvent(otelTimes{at, at}, name, e.Attributes, untyped(e.Body, 0))
}

// otelTimes has the times at which a model got its input, and at which it replied.
type otelTimes struct{ input, output logs.Instant }

// addOTelEvent reads an event of a model's span. Its content is in its body, or in its attributes.
func (t tracing) addOTelEvent(at otelTimes, name string, a attributes, body jsontext.Value) {
	if body = unquoted(body); body.Kind() != '{' {
		if body = jsonIn(a.text("gen_ai.event.content")); body == nil {
			body = a.json(0)
		}
	}
	t.session.At(int64(at.input), t.record)
	switch name {
	case "gen_ai.content.prompt", "gen_ai.client.inference.operation.details":
		t.addInputs(otelInputs(a))
	case "gen_ai.user.message", "gen_ai.tool.message", "gen_ai.system.message":
		t.addOTelInput(name, body)
	}
	t.session.At(int64(at.output), t.record)
	switch name {
	case "gen_ai.content.completion", "gen_ai.client.inference.operation.details":
		t.addOutputs(firstChoice(a, otelOutputs(a)))
	case "gen_ai.choice":
		t.addOTelChoice(body)
	}
}

func (t tracing) addOTelInput(name string, body jsontext.Value) {
	var m struct {
		ID word `json:"id"`
	}
	_ = json.Unmarshal(body, &m, logs.Lenient)
	h := readMessage(body, 0)
	switch name {
	case "gen_ai.user.message":
		h.role = logs.RoleUser
	case "gen_ai.tool.message":
		if len(h.results) == 0 {
			h.results, h.text = []logs.Result{{CallID: string(m.ID), Text: h.text}}, ""
		}
		h.results[0].CallID = cmp.Or(h.results[0].CallID, string(m.ID))
		h.role = logs.RoleTool
	case "gen_ai.system.message":
		t.session.System = cmp.Or(t.session.System, h.text)
		return
	}
	for _, result := range h.results {
		t.addHistoryResult(result) // the event does not show whether the result repeats history
	}
	h.results = nil
	t.addInputs([]message{h})
}

func (t tracing) addOTelChoice(body jsontext.Value) {
	var c struct {
		Index     logs.Number    `json:"index"`
		Message   jsontext.Value `json:"message"`
		ToolCalls jsontext.Value `json:"tool_calls"`
		Finish    word           `json:"finish_reason"`
	}
	_ = json.Unmarshal(body, &c, logs.Lenient) // no error: every value fits
	if c.Index.N > 0 {
		t.to.LeaveOut("further choices of a reply")
		return
	}
	var h message
	if all := messagesOf(c.Message); len(all) > 0 {
		h = all[0]
	} else {
		h = readMessage(body, 0)
	}
	if len(h.calls) == 0 {
		for _, one := range logs.ElementsOf(c.ToolCalls) {
			h.addCall(one)
		}
	}
	h.role = logs.RoleAssistant
	t.addOutputs([]message{h})
}
