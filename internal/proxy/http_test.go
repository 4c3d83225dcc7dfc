package proxy

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// startHTTP starts a proxy before a server, and returns its address and what ends it.
func startHTTP(t *testing.T, to string, r Recording) (url string, end func()) {
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
	for name, version := range eras {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, r := serveHTTP(t, version), recordingIn(t)
			url, end := startHTTP(t, server, r)
			want := connectTo(t, &mcp.StreamableClientTransport{Endpoint: server}, version).use(t)
			c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: url}, version)
			if diff := cmp.Diff(want, c.use(t)); diff != "" {
				t.Errorf("through the proxy (-want +got):\n%s", diff)
			}
			if version < "2026" {
				if got, want := c.call(t, "sample", nil), "sampled me"; got != want {
					t.Errorf("sampling: got %q, want %q", got, want)
				}
			}
			c.Close()
			end()
			files := r.read(t)
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
	files := r.read(t)
	if len(files) != 1 || !strings.Contains(files[0][1], `"server/discover"`) || !strings.Contains(strings.Join(files[0], ""), `"tools/call"`) {
		t.Errorf("got the recordings %s, want one with server/discover and the call", files)
	}
}

// TestHTTPPassesBytes pins that headers and bodies pass as they are, both ways, whatever they are.
func TestHTTPPassesBytes(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 4<<20)
	rand.NewChaCha8([32]byte{2}).Read(noise)
	var sent http.Header
	var path string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, path = r.Header.Clone(), r.Method+" "+r.Host+r.URL.RequestURI()
		w.Header()["Set-Cookie"] = []string{"a=1", "b=2"}
		w.Header().Set("X-Own", "é")
		w.WriteHeader(418)
		io.Copy(w, r.Body)
	}))
	defer server.Close()
	r := recordingIn(t)
	url, end := startHTTP(t, server.URL+"/mcp?key=secret", r)
	for name, body := range map[string][]byte{
		"a message": []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), "noise": noise, "nothing": nil,
	} {
		for _, method := range []string{"POST", "GET", "DELETE", "PUT"} {
			req, _ := http.NewRequest(method, url+"?a=1%20", bytes.NewReader(body))
			req.Header.Set("Authorization", "Bearer abcdefgh12345678")
			req.Header.Set("Cookie", "c=cookie12345678")
			req.Header.Set("X-Forwarded-For", "1.2.3.4")
			req.Header.Set("Mcp-Session-Id", "session12345678")
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != 418 || !bytes.Equal(got, body) {
				t.Errorf("%s %s: got status %d, %d bytes and %v, want 418 and the %d bytes that were sent", method, name, resp.StatusCode, len(got), err, len(body))
			}
			if got, want := path, method+" "+strings.TrimPrefix(server.URL, "http://")+"/mcp?key=secret&a=1%20"; got != want {
				t.Errorf("the server got %s, want %s", got, want)
			}
			for header, want := range map[string]string{"Authorization": "Bearer abcdefgh12345678", "Cookie": "c=cookie12345678", "X-Forwarded-For": "1.2.3.4"} {
				if got := sent.Get(header); got != want {
					t.Errorf("the server got %s %q, want %q", header, got, want)
				}
			}
			if got := resp.Header.Values("Set-Cookie"); len(got) != 2 || resp.Header.Get("X-Own") != "é" {
				t.Errorf("the client got the cookies %q and X-Own %q", got, resp.Header.Get("X-Own"))
			}
		}
	}
	end()
	for _, file := range r.read(t) {
		for _, secret := range []string{"abcdefgh12345678", "cookie12345678", "session12345678", "secret"} {
			if text := strings.Join(file, ""); strings.Contains(text, secret) {
				t.Errorf("the recording has %q:\n%s", secret, text)
			}
		}
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

// TestGuard pins which requests reach a server: none of a web page, none that names another host, none too long.
func TestGuard(t *testing.T) {
	t.Parallel()
	reached := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer server.Close()
	url, _ := startHTTP(t, server.URL, Recording{Dir: t.TempDir(), Server: "test"})
	own := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/")
	_, port, err := net.SplitHostPort(own)
	if err != nil {
		t.Fatal(err)
	}
	e := openEndpoint(t, EndpointOptions{Server: self(t, "server")})
	endpointHost := strings.Split(strings.TrimPrefix(e.URL(), "http://"), "/")[0]
	_, endpointPort, _ := net.SplitHostPort(endpointHost)
	for _, test := range []struct {
		host, origin string // PORT is the proxy's
		want         bool
	}{
		{"", "", true},
		{"localhost:PORT", "", true},
		{"LOCALHOST:PORT", "http://localhost:3000", true},
		{"", "http://127.0.0.1:PORT", true},
		{"", "https://[::1]", true},
		{"", "https://evil.example", false},
		{"", "http://localhost.evil.example", false},
		{"", "http://127.0.0.1.evil.example", false},
		{"", "null", false},
		{"", "file://", false},
		{"", "chrome-extension://localhost", false},
		{"evil.example", "", false},
		{"evil.example:PORT", "http://localhost", false},
		{"127.0.0.1", "", false},
		{"127.0.0.1:1", "", false},
		{"127.0.0.2:PORT", "", false},
		{"localhost.evil.example:PORT", "", false},
	} {
		for address, at := range map[string]string{url: port, e.URL(): endpointPort} {
			req, _ := http.NewRequest("POST", address, strings.NewReader(`{"jsonrpc":"2.0","method":"notifications/x"}`))
			req.Host = strings.ReplaceAll(test.host, "PORT", at)
			if test.origin != "" {
				req.Header.Set("Origin", strings.ReplaceAll(test.origin, "PORT", at))
			}
			before := reached
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if got := resp.StatusCode != http.StatusForbidden; got != test.want || address == url && reached-before != map[bool]int{true: 1}[test.want] {
				t.Errorf("host %q and origin %q at %s: got status %d, and %d requests reached the server, want them passed on: %v",
					test.host, test.origin, address, resp.StatusCode, reached-before, test.want)
			}
		}
	}
	resp, err := http.Post(url, "application/json", bytes.NewReader(make([]byte, maxMessage+1)))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if got, want := resp.StatusCode, http.StatusRequestEntityTooLarge; got != want {
		t.Errorf("a message that is too long: got status %d, want %d", got, want)
	}
	resp, err = http.Post(strings.Replace(e.URL(), e.path, "/00000000000000000000000000000000/mcp", 1), "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if got, want := resp.StatusCode, http.StatusNotFound; got != want {
		t.Errorf("another path of an endpoint: got status %d, want %d", got, want)
	}
}

func TestListen(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		address string
		allow   bool
		want    string // of the error
	}{
		{"127.0.0.1:0", false, ""},
		{"localhost:0", false, ""},
		{"0.0.0.0:0", true, ""},
		{"0.0.0.0:0", false, "is reached by other machines"},
		{":0", false, "is reached by other machines"},
		{"8080", false, "must be HOST:PORT"},
		{"evil.example:80", false, "is reached by other machines"},
	} {
		l, err := Listen(t.Context(), test.address, test.allow)
		if err == nil {
			l.Close()
		}
		if got := fmt.Sprint(err); (err == nil) != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("Listen(%q, %v): got error %v, want one that says %q", test.address, test.allow, err, test.want)
		}
	}
}

