package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal returns a terminal, and what a person would see of it.
func openTerminal(t *testing.T) (terminal, screen *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	if err := unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	terminal, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	return terminal, screen
}

// A terminal gets colours, unless NO_COLOR or TERM says that it should not, and the values of which an expectation does not hold, unless
// it is that of a CI job. Standard error has no values, and a file neither.
func TestOnATerminal(t *testing.T) {
	const suite = "agents: [{name: a, cassette: a.json, expect: [{'tool_calls[0].args.q': {exact: x}}]}]\n"
	dir := t.TempDir()
	for name, content := range map[string]string{"mcp-gates.yml": suite, "a.json": `{"tool_calls": [{"name": "find", "args": {"q": "hidden-1"}}]}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "out.txt")
	for _, test := range []struct {
		name          string
		env           map[string]string
		args          []string
		onStderr      bool
		color, values bool
	}{
		{"plain", nil, nil, false, true, true},
		{"NO_COLOR", map[string]string{"NO_COLOR": "1"}, nil, false, false, true},
		{"dumb", map[string]string{"TERM": "dumb"}, nil, false, false, true},
		{"a CI job", map[string]string{"CI": "true"}, nil, false, true, false},
		{"run", nil, []string{"--run", "1"}, false, true, true},
		{"standard error", nil, []string{"--format", "junit"}, true, true, false},
		{"Markdown", nil, []string{"--format", "markdown"}, false, false, false},
		{"a file beside", nil, []string{"--format", "text", "--format", "text=" + file}, false, true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			terminal, screen := openTerminal(t)
			var shown bytes.Buffer
			done := make(chan struct{})
			go func() {
				defer close(done)
				io.Copy(&shown, screen) // ends with an error once the terminal is closed
			}()
			var stdout, stderr io.Writer = terminal, io.Discard
			if test.onStderr {
				stdout, stderr = io.Discard, terminal
			}
			status := run(append([]string{"run", "--workspace", dir}, test.args...), func(key string) string { return test.env[key] }, nil, stdout, stderr)
			terminal.Close()
			<-done
			if status != 1 || !strings.Contains(shown.String(), "does not hold") {
				t.Fatalf("got exit status %d and\n%s", status, shown.String())
			}
			if color := strings.Contains(shown.String(), "\x1b["); color != test.color {
				t.Errorf("got colours: %t, want %t, in\n%q", color, test.color, shown.String())
			}
			if values := strings.Contains(shown.String(), "hidden-1"); values != test.values {
				t.Errorf("got values: %t, want %t, in\n%q", values, test.values, shown.String())
			}
		})
	}
	text, err := os.ReadFile(file)
	if said := string(text); err != nil || !strings.Contains(said, "does not hold") || strings.Contains(said, "hidden-1") || strings.Contains(said, "\x1b[") {
		t.Errorf("%v: want a file without values and colours, got\n%s", err, text)
	}
}
