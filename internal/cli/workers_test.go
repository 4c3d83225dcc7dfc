package cli

import (
	"bytes"
	"encoding/gob"
	"io"
	"log"
	"os"
	"os/exec"
	"reflect"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/org/mcp-gates/internal/thorough"
	"github.com/rogpeppe/go-internal/testscript"
)

// order is one command for a worker: the arguments after the program's name, and the world in which it runs.
type order struct {
	Args, Env []string
	Dir       string
}

// outcome is what a command leaves.
type outcome struct {
	Status         int
	Stdout, Stderr []byte
}

// workerName is the name by which the test program is a worker. It runs one command after another in one process: most of
// the time of a short command is the start of its process, and reading the tables that it needs.
const workerName = "mcp-gates-worker"

// work runs the commands that come from standard input, one after another.
func work() {
	log.SetOutput(io.Discard)
	orders, outcomes := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	for {
		var o order
		if orders.Decode(&o) != nil {
			return // the tests have ended
		}
		if err := outcomes.Encode(o.carryOut()); err != nil {
			panic(err)
		}
	}
}

// carryOut runs one command as Main does, in its folder and with its environment only.
func (o order) carryOut() outcome {
	os.Clearenv()
	for _, variable := range o.Env {
		name, value, _ := bytes.Cut([]byte(variable), []byte("="))
		if err := os.Setenv(string(name), string(value)); err != nil {
			panic(err)
		}
	}
	if err := os.Chdir(o.Dir); err != nil {
		panic(err)
	}
	var stdout, stderr stream
	status := run(o.Args, os.Getenv, bytes.NewReader(nil), &stdout, &stderr)
	return outcome{Status: status, Stdout: stdout.all(), Stderr: stderr.all()}
}

// stream collects what several goroutines write, as a file does.
type stream struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *stream) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(text)
}

func (s *stream) all() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.text.Bytes())
}

// worker is a process that runs commands.
type worker struct {
	cmd      *exec.Cmd
	input    io.Closer
	orders   *gob.Encoder
	outcomes *gob.Decoder
	stderr   stream
}

// quit ends a worker whose command hangs, if it can with the stacks of its goroutines.
func (w *worker) quit() {
	if w.cmd.Process.Signal(syscall.SIGQUIT) != nil {
		_ = w.cmd.Process.Kill()
	}
}

// workers are the workers that have nothing to do.
type workers struct {
	deadline time.Time // of the test; zero for none

	mu   sync.Mutex
	idle []*worker
}

// newWorkers returns workers that end with the test; nil where each command is to be a process of its own, as users start it.
func newWorkers(t *testing.T) *workers {
	if thorough.Asked() {
		return nil
	}
	all := &workers{}
	all.deadline, _ = t.Deadline()
	t.Cleanup(func() {
		for _, w := range all.idle {
			w.input.Close()
			if err := w.cmd.Wait(); err != nil || len(w.stderr.all()) > 0 {
				t.Errorf("a worker ended with the error %v; besides the output of its commands it wrote %q", err, w.stderr.all())
			}
		}
	})
	return all
}

// take returns a worker, a new one where all others are busy.
func (all *workers) take() (*worker, error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if last := len(all.idle) - 1; last >= 0 {
		w := all.idle[last]
		all.idle = all.idle[:last]
		return w, nil
	}
	w := &worker{cmd: exec.Command("mcp-gates")}
	w.cmd.Args[0] = workerName
	w.cmd.Stderr = &w.stderr
	input, err := w.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	outcomes, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.input, w.orders, w.outcomes = input, gob.NewEncoder(input), gob.NewDecoder(outcomes)
	return w, w.cmd.Start()
}

// exec has a worker run the program with args, where a script is, and returns its exit status.
func (all *workers) exec(ts *testscript.TestScript, args []string) int {
	w, err := all.take()
	ts.Check(err)
	dir := ts.MkAbs(".")
	ts.Check(w.orders.Encode(order{Args: args, Env: append(environment(ts), "PWD="+dir), Dir: dir}))
	if !all.deadline.IsZero() {
		defer time.AfterFunc(time.Until(all.deadline)*9/10, w.quit).Stop()
	}
	var got outcome
	if err := w.outcomes.Decode(&got); err != nil {
		_ = w.cmd.Wait()
		ts.Fatalf("the worker ended: %v\n%s", err, w.stderr.all())
	}
	all.mu.Lock()
	all.idle = append(all.idle, w)
	all.mu.Unlock()
	_, err = ts.Stdout().Write(got.Stdout)
	ts.Check(err)
	_, err = ts.Stderr().Write(got.Stderr)
	ts.Check(err)
	return got.Status
}

// can reports whether a worker can run a command of a script. Commands that read standard input, or pass signals on for good, get
// a process of their own.
func (all *workers) can(ts *testscript.TestScript, program string, args []string) bool {
	if all == nil || program != "mcp-gates" || len(args) == 0 || args[0] == "proxy" || args[0] == "mock" {
		return false
	}
	return field(ts, "stdin").Len() == 0 && field(ts, "ttyin").Len() == 0
}

// environment returns the variables of a script, which package testscript gives by name only.
func environment(ts *testscript.TestScript) []string {
	env := field(ts, "env")
	var all []string
	for i := range env.Len() {
		all = append(all, env.Index(i).String())
	}
	return all
}

func field(ts *testscript.TestScript, name string) reflect.Value {
	return reflect.ValueOf(ts).Elem().FieldByName(name)
}
