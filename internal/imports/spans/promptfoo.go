package spans

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// Promptfoo reads result files of `promptfoo eval -o results.json` (or .jsonl) and of `promptfoo export`, of versions 2 and
// later. The schema is https://github.com/promptfoo/promptfoo/blob/main/src/types/index.ts (EvaluateResult,
// EvaluateSummaryV2, EvaluateSummaryV3) and src/types/providers.ts (ProviderResponse).
var Promptfoo = &logs.Format{
	Name: "promptfoo",
	Open: func(to *logs.Sink) logs.Reader { return &promptfooReader{to: to} },
}

type promptfooReader struct {
	to   *logs.Sink
	rows int
}

// promptfooRow is one test case with one prompt and one provider.
type promptfooRow struct {
	ID       word            `json:"id"`
	PromptAt logs.Number     `json:"promptIdx"`
	TestAt   logs.Number     `json:"testIdx"`
	Case     promptfooCase   `json:"testCase"`
	Provider promptfooName   `json:"provider"`
	Prompt   promptfooPrompt `json:"prompt"`
	Vars     attributes      `json:"vars"`
	Response struct {
		Output   jsontext.Value    `json:"output"`
		Raw      jsontext.Value    `json:"raw"`
		Error    jsontext.Value    `json:"error"`
		Finish   word              `json:"finishReason"`
		Session  word              `json:"sessionId"`
		Tokens   promptfooTokens   `json:"tokenUsage"`
		Cost     logs.Dollars      `json:"cost"`
		Metadata promptfooResponse `json:"metadata"`
	} `json:"response"`
	Error     jsontext.Value  `json:"error"`
	Failure   logs.Number     `json:"failureReason"`
	Success   jsontext.Value  `json:"success"`
	Score     jsontext.Value  `json:"score"`
	Scores    attributes      `json:"namedScores"`
	LatencyMS milliseconds    `json:"latencyMs"`
	Tokens    promptfooTokens `json:"tokenUsage"`
	Cost      logs.Dollars    `json:"cost"`
}

type promptfooCase struct {
	Description word       `json:"description"`
	Metadata    attributes `json:"metadata"`
}

// promptfooName is a provider: its id, or an object with the id.
type promptfooName struct {
	ID    word `json:"id"`
	Label word `json:"label"`
}

// UnmarshalJSON reads the provider.
func (n *promptfooName) UnmarshalJSON(raw []byte) error {
	*n = promptfooName{}
	switch jsontext.Value(raw).Kind() {
	case '"':
		n.ID = word(logs.Unquote(raw))
	case '{':
		type plain promptfooName
		return json.Unmarshal(raw, (*plain)(n), logs.Lenient)
	}
	return nil
}

type promptfooPrompt struct {
	Raw   word `json:"raw"`
	Label word `json:"label"`
}

// promptfooResponse has the calls in a provider's metadata: those of an agent, or the call that was tested.
type promptfooResponse struct {
	ToolCalls jsontext.Value `json:"toolCalls"`
	ToolName  word           `json:"toolName"`
	ToolArgs  jsontext.Value `json:"toolArgs"`
}

// promptfooTokens are the tokens of a row. Tokens that promptfoo's own cache saved are counted separately, in "cached".
type promptfooTokens struct {
	Prompt     logs.Number `json:"prompt"`
	Completion logs.Number `json:"completion"`
	Total      logs.Number `json:"total"`
}

// Value reads a result file, or a single row.
func (r *promptfooReader) Value(v logs.Value) {
	var file struct {
		EvalID  word           `json:"evalId"`
		Time    word           `json:"timestamp"`
		Results jsontext.Value `json:"results"`
		Traces  []struct {
			Spans []jsontext.Value `json:"spans"`
		} `json:"traces"`
		Case jsontext.Value `json:"testCase"`
	}
	if !v.Decode(&file) {
		return
	}
	var summary struct {
		Time    word           `json:"timestamp"`
		Results jsontext.Value `json:"results"`
	}
	if file.Results.Kind() == '{' {
		if !v.DecodePart(file.Results, &summary) {
			return
		}
		file.Results, file.Time = summary.Results, summary.Time
	}
	for _, one := range file.Traces {
		for range one.Spans {
			r.to.LeaveOut("spans of traces beside the results")
		}
	}
	switch {
	case file.Results.Kind() == '[':
		for _, row := range v.Elements(file.Results) {
			r.readRow(row, string(file.EvalID), string(file.Time))
		}
	case file.Case != nil:
		r.readRow(v, "", "")
	default:
		v.Skip("is neither a result file nor a row of one")
	}
}

