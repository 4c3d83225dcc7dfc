package mcpclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds on what a server may send in a session.
const (
	maxMessage     = 16 << 20 // bytes of one message
	maxOwnRequests = 10_000   // requests that the server makes itself
)

// transport returns the transport by which the SDK connects. A process is started at once.
func (s *Session) transport(ctx context.Context) (mcp.Transport, error) {
	if s.config.URL != "" {
		return newHTTPTransport(ctx, s)
	}
	p, err := startProcess(s.config)
	if err != nil {
		return nil, err
	}
	s.process = p
	lines := &lineConn{process: p, cutter: s.cutter(), writing: make(chan struct{}, 1)}
	s.conn = newConn(lines, p.close, nil)
	return transportFunc(func(context.Context) (mcp.Connection, error) { return s.conn, nil }), nil
}

type transportFunc func(context.Context) (mcp.Connection, error)

func (f transportFunc) Connect(ctx context.Context) (mcp.Connection, error) { return f(ctx) }

// conn is a layer between the SDK and a connection. It keeps awaited answers as the server wrote them, because the SDK drops fields
// and the order of keys. It drops notifications, because the SDK would queue any number of them. It also knows the reason why the
// connection broke.
type conn struct {
	mcp.Connection
	endTransport func() // ends the process or the HTTP session of the connection
	closed       chan struct{}
	ended        chan struct{} // closed when endTransport has returned
	once         sync.Once

	incoming chan jsonrpc.Message
	allRead  chan struct{} // closed when no more messages come

	guard *guard // nil for a process

	mu           sync.Mutex
	readErr      error // the reason why reading ended
	waiting      map[jsonrpc.ID]*answer
	initializeID jsonrpc.ID // id of initialize
	ownRequests  int        // number of requests of the server
}

func newConn(inner mcp.Connection, end func(), g *guard) *conn {
	c := &conn{
		Connection:   inner,
		endTransport: end,
		closed:       make(chan struct{}),
		ended:        make(chan struct{}),
		incoming:     make(chan jsonrpc.Message),
		allRead:      make(chan struct{}),
		waiting:      map[jsonrpc.ID]*answer{},
		guard:        g,
	}
	go c.readMessages()
	return c
}

// readMessages reads messages until the connection ends. It drops messages that come after the connection was closed, because a
// server whose output nobody reads may never notice the end of its input.
func (c *conn) readMessages() {
	defer close(c.allRead)
	for {
		msg, err := c.Connection.Read(context.Background())
		if err != nil {
			c.endReading(err)
			return
		}
		select {
		case c.incoming <- msg:
		case <-c.closed:
		}
	}
}

// endReading notes the reason why reading ended, unless Close ended it.
func (c *conn) endReading(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.closed:
	default:
		c.readErr = err
	}
}

// Read returns the next message for the SDK.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case <-c.allRead:
			return nil, cmp.Or(c.brokenReason(), io.EOF)
		case msg := <-c.incoming:
			if shown, err := c.receive(msg); shown != nil || err != nil {
				return shown, err
			}
		}
	}
}

// receive returns the message for the SDK; nil for none.
func (c *conn) receive(msg jsonrpc.Message) (jsonrpc.Message, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch msg := msg.(type) {
	case *jsonrpc.Request:
		if !msg.IsCall() {
			return nil, nil
		}
		c.ownRequests++
		if c.ownRequests > maxOwnRequests {
			c.readErr = &protocolError{fmt.Sprintf("the server sent more than %d requests of its own", maxOwnRequests)}
			return nil, c.readErr
		}
	case *jsonrpc.Response:
		return c.keepAnswer(msg), nil
	}
	return msg, nil
}

// keepAnswer keeps an awaited answer as it is. The SDK gets a stub, because it would decode and change the answer.
func (c *conn) keepAnswer(msg *jsonrpc.Response) jsonrpc.Message {
	if c.guard != nil && msg.ID == c.initializeID {
		var result struct{ ProtocolVersion string }
		if json.Unmarshal(msg.Result, &result) == nil && result.ProtocolVersion != "" {
			c.guard.version.Store(&result.ProtocolVersion)
		}
	}
	a := c.waiting[msg.ID]
	if a == nil {
		return msg
	}
	a.result, a.err, a.isThere = msg.Result, msg.Error, true
	if a.stub == nil || msg.Error != nil {
		return msg
	}
	return &jsonrpc.Response{ID: msg.ID, Result: a.stub}
}

// Write sends a message.
func (c *conn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
		c.mu.Lock()
		if a, ok := ctx.Value(answerKey{}).(*answer); ok {
			a.id = req.ID
			c.waiting[req.ID] = a
		}
		if req.Method == "initialize" {
			c.initializeID = req.ID
		}
		c.mu.Unlock()
	}
	return c.Connection.Write(ctx, msg)
}

// Close starts to close the connection and returns. Once the connection is closed, it closes c.ended. Close does not wait,
// because the SDK calls it while it holds a lock that every call needs.
func (c *conn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		go func() {
			c.endTransport()
			close(c.ended)
		}()
	})
	return nil
}

func (c *conn) brokenReason() error {
	if c.guard != nil {
		if tooLong := c.guard.tooLongErr.Load(); tooLong != nil {
			return tooLong
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.readErr
}

// unfinished returns the beginning of a message that the server has not finished, or an empty string.
func (c *conn) unfinished() string {
	if c == nil {
		return ""
	}
	if lines, ok := c.Connection.(*lineConn); ok {
		return lines.unfinished()
	}
	return ""
}

// answer is a server's answer to one request, as the server wrote it.
type answer struct {
	// stub is a result that the SDK gets to save the work of reading the real one; if nil, the SDK gets the real one.
	stub json.RawMessage

	id      jsonrpc.ID
	result  json.RawMessage
	err     error
	isThere bool
}

// answerKey is the key of an [answer] in the context of a request whose answer is kept.
type answerKey struct{}

// stopWaiting reports whether the server has answered. Later answers are ignored.
func (c *conn) stopWaiting(a *answer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, a.id)
	var refusal *jsonrpc.Error
	return a.isThere && (a.err == nil || errors.As(a.err, &refusal))
}

func (a *answer) refusal() error {
	if a.err != nil {
		return a.err
	}
	return nil
}
