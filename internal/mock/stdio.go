package mock

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lastAnswers is how long, after the end of its input, a server goes on answering what was asked before.
const lastAnswers = 2 * time.Second

// lastFrames is how long a server that ends waits for what is being written.
const lastFrames = 200 * time.Millisecond

// Serve speaks the protocol over a pair of streams, a message a line, until in ends or ctx does. Requests from before
// the end of in are answered, within two seconds. The error is that of reading in; nil at its end.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	defer s.stop()
	if s.options.Fault.kind == wedged {
		return swallow(ctx, in)
	}
	ended := make(chan struct{})
	result := make(chan error, 1)
	go func() { result <- s.sdk.Run(ctx, &lingering{server: s, in: in, out: out, ended: ended}) }()
	select {
	case err := <-result:
		return unexpected(ctx, err)
	case <-ctx.Done():
	case <-ended:
	}
	s.stop()
	// A client that has stopped reading holds up an answer, and that the SDK, for good.
	select {
	case err := <-result:
		return unexpected(ctx, err)
	case <-time.After(lastFrames):
		return nil
	}
}

// swallow reads in to its end, unless ctx ends before.
func swallow(ctx context.Context, in io.Reader) error {
	result := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, in)
		result <- err
	}()
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return nil
	}
}

// unexpected returns err, but nil for the ways in which a server is meant to end.
func unexpected(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil
	}
	return err
}

// lingering is the transport over streams of a server that still answers what was asked when its input has ended. The
// SDK drops answers that are not ready by then.
type lingering struct {
	server *Server
	in     io.Reader
	out    io.Writer
	ended  chan struct{} // closed when in has ended and all is answered
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// Connect implements [mcp.Transport].
func (l *lingering) Connect(ctx context.Context) (mcp.Connection, error) {
	streams := &mcp.IOTransport{Reader: io.NopCloser(l.in), Writer: nopCloser{l.out}}
	connection, err := streams.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &lingeringConnection{Connection: connection, lingering: l}, nil
}

type lingeringConnection struct {
	mcp.Connection
	*lingering
	open atomic.Int64 // requests that will be answered
}

// Read reads a message. It returns the end of the input only when everything is answered.
func (c *lingeringConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if err != nil {
		if errors.Is(err, io.EOF) {
			c.linger()
		}
		close(c.ended)
		return nil, err
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() && !c.server.ignores(request.Method) {
		c.open.Add(1)
	}
	return message, nil
}

func (s *Server) ignores(method string) bool {
	return s.options.Fault.kind == hang && method == "tools/call"
}

func (c *lingeringConnection) linger() {
	const pause = 5 * time.Millisecond
	for deadline := time.Now().Add(c.server.patience); c.open.Load() > 0 && time.Now().Before(deadline); {
		if c.server.wait(context.Background(), time.After(pause)) != nil {
			return
		}
	}
}

// Write writes a message, unless it is the answer to a call that hung until the end.
func (c *lingeringConnection) Write(ctx context.Context, message jsonrpc.Message) error {
	_, isAnswer := message.(*jsonrpc.Response)
	if isAnswer && c.hasEnded() {
		return nil
	}
	err := c.Connection.Write(ctx, message)
	if isAnswer {
		c.open.Add(-1)
	}
	return err
}

// hasEnded reports whether the input has ended and all that was to be answered is.
func (c *lingeringConnection) hasEnded() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}
