package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// actAs is the variable that makes this test program an MCP server: what it is, and after a space its word.
const actAs = "E2E_ACT_AS"

// act is the server on standard input and output that a suite has started, in the folder of the suite.
func act(role string) {
	role, word, _ := strings.Cut(role, " ")
	fmt.Fprintln(os.Stderr, "the word is", word)
	note("pid", fmt.Sprint(os.Getpid()))
	note("environment", strings.Join(os.Environ(), "\n"))
	if role == "deaf" {
		signal.Ignore(syscall.SIGTERM)
		defer time.Sleep(time.Hour) // also when its input ends
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var q question
		if json.Unmarshal(lines.Bytes(), &q) != nil || q.ID == nil {
			continue
		}
		if q.Method == "tools/call" {
			note("called", "")
			switch role {
			case "crash":
				os.Exit(4)
			case "hang", "deaf":
				time.Sleep(time.Hour)
			case "flood":
				word = strings.Repeat("a", 1_000_000)
			}
		}
		fmt.Println(q.answer(word))
	}
}

// note leaves a file behind.
func note(name, content string) {
	if err := os.WriteFile(name+".note", []byte(content), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// question is a request to an MCP server.
type question struct {
	ID     any    `json:"id"`
	Method string `json:"method"`
	Params struct {
		Version string `json:"protocolVersion"`
	} `json:"params"`
}

// answer is that of a server with one tool, which has its word in whatever it says.
func (q question) answer(word string) string {
	var result any
	switch q.Method {
	case "initialize":
		result = object{"protocolVersion": q.Params.Version, "capabilities": object{"tools": object{}}, "serverInfo": object{"name": word, "version": word}}
	case "tools/list":
		result = object{"tools": []any{
			object{
				"name": "read_secret", "title": word, "description": "Read the secret of a place. " + word,
				"inputSchema": object{"type": "object", "properties": object{"place": object{"type": "string", "description": word, "default": word}}, "required": []string{"place"}},
			},
			object{"name": word, "description": word, "inputSchema": object{"type": "object", "title": word}},
		}}
	case "tools/call":
		result = object{"content": []any{object{"type": "text", "text": "It is " + word}}, "structuredContent": object{word: word}, "isError": len(word) < 1000}
	default:
		result = object{}
	}
	data, err := json.Marshal(object{"jsonrpc": "2.0", "id": q.ID, "result": result})
	if err != nil {
		panic(err)
	}
	return string(data)
}

// mcpOverHTTP starts the same server at a URL. Its word is the header X-Word of each request.
func mcpOverHTTP(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q question
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&q) != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if q.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, q.answer(r.Header.Get("X-Word")))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// modelOverHTTP starts a provider whose model calls the tool once, and says the key that it was given wherever it can. At
// the third request it refuses the key.
func modelOverHTTP(t *testing.T) string {
	turns := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		w.Header().Set("Content-Type", "application/json")
		message := object{"role": "assistant", "content": "the key is " + key}
		reason := "stop"
		switch turns++; turns {
		case 1:
			reason = "tool_calls"
			message["tool_calls"] = []any{
				object{"id": "1", "type": "function", "function": object{"name": "read_secret", "arguments": jsonOf(object{"place": key})}},
				object{"id": "2", "type": "function", "function": object{"name": key, "arguments": "{" + key}},
			}
		case 3:
			w.WriteHeader(http.StatusUnauthorized)
			io.WriteString(w, jsonOf(object{"error": object{"message": "Incorrect API key provided: " + key}}))
			return
		}
		io.WriteString(w, jsonOf(object{
			"model": "gpt-" + key, "choices": []any{object{"index": 0, "finish_reason": reason, "message": message}},
			"usage": object{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
		}))
	}))
	t.Cleanup(server.Close)
	return server.URL
}
