package spans

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// Langfuse reads traces with their observations, and single observations, from Langfuse's API and its exports. The schema is
// https://github.com/langfuse/langfuse/blob/main/fern/apis/server/definition/commons.yml (Trace, Observation) and, for exports
// to a storage, https://langfuse.com/docs/api-and-data-platform/features/export-to-blob-storage, with names in snake case.
var Langfuse = &logs.Format{
	Name:        "langfuse",
	Interleaved: true,
	Finish:      finishTrace,
	Open:        func(to *logs.Sink) logs.Reader { return &langfuseReader{to: to} },
}

type langfuseReader struct{ to *logs.Sink }

// langfuseItem is a trace or an observation. Exports to a storage have the same keys in snake case.
type langfuseItem struct {
	ID          word             `json:"id"`
	TraceID     word             `json:"traceId,case:ignore"`
	Type        word             `json:"type"`
	Name        word             `json:"name"`
	Start       logs.Instant     `json:"startTime,case:ignore"`
	End         logs.Instant     `json:"endTime,case:ignore"`
	At          logs.Instant     `json:"timestamp"` // time of a trace
	Parent      word             `json:"parentObservationId,case:ignore"`
	Model       word             `json:"model"`
	Provided    word             `json:"providedModelName,case:ignore"`
	Input       jsontext.Value   `json:"input"`
	Output      jsontext.Value   `json:"output"`
	Level       word             `json:"level"`
	Message     word             `json:"statusMessage,case:ignore"`
	Usage       langfuseUsage    `json:"usage"`
	Details     langfuseCounts   `json:"usageDetails,case:ignore"`
	Cost        logs.Dollars     `json:"totalCost,case:ignore"`
	Calculated  logs.Dollars     `json:"calculatedTotalCost"`
	Costs       langfuseCosts    `json:"costDetails"`
	ToolCalls   jsontext.Value   `json:"toolCalls,case:ignore"`
	ToolNames   []word           `json:"toolCallNames,case:ignore"`
	Tools       attributes       `json:"toolDefinitions,case:ignore"`
	Session     word             `json:"sessionId,case:ignore"`
	User        word             `json:"userId,case:ignore"`
	TraceName   word             `json:"traceName,case:ignore"`
	Environment word             `json:"environment"`
	Children    []jsontext.Value `json:"observations"`
	Data        []jsontext.Value `json:"data"`  // key of a page of the API
	Trace       jsontext.Value   `json:"trace"` // key of an export that has the observations beside the trace
}

// langfuseUsage is the usage of older versions.
type langfuseUsage struct {
	Input  logs.Number `json:"input"`
	Output logs.Number `json:"output"`
	Total  logs.Number `json:"total"`
}

// langfuseCounts are tokens by kind. The kinds do not overlap.
type langfuseCounts map[string]logs.Number

type langfuseCosts struct {
	Total logs.Dollars `json:"total"`
}

// Value reads a trace, an observation, or an answer of the API with a list of these.
func (r *langfuseReader) Value(v logs.Value) { r.readValue(v, v.Raw, "", 0) }

// readValue reads a trace, an observation, or a list of these. inTrace is the id of the trace that contains the value.
func (r *langfuseReader) readValue(v logs.Value, raw jsontext.Value, inTrace word, depth int) {
	var item langfuseItem
	if raw.Kind() != '{' {
		r.to.LeaveOut("observations of which the log has only the id")
		return
	}
	if depth > 3 || !v.DecodePart(raw, &item) {
		return
	}
	inner := item.Data
	if item.Trace.Kind() == '{' {
		inner = append(inner, item.Trace)
	}
	if inner != nil {
		for _, one := range append(inner, item.Children...) {
			r.readValue(v, one, inTrace, depth+1)
		}
		return
	}
	isTrace := item.TraceID == "" && item.Type == "" && (item.ID != "" || item.Children != nil)
	if isTrace {
		r.addTrace(v, &item)
		for _, one := range item.Children {
			r.readValue(v, one, item.ID, depth+1)
		}
		return
	}
	r.addObservation(v, &item, inTrace)
}

func (r *langfuseReader) addTrace(v logs.Value, item *langfuseItem) {
	if item.ID == "" {
		return // an export of one trace's observations, which name the trace
	}
	t := recordIn(r.to, v.Pos, string(item.ID), "")
	t.addLangfuseMetadata(item)
	t.addSpare(recordedWork{start: item.At, end: item.At, inputs: messagesOf(item.Input), outputs: messagesOf(item.Output)})
}

func (t tracing) addLangfuseMetadata(item *langfuseItem) {
	name := item.TraceName
	if item.Type == "" {
		name = item.Name
	}
	t.addMetadata("name", string(name))
	t.addMetadata("sessionId", string(item.Session))
	t.addMetadata("userId", string(item.User))
	t.addMetadata("environment", string(item.Environment))
}

func (r *langfuseReader) addObservation(v logs.Value, item *langfuseItem, inTrace word) {
	item.TraceID = cmp.Or(item.TraceID, inTrace)
	if item.TraceID == "" || item.ID == "" {
		v.Skip("is neither a trace nor an observation of one")
		return
	}
	if r.to.Seen(string(item.TraceID + "/" + item.ID)) {
		return
	}
	t := recordIn(r.to, v.Pos, string(item.TraceID), string(item.ID))
	t.session.Link(t.record, string(item.Parent))
	t.addLangfuseMetadata(item)
	item.End = max(item.End, item.Start)
	switch {
	case item.Type == "GENERATION":
		t.addLangfuseModel(item)
	case item.Type == "TOOL":
		t.addLangfuseTool(item)
	case item.Type == "AGENT":
		t.session.MarkAgent(t.record, cmp.Or(string(item.Name), "agent"))
		t.noteOutermost(item.work())
	case item.Parent == "":
		t.noteOutermost(item.work())
	}
}

