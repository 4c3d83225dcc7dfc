package spans

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// block is a part of a message's content, with the keys of all formats.
type block struct {
	Type       word           `json:"type"`
	Text       jsontext.Value `json:"text"`
	Content    jsontext.Value `json:"content"`
	ID         word           `json:"id"`
	ToolUseID  word           `json:"tool_use_id"`
	ToolCallID word           `json:"toolCallId"`
	Failed     truth          `json:"is_error,case:ignore"` // or isError
	Error      jsontext.Value `json:"error"`
	Response   jsontext.Value `json:"response"`
	Result     jsontext.Value `json:"result"`
	Output     jsontext.Value `json:"output"`
	Modality   word           `json:"modality"`
	MIME       word           `json:"mime_type"`
	Called     jsontext.Value `json:"functionCall"`
	Returned   *block         `json:"functionResponse"`
	Wrapped    jsontext.Value `json:"message_content"` // written by OpenInference
}

// callBlocks are the types of blocks that are calls.
var callBlocks = map[word]bool{"tool_use": true, "mcp_tool_use": true, "server_tool_use": true, "tool_call": true, "tool-call": true}

// isBlock reports whether an object in a list is a part of a message, and not a whole message.
func (p probe) isBlock() bool {
	if p.Role != 0 {
		return false
	}
	switch p.Type {
	case "text", "output_text", "thinking", "reasoning", "redacted_thinking", "image", "image_url":
		return p.CallID == 0
	case "":
		if p.Text != 0 && p.Content == 0 && p.Parts == 0 && p.Message == 0 {
			return true
		}
	}
	return callBlocks[p.Type] || isResult(p.Type) || p.Called != 0 || p.Returned != 0
}

func isResult(kind word) bool {
	return kind == "tool_result" || kind == "mcp_tool_result" || kind == "tool_call_response" || kind == "tool-result" || kind == "tool_search_tool_result"
}

func (h *message) addText(text string) { h.text = logs.JoinTexts(h.text, text) }

func (h *message) addContent(raw jsontext.Value) {
	switch raw.Kind() {
	case '"':
		h.addText(logs.Unquote(raw))
	case '{':
		h.addBlock(raw)
	case '[':
		for _, one := range logs.ElementsOf(raw) {
			h.addBlock(one)
		}
	}
}

// addBlock adds a content block to the message: a text, a call or a result.
func (h *message) addBlock(raw jsontext.Value) {
	if raw.Kind() == '"' {
		h.addText(logs.Unquote(raw))
		return
	}
	var b block
	if raw.Kind() != '{' || json.Unmarshal(raw, &b, logs.Lenient) != nil {
		h.addText(logs.CompactText(raw))
		return
	}
	switch {
	case b.Wrapped.Kind() == '{':
		h.addText(logs.PartText(b.Wrapped))
	case b.Type == "reasoning" || b.Type == "thinking" || b.Type == "redacted_thinking":
	case callBlocks[b.Type]:
		h.addCall(raw)
		if b.Result != nil { // Inspect puts the result of a tool that ran at the provider into the block of the call
			b.Failed = b.Failed || truth(!isNothing(b.Error))
			h.addResult(&b)
		}
	case b.Called.Kind() == '{':
		h.addCall(b.Called)
	case b.Returned != nil:
		h.addResult(b.Returned)
	case isResult(b.Type):
		h.addResult(&b)
	case b.Type == "text" && b.Content.Kind() == '"':
		h.addText(logs.Unquote(b.Content))
	case b.Modality != "" || b.MIME != "":
		h.addText("[" + logs.OneWord(strings.TrimSpace(string(b.Modality+" "+b.MIME))) + "]")
	default:
		h.addText(logs.PartText(raw))
	}
}

func (h *message) addResult(b *block) {
	r := logs.Result{CallID: string(cmp.Or(b.ToolUseID, b.ToolCallID, b.ID)), Failed: bool(b.Failed), Error: errorText(b.Error)}
	for _, content := range []jsontext.Value{b.Content, b.Response, b.Result, b.Output} {
		if content == nil {
			continue
		}
		text, failed := resultText(content)
		r.Text, r.Failed = text, r.Failed || failed
		if isSearch := logs.FoundIn(content) != nil; isSearch {
			r.Read(content)
		}
		break // only the first place counts
	}
	h.results = append(h.results, r)
}

// resultText returns the text of a result and whether it failed. The result may be the complete result of an MCP server.
func resultText(raw jsontext.Value) (text string, failed bool) {
	whole := unquoted(raw)
	var mcp struct {
		Content jsontext.Value `json:"content"`
		IsError truth          `json:"isError"`
	}
	if whole.Kind() == '{' && json.Unmarshal(whole, &mcp, logs.Lenient) == nil && mcp.Content.Kind() == '[' {
		return logs.Text(mcp.Content), bool(mcp.IsError)
	}
	return logs.Text(raw), false
}

// callForm is a call with the keys of all formats.
type callForm struct {
	Type      word           `json:"type"`
	ID        word           `json:"id"`
	CallID    word           `json:"call_id"`
	ToolID    word           `json:"toolCallId"`
	Name      word           `json:"name"`
	ToolName  word           `json:"toolName"`
	Function  jsontext.Value `json:"function"`
	Arguments jsontext.Value `json:"arguments"`
	Args      jsontext.Value `json:"args"`
	Input     jsontext.Value `json:"input"`
	Server    word           `json:"server_name"`
	Namespace word           `json:"namespace"` // written by the Responses API
	ToolType  word           `json:"tool_type"` // written by Inspect: type and place of a tool that ran at the provider
	Context   word           `json:"context"`
	Wrapped   jsontext.Value `json:"tool_call"` // written by OpenInference
}

func (h *message) addCall(raw jsontext.Value) {
	if call, ok := readCall(raw, 0); ok {
		h.calls = append(h.calls, call)
	}
}

// readCall reads a call in any of the known forms. It returns false for any other value.
func readCall(raw jsontext.Value, depth int) (logs.Call, bool) {
	var c callForm
	if depth > maxWrapped || raw.Kind() != '{' || json.Unmarshal(raw, &c, logs.Lenient) != nil {
		return logs.Call{}, false
	}
	if c.Wrapped.Kind() == '{' {
		return readCall(c.Wrapped, depth+1)
	}
	call := logs.Call{ID: string(cmp.Or(c.CallID, c.ToolID, c.ID)), Name: string(c.Name + c.ToolName), Server: string(cmp.Or(c.Server, c.Namespace)), Args: argsIn(c.Arguments, c.Args, c.Input)}
	switch {
	case c.ToolType == "mcp_call":
		call.Server = string(c.Context)
	case c.Type == "server_tool_use" || c.ToolType != "":
		call.Server = trace.BuiltinServer
	}
	switch c.Function.Kind() {
	case '"':
		call.Name = logs.Unquote(c.Function)
	case '{':
		if inner, ok := readCall(c.Function, depth+1); ok {
			call.Name, call.Args = inner.Name, inner.Args
		}
	}
	return call, true
}

func argsIn(places ...jsontext.Value) logs.Args {
	for _, args := range places {
		if args != nil {
			return logs.Args{Object: args}
		}
	}
	return logs.Args{Absent: true}
}
