package mock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// endpointPath is the path of a server over HTTP.
const endpointPath = "/mcp"

const (
	headerTimeout  = 10 * time.Second
	sessionTimeout = 30 * time.Minute // life of a session whose client disappeared without closing it
	maxWedged      = 1 << 20          // bytes of a request that a wedged server reads
)

// ListenAddress completes an address to listen on. A port without a host, as "8080" or ":8080", is on the loopback
// interface; port 0 is any free port.
func ListenAddress(text string) (string, error) {
	address := text
	if !strings.Contains(address, ":") {
		address = ":" + address
	}
	host, port, err := net.SplitHostPort(address)
	n, portErr := strconv.Atoi(port)
	if err != nil || portErr != nil || n < 0 || n > 65535 {
		return "", fmt.Errorf("address %q must be a port from 0 to 65535, alone or as in HOST:PORT", clip(text))
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

// URL returns the address of a server that listens on l.
func URL(l net.Listener) string {
	return "http://" + l.Addr().String() + endpointPath
}

// ServeHTTP serves clients that connect to l over streamable HTTP, until ctx ends. It refuses requests to a loopback
// address whose Host header names another host, and requests of web pages from other origins.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener) error {
	defer s.stop()
	server := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: headerTimeout,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	defer context.AfterFunc(ctx, func() {
		s.stop()
		server.Close()
	})()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	if s.options.Fault.kind == wedged {
		mux.HandleFunc(endpointPath, s.wedge)
		return mux
	}
	streamable := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.sdk },
		&mcp.StreamableHTTPOptions{SessionTimeout: sessionTimeout})
	mux.Handle(endpointPath, http.NewCrossOriginProtection().Handler(streamable))
	return mux
}

// wedge accepts a request and never answers it.
func (s *Server) wedge(w http.ResponseWriter, r *http.Request) {
	// The request's context ends with the connection only after the body was read.
	_, _ = io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, maxWedged))
	_ = s.waitUntil(r.Context(), nil)
	panic(http.ErrAbortHandler) // returning would send an empty answer
}
