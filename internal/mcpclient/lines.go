package mcpclient

import (
	"context"
	"errors"
	"os"
)

// Lines is a server's process whose messages the caller reads: each message is a line, and passes unchanged. Write may
// be called concurrently with itself and with Read; only one goroutine may call Read.
type Lines struct {
	config  Config
	process *process
	conn    *lineConn
}

// StartLines starts the process of c.Command, which runs until Close. An error is an [*Error].
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
func (l *Lines) Read() ([]byte, error) { return l.conn.readLine() }

// Write writes a line, which must not contain a line end. If ctx ends during the write, the process cannot be used any
// more.
func (l *Lines) Write(ctx context.Context, line []byte) error { return l.conn.writeLine(ctx, line) }

// Failure returns an [*Error] for an operation after which the server stopped answering, with the reason why the process ended and
// the end of its standard error. err is the error of reading or writing.
func (l *Lines) Failure(op string, err error) error {
	if isEndOfStream(err) || errors.Is(err, os.ErrDeadlineExceeded) {
		err = l.process.endReason()
	}
	return &Error{Server: l.config.Name, Op: op, Err: err, Stderr: l.process.stderr.last()}
}

// Close ends the process like [Session.Close]. An error means that the process still runs.
func (l *Lines) Close() error {
	l.process.close()
	if l.process.isAlive() {
		return &Error{Server: l.config.Name, Op: "close", Err: errors.New("the process could not be ended"), Stderr: l.process.stderr.last()}
	}
	return nil
}
