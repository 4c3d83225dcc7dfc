package mock

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestListenAddress(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"8080", "127.0.0.1:8080"}, {":8080", "127.0.0.1:8080"}, {"0", "127.0.0.1:0"}, {"0.0.0.0:80", "0.0.0.0:80"},
		{"localhost:1", "localhost:1"}, {"[::1]:65535", "[::1]:65535"},
		{"", ""}, {"host", ""}, {"host:", ""}, {"1:2:3", ""}, {"65536", ""}, {"-1", ""}, {"host:http", ""},
	} {
		got, err := ListenAddress(test.text)
		if got != test.want || (err != nil) != (test.want == "") {
			t.Errorf("ListenAddress(%q): got %q, %v, want %q", test.text, got, err, test.want)
		}
	}
}

// listen runs a server over HTTP and returns its address, and how to end it.
func listen(t testing.TB, s *Server) (url string, end func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error, 1)
	go func() { result <- s.ServeHTTP(ctx, l) }()
	end = func() {
		cancel()
		select {
		case err := <-result:
			if err != nil {
				t.Errorf("ServeHTTP: %v", err)
			}
			result <- nil
		case <-time.After(patience):
			t.Error("the server does not end")
		}
	}
	t.Cleanup(end)
	return URL(l), end
}

func connectHTTP(ctx context.Context, url string) (*mcp.ClientSession, error) {
	return mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, MaxRetries: -1}, nil)
}

func dialHTTP(t testing.TB, url string) *mcp.ClientSession {
	t.Helper()
	session, err := connectHTTP(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// Pins that clients have sessions of their own, which fail by themselves.
func TestHTTP(t *testing.T) {
	o := faultOf(t, "recover-after:1")
	o.PageSize = 1
	s := New(catalogOf(t, `[{"name": "b"}, {"name": "a", "inputSchema": "odd"}, {"name": "c"}]`), o)
	url, end := listen(t, s)
	for range 2 {
		session := dialHTTP(t, url)
		if names, pages := listAll(t, session); strings.Join(names, "") != "bac" || pages != 3 {
			t.Errorf("got tools %q on %d pages, want b, a, c on 3", names, pages)
		}
		want := []string{"is_error fault: call 1 of this session fails, as the first 1 do;", `{"name":"a","args":{"x":1}};`}
		for _, want := range want {
			if got := call(t, session, "a", `{"x":1}`); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
		if err := session.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	end()
	for range 100 {
		s.mu.Lock()
		open := len(s.calls)
		s.mu.Unlock()
		if open == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("sessions that ended are still counted")
}

func TestHTTPFaults(t *testing.T) {
	url, _ := listen(t, New(catalogOf(t, one), faultOf(t, "hang")))
	session := dialHTTP(t, url)
	neverAnswers(t, "a tool call", func(ctx context.Context) error {
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "a"})
		return err
	})
	if names, _ := listAll(t, session); len(names) != 1 {
		t.Errorf("got tools %q, want one", names)
	}
	url, end := listen(t, New(catalogOf(t, one), faultOf(t, "wedged")))
	hanging := make(chan error, 1)
	go func() {
		response, err := http.Post(url, "application/json", strings.NewReader("{}"))
		if err == nil {
			response.Body.Close()
			err = errors.New(response.Status)
		}
		hanging <- err
	}()
	select {
	case err := <-hanging:
		t.Errorf("a wedged server answers %v", err)
	case <-time.After(short):
	}
	end()
	<-hanging
}

// Pins who is refused: other hosts' names for a loopback address, and web pages of other origins.
func TestHTTPRefusals(t *testing.T) {
	url, _ := listen(t, New(catalogOf(t, one), Options{}))
	for _, test := range []struct {
		name, host, origin, path string
		want                     int
	}{
		{"rebound name", "evil.example", "", "", http.StatusForbidden},
		{"web page", "", "https://evil.example", "", http.StatusForbidden},
		{"other path", "", "", "/other", http.StatusNotFound},
		{"program", "", "", "", http.StatusOK},
	} {
		t.Run(test.name, func(t *testing.T) {
			frame, _, _ := strings.Cut(handshake, "\n")
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+test.path, strings.NewReader(frame))
			if err != nil {
				t.Fatal(err)
			}
			request.Host = test.host
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Accept", "application/json, text/event-stream")
			if test.origin != "" {
				request.Header.Set("Origin", test.origin)
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != test.want {
				t.Errorf("status %d, want %d", response.StatusCode, test.want)
			}
		})
	}
}
