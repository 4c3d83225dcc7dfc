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

// The defaults of [Config].
const (
	DefaultConnectTimeout = 60 * time.Second
	DefaultCallTimeout    = 60 * time.Second // exported for callers that only simulate a server without an answer
	defaultGrace          = time.Second
)

// Config describes how a server is started, by Command, or reached, by URL.
type Config struct {
	Name string // the server's name in errors and in its tools; "" for tools without a server

	Command []string // program and arguments of a server on standard input and output
	Env     []string // the server's whole environment, as NAME=value; it gets nothing else
	Dir     string   // the folder in which it is started; "" for the current folder

	URL       string      // address of a server over HTTP
	Transport string      // "sse" for the older transport; otherwise streamable HTTP
	Headers   http.Header // sent with every request to the URL's host, and to no other

	ConnectTimeout time.Duration // time to start and to agree on a protocol; 0 means 60 s
	CallTimeout    time.Duration // time for each later request; 0 means 60 s

	// ConnectSetting and CallSetting name the settings of the two times, for the error after a timeout; "" for none.
	ConnectSetting, CallSetting string

	// WaitForReady makes Connect retry a URL until ConnectTimeout has passed, while nothing listens there or the server is
	// not ready.
	WaitForReady bool

	// Grace is the time that a process has to end after its input is closed, and again after SIGTERM; 0 is 1 s.
	Grace time.Duration

	// Rules find secrets, so that no text of the server is cut in the middle of a secret. If Rules is nil, secrets are recognized
	// only by their form.
	Rules *redact.Rules

	// Hurry is closed when no time of grace is left. It may be nil.
	Hurry <-chan struct{}
}

func (c Config) connectLimit() limit { return limit{c.ConnectTimeout, c.ConnectSetting} }

func (c Config) callLimit() limit { return limit{c.CallTimeout, c.CallSetting} }

func (c Config) withDefaults() Config {
	for _, setting := range []struct {
		value *time.Duration
		def   time.Duration
	}{
		{&c.ConnectTimeout, DefaultConnectTimeout},
		{&c.CallTimeout, DefaultCallTimeout},
		{&c.Grace, defaultGrace},
	} {
		if *setting.value <= 0 {
			*setting.value = setting.def
		}
	}
	return c
}

// Info is the description of the client for servers.
type Info struct{ Name, Version string }

// Session is a connection to a server that has agreed on a protocol. Its methods may be called concurrently.
type Session struct {
	config        Config
	client        *mcp.ClientSession
	conn          *conn
	process       *process // nil for a server over HTTP
	broken        atomic.Bool
	stopAfterFunc func() bool // stops waiting for the end of Connect's context
	pages         pageCache
}

// Connect starts or reaches a server. The session, the server's process and every process of its group live until the
// session is closed or ctx ends. An error is an [*Error]; then nothing is left running.
func Connect(ctx context.Context, c Config, info Info) (*Session, error) {
	c = c.withDefaults()
	limited, cancel := context.WithTimeout(ctx, c.ConnectTimeout)
	defer cancel()
	var notReadyErr error // the last error of a server that is not ready
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		s, err := connect(ctx, limited, c, info)
		if err == nil {
			return s, nil
		}
		isNotReady := mayBecomeReady(err)
		if isNotReady && c.WaitForReady && waitFor(limited, wait) {
			notReadyErr = err
			continue
		}
		wasNotReady := isNotReady || notReadyErr != nil
		if limited.Err() != nil && wasNotReady {
			return nil, notReadyError(ctx, c, cmp.Or(notReadyErr, err))
		}
		return nil, err
	}
}

// notReadyError returns the error of a server that was not ready in time; err is the last error which shows that it was not ready.
func notReadyError(ctx context.Context, c Config, err error) error {
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

// waitFor reports whether d passed before ctx ended.
func waitFor(ctx context.Context, d time.Duration) bool {
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

// connect begins with initialize, which nearly all servers know, because some servers end after an unknown request. If
// a server refuses initialize, connect lets the SDK begin with server/discover.
func connect(ctx, limited context.Context, c Config, info Info) (*Session, error) {
	s, err := connectWith(ctx, limited, c, info, lastInitialize)
	if err != nil && refusesInitialize(err) {
		return connectWith(ctx, limited, c, info, "")
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

func connectWith(ctx, limited context.Context, c Config, info Info, version string) (*Session, error) {
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
		err = s.failure("initialize", s.causeOf(ctx, limited, c.connectLimit(), err))
		s.closeConnection()
		return nil, err
	}
	s.stopAfterFunc = context.AfterFunc(ctx, s.closeConnection)
	return s, nil
}

// refuseRequests answers requests of the server with an error, except pings, because the client offers nothing else.
func refuseRequests(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != "ping" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this client does not offer " + method}
		}
		return next(ctx, method, req)
	}
}

// isBroken reports whether the session has failed, so that another session is needed.
func (s *Session) isBroken() bool { return s.broken.Load() }

func (s *Session) cutter() cutter { return cutter{s.config.Rules} }

// stderr returns the last lines that the server's process wrote to its standard error, at most 20 of at most 4 KiB.
func (s *Session) stderr() []string {
	if s.process == nil {
		return nil
	}
	return s.process.stderr.last()
}

// Close ends the session. It closes the input of the server's process, then sends SIGTERM and then SIGKILL to its whole
// group, with a time of grace before each signal. An error means that the process still runs.
func (s *Session) Close() error {
	s.broken.Store(true)
	s.stopAfterFunc()
	s.closeConnection()
	if s.process != nil && s.process.isAlive() {
		return s.failure("close", errors.New("the process could not be ended"))
	}
	return nil
}

func (s *Session) closeConnection() {
	if s.conn != nil {
		s.conn.Close()
		<-s.conn.ended
	}
}

// CallResult is the answer of a server to a call.
type CallResult struct {
	Text     string // the text of the result for a model, at most 1 MiB and a note
	IsError  bool   // the tool failed, or the server refused the call
	Duration int64  // milliseconds
}

// Call calls a tool with an object of arguments; nil is an empty object. An error is an [*Error] and means that the
// session is broken. A JSON-RPC error of the server is not such an error: it is the result of this call.
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
		result.Text = s.cutter().resultText(result.Text, 0)
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

// request makes a request and waits for its answer, at most for the configured time. An error is a [*jsonrpc.Error]
// from the server, or an [*Error].
func (s *Session) request(ctx context.Context, method string, a *answer, send func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, s.config.CallTimeout)
	defer cancel()
	err := send(context.WithValue(limited, answerKey{}, a))
	isAnswered := s.conn.stopWaiting(a)
	isTimeUp := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	if isAnswered && !isTimeUp {
		return a.refusal() // an error of the SDK about the answer does not matter
	}
	var refusal *jsonrpc.Error
	isRefused := errors.As(err, &refusal)
	if isRefused && (refusal.Code == jsonrpc.CodeMethodNotFound || refusal.Code == jsonrpc.CodeInvalidParams) {
		return refusal // the error came with an HTTP status, so that no answer was kept
	}
	if err == nil {
		return nil // the answer is from the SDK's cache
	}
	s.broken.Store(true)
	return s.failure(method, s.causeOf(ctx, limited, s.config.callLimit(), err))
}
