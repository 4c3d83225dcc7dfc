package provider

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/org/mcp-gates/internal/model"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The wire formats of stand-ins.
const (
	anthropicWire = string(model.AnthropicWire)
	openAIWire    = string(model.OpenAIWire)
	responsesWire = "responses"
)

const standInKey = "sk-stand-in-0123456789"

// standIn is a provider on loopback. It refuses what the real ones refuse, with status 400, and fails the test that
// started it when a request breaks the wire format.
type standIn struct {
	URL string // what goes into base_url

	t      testing.TB
	wire   string
	schema *jsonschema.Schema
	answer func(standRequest) standReply
	stop   chan struct{}

	mu       sync.Mutex
	requests []standRequest
	tries    map[string]int
}

// standRequest is a request that a stand-in has checked.
type standRequest struct {
	Turn  int // replies of the model in it
	Try   int // how often the very same request came before
	Model string
	Body  map[string]any
	Raw   string
}

// standReply is what a stand-in answers: a reply of the model, or a fault.
type standReply struct {
	Text          string
	Calls         []model.Call
	Stop          string // of the wire format; "" for what fits
	Input, Output int64
	Signed        string // a thought that must come back as it is

	Status int // 0 for 200
	Blanks int // how many stand in front of the body
	Header map[string]string
	Body   string // in place of a reply
	Cut    bool   // the connection breaks within the body
	Hang   bool   // nothing comes until the stand-in closes
}

// startStandIn starts a stand-in that answers as answer says; it is closed with the test. Several requests can come at
// once.
func startStandIn(t testing.TB, wire string, answer func(standRequest) standReply) *standIn {
	t.Helper()
	s := &standIn{t: t, wire: wire, answer: answer, schema: standSchema(t, wire), stop: make(chan struct{}), tries: map[string]int{}}
	server := httptest.NewServer(s)
	s.URL = server.URL
	if wire != anthropicWire {
		s.URL += "/v1"
	}
	t.Cleanup(func() {
		close(s.stop)
		server.Close()
	})
	return s
}

// standTurns answers turn n of every conversation with the nth reply, and later ones with the last.
func standTurns(replies ...standReply) func(standRequest) standReply {
	return func(r standRequest) standReply { return replies[min(r.Turn, len(replies)-1)] }
}

// standTries answers the nth try of a request with the nth reply, and later ones with the last.
func standTries(replies ...standReply) func(standRequest) standReply {
	return func(r standRequest) standReply { return replies[min(r.Try, len(replies)-1)] }
}

func standSchema(t testing.TB, wire string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/providers/" + wire + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(wire+".json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile(wire + ".json")
}

// Requests returns the requests so far.
func (s *standIn) Requests() []standRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]standRequest(nil), s.requests...)
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away
	}
	if key := s.keyOf(r); key != standInKey {
		s.write(w, standReply{Status: 401, Body: `{"error":{"message":"invalid key ` + key + `"}}`})
		return
	}
	request := standRequest{Raw: string(raw)}
	if problem := s.check(r, &request); problem != "" {
		s.t.Errorf("%s request: %s\n%s", s.wire, problem, raw)
		s.write(w, standReply{Status: 400, Body: `{"error":{"message":"bad request"}}`})
		return
	}
	s.mu.Lock()
	request.Try = s.tries[request.Raw]
	s.tries[request.Raw]++
	s.requests = append(s.requests, request)
	s.mu.Unlock()
	s.write(w, s.answer(request))
}

