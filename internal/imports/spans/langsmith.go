package spans

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// LangSmith reads runs in the form of LangSmith's API, its SDKs and its exports. The schema is
// https://github.com/langchain-ai/langsmith-sdk/blob/main/python/langsmith/schemas.py (Run). Its messages have the forms of
// https://github.com/langchain-ai/langchain (serialized or as plain objects) or of the providers.
var LangSmith = &logs.Format{
	Name:        "langsmith",
	Interleaved: true,
	Finish:      finishTrace,
	Open:        func(to *logs.Sink) logs.Reader { return &langsmithReader{to: to} },
}

type langsmithReader struct{ to *logs.Sink }

// langsmithRun is a run: the work of a model, a tool, or another part of a program.
type langsmithRun struct {
	ID       word             `json:"id"`
	Name     word             `json:"name"`
	Type     word             `json:"run_type"`
	Trace    word             `json:"trace_id"`
	Parent   word             `json:"parent_run_id"`
	Order    word             `json:"dotted_order"`
	Start    logs.Instant     `json:"start_time"`
	End      logs.Instant     `json:"end_time"`
	Inputs   jsontext.Value   `json:"inputs"`
	Outputs  jsontext.Value   `json:"outputs"`
	Error    word             `json:"error"`
	Extra    langsmithExtra   `json:"extra"`
	Children []jsontext.Value `json:"child_runs"`
	Runs     []jsontext.Value `json:"runs"` // key of a page of the API
	Session  word             `json:"session_name"`

	Input      logs.Number      `json:"prompt_tokens"`
	Output     logs.Number      `json:"completion_tokens"`
	Total      logs.Number      `json:"total_tokens"`
	InputParts langsmithDetails `json:"prompt_token_details"`
	Cost       logs.Dollars     `json:"total_cost"`
}

type langsmithExtra struct {
	Metadata struct {
		Model    word `json:"ls_model_name"`
		Provider word `json:"ls_provider"`
		Thread   word `json:"thread_id"`
		Session  word `json:"session_id"`
		Talk     word `json:"conversation_id"`

		Usage *langsmithTokens `json:"usage_metadata"`
	} `json:"metadata"`
	Invocation struct {
		Model     word           `json:"model"`
		ModelName word           `json:"model_name"`
		Tools     jsontext.Value `json:"tools"`
	} `json:"invocation_params"`
}

// langsmithDetails counts the tokens of the input that were read from a cache or written to it.
type langsmithDetails struct {
	CacheRead  logs.Number `json:"cache_read"`
	CacheWrite logs.Number `json:"cache_creation"`
}

// Value reads a run with the runs that it encloses, or a page of runs.
func (r *langsmithReader) Value(v logs.Value) { r.readValue(v, v.Raw, nil) }

func (r *langsmithReader) readValue(v logs.Value, raw jsontext.Value, parent *langsmithRun) {
	var run langsmithRun
	if !v.DecodePart(raw, &run) {
		return
	}
	if run.Type == "" && run.Runs != nil {
		for _, one := range run.Runs {
			r.readValue(v, one, nil)
		}
		return
	}
	if parent != nil {
		run.Trace, run.Parent = cmp.Or(run.Trace, parent.Trace), cmp.Or(run.Parent, parent.ID)
	}
	run.Trace = cmp.Or(run.Trace, run.root())
	if run.ID == "" || run.Type == "" {
		v.Skip("is not a run with an id and a run_type")
		return
	}
	r.addRun(v, &run)
	for _, one := range run.Children {
		r.readValue(v, one, &run)
	}
}

// root returns the id of the outermost run of a trace: the first id in the dotted order, or the run's own id if the order has none.
func (run *langsmithRun) root() word {
	first, _, _ := strings.Cut(string(run.Order), ".")
	if _, id, ok := strings.Cut(first, "Z"); ok && id != "" {
		return word(id)
	}
	return run.ID
}

func (r *langsmithReader) addRun(v logs.Value, run *langsmithRun) {
	if r.to.Seen(string(run.Trace + "/" + run.ID)) {
		return
	}
	t := recordIn(r.to, v.Pos, string(run.Trace), string(run.ID))
	t.session.Link(t.record, string(run.Parent))
	meta := run.Extra.Metadata
	t.addMetadata("thread_id", string(cmp.Or(meta.Thread, meta.Session, meta.Talk)))
	t.addMetadata("session_name", string(run.Session))
	run.End = max(run.End, run.Start)
	if run.Parent == "" {
		t.addMetadata("name", string(run.Name))
	}
	switch {
	case run.Type == "llm":
		t.addLangSmithModel(run)
	case run.Type == "tool":
		t.addLangSmithTool(run)
	case run.Parent == "":
		t.noteOutermost(run.work())
	}
}

func (run *langsmithRun) work() recordedWork {
	return recordedWork{
		start: run.Start, end: run.End, inputs: messagesOf(run.Inputs), outputs: lastMessage(messagesOf(run.Outputs)),
		failed: run.Error != "", reason: firstLine(string(run.Error)),
	}
}

