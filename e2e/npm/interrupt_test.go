package npm

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestInterrupt ends the program in the middle of a call. Nothing may be left of the server, nor of what started it.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("processes can be told by their environment on Linux alone")
	}
	for _, test := range []struct {
		name, server string
		signal       os.Signal
	}{
		{"Ctrl-C", `command: [mcp-server-everything]`, os.Interrupt},
		{"SIGTERM", `command: [mcp-server-everything]`, syscall.SIGTERM},
		{"Ctrl-C, started by npx", `command: [npx, -y, "@modelcontextprotocol/server-everything@2026.8.31"]`, os.Interrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "testdata/slow")
			w.asNpmProject()
			w.fillIn("SERVER", test.server)
			w.interrupt(test.signal)
		})
	}
}

// interrupt runs the suites live, ends the program once a server is there, and expects it to say so.
func (w *world) interrupt(signal os.Signal) {
	w.Helper()
	var output bytes.Buffer
	cmd := w.command(program, "run", "--live")
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	w.waitFor("the server is there", ended, func() bool {
		return strings.Contains(strings.Join(w.processes(), "\n"), "bin/mcp-server-everything")
	})
	cmd.Process.Signal(signal)
	<-ended
	if got := cmd.ProcessState.ExitCode(); got != 3 || !strings.Contains(output.String(), "interrupt") {
		w.Errorf("exit status %d, want 3, and a word about the interruption:\n%s", got, output.String())
	}
	w.nothingIsLeft()
}
