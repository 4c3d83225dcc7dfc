package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/org/mcp-gates/internal/thorough"
)

const providerKey = "my-provider-key-0123456789"

// providerStep is an answer of a provider: a reply of the model, else a status or a fault.
type providerStep struct {
	text string
	call string // name of a tool, and its arguments behind a blank
	stop string // "" for what fits, else "length" or "refusal"

	status int
	body   string
	cut    bool // the connection breaks within the answer
	hang   bool
}

// provider is a provider on loopback that speaks each wire format, and gives its steps one after the other, the last one
// for good. Whatever goes wrong, it says the key.
type provider struct {
	*httptest.Server
	asked atomic.Int64
	path  atomic.Value // of the last request, a string
	end   chan struct{}
}

func startProvider(t *testing.T, steps ...providerStep) *provider {
	t.Helper()
	p := &provider{end: make(chan struct{})}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		p.path.Store(r.URL.Path)
		n := int(p.asked.Add(1)) - 1
		steps[min(n, len(steps)-1)].answer(w, r, p.end)
	}))
	t.Cleanup(func() {
		close(p.end)
		p.Close()
	})
	return p
}

func (s providerStep) answer(w http.ResponseWriter, r *http.Request, end chan struct{}) {
	if s.hang {
		<-end
		return
	}
	body := s.body
	switch {
	case s.status > 0 && body == "":
		key := r.Header.Get("Authorization") + r.Header.Get("X-Api-Key")
		body = fmt.Sprintf(`{"error":{"message":"not now, %s"}}`, key)
	case body == "" && strings.HasSuffix(r.URL.Path, "/messages"):
		body = s.anthropic()
	case body == "" && strings.HasSuffix(r.URL.Path, "/responses"):
		body = s.responses()
	case body == "":
		body = s.openAI()
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "0")
	if s.cut {
		w.Header().Set("Content-Length", fmt.Sprint(len(body)+10))
	}
	w.WriteHeader(max(s.status, 200))
	_, _ = io.WriteString(w, body)
	if s.cut {
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func (s providerStep) openAI() string {
	message := map[string]any{"role": "assistant", "content": s.text}
	stop := "stop"
	if name, args, ok := strings.Cut(s.call, " "); ok {
		message["tool_calls"] = []any{map[string]any{"id": "c1", "type": "function", "function": map[string]any{"name": name, "arguments": args}}}
		stop = "tool_calls"
	}
	if s.stop != "" {
		stop = map[string]string{"length": "length", "refusal": "content_filter"}[s.stop]
	}
	return jsonOf(map[string]any{"id": "1", "object": "chat.completion", "model": "stand-in-1", "choices": []any{
		map[string]any{"index": 0, "message": message, "finish_reason": stop},
	}, "usage": map[string]any{"prompt_tokens": 50, "completion_tokens": 5, "total_tokens": 55}})
}

func (s providerStep) anthropic() string {
	content := []any{map[string]any{"type": "text", "text": s.text}}
	stop := "end_turn"
	if name, args, ok := strings.Cut(s.call, " "); ok {
		content = append(content, map[string]any{"type": "tool_use", "id": "c1", "name": name, "input": json.RawMessage(args)})
		stop = "tool_use"
	}
	if s.stop != "" {
		stop = map[string]string{"length": "max_tokens", "refusal": "refusal"}[s.stop]
	}
	return jsonOf(map[string]any{"id": "1", "type": "message", "role": "assistant", "model": "stand-in-1", "content": content,
		"stop_reason": stop, "usage": map[string]any{"input_tokens": 50, "output_tokens": 5}})
}

func (s providerStep) responses() string {
	output := []any{}
	if s.text != "" {
		output = append(output, map[string]any{"type": "message", "id": "m1", "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": s.text, "annotations": []any{}}}})
	}
	if name, args, ok := strings.Cut(s.call, " "); ok {
		output = append(output, map[string]any{"type": "function_call", "id": "f1", "call_id": "c1", "name": name, "arguments": args})
	}
	reply := map[string]any{"id": "1", "object": "response", "model": "stand-in-1", "status": "completed", "error": nil,
		"output": output, "usage": map[string]any{"input_tokens": 50, "output_tokens": 5, "total_tokens": 55}}
	if s.stop != "" {
		reply["status"] = "incomplete"
		reply["incomplete_details"] = map[string]any{"reason": map[string]string{"length": "max_output_tokens", "refusal": "content_filter"}[s.stop]}
	}
	return jsonOf(reply)
}

func jsonOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// providerTest returns a suite whose model is that of a provider.
func providerTest(t *testing.T, wire string, p *provider) *liveTest {
	t.Helper()
	address, keys := p.URL+"/v1", "provider: openai"
	switch wire {
	case "anthropic":
		address, keys = p.URL, "provider: anthropic"
	case "responses":
		keys += "\n    api: responses"
	}
	return newLiveTest(t, map[string]string{
		"mcp-gates.yml": fmt.Sprintf(`
servers:
  weather: { command: [mcp-gates, mock, --tools-from, tools.json], OWN_ENV }
agents:
  - name: asks
    model: stand-in-1
    %s
    base_url: %s
    server: weather
    prompt: Forecast the weather.
    runs: 2
    tool_selection: { expected_tool: forecast, min_selection_rate: 1 }
`, keys, address),
		"tools.json": `[{"name": "forecast", "inputSchema": {"type": "object"}}]`,
	})
}

// What a provider can do wrong is an error of the world and no miss, what a model can do is evidence, in each wire format.
// No key is ever shown. The provider asks for no wait, which counts with 429 and 503 only: without that, five tries take 15 s. The
// tests of package provider have all statuses.
func TestLiveProviders(t *testing.T) {
	t.Parallel()
	call, done := providerStep{call: "forecast {}"}, providerStep{text: "Sunny."}
	failed := []string{"2 of 2 runs did not finish", "ERROR: 1 of 1 case could not be evaluated"}
	for i, test := range []struct {
		name   string
		steps  []providerStep
		asked  int64
		args   string // of the program
		status int
		want   []string // of the report
		record string   // in the recording; "" for none
	}{
		{"429, then well", []providerStep{{status: 429}, call, done, call, done}, 5, "", 0, []string{"selection 2/2"}, `"stop_reason": "end_turn"`},
		{"429 for ever", []providerStep{{status: 429}}, 10, "", 3, append(failed, "turn 1: WIRE answered 429 Too Many Requests to each of 5 tries: not now, "), ""},
		{"500 in mid-run, then well", []providerStep{call, {status: 500}, done, call, done}, 5, "", 0, []string{"selection 2/2"}, `"stop_reason": "end_turn"`},
		{"503 for ever, in mid-run", []providerStep{call, {status: 503}}, 11, "", 3, append(failed, "turn 2: WIRE answered 503 Service Unavailable to each of 5 tries"), ""},
		{"401", []providerStep{{status: 401}}, 2, "", 3, append(failed, "turn 1: WIRE answered 401 Unauthorized to the key in KEYENV: not now, "), ""},
		{"400", []providerStep{{status: 400}}, 2, "", 3, append(failed, "turn 1: WIRE answered 400 Bad Request: not now, "), ""},
		{"malformed JSON", []providerStep{{body: `{"choices": [`}}, 2, "", 3, append(failed, "turn 1: WIRE: the reply cannot be read as JSON"), ""},
		{"cut, then well", []providerStep{{text: "Sunny.", cut: true}, call, done, call, done}, 5, "", 0, []string{"selection 2/2"}, `"stop_reason": "end_turn"`},
		{"hangs", []providerStep{{hang: true}}, 2, "--turn-timeout=1s", 3, append(failed, "turn 1: the model did not answer within 1s; raise --turn-timeout if it needs longer"), ""},
		{"hangs, for the case", []providerStep{{hang: true}}, 1, "--case-timeout=6s", 3, append(failed, "turn 1: the case takes longer than 6s; raise --case-timeout if it needs longer"), ""},
		{"refusal", []providerStep{{text: "No.", stop: "refusal"}}, 2, "", 1, []string{"selection 0/2", "called nothing"}, `"stop_reason": "refusal"`},
		{"token limit", []providerStep{{text: "Sun", stop: "length"}}, 2, "", 1, []string{"selection 0/2"}, `"stop_reason": "max_tokens"`},
		{"token limit in a call", []providerStep{{call: "forecast {}", stop: "length"}}, 2, "", 0, []string{"selection 2/2"}, `"result": "not made: the reply ended with max_tokens"`},
		{"unknown tool", []providerStep{{call: "guess {}"}, done, {call: "guess {}"}, done}, 4, "", 1, []string{"selection 0/2", "called guess"}, `"result": "there is no tool called \"guess\""`},
		{"invalid arguments", []providerStep{{call: `forecast [1]`}, done, {call: `forecast [1]`}, done}, 4, "", 0, []string{"selection 2/2"}, `"result": "the arguments are not a JSON object"`},
	} {
		wires := []string{"openai", "responses", "anthropic"}
		if !thorough.Asked() {
			wires = wires[i%3 : i%3+1]
		}
		for _, wire := range wires {
			name, keyEnv := "openai", "OPENAI_API_KEY"
			if wire == "anthropic" {
				name, keyEnv = wire, "ANTHROPIC_API_KEY"
			}
			t.Run(test.name+"/"+wire, func(t *testing.T) {
				t.Parallel()
				p := startProvider(t, test.steps...)
				l := providerTest(t, wire, p)
				l.env = []string{keyEnv + "=" + providerKey}
				args := []string{"run", "--record", "--jobs=1", "--format=json=report.json", "--format=markdown=report.md"}
				if test.args != "" {
					args = append(args, test.args)
				}
				r := l.run(t, args...)
				names := strings.NewReplacer("WIRE", name, "KEYENV", keyEnv)
				for _, want := range test.want {
					r.wants(t, test.status, names.Replace(want))
				}
				if got := p.asked.Load(); got != test.asked {
					t.Errorf("the provider was asked %d times, want %d", got, test.asked)
				}
				cassette := l.read("cassettes/mcp-gates/asks.json")
				if !strings.Contains(cassette, test.record) || (cassette == "") != (test.record == "") {
					t.Errorf("the recording is %q, want one with %q", cassette, test.record)
				}
				for name, text := range map[string]string{"output": r.stdout + r.stderr, "report": l.read("report.json") + l.read("report.md"), "recording": cassette} {
					if strings.Contains(text, providerKey) {
						t.Errorf("the %s has the key", name)
					}
				}
			})
		}
	}
}

