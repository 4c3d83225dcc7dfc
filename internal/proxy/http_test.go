package proxy

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/proxy/recording"
	"github.com/org/mcp-gates/internal/thorough"
)

// startHTTP starts a proxy before a server, and returns its address and what ends it.
func startHTTP(t *testing.T, to string, r recording.Options) (url string, end func()) {
	t.Helper()
	l, err := Listen(t.Context(), "127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	url, err = URLOf(l, to)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- HTTP(ctx, l, HTTPOptions{To: to, Recording: r}) }()
	end = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("HTTP: %v", err)
		}
	})
	t.Cleanup(end)
	return url, end
}

// TestHTTPPassesEverything pins that a client sees through the proxy what it sees without one, and what is recorded of it.
func TestHTTPPassesEverything(t *testing.T) {
	t.Parallel()
	for name, version := range eras {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, r := serveHTTP(t, version), recordingIn(t)
			url, end := startHTTP(t, server, r)
			want := connectTo(t, &mcp.StreamableClientTransport{Endpoint: server}, version).use(t)
			c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: url}, version)
			if got := c.use(t); !slices.Equal(got, want) {
				t.Errorf("through the proxy:\n got %q\nwant %q", got, want)
			}
			if version < "2026" {
				if got, want := c.call(t, "sample", nil), "sampled me"; got != want {
					t.Errorf("sampling: got %q, want %q", got, want)
				}
			}
			c.Close()
			end()
			files := readAll(t, r.Dir)
			if len(files) != 1 {
				t.Fatalf("got %d recordings, want 1:\n%s", len(files), files)
			}
			text := strings.Join(files[0], "")
			for _, part := range []string{`"transport":"http"`, `"method":"tools/call"`, `it failed`, `"name":"tester"`, `"nextCursor"`} {
				if !strings.Contains(text, part) {
					t.Errorf("the recording has no %s:\n%s", part, text)
				}
			}
			for _, part := range []string{"a note", "hello", "who?", "sampled me\"},\"model"} {
				if strings.Contains(text, part) {
					t.Errorf("the recording has %q:\n%s", part, text)
				}
			}
		})
	}
}

// TestProbe pins that a client which first asks for server/discover, as newer ones do, has one recording.
func TestProbe(t *testing.T) {
	t.Parallel()
	r := recordingIn(t)
	url, end := startHTTP(t, serveHTTP(t, "2025-11-25"), r)
	c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: url}, "2026-07-28")
	c.call(t, "echo", nil)
	c.Close()
	end()
	files := readAll(t, r.Dir)
	if len(files) != 1 || !strings.Contains(files[0][1], `"server/discover"`) || !strings.Contains(strings.Join(files[0], ""), `"tools/call"`) {
		t.Errorf("got the recordings %s, want one with server/discover and the call", files)
	}
}

// mirror is a server that answers with what it got, and notes the rest of the request.
type mirror struct {
	*httptest.Server
	sent http.Header
	line string
}

func newMirror(t *testing.T) *mirror {
	t.Helper()
	m := &mirror{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.sent, m.line = r.Header.Clone(), r.Method+" "+r.Host+r.URL.RequestURI()
		w.Header()["Set-Cookie"] = []string{"a=1", "b=2"}
		w.Header().Set("X-Own", "é")
		w.WriteHeader(http.StatusTeapot)
		io.Copy(w, r.Body)
	}))
	t.Cleanup(m.Close)
	return m
}

// privateHeaders pass and are not recorded.
var privateHeaders = map[string]string{
	"Authorization": "Bearer abcdefgh12345678", "Cookie": "c=cookie12345678", "X-Forwarded-For": "1.2.3.4", "Mcp-Session-Id": "session12345678",
}

// TestHTTPPassesBytes pins that headers and bodies pass as they are, both ways, whatever they are.
func TestHTTPPassesBytes(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 4<<20)
	rand.NewChaCha8([32]byte{2}).Read(noise)
	server, r := newMirror(t), recordingIn(t)
	url, end := startHTTP(t, server.URL+"/mcp?key=querysecret", r)
	for _, body := range [][]byte{[]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), noise, nil} {
		for _, method := range []string{"POST", "GET", "DELETE", "PUT"} {
			server.check(t, method, url, body)
		}
	}
	end()
	for _, file := range readAll(t, r.Dir) {
		for _, secret := range []string{"abcdefgh12345678", "cookie12345678", "session12345678", "querysecret"} {
			if text := strings.Join(file, ""); strings.Contains(text, secret) {
				t.Errorf("the recording has %q:\n%s", secret, text)
			}
		}
	}
}

// TestHTTPPassesQueries pins that a query passes as it is, also one that cannot be read as names and values.
func TestHTTPPassesQueries(t *testing.T) {
	t.Parallel()
	for _, own := range []string{"", "key=own"} {
		server := newMirror(t)
		url, _ := startHTTP(t, server.URL+"/mcp?"+own, recordingIn(t))
		for _, query := range []string{"a=1;b=2", "a=%zz", "&&a&=&a=1&a=2", "%"} {
			resp, err := http.DefaultClient.Do(&http.Request{Method: "GET", Host: "", URL: withQuery(t, url, query)})
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			want := "/mcp?" + strings.TrimPrefix(own+"&"+query, "&")
			if got := server.line; !strings.HasSuffix(got, want) {
				t.Errorf("the server got %s, want %s", got, want)
			}
		}
	}
}

