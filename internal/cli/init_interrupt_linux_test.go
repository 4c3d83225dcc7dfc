package cli

import (
	"bufio"
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
)

// TestInitInterrupted pins that init says which server it waits for, and that Ctrl-C ends it at once with the servers that were
// read before: whole files, or none.
func TestInitInterrupted(t *testing.T) {
	t.Parallel()
	const hangs = `"hangs": {"command": "sleep", "args": ["600"], "env": {"MCP_GATES_TEST_MARK": "MARK"}}`
	for _, test := range []struct {
		name, servers string
		files         string // that are there afterwards
		says          []string
	}{
		{"nothing was read", hangs, ".mcp.json tools.json", []string{`left out: server "hangs": initialize: interrupted`, "no server could be read, so that nothing was written"}},
		{"one was read", `"clock": {"command": "mcp-gates", "args": ["mock", "--tools-from", "tools.json"]}, ` + hangs + `, "later": {"command": "sleep", "args": ["600"]}`,
			".github .mcp.json catalogs mcp-gates.yml tools.json",
			[]string{`left out: server "later", because init was interrupted`, "no recorded case: init was interrupted", "PASS: 3 cases passed"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := newLiveTest(t, map[string]string{"tools.json": `[{"name": "read_clock", "description": "Reads the clock.", "inputSchema": {"type": "object"}}]`})
			l.write(t, ".mcp.json", strings.ReplaceAll(`{"mcpServers": {`+test.servers+`}}`, "MARK", l.mark))
			cmd := l.command(t, "init", "--yes")
			var stdout bytes.Buffer
			cmd.Stdout = &stdout
			pipe, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			stderr := bufio.NewReader(pipe)
			line, _ := stderr.ReadString('\n')
			if strings.HasPrefix(line, `still listing the tools of server "clock"`) { // on a slow machine
				line, _ = stderr.ReadString('\n')
			}
			if want := "still listing the tools of server \"hangs\": at most 1m0s for its start, and 1m0s for each answer; Ctrl-C ends the wait\n"; line != want {
				t.Errorf("got %q, want %q", line, want)
			}
			start := time.Now()
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			rest := new(strings.Builder)
			_, _ = stderr.WriteTo(rest)
			_ = cmd.Wait()
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("init ended %s after the signal", took)
			}
			liveResult{status: cmd.ProcessState.ExitCode(), stdout: stdout.String() + rest.String()}.wants(t, 3, test.says...)
			if got := l.names(t); got != test.files {
				t.Errorf("got the files %q, want %q", got, test.files)
			}
		})
	}
}

// TestInitSignalAfterTools pins that Ctrl-C ends init, too, if it comes while a server ends whose tools are read. The signal comes
// when the input of sh ends; that of the mock ends half a second later.
func TestInitSignalAfterTools(t *testing.T) {
	t.Parallel()
	l := newLiveTest(t, map[string]string{
		"tools.json": `[{"name": "read_clock", "description": "Reads the clock.", "inputSchema": {"type": "object"}}]`,
		".mcp.json": `{"mcpServers": {"clock": {"command": "sh", "args": ["-c", "{ cat; kill -INT $PPID; sleep 0.5; } | mcp-gates mock --tools-from tools.json"]},
			"later": {"command": "sleep", "args": ["600"]}}}`,
	})
	l.run(t, "init", "--yes", "--timeout", "10s").wants(t, 3, `server "clock" has 1 tool`, `left out: server "later", because init was interrupted`)
}

// TestInitTimeout pins that --timeout bounds the recording, too.
func TestInitTimeout(t *testing.T) {
	t.Parallel()
	l := newLiveTest(t, map[string]string{"tools.json": `[{"name": "read_clock", "description": "Reads the clock.", "inputSchema": {"type": "object"}}]`})
	cmd := l.command(t, "init", "--yes", "--timeout", "10s", "--", "mcp-gates", "mock", "--tools-from", "tools.json", "--fault", "hang")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		t.Errorf("%s, with output %s%s", err, stdout.String(), stderr.String())
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("init ended after %s", took)
	}
	const limits = ` server "server": at most 10s for its start, and 10s for each answer; Ctrl-C ends the wait` + "\n"
	got := strings.TrimPrefix(stderr.String(), "still listing the tools of"+limits) // on a slow machine the list is waited for, too
	if want := "still recording a case with" + limits; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// names returns the names of what is in the test's folder.
func (l *liveTest) names(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}
