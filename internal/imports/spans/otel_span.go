package spans

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// otelKind is the kind of work that a span describes.
type otelKind uint8

const (
	otelOther otelKind = iota
	otelModel
	otelTool
	otelAgent
)

// otelKinds maps the values of attributes to kinds.
var otelKinds = map[string]otelKind{
	// gen_ai.operation.name
	"chat": otelModel, "text_completion": otelModel, "generate_content": otelModel,
	"execute_tool": otelTool, "invoke_agent": otelAgent, "invoke_workflow": otelAgent,
	// openinference.span.kind
	"LLM": otelModel, "TOOL": otelTool, "AGENT": otelAgent,
	// traceloop.span.kind
	"tool": otelTool, "agent": otelAgent,
}

func (r *otelReader) addSpan(v logs.Value, s *otelSpan, resource attributes) {
	if s.TraceID == "" || s.SpanID == "" {
		v.Skip("has a span without an id, or outside a trace")
		return
	}
	if r.to.Seen(string(s.TraceID + "/" + s.SpanID)) {
		return
	}
	one := recordIn(r.to, v.Pos, string(s.TraceID), string(s.SpanID))
	one.session.Link(one.record, string(s.Parent))
	kind := s.kind()
	if kind == otelOther {
		return
	}
	one.notes().extend(s.Start, s.End)
	one.addOTelMetadata(resource, s.Attributes)
	switch kind {
	case otelModel:
		one.addOTelModel(s)
	case otelTool:
		one.addOTelTool(s)
	case otelAgent:
		one.addOTelAgent(s)
	}
}

func (s *otelSpan) kind() otelKind {
	for _, key := range []string{"gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind"} {
		if name := s.Attributes.text(key); name != "" {
			if kind := otelKinds[name]; kind != otelOther || key == "gen_ai.operation.name" {
				return kind
			}
		}
	}
	if method := s.Attributes.text("mcp.method.name", "rpc.method"); method != "" {
		if method == "tools/call" {
			return otelTool
		}
		return otelOther
	}
	switch {
	case s.Attributes.get("gen_ai.tool.name", "mcp.tool.name") != nil:
		return otelTool
	case s.Attributes.get("llm.request.type", "gen_ai.output.messages", "gen_ai.completion", "gen_ai.completion.0.role", "gen_ai.completion.0.content") != nil:
		return otelModel
	}
	return otelOther
}

// failure reports whether the span failed, and the reason.
func (s *otelSpan) failure() (failed bool, why string) {
	class := s.Attributes.text("error.type")
	if class == "" && !s.Status.failed() {
		return false, ""
	}
	why = string(cmp.Or(s.Status.Message, s.Status.Description))
	for _, e := range s.Events {
		if why == "" && e.Name == "exception" {
			why = e.Attributes.text("exception.message", "exception.type")
		}
	}
	return true, cmp.Or(why, class)
}

// otelMetadata are the attributes that runs can be selected by.
var otelMetadata = []string{
	"service.name", "deployment.environment.name", "gen_ai.conversation.id", "gen_ai.agent.name", "gen_ai.workflow.name", "session.id", "user.id",
}

func (t tracing) addOTelMetadata(resource, span attributes) {
	for _, key := range otelMetadata {
		t.addMetadata(key, cmp.Or(span.text(key), resource.text(key)))
	}
}

func (t tracing) addOTelTool(s *otelSpan) {
	a := s.Attributes
	name := a.text("gen_ai.tool.name", "mcp.tool.name", "tool.name", "traceloop.entity.name")
	if rest, ok := strings.CutPrefix(string(s.Name), "tools/call "); ok && name == "" {
		name = rest
	}
	if name == "" {
		t.to.LeaveOut("spans of tools without the name of the tool")
		return
	}
	call := logs.Call{ID: a.text("gen_ai.tool.call.id", "tool_call.id"), Name: name, Args: otelArguments(a)}
	call.Server = a.text("mcp.server.name", "fastmcp.server.name")
	if call.Server == "" && a.text("rpc.system") == "mcp" {
		call.Server = a.text("rpc.service")
	}
	result := logs.Result{Duration: between(s.Start, s.End)}
	if value := a.get("gen_ai.tool.call.result", "gen_ai.tool.output", "tool_response", "mcp.tool.result.content", "output.value", "traceloop.entity.output"); value != nil {
		result.Text, result.Failed = resultText(value)
	}
	if failed, why := s.failure(); failed {
		result.Failed, result.Error = true, why
	}
	result.Failed = result.Failed || a.get("mcp.tool.result.is_error").Kind() == 't'
	t.addTool(s.Start, string(s.Parent), call, result)
}

