package npm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSnapshot expects a snapshot to have what the server sends to a client that knows nothing of tools, and so can
// lose no field of one.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		command []string
		server  []string // the same server, for the other client
	}{
		{"everything", []string{"mcp-server-everything"}, []string{"mcp-server-everything"}},
		{"filesystem", []string{"mcp-server-filesystem", "notes"}, []string{"mcp-server-filesystem", "drafts"}},
		{"memory", []string{"mcp-server-memory"}, []string{"mcp-server-memory"}},
		{"sequential thinking", []string{"mcp-server-sequential-thinking"}, []string{"mcp-server-sequential-thinking"}},
		{"by npx", []string{"npx", "-y", "@modelcontextprotocol/server-memory@2026.8.31"}, []string{"mcp-server-memory"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "testdata/suite")
			w.asNpmProject()
			text, said := w.run(0, append([]string{"snapshot", "--"}, test.command...)...)
			got, want := toolsOf(t, text), w.ask(test.server)
			slices.SortFunc(want, func(a, b string) int { return strings.Compare(nameOf(t, a), nameOf(t, b)) })
			if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
				t.Errorf("%d tools (-sent by the server +in the snapshot):\n%s", len(got), diff)
			}
			if !strings.HasPrefix(said, fmt.Sprintf("%d tool", len(want))) {
				t.Errorf("standard error says %q, want the number of tools, %d", said, len(want))
			}
		})
	}
}

// toolsOf returns the tools of a tools/list result, each with its fields in their order and nothing between them.
func toolsOf(t *testing.T, text string) []string {
	t.Helper()
	var list struct{ Tools []json.RawMessage }
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	var tools []string
	for _, raw := range list.Tools {
		tools = append(tools, compact(t, raw))
	}
	return tools
}

func nameOf(t *testing.T, tool string) string {
	t.Helper()
	var named struct{ Name string }
	if err := json.Unmarshal([]byte(tool), &named); err != nil {
		t.Fatal(err)
	}
	return named.Name
}

// ask starts a server and returns the tools of its first page, of which there must be no second one.
func (w *world) ask(command []string) []string {
	w.Helper()
	list := w.server(command[0], command[1:]...)
	stdin, err := list.StdinPipe()
	if err != nil {
		w.Fatal(err)
	}
	stdout, err := list.StdoutPipe()
	if err != nil {
		w.Fatal(err)
	}
	if err := list.Start(); err != nil {
		w.Fatal(err)
	}
	defer end(list, stdin)
	answers := bufio.NewReader(stdout)
	fmt.Fprintln(stdin, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	w.answer(answers, 1)
	fmt.Fprintln(stdin, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	fmt.Fprintln(stdin, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	result := w.answer(answers, 2)
	if strings.Contains(result, "nextCursor") {
		w.Fatalf("%q has more pages, which this test does not ask for", command)
	}
	return toolsOf(w.T, result)
}

// end closes a server's standard input, at which it ends.
func end(cmd *exec.Cmd, stdin io.Closer) {
	stdin.Close()
	cmd.Wait()
}

// answer returns the result of the answer to a request; what else the server says is dropped.
func (w *world) answer(from *bufio.Reader, id int) string {
	w.Helper()
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			w.Fatalf("no answer to request %d: %v", id, err)
		}
		var message struct {
			ID     int
			Result json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &message); err != nil {
			w.Fatalf("%v in %q", err, line)
		}
		if message.ID == id && message.Result != nil {
			return string(message.Result)
		}
	}
}

func compact(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var text bytes.Buffer
	if err := json.Compact(&text, raw); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
