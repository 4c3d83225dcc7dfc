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

// message is one message of a conversation, in any of the forms that tracing programs keep: those of the providers' APIs, of
// LangChain, of OpenTelemetry and OpenInference. Formats with only one form have readers of their own.
type message struct {
	role    string // "user", "assistant", "system", "tool"; "" if there is none
	text    string
	calls   []logs.Call
	results []logs.Result
}

// word is a text in a log. Any other value is "", and does not make the record unreadable.
type word string

// UnmarshalJSON reads the text.
func (w *word) UnmarshalJSON(raw []byte) error {
	*w = ""
	if jsontext.Value(raw).Kind() == '"' {
		*w = word(logs.Unquote(raw))
	}
	return nil
}

// truth is a boolean in a log. Any other value is false. If an object has a key in several spellings, the truth is true if any of
// their values is true.
type truth bool

// UnmarshalJSON reads the boolean.
func (t *truth) UnmarshalJSON(raw []byte) error {
	*t = *t || jsontext.Value(raw).Kind() == 't'
	return nil
}

// scalarText returns the text of [logs.Scalar]; "" for other values.
func scalarText(raw jsontext.Value) string {
	text, _ := logs.Scalar(raw)
	return text
}

// roles are the roles of messages, by the names that programs use.
var roles = map[word]string{
	"user": logs.RoleUser, "human": logs.RoleUser, "HumanMessage": logs.RoleUser, "HumanMessageChunk": logs.RoleUser,
	"assistant": logs.RoleAssistant, "ai": logs.RoleAssistant, "model": logs.RoleAssistant, "AIMessage": logs.RoleAssistant, "AIMessageChunk": logs.RoleAssistant,
	"system": logs.RoleSystem, "developer": logs.RoleSystem, "SystemMessage": logs.RoleSystem,
	"tool": logs.RoleTool, "function": logs.RoleTool, "ToolMessage": logs.RoleTool, "FunctionMessage": logs.RoleTool,
}

// maxWrapped is the maximum depth of wrappers around messages.
const maxWrapped = 8

// messagesOf returns the messages in a value: a text (JSON, or one message), a message, a list of messages, or an object that
// encloses these, such as a request or a response.
func messagesOf(raw jsontext.Value) []message { return messagesIn(raw, 0) }

func messagesIn(raw jsontext.Value, depth int) []message {
	if depth > maxWrapped {
		return nil
	}
	switch raw.Kind() {
	case '"':
		text := logs.Unquote(raw)
		if inner := jsonIn(text); inner != nil {
			return messagesIn(inner, depth+1)
		}
		return []message{{text: text}}
	case '[':
		return messagesInList(raw, depth)
	case '{':
		if inner := unwrapped(raw); inner != nil {
			return messagesIn(inner, depth+1)
		}
		return []message{readMessage(raw, depth)}
	}
	return nil
}

// jsonIn returns the object or list that a text contains; nil for any other text.
func jsonIn(text string) jsontext.Value {
	raw := jsontext.Value(strings.TrimSpace(text))
	if kind := raw.Kind(); kind != '{' && kind != '[' || !logs.IsValid(raw) {
		return nil
	}
	return raw
}

// messagesInList returns the messages of a list. A list of blocks is the content of a single message.
func messagesInList(raw jsontext.Value, depth int) []message {
	var all []message
	var blocks message
	isContent := false
	for _, one := range logs.ElementsOf(raw) {
		if one.Kind() == '{' && probeOf(one).isBlock() {
			blocks.addBlock(one)
			isContent = true
			continue
		}
		all = append(all, messagesIn(one, depth+1)...)
	}
	if isContent {
		all = append(all, blocks)
	}
	joinSearches(all)
	return all
}

// keyKind is the kind of a value, without the value; 0 if the key is missing.
type keyKind jsontext.Kind

// UnmarshalJSONFrom reads the kind.
func (t *keyKind) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*t = keyKind(dec.PeekKind())
	return dec.SkipValue()
}

