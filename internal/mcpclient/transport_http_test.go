//lint:file-ignore SA1019 servers still send what the newest version of the protocol gives up

package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sdkServer is a server of the SDK, with tools that behave well and not so well.
func sdkServer(*http.Request) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ServerOptions{PageSize: 3})
	add := func(name string, f func(ctx context.Context, req *mcp.CallToolRequest) string) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: f(ctx, req)}}}, nil
			})
	}
	add("echo", func(_ context.Context, req *mcp.CallToolRequest) string { return string(req.Params.Arguments) })
	add("big", func(context.Context, *mcp.CallToolRequest) string { return strings.Repeat("01234567", 1<<18) })
	add("none", func(context.Context, *mcp.CallToolRequest) string { return "" })
	add("wait", func(ctx context.Context, _ *mcp.CallToolRequest) string {
		select {
		case <-ctx.Done():
		case <-time.After(2 * time.Second):
		}
		return "late"
	})
	add("ask", func(ctx context.Context, req *mcp.CallToolRequest) string {
		_, sampled := req.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 1, Messages: []*mcp.SamplingMessage{}})
		_, elicited := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "?"})
		_, listed := req.Session.ListRoots(ctx, nil)
		return fmt.Sprint(sampled != nil, elicited != nil, listed != nil)
	})
	return server
}

// serveHTTP serves until the end of the test, and returns the address.
func serveHTTP(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

var httpKinds = []struct {
	name, transport string
	handler         func() http.Handler
}{
	{"stateful", "", func() http.Handler { return mcp.NewStreamableHTTPHandler(sdkServer, nil) }},
	{"stateless", "http", func() http.Handler {
		return mcp.NewStreamableHTTPHandler(sdkServer, &mcp.StreamableHTTPOptions{Stateless: true})
	}},
	{"json", "", func() http.Handler {
		return mcp.NewStreamableHTTPHandler(sdkServer, &mcp.StreamableHTTPOptions{JSONResponse: true})
	}},
	{"sse", "sse", func() http.Handler { return mcp.NewSSEHandler(sdkServer, nil) }},
}

func TestHTTP(t *testing.T) {
	t.Parallel()
	for _, kind := range httpKinds {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			var versions, tokens atomic.Int64
			handler := kind.handler()
			url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Mcp-Protocol-Version") == lastInitialize {
					versions.Add(1)
				}
				if r.Header.Get("Authorization") != "Bearer secret" || r.Header.Get("X-Tenant") != "a" {
					tokens.Add(1)
				}
				handler.ServeHTTP(w, r)
			}))
			config := Config{
				Name: "web", URL: url, Transport: kind.transport,
				Headers: http.Header{"Authorization": {"Bearer secret"}, "X-Tenant": {"a"}},
			}
			s := open(t, config)
			list, err := s.listTools(t.Context())
			if err != nil || len(list.Catalog.Tools) != 5 || list.Pages != 2 || list.Catalog.Tools[0].Server != "web" {
				t.Fatalf("List: got %+v, %v, want 5 tools on 2 pages", list, err)
			}
			want := map[string]string{
				"echo": `{"a":1}`,
				"big":  strings.Repeat("01234567", 1<<17) + "\n[1048576 more bytes are cut]",
			}
			if kind.name == "stateful" || kind.name == "sse" {
				want["ask"] = "true true true"
			}
			for name, text := range want {
				got, err := s.Call(t.Context(), name, []byte(`{"a":1}`))
				if err != nil || got.Text != text {
					t.Errorf("Call %s: got %.200q, %v, want %.200q", name, got.Text, err, text)
				}
			}
			if got, err := s.Call(t.Context(), "nothing", nil); err != nil || !got.IsError || !strings.Contains(got.Text, "nothing") {
				t.Errorf("Call of an unknown tool: got %+v, %v, want an error of the tool", got, err)
			}
			if s.isBroken() {
				t.Error("the session is broken")
			}
			config.CallTimeout = 300 * time.Millisecond
			_, err = open(t, config).Call(t.Context(), "wait", nil)
			wantError(t, err, "tools/call: no answer within 300ms")
			if tokens.Load() > 0 {
				t.Errorf("%d requests lacked the headers", tokens.Load())
			}
			if kind.name != "sse" && versions.Load() < 5 {
				t.Errorf("%d requests had the version of the protocol, want all after the first", versions.Load())
			}
		})
	}
}

