package proxy

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/proxy/frame"
	"github.com/org/mcp-gates/internal/thorough"
)

// TestServerThatBreaks pins that a client gets an answer whatever becomes of the server, and that the witness says why.
func TestServerThatBreaks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		act  string
		want []string // of the error
	}{
		{"stderr", []string{"the server ended (exit status 3)", "its standard error ended with: no configuration"}},
		{"kill", []string{"the server ended (signal: killed)"}},
		{"closed", []string{"closed its standard output"}},
		{"endless", []string{"longer than 16777216 bytes"}},
	} {
		t.Run(test.act, func(t *testing.T) {
			t.Parallel()
			e := openEndpoint(t, EndpointOptions{Server: self(t, test.act)})
			client := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "2"}, nil)
			_, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: e.URL()}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
			if err == nil || !strings.Contains(err.Error(), "the server ended") && !strings.Contains(err.Error(), "the server has ended") {
				t.Errorf("connect: got error %v, want one that says that the server ended", err)
			}
			_ = e.Close() // which waits for the reason
			for _, part := range test.want {
				if got := fmt.Sprint(e.Witness().Err); !strings.Contains(got, part) {
					t.Errorf("the witness has the error %q, want one that says %q", got, part)
				}
			}
		})
	}
}

// TestCrash pins what is left of a server that ends in the middle of a call: the call, a reason without secrets, and a
// session that is over.
func TestCrash(t *testing.T) {
	t.Parallel()
	for name, version := range eras {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := openEndpoint(t, EndpointOptions{Server: self(t, "server")})
			c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, version)
			if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "crash"}); err == nil || !strings.Contains(err.Error(), "the server ended") {
				t.Errorf("call: got error %v, want one that says that the server ended", err)
			}
			got := e.Witness()
			if len(got.Calls) != 1 || !got.Calls[0].Failed || got.Calls[0].Error != "the server ended" {
				t.Errorf("got the calls %+v, want a failed one", got.Calls)
			}
			for part, want := range map[string]bool{"exit status 4": true, "out of luck, api_key=[REDACTED:key:1]": true, "hunter2": false} {
				if strings.Contains(fmt.Sprint(got.Err), part) != want {
					t.Errorf("got the error %q; says %q, want %v", got.Err, part, want)
				}
			}
			_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo"})
			if version < "2026" && err == nil {
				t.Error("the session goes on after its server has ended")
			}
			if version >= "2026" && err != nil {
				t.Errorf("without sessions, the server is not started again: %v", err)
			}
		})
	}
}

// TestGarbage pins that lines of a server that are no messages harm nobody.
func TestGarbage(t *testing.T) {
	t.Parallel()
	e := openEndpoint(t, EndpointOptions{Server: self(t, "garbage")})
	c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, "2025-11-25")
	if got, want := c.call(t, "echo", nil), "{}"; got != want && got != "" && got != "null" {
		t.Errorf("got %q, want %q", got, want)
	}
	want := thorough.Size(1<<20, 4<<20)
	if got := len(c.call(t, "long", map[string]int{"bytes": want})); got != want {
		t.Errorf("a long line: got %d bytes, want %d", got, want)
	}
}

// TestClose pins that nothing is left of an endpoint: not its address, and no process, also of a server that hangs in a
// call, does not read, or ignores SIGTERM.
func TestClose(t *testing.T) {
	t.Parallel()
	for _, act := range []string{"server", "mute"} {
		t.Run(act, func(t *testing.T) {
			t.Parallel()
			server := self(t, act)
			server.Grace = 200 * time.Millisecond
			e, err := Open(t.Context(), EndpointOptions{Server: server})
			if err != nil {
				t.Fatal(err)
			}
			pid, hung := 0, make(chan error, 1)
			if act == "server" {
				c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, "2025-11-25")
				pid, _ = strconv.Atoi(c.call(t, "pid", nil))
				c.call(t, "deaf", nil)
				go func() {
					_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "wait"})
					hung <- err
				}()
				for len(e.Witness().Calls) < 3 {
					time.Sleep(time.Millisecond)
				}
			} else {
				go func() {
					_, err := http.Post(e.URL(), "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`))
					hung <- err
				}()
				time.Sleep(50 * time.Millisecond)
			}
			if !answersPut(t, e.URL()) {
				t.Error("the endpoint does not listen before it is closed")
			}
			start := time.Now()
			if err := e.Close(); err != nil {
				t.Error(err)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("Close took %s", took)
			}
			<-hung
			if pid != 0 && isAlive(pid) {
				t.Errorf("the server's process %d is still there", pid)
			}
			if answersPut(t, e.URL()) {
				t.Error("the endpoint still listens")
			}
			if err := e.Witness().Err; err != nil {
				t.Errorf("the witness has the error %v, want none of what was ended by us", err)
			}
		})
	}
}

// answersPut reports whether an endpoint refuses a request at its address, as it does while it listens. Only to connect does not show
// it: the server of another test may have the port by then.
func answersPut(t *testing.T, url string) bool {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	return err == nil && strings.Contains(string(said), "expected POST, GET or DELETE")
}

// isAlive reports whether a process is there.
func isAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

// TestEndOfContext pins that an endpoint ends with its context.
func TestEndOfContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	e, err := Open(ctx, EndpointOptions{Server: self(t, "server")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, "2025-11-25")
	pid, _ := strconv.Atoi(c.call(t, "pid", nil))
	cancel()
	for deadline := time.Now().Add(20 * time.Second); isAlive(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the server's process outlives the context")
		}
	}
}

