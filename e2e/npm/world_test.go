package npm

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// timeout bounds a command.
const timeout = 3 * time.Minute

// world is a workspace, and a home folder that no other test has. Servers get HOME from the program that starts them,
// so that it tells whose a process is.
type world struct {
	*testing.T
	dir, home string
	installed string // folder of the npm packages
}

// newWorld returns a world with the files of a folder in its workspace.
func newWorld(t *testing.T, from string) *world {
	t.Helper()
	w := &world{T: t, dir: t.TempDir(), home: t.TempDir(), installed: packages(t)}
	if err := os.CopyFS(w.dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	w.write(filepath.Join(w.home, ".npmrc"), "offline=true\nupdate-notifier=false\n")
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
		t.Skip("the servers are not installed: run e2e/setup, which needs npm")
	}
	if lock := read(t, "package-lock.json"); err != nil || string(of) != lock {
		t.Fatal("other servers are installed than package-lock.json says: run e2e/setup")
	}
	return dir
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// read returns a file of the workspace.
func (w *world) read(name string) string {
	w.Helper()
	return read(w.T, filepath.Join(w.dir, name))
}

func (w *world) write(name, text string) {
	w.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		w.Fatal(err)
	}
}

// asNpmProject makes the workspace a folder in which npm finds the packages, so that npx downloads none.
func (w *world) asNpmProject() {
	w.Helper()
	w.write(filepath.Join(w.dir, "package.json"), `{"private": true}`)
	if err := os.Symlink(w.installed, filepath.Join(w.dir, "node_modules")); err != nil {
		w.Fatal(err)
	}
}

// command returns a command of the world: it runs in the workspace, and is ended after a while.
func (w *world) command(name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(w.Context(), timeout)
	w.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = w.dir
	cmd.Env = []string{
		"PATH=" + filepath.Join(w.installed, ".bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + w.home,
		"MEMORY_FILE_PATH=" + filepath.Join(w.home, "memory.jsonl"),
	}
	return cmd
}

// server returns the command that starts one of the installed servers.
func (w *world) server(name string, args ...string) *exec.Cmd {
	return w.command(filepath.Join(w.installed, ".bin", name), args...)
}

// run runs the program, expects its exit status, and returns its standard output and error.
func (w *world) run(want int, args ...string) (stdout, stderr string) {
	w.Helper()
	var out, errs bytes.Buffer
	cmd := w.command(program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if cmd.ProcessState == nil {
		w.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		w.Fatalf("mcp-gates %s: exit status %d, want %d\n%s%s", strings.Join(args, " "), got, want, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

// nothingIsLeft fails the test if a process of the world is still there.
func (w *world) nothingIsLeft() {
	w.Helper()
	if left := w.processes(); len(left) > 0 {
		w.Errorf("processes are left: %q", left)
	}
}

// processes returns the command lines of the processes that have the world's home.
func (w *world) processes() []string {
	w.Helper()
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		w.Fatal(err)
	}
	var found []string
	for _, name := range environments {
		environment, err := os.ReadFile(name)
		if err != nil || !strings.Contains("\x00"+string(environment), "\x00HOME="+w.home+"\x00") {
			continue // it has ended, or is another's
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
		found = append(found, strings.ReplaceAll(strings.Trim(string(line), "\x00"), "\x00", " "))
	}
	return found
}