// longAnswer answers to initialize, and to everything else with a message that is too long.
func longAnswer(contentType, before string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var m message
		body, _ := io.ReadAll(r.Body)
		json.Unmarshal(body, &m)
		w.Header().Set("Content-Type", contentType)
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		case m.Method == "initialize":
			fmt.Fprintf(w, `%s{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}`+"\n\n", before, m.ID)
		default:
			fmt.Fprintf(w, `%s{"jsonrpc":"2.0","id":%s,`, before, m.ID)
			endless(w)
		}
	}
}

// endless writes white space until nobody reads it.
func endless(w io.Writer) {
	var err error
	for block := bytes.Repeat([]byte(" "), 1<<20); err == nil; {
		_, err = w.Write(block)
	}
}

func TestHTTPMessageTooLong(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ contentType, before string }{{"application/json", ""}, {"text/event-stream", "data: "}} {
		t.Run(test.contentType, func(t *testing.T) {
			t.Parallel()
			s := open(t, Config{URL: serveHTTP(t, longAnswer(test.contentType, test.before))})
			_, err := s.Call(t.Context(), "b", nil)
			wantError(t, err, "tools/call: a message is longer than 16777216 bytes")
		})
	}
}

// The older transport reads all answers from one stream.
func TestSSEMessageTooLong(t *testing.T) {
	t.Parallel()
	ids := make(chan json.RawMessage, 10)
	s := open(t, Config{Transport: "sse", URL: serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			var m message
			json.NewDecoder(r.Body).Decode(&m)
			if m.ID != nil {
				ids <- m.ID
			}
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "event: endpoint\ndata: /messages\n\n")
		w.(http.Flusher).Flush()
		fmt.Fprintf(w, `data: {"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2024-11-05","capabilities":{}}}`+"\n\n", <-ids)
		w.(http.Flusher).Flush()
		fmt.Fprintf(w, `data: {"jsonrpc":"2.0","id":%s,`, <-ids)
		endless(w)
	}))})
	_, err := s.Call(t.Context(), "b", nil)
	wantError(t, err, "tools/call: a message is longer than 16777216 bytes")
}

func TestHTTPRefused(t *testing.T) {
	t.Parallel()
	status := func(code int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(code)
			io.WriteString(w, body)
		}
	}
	var foreign atomic.Int64
	elsewhere := serveHTTP(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { foreign.Add(1) }))
	redirect := func(to string, code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, code) }
	}
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		want    string // of streamable HTTP
		wantSSE string
	}{
		{"401", status(401, "text/plain", "no\x1b token\nat all"), `the server answered 401 Unauthorized: "no\x1b token"`, ""},
		{"401 rpc", status(401, "application/json", `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x"}}`), "401 Unauthorized", ""},
		{"403", status(403, "text/html", "<html>"), "the server answered 403 Forbidden", ""},
		{"404", status(404, "text/plain", ""), "the server answered 404 Not Found", ""},
		{"405", status(405, "text/plain", ""), "the server answered 405 Method Not Allowed", ""},
		{"500", status(500, "text/plain", "oops"), `the server answered 500 Internal Server Error: "oops"`, ""},
		{"400 rpc", status(400, "application/json", `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no session"}}`), "no session", "400"},
		{"page", status(200, "text/html", "<html>"), `unsupported content type "text/html"`, "missing endpoint"},
		{"no json", status(200, "application/json", "hello"), "decode", "missing endpoint"},
		{"long error", status(404, "text/plain", strings.Repeat("é", 1<<20)), "404", ""},
		{"redirect", redirect(elsewhere+"/steal", 307), "redirects to another host", ""},
		{"moved", redirect("/other", 301), "drops the message", "circles"},
		{"circle", redirect("/other", 308), "circles", ""},
		{"hang", func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}, "initialize: no answer within 300ms", ""},
		{"cut", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "initialize: the server closed the connection: EOF", ""},
		{"half", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "500")
			io.WriteString(w, `{"jsonrpc":"2.0",`)
		}, "failed to read body: unexpected EOF", "missing endpoint"},
	} {
		for _, transport := range []string{"http", "sse"} {
			t.Run(test.name+"/"+transport, func(t *testing.T) {
				t.Parallel()
				want := test.want
				if transport == "sse" && test.wantSSE != "" {
					want = test.wantSSE
				}
				limit := 2 * patience
				if test.name == "hang" {
					limit = 300 * time.Millisecond
				}
				within(t, func() {
					_, err := Connect(t.Context(), Config{
						URL: serveHTTP(t, test.handler) + "/mcp?key=topsecret", Transport: transport, ConnectTimeout: limit,
						Headers: http.Header{"Authorization": {"Bearer secret"}},
					}, testClient)
					wantError(t, err, want)
					if strings.Contains(err.Error(), "secret") {
						t.Errorf("got error %q, want no secret in it", err)
					}
				})
				if foreign.Load() > 0 {
					t.Error("another host got requests")
				}
			})
		}
	}
}

