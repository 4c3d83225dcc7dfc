package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/redact"
)

// Error is a server that could not be started or reached, or a session that broke.
type Error struct {
	Server string   // its name; "" for one that has none
	Op     string   // what was being done: "start", a method of the protocol, or "close"
	Err    error    // what was the matter
	Stderr []string // the last lines of the process's standard error, at most 20 of at most 4 KiB
}

// maxShownStderr bounds what an error's text repeats of standard error, in bytes.
const maxShownStderr = 1000

// Error returns one line of text: the server, if it has a name, what was being done, what was wrong, and the end of
// what the process wrote to its standard error. The last two may be the server's words.
func (e *Error) Error() string { return e.text(func(text string) string { return text }) }

// SafeText returns what an error says, without secrets; nothing for nil.
func SafeText(r *redact.Redactor, err error) string {
	var server *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &server):
		return server.text(r.Text)
	}
	return r.Text(err.Error())
}

// text is Error without secrets. redact removes them before lines are joined and cut, because the rest of a secret
// would not be recognized.
func (e *Error) text(redact func(string) string) string {
	text := e.Op + ": " + e.Err.Error()
	if e.Server != "" {
		text = fmt.Sprintf("server %q: %s", e.Server, text)
	}
	text = redact(text)
	if len(e.Stderr) == 0 {
		return text
	}
	shown := strings.ReplaceAll(redact(strings.Join(e.Stderr, "\n")), "\n", " | ")
	if len(shown) > maxShownStderr {
		shown = "…" + strings.ToValidUTF8(shown[len(shown)-maxShownStderr:], "")
	}
	return text + "; its standard error ended with: " + shown
}

// Unwrap returns what was the matter.
func (e *Error) Unwrap() error { return e.Err }

func (s *Session) failure(op string, err error) error {
	return &Error{Server: s.config.Name, Op: op, Err: err, Stderr: s.stderr()}
}

// limit is how long something may take, and the name of what sets it.
type limit struct {
	time time.Duration
	name string // "" when nobody sets it
}

func (l limit) hint() string {
	if l.name == "" {
		return ""
	}
	return "; raise " + l.name + " if it needs longer"
}

// cause returns why a request failed. The SDK may know only that the connection is closed. limited is ctx with a limit
// on time.
func (s *Session) cause(ctx, limited context.Context, most limit, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var broken error
	if s.conn != nil { // nil before a server over HTTP has answered
		broken = s.conn.fault()
	}
	var protocol *protocolError
	switch {
	case errors.As(broken, &protocol):
		return broken
	case limited.Err() != nil:
		return fmt.Errorf("no answer within %s%s%s", most.time, s.conn.unfinished(), most.hint())
	case s.process != nil && isEndOfStream(err, broken):
		return s.process.reason()
	case broken != nil && errors.Is(err, mcp.ErrConnectionClosed):
		return clean(broken)
	}
	return clean(err)
}

func isEndOfStream(errs ...error) bool {
	for _, err := range errs {
		if errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) || errors.Is(err, mcp.ErrConnectionClosed) {
			return true
		}
	}
	return false
}

// protocolError is something that no server may send.
type protocolError struct{ text string }

func (e *protocolError) Error() string { return e.text }

// httpError is an HTTP status without an answer.
type httpError struct {
	status int
	text   string // the first line of the body; "" when there is none to show
}

func (e *httpError) Error() string {
	text := fmt.Sprintf("the server answered %d %s", e.status, http.StatusText(e.status))
	if e.text != "" {
		text += fmt.Sprintf(": %q", e.text)
	}
	return text
}

// clean returns the error without what the SDK and net/http add, which is about themselves and may hold an address with secrets
// in it.
func clean(err error) error {
	var status *httpError
	var protocol *protocolError
	var request *url.Error
	switch {
	case errors.As(err, &status):
		return status
	case errors.As(err, &protocol):
		return protocol
	case errors.Is(err, io.EOF), errors.Is(err, mcp.ErrConnectionClosed):
		return fmt.Errorf("the server closed the connection: %w", io.EOF)
	case errors.As(err, &request):
		return request.Err
	}
	return err
}

func mayBeReadyLater(err error) bool {
	var status *httpError
	if errors.As(err, &status) {
		switch status.status {
		case http.StatusNotFound, http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
			return true
		}
		return status.status >= 500
	}
	var network *net.OpError
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)
}
