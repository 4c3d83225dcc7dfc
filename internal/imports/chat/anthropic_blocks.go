package chat

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// anthropicMessage is a message of a conversation.
type anthropicMessage struct {
	Role    logs.AnyText    `json:"role"`
	Content anthropicBlocks `json:"content"`

	Foreign jsontext.Value `json:"tool_calls"` // calls in the form of OpenAI's API
}

// anthropicBlocks are the blocks of a message's content. A text counts as one block.
type anthropicBlocks []anthropicBlock

// UnmarshalJSONFrom reads the content.
func (c *anthropicBlocks) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '"' {
		return (*list[anthropicBlock])(c).UnmarshalJSONFrom(dec)
	}
	raw, err := dec.ReadValue()
	if err == nil {
		*c = anthropicBlocks{{Type: "text", Text: logs.AnyText(logs.Unquote(raw))}}
	}
	return err
}

// anthropicBlock is a block of a message.
type anthropicBlock struct {
	Type      logs.AnyText            `json:"type"`
	Text      logs.AnyText            `json:"text"`
	ID        logs.AnyText            `json:"id"`
	Name      logs.AnyText            `json:"name"`
	Server    logs.AnyText            `json:"server_name"`
	Input     jsontext.Value          `json:"input"`
	ToolUseID logs.AnyText            `json:"tool_use_id"`
	Content   logs.Either             `json:"content"`
	IsError   logs.AnyText            `json:"is_error"`
	Source    object[anthropicSource] `json:"source"`
}

type anthropicSource struct {
	MediaType logs.AnyText `json:"media_type"`
}

// ignoredBlocks are types of blocks that a run does not keep.
var ignoredBlocks = map[logs.AnyText]bool{
	"thinking": true, "redacted_thinking": true, "compaction": true, "container_upload": true,
}

// turnOfBlocks returns a message as a turn; ok is false if a run does not keep the message.
func (p *parser) turnOfBlocks(m *anthropicMessage) (turn, bool) {
	t := turn{role: string(m.Role)}
	if !isBlank(m.Foreign) {
		p.value.Skip("has calls in the form of OpenAI's API, which the format openai reads")
		return t, false
	}
	switch m.Role {
	case logs.RoleAssistant:
		p.addAssistantBlocks(&t, m.Content)
	case logs.RoleUser:
		t.addUserBlocks(m.Content)
	case logs.RoleSystem:
		t.addMessage(logs.RoleSystem, m.Content.text())
	default:
		p.value.Skip("has a message of the role " + quoted(string(m.Role)))
		return t, false
	}
	return t, true
}

// text returns the text of blocks, with the type in brackets for a block that is not text. Results and ignored blocks are left out.
func (c anthropicBlocks) text() string {
	var texts []string
	for i := range c {
		if !ignoredBlocks[c[i].Type] && !c[i].isResult() {
			texts = append(texts, c[i].text())
		}
	}
	return strings.Join(texts, "\n")
}

func (b *anthropicBlock) text() string {
	if b.Type == "text" {
		return string(b.Text)
	}
	return "[" + logs.OneWord(strings.TrimSpace(string(b.Type+" "+b.Source.value.MediaType))) + "]"
}

func (b *anthropicBlock) isResult() bool {
	return b.Type == "tool_result" || strings.HasSuffix(string(b.Type), "_tool_result")
}

// addAssistantBlocks adds a message of the model. A reply without text is also a turn, because its tokens belong to it.
func (p *parser) addAssistantBlocks(t *turn, blocks anthropicBlocks) {
	if len(blocks) == 0 || blocks[0].Type != "text" {
		t.addMessage(logs.RoleAssistant, "")
	}
	for i := range blocks {
		switch b := &blocks[i]; {
		case b.Type == "text":
			t.addMessage(logs.RoleAssistant, string(b.Text))
		case b.Type == "tool_use", b.Type == "mcp_tool_use":
			t.addCall(logs.Call{ID: string(b.ID), Name: string(b.Name), Server: string(b.Server), Args: logs.Args{Object: b.Input}})
		case b.Type == "server_tool_use":
			t.addCall(logs.Call{ID: string(b.ID), Name: string(b.Name), Server: trace.BuiltinServer, Args: logs.Args{Object: b.Input}})
		case b.isResult():
			b.addResult(t)
		case ignoredBlocks[b.Type]:
		default:
			p.value.Skip("has a block of the type " + quoted(string(b.Type)))
		}
	}
}

// addUserBlocks adds a message of the user, or the results that a program sends in the user's name. A text beside results is not
// a message of the user: it can be a reminder by the program.
func (t *turn) addUserBlocks(blocks anthropicBlocks) {
	for i := range blocks {
		if blocks[i].isResult() {
			blocks[i].addResult(t)
		}
	}
	t.sayAfterResults(blocks.text())
}

func (t *turn) sayAfterResults(text string) {
	hasResult := len(t.events) > 0
	if hasResult {
		t.role = logs.RoleTool
	}
	if text != "" || !hasResult {
		t.events = append(t.events, turnEvent{Kind: eventMessage, Message: logs.Message{Role: logs.RoleUser, Text: text, Aside: hasResult}})
	}
}

func (b *anthropicBlock) addResult(t *turn) {
	r := logs.Result{CallID: string(b.ToolUseID), Failed: b.IsError == "true", Found: logs.FoundIn(b.Content.Other)}
	isClientResult := b.Type == "tool_result" || b.Type == "mcp_tool_result"
	switch {
	case isClientResult:
		r.Text = b.Content.Content()
	case r.Found == nil:
		r.Text, r.Error = serverResult(b.Content.Other)
	}
	t.addResult("", r)
}

// serverResult returns the result of a tool of the provider: an error with its code, pages with their titles and addresses, or
// an object.
func serverResult(raw jsontext.Value) (text, err string) {
	var object struct {
		Type logs.AnyText `json:"type"`
		Code logs.AnyText `json:"error_code"`
	}
	isObject := raw.Kind() == '{' && json.Unmarshal(raw, &object, logs.Lenient) == nil
	if isObject && strings.HasSuffix(string(object.Type), "_error") {
		return "", string(object.Type + ": " + object.Code)
	}
	var pages list[struct {
		Title logs.AnyText `json:"title"`
		URL   logs.AnyText `json:"url"`
	}]
	if raw.Kind() != '[' || json.Unmarshal(raw, &pages, logs.Lenient) != nil {
		return logs.CompactText(raw), ""
	}
	var lines []string
	for _, page := range pages {
		lines = append(lines, strings.TrimSpace(string(page.Title+" "+page.URL)))
	}
	return strings.Join(lines, "\n"), ""
}
