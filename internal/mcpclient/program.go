package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/org/mcp-gates/internal/redact"
)

// Program is a program that runs to its end, with all processes that it starts and that stay in its group.
type Program struct {
	Command []string // program and arguments
	Env     []string // the program's whole environment, as NAME=value
	Dir     string   // the folder in which it is started
	Input   string   // its standard input
	Output  io.Writer

	Rules *redact.Rules   // the rules for secrets; if nil, secrets are recognized only by their form
	Hurry <-chan struct{} // closed when no time of grace is left; nil for never
}

// FindProgram finds a program by its name in the PATH of an environment. An error means that the program is not there.
func FindProgram(name string, env []string) (string, error) { return findProgram(name, env) }

// Run runs the program. An error is an [*Error] with the end of the program's standard error: the program could not be
// started, ended with a status or because ctx ended, or its output could not be written.
func (p Program) Run(ctx context.Context) error {
	process, err := startProcess(Config{Command: p.Command, Env: p.Env, Dir: p.Dir, Rules: p.Rules, Hurry: p.Hurry, Grace: defaultGrace})
	if err != nil {
		return &Error{Op: "start the agent", Err: err}
	}
	go func() {
		_, _ = io.WriteString(process.stdin, p.Input) // an error means that the program has ended without reading its input
		process.stdin.Close()
	}()
	copied := make(chan error, 1)
	go func() {
		_, err := io.Copy(p.Output, process.stdout)
		copied <- err
	}()
	if err := process.waitForEnd(ctx, copied); err != nil {
		return &Error{Op: "run the agent", Err: err, Stderr: process.stderr.last()}
	}
	return nil
}

// waitForEnd waits until the process has ended. It ends the process if ctx ends or the output cannot be written.
func (p *process) waitForEnd(ctx context.Context, copied <-chan error) error {
	var broken error
	select {
	case <-p.ended:
		broken = outputError(<-copied) // reading soon ends, even if another process holds the pipe
	case err := <-copied: // the process may close its output and continue
		broken = outputError(err)
		if broken == nil {
			broken = p.waitUntil(ctx)
		}
	case <-ctx.Done():
		p.terminateThenKill()
		p.stdout.Close()
		<-copied // from here on only the caller writes to the output
		return context.Cause(ctx)
	}
	if broken != nil {
		p.terminateThenKill()
		return broken
	}
	if !p.cmd.ProcessState.Success() {
		return fmt.Errorf("the program ended (%s)", p.cmd.ProcessState)
	}
	return nil
}

func (p *process) waitUntil(ctx context.Context) error {
	select {
	case <-p.ended:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// outputError returns the reason why output could not be written. The closed pipe of an ended process is not an error.
func outputError(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

func (p *process) terminateThenKill() {
	p.stdin.Close()
	p.wasSignaled.Store(true)
	terminate(p.cmd.Process)
	if p.endsWithin(p.grace, p.hurry) {
		return
	}
	kill(p.cmd.Process)
	p.endsWithin(killTime, nil)
}
