package proxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"

	"github.com/org/mcp-gates/internal/proxy/recording"
)

// HTTPOptions hold the server to which [HTTP] passes requests on, and the recording.
type HTTPOptions struct {
	To        string // the server's address
	Recording recording.Options
}

// Listen listens on an address. An address that other machines can reach is an error unless allowRemote is set.
func Listen(ctx context.Context, address string, allowRemote bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("address %q must be HOST:PORT, as in 127.0.0.1:8080", address)
	}
	if !isLoopback(host) && !allowRemote {
		return nil, fmt.Errorf("address %q is reached by other machines, expected one of loopback, as 127.0.0.1:8080", address)
	}
	return (&net.ListenConfig{}).Listen(ctx, "tcp", address)
}

// HTTP passes requests that reach l on to a server, and its answers back without delay, until ctx ends. Each path leads
// to the same path of the server.
func HTTP(ctx context.Context, l net.Listener, o HTTPOptions) error {
	to, err := newOriginRefusingUser(o.To)
	if err != nil {
		return err
	}
	recorder := recording.New(o.Recording)
	defer recorder.Close()
	p := &httpProxy{origin: to, exchanges: recorder.HTTP(to.url.Path)}
	p.proxy = newReverseProxy(to, p.rewrite)
	p.proxy.ModifyResponse, p.proxy.ErrorHandler = p.recordResponse, reportFailure
	server := newServer(ctx, guarded(l, p))
	defer context.AfterFunc(ctx, func() { server.Close() })()
	return serve(server, l)
}

// URLOf returns the address at which a client reaches a server through l. to is the server's own address.
func URLOf(l net.Listener, to string) (string, error) {
	o, err := newOriginRefusingUser(to)
	if err != nil {
		return "", err
	}
	return "http://" + l.Addr().String() + o.url.EscapedPath(), nil
}

// httpProxy is the handler of [HTTP].
type httpProxy struct {
	origin    *origin
	proxy     *httputil.ReverseProxy
	exchanges *recording.Exchanges
}

// ServeHTTP passes a request on. It reads the body first, so that the request is recorded before its answer.
func (p *httpProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if body, ok := readBody(w, r); ok {
		x := p.exchanges.Begin(r, body)
		p.proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x)))
	}
}

func (p *httpProxy) rewrite(r *httputil.ProxyRequest) {
	out := r.Out
	out.URL.Scheme, out.URL.Host = p.origin.url.Scheme, p.origin.url.Host
	out.URL.RawQuery = r.In.URL.RawQuery // even if it does not consist of names and values
	if query := p.origin.url.RawQuery; query != "" && out.URL.Path == p.origin.url.Path {
		if out.URL.RawQuery != "" {
			query += "&" + out.URL.RawQuery
		}
		out.URL.RawQuery = query
	}
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if values := r.In.Header.Values(name); values != nil {
			out.Header[name] = values
		}
	}
	p.origin.addHeaders(out)
	if x, ok := r.In.Context().Value(exchangeKey{}).(*recording.Exchange); ok {
		setBody(out, x.Body)
	}
}

func (p *httpProxy) recordResponse(resp *http.Response) error {
	x, ok := resp.Request.Context().Value(exchangeKey{}).(*recording.Exchange)
	if !ok {
		return nil
	}
	if f := x.Answer(resp); f != nil {
		resp.Body = &watchedBody{ReadCloser: resp.Body, see: f.Pass, end: f.End}
	}
	return nil
}

func reportFailure(w http.ResponseWriter, _ *http.Request, err error) {
	message := "the server could not be reached"
	var redirect *redirectError
	if errors.As(err, &redirect) {
		message = redirect.Error()
	}
	http.Error(w, message, http.StatusBadGateway)
}
