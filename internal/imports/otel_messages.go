package imports

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// otelInputs returns what a model or an agent was told: its instructions, and the messages, which repeat the history.
func otelInputs(a attributes) []heard {
	var all []heard
	if system := a.get("gen_ai.system_instructions"); system != nil {
		for _, h := range listen(system) {
			all = append(all, heard{role: roleSystem, text: h.text})
		}
	}
	if value := a.get("gen_ai.input.messages", "gen_ai.prompt"); value != nil {
		return append(all, listen(value)...)
	}
	for _, prefix := range []string{"gen_ai.prompt.", "llm.input_messages."} {
		if list := a.indexed(prefix); list != nil {
			return append(all, listenIndexed(list)...)
		}
	}
	return append(all, listen(a.get("input.value", "traceloop.entity.input"))...)
}

// otelOutputs returns what a model or an agent said.
func otelOutputs(a attributes) []heard {
	if value := a.get("gen_ai.output.messages", "gen_ai.completion"); value != nil {
		return listen(value)
	}
	for _, prefix := range []string{"gen_ai.completion.", "llm.output_messages."} {
		if list := a.indexed(prefix); list != nil {
			return listenIndexed(list)
		}
	}
	return listen(a.get("output.value", "traceloop.entity.output"))
}

// listenIndexed returns the messages of indexed keys, each an element of the list. Their content may be a text that holds the
// list of its blocks.
func listenIndexed(list jsontext.Value) []heard {
	var all []heard
	for _, one := range elementsOf(list) {
		h := message(one, 0)
		if blocks := jsonIn(h.text); blocks.Kind() == '[' && strings.Contains(h.text, `"type"`) {
			h.text = ""
			h.content(blocks)
		}
		all = append(all, h)
	}
	return all
}

// inputs adds what is new of what a model was told: messages of the user, and results of calls. What the model said before
// is in the spans before.
func (t otelTrace) inputs(told []heard) {
	seen := map[string]int{}
	for _, h := range told {
		for _, result := range h.results {
			t.answer(result)
		}
		if (h.role == RoleUser || h.role == "") && h.text != "" {
			seen[h.text]++
			t.session.Say(Message{Role: RoleUser, Text: h.text, Once: fmt.Sprintf("%s %d %s", RoleUser, seen[h.text], sumOf(h.text))})
		}
	}
}

// system returns the instructions among what a model was told.
func system(told []heard) string {
	text := ""
	for _, h := range told {
		if h.role == roleSystem {
			text = joinTexts(text, h.text)
		}
	}
	return text
}

// answer adds the result of a call, which the history repeats from then on.
func (t otelTrace) answer(r Result) {
	if r.CallID != "" && !t.reader.to.Seen(t.trace+" result "+r.CallID) {
		t.session.Answer(r)
	}
}

// outputs adds what a model said. The attributes of a span and its events may both have it.
func (t otelTrace) outputs(said []heard) {
	calls := 0
	for _, h := range said {
		if h.role != RoleAssistant && h.role != "" {
			continue
		}
		t.notes().saidReply = t.notes().saidReply || h.text != "" || len(h.calls) > 0
		if h.text != "" || len(h.calls) > 0 {
			t.session.Say(Message{Role: RoleAssistant, Text: h.text, ID: t.record, Once: t.record + " " + sumOf(h.text)})
		}
		for _, call := range h.calls {
			calls++
			if !t.reader.to.Seen(fmt.Sprintf("%s/%s call %d %s", t.trace, t.record, calls, call.Name)) {
				call.Reply = t.record
				t.session.Ask(call)
			}
		}
		for _, result := range h.results {
			t.answer(result) // of a tool that ran at the provider
		}
	}
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return string(sum[:8])
}

// speak adds what an agent said, as a part of a reply.
func (s *Session) speak(h heard, reply string) {
	if h.text != "" || len(h.calls) > 0 {
		s.Say(Message{Role: RoleAssistant, Text: h.text, ID: reply})
	}
	for _, call := range h.calls {
		call.Reply = reply
		s.Ask(call)
	}
	for _, result := range h.results {
		s.Answer(result)
	}
}

// offer adds the tools that a model was offered.
func (t otelTrace) offer(a attributes) {
	definitions := a.get("gen_ai.tool.definitions", "gen_ai.request.tools")
	if definitions.Kind() == '"' {
		definitions = jsonIn(unquote(definitions))
	}
	for _, prefix := range []string{"llm.request.functions.", "llm.tools."} {
		if definitions == nil {
			definitions = a.indexed(prefix)
		}
	}
	if definitions == nil || t.reader.to.Seen(t.trace+" tools "+sumOf(string(definitions))) {
		return
	}
	for _, one := range elementsOf(definitions) {
		if tool := definition(one, 0); tool != nil {
			t.session.Offer("", tool)
		}
	}
}

