package mcpclient

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// process is a server on standard input and output, with all processes that it starts and that stay in its group.
type process struct {
	cmd         *exec.Cmd
	stdin       pipeEnd
	stdout      *output
	stderr      *tail
	grace       time.Duration
	hurry       <-chan struct{} // closed when no time of grace is left
	ended       chan struct{}   // closed when the process has ended and its standard error is read
	wasSignaled atomic.Bool     // this program has sent the process a signal to end
}

// pipeEnd is this program's end of the process's standard input.
type pipeEnd interface {
	io.WriteCloser
	SetWriteDeadline(time.Time) error
}

// The times for ending a process, besides the configured grace.
const (
	drainTime = 250 * time.Millisecond // time to read the output that was written before the end
	lastTime  = 2 * time.Second        // time to read all output after the end
	groupTime = 250 * time.Millisecond // time for other processes of the group to end after SIGTERM
	killTime  = 20 * time.Second       // time from SIGKILL to the end of the process; an overloaded machine needs seconds
)

func startProcess(c Config) (*process, error) {
	program, err := findProgram(c.Command[0], c.Env)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(cmp.Or(c.Dir, ".")); err != nil {
		return nil, reasonOf(err) // a missing folder; starting would report it as a missing program
	}
	p := &process{
		cmd:    exec.Command(program, c.Command[1:]...),
		stderr: &tail{rules: c.Rules},
		grace:  c.Grace,
		hurry:  c.Hurry,
		ended:  make(chan struct{}),
	}
	p.cmd.Args[0] = c.Command[0]
	p.cmd.Dir, p.cmd.WaitDelay = c.Dir, drainTime
	p.cmd.Env = append([]string{}, c.Env...) // nil would mean this program's environment
	inGroup(p.cmd)
	return p, p.start()
}

// start starts the process. It uses a pipe of its own for the output, because package exec closes its pipes when the process ends,
// even if some output is not read yet.
func (p *process) start() error {
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	p.cmd.Stdout, p.cmd.Stderr = write, p.stderr
	p.stdin, p.stdout = stdin.(pipeEnd), &output{pipe: read, ended: p.ended}
	started := make(chan error)
	go p.startAndWait(started)
	err = <-started
	write.Close()
	if err != nil {
		read.Close()
		return reasonOf(err)
	}
	return nil
}

// reasonOf returns the reason why a program was not started, with the name of the missing file.
func reasonOf(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("%q: %w", at.Path, at.Err)
	}
	return err
}

// startAndWait starts the process, waits for its end and the end of its standard error, and then ends its remaining processes. It
// keeps its thread while the process runs, because Linux kills the process when that thread ends.
func (p *process) startAndWait(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.cmd.Wait()
	endGroup(p.cmd.Process)
	p.stdout.wake()
	close(p.ended)
}

func (p *process) close() {
	p.stdin.Close()
	if p.endsWithin(p.grace, p.hurry) {
		return
	}
	p.wasSignaled.Store(true)
	terminate(p.cmd.Process)
	if p.endsWithin(p.grace, p.hurry) {
		return
	}
	kill(p.cmd.Process)
	p.endsWithin(killTime, nil)
}

// endsWithin reports whether the process has ended before d has passed and before hurry is closed; a nil hurry is never
// closed.
func (p *process) endsWithin(d time.Duration, hurry <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.ended:
		return true
	case <-hurry:
		return !p.isAlive()
	case <-timer.C:
		return false
	}
}

func (p *process) isAlive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

func (p *process) endReason() error {
	if !p.endsWithin(groupTime+2*drainTime, nil) || p.wasSignaled.Load() {
		return errors.New("the server closed its standard output")
	}
	return fmt.Errorf("the server ended (%s)", p.cmd.ProcessState)
}

// ownName is the name by which suites start this program as a server, "mcp-gates mock".
const ownName = "mcp-gates"

// findProgram finds a program as a shell with the environment env would. A name with a slash is a path from the folder in which the
// process is started. This program itself need not be in PATH: "go run" may have started it, or it may be installed under another
// name.
func findProgram(name string, env []string) (string, error) {
	if filepath.Base(name) != name {
		return name, nil
	}
	search := ""
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			search = value // the last PATH counts
		}
	}
	for _, dir := range filepath.SplitList(search) {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(dir) {
			return path, nil
		}
	}
	if name == ownName {
		return os.Executable()
	}
	return "", fmt.Errorf("program %q is not in PATH; install it there, or name it by its path", name)
}
