package model

import (
	"os"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/trace"
)

var responsesStops = []stopTest{
	{responsesWire, standReply{Text: "x", Stop: "max_output_tokens"}, StopMaxTokens},
	{responsesWire, standReply{Calls: []Call{{"c1", "now", `{`}}, Stop: "max_output_tokens"}, StopMaxTokens},
	{responsesWire, standReply{Text: "x", Stop: "content_filter"}, StopRefusal},
	{responsesWire, standReply{Text: "x", Stop: "another_reason"}, "another_reason"},
	{responsesWire, standReply{Text: "x", Stop: "incomplete"}, "incomplete"},
	{responsesWire, standReply{Text: "x", Stop: "in_progress"}, "in_progress"},
	{responsesWire, standReply{Body: `{"status":"completed","output":[]}`}, StopEndTurn},
	{responsesWire, standReply{Body: `{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"I cannot."}]}]}`}, StopRefusal},
}

// TestResponsesReplies reads replies with several items, and those of servers that speak Responses in their own way. The
// calls of each are answered, so that the stand-in checks what goes back.
func TestResponsesReplies(t *testing.T) {
	tests := []struct {
		what, body string
		want       Reply
	}{
		{"text before and after a call",
			`{"model":"m","status":"completed","output":[
				{"type":"message","id":"msg_1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"a","annotations":[]},{"type":"output_text","text":"b","annotations":[]}]},
				{"type":"function_call","id":"fc_1","call_id":"x","name":"now","arguments":"{\"a\":1}","status":"completed"},
				{"type":"message","id":"msg_2","role":"assistant","status":"completed","content":[{"type":"output_text","text":"c","annotations":[]}]}]}`,
			Reply{Model: "m", Text: "ab\n\nc", Stop: StopToolUse, Calls: []Call{{"x", "now", `{"a":1}`}}}},
		{"no id, null fields",
			`{"status":"completed","output":[
				{"type":"function_call","call_id":null,"id":null,"name":"now","arguments":"{}","status":null},
				{"type":"function_call","name":"now","arguments":"{}"}]}`,
			Reply{Stop: StopToolUse, Calls: []Call{{"call_1_1", "now", `{}`}, {"call_1_2", "now", `{}`}}}},
		{"no status",
			`{"output":[{"type":"function_call","call_id":"x","name":"now","arguments":"{\"a\":"}]}`,
			Reply{Stop: StopToolUse, Calls: []Call{{"x", "now", `{"a":`}}}},
		{"a refusal", // and counts
			`{"status":"completed","output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"refusal","refusal":"I cannot."}]}],
				"usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":8},"output_tokens":5,"output_tokens_details":{"reasoning_tokens":4},"total_tokens":15}}`,
			Reply{Text: "I cannot.", Stop: StopRefusal, Input: trace.Known(10), Output: trace.Known(5)}},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			s := startStandIn(t, responsesWire, standTurns(standReply{Body: test.body}, standReply{Text: "ok"}))
			p := standInProvider(t, s, standInKey)
			reply := mustTurn(t, p, weatherRequest())
			compareReplies(t, reply, test.want)
			results := make([]Result, len(reply.Calls))
			req := afterResults(weatherRequest(), reply, results...)
			if len(results) == 0 {
				req.Messages[len(req.Messages)-1] = Message{Role: RoleUser, Text: "Please."}
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
	for model, want := range map[string]bool{
		"gpt-5-codex": true, "o3-pro": true, "gpt-6": true, "openai/gpt-5": true, "some-deployment": true, "gpt-oss-120b": true,
		"gpt-4o": false, "gpt-4.1-mini": false, "openai/gpt-4.1": false, "ft:gpt-4.1:org::id": false, "gpt-3.5-turbo": false,
		"chatgpt-4o-latest": false, "gpt-5-chat-latest": false, "gpt-5.2-chat-latest": false,
	} {
		if got := len(responsesRequestOf(Request{Model: model}).Include) > 0; got != want {
			t.Errorf("%s: encrypted thoughts are asked for: got %v, want %v", model, got, want)
		}
	}
}

func TestProviderAPI(t *testing.T) {
	const gateway = "https://gateway.test/v1"
	tests := []struct {
		choice Choice
		want   API
	}{
		{Choice{Model: "gpt-5"}, chat},
		{Choice{Model: "gpt-5.4"}, chat},
		{Choice{Model: "gpt-5.5"}, chat},
		{Choice{Model: "gpt-5-chat-latest"}, chat},
		{Choice{Model: "o3"}, chat},
		{Choice{Model: "o4-mini"}, chat},
		{Choice{Model: "o1-pro-2025-03-19"}, responses},
		{Choice{Model: "o3-pro"}, responses},
		{Choice{Model: "gpt-5-pro-2025-10-06"}, responses},
		{Choice{Model: "gpt-5.5-pro"}, responses},
		{Choice{Model: "gpt-5.6"}, responses},
		{Choice{Model: "gpt-5.6-luna"}, responses},
		{Choice{Model: "gpt-6-astra"}, responses},
		{Choice{Model: "gpt-5-codex"}, responses},
		{Choice{Model: "gpt-5.1-codex-max"}, responses},
		{Choice{Model: "openai/gpt-5.1-codex-mini"}, responses},
		{Choice{Model: "codex-mini-latest", Provider: "openai"}, responses},
		{Choice{Model: "o4-mini-deep-research"}, responses},
		{Choice{Model: "gpt-5-codex", API: chat}, chat},
		{Choice{Model: "gpt-4.1", API: responses}, responses},
		{Choice{Model: "gpt-5-codex", BaseURL: gateway}, responses},
		{Choice{Model: "openai/gpt-5-codex", BaseURL: gateway}, chat}, // a gateway that translates
		{Choice{Model: "someone/codex-7b", BaseURL: gateway}, chat},
		{Choice{Model: "llama3.2", BaseURL: gateway, API: responses}, responses},
		{Choice{Model: "gemini-2.5-pro"}, chat},
		{Choice{Model: "gpt-5-codex", Provider: "mistral", API: chat}, chat},
		{Choice{Model: "claude-opus-5"}, ""},
		{Choice{Model: "builtin:lexical"}, ""},
	}
	keys := providerEnv("OPENAI_API_KEY=k", "GEMINI_API_KEY=k", "MISTRAL_API_KEY=k", "ANTHROPIC_API_KEY=k")
	for _, test := range tests {
		r, err := Resolve(test.choice, keys)
		if err != nil || r.API != test.want {
			t.Errorf("%+v: got %q, %v, want %q", test.choice, r.API, err, test.want)
		}
	}
}

func TestProviderAPIMistakes(t *testing.T) {
	tests := []struct {
		choice Choice
		want   string
	}{
		{Choice{Model: "claude-opus-5", API: responses}, `provider anthropic of model "claude-opus-5" has an interface of its own and no "api", found "responses"`},
		{Choice{Model: "m", Provider: "anthropic", API: chat}, `provider anthropic has an interface of its own and no "api", found "chat"`},
		{Choice{Model: "google/gemini-2.5-pro", API: responses}, `provider google of model "google/gemini-2.5-pro" has only "api: chat", found "responses"`},
		{Choice{Model: "builtin:lexical", API: chat}, `model "builtin:lexical" is built in and has no "api"`},
	}
	for _, test := range tests {
		if got := errorText(test.choice.CheckAPI()); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.choice, got, test.want)
		}
		if _, err := Resolve(test.choice, func(string) string { return "key" }); errorText(err) != test.want {
			t.Errorf("%+v: resolve: got %q, want %q", test.choice, errorText(err), test.want)
		}
	}
	if err := (Choice{Model: "who-knows", API: responses}).CheckAPI(); err != nil {
		t.Errorf("an unknown model: got %q, want nothing, because its provider may be known to a live run", err)
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

// A newcomer forgets the documentation of a family beside its row.
func TestResponsesFamiliesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range responsesFamilies {
		for name := range strings.SplitSeq(family.names, ", ") {
			if !family.models().MatchString(name) || !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("model %q of %v: want one that the expression matches, and that docs/providers.md names", name, family.models())
			}
		}
	}
}

// No expression may match the name of a gateway's model, which the gateway translates.
func TestResponsesFamiliesAreAnchored(t *testing.T) {
	for _, family := range responsesFamilies {
		name, _, _ := strings.Cut(family.names, ", ")
		if family.models().MatchString("openai/"+name) || family.models().MatchString("my-"+name) {
			t.Errorf("%v matches %q within a longer name, want none", family.models(), name)
		}
	}
}