func (r *promptfooReader) readRow(v logs.Value, eval, time string) {
	var row promptfooRow
	if !v.Decode(&row) {
		return
	}
	if row.ID != "" && r.to.Seen(string(row.ID)) {
		return
	}
	r.rows++
	s := r.to.Session(fmt.Sprintf("%d", r.rows), v.Pos)
	s.ID = cmp.Or(string(row.ID), string(row.Response.Session))
	s.Time = time
	s.Metadata = row.metadata(eval)
	s.Provider, s.Model = providerAndModel(string(row.Provider.ID))
	s.Duration, s.StopReason = row.LatencyMS.Count, string(row.Response.Finish)
	row.addPrompt(s)
	row.addReply(s)
	s.Spend(row.usage())
	s.Error = row.errorReason()
	s.Ended = s.Error == ""
	r.to.Done(s)
}

func (row *promptfooRow) metadata(eval string) map[string]string {
	all := metadata{}
	put := all.add
	put("eval", eval)
	put("description", string(row.Case.Description))
	put("provider", string(cmp.Or(row.Provider.Label, row.Provider.ID)))
	put("prompt", string(row.Prompt.Label))
	put("testIdx", countText(row.TestAt))
	put("promptIdx", countText(row.PromptAt))
	put("success", scalarText(row.Success))
	put("score", scalarText(row.Score))
	for _, one := range []struct {
		prefix string
		values attributes
	}{{"", row.Case.Metadata}, {"vars.", row.Vars}, {"scores.", row.Scores}} {
		for _, value := range one.values {
			put(one.prefix+value.key, scalarText(value.raw))
		}
	}
	return all
}

// countText returns a count as text; "" if it is unknown.
func countText(n logs.Number) string {
	if !n.Known {
		return ""
	}
	return fmt.Sprint(n.N)
}

// promptfooProviders are the providers in ids such as openai:chat:gpt-4o, and promptfooInterfaces are the words that can be between
// the provider and the model.
var (
	promptfooInterfaces = []string{"chat", "messages", "responses", "completion", "realtime", "assistant", "agents"}
	promptfooProviders  = []string{
		"openai", "anthropic", "google", "vertex", "mistral", "bedrock", "azure", "groq", "openrouter", "ollama", "xai", "deepseek",
		"cohere", "togetherai", "fireworks", "cerebras", "perplexity", "github",
	}
)

// providerAndModel splits the id of a provider, such as openai:chat:gpt-4o. If the id names a program or an address, the whole id
// is the model.
func providerAndModel(id string) (provider, model string) {
	provider, model, ok := strings.Cut(id, ":")
	if !ok || !slices.Contains(promptfooProviders, provider) {
		return "", id
	}
	if word, rest, ok := strings.Cut(model, ":"); ok && slices.Contains(promptfooInterfaces, word) {
		model = rest
	}
	return provider, model
}

// addPrompt adds the input of the model: the prompt, which may be a list of messages as text.
func (row *promptfooRow) addPrompt(s *logs.Session) {
	raw, _ := jsontext.AppendQuote(nil, string(row.Prompt.Raw))
	told := []message{{text: string(row.Prompt.Raw)}}
	if list := jsonIn(string(row.Prompt.Raw)); list.Kind() == '[' {
		told = messagesOf(raw)
	}
	s.System = systemPrompt(told)
	for _, h := range told {
		switch {
		case h.text == "" || h.role == logs.RoleSystem:
		case h.role == logs.RoleAssistant: // part of the prompt, not of the run
			s.Say(logs.Message{Role: logs.RoleAssistant, Text: h.text})
		default:
			s.Say(logs.Message{Role: logs.RoleUser, Text: h.text})
		}
	}
}

// promptfooReply is the id of the single reply of a row.
const promptfooReply = "response"

