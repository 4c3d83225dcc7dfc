package chat

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/thorough"
)

// TestOpenDialogs pins how many conversations can be continued at once: those that were used last.
func TestOpenDialogs(t *testing.T) {
	first := `{"messages": [{"role": "user", "content": "q%[1]d"}]}` + "\n"
	second := `{"messages": [{"role": "user", "content": "q%[1]d"}, {"role": "assistant", "content": "a%[1]d"}]}` + "\n"
	for _, test := range []struct{ conversations, runs int }{{maxOpen, maxOpen}, {maxOpen + 1, 2*maxOpen + 2}} {
		var log strings.Builder
		for _, line := range []string{first, second} {
			for i := range test.conversations {
				fmt.Fprintf(&log, line, i)
			}
		}
		if got := runsOf(t, log.String()).Runs; got != test.runs {
			t.Errorf("%d conversations: got %d runs, want %d", test.conversations, got, test.runs)
		}
	}
}

// TestDialogIsBounded pins that a conversation larger than a run may be is counted as unread: messages on a line each, and
// requests that go on.
func TestDialogIsBounded(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	text := strings.Repeat("x", 1<<20)
	messages := bytes.Repeat([]byte(`{"role": "user", "content": "`+text+`"}`+"\n"), 66)
	if got := runsOf(t, messages); got.Unread != 1 || got.Runs != 0 {
		t.Errorf("messages: got %d unread and %d runs, want 1 and 0", got.Unread, got.Runs)
	}
	replies := bytes.Repeat([]byte(`{"id": "r", "object": "response", "output": [{"type": "function_call", "call_id": "c", "name": "n", "arguments": "`+text+`"}]}`+"\n"), 66)
	if got := runsOf(t, replies); got.Unread != 1 || got.Runs != 0 {
		t.Errorf("replies: got %d unread and %d runs, want 1 and 0", got.Unread, got.Runs)
	}
}

// TestModelsDoNotContinue pins that a request of another model is another run, unless they have a reply in common.
func TestModelsDoNotContinue(t *testing.T) {
	const log = `{"model": "a", "messages": [{"role": "user", "content": "q"}]}
{"model": "b", "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "1"}, {"role": "user", "content": "and?"}]}
{"model": "c", "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "1"}, {"role": "user", "content": "and?"}, {"role": "assistant", "content": "2"}]}
`
	if got := runsOf(t, log).Runs; got != 2 {
		t.Errorf("got %d runs, want 2", got)
	}
}

// runsOf reads a log of the format openai.
func runsOf[Log string | []byte](t *testing.T, log Log) *logs.Account {
	t.Helper()
	return runsAs(t, "openai", log)
}

func runsAs[Log string | []byte](t *testing.T, format string, log Log) *logs.Account {
	t.Helper()
	account, err := logs.Formats{OpenAI, Anthropic, Gemini}.Read(fstest.MapFS{"log": {Data: []byte(log)}}, []string{"log"}, logs.Options{Format: format}, func(*logs.Run) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return account
}

// TestOtherForm pins that calls in the form of another API are counted as unread, and not lost.
func TestOtherForm(t *testing.T) {
	for format, log := range map[string]string{
		"openai":    `{"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "get", "input": {}}]}]}`,
		"anthropic": `{"messages": [{"role": "assistant", "content": null, "tool_calls": [{"id": "1", "function": {"name": "get", "arguments": "{}"}}]}]}`,
	} {
		if got := runsAs(t, format, log); got.Unread == 0 || got.Calls != 0 {
			t.Errorf("%s: got %d unread and %d calls", format, got.Unread, got.Calls)
		}
	}
}

// TestNestedErrors pins that an error in an error, and a result in a result, is read in a time that the depth does not matter for.
func TestNestedErrors(t *testing.T) {
	const depth = 4000
	nest := func(key string) string {
		return strings.Repeat(`{"`+key+`": `, depth) + `"x"` + strings.Repeat("}", depth)
	}
	for format, log := range map[string]string{
		"openai": `{"error": ` + nest("error") + `}`,
		"gemini": `{"contents": [{"role": "user", "parts": [{"functionResponse": {"name": "n", "response": ` + nest("result") + `}}]}]}`,
	} {
		if got := runsAs(t, format, strings.Repeat(log+"\n", 20)); got.Unread != 0 {
			t.Errorf("%s: got %d unread, want 0", format, got.Unread)
		}
	}
}
