package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/trace"
)

// openAIProvider uses OpenAI's chat completions (https://platform.openai.com/docs/api-reference/chat), like most other
// providers.
type openAIProvider struct {
	client   *providerClient
	limitKey string // the key for max_output_tokens
}

// azureHost matches hosts that require the key in a different header.
var azureHost = regexp.MustCompile(`\.(openai|cognitiveservices|services\.ai)\.azure\.com$`)

// reasoningModel matches models that accept only max_completion_tokens, on any host.
var reasoningModel = regexp.MustCompile(`^(.*/)?(ft:)?(o[1-9][0-9]*(-|$)|gpt-([5-9]|[1-9][0-9]))`)

func newOpenAI(r model.Resolved, o Options, base *url.URL) model.Provider {
	if r.API == model.Responses {
		return newResponses(r, o, base)
	}
	p := &openAIProvider{newOpenAIClient(r, o, base.JoinPath("chat/completions")), "max_tokens"}
	if r.Provider != "openai" {
		return p
	}
	p.client.advise = chatAdvice
	if r.Own || azureHost.MatchString(base.Hostname()) || reasoningModel.MatchString(r.Model) {
		p.limitKey = "max_completion_tokens"
	}
	return p
}

// newOpenAIClient returns a client for one of OpenAI's interfaces, with the key in the header that the address
// requires.
func newOpenAIClient(r model.Resolved, o Options, address *url.URL) *providerClient {
	client := newProviderClient(r, o, address.String())
	switch {
	case r.Key == "":
	case azureHost.MatchString(address.Hostname()):
		client.header.Set("api-key", r.Key)
	default:
		client.header.Set("Authorization", "Bearer "+r.Key)
	}
	return client
}

// onlyResponses matches refusals of chat completions for a model that calls tools only through Responses: the three of
// OpenAI (https://github.com/alvinunreal/tmuxai/issues/82, https://github.com/egoist/chatwise-releases/issues/1256,
// https://github.com/BerriAI/litellm/pull/34569), Azure's, and that of GitHub's models
// (https://github.com/caozhiyuan/copilot-api/issues/113).
var onlyResponses = regexp.MustCompile(`(?i)\bv1/responses\b|\bnot a chat model\b` +
	`|\bchatCompletion operation does not work\b|\bnot accessible via the /chat/completions\b`)

// chatAdvice returns advice on the suite key that helps against a refusal; "" for none.
func chatAdvice(status int, problem string) string {
	if status/100 == 4 && onlyResponses.MatchString(problem) {
		return `set "api: responses" on the test`
	}
	return ""
}

type (
	openAIRequest struct {
		Model               string       `json:"model"`
		Messages            []any        `json:"messages"` // our own messages, or the unchanged messages of replies
		Tools               []openAITool `json:"tools,omitempty"`
		MaxTokens           int          `json:"max_tokens,omitempty"`
		MaxCompletionTokens int          `json:"max_completion_tokens,omitempty"`
		Temperature         *float64     `json:"temperature,omitempty"`
		Stream              bool         `json:"stream"`
	}
	openAITool struct {
		Type     string         `json:"type"`
		Function openAIFunction `json:"function"`
	}
	openAIFunction struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	openAIText struct {
		Role       string       `json:"role"`
		Content    string       `json:"content"`
		ToolCallID string       `json:"tool_call_id,omitempty"`
		ToolCalls  []openAICall `json:"tool_calls,omitempty"`
	}
	openAICall struct {
		ID       string           `json:"id"`
		Type     string           `json:"type"`
		Function openAICalledFunc `json:"function"`
	}
	openAICalledFunc struct {
		Name      string          `json:"name"`
		Arguments openAIArguments `json:"arguments"`
	}
	openAIReply struct {
		Model   string         `json:"model"`
		Choices []openAIChoice `json:"choices"`
		Usage   *openAIUsage   `json:"usage"`
	}
	openAIChoice struct {
		Message      json.RawMessage `json:"message"`
		FinishReason string          `json:"finish_reason"`
	}
	openAIAnswer struct {
		Content   json.RawMessage `json:"content"`
		Refusal   string          `json:"refusal"`
		ToolCalls []openAICall    `json:"tool_calls"`
	}
	openAIUsage struct {
		Prompt     *int64 `json:"prompt_tokens"`
		Completion *int64 `json:"completion_tokens"`
		Total      int64  `json:"total_tokens"`
	}
)

// openAIArguments are a call's arguments: a string with JSON. Some servers send the JSON itself.
type openAIArguments string

// UnmarshalJSON implements [json.Unmarshaler].
func (a *openAIArguments) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data)
	}
	*a = openAIArguments(text)
	return nil
}

// Turn implements [model.Provider].
func (p *openAIProvider) Turn(ctx context.Context, req model.Request) (model.Reply, error) {
	answer, err := p.client.post(ctx, p.request(req))
	if err != nil {
		return model.Reply{}, err
	}
	reply, err := readOpenAI(answer, len(req.Messages))
	if err != nil {
		return model.Reply{}, fmt.Errorf("%s: %s", p.client.provider, p.client.printable(err.Error()))
	}
	return reply, nil
}

func (p *openAIProvider) request(req model.Request) openAIRequest {
	body := openAIRequest{Model: req.Model, Temperature: req.Temperature, Tools: make([]openAITool, len(req.Tools))}
	if p.limitKey == "max_tokens" {
		body.MaxTokens = req.MaxOutputTokens
	} else {
		body.MaxCompletionTokens = req.MaxOutputTokens
	}
	for i, t := range req.Tools {
		body.Tools[i] = openAITool{"function", openAIFunction{t.Name, t.Description, wireSchema(t.Schema)}}
	}
	if req.System != "" {
		body.Messages = append(body.Messages, openAIText{Role: "system", Content: req.System})
	}
	for _, m := range req.Messages {
		body.Messages = append(body.Messages, openAIMessages(m)...)
	}
	return body
}

