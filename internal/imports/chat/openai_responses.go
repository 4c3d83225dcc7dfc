package chat

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// ignoredItems are types of items that a run does not keep.
var ignoredItems = map[logs.AnyText]bool{"reasoning": true, "item_reference": true, "compaction": true}

// openaiBuiltins are the provider's own tools, by the type of an item that calls one:
// https://platform.openai.com/docs/api-reference/responses/object#responses-object-output.
var openaiBuiltins = map[logs.AnyText]string{
	"web_search_call": "web_search", "file_search_call": "file_search", "computer_call": "computer",
	"code_interpreter_call": "code_interpreter", "image_generation_call": "image_generation", "local_shell_call": "local_shell",
	"shell_call": "shell", "apply_patch_call": "apply_patch", "tool_search_call": toolSearch,
}

// toolSearch is the name of the search for tools. For a search by the provider, the result does not have the id of the call.
const toolSearch = "tool_search"

func (one *openaiItem) hasKnownType() bool {
	switch one.Type {
	case "message", "function_call", "custom_tool_call", "mcp_call", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response":
		return true
	}
	return ignoredItems[one.Type] || openaiBuiltins[one.Type] != "" || one.isResult()
}

func (one *openaiItem) isResult() bool {
	call, isOutput := strings.CutSuffix(string(one.Type), "_output")
	switch call {
	case "function_call", "custom_tool_call", "tool_search":
		return isOutput
	}
	return isOutput && openaiBuiltins[logs.AnyText(call)] != ""
}

// addItemToTurn adds an item of the Responses API to the turn t; ok is false if the item adds nothing.
func (p *parser) addItemToTurn(one *openaiItem, t turn) (turn, bool) {
	one.ensureRare()
	t.role = logs.RoleAssistant
	switch {
	case ignoredItems[one.Type]:
		return t, false
	case one.Type == "function_call":
		t.addCall(logs.Call{ID: string(one.CallID), Name: string(one.Name), Server: string(one.Rare.Namespace), Args: logs.Args{Object: one.Rare.Arguments}})
	case one.Type == "custom_tool_call":
		t.addCall(logs.Call{ID: string(one.CallID), Name: string(one.Name), Server: string(one.Rare.Namespace), Args: logs.Args{Object: logs.Object("input", one.Rare.Input)}})
	case one.Type == "tool_search_output":
		t.role = logs.RoleTool
		t.addResult(toolSearch, logs.Result{CallID: string(one.CallID), Found: logs.FoundTools(one.Rare.Tools), Failed: one.Rare.Status == "failed"})
	case one.isResult():
		t.role = logs.RoleTool
		t.addResult("", logs.Result{CallID: string(one.CallID), Text: logs.Text(one.Rare.Output), Failed: one.IsError == "true" || one.Rare.Status == "failed"})
	case strings.HasPrefix(string(one.Type), "mcp_"):
		return t, one.addMCPItem(&t)
	case openaiBuiltins[one.Type] != "":
		one.addBuiltinCall(&t)
	default:
		p.value.Skip("has an item of the type " + quoted(string(one.Type)))
		return t, false
	}
	return t, true
}

// addMCPItem adds an item of the provider's MCP client, which calls tools itself. A call that waits for approval has an additional
// item for its request.
func (one *openaiItem) addMCPItem(t *turn) bool {
	id := string(one.ID)
	call := logs.Call{ID: id, Name: string(one.Name), Server: string(one.Rare.Server), Args: logs.Args{Object: one.Rare.Arguments}}
	switch one.Type {
	case "mcp_list_tools":
		t.role, t.offers = "", mcpTools(string(one.Rare.Server), one.Rare.Tools)
	case "mcp_approval_request":
		t.addCall(call)
	case "mcp_approval_response":
		t.role = logs.RoleTool
		if one.Rare.Approve == "false" {
			t.addResult("", logs.Result{CallID: string(one.Rare.Approval), Failed: true, Error: strings.TrimSuffix("the call was not approved: "+string(one.Rare.Reason), ": ")})
		}
	case "mcp_call":
		call.ID = string(cmp.Or(one.Rare.Approval, one.ID))
		t.addCall(call)
		err := errorText(one.Rare.Error)
		t.addResult("", logs.Result{CallID: call.ID, Text: logs.Text(one.Rare.Output), Failed: one.Rare.Status == "failed", Error: err})
	}
	return !t.isEmpty()
}

