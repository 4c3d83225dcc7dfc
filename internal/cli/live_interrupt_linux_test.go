package cli

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// waitFor waits until a file of the test's folder is there.
func (l *liveTest) waitFor(t *testing.T, name string) {
	t.Helper()
	for deadline := time.Now().Add(livePatience / 2); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(l.dir, name)); err == nil {
			return
		}
	}
	t.Fatalf("%s did not come to be", name)
}

// A live run that a signal ends keeps what is finished and leaves no process, however the servers cling to life: those
// of the second case take no notice of their input, nor of SIGTERM, and have started others that do not, either.
func TestLiveInterrupted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		signals []os.Signal
	}{
		{"Ctrl-C", []os.Signal{os.Interrupt}},
		{"SIGTERM", []os.Signal{syscall.SIGTERM}},
		{"SIGHUP", []os.Signal{syscall.SIGHUP}},
		{"Ctrl-C twice", []os.Signal{os.Interrupt, os.Interrupt}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.signals[0] == syscall.SIGHUP {
				// Under nohup the program would inherit that it is ignored; what is caught, it does not.
				caught := make(chan os.Signal, 1)
				signal.Notify(caught, syscall.SIGHUP)
				t.Cleanup(func() { signal.Stop(caught) })
			}
			l := newLiveTest(t, map[string]string{
				"stuck.sh": "trap '' TERM\n(sleep 600; sleep 600) &\n" + strings.ReplaceAll(oddServer, "hangs) greet;", "hangs) greet; touch stuck;") + "\nsleep 600",
				"mcp-gates.yml": `
servers:
  weather: { command: [mcp-gates, mock, --tools-from, tools.json], OWN_ENV }
  stuck: { command: [sh, stuck.sh, hangs], OWN_ENV }
defaults: { model: "builtin:script", script: script.json, tool_selection: { expected_tool: work, min_selection_rate: 1 } }
agents:
  - { name: done, prompt: Work., server: weather, runs: 2 }
  - { name: stuck, prompt: Work., server: stuck }
`,
				"tools.json":  `[{"name": "work", "inputSchema": {"type": "object"}}]`,
				"script.json": `{"tool_calls": [{"name": "work", "args": {}}]}`,
			})
			cmd := l.command(t, "run", "--record")
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			l.waitFor(t, "stuck")
			l.waitFor(t, "cassettes/mcp-gates/done.json")
			for _, s := range test.signals {
				if err := cmd.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
				time.Sleep(50 * time.Millisecond) // two at the same time are one
			}
			_ = cmd.Wait()
			r := liveResult{status: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
			r.wants(t, 3, "[PASS] done: selection 2/2", "mcp-gates.yml:8: the run was interrupted", `server "stuck": tools/call: interrupted`, "2 cases: 1 passed, 0 failed, 1 error")
			want := "interrupted: what is done is reported when the servers have ended; once more ends them at once\n" +
				"cassettes/mcp-gates/done.json was recorded\n" +
				"cassettes/mcp-gates/stuck.json was not written: the error of its case says why\n"
			if r.stderr != want {
				t.Errorf("standard error: got %q, want %q", r.stderr, want)
			}
			if l.read("cassettes/mcp-gates/stuck.json") != "" {
				t.Error("the case that was interrupted has a recording")
			}
			if left := l.left(); len(left) > 0 {
				t.Errorf("the program ended before its servers' processes %v", left)
			}
			l.replay(t, "--filter", "done").wants(t, 0, "[PASS] done: selection 2/2")
		})
	}
}