// The older transport lets the server name the address that messages go to.
func TestSSEMessagesStayHome(t *testing.T) {
	t.Parallel()
	var foreign atomic.Int64
	elsewhere := serveHTTP(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { foreign.Add(1) }))
	url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: endpoint\ndata: %s/messages\n\n", elsewhere)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	_, err := Connect(t.Context(), Config{URL: url, Transport: "sse", ConnectTimeout: 2 * patience}, testClient)
	wantError(t, err, "the server wants messages sent to another host")
	if foreign.Load() > 0 {
		t.Error("another host got requests")
	}
}

func TestHTTPBreaksInMidCall(t *testing.T) {
	t.Parallel()
	for _, kind := range httpKinds {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(kind.handler())
			defer func() { go server.Close() }() // waits for the handler
			s := open(t, Config{URL: server.URL, Transport: kind.transport, CallTimeout: 2 * patience})
			time.AfterFunc(200*time.Millisecond, func() {
				server.Listener.Close()
				server.CloseClientConnections()
			})
			within(t, func() {
				_, err := s.Call(t.Context(), "wait", nil)
				wantError(t, err, "tools/call: ")
				if strings.Contains(err.Error(), "no answer within") {
					t.Errorf("got error %q, want one that tells of the connection", err)
				}
			})
		})
	}
}

// TestWaitForReady runs by itself: a test beside it could be given the port that nobody listens on.
func TestWaitForReady(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	c := Config{URL: "http://" + address, ConnectTimeout: 300 * time.Millisecond}
	_, err = Connect(t.Context(), c, testClient)
	wantError(t, err, "initialize: dial tcp "+address, "refused")

	c.WaitForReady = true
	within(t, func() {
		_, err = Connect(t.Context(), c, testClient)
		wantError(t, err, "initialize: not ready within 300ms: dial tcp "+address)
	})

	c.ConnectTimeout = 2 * patience
	var asked atomic.Int64
	handler := mcp.NewStreamableHTTPHandler(sdkServer, nil)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) < 2 {
			http.Error(w, "starting", http.StatusServiceUnavailable)
			return
		}
		handler.ServeHTTP(w, r)
	})}
	t.Cleanup(func() { server.Close() })
	time.AfterFunc(150*time.Millisecond, func() {
		if listener, err := net.Listen("tcp", address); err == nil {
			server.Serve(listener)
		}
	})
	s := open(t, c)
	got, err := s.Call(t.Context(), "echo", nil)
	if err != nil || got.Text != "{}" {
		t.Errorf("Call: error %v, got %q, want {}", err, got.Text)
	}
}

func TestNoWaitingForWhatWillNotBeReady(t *testing.T) {
	t.Parallel()
	url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	within(t, func() {
		_, err := Connect(t.Context(), Config{URL: url, WaitForReady: true, ConnectTimeout: 2 * patience}, testClient)
		wantError(t, err, "401")
	})
}
