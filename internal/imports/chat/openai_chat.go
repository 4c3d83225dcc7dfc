package chat

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/source"
)

// openaiItem is a message of chat completions, or an item of the Responses API, whose keys depend on its type.
type openaiItem struct {
	Type    logs.AnyText `json:"type"`
	Role    logs.AnyText `json:"role"`
	Name    logs.AnyText `json:"name"`
	Content content      `json:"content"`

	// Chat completions.
	Refusal      content              `json:"refusal"`
	Audio        object[openaiAudio]  `json:"audio"`
	ToolCalls    list[openaiCall]     `json:"tool_calls"`
	FunctionCall object[openaiCalled] `json:"function_call"` // the key that preceded tools
	ToolCallID   logs.AnyText         `json:"tool_call_id"`
	IsError      logs.AnyText         `json:"is_error"` // not part of the API: several clients mark a failed tool with it

	// Items of the Responses API, and keys that some of them share with other objects.
	ID     logs.AnyText `json:"id"`
	CallID logs.AnyText `json:"call_id"`
	Rare   *openaiRare  `json:",embed"` // nil if none of its keys exists
}

// openaiRare has the keys that messages of chat completions lack.
type openaiRare struct {
	Namespace logs.AnyText   `json:"namespace"`
	Arguments jsontext.Value `json:"arguments"`
	Input     jsontext.Value `json:"input"`
	Output    jsontext.Value `json:"output"`
	Error     jsontext.Value `json:"error"`
	Status    logs.AnyText   `json:"status"`
	Server    logs.AnyText   `json:"server_label"`
	Tools     jsontext.Value `json:"tools"`
	Approval  logs.AnyText   `json:"approval_request_id"`
	Approve   logs.AnyText   `json:"approve"`
	Reason    logs.AnyText   `json:"reason"`
	Action    jsontext.Value `json:"action"`
	Actions   jsontext.Value `json:"actions"`
	Operation jsontext.Value `json:"operation"`
	Queries   jsontext.Value `json:"queries"`
	Code      jsontext.Value `json:"code"`
	Results   jsontext.Value `json:"results"`
	Outputs   jsontext.Value `json:"outputs"`
}

type openaiAudio struct {
	Transcript logs.AnyText `json:"transcript"`
}

// openaiCall is a call of chat completions: of a function, or of a custom tool, whose input is a text.
type openaiCall struct {
	ID       logs.AnyText         `json:"id"`
	Function openaiCalled         `json:"function"`
	Custom   object[openaiCustom] `json:"custom"`
}

type openaiCalled struct {
	Name      logs.AnyText   `json:"name"`
	Arguments jsontext.Value `json:"arguments"`
}

type openaiCustom struct {
	Name  logs.AnyText   `json:"name"`
	Input jsontext.Value `json:"input"`
}

type openaiChoice struct {
	Message      object[openaiItem] `json:"message"`
	FinishReason logs.AnyText       `json:"finish_reason"`
	Text         content            `json:"text"` // key of completions, which are not chats
	Error        jsontext.Value     `json:"error"`
}

// openaiUsage is the usage of both APIs.
type openaiUsage struct {
	Prompt        logs.Number           `json:"prompt_tokens"`
	Completion    logs.Number           `json:"completion_tokens"`
	Input         logs.Number           `json:"input_tokens"`
	Output        logs.Number           `json:"output_tokens"`
	Total         logs.Number           `json:"total_tokens"`
	PromptDetails object[openaiDetails] `json:"prompt_tokens_details"`
	InputDetails  object[openaiDetails] `json:"input_tokens_details"`
	Cost          logs.Dollars          `json:"cost"` // https://openrouter.ai/docs/use-cases/usage-accounting
}

type openaiDetails struct {
	Cached logs.Number `json:"cached_tokens"`
}

// usage returns the tokens. The counts include tokens of the cache and of reasoning.
func (u *openaiUsage) usage() logs.Usage {
	out := logs.Usage{
		Input: u.Prompt.Count, Output: cmp.Or(u.Completion.Count, u.Output.Count), Total: u.Total.Count, CacheRead: u.PromptDetails.value.Cached.Count, Cost: u.Cost.Count,
	}
	if !out.Input.Known {
		out.Input, out.CacheRead = u.Input.Count, u.InputDetails.value.Cached.Count
	}
	return out
}

// addItem adds the turn of an item, and reports whether the item has one.
func (p *parser) addItem(one *openaiItem, at side) bool {
	t, ok := p.turnOf(one)
	if ok {
		p.addTurns(at, t)
	}
	return ok
}

