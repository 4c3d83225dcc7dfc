package chat

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// OpenAI reads requests of programs to OpenAI's APIs, and to other APIs of the same form, and the replies:
// https://platform.openai.com/docs/api-reference/chat, https://platform.openai.com/docs/api-reference/responses,
// https://platform.openai.com/docs/api-reference/conversations, https://platform.openai.com/docs/guides/batch.
var OpenAI = &logs.Format{
	Name:  "openai",
	Wraps: wraps,
	Open:  openAPI(openaiAPI{}),
}

type openaiAPI struct{}

// openaiBody has the keys of every object of the APIs: a message or an item, a request, a response, a conversation, a list.
type openaiBody struct {
	openaiItem
	Object       logs.AnyText         `json:"object"`
	Model        logs.AnyText         `json:"model"`
	Messages     list[openaiItem]     `json:"messages"`
	Choices      list[openaiChoice]   `json:"choices"`
	Usage        object[openaiUsage]  `json:"usage"`
	Instructions content              `json:"instructions"`
	Functions    jsontext.Value       `json:"functions"` // the key that preceded tools
	Previous     logs.AnyText         `json:"previous_response_id"`
	Conversation jsontext.Value       `json:"conversation"`
	Incomplete   object[openaiReason] `json:"incomplete_details"`
	Response     jsontext.Value       `json:"response"`
	Data         list[openaiBody]     `json:"data"`
	Created      logs.AnyText         `json:"created"`    // seconds since 1970
	CreatedAt    logs.AnyText         `json:"created_at"` // time of the reply in the Responses API
	HasMore      logs.AnyText         `json:"has_more"`
	Final        jsontext.Value       `json:"final_response"` // not part of the API: programs put it beside the messages

	Rest jsontext.Value `json:",embed"`
}

type openaiReason struct {
	Reason logs.AnyText `json:"reason"`
}

func (a openaiAPI) readObject(p *parser, raw jsontext.Value, at side) (jsontext.Value, objectKind, bool) {
	var b openaiBody
	if !p.value.DecodePart(raw, &b) {
		return nil, objectNone, false
	}
	b.ensureRare()
	has, ok := a.readBody(p, &b, at)
	switch {
	case b.isEvent():
		return logs.Object("response", b.Response), has, ok
	case has == objectPart || b.isList():
		return nil, has, ok
	}
	return b.unreadMembers(), has, ok
}

func (b *openaiBody) unreadMembers() jsontext.Value {
	out := []byte{'{'}
	member := func(key string, value jsontext.Value) {
		if len(value) == 0 {
			return
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, key)
		out = append(append(out, ':'), value...)
	}
	logs.Members(b.Rest, member)
	member("response", b.Response)
	if b.Rare.Input.Kind() == '{' {
		member("input", b.Rare.Input)
	}
	if b.Rare.Output.Kind() == '{' {
		member("output", b.Rare.Output)
	}
	return append(out, '}')
}

func (a openaiAPI) readBody(p *parser, b *openaiBody, at side) (objectKind, bool) {
	switch {
	case b.Object == "chat.completion.chunk":
		p.value.Skip("is a part of a streamed reply, which is not read")
		return objectNone, false
	case b.isEvent() && !b.endsStream():
		p.to.LeaveOut("events of streams that a later event repeats")
		return objectNone, false
	case b.isEvent():
		return objectNone, true
	case b.isList():
		return a.readList(p, b, at)
	case b.isItem():
		return objectPart, p.addItem(&b.openaiItem, at)
	}
	has := a.readRequest(p, b, at)
	if a.readReply(p, b) {
		has = objectWhole
	}
	return has, true
}

// isEvent reports whether an object is an event of a stream of the Responses API:
// https://platform.openai.com/docs/api-reference/responses-streaming.
func (b *openaiBody) isEvent() bool { return strings.HasPrefix(string(b.Type), "response.") }

// endsStream reports whether an event is the last one, which contains the whole response.
func (b *openaiBody) endsStream() bool {
	return b.Type == "response.completed" || b.Type == "response.failed" || b.Type == "response.incomplete"
}

func (b *openaiBody) isList() bool { return b.Object == "list" || len(b.Data) > 0 }

func (b *openaiBody) isItem() bool {
	isBody := b.Object != "" || len(b.Messages) > 0 || len(b.Choices) > 0 || b.Model != "" && b.Rare.Input != nil
	return !isBody && (b.Role != "" || b.hasKnownType())
}