// probe has the keys that distinguish messages, blocks, and objects that enclose messages.
type probe struct {
	Type        word           `json:"type"`
	Role        keyKind        `json:"role"`
	Text        keyKind        `json:"text"`
	Content     keyKind        `json:"content"`
	Parts       keyKind        `json:"parts"`
	Message     keyKind        `json:"message"`
	CallID      keyKind        `json:"call_id"`
	Called      keyKind        `json:"functionCall"`
	Returned    keyKind        `json:"functionResponse"`
	Messages    jsontext.Value `json:"messages"`
	Choices     jsontext.Value `json:"choices"`
	Generations jsontext.Value `json:"generations"`
	Candidates  jsontext.Value `json:"candidates"`
	Output      jsontext.Value `json:"output"`
	Input       jsontext.Value `json:"input"`
	Prompts     jsontext.Value `json:"prompts"`
}

// probeOf reads the keys that distinguish the forms of a value.
func probeOf(raw jsontext.Value) (p probe) {
	_ = json.Unmarshal(raw, &p, logs.Lenient) // no error: every value fits
	return p
}

// unwrapped returns the value that contains the messages of an object; nil if the object is a message itself.
func unwrapped(raw jsontext.Value) jsontext.Value {
	p := probeOf(raw)
	if p.Role != 0 || p.CallID != 0 || p.Type == "tool_use" {
		return nil
	}
	for _, one := range []jsontext.Value{p.Choices, p.Generations, p.Candidates} {
		if list := logs.ElementsOf(one); len(list) > 0 {
			return list[0] // the other elements are alternative replies
		}
	}
	for _, one := range []jsontext.Value{p.Messages, p.Output, p.Input, p.Prompts} {
		if kind := one.Kind(); kind == '[' || kind == '{' || kind == '"' {
			return one
		}
	}
	return nil
}

// messageForm is a message with the keys of all formats.
type messageForm struct {
	Role         word             `json:"role"`
	Type         word             `json:"type"`
	Name         word             `json:"name"`
	Content      jsontext.Value   `json:"content"`
	Text         jsontext.Value   `json:"text"`
	Parts        jsontext.Value   `json:"parts"`
	Calls        jsontext.Value   `json:"tool_calls"`
	FunctionCall jsontext.Value   `json:"function_call"`
	Function     jsontext.Value   `json:"function"`  // key of a call
	Arguments    jsontext.Value   `json:"arguments"` // key of a call
	Kwargs       jsontext.Value   `json:"additional_kwargs"`
	ToolCallID   word             `json:"tool_call_id"`
	CallID       word             `json:"call_id"`
	Output       jsontext.Value   `json:"output"`
	Tools        jsontext.Value   `json:"tools"` // tools that a search returned
	Execution    word             `json:"execution"`
	Status       word             `json:"status"`
	Error        jsontext.Value   `json:"error"`
	IsError      truth            `json:"is_error"`
	Message      jsontext.Value   `json:"message"`
	Inner        jsontext.Value   `json:"kwargs"` // key of LangChain's constructors
	Data         jsontext.Value   `json:"data"`
	Class        jsontext.Value   `json:"id"`
	Contents     []jsontext.Value `json:"contents"` // written by OpenInference
}

// readMessage reads a message in any of the known forms. An unknown form gives an empty message.
func readMessage(raw jsontext.Value, depth int) message {
	var m messageForm
	if depth > maxWrapped || json.Unmarshal(raw, &m, logs.Lenient) != nil {
		return message{}
	}
	for _, inner := range []jsontext.Value{m.Inner, m.Message, m.Data} {
		if inner.Kind() == '{' {
			return withRole(m, readMessage(inner, depth+1))
		}
	}
	h := message{role: cmp.Or(roles[m.Role], roles[m.Type])}
	switch {
	case m.isCall():
		h.role = logs.RoleAssistant
		h.addCall(raw)
	case m.Type == "tool_search_call" || m.Type == "tool_search_output":
		m.addSearch(&h)
	case m.Type == "function_call_output":
		h.role = logs.RoleTool
		h.results = []logs.Result{{CallID: string(m.CallID), Text: logs.Text(m.Output)}}
	default:
		m.fillMessage(&h)
	}
	return h
}

