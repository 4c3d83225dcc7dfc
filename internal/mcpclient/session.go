package mcpclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/redact"
)

// The times that [Config] has where it gives none.
const (
	DefaultConnectTimeout = 60 * time.Second
	DefaultCallTimeout    = 60 * time.Second // exported for who only acts as if a server did not answer
	defaultGrace          = time.Second
)

// Config says how a server is started or reached: by Command or by URL.
type Config struct {
	Name string // in errors, and the server that its tools belong to; "" for tools without a server

	Command []string // program and arguments of a server on standard input and output
	Env     []string // its whole environment, as NAME=value; it gets nothing else
	Dir     string   // where it is started; "" for the current folder

	URL       string      // of a server over HTTP
	Transport string      // "sse" for the older one; otherwise streamable HTTP
	Headers   http.Header // sent with every request to the URL's host, and to no other

	ConnectTimeout time.Duration // for starting and agreeing on a protocol; 0 is 60 s
	CallTimeout    time.Duration // for each request afterwards; 0 is 60 s

	// ConnectSetting and CallSetting name what sets the two times, for the error when one is exceeded; "" for nothing.
	ConnectSetting, CallSetting string

	// WaitForReady has connecting to a URL tried again until ConnectTimeout has passed, as long as nothing listens there
	// or what listens is not ready.
	WaitForReady bool

	// Grace is how long a process has to end once its input is closed, and again after SIGTERM; 0 is 1 s.
	Grace time.Duration

	// Rules say what is secret, so that no text of the server is cut in the middle of a secret; nil for the shapes
	// alone.
	Rules *redact.Rules

	// Hurry is closed when no time of grace is left. It may be nil.
	Hurry <-chan struct{}
}

func (c Config) connectLimit() limit { return limit{c.ConnectTimeout, c.ConnectSetting} }

func (c Config) callLimit() limit { return limit{c.CallTimeout, c.CallSetting} }

func (c Config) withDefaults() Config {
	for _, d := range []struct {
		value *time.Duration
		def   time.Duration
	}{
		{&c.ConnectTimeout, DefaultConnectTimeout},
		{&c.CallTimeout, DefaultCallTimeout},
		{&c.Grace, defaultGrace},
	} {
		if *d.value <= 0 {
			*d.value = d.def
		}
	}
	return c
}

// Info is what servers learn about the client.
type Info struct{ Name, Version string }

// Session is a connection to a server that agreed on a protocol. Its methods may be called at once.
type Session struct {
	config  Config
	client  *mcp.ClientSession
	conn    *conn
	process *process // nil for a server over HTTP
	broken  atomic.Bool
	forget  func() bool // ends waiting for the end of Connect's context
	pages   pageCache
}

// Connect starts or reaches a server. The session lives until it is closed or ctx ends, and with it the server's
// process and every process of its group. An error is an [*Error]; then nothing is left running.
func Connect(ctx context.Context, c Config, info Info) (*Session, error) {
	c = c.withDefaults()
	limited, cancel := context.WithTimeout(ctx, c.ConnectTimeout)
	defer cancel()
	var sign error // of a server that is not ready
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		s, err := connect(ctx, limited, c, info)
		if err != nil && c.WaitForReady && mayBeReadyLater(err) && sleep(limited, wait) {
			sign = err
			continue
		}
		if err != nil && limited.Err() != nil && (sign != nil || mayBeReadyLater(err)) {
			return nil, tooLate(ctx, c, cmp.Or(sign, err))
		}
		return s, err
	}
}

// tooLate returns the error of a server that was not ready in time; err was its last sign.
func tooLate(ctx context.Context, c Config, err error) error {
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	} else {
		err = fmt.Errorf("not ready within %s: %w%s", c.ConnectTimeout, errors.Unwrap(err), c.connectLimit().hint())
	}
	return &Error{Server: c.Name, Op: "initialize", Err: err}
}

// firstRetry and lastRetry are the shortest and the longest time between two attempts to reach a server.
const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 2 * time.Second
)

// sleep reports whether d passed before ctx ended.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// lastInitialize is the newest version of the protocol that begins with the request initialize.
const lastInitialize = "2025-11-25"

// connect begins with initialize, which nearly all servers know, because some of them end at anything else. Where a
// server refuses it, the SDK's own way is taken, which begins with server/discover.
func connect(ctx, limited context.Context, c Config, info Info) (*Session, error) {
	s, err := dial(ctx, limited, c, info, lastInitialize)
	if err != nil && refusesInitialize(err) {
		return dial(ctx, limited, c, info, "")
	}
	return s, err
}