func (openaiAPI) readTurns(p *parser, raw jsontext.Value) ([]turn, bool) {
	var all list[openaiItem]
	if !p.value.DecodePart(raw, &all) {
		return nil, false
	}
	return turnsOf(all, p.turnOf), true
}

// turnOf returns a message or an item as a turn; ok is false if a run does not keep the message or item.
func (p *parser) turnOf(one *openaiItem) (turn, bool) {
	t := turn{}
	isOtherItem := one.Type != "" && one.Type != "message" && one.hasKnownType()
	if one.Role == "" || isOtherItem {
		return p.addItemToTurn(one, t)
	}
	if one.Content.hasAnthropicCalls {
		p.value.Skip("has calls or results in the form of Anthropic's API, which the format anthropic reads")
		return t, false
	}
	switch one.Role {
	case "system", "developer":
		t.role = logs.RoleSystem
		t.addMessage(logs.RoleSystem, one.Content.text)
	case logs.RoleUser:
		t.role = logs.RoleUser
		t.addMessage(logs.RoleUser, one.Content.text)
	case logs.RoleAssistant:
		t.role = logs.RoleAssistant
		one.addAssistant(&t)
	case "tool", "function":
		t.role = logs.RoleTool
		t.addResult(string(one.Name), logs.Result{CallID: string(one.ToolCallID), Text: one.Content.text, Failed: one.IsError == "true"})
	default:
		p.value.Skip("has a message of the role " + quoted(string(one.Role)))
		return t, false
	}
	return t, true
}

func (one *openaiItem) ensureRare() {
	if one.Rare == nil {
		one.Rare = &openaiRare{}
	}
}

func (one *openaiItem) addAssistant(t *turn) {
	t.addMessage(logs.RoleAssistant, cmp.Or(one.Content.text, one.Refusal.text, string(one.Audio.value.Transcript)))
	for _, c := range one.ToolCalls {
		if c.Custom.given {
			t.addCall(logs.Call{ID: string(c.ID), Name: string(c.Custom.value.Name), Args: logs.Args{Object: logs.Object("input", c.Custom.value.Input)}})
			continue
		}
		t.addCall(logs.Call{ID: string(c.ID), Name: string(c.Function.Name), Args: logs.Args{Object: c.Function.Arguments}})
	}
	if one.FunctionCall.given {
		t.addCall(logs.Call{Name: string(one.FunctionCall.value.Name), Args: logs.Args{Object: one.FunctionCall.value.Arguments}})
	}
}

// readReply reads the reply in an object, and reports whether there is one.
func (a openaiAPI) readReply(p *parser, b *openaiBody) bool {
	err := errorText(b.Rare.Error)
	isReply := len(b.Choices) > 0 || b.Object == "chat.completion" || b.isResponse()
	if !isReply && err == "" {
		return false
	}
	r := p.exchange.ensureReply()
	r.err = err
	if !isReply {
		return true
	}
	r.id, r.model = string(b.ID), string(b.Model)
	if b.Usage.given {
		r.usage, r.hasUsage = b.Usage.value.usage(), true
	}
	if b.isResponse() {
		return a.readResponse(p, b, r)
	}
	if len(b.Choices) == 0 {
		return true
	}
	for range b.Choices[1:] {
		p.to.LeaveOut("further choices of a reply")
	}
	return p.addChoice(&b.Choices[0], r)
}

// addChoice adds a choice of a chat completion to the reply. It always returns true, because there is a reply.
func (p *parser) addChoice(c *openaiChoice, r *reply) bool {
	one := c.Message.value
	if !c.Message.given {
		one.Content = c.Text
	}
	one.Role = cmp.Or(one.Role, logs.RoleAssistant)
	if t, ok := p.turnOf(&one); ok {
		r.turns = append(r.turns, t)
	}
	r.err = cmp.Or(errorText(c.Error), r.err)
	r.stop, r.ended = openaiStop(string(c.FinishReason))
	if one.Refusal.text != "" && one.Content.text == "" {
		r.stop = "refusal"
	}
	return true
}

// openaiStop returns the stop reason of a reply in the words of cassettes, and whether the run ends with it.
func openaiStop(reason string) (stop string, ends bool) {
	switch reason {
	case "stop":
		return "end_turn", true
	case "tool_calls", "function_call":
		return "tool_use", false
	case "length", "max_output_tokens":
		return "max_tokens", true
	case "content_filter":
		return "refusal", true
	}
	return reason, false
}

func quoted(text string) string {
	out, _ := jsontext.AppendQuote(nil, source.Shorten(text, 40))
	return string(out)
}
