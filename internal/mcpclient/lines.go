package mcpclient

import (
	"context"
	"errors"
	"os"
)

// Lines is a server's process whose messages somebody else reads: each is a line, and passes as it was written. Write may
// be called at once with itself and with Read; Read is for one goroutine.
type Lines struct {
	config  Config
	process *process
	conn    *lineConn
}

// StartLines starts the process of c.Command. It lives until it is closed. An error is an [*Error].
func StartLines(c Config) (*Lines, error) {
	c = c.withDefaults()
	p, err := startProcess(c)
	if err != nil {
		return nil, &Error{Server: c.Name, Op: "start", Err: err}
	}
	return &Lines{config: c, process: p, conn: &lineConn{process: p, cutter: cutter{c.Rules}, writing: make(chan struct{}, 1)}}, nil
}

// Read returns the next line of standard output without its end, at most 16 MiB. The last line may lack its end. The error
// at the end of the output is [io.EOF].
func (l *Lines) Read() ([]byte, error) { return l.conn.line() }

// Write writes a line, which must not hold an end of a line itself. When ctx ends in the middle of it, the process is of
// no more use.
func (l *Lines) Write(ctx context.Context, line []byte) error { return l.conn.writeLine(ctx, line) }

// Failure returns an [*Error] of what was being done when the server said no more: how it ended, and the end of its
// standard error. err is why reading or writing failed.
func (l *Lines) Failure(op string, err error) error {
	if isEndOfStream(err) || errors.Is(err, os.ErrDeadlineExceeded) {
		err = l.process.reason()
	}
	return &Error{Server: l.config.Name, Op: op, Err: err, Stderr: l.process.stderr.last()}
}

// Close ends the process as [Session.Close] does. An error says that it is still there.
func (l *Lines) Close() error {
	l.process.close()
	if l.process.isAlive() {
		return &Error{Server: l.config.Name, Op: "close", Err: errors.New("the process could not be ended"), Stderr: l.process.stderr.last()}
	}
	return nil
}
