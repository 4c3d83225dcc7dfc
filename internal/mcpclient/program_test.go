//go:build unix

package mcpclient

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// errFull is the error of a writer that takes nothing.
var errFull = errors.New("nothing more is taken")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestProgram pins what a program is given, and how its end is told.
func TestProgram(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, script, input string
		out                 io.Writer
		want, err           string
	}{
		{"its input, to the end", "cat; echo .", "the prompt", nil, "the prompt.\n", ""},
		{"input that it does not read", "echo done", strings.Repeat("x", 1<<20), nil, "done\n", ""},
		{"an exact environment", "env | grep -v '^PWD=\\|^SHLVL=\\|^_='", "", nil, "A=1\n", ""},
		{"a status, and the end of its standard error", "echo out; echo why >&2; exit 3", "", nil, "out\n", "run the agent: the program ended (exit status 3); its standard error ended with: why"},
		{"no end", "sleep 600", "", nil, "", "run the agent: it takes too long"},
		{"no end, and no notice of SIGTERM", "trap '' TERM; sleep 600; sleep 600", "", nil, "", "run the agent: it takes too long"},
		{"its output closed before its end", "echo out; exec >&-; sleep 0.1; exit 4", "", nil, "out\n", "run the agent: the program ended (exit status 4)"},
		{"output that cannot be kept", "while :; do echo x; done", "", full{}, "", "run the agent: nothing more is taken"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			patience := 20 * time.Second
			if strings.HasPrefix(test.name, "no end") {
				patience = 200 * time.Millisecond
			}
			defer time.AfterFunc(patience, func() { cancel(errors.New("it takes too long")) }).Stop()
			var out bytes.Buffer
			p := Program{Command: []string{"/bin/sh", "-c", test.script}, Env: []string{"A=1"}, Dir: t.TempDir(), Input: test.input, Output: test.out}
			if test.out == nil {
				p.Output = &out
			}
			problem := ""
			if err := p.Run(ctx); err != nil {
				problem = err.Error()
			}
			if problem != test.err || out.String() != test.want {
				t.Errorf("%s: got error %q and output %q, want %q and %q", test.script, problem, out.String(), test.err, test.want)
			}
		})
	}
}

// TestProgramLeavesNothing pins that what a program has started, and what holds its output open, ends with it.
func TestProgramLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var out bytes.Buffer
	p := Program{Command: []string{"/bin/sh", "-c", "sleep 600 & echo $! > child; echo done"}, Env: []string{"PATH=" + os.Getenv("PATH")}, Dir: dir, Output: &out}
	if err := p.Run(t.Context()); err != nil || out.String() != "done\n" {
		t.Fatalf("got error %v and output %q", err, &out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "child"))
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); syscall.Kill(child, 0) == nil; time.Sleep(10 * time.Millisecond) {
		state, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(child), "stat"))
		if strings.Contains(string(state), ") Z ") {
			return // nobody has waited for it yet
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d is left", child)
		}
	}
}

// TestProgramNotStarted pins the errors of programs and folders that are not there.
func TestProgramNotStarted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ program, dir, want string }{
		{"/no/such/program", "", `start the agent: "/no/such/program": no such file or directory`},
		{"/bin/sh", "/no/such/folder", `start the agent: "/no/such/folder": no such file or directory`},
		{"no-such-program", "", `start the agent: program "no-such-program" is not in PATH; install it there, or name it by its path`},
	} {
		err := Program{Command: []string{test.program}, Dir: test.dir, Output: io.Discard}.Run(t.Context())
		if err == nil || err.Error() != test.want {
			t.Errorf("%s in %q: got %v, want %s", test.program, test.dir, err, test.want)
		}
	}
}