func (m *messageForm) isCall() bool {
	hasArguments := m.Name != "" && m.Arguments != nil
	return m.Type == "function_call" || m.Role == "" && (m.Function.Kind() == '{' || hasArguments)
}

// addSearch adds a search for tools, or its result, in the form of the Responses API. If the provider searched, call and result are
// parts of one reply, and only the call has an id.
func (m *messageForm) addSearch(h *message) {
	h.role = logs.RoleAssistant
	id := string(m.CallID)
	if m.Type == "tool_search_call" {
		h.calls = []logs.Call{{ID: cmp.Or(id, logs.Unquote(m.Class)), Name: "tool_search", Server: trace.BuiltinServer, Args: argsIn(m.Arguments)}}
		return
	}
	if m.Execution == "client" {
		h.role = logs.RoleTool
	}
	h.results = []logs.Result{{CallID: id, Found: logs.FoundTools(m.Tools)}}
}

// joinSearches sets the id of a search result that has none to the id of the preceding call.
func joinSearches(all []message) {
	for i := 1; i < len(all); i++ {
		results, calls := all[i].results, all[i-1].calls
		if len(results) != 1 || len(calls) != 1 {
			continue
		}
		if r := &results[0]; r.Found != nil && r.CallID == "" {
			r.CallID = calls[0].ID
		}
	}
}

// withRole returns h, a message inside the object m. If the message has no role, it gets the role of the object.
func withRole(m messageForm, h message) message {
	var class []word
	if h.role == "" && json.Unmarshal(m.Class, &class, logs.Lenient) == nil && len(class) > 0 {
		h.role = roles[class[len(class)-1]]
	}
	h.role = cmp.Or(h.role, roles[m.Type])
	return h
}

func (m *messageForm) fillMessage(h *message) {
	h.addContent(m.Content)
	h.addContent(m.Parts)
	for _, one := range m.Contents {
		h.addBlock(one)
	}
	if m.Content == nil && m.Parts == nil && m.Text.Kind() == '"' {
		h.addText(logs.Unquote(m.Text))
	}
	if h.role == logs.RoleTool && len(h.results) == 0 {
		hasError := m.Error.Kind() == '{' || m.Error.Kind() == '"'
		r := logs.Result{CallID: string(m.ToolCallID), Text: h.text, Error: errorText(m.Error)}
		r.Failed = hasError || m.Status == "error" || bool(m.IsError)
		h.text, h.results = "", []logs.Result{r}
		return
	}
	m.addCalls(h)
}

// addCalls adds the calls beside the content. LangChain repeats the same calls in several places, so only the first place with
// calls counts.
func (m *messageForm) addCalls(h *message) {
	calls := logs.ElementsOf(m.Calls)
	if len(calls) == 0 && len(h.calls) == 0 && m.Kwargs.Kind() == '{' {
		var more messageForm
		if json.Unmarshal(m.Kwargs, &more, logs.Lenient) == nil {
			calls, m.FunctionCall = logs.ElementsOf(more.Calls), more.FunctionCall
		}
	}
	if len(calls) == 0 && m.FunctionCall.Kind() == '{' {
		calls = []jsontext.Value{m.FunctionCall}
	}
	if len(calls) == 0 {
		return
	}
	h.calls = nil
	for _, one := range calls {
		h.addCall(one)
	}
}

func errorText(raw jsontext.Value) string {
	var e struct {
		Message word `json:"message"`
		Type    word `json:"type"`
	}
	switch raw.Kind() {
	case '"':
		return logs.Unquote(raw)
	case '{':
		if json.Unmarshal(raw, &e, logs.Lenient) == nil && e.Message+e.Type != "" {
			return strings.TrimPrefix(string(e.Type)+": "+string(e.Message), ": ")
		}
		return logs.CompactText(raw)
	}
	return ""
}

func isNothing(raw jsontext.Value) bool {
	return len(raw) == 0 || raw.Kind() == 'n' || bytes.Equal(raw, []byte(`""`))
}
