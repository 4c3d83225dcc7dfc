package mcpclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxReconnects is the number of attempts to resume a broken stream of answers.
const maxReconnects = 2

// maxEvent is larger than maxMessage, so that the guard stops reading before the SDK does. The guard's error names the limit.
const maxEvent = maxMessage + 1<<20

// newHTTPTransport returns the transport to a server over HTTP, in the newer or in the older form.
func newHTTPTransport(ctx context.Context, s *Session) (mcp.Transport, error) {
	origin, err := url.Parse(s.config.URL)
	if err != nil || origin.Host == "" || origin.Scheme != "http" && origin.Scheme != "https" {
		return nil, errors.New("the URL is not an http or https address") // the URL may hold a secret
	}
	base := http.DefaultTransport.(*http.Transport).Clone()
	g := &guard{base: base, origin: origin, headers: s.config.Headers.Clone(), isSSE: s.config.Transport == "sse", cutter: s.cutter()}
	client := &http.Client{Transport: g, CheckRedirect: g.checkRedirect}
	var inner mcp.Transport = &mcp.StreamableClientTransport{
		Endpoint: s.config.URL, HTTPClient: client, MaxRetries: maxReconnects, MaxEventSize: maxEvent,
	}
	if g.isSSE {
		inner = &mcp.SSEClientTransport{Endpoint: s.config.URL, HTTPClient: client, MaxEventSize: maxEvent}
	}
	return transportFunc(func(limited context.Context) (mcp.Connection, error) {
		// The older transport reads its answers from a request that lasts as long as the session.
		life, cancel := context.WithCancel(context.WithoutCancel(ctx))
		stop := context.AfterFunc(limited, cancel)
		connection, err := inner.Connect(life)
		stop()
		if err != nil {
			cancel()
			return nil, err
		}
		s.conn = newConn(connection, func() {
			connection.Close()
			cancel()
			base.CloseIdleConnections()
		}, g)
		return s.conn, nil
	}), nil
}

// guard sends requests to one host only, and stops responses that are too long or are not answers.
type guard struct {
	base    http.RoundTripper
	origin  *url.URL
	headers http.Header
	isSSE   bool
	cutter  cutter

	version    atomic.Pointer[string] // version of the protocol, once the server has named it
	tooLongErr atomic.Pointer[protocolError]
}

func (g *guard) checkRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case !g.isOrigin(req.URL):
		return &protocolError{fmt.Sprintf("the server redirects to another host, %q, which gets no requests", req.URL.Host)}
	case req.Method != via[0].Method:
		return &protocolError{fmt.Sprintf("the server redirects to %q in a way that drops the message", req.URL.Path)}
	case len(via) >= 5:
		return &protocolError{"the server redirects in circles"}
	}
	return nil
}

func (g *guard) isOrigin(u *url.URL) bool {
	return u.Scheme == g.origin.Scheme && strings.EqualFold(u.Host, g.origin.Host)
}

// RoundTrip makes a request. For a status without an answer, it returns an error with more details than the SDK's.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if !g.isOrigin(req.URL) { // the older transport lets the server name the address for messages
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, &protocolError{fmt.Sprintf("the server wants messages sent to another host, %q, which gets none", req.URL.Host)}
	}
	resp, err := g.base.RoundTrip(g.addHeaders(req))
	if err != nil {
		return nil, err
	}
	isSuccess := resp.StatusCode >= 200 && resp.StatusCode < 300
	isRedirect := resp.StatusCode >= 300 && resp.StatusCode < 400
	mustAnswer := req.Method == http.MethodPost || req.Method == http.MethodGet && g.isSSE
	if isSuccess || isRedirect || !mustAnswer {
		resp.Body = &boundedBody{ReadCloser: resp.Body, guard: g, isStream: isEventStream(resp)}
		return resp, nil
	}
	return g.refusalResponse(req, resp)
}

func isEventStream(resp *http.Response) bool {
	return strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")
}

// addHeaders returns the request with the configured headers and the version of the protocol, which the SDK sets only
// for its own connection.
func (g *guard) addHeaders(req *http.Request) *http.Request {
	req = req.Clone(req.Context())
	for name, values := range g.headers {
		req.Header[name] = values
	}
	const version = "Mcp-Protocol-Version"
	if v := g.version.Load(); v != nil && req.Header.Get(version) == "" {
		req.Header.Set(version, *v)
	}
	return req
}

// maxErrorBody is the number of bytes that are read of an error's body.
const maxErrorBody = 64 << 10

// refusalResponse returns a response that refuses a POST with a JSON-RPC error, because such an error is an answer. A response with
// the status 401, 403, or 500 and above, and any other response, becomes an error.
func (g *guard) refusalResponse(req *http.Request, resp *http.Response) (*http.Response, error) {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	resp.Body.Close()
	isDenied := resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden
	if req.Method == http.MethodPost && !isDenied && resp.StatusCode < 500 {
		msg, _ := jsonrpc.DecodeMessage(body)
		if answer, ok := msg.(*jsonrpc.Response); ok && answer.Error != nil {
			resp.Body = io.NopCloser(bytes.NewReader(body))
			return resp, nil
		}
	}
	err := &httpError{status: resp.StatusCode}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		err.text = g.cutter.oneLine(g.cutter.firstLine(strings.TrimSpace(string(body))))
	}
	return nil, err
}

// boundedBody is a body that fails when a message exceeds its bound.
type boundedBody struct {
	io.ReadCloser
	guard       *guard
	isStream    bool // the body consists of events, each with one message in a line
	messageSize int  // bytes of the message so far
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.messageSize += n
	lineEnd := bytes.LastIndexByte(p[:n], '\n')
	if b.isStream && lineEnd >= 0 {
		b.messageSize = n - lineEnd - 1
	}
	if b.messageSize > maxMessage {
		tooLong := &protocolError{fmt.Sprintf("a message is longer than %d bytes", maxMessage)}
		b.guard.tooLongErr.Store(tooLong)
		return 0, tooLong
	}
	return n, err
}