// readRequest reads the request in an object, and returns the kind of the object.
func (a openaiAPI) readRequest(p *parser, b *openaiBody, at side) objectKind {
	x := p.exchange
	has := objectNone
	if b.Instructions.text != "" {
		x.addSystem(b.Instructions.text, p.to)
	}
	if turns := turnsOf(b.Messages, p.turnOf); len(b.Messages) > 0 {
		p.addTurns(at, turns...)
		has = objectWhole
	}
	switch kind := b.Rare.Input.Kind(); {
	case kind == '"' && (b.Model != "" || b.Rare.Output.Kind() == '['):
		t := turn{role: logs.RoleUser}
		t.addMessage(logs.RoleUser, logs.Unquote(b.Rare.Input))
		p.addTurns(at, t)
		has = objectWhole
	case kind == '[':
		if turns, ok := a.readTurns(p, b.Rare.Input); ok && len(turns) > 0 {
			p.addTurns(at, turns...)
			has = objectWhole
		}
	}
	if b.Previous != "" {
		x.previous, has = string(b.Previous), objectWhole
	}
	a.readSettings(x, b)
	return has
}

func (a openaiAPI) readSettings(x *exchange, b *openaiBody) {
	isReply := b.Choices != nil || b.Rare.Output != nil
	if x.model == "" && (x.sent || !isReply) {
		x.model = string(b.Model)
	}
	x.addTools(b.Rare.Tools, b.Functions)
	if id, ok := logs.Scalar(b.Conversation); ok {
		x.thread = id
	} else if b.Conversation.Kind() == '{' {
		var conversation struct{ ID logs.AnyText }
		if json.Unmarshal(b.Conversation, &conversation, logs.Lenient) == nil {
			x.thread = string(conversation.ID)
		}
	}
	x.time = cmp.Or(x.time, logs.TimeOf(string(b.Created)), logs.TimeOf(string(b.CreatedAt)))
	x.setFinal(b.Final)
}

func (a openaiAPI) readList(p *parser, b *openaiBody, at side) (objectKind, bool) {
	items := make([]openaiItem, 0, len(b.Data))
	for i := range b.Data {
		b.Data[i].ensureRare()
		if !b.Data[i].isItem() {
			p.value.Skip("is a list of objects that are no items of a conversation; write each on a line of its own")
			return objectNone, false
		}
		items = append(items, b.Data[i].openaiItem)
	}
	if b.HasMore == "true" {
		p.to.LeaveOut("lists of items that go on in a further page")
	}
	if isNewestFirst(items) {
		slices.Reverse(items)
	}
	p.addTurns(at, turnsOf(items, p.turnOf)...)
	return objectWhole, true
}

// isNewestFirst reports whether items are in the API's default order, with the newest first: a result precedes its call, or the
// list begins with a reply and ends with the user's message.
func isNewestFirst(items []openaiItem) bool {
	results := map[logs.AnyText]bool{}
	for i := range items {
		one := &items[i]
		if one.CallID != "" && results[one.CallID] && !one.isResult() {
			return true
		}
		if one.isResult() {
			results[one.CallID] = true
		}
	}
	if len(items) < 2 || len(results) > 0 {
		return false
	}
	return items[0].Role == logs.RoleAssistant && items[len(items)-1].Role == logs.RoleUser
}

// openaiTool is a tool of a request. Chat completions put its keys under "function", the Responses API does not.
type openaiTool struct {
	Type        logs.AnyText       `json:"type"`
	Function    object[openaiFunc] `json:"function"`
	Custom      object[openaiFunc] `json:"custom"`
	Name        logs.AnyText       `json:"name"`
	Description logs.AnyText       `json:"description"`
	Parameters  jsontext.Value     `json:"parameters"`
	Tools       jsontext.Value     `json:"tools"` // tools of a namespace
	Deferred    logs.AnyText       `json:"defer_loading"`
	Server      logs.AnyText       `json:"server_label"`
	Execution   logs.AnyText       `json:"execution"` // the side that searches, for the type tool_search
}

type openaiFunc struct {
	Name        logs.AnyText   `json:"name"`
	Description logs.AnyText   `json:"description"`
	Parameters  jsontext.Value `json:"parameters"`
}

// readTools reads the tools of a request. It ignores the provider's own tools, which have no name, and the tools of MCP servers,
// which an item of the conversation lists. If the program itself searches for tools, the request lacks those that a search can
// return.
func (a openaiAPI) readTools(tools jsontext.Value) (out offering) {
	var all list[openaiTool]
	_ = json.Unmarshal(tools, &all, logs.Lenient) // any other value has no tools
	for _, t := range all {
		f := openaiFunc{t.Name, t.Description, t.Parameters}
		switch {
		case t.Type == "namespace":
			for _, one := range a.readTools(t.Tools).tools {
				one.Server = string(t.Name)
				out.tools = append(out.tools, one)
			}
			continue
		case t.Type == "mcp" && t.Deferred == "true":
			out.deferred = append(out.deferred, string(t.Server))
		case t.Type == "tool_search" && t.Execution == "client":
			out.defersSome = true
		case t.Function.given:
			f = t.Function.value
		case t.Custom.given:
			f = t.Custom.value
		}
		if f.Name != "" && (t.Type == "" || t.Type == "function" || t.Type == "custom") {
			tool := logs.Tool(string(f.Name), string(f.Description), f.Parameters)
			out.tools = append(out.tools, logs.Offered{Tool: tool, Deferred: t.Deferred == "true"})
		}
	}
	return out
}