// otelArguments returns the arguments of a call. The conventions allow instrumentations to omit arguments.
func otelArguments(a attributes) logs.Args {
	if value := a.get("gen_ai.tool.call.arguments", "gen_ai.tool.input", "tool_arguments"); value != nil {
		return logs.Args{Object: value}
	}
	for _, key := range []string{"traceloop.entity.input", "input.value"} {
		value := objectIn(a.get(key))
		if value == nil {
			continue
		}
		var wrapped struct {
			Args   []jsontext.Value `json:"args"`
			Kwargs jsontext.Value   `json:"kwargs"`
			Inputs jsontext.Value   `json:"inputs"`
		}
		_ = json.Unmarshal(value, &wrapped, logs.Lenient)
		switch {
		case key == "input.value":
			return logs.Args{Object: value}
		case wrapped.Kwargs.Kind() == '{' && len(wrapped.Args) == 0:
			return logs.Args{Object: wrapped.Kwargs}
		case wrapped.Inputs.Kind() == '{':
			return logs.Args{Object: wrapped.Inputs}
		}
	}
	return logs.Args{Absent: true}
}

func (t tracing) addOTelAgent(s *otelSpan) {
	a := s.Attributes
	t.session.MarkAgent(t.record, cmp.Or(a.text("gen_ai.agent.name", "gen_ai.workflow.name", "agent.name", "traceloop.entity.name"), string(s.Name), "agent"))
	t.offerOTelTools(a)
	failed, why := s.failure()
	t.noteOutermost(recordedWork{
		start: s.Start, end: s.End, inputs: otelInputs(a), outputs: otelOutputs(a), usage: otelUsage(a), failed: failed, reason: why,
		name: a.text("gen_ai.agent.name"),
	})
}

func (t tracing) addOTelModel(s *otelSpan) {
	a := s.Attributes
	failed, why := s.failure()
	t.offerOTelTools(a)
	t.addModel(recordedWork{
		start: s.Start, end: s.End, inputs: otelInputs(a), outputs: firstChoice(a, otelOutputs(a)), usage: otelUsage(a), failed: failed, reason: why,
		model:         a.text("gen_ai.request.model", "llm.model_name", "llm.request.model"),
		providerModel: a.text("gen_ai.response.model", "llm.response.model"),
		provider:      a.text("gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system"),
		finish:        firstOf(a.get("gen_ai.response.finish_reasons", "gen_ai.completion.0.finish_reason", "llm.finish_reason")),
	})
	for _, e := range s.Events {
		t.addOTelEvent(otelTimes{s.Start, s.End}, string(e.Name), e.Attributes, nil)
	}
}

// firstChoice returns the messages of the first choice if the model was asked for several.
func firstChoice(a attributes, said []message) []message {
	if n := a.count("gen_ai.request.choice.count"); n.Known && n.N > 1 && len(said) > 1 {
		return said[:1]
	}
	return said
}

func firstOf(raw jsontext.Value) string {
	if list := logs.ElementsOf(raw); len(list) > 0 {
		raw = list[0]
	}
	if raw.Kind() == '"' {
		return logs.Unquote(raw)
	}
	return ""
}

// otelUsage returns the tokens of a span. By the convention, the input includes the cached tokens. If the input is less than the
// cached tokens, it does not include them, and otelUsage adds them.
func otelUsage(a attributes) logs.Usage {
	u := logs.Usage{
		Input:      a.count("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.usage.prompt_tokens", "llm.token_count.prompt"),
		Output:     a.count("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.usage.completion_tokens", "llm.token_count.completion"),
		Total:      a.count("gen_ai.usage.total_tokens", "llm.usage.total_tokens", "llm.token_count.total"),
		CacheRead:  a.count("gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens", "gen_ai.usage.details.cache_read_tokens", "llm.token_count.prompt_details.cache_read"),
		CacheWrite: a.count("gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens", "gen_ai.usage.details.cache_write_tokens", "llm.token_count.prompt_details.cache_write"),
	}
	cached := logs.Sum(trace.Known(0), u.CacheRead, u.CacheWrite)
	if u.Input.Known && cached.N > u.Input.N {
		u.Input = logs.Sum(u.Input, cached)
	}
	var cost logs.Dollars
	_ = cost.UnmarshalJSON(a.get("llm.cost.total", "gen_ai.usage.cost", "operation.cost")) // never fails
	u.Cost = cost.Count
	return u
}
