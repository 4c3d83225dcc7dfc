package proxy

import (
	"context"

	"github.com/org/mcp-gates/internal/mcpclient"
)

// wire is a connection to a server on which messages of all requests pass, a line each: standard input and output, or the
// older transport over HTTP. Write may be called at once with itself and with Read; Read is for one goroutine.
type wire interface {
	// Read returns the next message. The error at the end is io.EOF, or says what broke.
	Read() ([]byte, error)
	// Write sends a message, until ctx ends.
	Write(ctx context.Context, line []byte) error
	// Failure returns why the server broke while something was done, where err is that of Read.
	Failure(op string, err error) error
	// Close ends the connection and the server's process, if it has one. An error says that it is still there.
	Close() error
}

func openWire(c mcpclient.Config) (wire, error) {
	if c.URL == "" {
		return mcpclient.StartLines(c)
	}
	return openEvents(c)
}
