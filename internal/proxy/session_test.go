package proxy

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/thorough"
)

// TestCancel pins that a cancelled call is cancelled at the server, in both eras and over both transports.
func TestCancel(t *testing.T) {
	t.Parallel()
	for name, version := range eras {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mark := filepath.Join(t.TempDir(), "cancelled")
			server := self(t, "server")
			server.Env = append(server.Env, "MCP_GATES_TEST_CANCELLED="+mark)
			e := openEndpoint(t, EndpointOptions{Server: server})
			c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, version)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error)
			go func() {
				_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "wait"})
				done <- err
			}()
			for len(e.Witness().Calls) == 0 {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(50 * time.Millisecond) // the server has begun
			cancel()
			<-done
			for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
				if _, err := os.Stat(mark); err == nil {
					break
				}
				if time.Now().After(deadline) {
					t.Fatal("the server was not asked to cancel the call")
				}
			}
		})
	}
}

// TestSessions pins that each session has a process of its own, requests without one share theirs, and clients at once with
// the same ids get what is theirs.
func TestSessions(t *testing.T) {
	t.Parallel()
	for name, version := range eras {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const clients = 8
			calls := thorough.Size(2, 20)
			e := openEndpoint(t, EndpointOptions{Server: self(t, "server")})
			var running sync.WaitGroup
			var mu sync.Mutex
			pids := map[string]bool{}
			for i := range clients {
				running.Go(func() {
					c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, version)
					pid := c.call(t, "pid", nil)
					mu.Lock()
					pids[pid] = true
					mu.Unlock()
					for j := range calls {
						want := fmt.Sprintf(`{"text":"%d of %d"}`, j, i)
						if got := c.call(t, "echo", map[string]any{"text": fmt.Sprintf("%d of %d", j, i)}); got != want {
							t.Errorf("got %s, want %s", got, want)
						}
						c.call(t, "progress", nil)
					}
				})
			}
			running.Wait()
			want := clients
			if version >= "2026" {
				want = 1
			}
			if len(pids) != want {
				t.Errorf("%d processes, want %d", len(pids), want)
			}
			answered := 0
			for _, call := range e.Witness().Calls {
				if call.Answered && !call.Failed {
					answered++
				}
			}
			if want := clients * (1 + 2*calls); answered != want {
				t.Errorf("the witness has %d calls with a result, want %d", answered, want)
			}
		})
	}
}

// postTo posts a body to an endpoint, in a session unless that is "".
func postTo(t *testing.T, e *Endpoint, body, session string) *http.Response {
	t.Helper()
	req, _ := http.NewRequest("POST", e.URL(), strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// TestProbeTakesOver pins that a client which first asks for server/discover has one process of an older server, not two.
func TestProbeTakesOver(t *testing.T) {
	t.Parallel()
	e := openEndpoint(t, EndpointOptions{Server: self(t, "server")})
	post := func(body, session string) (answer, id string) {
		resp := postTo(t, e, body, session)
		defer resp.Body.Close()
		frame, err := readAnswer(resp, "1")
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		return string(frame.Raw), resp.Header.Get("Mcp-Session-Id")
	}
	if got, id := post(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`, ""); !strings.Contains(got, `"error"`) || id != "" {
		t.Errorf("server/discover without a version: got %s and session %q, want an error and none", got, id)
	}
	_, id := post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"b"}}}`, "")
	if id == "" {
		t.Fatal("initialize begins no session")
	}
	if got := e.backend.(*bridge).starts; got != 1 {
		t.Errorf("%d processes were started, want 1", got)
	}
	if got, _ := post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{}}}`, id); !strings.Contains(got, `"result"`) {
		t.Errorf("a call in the session: got %s, want a result", got)
	}
	resp, err := http.Post(e.URL(), "application/json", strings.NewReader(`[{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if got, want := resp.StatusCode, http.StatusBadRequest; got != want {
		t.Errorf("half a batch: got status %d, want %d", got, want)
	}
}

// TestUnknownSession pins what a client gets that names a session which has ended or never was: it begins a new one then.
func TestUnknownSession(t *testing.T) {
	t.Parallel()
	e := openEndpoint(t, EndpointOptions{Server: self(t, "server")})
	for _, test := range []struct {
		method, session string
		want            int
	}{
		{"POST", "none", http.StatusNotFound},
		{"GET", "none", http.StatusNotFound},
		{"DELETE", "none", http.StatusNotFound},
		{"GET", "", http.StatusMethodNotAllowed},
		{"PUT", "none", http.StatusMethodNotAllowed},
	} {
		req, _ := http.NewRequest(test.method, e.URL(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if test.session != "" {
			req.Header.Set("Mcp-Session-Id", test.session)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != test.want {
			t.Errorf("%s with session %q: got status %d, want %d", test.method, test.session, resp.StatusCode, test.want)
		}
	}
}

// closing is a server that notes that it was ended.
type closing struct {
	silent
	isClosed *atomic.Bool
}

func (c closing) Close() error {
	c.isClosed.Store(true)
	return nil
}

// TestDeleteAtClose pins that an endpoint which is closed while a client ends its session has ended the server.
func TestDeleteAtClose(t *testing.T) {
	t.Parallel()
	for range 2_000 {
		var isClosed atomic.Bool
		s := silentSession(t)
		s.lines, s.cancel, s.ended = closing{isClosed: &isClosed}, func() {}, make(chan struct{})
		close(s.ended)
		b := &bridge{endpoint: &Endpoint{watch: newWatch("test", nil)}, sessions: map[string]*session{"one": s}}
		request := httptest.NewRequest("DELETE", "/", nil)
		request.Header.Set("Mcp-Session-Id", "one")
		var client sync.WaitGroup
		client.Go(func() { b.serveOther(httptest.NewRecorder(), request) })
		if err := b.close(); err != nil {
			t.Error(err)
		}
		if !isClosed.Load() {
			t.Error("the endpoint is closed, and the server has not been ended")
		}
		client.Wait()
	}
}
