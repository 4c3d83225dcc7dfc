package proxy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/proxy/frame"
)

// events is a server with the older transport over HTTP: a stream of events, the first of which names the address for
// messages. See https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse.
type events struct {
	name     string
	origin   *origin
	ctx      context.Context
	cancel   context.CancelFunc
	messages chan []byte
	readErr  error // the reason why reading ended; set before messages is closed

	isNamed  chan struct{} // closed when target is set
	target   *url.URL
	patience time.Duration // time limit for the address and for each answer
}

// openEvents starts to open the event stream of a server. Errors of the connection come from Read.
func openEvents(c mcpclient.Config) (*events, error) {
	o, err := newOrigin(c.URL, c.Headers)
	if err != nil {
		return nil, &mcpclient.Error{Server: c.Name, Op: "connect", Err: err}
	}
	ctx, cancel := context.WithCancel(context.Background())
	e := &events{
		name: c.Name, origin: o, ctx: ctx, cancel: cancel, messages: make(chan []byte),
		isNamed: make(chan struct{}), patience: cmp.Or(c.ConnectTimeout, defaultReady),
	}
	go func() {
		defer close(e.messages)
		if c.WaitForReady {
			o.waitReady(ctx, c)
		}
		e.readErr = e.receive()
		cancel()
	}()
	return e, nil
}

// request makes a request, and returns an error unless the status is a success. The head of the response must arrive
// within the patience; ctx bounds the whole request.
func (e *events) request(ctx context.Context, method string, to *url.URL, body []byte) (*http.Response, error) {
	limited, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(e.patience, func() { cancel(fmt.Errorf("no answer within %s", e.patience)) })
	defer timer.Stop()
	req, err := http.NewRequestWithContext(limited, method, to.String(), nil)
	if err != nil {
		return nil, errNotHTTP
	}
	setBody(req, body)
	req.Header.Set("Accept", "text/event-stream, application/json")
	req.Header.Set("Content-Type", "application/json")
	e.origin.addHeaders(req)
	resp, err := e.origin.RoundTrip(req)
	switch {
	case err != nil:
		err = cmp.Or(context.Cause(limited), err)
	case resp.StatusCode < 200 || resp.StatusCode >= 300:
		resp.Body.Close()
		err = &statusError{resp.StatusCode}
	}
	if err != nil {
		cancel(err)
		return nil, err
	}
	resp.Body = &watchedBody{ReadCloser: resp.Body, see: func([]byte) {}, end: func(bool) { cancel(nil) }}
	return resp, nil
}

func (e *events) receive() error {
	resp, err := e.request(e.ctx, http.MethodGet, e.origin.url, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if !frame.IsEvents(resp.Header) {
		return errors.New("the server answers with no stream of events")
	}
	var problem error
	split := frame.NewEvents(func(text []byte, _ int) {
		if problem == nil {
			problem = e.handleEvent(text)
		}
	})
	_, err = io.Copy(writerFunc(func(data []byte) error {
		split.Write(data)
		return cmp.Or(problem, e.ctx.Err())
	}), resp.Body)
	return cmp.Or(err, io.EOF)
}

// handleEvent handles the data of an event; nil stands for data that is too long.
func (e *events) handleEvent(text []byte) error {
	switch {
	case text == nil:
		return fmt.Errorf("a message is longer than %d bytes", frame.MaxMessage)
	case e.target == nil:
		return e.setTarget(string(text))
	}
	select {
	case e.messages <- text:
	case <-e.ctx.Done():
	}
	return nil
}

// setTarget sets the address for messages, which must be of the server's own origin.
func (e *events) setTarget(text string) error {
	to, err := e.origin.url.Parse(strings.TrimSpace(text))
	if err != nil || to.Scheme != e.origin.url.Scheme || !strings.EqualFold(to.Host, e.origin.url.Host) {
		return fmt.Errorf("the server wants messages sent to another origin, %q, which gets none", hostOf(to))
	}
	e.target = to
	close(e.isNamed)
	return nil
}

// Read returns the next message.
func (e *events) Read() ([]byte, error) {
	if text, ok := <-e.messages; ok {
		return text, nil
	}
	return nil, e.readErr
}

// Write posts a message, after the server has named the address.
func (e *events) Write(ctx context.Context, line []byte) error {
	timer := time.NewTimer(e.patience)
	defer timer.Stop()
	select {
	case <-e.isNamed:
	case <-timer.C:
		return fmt.Errorf("the server named no address for messages within %s", e.patience)
	case <-ctx.Done():
		return ctx.Err()
	case <-e.ctx.Done():
		return errOver
	}
	resp, err := e.request(ctx, http.MethodPost, e.target, line)
	if err == nil {
		resp.Body.Close()
	}
	return err
}

// Failure returns the reason why the server broke.
func (e *events) Failure(op string, err error) error {
	if errors.Is(err, io.EOF) {
		err = errors.New("the server closed the connection")
	}
	return &mcpclient.Error{Server: e.name, Op: op, Err: err}
}

// Close ends the connection.
func (e *events) Close() error {
	e.cancel()
	e.origin.base.CloseIdleConnections()
	return nil
}