// TestRedirects pins that a redirect within the server's origin keeps the message, and that none leads to another one,
// whoever follows it.
func TestRedirects(t *testing.T) {
	t.Parallel()
	var reached []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { reached = append(reached, "another origin") }))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		to := r.URL.Query().Get("to")
		if to == "" {
			reached = append(reached, r.Method+" "+r.URL.Path+" "+string(body))
			return
		}
		w.Header().Set("Location", strings.Replace(to, "SELF", "http://"+r.Host, 1))
		var status int
		fmt.Sscan(r.URL.Query().Get("status"), &status)
		w.WriteHeader(status)
	}))
	defer server.Close()
	url, _ := startHTTP(t, server.URL, Recording{Dir: t.TempDir(), Server: "test"})
	for _, test := range []struct {
		to      string
		status  int
		want    int
		reached string
	}{
		{"/slash/", 307, 200, "POST /slash/ message"},
		{"SELF/slash/", 308, 200, "POST /slash/ message"},
		{"SELF/see", 303, 200, "GET /see "},
		{"SELF/?to=/x&status=307", 307, 200, "POST /x message"},
		{other.URL + "/x", 307, 502, ""},
		{other.URL + "/x", 302, 502, ""},
		{"//" + strings.TrimPrefix(other.URL, "http://") + "/x", 301, 502, ""},
		{strings.Replace(server.URL, "http:", "https:", 1), 307, 502, ""},
		{"ftp://%zz", 307, 502, ""},
	} {
		reached = nil
		resp, err := http.Post(fmt.Sprintf("%s/?status=%d&to=%s", url, test.status, strings.NewReplacer("&", "%26", "?", "%3f", "%", "%25").Replace(test.to)), "", strings.NewReader("message"))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := strings.Join(reached, ", "); resp.StatusCode != test.want || got != test.reached {
			t.Errorf("redirect %d to %s: got status %d and %q, want %d and %q", test.status, test.to, resp.StatusCode, got, test.want, test.reached)
		}
	}
}

// TestManyClients pins that clients at once have a recording each where they have sessions, and get what is theirs.
func TestManyClients(t *testing.T) {
	for name, version := range eras {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const clients, calls = 8, 20
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
			files := r.read(t)
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

// TestIdle pins that a gap ends the recording of a client without sessions, and a long call does not.
func TestIdle(t *testing.T) {
	t.Parallel()
	r := recordingIn(t)
	r = r.withDefaults()
	s := newShelf(r)
	at := time.Now()
	first := s.of("", "a", at)
	if s.of("", "a", at.Add(defaultIdle)) != first {
		t.Error("a client that was silent for a minute has a new recording")
	}
	if s.of("", "b", at) == first {
		t.Error("another client has the same recording")
	}
	if s.of("", "a", at.Add(defaultIdle+time.Millisecond)) == first {
		t.Error("a client that was silent for longer has the same recording")
	}
	session := s.of("x", "a", at)
	if s.of("x", "b", at.Add(time.Hour)) != session {
		t.Error("a session has a second recording")
	}
	for i := range 2 * maxTapes {
		s.of(fmt.Sprint(i), "", at.Add(time.Duration(i)))
	}
	if len(s.tapes) != maxTapes {
		t.Errorf("%d recordings are open, want %d", len(s.tapes), maxTapes)
	}
}