// definition returns a tool that a model was offered in MCP's form, from the forms of the providers and of the conventions;
// nil for what is none.
func definition(raw jsontext.Value, depth int) jsontext.Value {
	var d struct {
		Name        word           `json:"name"`
		Description word           `json:"description"`
		Function    jsontext.Value `json:"function"`
		Tool        jsontext.Value `json:"tool"` // of OpenInference
		Parameters  jsontext.Value `json:"parameters"`
		Schema      jsontext.Value `json:"json_schema"`
		Input       jsontext.Value `json:"input_schema"`
		MCPInput    jsontext.Value `json:"inputSchema"`
	}
	if raw.Kind() == '"' {
		raw = jsonIn(unquote(raw))
	}
	if depth > maxWrapped || raw.Kind() != '{' || json.Unmarshal(raw, &d, lenient) != nil {
		return nil
	}
	for _, inner := range []jsontext.Value{d.Function, d.Tool} {
		if inner.Kind() == '{' {
			return definition(inner, depth+1)
		}
	}
	if d.Name == "" {
		return definition(d.Schema, depth+1)
	}
	for _, schema := range []jsontext.Value{d.Parameters, d.Input, d.MCPInput, d.Schema} {
		if schema.Kind() == '"' {
			schema = jsonIn(unquote(schema))
		}
		if schema.Kind() == '{' {
			return Tool(string(d.Name), string(d.Description), schema)
		}
	}
	return Tool(string(d.Name), string(d.Description), nil)
}

// record reads an event that was logged.
func (r *otelReader) record(v Value, e *otelRecord, resource attributes) {
	name := string(cmp.Or(e.Name, word(e.Attributes.text("event.name"))))
	if !strings.HasPrefix(name, "gen_ai.") {
		return
	}
	if e.TraceID == "" || e.SpanID == "" {
		r.to.LeaveOut("events outside a trace")
		return
	}
	one := otelTrace{reader: r, session: r.to.Session(string(e.TraceID), v.Pos), trace: string(e.TraceID), record: string(e.SpanID)}
	one.session.ID = one.trace
	at := cmp.Or(e.Time, e.Observed)
	one.describe(resource, e.Attributes)
	if strings.HasSuffix(name, "operation.details") {
		one.model(&otelSpan{Start: at, End: at, Attributes: e.Attributes})
		return
	}
	one.event(otelMoment{at, at}, name, e.Attributes, untyped(e.Body, 0))
}

// otelMoment is when a model was told something, and when it replied.
type otelMoment struct{ told, said instant }

// event reads an event of a model's span. What it holds is in its body, or in its attributes.
func (t otelTrace) event(at otelMoment, name string, a attributes, body jsontext.Value) {
	if body.Kind() == '"' {
		body = jsonIn(unquote(body))
	}
	if body.Kind() != '{' {
		if body = jsonIn(a.text("gen_ai.event.content")); body == nil {
			body = a.json(0)
		}
	}
	t.session.At(int64(at.told), t.record)
	switch name {
	case "gen_ai.content.prompt", "gen_ai.client.inference.operation.details":
		t.inputs(otelInputs(a))
	case "gen_ai.user.message", "gen_ai.tool.message", "gen_ai.system.message":
		t.told(name, body)
	}
	t.session.At(int64(at.said), t.record)
	switch name {
	case "gen_ai.content.completion", "gen_ai.client.inference.operation.details":
		t.outputs(firstChoice(a, otelOutputs(a)))
	case "gen_ai.choice":
		t.choice(body)
	}
}

// told reads an event with one message that the model was told.
func (t otelTrace) told(name string, body jsontext.Value) {
	var m struct {
		ID word `json:"id"`
	}
	_ = json.Unmarshal(body, &m, lenient)
	h := message(body, 0)
	switch name {
	case "gen_ai.user.message":
		h.role = RoleUser
	case "gen_ai.tool.message":
		if len(h.results) == 0 {
			h.results, h.text = []Result{{CallID: string(m.ID), Text: h.text}}, ""
		}
		h.results[0].CallID = cmp.Or(h.results[0].CallID, string(m.ID))
		h.role = roleTool
	case "gen_ai.system.message":
		if t.session.System == "" {
			t.session.System = h.text
		}
		return
	}
	t.inputs([]heard{h})
}

// choice reads an event with what a model said.
func (t otelTrace) choice(body jsontext.Value) {
	var c struct {
		Index     Number         `json:"index"`
		Message   jsontext.Value `json:"message"`
		ToolCalls jsontext.Value `json:"tool_calls"`
		Finish    word           `json:"finish_reason"`
	}
	if json.Unmarshal(body, &c, lenient) != nil {
		return
	}
	if c.Index.N > 0 {
		t.reader.to.LeaveOut("further choices of a reply")
		return
	}
	var h heard
	if all := listen(c.Message); len(all) > 0 {
		h = all[0]
	} else {
		h = message(body, 0)
	}
	if len(h.calls) == 0 {
		for _, one := range elementsOf(c.ToolCalls) {
			h.call(one)
		}
	}
	h.role = RoleAssistant
	t.outputs([]heard{h})
}
