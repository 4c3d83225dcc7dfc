package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// livePatience is how long a live run of a test may take at most. It is no measure of speed.
const livePatience = 3 * time.Minute

// liveTest is a folder with a suite, whose servers are told apart from all others by a variable in their environment.
type liveTest struct {
	dir, mark string
	env       []string          // of the program, beside the test's own
	inputs    map[string]string // files that are not the program's, by name; nil when nobody asks
	older     map[string]bool   // numbers of the processes that there were before
}

// newLiveTest writes files into a folder; OWN_ENV in them stands for the environment of a server. At the end of the test none
// of these servers, nor what they started, may be left.
func newLiveTest(t *testing.T, files map[string]string) *liveTest {
	t.Helper()
	l := &liveTest{dir: t.TempDir(), mark: fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixNano()), older: map[string]bool{}}
	for _, pid := range processes() {
		l.older[pid] = true
	}
	for name, text := range files {
		l.write(t, name, text)
	}
	t.Cleanup(func() {
		if left := l.left(); len(left) > 0 {
			t.Errorf("processes are left running: %v", left)
			for _, pid := range left {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	return l
}

// write writes a file into the test's folder.
func (l *liveTest) write(t *testing.T, name, text string) {
	t.Helper()
	env := `env: { MCP_GATES_TEST_MARK: "` + l.mark + `" }`
	path := filepath.Join(l.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "OWN_ENV", env)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// processes returns the numbers of all processes.
func processes() []string {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	return slices.DeleteFunc(names, func(name string) bool { return name[0] < '0' || name[0] > '9' })
}

// left returns the processes of the test's servers.
func (l *liveTest) left() []int {
	var found []int
	for _, name := range processes() {
		if l.older[name] {
			continue // reading the environment of a process takes time
		}
		env, err := os.ReadFile("/proc/" + name + "/environ") // a process that has ended has none
		if err == nil && bytes.Contains(env, []byte("MCP_GATES_TEST_MARK="+l.mark)) {
			if pid, err := strconv.Atoi(name); err == nil {
				found = append(found, pid)
			}
		}
	}
	return found
}

// command returns the program, to be run in the test's folder.
func (l *liveTest) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), livePatience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, "mcp-gates", args...)
	cmd.Dir, cmd.Env = l.dir, append(os.Environ(), l.env...)
	return cmd
}

// liveResult is what became of a live run.
type liveResult struct {
	status         int
	stdout, stderr string
	megabytes      int64 // of memory at the most; 0 when it took less than the test itself
	took           time.Duration
}

// run runs the program to its end.
func (l *liveTest) run(t *testing.T, args ...string) liveResult {
	t.Helper()
	cmd := l.command(t, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := liveResult{status: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String(), took: time.Since(start)}
	// The figure of a process begins at that of the process that started it.
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		t.Fatal(err)
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && usage.Maxrss > own.Maxrss {
		r.megabytes = usage.Maxrss >> 10
	}
	return r
}

// replay replays the suites of the test's folder without a process.
func (l *liveTest) replay(t *testing.T, args ...string) liveResult {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(append([]string{"run", "--workspace", l.dir}, args...), noEnvironment, strings.NewReader(""), &stdout, &stderr)
	return liveResult{status: status, stdout: stdout.String(), stderr: stderr.String()}
}

// wants requires an exit status, and texts in what the program wrote.
func (r liveResult) wants(t *testing.T, status int, texts ...string) {
	t.Helper()
	if r.status != status {
		t.Errorf("exit status %d, want %d", r.status, status)
	}
	for _, text := range texts {
		if !strings.Contains(r.stdout, text) {
			t.Errorf("the report lacks %q", text)
		}
	}
	if t.Failed() {
		t.Logf("standard output:\n%.20000s\nstandard error:\n%.20000s", r.stdout, r.stderr)
	}
}

// read returns a file of the test's folder, "" when it is not there.
func (l *liveTest) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(l.dir, name))
	return string(text)
}
