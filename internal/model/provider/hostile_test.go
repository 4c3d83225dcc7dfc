package provider

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/trace"
)

// Fixed bugs: a message that is null, and a call that is, ended the whole program.
func TestProviderNulls(t *testing.T) {
	tests := []struct{ wire, body, want string }{
		{openAIWire, `{"choices":[{"message":null,"finish_reason":"stop"}]}`, "the message of the reply cannot be read: it is null"},
		{openAIWire, `{"choices":[{"message":{"tool_calls":[null]},"finish_reason":"stop"}]}`, "the message of the reply cannot be read: call 1 is null"},
		{openAIWire, `{"choices":[null]}`, "the message of the reply cannot be read"},
		{openAIWire, `{"choices":[{"message":{"tool_calls":{}},"finish_reason":"stop"}]}`, "the message of the reply cannot be read"},
		{responsesWire, `{"status":"completed","output":[null]}`, "item 1 of the reply cannot be read: it is null"},
		{responsesWire, `{"status":"completed","output":[{},7]}`, "item 2 of the reply cannot be read"},
		{responsesWire, `{"status":"completed","output":null}`, "the reply holds no output"},
		{responsesWire, `{"status":"completed","output":{}}`, "the reply cannot be read as JSON"},
		{responsesWire, `{"status":"completed","output":[{"type":"message","content":[7]}]}`, "item 1 of the reply cannot be read"},
		{responsesWire, `{"status":"completed","output":[{"type":"message","content":"x"}]}`, "item 1 of the reply cannot be read"},
		{responsesWire, `{"output":[]}`, "the reply does not say why it ended"},
		{anthropicWire, `{"type":"message","content":[null]}`, "the reply does not say why it ended"},
		{anthropicWire, `{"type":"message","content":{},"stop_reason":"end_turn"}`, "the reply is not a message with content"},
	}
	for _, test := range tests {
		s := startStandIn(t, test.wire, standTurns(standReply{Body: test.body}))
		_, err := standInProvider(t, s, standInKey).Turn(t.Context(), weatherRequest())
		if got := errorText(err); !strings.Contains(got, test.want) {
			t.Errorf("%s %s: got error %q, want %q", test.wire, test.body, got, test.want)
		}
	}
}

// Fixed bugs: counts that no reply can have were summed until they were negative, which no cassette may hold.
func TestProviderImpossibleCounts(t *testing.T) {
	const most = "9223372036854775807"
	tests := []struct {
		wire, body    string
		input, output trace.Count
	}{
		{openAIWire, `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":` + most + `,"completion_tokens":` + most + `,"total_tokens":7}}`,
			trace.Count{}, trace.Count{}},
		{openAIWire, `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":-4,"total_tokens":` + most + `}}`,
			trace.Known(3), trace.Count{}},
		{responsesWire, `{"status":"completed","output":[],"usage":{"input_tokens":` + most + `,"output_tokens":-4}}`, trace.Count{}, trace.Count{}},
		{responsesWire, `{"status":"completed","output":[],"usage":null}`, trace.Count{}, trace.Count{}},
		{anthropicWire, `{"type":"message","content":[],"stop_reason":"end_turn","usage":{"input_tokens":` + most + `,"cache_read_input_tokens":` + most + `,"cache_creation_input_tokens":9,"output_tokens":1}}`,
			trace.Count{}, trace.Known(1)},
		{anthropicWire, `{"type":"message","content":[],"stop_reason":"end_turn","usage":{"input_tokens":5,"cache_read_input_tokens":-2,"output_tokens":1}}`,
			trace.Count{}, trace.Known(1)},
	}
	for _, test := range tests {
		s := startStandIn(t, test.wire, standTurns(standReply{Body: test.body}))
		reply := mustTurn(t, standInProvider(t, s, standInKey), weatherRequest())
		if reply.Input != test.input || reply.Output != test.output {
			t.Errorf("%s %s: got %v and %v, want %v and %v", test.wire, test.body, reply.Input, reply.Output, test.input, test.output)
		}
	}
}

func FuzzProviderReplies(f *testing.F) {
	f.Add(`{"type":"message","content":[{"type":"tool_use","id":"a","name":"b","input":{}}],"stop_reason":"tool_use","usage":{"input_tokens":1}}`)
	f.Add(`{"choices":[{"message":{"content":[{"type":"text","text":"a"}],"tool_calls":[{"function":{"arguments":{}}}]},"finish_reason":"stop"}],"usage":{}}`)
	f.Add(`{"status":"incomplete","incomplete_details":{"reason":"x"},"output":[{"type":"message","content":[{"type":"refusal","refusal":"a"}]},{"type":"function_call","arguments":{}}],"usage":{}}`)
	f.Add(`{"status":"failed","error":{"code":"server_error","message":"a"},"output":[]}`)
	f.Add(`[{"error":{"message":["a"]}}]`)
	f.Fuzz(func(t *testing.T, reply string) {
		readers := []func([]byte) (model.Reply, error){
			readAnthropic,
			func(b []byte) (model.Reply, error) { return readOpenAI(b, 1) },
			func(b []byte) (model.Reply, error) { return readResponses(b, 1) },
		}
		for _, read := range readers {
			got, err := read([]byte(reply))
			if err == nil && (got.Stop == "" || got.Stop == model.StopToolUse && len(got.Calls) == 0) {
				t.Errorf("reply to %q has stop reason %q and %d calls", reply, got.Stop, len(got.Calls))
			}
		}
		c := providerClient{key: "e"}
		if text := c.printable(problemOf([]byte(reply))); strings.ContainsAny(text, "\n\x00\x1b") || len([]rune(text)) > longestQuoted+1 {
			t.Errorf("problem of %q: %q", reply, text)
		}
	})
}

// No piece of a secret shows where a provider's text is cut in the middle of it.
func TestProviderTextsHoldNoSecrets(t *testing.T) {
	const secret = "correct-horse-battery-staple"
	rules, err := redact.New(redact.Config{Values: []string{secret}})
	if err != nil {
		t.Fatal(err)
	}
	client := &providerClient{options: Options{Rules: func() *redact.Rules { return rules }}}
	for n := range 2 * longestQuoted {
		text := rules.File().Text(client.printable(strings.Repeat("y", n) + " " + secret + " and so on"))
		for at := 0; at+8 <= len(secret); at++ {
			if strings.Contains(text, secret[at:at+8]) {
				t.Fatalf("cut after %d characters, %q is left of the secret: %s", n, secret[at:at+8], text)
			}
		}
	}
}
