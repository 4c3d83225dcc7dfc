package mcpclient

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// process is a server on standard input and output, with every process that it starts as long as they stay in its group.
type process struct {
	cmd            *exec.Cmd
	stdin, stdout  *os.File // our ends
	stderr         *tail
	grace          time.Duration
	hurry          <-chan struct{} // closed when there is no grace any more
	ended, drained chan struct{}   // the process has ended; and what it wrote to standard error is read
	isTold         atomic.Bool     // to end, by a signal of ours
}

// The times that ending takes, besides the grace that a configuration gives.
const (
	drainTime = 250 * time.Millisecond // for what a process wrote before it ended
	groupTime = 250 * time.Millisecond // for what a process leaves behind, after SIGTERM
	killTime  = 5 * time.Second        // for a process to end after SIGKILL
)

// startProcess starts a server's process.
func startProcess(c Config) (*process, error) {
	program, err := findProgram(c.Command[0], c.Env)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(cmp.Or(c.Dir, ".")); err != nil {
		return nil, reasonOf(err) // which starting would say of the program
	}
	p := &process{
		cmd:     exec.Command(program, c.Command[1:]...),
		stderr:  &tail{rules: c.Rules},
		grace:   c.Grace,
		hurry:   c.Hurry,
		ended:   make(chan struct{}),
		drained: make(chan struct{}),
	}
	p.cmd.Args[0] = c.Command[0]
	p.cmd.Dir = c.Dir
	p.cmd.Env = append([]string{}, c.Env...) // nil would be ours
	inGroup(p.cmd)
	return p, p.start()
}

// start starts the process with pipes of ours: those of package exec are closed while their output is still read, or
// wait for everything that inherited them.
func (p *process) start() error {
	var ours, theirs [3]*os.File
	for i := range ours {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(append(ours[:], theirs[:]...))
			return fmt.Errorf("make a pipe: %w", err)
		}
		if ours[i], theirs[i] = r, w; i == 0 {
			ours[i], theirs[i] = w, r
		}
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	err := p.cmd.Start()
	closeAll(theirs[:])
	if err != nil {
		closeAll(ours[:])
		return reasonOf(err)
	}
	p.stdin, p.stdout = ours[0], ours[1]
	go p.watch(ours[2])
	return nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// reasonOf returns why a program was not started, with the name of what is missing.
func reasonOf(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("%q: %w", at.Path, at.Err)
	}
	return err
}

// watch waits for the end of the process, and then ends what it left behind.
func (p *process) watch(stderr *os.File) {
	read := make(chan struct{})
	go func() {
		io.Copy(p.stderr, stderr)
		close(read)
	}()
	p.cmd.Wait()
	endGroup(p.cmd.Process)
	close(p.ended)
	select {
	case <-read:
	case <-time.After(drainTime):
	}
	close(p.drained)
	// What left the group may hold the pipes open.
	time.AfterFunc(drainTime, func() { closeAll([]*os.File{p.stdin, p.stdout, stderr}) })
}

// close ends the process and its group.
func (p *process) close() {
	p.stdin.Close()
	if p.endsWithin(p.grace, p.hurry) {
		return
	}
	p.isTold.Store(true)
	terminate(p.cmd.Process)
	if p.endsWithin(p.grace, p.hurry) {
		return
	}
	kill(p.cmd.Process)
	p.endsWithin(killTime, nil)
}

// endsWithin reports whether the process has ended before d has passed and before there is a hurry, which nil never is.
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

// reason says why a process says nothing more.
func (p *process) reason() error {
	if !p.endsWithin(groupTime+drainTime, nil) || p.isTold.Load() {
		return errors.New("the server closed its standard output")
	}
	<-p.drained
	return fmt.Errorf("the server ended (%s)", p.cmd.ProcessState)
}

// ownName is what this program is called where suites start it as a server, "mcp-gates mock".
const ownName = "mcp-gates"

// findProgram finds a program as a shell in that environment would. One with a slash is found where the process is
// started. This program itself need not be in PATH: it may be run by "go run", or have been installed under another name.
func findProgram(name string, env []string) (string, error) {
	if filepath.Base(name) != name {
		return name, nil
	}
	search := ""
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			search = value // the last one holds
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