// openAIMessages returns the messages in the wire format for m: one for each result if m has the role tool, otherwise a single one.
func openAIMessages(m model.Message) []any {
	switch m.Role {
	case model.RoleTool:
		messages := make([]any, len(m.Results))
		for i, r := range m.Results {
			messages[i] = openAIText{Role: "tool", ToolCallID: r.CallID, Content: r.Text}
		}
		return messages
	case model.RoleAssistant:
		if raw, ok := m.Raw.(json.RawMessage); ok {
			return []any{raw}
		}
		text := openAIText{Role: "assistant", Content: m.Text}
		for _, c := range m.Calls {
			text.ToolCalls = append(text.ToolCalls, openAICall{c.ID, "function", openAICalledFunc{c.Name, openAIArguments(c.Args)}})
		}
		return []any{text}
	}
	return []any{openAIText{Role: "user", Content: m.Text}}
}

// readOpenAI reads an answer of chat completions. messages is the number of messages in the request, for ids of calls.
func readOpenAI(answer []byte, messages int) (model.Reply, error) {
	var in openAIReply
	if err := json.Unmarshal(answer, &in); err != nil {
		return model.Reply{}, fmt.Errorf("the reply cannot be read as JSON: %w", err)
	}
	if len(in.Choices) == 0 {
		return model.Reply{}, fmt.Errorf("the reply holds no choice")
	}
	choice := in.Choices[0]
	var message openAIAnswer
	if err := json.Unmarshal(choice.Message, &message); err != nil {
		return model.Reply{}, fmt.Errorf("the message of the reply cannot be read: %w", err)
	}
	raw, err := openAIRaw(choice.Message, messages)
	if err != nil {
		return model.Reply{}, fmt.Errorf("the message of the reply cannot be read: %w", err)
	}
	reply := model.Reply{Model: in.Model, Text: openAIContent(message.Content), Stop: openAIStop(choice.FinishReason), Raw: raw}
	for i, c := range message.ToolCalls {
		reply.Calls = append(reply.Calls, model.Call{ID: openAICallID(c.ID, messages, i), Name: c.Function.Name, Args: string(c.Function.Arguments)})
	}
	if message.Refusal != "" {
		reply.Text, reply.Stop = message.Refusal, model.StopRefusal
	}
	reply.Input, reply.Output = in.Usage.counts()
	return reply, matchStopToCalls(&reply)
}

// openAICallID returns the id of call i. If the server gives none, it returns a new id, because results refer to it.
func openAICallID(id string, messages, i int) string {
	if id == "" {
		return fmt.Sprintf("call_%d_%d", messages, i+1)
	}
	return id
}

// openAIRaw returns a reply's message in the form that goes back to the server. Fields that are null or that only
// replies have are removed, because other servers refuse them. All other fields stay, such as the signed thoughts
// without which Google refuses the next request.
func openAIRaw(message json.RawMessage, messages int) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(message, &fields); err != nil {
		return nil, err
	}
	if fields == nil {
		return nil, errors.New("it is null")
	}
	for key, value := range fields {
		isRefusedNull := string(value) == "null" && key != "content"
		if isRefusedNull || key == "annotations" {
			delete(fields, key)
		}
	}
	fields["role"] = json.RawMessage(`"assistant"`)
	var calls []map[string]json.RawMessage
	if fields["tool_calls"] != nil {
		if err := json.Unmarshal(fields["tool_calls"], &calls); err != nil {
			return nil, err
		}
	}
	if len(calls) == 0 {
		delete(fields, "tool_calls")
		return marshalPlain(fields)
	}
	for i, call := range calls {
		if call == nil {
			return nil, fmt.Errorf("call %d is null", i+1)
		}
		var id string
		if json.Unmarshal(call["id"], &id) != nil || id == "" {
			call["id"] = json.RawMessage(`"` + openAICallID("", messages, i) + `"`)
		}
	}
	list, err := marshalPlain(calls)
	if err != nil {
		return nil, err
	}
	fields["tool_calls"] = list
	return marshalPlain(fields)
}

// openAIContent returns the text of a content: a string, or parts, some of which hold text.
func openAIContent(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct{ Type, Text string }
	if json.Unmarshal(content, &parts) != nil {
		return ""
	}
	var all strings.Builder
	for _, part := range parts {
		if part.Type == "text" {
			all.WriteString(part.Text)
		}
	}
	return all.String()
}

func openAIStop(reason string) model.StopReason {
	switch reason {
	case "stop":
		return model.StopEndTurn
	case "tool_calls", "function_call":
		return model.StopToolUse
	case "length", "model_length": // the second is Mistral's reason for the limit of the context
		return model.StopMaxTokens
	case "content_filter":
		return model.StopRefusal
	}
	return model.StopReason(reason)
}

// counts returns the tokens read and written. Google counts a model's thoughts only in the total, and charges for them
// as output.
func (u *openAIUsage) counts() (input, output trace.Count) {
	if u == nil {
		return input, output
	}
	if u.Prompt != nil {
		input = tokenCount(*u.Prompt)
	}
	if u.Completion != nil {
		output = tokenCount(*u.Completion)
		if input.Known && output.Known && u.Total-input.N > output.N {
			output = tokenCount(u.Total - input.N)
		}
	}
	return input, output
}