// TestLists pins that lists of tools which cannot be read to their end are errors, and take bounded work.
func TestLists(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, result, want string
	}{
		{"a circle", `{"tools":[],"nextCursor":"a"}`, "leads back to an earlier one"},
		{"no list", `{"tools":{}}`, "the list of tools"},
		{"no tools", `{}`, "a page has no tools"},
		{"a tool without a name", `{"tools":[{}]}`, `has no "name"`},
		{"not an object", `7`, "a page has no tools"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%s}`, test.result)
			}))
			defer server.Close()
			same := func(real []*catalog.Tool) []*catalog.Tool { return real }
			e := openEndpoint(t, EndpointOptions{Server: mcpclient.Config{Name: "test", URL: server.URL}, Show: same})
			resp, err := http.Post(e.URL(), "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			answer, err := readAnswer(resp, "1")
			if err != nil || len(answer.Error) == 0 {
				t.Errorf("got %v and %v, want an error", answer, err)
			}
			if got := fmt.Sprint(e.Witness().Err); !strings.Contains(got, test.want) {
				t.Errorf("the witness has the error %q, want one that says %q", got, test.want)
			}
		})
	}
}

// TestServerOverHTTPThatBreaks pins what a witness says of servers that refuse or are not there.
func TestServerOverHTTPThatBreaks(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer refusing.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for url, want := range map[string]string{refusing.URL: "the server answered 401 Unauthorized", gone.URL: "connection refused"} {
		e := openEndpoint(t, EndpointOptions{Server: mcpclient.Config{Name: "test", URL: url}})
		resp, err := http.Post(e.URL(), "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := fmt.Sprint(e.Witness().Err); !strings.Contains(got, want) {
			t.Errorf("the witness has the error %q, want one that says %q", got, want)
		}
	}
	if e, err := Open(t.Context(), EndpointOptions{Server: mcpclient.Config{Name: "test", URL: "file:///etc"}}); err == nil {
		e.Close()
		t.Error("Open with an address that is no URL of a server: got no error")
	}
}

// TestCallAgain pins that a call for which the server asks for more, and which is made again with that, is one call.
func TestCallAgain(t *testing.T) {
	t.Parallel()
	w := newWatch("test", nil)
	for i, result := range []string{`{"resultType":"input_required"}`, `{"content":[{"type":"text","text":"booked"}]}`} {
		request, _ := frame.Read(jsontext.Value(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"book","arguments":{"at":"noon"}}}`, i)))
		answer, _ := frame.Read(jsontext.Value(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, i, result)))
		w.noteRequest("", i, request)
		w.noteResponse(i, answer)
	}
	got := w.witness().Calls
	if len(got) != 1 || got[0].Result != "booked" || !got[0].Answered {
		t.Errorf("got the calls %+v, want one with the result", got)
	}
}

// TestLateAnswer pins that an answer which comes by a GET, because the stream of the request broke, is that of the call.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "id: 1\ndata: \n\n")
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `data: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"late"}]}}`+"\n\n")
		}
	}))
	defer server.Close()
	e := openEndpoint(t, EndpointOptions{Server: mcpclient.Config{Name: "test", URL: server.URL}})
	for _, method := range []string{"POST", "GET"} {
		req, _ := http.NewRequest(method, e.URL(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`))
		req.Header.Set("Mcp-Session-Id", "one")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	if got := e.Witness().Calls; len(got) != 1 || got[0].Result != "late" || !got[0].Answered {
		t.Errorf("got the calls %+v, want one with the late result", got)
	}
}

// TestWaitForReady pins that a server which listens only after the program has come is waited for, where that is wanted.
func TestWaitForReady(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	e := openEndpoint(t, EndpointOptions{Server: mcpclient.Config{Name: "test", URL: "http://" + address, WaitForReady: true}})
	time.AfterFunc(300*time.Millisecond, func() {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Errorf("listen again: %v", err)
			return
		}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })}
		t.Cleanup(func() { server.Close() })
		go server.Serve(l)
	})
	if got, want := statusOfPost(t, e.URL(), "", "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`), http.StatusTeapot; got != want {
		t.Errorf("got status %d, want %d", got, want)
	}
	if err := e.Witness().Err; err != nil {
		t.Errorf("the witness has the error %v, want none", err)
	}
}

// TestEventsThatBreak pins what is said of servers over the older transport that do not keep to it.
func TestEventsThatBreak(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, kind, body, want string
	}{
		{"a page", "text/html", "hello", "the server answers with no stream of events"},
		{"no address", "text/event-stream", "", "named no address for messages within 3s"},
		{"another origin", "text/event-stream", "event: endpoint\ndata: http://evil.example/m\n\n", `another origin, "evil.example"`},
		{"an address that refuses", "text/event-stream", "event: endpoint\ndata: /m\n\n", "the server answered 418 I'm a teapot"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					w.WriteHeader(http.StatusTeapot)
					return
				}
				w.Header().Set("Content-Type", test.kind)
				io.WriteString(w, test.body)
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}))
			t.Cleanup(server.Close)
			timeout := time.Minute // a busy machine answers late
			if test.name == "no address" {
				timeout = 3 * time.Second
			}
			e := openEndpoint(t, EndpointOptions{Server: mcpclient.Config{Name: "test", URL: server.URL, Transport: "sse", ConnectTimeout: timeout}})
			resp, err := http.Post(e.URL(), "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if answer, err := readAnswer(resp, "1"); err != nil || len(answer.Error) == 0 {
				t.Errorf("got %v and %v, want an error", answer, err)
			}
			if got := fmt.Sprint(e.Witness().Err); !strings.Contains(got, test.want) {
				t.Errorf("the witness has the error %q, want one that says %q", got, test.want)
			}
		})
	}
}
