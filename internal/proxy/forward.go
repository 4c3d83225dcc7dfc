package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"sync"

	"github.com/org/mcp-gates/internal/proxy/frame"
)

// forward is the backend of a server over streamable HTTP.
type forward struct {
	endpoint *Endpoint
	origin   *origin
	proxy    *httputil.ReverseProxy
	ready    sync.Once // runs the wait until the server is ready
}

func newForward(e *Endpoint) (*forward, error) {
	o, err := newOrigin(e.options.Server.URL, e.options.Server.Headers)
	if err != nil {
		return nil, fmt.Errorf("server %q: %w", e.options.Server.Name, err)
	}
	f := &forward{endpoint: e, origin: o}
	f.proxy = newReverseProxy(o, f.rewrite)
	f.proxy.ModifyResponse = f.watchResponse
	f.proxy.ErrorHandler = f.reportFailure
	return f, nil
}

func newReverseProxy(o *origin, rewrite func(*httputil.ProxyRequest)) *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Rewrite:       rewrite,
		Transport:     o,
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
	}
}

// addHeaders adds the headers that every request to the server has. It asks for uncompressed answers, because compressed
// answers could not be read in passing.
func (o *origin) addHeaders(req *http.Request) {
	req.Host = o.url.Host
	req.Header.Set("Accept-Encoding", "identity")
	for name, values := range o.headers {
		req.Header[name] = values
	}
}

// exchangeKey is the key of the *posted, or of the *recording.Exchange, in the context of a request.
type exchangeKey struct{}

func (f *forward) rewrite(p *httputil.ProxyRequest) {
	u := *f.origin.url
	p.Out.URL = &u
	f.origin.addHeaders(p.Out)
	if posted, ok := p.In.Context().Value(exchangeKey{}).(*posted); ok {
		setBody(p.Out, posted.body)
	}
}

func (f *forward) post(w http.ResponseWriter, r *http.Request, p *posted) {
	e := f.endpoint
	if e.options.Server.WaitForReady {
		f.ready.Do(func() { f.origin.waitReady(r.Context(), e.options.Server) })
	}
	if e.changesList(p.frames[0]) {
		e.showTools(w, r, p, func(ctx context.Context, q *frame.Frame) (*frame.Frame, error) { return f.ask(ctx, r, q) })
		return
	}
	for _, one := range p.frames {
		e.watch.noteRequest(r.Header.Get(frame.SessionHeader), p, one)
	}
	f.proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, p)))
}

func (f *forward) serveOther(w http.ResponseWriter, r *http.Request) { f.proxy.ServeHTTP(w, r) }

func (f *forward) watchResponse(resp *http.Response) error {
	p, ok := resp.Request.Context().Value(exchangeKey{}).(*posted)
	if !ok {
		session := resp.Request.Header.Get(frame.SessionHeader)
		f.watchBody(resp, func(one *frame.Frame) { f.endpoint.watch.noteLateAnswer(session, one) })
		return nil
	}
	isDenied := resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden
	if resp.StatusCode >= http.StatusInternalServerError || isDenied {
		f.noteBroken(&statusError{resp.StatusCode})
	}
	f.watchBody(resp, func(one *frame.Frame) { f.endpoint.watch.noteResponse(p, one) })
	return nil
}

func (f *forward) watchBody(resp *http.Response, note func(*frame.Frame)) {
	noteAll := func(text []byte, _ int) {
		frames, err := frame.ReadAll(text)
		if err != nil {
			return // the program itself finds out that it cannot read the answer
		}
		for _, one := range frames {
			note(one)
		}
	}
	split := frame.NewBody(resp.Header, noteAll)
	resp.Body = &watchedBody{ReadCloser: resp.Body, see: split.Write, end: split.Close}
}

func (f *forward) reportFailure(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil {
		f.noteBroken(err)
	}
	http.Error(w, "the server could not be reached", http.StatusBadGateway)
}

func (f *forward) noteBroken(err error) {
	f.endpoint.watch.noteBroken(fmt.Errorf("server %q: %w", f.endpoint.options.Server.Name, err))
}

// statusError is an HTTP status without an answer.
type statusError struct{ status int }

func (e *statusError) Error() string {
	return fmt.Sprintf("the server answered %d %s", e.status, http.StatusText(e.status))
}

// ask sends a request of this program to the server, with the headers of the client's request r.
func (f *forward) ask(ctx context.Context, r *http.Request, q *frame.Frame) (*frame.Frame, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.origin.url.String(), nil)
	if err != nil {
		return nil, errNotHTTP
	}
	req.Header = r.Header.Clone()
	req.Header.Del("Connection")
	f.origin.addHeaders(req)
	setBody(req, q.Raw)
	resp, err := f.origin.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := readAnswer(resp, frame.Key(q.ID))
	if err != nil && resp.StatusCode >= 300 {
		return nil, &statusError{resp.StatusCode}
	}
	return answer, err
}

// errAnswered ends the reading of a stream after the answer.
var errAnswered = errors.New("the answer was read")

func readAnswer(resp *http.Response, id string) (*frame.Frame, error) {
	var answer *frame.Frame
	see := func(text []byte, _ int) {
		frames, err := frame.ReadAll(text)
		for _, one := range frames {
			if err == nil && one.IsResponse() && frame.Key(one.ID) == id && answer == nil {
				answer = one
			}
		}
	}
	split := frame.NewBody(resp.Header, see)
	_, err := io.Copy(writerFunc(func(data []byte) error {
		split.Write(data)
		if answer != nil {
			return errAnswered
		}
		return nil
	}), resp.Body)
	split.Close(err != nil)
	switch {
	case answer != nil:
		return answer, nil
	case err == nil:
		err = errors.New("the server's answer holds none to the request")
	}
	return nil, err
}

// writerFunc is a writer that writes all data or fails.
type writerFunc func(data []byte) error

// Write calls the function.
func (f writerFunc) Write(p []byte) (int, error) { return len(p), f(p) }

func (f *forward) close() error {
	f.origin.base.CloseIdleConnections()
	return nil
}
