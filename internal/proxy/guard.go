package proxy

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/netutil"
)

// Bounds on the requests of a listener's clients.
const (
	maxConnections = 256
	maxHeader      = 64 << 10 // bytes
	headerTimeout  = 10 * time.Second
	idleTimeout    = 2 * time.Minute // life of a connection without a request
)

// guard answers 403 to requests that come from a web page or name another host, because any web page can send requests
// to loopback addresses, and can make its own host name resolve to one.
type guard struct {
	isOwn func(host string) bool // reports whether the value of a Host header names this listener
	next  http.Handler
}

func guarded(l net.Listener, next http.Handler) http.Handler {
	address := l.Addr().(*net.TCPAddr) // all listeners here are TCP
	_, port, _ := net.SplitHostPort(address.String())
	if address.IP.IsUnspecified() {
		return &guard{isOwn: func(host string) bool { return isAddress(host, port) }, next: next}
	}
	own := map[string]bool{strings.ToLower(address.String()): true}
	if address.IP.IsLoopback() {
		own["localhost:"+port] = true
	}
	return &guard{isOwn: func(host string) bool { return own[strings.ToLower(host)] }, next: next}
}

// isAddress reports whether the value of a Host header is localhost or the address of an interface, with the port. A
// web page has no such host.
func isAddress(value, port string) bool {
	host, hostPort, err := net.SplitHostPort(value)
	if err != nil {
		host, hostPort = strings.Trim(value, "[]"), "80" // the default port is left out
	}
	if hostPort != port {
		return false
	}
	_, err = netip.ParseAddr(host)
	return err == nil || strings.EqualFold(host, "localhost")
}

// ServeHTTP refuses requests that a web page could have made.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !g.isOwn(r.Host) {
		http.Error(w, "the request names another host", http.StatusForbidden)
		return
	}
	for _, origin := range r.Header.Values("Origin") {
		if !isLoopbackOrigin(origin) {
			http.Error(w, "the request comes from a web page of another origin", http.StatusForbidden)
			return
		}
	}
	// Browsers also send this header for images, scripts and navigations, which have no Origin:
	// https://www.w3.org/TR/fetch-metadata.
	if r.Header.Get("Origin") == "" && r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		http.Error(w, "the request comes from a web page of another origin", http.StatusForbidden)
		return
	}
	g.next.ServeHTTP(w, r)
}

func isLoopbackOrigin(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	return isLoopback(u.Hostname())
}

// isLoopback reports whether a host is this machine, by a name that cannot resolve to another.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}

// newServer returns a server with bounds on its clients. The server logs nothing.
func newServer(ctx context.Context, handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
}

// serve serves until the server is closed, with at most maxConnections connections at a time. Further connections wait.
func serve(server *http.Server, l net.Listener) error {
	if err := server.Serve(netutil.LimitListener(l, maxConnections)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