func mcpTools(server string, tools jsontext.Value) []logs.Offered {
	var all list[struct {
		Name        logs.AnyText   `json:"name"`
		Description logs.AnyText   `json:"description"`
		InputSchema jsontext.Value `json:"input_schema"`
		Annotations jsontext.Value `json:"annotations"`
	}]
	_ = json.Unmarshal(tools, &all, logs.Lenient) // any other value has no tools
	var out []logs.Offered
	for _, one := range all {
		tool := logs.MCPTool{Name: string(one.Name), Description: string(one.Description), InputSchema: one.InputSchema}
		if one.Annotations.Kind() == '{' {
			tool.Annotations = one.Annotations
		}
		if text, err := json.Marshal(tool, logs.Lenient); err == nil && tool.Name != "" {
			out = append(out, logs.Offered{Server: server, Tool: text})
		}
	}
	return out
}

// addBuiltinCall adds a call of one of the provider's tools. Its result is in the same item, or in a separate item.
func (one *openaiItem) addBuiltinCall(t *turn) {
	id := string(cmp.Or(one.CallID, one.ID))
	if openaiBuiltins[one.Type] == toolSearch {
		id = string(one.CallID)
	}
	t.addCall(logs.Call{ID: id, Name: openaiBuiltins[one.Type], Server: trace.BuiltinServer, Args: logs.Args{Object: one.builtinArgs()}})
	result := one.Rare.Results
	if isBlank(result) {
		result = one.Rare.Outputs
	}
	if !isBlank(result) || one.Rare.Status == "failed" {
		t.addResult("", logs.Result{CallID: id, Text: builtinText(result), Failed: one.Rare.Status == "failed"})
	}
}

// builtinText returns a result as text. Results of a search are objects with more keys than a text.
func builtinText(result jsontext.Value) string {
	if isBlank(result) {
		return ""
	}
	return logs.CompactText(result)
}

func (one *openaiItem) builtinArgs() jsontext.Value {
	for _, object := range []jsontext.Value{one.Rare.Action, one.Rare.Operation, one.Rare.Arguments} {
		if object.Kind() == '{' {
			return object
		}
	}
	for _, of := range []struct {
		key   string
		value jsontext.Value
	}{{"queries", one.Rare.Queries}, {"code", one.Rare.Code}, {"actions", one.Rare.Actions}} {
		if !isBlank(of.value) {
			return logs.Object(of.key, of.value)
		}
	}
	return nil
}

func (b *openaiBody) isResponse() bool {
	return b.Object == "response" || b.Rare.Output.Kind() == '['
}

// readResponse adds a response of the Responses API to the reply. It always returns true, because there is a reply.
func (a openaiAPI) readResponse(p *parser, b *openaiBody, r *reply) bool {
	if b.Rare.Output.Kind() == '[' {
		turns, ok := a.readTurns(p, b.Rare.Output)
		if !ok {
			return true
		}
		r.turns = append(r.turns, turns...)
	}
	r.addEmptyText()
	switch b.Rare.Status {
	case "completed":
		r.stop, r.ended = "end_turn", true
		if slices.ContainsFunc(r.turns, func(t turn) bool { return t.isUnanswered() }) {
			r.stop, r.ended = "tool_use", false
		}
	case "incomplete":
		r.stop, _ = openaiStop(string(b.Incomplete.value.Reason))
		r.ended = true
	case "failed":
		r.err = cmp.Or(r.err, "the response failed")
	case "cancelled":
		r.err = "the response was cancelled"
	case "in_progress", "queued":
		r.unended = "the log holds the response before it was complete"
	}
	return true
}

// addEmptyText adds an empty text to a reply without text, so that there is a turn for its tokens.
func (r *reply) addEmptyText() {
	says := func(e turnEvent) bool { return e.Kind == eventMessage }
	if len(r.turns) == 0 || slices.ContainsFunc(r.turns, func(t turn) bool { return slices.ContainsFunc(t.events, says) }) {
		return
	}
	first := &r.turns[0]
	first.events = slices.Insert(first.events, 0, turnEvent{Kind: eventMessage, Message: logs.Message{Role: logs.RoleAssistant}})
}

// isUnanswered reports whether the turn has a call without a result in the same turn. Calls of the provider's tools do not count.
func (t *turn) isUnanswered() bool {
	unanswered := 0
	byID := map[string]int{}
	for _, e := range t.events {
		if e.Kind == eventCall && e.Call.Server != trace.BuiltinServer {
			byID[e.Call.ID]++
			unanswered++
		}
		if e.Kind == eventResult && byID[e.Result.CallID] > 0 {
			byID[e.Result.CallID]--
			unanswered--
		}
	}
	return unanswered > 0
}
