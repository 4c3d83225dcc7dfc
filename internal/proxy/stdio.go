package proxy

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/org/mcp-gates/internal/proxy/recording"
)

// StdioOptions hold the server that [Stdio] starts, and the streams of the client.
type StdioOptions struct {
	Command []string // program and arguments
	Env     []string // the server's environment, as NAME=value

	Stdin          io.Reader // from the client
	Stdout, Stderr io.Writer // lead to the client; if Stderr is a file, the server writes to it directly

	Signals   <-chan os.Signal // passed on to the server; nil for none
	Recording recording.Options
}

// drainTime is the time for which the output of a server that has ended may be silent before it is given up. The output may never
// end, because a process that the server started may keep it open.
const drainTime = 250 * time.Millisecond

// Stdio starts a server and passes bytes between it and a client without delay, until the server has ended and its
// output is passed on. It returns the server's exit status; if a signal ended the server, the status is 128 plus the
// signal's number. An error means that the server was not started. A read of Stdin may still be waiting when Stdio
// returns.
func Stdio(o StdioOptions) (status int, err error) {
	cmd := exec.Command(o.Command[0], o.Command[1:]...)
	cmd.Env, cmd.Stderr, cmd.WaitDelay = o.Env, o.Stderr, drainTime
	separate(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer read.Close()
	cmd.Stdout = write
	ended, err := start(cmd)
	write.Close()
	if err != nil {
		return 0, fmt.Errorf("start the server: %w", err)
	}
	return passAll(&o, cmd, pipes{stdin, read}, ended), nil
}

// pipes are this program's ends of a server's standard input and output.
type pipes struct {
	stdin  io.WriteCloser
	stdout *os.File
}

// start starts a command and returns a channel that is closed when the command has ended. One goroutine, locked to its thread,
// starts the command and waits for it, because Linux kills the command when that thread ends.
func start(cmd *exec.Cmd) (<-chan struct{}, error) {
	ended, started := make(chan struct{}), make(chan error)
	go func() {
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // the state of the process has more details
			close(ended)
		}
	}()
	return ended, <-started
}

// passAll passes bytes in both directions until the server ends, and returns its exit status. Both directions are recorded.
func passAll(o *StdioOptions, cmd *exec.Cmd, to pipes, ended <-chan struct{}) int {
	recorder := recording.New(o.Recording)
	defer recorder.Close()
	fromClient, fromServer := recorder.Stdio()
	go func() {
		pass(to.stdin, o.Stdin, fromClient)
		fromClient.End(false)
		to.stdin.Close()
		if client, ok := o.Stdin.(io.Closer); ok {
			client.Close() // ends the client's writes, which nobody reads any more
		}
	}()
	go passSignals(o.Signals, cmd.Process, ended)
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		pass(o.Stdout, &draining{to.stdout, ended}, fromServer)
		to.stdout.Close() // ends the server's writes, which nobody reads any more
	}()
	<-ended
	_ = to.stdout.SetReadDeadline(time.Now().Add(drainTime)) // interrupts a read that began before the server ended
	<-drained
	fromServer.End(false)
	return statusOf(cmd.ProcessState)
}

// pass copies until either side ends, and records the bytes before writing them, because another goroutine records the
// answer.
func pass(to io.Writer, from io.Reader, f *recording.Feed) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			f.Pass(buf[:n])
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// draining reads a pipe until its end or, once a process has ended, until the pipe is silent.
type draining struct {
	file  *os.File
	ended <-chan struct{}
}

// Read reads from the pipe.
func (d *draining) Read(p []byte) (int, error) {
	select {
	case <-d.ended:
		_ = d.file.SetReadDeadline(time.Now().Add(drainTime))
	default:
	}
	return d.file.Read(p)
}

func passSignals(signals <-chan os.Signal, to *os.Process, ended <-chan struct{}) {
	for {
		select {
		case signal := <-signals:
			_ = to.Signal(signal) // an error means that the server has just ended
		case <-ended:
			return
		}
	}
}

// statusOf returns the exit status of a process in the form of a shell.
func statusOf(state *os.ProcessState) int {
	if wait, ok := state.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
		return 128 + int(wait.Signal())
	}
	return state.ExitCode()
}
