package agents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// program is the path of the binary, built as it is shipped.
var program string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mcp-gates")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "mcp-gates")
	build := exec.Command("go", "build", "-C", "../..", "-trimpath", "-o", program, "./cmd/check")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build the program:", err)
		return 1
	}
	return m.Run()
}

// timeout bounds a command.
const timeout = 3 * time.Minute

// world is a workspace with the suite, and a mark that the processes of its runs have in their environment.
type world struct {
	*testing.T
	dir, mark string
	installed string // folder of the npm packages
	script    string // of the model
	wrap      []string
}

// newWorld returns a workspace with the files of a folder, whose model plays a script.
func newWorld(t *testing.T, folder, script string) *world {
	t.Helper()
	w := &world{T: t, dir: t.TempDir(), installed: packages(t), script: script}
	w.mark = fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixNano())
	if err := os.CopyFS(w.dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if exec.Command("unshare", "-rn", "sh", "-c", "ip link set lo up").Run() == nil {
		w.wrap = []string{"unshare", "-rn", "env", "OFFLINE=1"}
	} else {
		t.Log("unshare -rn does not work here: nothing keeps the agents from the network")
	}
	t.Cleanup(w.nothingIsLeft)
	return w
}

// packages returns the folder of the npm packages, without which the test is skipped.
func packages(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("node_modules")
	if err != nil {
		t.Fatal(err)
	}
	of, err := os.ReadFile(filepath.Join(dir, ".package-lock.installed.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the agents are not installed: run e2e/setup, which needs npm")
	}
	lock, problem := os.ReadFile("package-lock.json")
	if err := errors.Join(err, problem); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(of, lock) {
		t.Fatal("other agents are installed than package-lock.json says: run e2e/setup")
	}
	return dir
}

// run runs the program beside the stand-in, requires that it passes, and returns its standard output.
func (w *world) run(args ...string) string {
	w.Helper()
	return w.exits(0, args...)
}

// exits is run for a program that ends with a status.
func (w *world) exits(status int, args ...string) string {
	w.Helper()
	standin, err := filepath.Abs("standin.mjs")
	if err != nil {
		w.Fatal(err)
	}
	script, err := filepath.Abs("testdata/offline.sh")
	if err != nil {
		w.Fatal(err)
	}
	command := append(append(append([]string{}, w.wrap...), "sh", script, standin, program), args...)
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.WaitDelay = w.dir, 10*time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Env = append(os.Environ(), w.environment()...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != status {
		w.Fatalf("mcp-gates %s: %v, want exit status %d\n%s%s", strings.Join(args, " "), err, status, &stdout, &stderr)
	}
	return stdout.String()
}

// firstRequest is the file of the first request that offers tools.
const firstRequest = "first.json"

// environment is that of the program and of the stand-in.
func (w *world) environment() []string {
	temporary := filepath.Join(w.dir, "stand-in")
	return []string{
		"PATH=" + w.programs() + ":" + filepath.Dir(program) + ":" + os.Getenv("PATH"), "AGENT_TEST_MARK=" + w.mark,
		"STANDIN_SCRIPT=" + w.script, "STANDIN_LOG=" + filepath.Join(w.dir, "offered.jsonl"),
		"STANDIN_FIRST=" + filepath.Join(w.dir, firstRequest), "STANDIN_ADDRESS=" + temporary,
	}
}

// programs are the folders of the agents' programs. That of Claude Code is in a package of its platform; what its own package has in
// .bin runs only after a script that npm is not to run.
func (w *world) programs() string {
	folders, err := filepath.Glob(filepath.Join(w.installed, "@anthropic-ai", "claude-code-*"))
	if err != nil {
		w.Fatal(err)
	}
	return strings.Join(append(folders, filepath.Join(w.installed, ".bin")), ":")
}

// nothingIsLeft reports processes of the test's runs that still run. Codex starts shells in sessions of their own, which end by
// themselves; a busy machine takes seconds for that.
func (w *world) nothingIsLeft() {
	left := w.running()
	for deadline := time.Now().Add(20 * time.Second); len(left) > 0 && time.Now().Before(deadline); left = w.running() {
		time.Sleep(100 * time.Millisecond)
	}
	for _, command := range left {
		w.Errorf("a process is left: %s", command)
	}
}

// running returns the commands of the processes of the test's runs.
func (w *world) running() []string {
	var commands []string
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		env, err := os.ReadFile(file) // a process that has ended has none
		if err == nil && bytes.Contains(env, []byte("AGENT_TEST_MARK="+w.mark)) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			commands = append(commands, string(bytes.ReplaceAll(command, []byte{0}, []byte(" "))))
		}
	}
	return commands
}
