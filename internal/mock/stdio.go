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

// lastAnswers is the time for which a server still answers earlier requests after the end of its input.
const lastAnswers = 2 * time.Second

// lastFrames is the time for which a server that ends waits for unfinished writes.
const lastFrames = 200 * time.Millisecond

// Serve serves a pair of streams, one message on each line, until in ends or ctx does. It answers requests from before
// the end of in, within two seconds. It returns the error of reading in; nil at the end of in.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	defer s.stop()
	if s.options.Fault.kind == wedged {
		return swallow(ctx, in)
	}
	ended := make(chan struct{})
	result := make(chan error, 1)
	go func() { result <- s.sdk.Run(ctx, &lingeringTransport{server: s, in: in, out: out, ended: ended}) }()
	select {
	case err := <-result:
		return unexpectedError(ctx, err)
	case <-ctx.Done():
	case <-ended:
	}
	s.stop()
	// A client that has stopped reading blocks an answer, and thereby the SDK, forever.
	select {
	case err := <-result:
		return unexpectedError(ctx, err)
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

// unexpectedError returns err, or nil for the regular ends of a server.
func unexpectedError(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil
	}
	return err
}

// lingeringTransport is a transport over streams that still answers earlier requests after the end of its input. The SDK alone
// would drop answers that are not ready by then.
type lingeringTransport struct {
	server *Server
	in     io.Reader
	out    io.Writer
	ended  chan struct{} // closed when in has ended and no answer is awaited
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// Connect implements [mcp.Transport].
func (l *lingeringTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	streams := &mcp.IOTransport{Reader: io.NopCloser(l.in), Writer: nopCloser{l.out}}
	connection, err := streams.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &lingeringConnection{Connection: connection, lingeringTransport: l}, nil
}

type lingeringConnection struct {
	mcp.Connection
	*lingeringTransport
	open atomic.Int64 // requests that are not answered yet
}

// Read reads a message. It returns the end of the input only after all requests are answered, except calls that hang, or after the
// time for that is over.
func (c *lingeringConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if err != nil {
		if errors.Is(err, io.EOF) {
			c.waitForAnswers()
		}
		close(c.ended)
		return nil, err
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() && !c.server.neverAnswers(request.Method) {
		c.open.Add(1)
	}
	return message, nil
}

func (s *Server) neverAnswers(method string) bool {
	return s.options.Fault.kind == hang && method == "tools/call"
}

func (c *lingeringConnection) waitForAnswers() {
	const pause = 5 * time.Millisecond
	for deadline := time.Now().Add(c.server.patience); c.open.Load() > 0 && time.Now().Before(deadline); {
		if c.server.waitUntil(context.Background(), time.After(pause)) != nil {
			return
		}
	}
}

// Write writes a message, except an answer after the end, such as the answer to a call that hung.
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

// hasEnded reports whether the input has ended and no answer is awaited.
func (c *lingeringConnection) hasEnded() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}
