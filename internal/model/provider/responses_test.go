package provider

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/trace"
)

var responsesStops = []stopTest{
	{responsesWire, standReply{Text: "x", Stop: "max_output_tokens"}, model.StopMaxTokens},
	{responsesWire, standReply{Calls: []model.Call{{ID: "c1", Name: "now", Args: `{`}}, Stop: "max_output_tokens"}, model.StopMaxTokens},
	{responsesWire, standReply{Text: "x", Stop: "content_filter"}, model.StopRefusal},
	{responsesWire, standReply{Text: "x", Stop: "another_reason"}, "another_reason"},
	{responsesWire, standReply{Text: "x", Stop: "incomplete"}, "incomplete"},
	{responsesWire, standReply{Text: "x", Stop: "in_progress"}, "in_progress"},
	{responsesWire, standReply{Body: `{"status":"completed","output":[]}`}, model.StopEndTurn},
	{responsesWire, standReply{Body: `{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"I cannot."}]}]}`}, model.StopRefusal},
}

// TestResponsesReplies reads replies with several items, and those of servers that speak Responses in their own way. The
// calls of each are answered, so that the stand-in checks what goes back.
func TestResponsesReplies(t *testing.T) {
	tests := []struct {
		what, body string
		want       model.Reply
	}{
		{"text before and after a call",
			`{"model":"m","status":"completed","output":[
				{"type":"message","id":"msg_1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"a","annotations":[]},{"type":"output_text","text":"b","annotations":[]}]},
				{"type":"function_call","id":"fc_1","call_id":"x","name":"now","arguments":"{\"a\":1}","status":"completed"},
				{"type":"message","id":"msg_2","role":"assistant","status":"completed","content":[{"type":"output_text","text":"c","annotations":[]}]}]}`,
			model.Reply{Model: "m", Text: "ab\n\nc", Stop: model.StopToolUse, Calls: []model.Call{{ID: "x", Name: "now", Args: `{"a":1}`}}}},
		{"no id, null fields",
			`{"status":"completed","output":[
				{"type":"function_call","call_id":null,"id":null,"name":"now","arguments":"{}","status":null},
				{"type":"function_call","name":"now","arguments":"{}"}]}`,
			model.Reply{Stop: model.StopToolUse, Calls: []model.Call{{ID: "call_1_1", Name: "now", Args: `{}`}, {ID: "call_1_2", Name: "now", Args: `{}`}}}},
		{"no status",
			`{"output":[{"type":"function_call","call_id":"x","name":"now","arguments":"{\"a\":"}]}`,
			model.Reply{Stop: model.StopToolUse, Calls: []model.Call{{ID: "x", Name: "now", Args: `{"a":`}}}},
		{"a refusal", // and counts
			`{"status":"completed","output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"refusal","refusal":"I cannot."}]}],
				"usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":8},"output_tokens":5,"output_tokens_details":{"reasoning_tokens":4},"total_tokens":15}}`,
			model.Reply{Text: "I cannot.", Stop: model.StopRefusal, Input: trace.Known(10), Output: trace.Known(5)}},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			s := startStandIn(t, responsesWire, standTurns(standReply{Body: test.body}, standReply{Text: "ok"}))
			p := standInProvider(t, s, standInKey)
			reply := mustTurn(t, p, weatherRequest())
			compareReplies(t, reply, test.want)
			results := make([]model.Result, len(reply.Calls))
			req := afterResults(weatherRequest(), reply, results...)
			if len(results) == 0 {
				req.Messages[len(req.Messages)-1] = model.Message{Role: model.RoleUser, Text: "Please."}
			}
			mustTurn(t, p, req)
		})
	}
}

// TestResponsesFailures pins that a failed reply is an error with the words of the provider, and holds no key.
func TestResponsesFailures(t *testing.T) {
	tests := []struct{ body, want string }{
		{`{"status":"failed","error":{"code":"server_error","message":"An error with ` + standInKey + `"},"output":[]}`, "openai: the reply failed: An error with [key]"},
		{`{"status":"failed","error":{"code":"server_error","message":null}}`, `openai: the reply failed: {"code":"server_error","message":null}`},
		{`{"error":{"message":"no credit"}}`, "openai: the reply failed: no credit"},
	}
	for _, test := range tests {
		s := startStandIn(t, responsesWire, standTurns(standReply{Body: test.body}))
		_, err := standInProvider(t, s, standInKey).Turn(t.Context(), weatherRequest())
		if got := errorText(err); got != test.want {
			t.Errorf("%s: got error %q, want %q", test.body, got, test.want)
		}
	}
}

// TestResponsesThoughts pins which models are asked for their encrypted thoughts: those that do not reason refuse that.
func TestResponsesThoughts(t *testing.T) {
	for name, want := range map[string]bool{
		"gpt-5-codex": true, "o3-pro": true, "gpt-6": true, "openai/gpt-5": true, "some-deployment": true, "gpt-oss-120b": true,
		"gpt-4o": false, "gpt-4.1-mini": false, "openai/gpt-4.1": false, "ft:gpt-4.1:org::id": false, "gpt-3.5-turbo": false,
		"chatgpt-4o-latest": false, "gpt-5-chat-latest": false, "gpt-5.2-chat-latest": false,
	} {
		if got := len(responsesRequestOf(model.Request{Model: name}).Include) > 0; got != want {
			t.Errorf("%s: encrypted thoughts are asked for: got %v, want %v", name, got, want)
		}
	}
}

// TestProviderAPIRefusals pins the key that a refusal names, for each way in which a provider says that a model or an
// address has only the other interface.
func TestProviderAPIRefusals(t *testing.T) {
	const responses, chat = `(set "api: responses" on the test): `, `(set "api: chat" on the test if the server speaks only chat completions): `
	tests := []struct {
		wire, problem string
		status        int
		advice        string // "" for none
	}{
		{openAIWire, "This model is only supported in v1/responses and not in v1/chat/completions.", 404, responses},
		{openAIWire, "This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?", 404, responses},
		{openAIWire, "Function tools with reasoning_effort are not supported for gpt-5.5 in /v1/chat/completions. Please use /v1/responses instead.", 400, responses},
		{openAIWire, "The chatCompletion operation does not work with the specified model, gpt-5.1-codex-mini", 400, responses},
		{openAIWire, "model gpt-5.3-codex is not accessible via the /chat/completions endpoint", 400, responses},
		{openAIWire, "The model x does not exist", 404, ""},
		{openAIWire, "This is a chat model and not supported in the v1/completions endpoint.", 404, ""},
		{openAIWire, "an error while forwarding to v1/responses", 500, ""},
		{responsesWire, "page not found", 404, chat},
		{responsesWire, "method not allowed", 405, chat},
		{responsesWire, "The model x does not exist", 404, ""},
		{responsesWire, "page not found", 400, ""},
		{anthropicWire, "only supported in v1/responses", 404, ""},
	}
	for _, test := range tests {
		s := startStandIn(t, test.wire, standTurns(standReply{Status: test.status, Body: `{"error":{"message":"` + test.problem + `"}}`}))
		_, err := standInProvider(t, s, standInKey).Turn(t.Context(), weatherRequest())
		got := errorText(err)
		if !strings.HasSuffix(got, test.advice+test.problem) || strings.Contains(got, "on the test") != (test.advice != "") {
			t.Errorf("%s %d %s: got %q, want it with %q", test.wire, test.status, test.problem, got, test.advice)
		}
	}
}