// A run that broke off is left out where the suite allows it, and counted as an error, not as a miss.
func TestLiveProviderBreaksOneRun(t *testing.T) {
	t.Parallel()
	p := startProvider(t, providerStep{call: "forecast {}"}, providerStep{text: "Sunny."}, providerStep{status: 403})
	l := providerTest(t, "openai", p)
	l.write(t, "mcp-gates.yml", strings.Replace(l.read("mcp-gates.yml"), "runs: 2", "runs: 2\n    allow_run_errors: 1", 1))
	r := l.run(t, "run", "--record", "--jobs=1")
	r.wants(t, 0, "[PASS] asks: selection 1/1 (100%)")
	l.replay(t).wants(t, 0, "[PASS] asks: selection 1/1 (100%)")
	if cassette := l.read("cassettes/mcp-gates/asks.json"); !strings.Contains(cassette, `"error": "turn 1: openai answered 403 Forbidden (OPENAI_API_KEY is not set)`) {
		t.Errorf("the recording lacks the error of run 2:\n%s", cassette)
	}
}

// The suite's key decides which of OpenAI's interfaces is used, else the model's family does. A recording is as fresh after
// another choice.
func TestLiveAPI(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ defaults, model, path string }{
		{"{ }", "stand-in-1", "/v1/chat/completions"},
		{"{ api: responses }", "stand-in-1", "/v1/responses"},
		{"{ }", "gpt-5-codex", "/v1/responses"},
		{"{ api: chat }", "gpt-5-codex", "/v1/chat/completions"},
	} {
		t.Run(test.model+test.defaults, func(t *testing.T) {
			t.Parallel()
			call, done := providerStep{call: "forecast {}"}, providerStep{text: "Sunny."}
			p := startProvider(t, call, done, call, done)
			l := providerTest(t, "openai", p)
			edit := strings.NewReplacer("stand-in-1", test.model, "weather: {", "weather: { catalog: tools.json,")
			suite := "defaults: " + test.defaults + edit.Replace(l.read("mcp-gates.yml"))
			l.write(t, "mcp-gates.yml", suite)
			l.run(t, "run", "--record", "--jobs=1").wants(t, 0, "[PASS] asks: selection 2/2")
			if got := p.path.Load(); got != test.path {
				t.Errorf("the provider was asked at %v, want %s", got, test.path)
			}
			for _, api := range []string{"chat", "responses"} {
				l.write(t, "mcp-gates.yml", suite+"    api: "+api+"\n")
				l.replay(t, "--fail-on-stale=any").wants(t, 0, "[PASS] asks: selection 2/2")
				if stale := l.replay(t, "--list", "--stale"); stale.status != 0 || stale.stdout != "" {
					t.Errorf("with api: %s these are stale: %s%s", api, stale.stdout, stale.stderr)
				}
			}
		})
	}
}

// A refusal of a model that is only in Responses names the key.
func TestLiveAPIRefusal(t *testing.T) {
	t.Parallel()
	const problem = "This model is only supported in v1/responses and not in v1/chat/completions."
	l := providerTest(t, "openai", startProvider(t, providerStep{status: 404, body: `{"error":{"message":"` + problem + `"}}`}))
	l.run(t, "run", "--record", "--jobs=1").wants(t, 3, `turn 1: openai answered 404 Not Found (set "api: responses" on the test): `+problem)
}