func (i *langfuseItem) work() recordedWork {
	return recordedWork{
		start: i.Start, end: i.End, inputs: messagesOf(i.Input), outputs: messagesOf(i.Output), failed: i.Level == "ERROR", reason: string(i.Message),
	}
}

func (t tracing) addLangfuseModel(item *langfuseItem) {
	m := item.work()
	m.model = string(cmp.Or(item.Model, item.Provided))
	m.usage = item.usage()
	isOnlyText := len(m.outputs) == 1 && len(m.outputs[0].calls) == 0
	if len(m.outputs) == 0 || isOnlyText {
		m.outputs = append(m.outputs, item.outputCalls()...)
	}
	t.offerToolsIn(item.Input)
	for _, tool := range item.Tools {
		t.offerTools(jsontext.Value("[" + string(withName(tool.key, tool.raw)) + "]"))
	}
	t.addModel(m)
}

// withName returns a definition of the tool with this name.
func withName(name string, raw jsontext.Value) jsontext.Value {
	var d struct {
		Description word           `json:"description"`
		Parameters  jsontext.Value `json:"parameters"`
	}
	_ = json.Unmarshal(orNull(objectIn(raw)), &d, logs.Lenient)
	return logs.Tool(name, string(d.Description), unquoted(d.Parameters))
}

// unquoted returns the object or list that a text contains, nil for any other text, and any other value as it is.
func unquoted(raw jsontext.Value) jsontext.Value {
	if raw.Kind() == '"' {
		return jsonIn(logs.Unquote(raw))
	}
	return raw
}

// objectIn returns an object, or the object that a text contains; nil for any other value.
func objectIn(raw jsontext.Value) jsontext.Value {
	if raw = unquoted(raw); raw.Kind() != '{' {
		return nil
	}
	return raw
}

// outputCalls returns the calls that Langfuse found in the output. Their names are in a separate list.
func (i *langfuseItem) outputCalls() []message {
	h := message{role: logs.RoleAssistant}
	for at, one := range logs.ElementsOf(i.ToolCalls) {
		call, ok := readCall(objectIn(one), 0)
		if call.Name == "" && at < len(i.ToolNames) {
			call.Name = string(i.ToolNames[at])
		}
		if ok && call.Name != "" {
			h.calls = append(h.calls, call)
		}
	}
	if len(h.calls) == 0 {
		return nil
	}
	return []message{h}
}

// usage returns the tokens of a reply. As in Langfuse's own sums, all kinds with "input" in their names add up to the input, and
// all kinds with "output" to the output.
func (i *langfuseItem) usage() logs.Usage {
	u := logs.Usage{Input: i.Usage.Input.Count, Output: i.Usage.Output.Count, Total: i.Usage.Total.Count}
	if len(i.Details) > 0 {
		u = logs.Usage{}
	}
	add := func(to *trace.Count, n logs.Number) { to.Known, to.N = true, min(to.N+n.N, trace.MaxCount) }
	for kind, n := range i.Details {
		if !n.Known {
			continue
		}
		switch {
		case kind == "total":
			u.Total = n.Count
		case strings.Contains(kind, "input"):
			add(&u.Input, n)
		case strings.Contains(kind, "output"):
			add(&u.Output, n)
		}
		switch {
		case strings.Contains(kind, "cache_creation") || strings.Contains(kind, "cache_write"):
			add(&u.CacheWrite, n)
		case strings.Contains(kind, "cache"):
			add(&u.CacheRead, n)
		}
	}
	u.Cost = cmp.Or(i.Cost.Count, i.Calculated.Count, i.Costs.Total.Count)
	return u
}

func (t tracing) addLangfuseTool(item *langfuseItem) {
	call, result := readExecution(string(item.Name), item.Input, item.Output)
	result.Duration = between(item.Start, item.End)
	if item.Level == "ERROR" {
		result.Failed, result.Error = true, cmp.Or(result.Error, string(item.Message))
	}
	t.notes().extend(item.Start, item.End)
	t.addTool(item.Start, string(item.Parent), call, result)
}

// readExecution returns the call that a record describes, and its result. The input has the arguments as an object, as the text of
// an object, or in LangChain's form of a call. The output is content, or a message with the call's id.
func readExecution(name string, input, output jsontext.Value) (logs.Call, logs.Result) {
	call := logs.Call{Name: name, Args: logs.Args{Absent: true}}
	if object := objectIn(input); object != nil {
		call.Args = logs.Args{Object: object}
		var asked struct {
			Type word           `json:"type"`
			Name word           `json:"name"`
			Args jsontext.Value `json:"args"`
		}
		if json.Unmarshal(object, &asked, logs.Lenient) == nil && asked.Type == "tool_call" && asked.Args.Kind() == '{' {
			whole, _ := readCall(object, 0)
			call.ID, call.Args = whole.ID, whole.Args
		}
	}
	var said []message
	if bytes.Contains(output, []byte("tool_call_id")) {
		said = messagesOf(output)
	}
	for _, h := range said {
		if h.role == logs.RoleTool && len(h.results) == 1 {
			call.ID = cmp.Or(h.results[0].CallID, call.ID)
			return call, h.results[0]
		}
	}
	var result logs.Result
	if !isNothing(output) {
		result.Text, result.Failed = resultText(output)
	}
	return call, result
}