func refusesInitialize(err error) bool {
	var answer *jsonrpc.Error
	if !errors.As(err, &answer) {
		return false
	}
	switch answer.Code {
	case mcp.CodeUnsupportedProtocolVersion, jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidRequest, jsonrpc.CodeInvalidParams:
		return true
	}
	return false
}

func dial(ctx, limited context.Context, c Config, info Info, version string) (*Session, error) {
	s := &Session{config: c}
	transport, err := s.transport(ctx)
	if err != nil {
		return nil, s.failure("start", err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: info.Name, Version: info.Version}, &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{}, // not even roots, which the SDK would offer
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	client.AddReceivingMiddleware(refuseRequests)
	s.client, err = client.Connect(limited, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		err = s.failure("initialize", s.cause(ctx, limited, c.connectLimit(), err))
		s.end()
		return nil, err
	}
	s.forget = context.AfterFunc(ctx, s.end)
	return s, nil
}

// refuseRequests answers requests of the server with an error: the client offers nothing but pings.
func refuseRequests(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != "ping" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this client does not offer " + method}
		}
		return next(ctx, method, req)
	}
}

// isBroken reports whether a request failed for another reason than its own: another session is needed.
func (s *Session) isBroken() bool { return s.broken.Load() }

func (s *Session) cutter() cutter { return cutter{s.config.Rules} }

// stderr returns the last lines that the server's process wrote to its standard error, at most 20 of at most 4 KiB.
func (s *Session) stderr() []string {
	if s.process == nil {
		return nil
	}
	return s.process.stderr.last()
}

// Close ends the session. A process has its input closed, then gets SIGTERM and then SIGKILL, with a time of grace
// before each, and so does every process of its group. An error says that the process is still there.
func (s *Session) Close() error {
	s.broken.Store(true)
	s.forget()
	s.end()
	if s.process != nil && s.process.isAlive() {
		return s.failure("close", errors.New("the process could not be ended"))
	}
	return nil
}

func (s *Session) end() {
	if s.conn != nil {
		s.conn.Close()
		<-s.conn.ended
	}
}

// CallResult is what a server answered to a call.
type CallResult struct {
	Text     string // what a model reads of the result, at most 1 MiB and a note
	IsError  bool   // the tool failed, or the server refused the call
	Duration int64  // milliseconds
}

// Call calls a tool with an object of arguments, nil for an empty one. An error is an [*Error]: the session is
// broken. A JSON-RPC error is the server's answer to this call and no such error.
func (s *Session) Call(ctx context.Context, name string, args jsontext.Value) (CallResult, error) {
	if len(args) == 0 {
		args = jsontext.Value("{}")
	}
	if args.Kind() != '{' || !args.IsValid(jsontext.AllowDuplicateNames(true)) {
		return CallResult{Text: "the arguments are not a JSON object", IsError: true}, nil
	}
	start := time.Now()
	answer := &answer{stub: json.RawMessage(`{"content":[]}`)}
	err := s.request(ctx, "tools/call", answer, func(ctx context.Context) error {
		_, err := s.client.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
		return err
	})
	var result CallResult
	var refusal *jsonrpc.Error
	switch {
	case errors.As(err, &refusal):
		result, err = CallResult{Text: refusal.Message, IsError: true}, nil
		result.Text = s.cutter().result(result.Text, 0)
	case err == nil:
		result, err = readResult(answer.result, s.cutter())
		if err != nil {
			s.broken.Store(true)
			err = s.failure("tools/call", err)
		}
	}
	result.Duration = time.Since(start).Milliseconds()
	return result, err
}

// request makes a request and waits for its answer, at most as long as the configuration says. An error is
// a [*jsonrpc.Error], which the server answered, or an [*Error].
func (s *Session) request(ctx context.Context, method string, a *answer, send func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, s.config.CallTimeout)
	defer cancel()
	err := send(context.WithValue(limited, answerKey{}, a))
	if isThere := s.conn.stopWaiting(a); isThere && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return a.refusal() // whatever the SDK made of it
	}
	var refusal *jsonrpc.Error
	if errors.As(err, &refusal) && (refusal.Code == jsonrpc.CodeMethodNotFound || refusal.Code == jsonrpc.CodeInvalidParams) {
		return refusal // came with an HTTP status of its own
	}
	if err == nil {
		return nil // from the SDK's cache
	}
	s.broken.Store(true)
	return s.failure(method, s.cause(ctx, limited, s.config.callLimit(), err))
}
