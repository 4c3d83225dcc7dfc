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

// A terminal gets colours, unless NO_COLOR or TERM says that it should not.
func TestColorsOnATerminal(t *testing.T) {
	for _, test := range []struct {
		name    string
		env     map[string]string
		colored bool
	}{
		{"plain", nil, true},
		{"NO_COLOR", map[string]string{"NO_COLOR": "1"}, false},
		{"dumb", map[string]string{"TERM": "dumb"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			suite := "agents: [{name: a, cassette: a.json, orchestration: {}}]\n"
			for name, content := range map[string]string{"mcp-gates.yml": suite, "a.json": `{"tool_calls": [{"name": "find"}]}`} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			terminal, screen := openTerminal(t)
			var shown bytes.Buffer
			done := make(chan struct{})
			go func() {
				defer close(done)
				io.Copy(&shown, screen) // ends with an error once the terminal is closed
			}()
			status := run([]string{"run", "--workspace", dir}, func(key string) string { return test.env[key] }, nil, terminal, io.Discard)
			terminal.Close()
			<-done
			if status != 0 || !strings.Contains(shown.String(), "1 case passed") {
				t.Fatalf("got exit status %d and\n%s", status, shown.String())
			}
			if colored := strings.Contains(shown.String(), "\x1b["); colored != test.colored {
				t.Errorf("got colours: %t, want %t, in\n%q", colored, test.colored, shown.String())
			}
		})
	}
}