// withQuery returns an address with a query as it is written.
func withQuery(t *testing.T, address, query string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.RawQuery = query
	return u
}

// TestUserinfo pins that credentials in the address of a server are sent by an endpoint, and are a mistake for a proxy, whose
// clients have headers of their own.
func TestUserinfo(t *testing.T) {
	t.Parallel()
	const want = "the URL has a user or a password, expected these in a header of the client"
	if _, err := URLOf(nil, "http://user:pw@127.0.0.1:1/mcp"); err == nil || err.Error() != want {
		t.Errorf("a proxy: got error %v, want %q", err, want)
	}
	server := newMirror(t)
	for _, test := range []struct{ header, want string }{{"", "Basic dXNlcjpwQHc="}, {"Bearer own", "Bearer own"}} {
		c := mcpclient.Config{Name: "test", URL: strings.Replace(server.URL, "http://", "http://user:p%40w@", 1)}
		if test.header != "" {
			c.Headers = http.Header{"Authorization": {test.header}}
		}
		e := openEndpoint(t, EndpointOptions{Server: c})
		statusOfPost(t, e.URL(), "", "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		if got := server.sent.Get("Authorization"); got != test.want {
			t.Errorf("an endpoint: the server got Authorization %q, want %q", got, test.want)
		}
	}
}

// check sends a request through a proxy and compares what came to the server, and back.
func (m *mirror) check(t *testing.T, method, url string, body []byte) {
	t.Helper()
	req, _ := http.NewRequest(method, url+"?a=1%20", bytes.NewReader(body))
	for name, value := range privateHeaders {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusTeapot || !bytes.Equal(got, body) {
		t.Errorf("%s: got status %d, %d bytes and %v, want 418 and the %d bytes that were sent", method, resp.StatusCode, len(got), err, len(body))
	}
	if got, want := m.line, method+" "+strings.TrimPrefix(m.URL, "http://")+"/mcp?key=querysecret&a=1%20"; got != want {
		t.Errorf("the server got %s, want %s", got, want)
	}
	for name, want := range privateHeaders {
		if got := m.sent.Get(name); got != want {
			t.Errorf("the server got %s %q, want %q", name, got, want)
		}
	}
	if got := resp.Header.Values("Set-Cookie"); len(got) != 2 || resp.Header.Get("X-Own") != "é" {
		t.Errorf("the client got the cookies %q and X-Own %q", got, resp.Header.Get("X-Own"))
	}
}

// TestHTTPStreams pins that each event passes when it comes, and that a client that goes ends the server's request.
func TestHTTPStreams(t *testing.T) {
	t.Parallel()
	next, gone := make(chan string), make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			select {
			case text := <-next:
				io.WriteString(w, text)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				gone <- true
				return
			}
		}
	}))
	defer server.Close()
	url, _ := startHTTP(t, server.URL, recordingIn(t))
	go func() { next <- ": priming\n\n" }()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(resp.Body)
	lines.ReadString('\n')
	lines.ReadString('\n')
	for i := range 3 {
		want := fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"method\":\"n%d\"}\n", i)
		next <- want
		if got, err := lines.ReadString('\n'); got != want || err != nil {
			t.Errorf("got %q and %v, want %q", got, err, want)
		}
	}
	resp.Body.Close()
	select {
	case <-gone:
	case <-time.After(20 * time.Second):
		t.Error("the server's request goes on without the client")
	}
}

// TestManyClients pins that clients at once have a recording each where they have sessions, and get what is theirs.
func TestManyClients(t *testing.T) {
	t.Parallel()
	for name, version := range eras {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const clients = 8
			calls := thorough.Size(2, 20)
			r := recordingIn(t)
			url, end := startHTTP(t, serveHTTP(t, version), r)
			var running sync.WaitGroup
			for i := range clients {
				running.Go(func() {
					c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: url}, version)
					for j := range calls {
						want := fmt.Sprintf(`{"text":"%d of %d"}`, j, i)
						if got := c.call(t, "echo", map[string]any{"text": fmt.Sprintf("%d of %d", j, i)}); got != want {
							t.Errorf("got %s, want %s", got, want)
						}
					}
					c.Close()
				})
			}
			running.Wait()
			end()
			files := readAll(t, r.Dir)
			if version < "2026" && len(files) != clients {
				t.Errorf("got %d recordings, want %d", len(files), clients)
			}
			asked, answered := 0, 0
			for _, file := range files {
				asked += strings.Count(strings.Join(file, ""), `"method":"tools/call"`)
				answered += strings.Count(strings.Join(file, ""), `"result":{"content":`)
			}
			if asked != clients*calls || answered != clients*calls {
				t.Errorf("the recordings have %d calls and %d results, want %d of each", asked, answered, clients*calls)
			}
		})
	}
}
