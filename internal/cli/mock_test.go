package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mockPatience is how long a test waits for what must come.
const mockPatience = 20 * time.Second

// mockCatalog writes a catalog of 1,000 tools, the last one first, and returns its file and the tools' names.
func mockCatalog(t *testing.T) (file string, names []string) {
	t.Helper()
	var tools []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("tool_%d", 999-i))
		tools = append(tools, fmt.Sprintf(`{"name": %q, "inputSchema": {"type": "object", "z": 1, "a": 2}}`, names[i]))
	}
	file = filepath.Join(t.TempDir(), "c.json")
	if err := os.WriteFile(file, []byte(`{"tools": [`+strings.Join(tools, ",\n")+`]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	return file, names
}

// mockProgram returns the program's command, whose standard error is to stay empty or goes to stderr.
func mockProgram(t *testing.T, stderr io.Writer, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), mockPatience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, "mcp-gates", append([]string{"mock"}, args...)...)
	cmd.Stderr = stderr
	return cmd
}

// useMock connects to a server, and lists and calls its tools.
func useMock(t *testing.T, transport mcp.Transport, want []string, pages int) {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	got := 0
	for cursor, more := "", true; more; more = cursor != "" {
		page, err := session.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		got++
		for _, tool := range page.Tools {
			names = append(names, tool.Name)
		}
		cursor = page.NextCursor
	}
	if !slices.Equal(names, want) || got != pages {
		t.Errorf("got %d pages, want %d; got the tools %q, want %q", got, pages, names, want)
	}
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: want[7], Arguments: json.RawMessage(`{"z":1.0,"a":"<"}`)})
	if err != nil {
		t.Fatal(err)
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if wanted := fmt.Sprintf(`{"name":%q,"args":{"z":1.0,"a":"<"}}`, want[7]); !ok || text.Text != wanted {
		t.Errorf("answer: got %v, want %s", result.Content[0], wanted)
	}
	if err := session.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// The program over its standard streams: many pages, status 0 when its input closes, and nothing on standard error.
func TestMockOverStreams(t *testing.T) {
	file, names := mockCatalog(t)
	var stderr strings.Builder
	cmd := mockProgram(t, &stderr, "--tools-from", file, "--page-size", "50")
	useMock(t, &mcp.CommandTransport{Command: cmd}, names, 20)
	if got := cmd.ProcessState.ExitCode(); got != 0 || stderr.Len() > 0 {
		t.Errorf("exit status %d, want 0; standard error: %s", got, stderr.String())
	}
}

// The program over HTTP, two clients at a time, until it is told to end.
func TestMockOverHTTP(t *testing.T) {
	file, names := mockCatalog(t)
	read, write := io.Pipe()
	cmd := mockProgram(t, write, "--tools-from", file, "--http", "0")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(read).ReadString('\n')
	_, url, ok := strings.Cut(strings.TrimSpace(line), "mock listens on ")
	if err != nil || !ok || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Fatalf("standard error begins with %q: %v", line, err)
	}
	t.Run("clients", func(t *testing.T) {
		for range 2 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				useMock(t, &mcp.StreamableClientTransport{Endpoint: url}, names, 1)
			})
		}
	})
	endsWell(t, cmd, syscall.SIGTERM)
}

// endsWell requires that the program ends with status 0 at a signal.
func endsWell(t *testing.T, cmd *exec.Cmd, signal os.Signal) {
	t.Helper()
	before := time.Now()
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: the program ends with %v, want status 0", signal, err)
	}
	if took := time.Since(before); took > mockPatience/4 {
		t.Errorf("%v: the program took %v to end", signal, took)
	}
}

// Signals end the program with status 0, whatever it is busy with.
func TestMockSignals(t *testing.T) {
	file, names := mockCatalog(t)
	frames := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + names[0] + `"}}
{"jsonrpc":"2.0","id":3,"method":"ping"}
` + strings.Repeat("\n", 1<<18) // more than a pipe holds: it is written when the program reads
	for _, fault := range []string{"none", "hang", "wedged", "slow:600000"} {
		for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(fault+" "+signal.String(), func(t *testing.T) {
				t.Parallel()
				cmd := mockProgram(t, nil, "--tools-from", file, "--fault", fault)
				stdin, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				defer stdin.Close()
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if _, err := io.WriteString(stdin, frames); err != nil {
					t.Fatal(err)
				}
				endsWell(t, cmd, signal)
			})
		}
	}
}
