package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/org/mcp-gates/internal/thorough"
)

const agentTools = `[{"name": "create_ticket", "inputSchema": {"type": "object"}}]`

// newAgentTest returns a folder with a suite, and the folder in which runs make theirs, which is empty at the end.
func newAgentTest(t *testing.T, files map[string]string) *liveTest {
	t.Helper()
	temporary := t.TempDir()
	t.Cleanup(func() {
		left, err := filepath.Glob(filepath.Join(temporary, "mcp-gates-run-*"))
		if err != nil || len(left) > 0 {
			t.Errorf("folders of runs are left: %v %v", left, err)
		}
	})
	files["tools.json"] = agentTools
	l := newLiveTest(t, files)
	l.env = append(l.env, "TMPDIR="+temporary)
	return l
}

// TestAgentsAtOnce pins that runs at once have servers, folders and witnesses of their own, and that a replay says the same.
func TestAgentsAtOnce(t *testing.T) {
	t.Parallel()
	runs := fmt.Sprint(thorough.Size(8, 12))
	l := newAgentTest(t, map[string]string{
		"mcp-gates.yml": strings.ReplaceAll(`
servers:
  tickets: { command: [mcp-gates, mock, --tools-from, tools.json], OWN_ENV }
defaults: { servers: [tickets], tool_selection: { expected_tool: tickets.create_ticket, min_selection_rate: 1 } }
agents:
  - { name: one, prompt: One., runs: RUNS, agent: { command: [test-agent, file, "${mcp_url.tickets}", create_ticket], OWN_ENV } }
  - { name: two, prompt: Two., runs: RUNS, agent: { command: [test-agent, file, "${mcp_url.tickets}", create_ticket, create_ticket], OWN_ENV } }
`, "RUNS", runs),
	})
	r := l.run(t, "run", "--record", "--jobs", "8")
	r.wants(t, 0, "[PASS] one: selection "+runs+"/"+runs, "[PASS] two: selection "+runs+"/"+runs)
	if left := l.left(); len(left) > 0 {
		t.Errorf("the program ended before the processes %v", left)
	}
	replayed := l.replay(t)
	if want := strings.Replace(r.stdout, " · live runs", "", 1); replayed.stdout != want {
		t.Errorf("a replay says %s, want %s", replayed.stdout, want)
	}
}

// TestAgentLeavesNothing pins that what a program has started ends with its run, and what it made read-only is removed.
func TestAgentLeavesNothing(t *testing.T) {
	t.Parallel()
	l := newAgentTest(t, map[string]string{
		"mcp-gates.yml": `
servers:
  tickets: { command: [mcp-gates, mock, --tools-from, tools.json], OWN_ENV }
defaults: { servers: [tickets], expect: { max_duration_ms: 100000 } }
agents:
  - { name: forks, prompt: Hello., agent: { command: [test-agent, fork, pid, "${mcp_url.tickets}"], OWN_ENV } }
  - { name: makes a folder, prompt: Hello., agent: { command: [test-agent, env, "${mcp_url.tickets}"], OWN_ENV } }
`,
	})
	l.run(t, "run", "--live").wants(t, 0, "2 cases: 2 passed")
	if left := l.left(); len(left) > 0 {
		t.Errorf("the program ended before the processes %v", left)
	}
}

// TestAgentInterrupted pins that an interruption ends a program that takes no notice of SIGTERM, with all that it has started.
func TestAgentInterrupted(t *testing.T) {
	t.Parallel()
	l := newAgentTest(t, map[string]string{
		"stuck.sh": "trap '' TERM INT\n(trap '' TERM; sleep 600; sleep 600) &\ntouch stuck\nsleep 600\nsleep 600\n",
		"mcp-gates.yml": `
servers:
  tickets: { command: [mcp-gates, mock, --tools-from, tools.json], OWN_ENV }
defaults: { servers: [tickets], expect: { max_duration_ms: 100000 } }
agents:
  - { name: stuck, prompt: Hello., agent: { command: [sh, stuck.sh], cwd: ., OWN_ENV } }
`,
	})
	cmd := l.command(t, "run", "--record")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	l.waitFor(t, "stuck")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	r := liveResult{status: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
	r.wants(t, 3, "the run was interrupted", "run the agent: interrupted")
	if left := l.left(); len(left) > 0 {
		t.Errorf("the program ended before the processes %v", left)
	}
	if l.read("cassettes/mcp-gates/stuck.json") != "" {
		t.Error("the case that was interrupted has a recording")
	}
}

// TestAgentAfterKill pins that programs and servers end with mcp-gates, also where it is killed and they take no notice of their input.
func TestAgentAfterKill(t *testing.T) {
	t.Parallel()
	l := newLiveTest(t, map[string]string{
		"agent.sh":  "touch working\nexec sleep 600\n",
		"server.sh": "touch serving\nexec sleep 600\n",
		"mcp-gates.yml": `
servers:
  tickets: { command: [sh, server.sh], OWN_ENV }
defaults: { servers: [tickets], prompt: Hello., expect: { max_duration_ms: 100000 } }
agents:
  - { name: has no end, agent: { command: [sh, agent.sh], cwd: ., OWN_ENV } }
  - { name: has a server without an end, agent: { command: [test-agent, file, "${mcp_url.tickets}"], OWN_ENV } }
`,
	})
	l.env = append(l.env, "TMPDIR="+t.TempDir()) // where the folders of its runs stay
	cmd := l.command(t, "run", "--live", "--jobs", "2")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	l.waitFor(t, "working")
	l.waitFor(t, "serving")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for deadline := time.Now().Add(10 * time.Second); len(l.left()) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the program was killed before the processes %v", l.left())
		}
	}
}

// TestAgentsAreKilled pins that a run whose program is killed is an error, and that the others are not.
func TestAgentsAreKilled(t *testing.T) {
	t.Parallel()
	l := newAgentTest(t, map[string]string{
		"killed.sh": "touch started\nkill -KILL $$\n",
		"mcp-gates.yml": `
servers:
  tickets: { command: [mcp-gates, mock, --tools-from, tools.json], OWN_ENV }
defaults: { servers: [tickets], expect: { max_duration_ms: 100000 } }
agents:
  - { name: killed, prompt: Hello., agent: { command: [sh, killed.sh], OWN_ENV } }
  - { name: whole, prompt: Hello., agent: { command: [test-agent, silent, "${mcp_url.tickets}"], OWN_ENV } }
`,
	})
	l.run(t, "run", "--live").wants(t, 3, "run the agent: the program ended (signal: "+syscall.SIGKILL.String()+")", "1 passed, 0 failed, 1 error")
}