// lastMessage returns only the last message if an output repeats the whole conversation, as LangGraph's state does.
func lastMessage(said []message) []message {
	for _, h := range said {
		if h.role == logs.RoleUser || h.role == logs.RoleTool {
			return said[len(said)-1:]
		}
	}
	return said
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func (t tracing) addLangSmithModel(run *langsmithRun) {
	m := run.work()
	m.model = string(cmp.Or(run.Extra.Metadata.Model, run.Extra.Invocation.Model, run.Extra.Invocation.ModelName))
	m.provider = string(run.Extra.Metadata.Provider)
	m.usage = run.usage()
	t.offerTools(run.Extra.Invocation.Tools)
	t.offerToolsIn(run.Inputs)
	t.addModel(m)
}

// langsmithUsage has the places of tokens in the outputs of a model: beside the messages, in LangChain's message, or in the
// provider's form.
type langsmithUsage struct {
	Metadata    *langsmithTokens   `json:"usage_metadata"`
	Usage       *langsmithTokens   `json:"usage"`
	Generations []jsontext.Value   `json:"generations"`
	Message     *langsmithUsage    `json:"message"`
	Kwargs      *langsmithUsage    `json:"kwargs"`
	LLM         *langsmithProvider `json:"llm_output"`
}

type langsmithProvider struct {
	Tokens *langsmithTokens `json:"token_usage"`
	Usage  *langsmithTokens `json:"usage"`
}

type langsmithTokens struct {
	Input   logs.Number      `json:"input_tokens"`
	Output  logs.Number      `json:"output_tokens"`
	Prompt  logs.Number      `json:"prompt_tokens"`
	Said    logs.Number      `json:"completion_tokens"`
	Total   logs.Number      `json:"total_tokens"`
	Details langsmithDetails `json:"input_token_details"`

	PromptDetails struct {
		Cached logs.Number `json:"cached_tokens"`
	} `json:"prompt_tokens_details"` // OpenAI's
}

// cachedCounts returns the tokens that were read from, and written to, a cache.
func (t *langsmithTokens) cachedCounts() (read, write trace.Count) {
	if t == nil {
		return read, write
	}
	return cmp.Or(t.Details.CacheRead.Count, t.PromptDetails.Cached.Count), t.Details.CacheWrite.Count
}

// usage returns the tokens of a reply. LangSmith includes cached tokens in the input.
func (run *langsmithRun) usage() logs.Usage {
	u := logs.Usage{
		Input: run.Input.Count, Output: run.Output.Count, Total: run.Total.Count, Cost: run.Cost.Count,
		CacheRead: run.InputParts.CacheRead.Count, CacheWrite: run.InputParts.CacheWrite.Count,
	}
	tokens := cmp.Or(tokensIn(run.Outputs, 0), run.Extra.Metadata.Usage)
	read, write := tokens.cachedCounts()
	u.CacheRead, u.CacheWrite = cmp.Or(u.CacheRead, read), cmp.Or(u.CacheWrite, write)
	hasTokens := u.Input.N > 0 || u.Output.N > 0
	if u.Input.Known && hasTokens {
		return u
	}
	if tokens != nil {
		u.Input, u.Output, u.Total = tokens.Input.Count, tokens.Output.Count, tokens.Total.Count
		if !u.Input.Known {
			u.Input, u.Output = tokens.Prompt.Count, tokens.Said.Count
		}
		return u
	}
	if !hasTokens { // LangSmith writes zeros if it does not know the tokens
		u.Input, u.Output, u.Total = trace.Count{}, trace.Count{}, trace.Count{}
	}
	return u
}

// tokensIn finds the tokens in the outputs of a model; nil if there are none.
func tokensIn(raw jsontext.Value, depth int) *langsmithTokens {
	var u langsmithUsage
	if depth > maxWrapped || raw.Kind() == '[' && depth == 0 {
		return nil
	}
	if list := logs.ElementsOf(raw); len(list) > 0 {
		return tokensIn(list[0], depth+1)
	}
	if raw.Kind() != '{' || json.Unmarshal(raw, &u, logs.Lenient) != nil {
		return nil
	}
	if len(u.Generations) > 0 {
		if tokens := tokensIn(u.Generations[0], depth+1); tokens != nil {
			return tokens
		}
	}
	return u.tokens()
}

func (u *langsmithUsage) tokens() *langsmithTokens {
	for u != nil {
		switch {
		case u.Metadata != nil:
			return u.Metadata
		case u.LLM != nil && u.LLM.Tokens != nil:
			return u.LLM.Tokens
		case u.LLM != nil && u.LLM.Usage != nil:
			return u.LLM.Usage
		case u.Usage != nil:
			return u.Usage
		}
		u = cmp.Or(u.Message, u.Kwargs)
	}
	return nil
}

func (t tracing) addLangSmithTool(run *langsmithRun) {
	var in struct {
		Input jsontext.Value `json:"input"`
	}
	input := run.Inputs
	_ = json.Unmarshal(orNull(objectIn(input)), &in, logs.Lenient)
	inner := objectIn(in.Input) // LangChain's tools keep the arguments as text
	isOtherText := inner == nil && in.Input.Kind() == '"' && hasOneKey(input)
	if inner != nil || isOtherText {
		input = inner
	}
	call, result := readExecution(string(run.Name), input, run.Outputs)
	if result.Text == "" || result.CallID == "" {
		result.Text = outputText(run.Outputs)
	}
	result.Duration = between(run.Start, run.End)
	if run.Error != "" {
		result.Failed, result.Error = true, firstLine(string(run.Error))
	}
	t.notes().extend(run.Start, run.End)
	t.addTool(run.Start, string(run.Parent), call, result)
}

func hasOneKey(raw jsontext.Value) bool {
	var keys map[string]jsontext.Value
	return json.Unmarshal(raw, &keys, logs.Lenient) == nil && len(keys) == 1
}

// outputText returns the text of a tool's result. A result that is not an object is under the key "output".
func outputText(raw jsontext.Value) string {
	var out struct {
		Output jsontext.Value `json:"output"`
	}
	if raw.Kind() == '{' && json.Unmarshal(raw, &out, logs.Lenient) == nil && out.Output != nil {
		for _, h := range messagesOf(out.Output) {
			if len(h.results) == 1 {
				return h.results[0].Text
			}
		}
		return logs.Text(out.Output)
	}
	return logs.Text(raw)
}
