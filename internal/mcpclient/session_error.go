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

// Error means that a server could not be started or reached, or that a session broke.
type Error struct {
	Server string   // the server's name; "" if it has none
	Op     string   // the operation that failed: "start", a method of the protocol, or "close"
	Err    error    // the reason
	Stderr []string // the last lines of the process's standard error, at most 20 of at most 4 KiB
}

// maxShownStderr bounds the number of bytes of standard error in an error's text. Only the last ones are shown.
const maxShownStderr = 1000

// Error returns one line of text: the server's name, if it has one, the operation, the reason, and the end of the
// process's standard error. The last two may be the server's words.
func (e *Error) Error() string { return e.text(func(text string) string { return text }) }

// SafeText returns the text of an error without secrets; "" for nil.
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

// text is Error without secrets. redact is called before lines are joined and cut, because it would not recognize a part of a
// secret.
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

// Unwrap returns the reason of the failure.
func (e *Error) Unwrap() error { return e.Err }

func (s *Session) failure(op string, err error) error {
	return &Error{Server: s.config.Name, Op: op, Err: err, Stderr: s.stderr()}
}

// limit is a time limit, and the name of its setting.
type limit struct {
	time time.Duration
	name string // name of the setting; "" without one
}

func (l limit) hint() string {
	if l.name == "" {
		return ""
	}
	return "; raise " + l.name + " if it needs longer"
}

// causeOf returns the reason why a request failed, because err may say only that the connection is closed. limited is ctx with a
// time limit.
func (s *Session) causeOf(ctx, limited context.Context, timeLimit limit, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var readErr error
	if s.conn != nil { // nil before a server over HTTP has answered
		readErr = s.conn.brokenReason()
	}
	var protocol *protocolError
	switch {
	case errors.As(readErr, &protocol):
		return readErr
	case limited.Err() != nil:
		return fmt.Errorf("no answer within %s%s%s", timeLimit.time, s.conn.unfinished(), timeLimit.hint())
	case s.process != nil && isEndOfStream(err, readErr):
		return s.process.endReason()
	case readErr != nil && errors.Is(err, mcp.ErrConnectionClosed):
		return withoutAdditions(readErr)
	}
	return withoutAdditions(err)
}

func isEndOfStream(errs ...error) bool {
	for _, err := range errs {
		if errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) || errors.Is(err, mcp.ErrConnectionClosed) {
			return true
		}
	}
	return false
}

// protocolError is a violation of the protocol by the server.
type protocolError struct{ text string }

func (e *protocolError) Error() string { return e.text }

// httpError is an HTTP status without an answer.
type httpError struct {
	status int
	text   string // the first line of the body; "" if there is none to show
}

func (e *httpError) Error() string {
	text := fmt.Sprintf("the server answered %d %s", e.status, http.StatusText(e.status))
	if e.text != "" {
		text += fmt.Sprintf(": %q", e.text)
	}
	return text
}

// withoutAdditions returns the error without the additions of the SDK and net/http, which are of no use to the user and may hold
// an address with secrets.
func withoutAdditions(err error) error {
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

func mayBecomeReady(err error) bool {
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
