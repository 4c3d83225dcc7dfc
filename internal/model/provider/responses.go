package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/trace"
)

// responsesProvider uses OpenAI's Responses (https://platform.openai.com/docs/api-reference/responses). The provider
// stores nothing: each request holds the whole conversation, with the thoughts of the model in encrypted form.
type responsesProvider struct {
	client *providerClient
}

// nonReasoning matches models that do not reason. They refuse a request for encrypted thoughts ("Encrypted content is not
// supported with this model").
var nonReasoning = regexp.MustCompile(`^(.*/)?(ft:)?(gpt-[34]|chatgpt-|gpt-[0-9.]+-chat)`)

func newResponses(r model.Resolved, o Options, base *url.URL) model.Provider {
	client := newOpenAIClient(r, o, base.JoinPath("responses"))
	if !r.Own {
		client.advise = responsesAdvice
	}
	return &responsesProvider{client}
}

// responsesAdvice returns advice on the suite key that helps if a server has no Responses; "" for none. A 404 can also mean that
// the server lacks the model, which needs no such advice.
func responsesAdvice(status int, problem string) string {
	isMissing := status == http.StatusNotFound || status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented
	if !isMissing || strings.Contains(strings.ToLower(problem), "model") {
		return ""
	}
	return `set "api: chat" on the test if the server speaks only chat completions`
}

// Types of items.
const (
	responsesMessageItem = "message"
	responsesCallItem    = "function_call"
	responsesResultItem  = "function_call_output"
)

type (
	responsesRequest struct {
		Model           string          `json:"model"`
		Instructions    string          `json:"instructions,omitempty"`
		Input           []any           `json:"input"` // our own items, or the unchanged items of replies
		Tools           []responsesTool `json:"tools,omitempty"`
		MaxOutputTokens int             `json:"max_output_tokens"`
		Temperature     *float64        `json:"temperature,omitempty"`
		Include         []string        `json:"include,omitempty"`
		Store           bool            `json:"store"`
		Stream          bool            `json:"stream"`
	}
	responsesTool struct {
		Type        string          `json:"type"`
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      bool            `json:"strict"` // must be sent, because the default true changes schemas
	}
	responsesMessage struct {
		Type    string `json:"type"`
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	responsesCall struct {
		Type      string          `json:"type"`
		CallID    string          `json:"call_id"`
		Name      string          `json:"name"`
		Arguments openAIArguments `json:"arguments"`
	}
	responsesResult struct {
		Type   string `json:"type"`
		CallID string `json:"call_id"`
		Output string `json:"output"`
	}
	responsesReply struct {
		Model      string                  `json:"model"`
		Status     string                  `json:"status"`
		Incomplete struct{ Reason string } `json:"incomplete_details"`
		Error      json.RawMessage         `json:"error"`
		Output     []json.RawMessage       `json:"output"`
		Usage      responsesUsage          `json:"usage"`
	}
	responsesUsage struct {
		Input  *int64 `json:"input_tokens"`  // including tokens from a cache
		Output *int64 `json:"output_tokens"` // including tokens of thoughts
	}
	responsesPart struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	}
)

// responsesItem is an item of a reply, with the unchanged fields that go back to the server.
type responsesItem map[string]json.RawMessage

// Turn implements [model.Provider].
func (p *responsesProvider) Turn(ctx context.Context, req model.Request) (model.Reply, error) {
	answer, err := p.client.post(ctx, responsesRequestOf(req))
	if err != nil {
		return model.Reply{}, err
	}
	reply, err := readResponses(answer, len(req.Messages))
	if err != nil {
		return model.Reply{}, fmt.Errorf("%s: %s", p.client.provider, p.client.printable(err.Error()))
	}
	return reply, nil
}

func responsesRequestOf(req model.Request) responsesRequest {
	body := responsesRequest{
		Model: req.Model, Instructions: req.System, Temperature: req.Temperature, MaxOutputTokens: req.MaxOutputTokens,
		Tools: make([]responsesTool, len(req.Tools)),
	}
	if !nonReasoning.MatchString(req.Model) {
		body.Include = []string{"reasoning.encrypted_content"}
	}
	for i, t := range req.Tools {
		body.Tools[i] = responsesTool{"function", t.Name, t.Description, wireSchema(t.Schema), false}
	}
	for _, m := range req.Messages {
		body.Input = append(body.Input, responsesItems(m)...)
	}
	return body
}

