package proxy

import (
	"context"

	"github.com/org/mcp-gates/internal/mcpclient"
)

// wire is a connection to a server for the messages of all requests, one on each line: standard input and output, or
// the older transport over HTTP. Write may be called concurrently with itself and with Read; only one goroutine may
// call Read.
type wire interface {
	// Read returns the next message. At the end, the error is io.EOF or the reason why the connection broke.
	Read() ([]byte, error)
	// Write sends a message, until ctx ends.
	Write(ctx context.Context, line []byte) error
	// Failure returns the reason why the server broke during the operation op; err is the error of Read.
	Failure(op string, err error) error
	// Close ends the connection and the server's process, if it has one. An error means that the process still runs.
	Close() error
}

func openWire(c mcpclient.Config) (wire, error) {
	if c.URL == "" {
		return mcpclient.StartLines(c)
	}
	return openEvents(c)
}
