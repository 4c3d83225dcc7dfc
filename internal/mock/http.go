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

// endpointPath is where a server answers over HTTP.
const endpointPath = "/mcp"

const (
	headerTimeout  = 10 * time.Second
	sessionTimeout = 30 * time.Minute // of a client that went away without a word
	maxWedged      = 1 << 20          // bytes of a request that a wedged server reads
)

// ListenAddress completes an address to listen on. A port alone, as "8080" or ":8080", is one of the loopback
// interface; port 0 is any that is free.
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

// URL returns where a server that listens on l answers.
func URL(l net.Listener) string {
	return "http://" + l.Addr().String() + endpointPath
}

// ServeHTTP speaks the protocol over streamable HTTP to clients that connect to l, until ctx ends. Requests to a
// loopback address whose Host header names another host are refused, and so are those of other origins' web pages.
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

// wedge takes a request and never answers it.
func (s *Server) wedge(w http.ResponseWriter, r *http.Request) {
	// Only once the body is read does the request's context end with the connection.
	_, _ = io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, maxWedged))
	_ = s.wait(r.Context(), nil)
	panic(http.ErrAbortHandler) // a return would answer with an empty page
}
