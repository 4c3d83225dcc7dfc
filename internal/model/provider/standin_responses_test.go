package provider

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The stand-in refuses what OpenAI refuses. Each request is the good one with one text in another's place.
func TestResponsesStandInIsStrict(t *testing.T) {
	const good = `{"model":"m","store":false,"stream":false,"include":["reasoning.encrypted_content"],"max_output_tokens":16,` +
		`"tools":[{"type":"function","name":"a","strict":false,"parameters":{"type":"object","properties":{}}},` +
		`{"type":"function","name":"b","strict":false,"parameters":{"type":"object","properties":{}}}],` +
		`"input":[{"type":"message","role":"user","content":"x"},` +
		`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e"},` +
		`{"type":"function_call","call_id":"c1","name":"a","arguments":"{}"},` +
		`{"type":"function_call","call_id":"c2","name":"a","arguments":"{}"},` +
		`{"type":"function_call_output","call_id":"c1","output":""},{"type":"function_call_output","call_id":"c2","output":""}]}`
	tests := []struct{ what, old, new, want string }{
		{"nothing", "", "", ""},
		{"unknown field", `"store"`, `"messages":[],"store"`, "messages"},
		{"unknown field of an item", `"arguments":"{}"`, `"arguments":"{}","content":null`, "content"},
		{"stored", `"store":false`, `"store":true`, "store"},
		{"thoughts are not asked for", `"include":["reasoning.encrypted_content"],`, "", "include"},
		{"thoughts without their text", `,"encrypted_content":"e"`, "", "encrypted_content"},
		{"thoughts before nothing", `{"type":"function_call","call_id":"c1","name":"a","arguments":"{}"},{"type":"function_call","call_id":"c2","name":"a","arguments":"{}"},`, "", "required following item"},
		{"too few tokens", `:16`, `:15`, "max_output_tokens"},
		{"a call's id is missing", `"call_id":"c1","name"`, `"name"`, "call_id"},
		{"a result's id is missing", `"call_id":"c1","output"`, `"output"`, "call_id"},
		{"a call's id twice", `"call_id":"c2","name"`, `"call_id":"c1","name"`, "there twice"},
		{"result of no call", `"call_id":"c2","output"`, `"call_id":"c3","output"`, "no tool call found for function call output with call_id c3"},
		{"call without a result", `,{"type":"function_call_output","call_id":"c2","output":""}`, "", "no tool output found for function calls"},
		{"a message before a result", `{"type":"function_call_output","call_id":"c1"`, `{"type":"message","role":"user","content":"x"},{"type":"function_call_output","call_id":"c1"`, "comes before results"},
		{"a tool's name twice", `"name":"b"`, `"name":"a"`, `tool name "a" is there twice`},
		{"a tool's bad name", `"name":"b"`, `"name":"b.c"`, "b.c"},
		{"a call's bad name", `"call_id":"c1","name":"a"`, `"call_id":"c1","name":"a b"`, "a b"},
		{"strict tools", `"strict":false`, `"strict":true`, "strict"},
		{"the nested form of tools", `"name":"b","strict":false,"parameters"`, `"function":{"name":"b"},"parameters"`, "function"},
	}
	s := &standIn{wire: responsesWire, schema: standSchema(t, responsesWire)}
	for _, test := range tests {
		body := strings.Replace(good, test.old, test.new, 1)
		r := httptest.NewRequest(http.MethodPost, "/v1/responses", nil)
		r.Header.Set("Content-Type", "application/json")
		got := s.check(r, &standRequest{Raw: body})
		if !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: got %q, want %q\n%s", test.what, got, test.want, body)
		}
	}
}

// turnsOfItems returns how many replies of the model are in the input: items of the model that follow others.
func turnsOfItems(items []map[string]any) int {
	turns, within := 0, false
	for _, item := range items {
		own := item["type"] != "function_call_output" && item["role"] != "user"
		if own && !within {
			turns++
		}
		within = own
	}
	return turns
}

// checkResponsesOrder checks what OpenAI checks of the input: a call's id is there once, a function_call_output follows
// its call, every call has one, and thoughts are followed by another item of the model.
func checkResponsesOrder(items []map[string]any) string {
	open, seen := map[string]bool{}, map[string]bool{}
	for i, item := range items {
		id, _ := item["call_id"].(string)
		switch item["type"] {
		case "function_call":
			if seen[id] {
				return fmt.Sprintf("item %d has call id %s, which is there twice", i, id)
			}
			open[id], seen[id] = true, true
		case "function_call_output":
			if !open[id] {
				return fmt.Sprintf("item %d: no tool call found for function call output with call_id %s", i, id)
			}
			delete(open, id)
		case "reasoning":
			if i+1 == len(items) || items[i+1]["role"] == "user" || items[i+1]["type"] == "function_call_output" {
				return fmt.Sprintf("item %d of type reasoning was provided without its required following item", i)
			}
		case "message":
			if item["role"] == "user" && len(open) > 0 {
				return fmt.Sprintf("item %d comes before results for %v", i, open)
			}
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("no tool output found for function calls %v", open)
	}
	return ""
}

// responses returns a reply as OpenAI writes it, with fields that are null. Its Stop is a status, or the reason for which
// it is incomplete.
func (r standReply) responses() any {
	output := []any{}
	if r.Signed != "" {
		output = append(output, map[string]any{"type": "reasoning", "id": "rs_1", "summary": []any{}, "encrypted_content": r.Signed, "status": nil})
	}
	if r.Text != "" {
		part := map[string]any{"type": "output_text", "text": r.Text, "annotations": []any{}, "logprobs": []any{}}
		output = append(output, map[string]any{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []any{part}})
	}
	for _, c := range r.Calls {
		output = append(output, map[string]any{
			"type": "function_call", "id": "fc_" + c.ID, "call_id": c.ID, "name": c.Name, "arguments": c.Args, "status": "completed",
		})
	}
	status, incomplete := "completed", any(nil)
	switch r.Stop {
	case "":
	case "in_progress", "incomplete":
		status = r.Stop
	default:
		status, incomplete = "incomplete", map[string]any{"reason": r.Stop}
	}
	return map[string]any{
		"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-stand-in-2026-01-01", "status": status,
		"error": nil, "incomplete_details": incomplete, "output": output, "parallel_tool_calls": true, "store": false,
		"usage": map[string]any{
			"input_tokens": r.Input, "input_tokens_details": map[string]any{"cached_tokens": r.Input / 2},
			"output_tokens": r.Output, "output_tokens_details": map[string]any{"reasoning_tokens": r.Output / 2},
			"total_tokens": r.Input + r.Output,
		},
	}
}
