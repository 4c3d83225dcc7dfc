package chat

import (
	"cmp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// Anthropic reads requests of programs to Anthropic's Messages API, and the replies:
// https://docs.anthropic.com/en/api/messages, https://docs.anthropic.com/en/api/messages-streaming,
// https://docs.anthropic.com/en/api/creating-message-batches,
// https://docs.anthropic.com/en/docs/agents-and-tools/mcp-connector.
var Anthropic = &logs.Format{
	Name:  "anthropic",
	Wraps: wraps,
	Open:  func(to *logs.Sink) logs.Reader { return openAPI(&anthropicAPI{})(to) },
}

// anthropicAPI reads one file.
type anthropicAPI struct {
	stream *anthropicStream // a stream that has begun but not ended
}

// anthropicBody has the keys of every object of the API: a message, a request, a response, an event.
type anthropicBody struct {
	anthropicMessage
	Type     logs.AnyText           `json:"type"`
	ID       logs.AnyText           `json:"id"`
	Model    logs.AnyText           `json:"model"`
	Messages list[anthropicMessage] `json:"messages"`
	System   content                `json:"system"`
	Tools    jsontext.Value         `json:"tools"`
	Stop     logs.AnyText           `json:"stop_reason"`
	Usage    object[anthropicUsage] `json:"usage"`
	Error    jsontext.Value         `json:"error"`
	Final    jsontext.Value         `json:"final_response"` // not part of the API: programs put it beside the messages

	// Events of a stream.
	Index logs.Number            `json:"index"`
	Block object[anthropicBlock] `json:"content_block"`
	Delta object[anthropicDelta] `json:"delta"`

	Rest jsontext.Value `json:",embed"`
}

type anthropicUsage struct {
	Input      logs.Number `json:"input_tokens"`
	CacheWrite logs.Number `json:"cache_creation_input_tokens"`
	CacheRead  logs.Number `json:"cache_read_input_tokens"`
	Output     logs.Number `json:"output_tokens"`
}

// usage returns the tokens. The API does not count tokens of the cache as input.
func (u *anthropicUsage) usage() logs.Usage {
	return logs.Usage{
		Input: logs.Sum(u.Input.Count, u.CacheWrite.Count, u.CacheRead.Count), Output: u.Output.Count,
		CacheRead: u.CacheRead.Count, CacheWrite: u.CacheWrite.Count,
	}
}

func (a *anthropicAPI) readObject(p *parser, raw jsontext.Value, at side) (jsontext.Value, objectKind, bool) {
	var b anthropicBody
	if !p.value.DecodePart(raw, &b) {
		return nil, objectNone, false
	}
	if isEvent, has := a.readEvent(p, &b); isEvent {
		return nil, has, has != objectNone
	}
	switch {
	case b.isResponse():
		b.readReply(p)
		return b.Rest, objectWhole, true
	case b.Role != "":
		t, ok := p.turnOfBlocks(&b.anthropicMessage)
		if ok {
			p.addTurns(at, t)
		}
		return nil, objectPart, ok
	}
	return b.Rest, a.readBody(p, &b, at), true
}

func (a *anthropicAPI) readBody(p *parser, b *anthropicBody, at side) objectKind {
	has := objectNone
	if b.System.text != "" {
		p.exchange.addSystem(b.System.text, p.to)
	}
	if len(b.Messages) > 0 {
		p.addTurns(at, turnsOf(b.Messages, p.turnOfBlocks)...)
		has = objectWhole
	}
	p.exchange.model = cmp.Or(p.exchange.model, string(b.Model))
	p.exchange.addTools(b.Tools)
	p.exchange.setFinal(b.Final)
	if err := errorText(b.Error); err != "" {
		p.exchange.ensureReply().err = err
		has = objectWhole
	}
	if at == replySide && (b.Type == "canceled" || b.Type == "expired") {
		p.exchange.ensureReply().err = "the request of the batch is " + string(b.Type)
		has = objectWhole
	}
	return has
}

// isResponse reports whether an object is a response: an object of the type message that is not the user's, or a message of the
// model with a stop reason or a usage.
func (b *anthropicBody) isResponse() bool {
	isMessage := b.Type == "message" && b.Role != logs.RoleUser
	isFinished := b.Role == logs.RoleAssistant && (b.Stop != "" || b.Usage.given)
	return isMessage || isFinished
}

func (b *anthropicBody) readReply(p *parser) {
	r := p.exchange.ensureReply()
	r.id, r.model = string(b.ID), string(b.Model)
	if b.Usage.given {
		r.usage, r.hasUsage = b.Usage.value.usage(), true
	}
	b.Role = logs.RoleAssistant
	if t, ok := p.turnOfBlocks(&b.anthropicMessage); ok {
		r.turns = append(r.turns, t)
	}
	r.stop = string(b.Stop)
	switch b.Stop {
	case "tool_use": // the run continues with the results
	case "":
		r.unended = "the log holds the reply before it was complete"
	case "pause_turn":
		r.unended = "the log ends at a reply that the provider paused"
	case "model_context_window_exceeded":
		r.stop, r.ended = "max_tokens", true
	default:
		r.ended = true
	}
}

func (a *anthropicAPI) readTurns(p *parser, raw jsontext.Value) ([]turn, bool) {
	var all list[anthropicMessage]
	if !p.value.DecodePart(raw, &all) {
		return nil, false
	}
	return turnsOf(all, p.turnOfBlocks), true
}

// readTools reads the tools of a request. It ignores the provider's own tools, which have a type and no schema. If the provider
// itself calls a server (mcp_toolset), the log does not list the tools of that server.
func (a *anthropicAPI) readTools(tools jsontext.Value) (out offering) {
	for _, raw := range logs.ElementsOf(tools) {
		var one struct {
			Type        logs.AnyText   `json:"type"`
			Name        logs.AnyText   `json:"name"`
			Description logs.AnyText   `json:"description"`
			InputSchema jsontext.Value `json:"input_schema"`
			Deferred    logs.AnyText   `json:"defer_loading"`
		}
		if raw.Kind() != '{' || json.Unmarshal(raw, &one, logs.Lenient) != nil {
			continue
		}
		switch {
		case one.Type == "mcp_toolset":
			out.defersSome = out.defersSome || logs.Defers(raw)
			out.tools = append(out.tools, logs.Offered{}) // the list is unknown
		case one.Name != "" && (one.Type == "" || one.Type == "custom"):
			tool := logs.Tool(string(one.Name), string(one.Description), one.InputSchema)
			out.tools = append(out.tools, logs.Offered{Tool: tool, Deferred: one.Deferred == "true"})
		}
	}
	return out
}