// responsesItems returns the items for a message. A reply of this API is sent back as it was received.
func responsesItems(m model.Message) []any {
	if m.Role == model.RoleUser {
		return []any{responsesMessage{responsesMessageItem, "user", m.Text}}
	}
	var items []any
	if m.Role == model.RoleTool {
		for _, r := range m.Results {
			items = append(items, responsesResult{responsesResultItem, r.CallID, r.Text})
		}
		return items
	}
	if raw, ok := m.Raw.([]responsesItem); ok {
		for _, item := range raw {
			items = append(items, item)
		}
		return items
	}
	if m.Text != "" {
		items = append(items, responsesMessage{responsesMessageItem, "assistant", m.Text})
	}
	for _, c := range m.Calls {
		items = append(items, responsesCall{responsesCallItem, c.ID, c.Name, openAIArguments(c.Args)})
	}
	return items
}

// readResponses reads an answer of the Responses API. messages is the number of messages in the request, for ids of calls.
func readResponses(answer []byte, messages int) (model.Reply, error) {
	var in responsesReply
	if err := json.Unmarshal(answer, &in); err != nil {
		return model.Reply{}, fmt.Errorf("the reply cannot be read as JSON: %w", err)
	}
	if in.Status == "failed" || in.Error != nil && string(in.Error) != "null" {
		return model.Reply{}, fmt.Errorf("the reply failed: %s", problemOf(answer))
	}
	if in.Output == nil {
		return model.Reply{}, errors.New("the reply holds no output")
	}
	reply := model.Reply{Model: in.Model, Stop: in.stop()}
	raw := make([]responsesItem, len(in.Output))
	for i, text := range in.Output {
		item, err := readResponsesItem(text)
		if err == nil {
			err = item.addTo(&reply, messages)
		}
		if err != nil {
			return model.Reply{}, fmt.Errorf("item %d of the reply cannot be read: %w", i+1, err)
		}
		raw[i] = item
	}
	reply.Raw = raw
	reply.Input, reply.Output = in.Usage.counts()
	return reply, matchStopToCalls(&reply)
}

// readResponsesItem returns an item in the form that goes back to the server. Fields that are null are removed, because
// other servers refuse them; all other fields stay.
func readResponsesItem(text json.RawMessage) (responsesItem, error) {
	var item responsesItem
	if err := json.Unmarshal(text, &item); err != nil {
		return nil, err
	}
	if item == nil {
		return nil, errors.New("it is null")
	}
	for key, value := range item {
		if string(value) == "null" {
			delete(item, key)
		}
	}
	return item, nil
}

// addTo adds the content of an item to a reply, and gives an id to a call without one.
func (item responsesItem) addTo(reply *model.Reply, messages int) error {
	switch item.text("type") {
	case responsesMessageItem:
		return item.addMessage(reply)
	case responsesCallItem:
		id := item.text("call_id")
		if id == "" {
			id = openAICallID("", messages, len(reply.Calls))
			item["call_id"] = json.RawMessage(`"` + id + `"`)
		}
		var args openAIArguments
		if text := item["arguments"]; text != nil {
			if err := json.Unmarshal(text, &args); err != nil {
				return err
			}
		}
		reply.Calls = append(reply.Calls, model.Call{ID: id, Name: item.text("name"), Args: string(args)})
	}
	return nil
}

// addMessage adds the text of a message. Each message is a paragraph; a refusal ends the run.
func (item responsesItem) addMessage(reply *model.Reply) error {
	var parts []responsesPart
	if text := item["content"]; text != nil {
		if err := json.Unmarshal(text, &parts); err != nil {
			return err
		}
	}
	if reply.Text != "" && len(parts) > 0 {
		reply.Text += "\n\n"
	}
	for _, part := range parts {
		switch part.Type {
		case "output_text":
			reply.Text += part.Text
		case "refusal":
			reply.Text += part.Refusal
			reply.Stop = model.StopRefusal
		}
	}
	return nil
}

// text returns a field that is a text; "" for any other field.
func (item responsesItem) text(key string) string {
	var text string
	if json.Unmarshal(item[key], &text) != nil {
		return ""
	}
	return text
}

func (r *responsesReply) stop() model.StopReason {
	if r.Status == "completed" {
		return model.StopEndTurn
	}
	if r.Status != "incomplete" || r.Incomplete.Reason == "" {
		return model.StopReason(r.Status)
	}
	switch r.Incomplete.Reason {
	case "max_output_tokens":
		return model.StopMaxTokens
	case "content_filter":
		return model.StopRefusal
	}
	return model.StopReason(r.Incomplete.Reason)
}

func (u responsesUsage) counts() (input, output trace.Count) {
	if u.Input != nil {
		input = tokenCount(*u.Input)
	}
	if u.Output != nil {
		output = tokenCount(*u.Output)
	}
	return input, output
}
