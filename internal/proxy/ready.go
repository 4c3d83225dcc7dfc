package proxy

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"time"

	"github.com/org/mcp-gates/internal/mcpclient"
)

// The default of the longest time until a server listens, and the time between two attempts to connect.
const (
	defaultReady = 60 * time.Second
	retryReady   = 100 * time.Millisecond
)

// waitReady waits until something listens at the server's address, at most for the connect timeout. The next request
// reports any error.
func (o *origin) waitReady(ctx context.Context, c mcpclient.Config) {
	if through, err := http.ProxyFromEnvironment(&http.Request{URL: o.url}); err != nil || through != nil {
		return // a server behind an HTTP proxy cannot be asked directly
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.ConnectTimeout, defaultReady))
	defer cancel()
	port := cmp.Or(o.url.Port(), map[string]string{"http": "80", "https": "443"}[o.url.Scheme])
	for ctx.Err() == nil {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(o.url.Hostname(), port))
		if err == nil {
			conn.Close()
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryReady):
		}
	}
}