// addReply adds the output of the model, or the call that was tested. Messages come from the response in the provider's form if it
// has calls, otherwise from the output, which can have calls between texts. If an agent's provider lists calls, only these count.
func (row *promptfooRow) addReply(s *logs.Session) {
	response := &row.Response
	if name := string(response.Metadata.ToolName); name != "" {
		text, failed := resultText(response.Output)
		s.Execute(logs.Record{}, logs.Call{Name: name, Args: argsIn(response.Metadata.ToolArgs)}, logs.Result{
			Text: text, Failed: failed || !isNothing(response.Error), Error: errorText(response.Error),
		})
		return
	}
	said := messagesOf(response.Raw)
	if !slices.ContainsFunc(said, func(h message) bool { return len(h.calls) > 0 }) {
		said = promptfooOutput(response.Output)
	}
	if listed := listedCalls(response.Metadata.ToolCalls); len(listed.calls) > 0 {
		for i := range said {
			said[i].calls, said[i].results = nil, nil
		}
		said = append([]message{listed}, said...)
	}
	for _, h := range said {
		if h.role == logs.RoleAssistant || h.role == "" || h.role == logs.RoleTool {
			addMessage(s, h, promptfooReply)
		}
	}
}

// promptfooOutput returns the messages of an output. Providers put calls into a text, each as JSON on its own line.
func promptfooOutput(output jsontext.Value) []message {
	if output.Kind() != '"' || jsonIn(logs.Unquote(output)) != nil {
		return messagesOf(output)
	}
	h := message{role: logs.RoleAssistant}
	var text []string
	for line := range strings.SplitSeq(logs.Unquote(output), "\n") {
		if calls := promptfooCall(line); calls != nil {
			h.calls = append(h.calls, calls...)
			continue
		}
		text = append(text, line)
	}
	h.text = strings.TrimSpace(strings.Join(text, "\n"))
	return []message{h}
}

func promptfooCall(line string) []logs.Call {
	object := jsonIn(line)
	if object.Kind() != '{' || !strings.Contains(line, `"type":"`) {
		return nil
	}
	list := append(append(jsontext.Value("["), object...), ']')
	messages := messagesOf(list)
	if len(messages) != 1 || len(messages[0].calls) != 1 {
		return nil
	}
	return messages[0].calls
}

// listedCalls returns a message with the calls in a list, and with their results if the list has them.
func listedCalls(list jsontext.Value) message {
	h := message{role: logs.RoleAssistant}
	for i, one := range logs.ElementsOf(list) {
		var result struct {
			Output jsontext.Value `json:"output"`
			Result jsontext.Value `json:"result"`
			Failed truth          `json:"is_error,case:ignore"` // or isError
		}
		call, ok := readCall(one, 0)
		if !ok || call.Name == "" || json.Unmarshal(one, &result, logs.Lenient) != nil {
			continue
		}
		call.ID = cmp.Or(call.ID, fmt.Sprintf("#%d", i))
		h.calls = append(h.calls, call)
		for _, content := range []jsontext.Value{result.Output, result.Result} {
			if content != nil {
				text, failed := resultText(content)
				h.results = append(h.results, logs.Result{CallID: call.ID, Text: text, Failed: failed || bool(result.Failed)})
				break
			}
		}
	}
	return h
}

// usage returns the tokens of the row. A row without tokens has 0 everywhere.
func (row *promptfooRow) usage() logs.Usage {
	tokens := row.Tokens
	if tokens == (promptfooTokens{}) {
		tokens = row.Response.Tokens
	}
	u := logs.Usage{Reply: promptfooReply, Whole: true, Cost: cmp.Or(row.Cost.Count, row.Response.Cost.Count)}
	if tokens.Prompt.N+tokens.Completion.N > 0 {
		u.Input, u.Output = tokens.Prompt.Count, tokens.Completion.Count
	}
	if tokens.Total.N > 0 {
		u.Total = tokens.Total.Count
	}
	return u
}

// errorReason returns the reason why the row broke: an error of the provider, or another error that is not a failed assertion.
func (row *promptfooRow) errorReason() string {
	const failedOtherwise = 2 // promptfoo's failureReason for an error that is not a failed assertion
	if why := errorText(row.Response.Error); why != "" && row.Response.Metadata.ToolName == "" {
		return why
	}
	if row.Failure.N == failedOtherwise {
		return cmp.Or(errorText(row.Error), "the row failed without saying why")
	}
	return ""
}
