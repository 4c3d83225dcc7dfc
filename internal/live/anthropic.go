package live

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/org/mcp-gates/internal/trace"
)

// anthropicVersion is the version of the API that requests are written for.
const anthropicVersion = "2023-06-01"

// anthropicProvider speaks Anthropic's Messages API (https://platform.claude.com/docs/en/api/messages).
type anthropicProvider struct {
	client *providerClient
}

func newAnthropic(r Resolved, o ProviderOptions) (*anthropicProvider, error) {
	base, err := url.Parse(r.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("the address of %s: %w", r.Provider, err)
	}
	path := "v1/messages"
	if strings.HasSuffix(base.Path, "/v1") {
		path = "messages"
	}
	client := newProviderClient(r, o, base.JoinPath(path).String())
	client.header.Set("anthropic-version", anthropicVersion)
	if r.Key != "" {
		client.header.Set("x-api-key", r.Key)
	}
	return &anthropicProvider{client}, nil
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
		Content any    `json:"content"` // a text, blocks, or blocks as they came
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

// Turn implements [Provider].
func (p *anthropicProvider) Turn(ctx context.Context, req Request) (Reply, error) {
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
		return Reply{}, err
	}
	reply, err := readAnthropic(answer)
	if err != nil {
		return Reply{}, fmt.Errorf("anthropic: %s", p.client.printable(err.Error()))
	}
	return reply, nil
}

func anthropicMessageOf(m Message) anthropicMessage {
	switch m.Role {
	case RoleTool:
		return anthropicMessage{"user", anthropicResults(m.Results)}
	case RoleAssistant:
		if raw, ok := m.Raw.(json.RawMessage); ok {
			return anthropicMessage{"assistant", raw}
		}
		return anthropicMessage{"assistant", anthropicAssistant(m)}
	}
	return anthropicMessage{"user", m.Text}
}

func anthropicResults(results []Result) []anthropicBlock {
	blocks := make([]anthropicBlock, len(results))
	for i, r := range results {
		blocks[i] = anthropicBlock{Type: "tool_result", ToolUseID: r.CallID, Content: r.Text, IsError: r.IsError}
	}
	return blocks
}

// anthropicAssistant writes a message that this provider did not make.
func anthropicAssistant(m Message) []anthropicBlock {
	var blocks []anthropicBlock
	if strings.TrimSpace(m.Text) != "" {
		blocks = append(blocks, anthropicBlock{Type: "text", Text: m.Text})
	}
	for _, c := range m.Calls {
		input := json.RawMessage(c.Args)
		var object map[string]json.RawMessage
		if json.Unmarshal(input, &object) != nil || object == nil {
			input = json.RawMessage("{}") // the only form of which this API takes arguments
		}
		blocks = append(blocks, anthropicBlock{Type: "tool_use", ID: c.ID, Name: c.Name, Input: input})
	}
	return blocks
}

func readAnthropic(answer []byte) (Reply, error) {
	var in anthropicReply
	if err := json.Unmarshal(answer, &in); err != nil {
		return Reply{}, fmt.Errorf("the reply cannot be read as JSON: %w", err)
	}
	var blocks []anthropicBlock
	if in.Type != "message" || json.Unmarshal(in.Content, &blocks) != nil {
		return Reply{}, fmt.Errorf("the reply is not a message with content, found type %q", in.Type)
	}
	reply := Reply{Model: in.Model, Stop: StopReason(in.StopReason), Raw: in.Content}
	for _, b := range blocks {
		switch b.Type {
		case "text":
			reply.Text += b.Text
		case "tool_use":
			reply.Calls = append(reply.Calls, Call{b.ID, b.Name, string(b.Input)})
		}
	}
	reply.Input, reply.Output = in.Usage.counts()
	return reply, settleStop(&reply)
}

// counts returns the tokens read and written. Those that were written to a cache or read from one were read by the
// model, too, and are not in input_tokens.
func (u anthropicUsage) counts() (input, output trace.Count) {
	if u.Input != nil {
		input = tokenCount(*u.Input, u.CacheWrites, u.CacheReads)
	}
	if u.Output != nil {
		output = tokenCount(*u.Output)
	}
	return input, output
}

// maxTokenCount is more than any reply can take, and less than what overflows when it is summed over runs.
const maxTokenCount = 1 << 40

// tokenCount returns the sum of reported numbers of tokens, unknown when one of them cannot be one.
func tokenCount(reported ...int64) trace.Count {
	sum := int64(0)
	for _, n := range reported {
		if n < 0 || n > maxTokenCount {
			return trace.Count{}
		}
		sum += n
	}
	return trace.Known(sum)
}

// settleStop makes a reply's reason to stop agree with its calls, which some providers do not: there is something to do
// for the loop if and only if there are calls. A reply without any reason is not a whole one.
func settleStop(r *Reply) error {
	switch {
	case r.Stop == "" && len(r.Calls) == 0:
		return fmt.Errorf("the reply does not say why it ended")
	case r.Stop == StopToolUse && len(r.Calls) == 0:
		r.Stop = StopEndTurn
	case (r.Stop == StopEndTurn || r.Stop == "") && len(r.Calls) > 0:
		r.Stop = StopToolUse
	}
	return nil
}

// wireSchema returns the schema of a tool's arguments as providers want it: they refuse one that does not say that it
// is an object, and OpenAI one that does not list its properties. Both are no more than said out loud.
func wireSchema(schema []byte) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(schema, &fields) != nil || len(fields) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	var added string
	if fields["type"] == nil {
		added += `"type":"object",`
	}
	if fields["properties"] == nil {
		added += `"properties":{},`
	}
	if added == "" {
		return json.RawMessage(schema)
	}
	rest := strings.TrimLeft(strings.TrimSpace(string(schema))[1:], " \t\r\n")
	return json.RawMessage("{" + added + rest)
}
