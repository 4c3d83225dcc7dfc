package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/trace"
)

// anthropicVersion is the version of the API that requests are written for.
const anthropicVersion = "2023-06-01"

// anthropicProvider speaks Anthropic's Messages API (https://platform.claude.com/docs/en/api/messages).
type anthropicProvider struct {
	client *providerClient
}

func newAnthropic(r model.Resolved, o Options, base *url.URL) model.Provider {
	path := "v1/messages"
	if strings.HasSuffix(base.Path, "/v1") {
		path = "messages"
	}
	client := newProviderClient(r, o, base.JoinPath(path).String())
	client.header.Set("anthropic-version", anthropicVersion)
	if r.Key != "" {
		client.header.Set("x-api-key", r.Key)
	}
	return &anthropicProvider{client}
}

type (
	anthropicRequest struct {
		Model       string             `json:"model"`
		MaxTokens   int                `json:"max_tokens"`
		System      string             `json:"system,omitempty"`
		Messages    []anthropicMessage `json:"messages"`
		Tools       []anthropicTool    `json:"tools,omitempty"`
		Temperature *float64           `json:"temperature,omitempty"`
		Stream      bool               `json:"stream"`
	}
	anthropicMessage struct {
		Role    string `json:"role"`
		Content any    `json:"content"` // a text, blocks, or the unchanged blocks of a reply
	}
	anthropicTool struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		InputSchema json.RawMessage `json:"input_schema"`
	}
	anthropicBlock struct {
		Type      string          `json:"type"`
		Text      string          `json:"text,omitempty"`
		ID        string          `json:"id,omitempty"`
		Name      string          `json:"name,omitempty"`
		Input     json.RawMessage `json:"input,omitempty"`
		ToolUseID string          `json:"tool_use_id,omitempty"`
		Content   string          `json:"content,omitempty"`
		IsError   bool            `json:"is_error,omitempty"`
	}
	anthropicReply struct {
		Type       string          `json:"type"`
		Model      string          `json:"model"`
		Content    json.RawMessage `json:"content"`
		StopReason string          `json:"stop_reason"`
		Usage      anthropicUsage  `json:"usage"`
	}
	anthropicUsage struct {
		Input       *int64 `json:"input_tokens"`
		CacheWrites int64  `json:"cache_creation_input_tokens"`
		CacheReads  int64  `json:"cache_read_input_tokens"`
		Output      *int64 `json:"output_tokens"`
	}
)

// Turn implements [model.Provider].
func (p *anthropicProvider) Turn(ctx context.Context, req model.Request) (model.Reply, error) {
	body := anthropicRequest{
		Model: req.Model, MaxTokens: req.MaxOutputTokens, System: req.System, Temperature: req.Temperature,
		Messages: make([]anthropicMessage, len(req.Messages)), Tools: make([]anthropicTool, len(req.Tools)),
	}
	for i, m := range req.Messages {
		body.Messages[i] = anthropicMessageOf(m)
	}
	for i, t := range req.Tools {
		body.Tools[i] = anthropicTool{t.Name, t.Description, wireSchema(t.Schema)}
	}
	answer, err := p.client.post(ctx, body)
	if err != nil {
		return model.Reply{}, err
	}
	reply, err := readAnthropic(answer)
	if err != nil {
		return model.Reply{}, fmt.Errorf("anthropic: %s", p.client.printable(err.Error()))
	}
	return reply, nil
}

func anthropicMessageOf(m model.Message) anthropicMessage {
	switch m.Role {
	case model.RoleTool:
		return anthropicMessage{"user", anthropicResults(m.Results)}
	case model.RoleAssistant:
		if raw, ok := m.Raw.(json.RawMessage); ok {
			return anthropicMessage{"assistant", raw}
		}
		return anthropicMessage{"assistant", anthropicAssistant(m)}
	}
	return anthropicMessage{"user", m.Text}
}

func anthropicResults(results []model.Result) []anthropicBlock {
	blocks := make([]anthropicBlock, len(results))
	for i, r := range results {
		blocks[i] = anthropicBlock{Type: "tool_result", ToolUseID: r.CallID, Content: r.Text, IsError: r.IsError}
	}
	return blocks
}

func anthropicAssistant(m model.Message) []anthropicBlock {
	var blocks []anthropicBlock
	if strings.TrimSpace(m.Text) != "" {
		blocks = append(blocks, anthropicBlock{Type: "text", Text: m.Text})
	}
	for _, c := range m.Calls {
		input := json.RawMessage(c.Args)
		var object map[string]json.RawMessage
		if json.Unmarshal(input, &object) != nil || object == nil {
			input = json.RawMessage("{}") // this API accepts only an object as arguments
		}
		blocks = append(blocks, anthropicBlock{Type: "tool_use", ID: c.ID, Name: c.Name, Input: input})
	}
	return blocks
}

func readAnthropic(answer []byte) (model.Reply, error) {
	var in anthropicReply
	if err := json.Unmarshal(answer, &in); err != nil {
		return model.Reply{}, fmt.Errorf("the reply cannot be read as JSON: %w", err)
	}
	var blocks []anthropicBlock
	if in.Type != "message" || json.Unmarshal(in.Content, &blocks) != nil {
		return model.Reply{}, fmt.Errorf("the reply is not a message with content, found type %q", in.Type)
	}
	reply := model.Reply{Model: in.Model, Stop: model.StopReason(in.StopReason), Raw: in.Content}
	for _, b := range blocks {
		switch b.Type {
		case "text":
			reply.Text += b.Text
		case "tool_use":
			reply.Calls = append(reply.Calls, model.Call{ID: b.ID, Name: b.Name, Args: string(b.Input)})
		}
	}
	reply.Input, reply.Output = in.Usage.counts()
	return reply, matchStopToCalls(&reply)
}

// counts returns the tokens read and written. Tokens that were written to a cache or read from one were also read by
// the model, and are not in input_tokens.
func (u anthropicUsage) counts() (input, output trace.Count) {
	if u.Input != nil {
		input = tokenCount(*u.Input, u.CacheWrites, u.CacheReads)
	}
	if u.Output != nil {
		output = tokenCount(*u.Output)
	}
	return input, output
}
