package provider

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
)

var providerWires = []string{anthropicWire, openAIWire, responsesWire}

func TestMain(m *testing.M) {
	flag.Parse()
	// The parallel tests wait for deadlines, and not for a processor.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	m.Run()
}

// quickRetry is a patience fit for tests.
var quickRetry = Retry{Tries: 3, Wait: time.Millisecond, MostWait: 20 * time.Millisecond}

func standInProvider(t *testing.T, s *standIn, key string) model.Provider {
	t.Helper()
	c := wireChoice(s.wire)
	c.Model, c.BaseURL = "stand-in-1", s.URL
	r, err := model.Resolve(c, func(name string) string {
		if strings.HasSuffix(name, "_API_KEY") {
			return key
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(r, Options{Retry: quickRetry})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wireChoice returns a choice of the provider and the API that speak a wire format.
func wireChoice(wire string) model.Choice {
	if wire == responsesWire {
		return model.Choice{Provider: "openai", API: model.Responses}
	}
	return model.Choice{Provider: wire}
}

func weatherRequest() model.Request {
	return model.Request{
		Model: "stand-in-1", System: "Be brief.", Messages: []model.Message{{Role: model.RoleUser, Text: "Weather in Paris & <Rome>?"}},
		Tools: []model.Tool{
			{Name: "get_weather", Description: "Weather of a city", Schema: jsontext.Value(`{"type":"object","properties":{"city":{"type":"string"}}}`)},
			{Name: "now", Schema: jsontext.Value(` { "title": "x" } `)},
			{Name: "none", Schema: jsontext.Value(`{}`)},
			{Name: "nil"},
		},
		MaxOutputTokens: 100, Temperature: new(float64), Run: 1,
	}
}

// afterResults returns the request that follows a reply when its calls have the given results.
func afterResults(req model.Request, reply model.Reply, results ...model.Result) model.Request {
	for i := range results {
		results[i].CallID, results[i].Name = reply.Calls[i].ID, reply.Calls[i].Name
	}
	req.Messages = append(req.Messages,
		model.Message{Role: model.RoleAssistant, Text: reply.Text, Calls: reply.Calls, Raw: reply.Raw},
		model.Message{Role: model.RoleTool, Results: results})
	return req
}

// TestProviderConversation takes each wire format through parallel calls, an empty result, a failed one, and the answer.
func TestProviderConversation(t *testing.T) {
	for _, wire := range providerWires {
		t.Run(wire, func(t *testing.T) {
			calls := []model.Call{{ID: "toolu_1", Name: "get_weather", Args: `{"city":"Paris"}`}, {ID: "toolu_2", Name: "get_weather", Args: `{"city":"<Rome>"}`}}
			s := startStandIn(t, wire, standTurns(
				standReply{Text: "I look.", Calls: calls, Input: 50, Output: 20, Signed: "sig<&>=="},
				standReply{Calls: []model.Call{{ID: "toolu_3", Name: "made_up", Args: `{}`}}, Input: 90, Output: 5},
				standReply{Text: "Sunny.", Input: 120, Output: 7}))
			p, req := standInProvider(t, s, standInKey), weatherRequest()

			first := mustTurn(t, p, req)
			answerer := map[string]string{anthropicWire: "claude-stand-in-20260101"}[wire]
			if answerer == "" {
				answerer = "gpt-stand-in-2026-01-01"
			}
			want := model.Reply{Text: "I look.", Calls: calls, Stop: model.StopToolUse, Model: answerer, Input: trace.Known(50), Output: trace.Known(20)}
			compareReplies(t, first, want)

			req = afterResults(req, first, model.Result{Text: "sun"}, model.Result{Text: "", IsError: true})
			second := mustTurn(t, p, req)
			if second.Stop != model.StopToolUse || len(second.Calls) != 1 || second.Calls[0].Name != "made_up" {
				t.Errorf("second reply: got %+v, want the call of a tool that nobody has", second)
			}
			req = afterResults(req, second, model.Result{Text: "no such tool", IsError: true})
			last := mustTurn(t, p, req)
			compareReplies(t, last, model.Reply{Text: "Sunny.", Stop: model.StopEndTurn, Model: answerer, Input: trace.Known(120), Output: trace.Known(7)})

			if sent := s.Requests()[1].Raw; !strings.Contains(sent, `sig<&>==`) {
				t.Errorf("second request lacks the signed thought word for word:\n%s", sent)
			}
			if sent := s.Requests()[0].Raw; !strings.Contains(sent, `"temperature":0`) {
				t.Errorf("request lacks the temperature of 0:\n%s", sent)
			}
		})
	}
}

func mustTurn(t *testing.T, p model.Provider, req model.Request) model.Reply {
	t.Helper()
	reply, err := p.Turn(t.Context(), req)
	if err != nil {
		t.Fatalf("turn: %v", err)
	}
	return reply
}

func compareReplies(t *testing.T, got, want model.Reply) {
	t.Helper()
	got.Raw = nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("reply:\n got %+v\nwant %+v", got, want)
	}
}

// TestProviderWithoutRaw sends a conversation that another provider had.
func TestProviderWithoutRaw(t *testing.T) {
	for _, wire := range providerWires {
		t.Run(wire, func(t *testing.T) {
			s := startStandIn(t, wire, standTurns(standReply{Text: "ok", Input: 9}))
			reply := model.Reply{Text: "x", Calls: []model.Call{{ID: "a", Name: "now", Args: `{"deep":[1]}`}, {ID: "b", Name: "now", Args: `not JSON`}}}
			req := afterResults(weatherRequest(), reply, model.Result{Text: "1"}, model.Result{Text: "2"})
			mustTurn(t, standInProvider(t, s, standInKey), req)
		})
	}
}

// providerFaults are what a provider can do, and how a turn ends: with an error that has all of the words, or with a reply.
var providerFaults = []struct {
	what     string
	answer   func(standRequest) standReply
	requests int
	err      string
	stop     model.StopReason
}{
	{"429 with Retry-After", standTries(standReply{Status: 429, Header: map[string]string{"Retry-After": "0"}, Body: "{}"}, standReply{Text: "ok"}), 2, "", model.StopEndTurn},
	{"429 with a long Retry-After", standTries(standReply{Status: 429, Header: map[string]string{"Retry-After": "3600"}, Body: "{}"}, standReply{Text: "ok"}), 2, "", model.StopEndTurn},
	{"429 with a date", standTries(standReply{Status: 429, Header: map[string]string{"Retry-After": "Fri, 31 Dec 2099 23:59:59 GMT"}, Body: "{}"}, standReply{Text: "ok"}), 2, "", model.StopEndTurn},
	{"429 for ever", standTries(standReply{Status: 429, Body: `{"error":{"message":"slow down"}}`}), 3, "answered 429 Too Many Requests to each of 3 tries: slow down", ""},
	{"429 without money", standTries(standReply{Status: 429, Body: `{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","code":"insufficient_quota"}}`}), 1,
		"answered 429 Too Many Requests insufficient_quota, for which there is no second try: You exceeded your current quota.", ""},
	{"429 without money by its type", standTries(standReply{Status: 429, Body: `[{"error":{"message":"No.","type":"insufficient_quota","code":429}}]`}), 1,
		"answered 429 Too Many Requests insufficient_quota, for which there is no second try: No.", ""},
	{"429 with a code", standTries(standReply{Status: 429, Body: `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`}), 3, "answered 429 Too Many Requests to each of 3 tries: slow down", ""},
	{"529", standTries(standReply{Status: 529, Body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`}, standReply{Text: "ok"}), 2, "", model.StopEndTurn},
	{"529 for ever", standTries(standReply{Status: 529, Body: `{"error":{"message":"Overloaded"}}`}), 3, "answered 529 to each of 3 tries: Overloaded", ""},
	{"500", standTries(standReply{Status: 500, Body: "oops"}, standReply{Status: 503, Body: ""}, standReply{Text: "ok"}), 3, "", model.StopEndTurn},
	{"500 for ever", standTries(standReply{Status: 500, Body: "<html>\x1b[31moops\n\n</html>"}), 3, "500 Internal Server Error to each of 3 tries: <html> [31moops </html>", ""},
	{"400", standTries(standReply{Status: 400, Body: `[{"error":{"code":400,"message":"no such model"}}]`}), 1, "answered 400 Bad Request: no such model", ""},
	{"404", standTries(standReply{Status: 404, Body: `{"error":"model \"x\" not found"}`}), 1, `answered 404 Not Found: model "x" not found`, ""},
	{"422", standTries(standReply{Status: 422, Body: `{"message":{"detail":[{"msg":"Field required"}]}}`}), 1, `422 Unprocessable Entity: {"msg":"Field required"}`, ""},
	{"redirect", standTries(standReply{Status: 307, Header: map[string]string{"Location": "http://127.0.0.1:1/"}, Body: "{}"}), 1, "answered 307 Temporary Redirect, and redirects are not followed", ""},
	{"long error", standTries(standReply{Status: 400, Body: strings.Repeat("é", 1<<20)}), 1, strings.Repeat("é", 400) + "…", ""},
	{"malformed JSON", standTries(standReply{Body: `{"type": "message", "content": [`}), 1, "the reply cannot be read as JSON: unexpected end of JSON input", ""},
	{"HTML", standTries(standReply{Body: `<html>`}), 1, "the reply cannot be read as JSON: invalid character '<'", ""},
	{"another JSON", standTries(standReply{Body: `{"ok": true}`}), 1, "the reply ", ""},
	{"no object", standTries(standReply{Body: `null`}), 1, "the reply ", ""},
	{"cut connection", standTries(standReply{Text: "ok", Cut: true}, standReply{Text: "ok"}), 2, "", model.StopEndTurn},
	{"cut connection for ever", standTries(standReply{Text: "ok", Cut: true}), 3, "no answer: unexpected EOF", ""},
	{"12 MB", standTries(standReply{Text: "ok", Blanks: 12 << 20}), 1, "", model.StopEndTurn},
	{"33 MB", standTries(standReply{Text: "ok", Blanks: 33 << 20}), 1, "the reply is longer than 33554432 bytes", ""},
}

func TestProviderFaults(t *testing.T) {
	for _, wire := range providerWires {
		for _, test := range providerFaults {
			t.Run(wire+"/"+test.what, func(t *testing.T) {
				if strings.HasSuffix(test.what, " MB") && wire != openAIWire {
					thorough.Only(t, "all replies are read by one function")
				}
				t.Parallel()
				s := startStandIn(t, wire, test.answer)
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
				defer cancel()
				reply, err := standInProvider(t, s, standInKey).Turn(ctx, weatherRequest())
				if got := errorText(err); !strings.Contains(got, test.err) || (got == "") != (test.err == "") {
					t.Errorf("error: got %q, want one with %q", got, test.err)
				}
				if len(errorText(err)) > 1200 {
					t.Errorf("error is %d bytes long", len(errorText(err)))
				}
				if reply.Stop != test.stop {
					t.Errorf("stop reason: got %q, want %q", reply.Stop, test.stop)
				}
				if n := len(s.Requests()); n != test.requests {
					t.Errorf("requests: got %d, want %d", n, test.requests)
				}
			})
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

type stopTest struct {
	wire  string
	reply standReply
	want  model.StopReason
}

func TestProviderStopReasons(t *testing.T) {
	call := []model.Call{{ID: "c1", Name: "now", Args: `{}`}}
	tests := []stopTest{
		{anthropicWire, standReply{Text: "x", Stop: "max_tokens"}, model.StopMaxTokens},
		{anthropicWire, standReply{Text: "x", Calls: call, Stop: "max_tokens"}, model.StopMaxTokens},
		{anthropicWire, standReply{Text: "no", Stop: "refusal"}, model.StopRefusal},
		{anthropicWire, standReply{Text: "x", Stop: "pause_turn"}, "pause_turn"},
		{openAIWire, standReply{Text: "x", Stop: "length"}, model.StopMaxTokens},
		{openAIWire, standReply{Calls: call, Stop: "length"}, model.StopMaxTokens},
		{openAIWire, standReply{Text: "x", Stop: "content_filter"}, model.StopRefusal},
		{openAIWire, standReply{Text: "x", Stop: "error"}, "error"},
		{openAIWire, standReply{Calls: call, Stop: "stop"}, model.StopToolUse},
		{openAIWire, standReply{Text: "x", Stop: "tool_calls"}, model.StopEndTurn},
		{openAIWire, standReply{Body: `{"choices":[{"message":{"content":null,"refusal":"I cannot."},"finish_reason":"stop"}]}`}, model.StopRefusal},
	}
	for _, test := range append(tests, responsesStops...) {
		s := startStandIn(t, test.wire, standTurns(test.reply))
		if got := mustTurn(t, standInProvider(t, s, standInKey), weatherRequest()); got.Stop != test.want {
			t.Errorf("%s %+v: got %q, want %q", test.wire, test.reply, got.Stop, test.want)
		}
	}
}

// TestProviderOddReplies reads what servers that speak chat completions in their own way send.
func TestProviderOddReplies(t *testing.T) {
	tests := []struct {
		what, body string
		want       model.Reply
	}{
		{"arguments as JSON, no id, no usage",
			`{"model":"m","choices":[{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"now","arguments":{"a":1}}}]},"finish_reason":"stop"}]}`,
			model.Reply{Model: "m", Stop: model.StopToolUse, Calls: []model.Call{{ID: "call_1_1", Name: "now", Args: `{"a":1}`}}}},
		{"content in parts",
			`{"choices":[{"message":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"a"},{"type":"text","text":"b"}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`,
			model.Reply{Text: "ab", Stop: model.StopEndTurn, Input: trace.Known(1), Output: trace.Known(2)}},
		{"thoughts in the total alone",
			`{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":50}}`,
			model.Reply{Text: "a", Stop: model.StopEndTurn, Input: trace.Known(10), Output: trace.Known(40)}},
		{"usage that is none",
			`{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":-1}}`,
			model.Reply{Text: "a", Stop: model.StopEndTurn}},
		{"invalid arguments",
			`{"choices":[{"message":{"tool_calls":[{"id":"x","type":"function","function":{"name":"now","arguments":"{\"a\":"}}]},"finish_reason":"tool_calls"}]}`,
			model.Reply{Stop: model.StopToolUse, Calls: []model.Call{{ID: "x", Name: "now", Args: `{"a":`}}}},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			s := startStandIn(t, openAIWire, standTurns(standReply{Body: test.body}, standReply{Text: "ok"}))
			p := standInProvider(t, s, standInKey)
			reply := mustTurn(t, p, weatherRequest())
			compareReplies(t, reply, test.want)
			if len(reply.Calls) > 0 && test.what == "invalid arguments" {
				mustTurn(t, p, afterResults(weatherRequest(), reply, model.Result{Text: "not JSON", IsError: true}))
			}
		})
	}
}

func TestProviderWrongKey(t *testing.T) {
	const key = "sk-wrong-key-987654"
	for _, wire := range providerWires {
		s := startStandIn(t, wire, standTurns(standReply{Text: "ok"}))
		_, err := standInProvider(t, s, key).Turn(t.Context(), weatherRequest())
		got := errorText(err)
		if !strings.Contains(got, "401 Unauthorized to the key in ") || !strings.Contains(got, "invalid key [key]") || strings.Contains(got, key) {
			t.Errorf("%s: got %q, want 401 and no key", wire, got)
		}
	}
}

// TestProviderHangs pins that neither an answer that never comes nor a wait outlives the context.
func TestProviderHangs(t *testing.T) {
	slow := Retry{Tries: 3, Wait: time.Hour, MostWait: time.Hour}
	for _, answer := range []func(standRequest) standReply{standTurns(standReply{Hang: true}), standTurns(standReply{Status: 500, Body: "{}"})} {
		for _, wire := range providerWires {
			s := startStandIn(t, wire, answer)
			c := wireChoice(wire)
			r := model.Resolved{Provider: c.Provider, API: c.API, Model: "m", BaseURL: s.URL, Key: standInKey}
			p, err := New(r, Options{Retry: slow})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			start := time.Now()
			_, err = p.Turn(ctx, weatherRequest())
			cancel()
			if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > 50*time.Second {
				t.Errorf("%s: got %v after %v, want the deadline", wire, err, took)
			}
		}
	}
}

// TestProviderTimeOfTries pins that a time-out while a request is tried again says what the tries met, without the key.
func TestProviderTimeOfTries(t *testing.T) {
	limit := `{"error":{"message":"Slow down, ` + standInKey + `","code":"rate_limit_exceeded"}}`
	for _, test := range []struct {
		what   string
		answer func(standRequest) standReply
		want   string
	}{
		{"a limit, then a wait", standTries(standReply{Status: 429, Body: limit}), "the first try met 429 rate_limit_exceeded: Slow down, [key]"},
		{"two limits, then a wait", standTries(standReply{Status: 429, Header: map[string]string{"Retry-After": "0"}, Body: limit}, standReply{Status: 503, Body: "full"}),
			"2 tries failed, the last met 503: full"},
		{"a limit, then a hang", standTries(standReply{Status: 429, Header: map[string]string{"Retry-After": "0"}, Body: limit}, standReply{Hang: true}),
			"the first try met 429 rate_limit_exceeded: Slow down, [key]"},
		{"a cut reply, then a wait", standTries(standReply{Text: "ok", Cut: true}), "the first try met no answer: unexpected EOF"},
		{"a hang", standTries(standReply{Hang: true}), ""},
	} {
		for _, wire := range providerWires {
			t.Run(wire+"/"+test.what, func(t *testing.T) {
				t.Parallel()
				s := startStandIn(t, wire, test.answer)
				c := wireChoice(wire)
				r := model.Resolved{Provider: c.Provider, API: c.API, Model: "m", BaseURL: s.URL, Key: standInKey}
				p, err := New(r, Options{Retry: Retry{Tries: 9, Wait: time.Hour, MostWait: time.Hour}})
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
				defer cancel()
				_, err = p.Turn(ctx, weatherRequest())
				var tried *model.TriedError
				got := ""
				if errors.As(err, &tried) {
					got = strings.TrimPrefix(tried.Tries, c.Provider+": ")
				}
				if got != test.want || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %q of %v, want %q of the deadline", got, err, test.want)
				}
			})
		}
	}
}

func TestProviderNoServer(t *testing.T) {
	for _, wire := range providerWires {
		c := wireChoice(wire)
		p, err := New(model.Resolved{Provider: c.Provider, API: c.API, BaseURL: "http://127.0.0.1:1/?token=secret"}, Options{Retry: quickRetry})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Turn(t.Context(), weatherRequest())
		if got := errorText(err); !strings.Contains(got, "no answer: dial tcp 127.0.0.1:1") || strings.Contains(got, "secret") {
			t.Errorf("got %q, want a refused connection, and not the address", got)
		}
	}
}

func TestProviderWaits(t *testing.T) {
	header := func(value string) *http.Response {
		return &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {value}}}
	}
	tests := []struct {
		n        int
		response *http.Response
		want     time.Duration
	}{
		{0, nil, time.Second}, {1, nil, 2 * time.Second}, {3, nil, 8 * time.Second}, {1000, nil, time.Minute},
		{0, header("7"), 7 * time.Second}, {0, header("0"), 0}, {0, header("0.5"), time.Second},
		{0, header("86400"), time.Minute}, {0, header("1e300"), time.Second},
		{0, header("-5"), time.Second}, {0, header("soon"), time.Second},
		{0, header("Fri, 31 Dec 1999 23:59:59 GMT"), 0}, {0, header("Fri, 31 Dec 2099 23:59:59 GMT"), time.Minute},
	}
	for _, test := range tests {
		if got := waitBefore(time.Second, time.Minute, test.n, test.response); got != test.want {
			t.Errorf("wait after try %d, %v: got %v, want %v", test.n, test.response, got, test.want)
		}
	}
}