func (s *standIn) keyOf(r *http.Request) string {
	if s.wire == anthropicWire {
		return r.Header.Get("x-api-key")
	}
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

func (s *standIn) check(r *http.Request, request *standRequest) string {
	path := map[string]string{anthropicWire: "/v1/messages", openAIWire: "/v1/chat/completions", responsesWire: "/v1/responses"}[s.wire]
	switch {
	case r.Method != http.MethodPost || r.URL.Path != path:
		return fmt.Sprintf("got %s %s, want POST %s", r.Method, r.URL.Path, path)
	case r.Header.Get("Content-Type") != "application/json":
		return "the content type is not JSON"
	case s.wire == anthropicWire && r.Header.Get("anthropic-version") != "2023-06-01":
		return "anthropic-version is missing"
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(request.Raw))
	if err == nil {
		err = s.schema.Validate(doc)
	}
	if err != nil {
		return err.Error()
	}
	if err := json.Unmarshal([]byte(request.Raw), &request.Body); err != nil {
		return err.Error()
	}
	request.Model = request.Body["model"].(string)
	if problem := checkToolNames(request.Body["tools"], s.wire); problem != "" {
		return problem
	}
	if s.wire == responsesWire {
		items := objectsOf(request.Body["input"])
		request.Turn = turnsOfItems(items)
		return checkResponsesOrder(items)
	}
	messages := objectsOf(request.Body["messages"])
	for _, m := range messages {
		if m["role"] == "assistant" {
			request.Turn++
		}
	}
	if s.wire == anthropicWire {
		return checkAnthropicOrder(messages)
	}
	return checkOpenAIOrder(messages)
}

// objectsOf returns the members of a list that are objects.
func objectsOf(list any) []map[string]any {
	var objects []map[string]any
	values, _ := list.([]any)
	for _, v := range values {
		if object, ok := v.(map[string]any); ok {
			objects = append(objects, object)
		}
	}
	return objects
}

func checkToolNames(tools any, wire string) string {
	seen := map[any]bool{}
	for _, tool := range objectsOf(tools) {
		if wire == openAIWire {
			tool = tool["function"].(map[string]any)
		}
		if seen[tool["name"]] {
			return fmt.Sprintf("tool name %q is there twice", tool["name"])
		}
		seen[tool["name"]] = true
	}
	return ""
}

// checkAnthropicOrder checks that roles alternate from user on, and that a message of tool_use blocks is followed by one
// with a tool_result for each, in front of all else.
func checkAnthropicOrder(messages []map[string]any) string {
	open := map[string]bool{}
	for i, m := range messages {
		if want := []string{"user", "assistant"}[i%2]; m["role"] != want {
			return fmt.Sprintf("message %d is of %s, want %s", i, m["role"], want)
		}
		calls, results := map[string]bool{}, 0
		for j, b := range objectsOf(m["content"]) {
			switch b["type"] {
			case "tool_use":
				calls[b["id"].(string)] = true
			case "tool_result":
				if !open[b["tool_use_id"].(string)] || j != results {
					return fmt.Sprintf("message %d has a tool_result for %s, which is not open, or not in front", i, b["tool_use_id"])
				}
				delete(open, b["tool_use_id"].(string))
				results++
			}
		}
		if len(open) > 0 {
			return fmt.Sprintf("message %d lacks a tool_result for %v", i, open)
		}
		if m["role"] == "user" && len(calls) > 0 || m["role"] == "assistant" && results > 0 {
			return fmt.Sprintf("message %d has blocks of the other role", i)
		}
		maps.Copy(open, calls)
	}
	if messages[len(messages)-1]["role"] != "user" {
		return "the last message is the assistant's"
	}
	return ""
}

// checkOpenAIOrder checks that a message of tool_calls is followed by one of role tool for each, and by nothing else
// before.
func checkOpenAIOrder(messages []map[string]any) string {
	open := map[string]bool{}
	for i, m := range messages {
		if m["role"] == "tool" {
			id := m["tool_call_id"].(string)
			if !open[id] {
				return fmt.Sprintf("message %d is a result for %s, which is not open", i, id)
			}
			delete(open, id)
			continue
		}
		if len(open) > 0 {
			return fmt.Sprintf("message %d comes before results for %v", i, open)
		}
		if m["role"] == "system" && i > 0 {
			return fmt.Sprintf("message %d is the system's", i)
		}
		for _, c := range objectsOf(m["tool_calls"]) {
			open[c["id"].(string)] = true
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("results for %v are missing", open)
	}
	return ""
}

func (s *standIn) write(w http.ResponseWriter, r standReply) {
	if r.Hang {
		<-s.stop
		return
	}
	body := r.Body
	if body == "" {
		body = s.reply(r)
	}
	body = strings.Repeat(" ", r.Blanks) + body
	w.Header().Set("Content-Type", "application/json")
	for name, value := range r.Header {
		w.Header().Set(name, value)
	}
	if r.Cut {
		w.Header().Set("Content-Length", fmt.Sprint(len(body)+1000))
	}
	w.WriteHeader(max(r.Status, 200))
	_, _ = io.WriteString(w, body)
	if r.Cut {
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func (s *standIn) reply(r standReply) string {
	value := map[string]func() any{anthropicWire: r.anthropic, openAIWire: r.openAI, responsesWire: r.responses}[s.wire]()
	text, err := marshalPlain(value)
	if err != nil {
		s.t.Error(err)
	}
	return string(text)
}

func (r standReply) anthropic() any {
	content := []any{}
	if r.Signed != "" {
		content = append(content, map[string]any{"type": "thinking", "thinking": "<let me see>", "signature": r.Signed})
	}
	if r.Text != "" {
		content = append(content, map[string]any{"type": "text", "text": r.Text})
	}
	stop := "end_turn"
	for _, c := range r.Calls {
		stop = "tool_use"
		content = append(content, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": json.RawMessage(c.Args)})
	}
	return map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-stand-in-20260101", "content": content,
		"stop_reason": cmp.Or(r.Stop, stop), "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": r.Input - 3, "cache_creation_input_tokens": 1, "cache_read_input_tokens": 2, "output_tokens": r.Output},
	}
}

func (r standReply) openAI() any {
	message := map[string]any{"role": "assistant", "content": nil, "refusal": nil, "annotations": []any{}}
	if r.Text != "" {
		message["content"] = r.Text
	}
	stop, calls := "stop", []any{}
	for _, c := range r.Calls {
		stop = "tool_calls"
		call := map[string]any{"id": c.ID, "type": "function", "function": map[string]any{"name": c.Name, "arguments": c.Args}}
		if r.Signed != "" {
			call["extra_content"] = map[string]any{"google": map[string]any{"thought_signature": r.Signed}}
		}
		calls = append(calls, call)
	}
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	return map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-stand-in-2026-01-01",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": cmp.Or(r.Stop, stop), "logprobs": nil}},
		"usage":   map[string]any{"prompt_tokens": r.Input, "completion_tokens": r.Output, "total_tokens": r.Input + r.Output},
	}
}
