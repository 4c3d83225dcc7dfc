package proxy

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/proxy/frame"
	"github.com/org/mcp-gates/internal/proxy/recording"
)

// guardedRequests are requests that name a host and an origin, in which PORT is that of what listens.
var guardedRequests = []struct {
	host, origin string
	want         bool // passed on
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
}

// statusOfPost posts a message and returns the status of the answer.
func statusOfPost(t *testing.T, address, host, origin, body string) int {
	t.Helper()
	req, err := http.NewRequest("POST", address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Host = strings.ReplaceAll(host, "PORT", req.URL.Port())
	if origin != "" {
		req.Header.Set("Origin", strings.ReplaceAll(origin, "PORT", req.URL.Port()))
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// TestGuardOfPages pins that what a page of another site loads does not reach a server, also where it names no origin: browsers
// send none with images, scripts and navigations.
func TestGuardOfPages(t *testing.T) {
	t.Parallel()
	server := newMirror(t)
	url, _ := startHTTP(t, server.URL, recording.Options{Dir: t.TempDir(), Server: "test"})
	for _, test := range []struct {
		site, origin string
		want         int
	}{
		{"cross-site", "", http.StatusForbidden},
		{"cross-site", "http://localhost:3000", http.StatusTeapot}, // from localhost to 127.0.0.1
		{"same-site", "", http.StatusTeapot},
		{"none", "", http.StatusTeapot},
	} {
		req, err := http.NewRequest("GET", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Sec-Fetch-Site", test.site)
		if test.origin != "" {
			req.Header.Set("Origin", test.origin)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != test.want {
			t.Errorf("Sec-Fetch-Site %q and Origin %q: got status %d, want %d", test.site, test.origin, resp.StatusCode, test.want)
		}
	}
}

// TestGuard pins which requests reach a server: none of a web page, none that names another host, none too long.
func TestGuard(t *testing.T) {
	t.Parallel()
	reached := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer server.Close()
	url, _ := startHTTP(t, server.URL, recording.Options{Dir: t.TempDir(), Server: "test"})
	e := openEndpoint(t, EndpointOptions{Server: self(t, "server")})
	const notice = `{"jsonrpc":"2.0","method":"notifications/x"}`
	for _, test := range guardedRequests {
		for _, address := range []string{url, e.URL()} {
			before := reached
			status := statusOfPost(t, address, test.host, test.origin, notice)
			if (status != http.StatusForbidden) != test.want || address == url && (reached > before) != test.want {
				t.Errorf("host %q and origin %q at %s: got status %d, and %d requests reached the server, want them passed on: %v",
					test.host, test.origin, address, status, reached-before, test.want)
			}
		}
	}
	if got, want := statusOfPost(t, url, "", "", strings.Repeat(" ", frame.MaxMessage+1)), http.StatusRequestEntityTooLarge; got != want {
		t.Errorf("a message that is too long: got status %d, want %d", got, want)
	}
	elsewhere := strings.Replace(e.URL(), e.path, "/00000000000000000000000000000000/mcp", 1)
	if got, want := statusOfPost(t, elsewhere, "", "", notice), http.StatusNotFound; got != want {
		t.Errorf("another path of an endpoint: got status %d, want %d", got, want)
	}
}

// TestGuardOfAllInterfaces pins that a listener on all interfaces takes its addresses, and no names, which a page's own may be.
func TestGuardOfAllInterfaces(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"0.0.0.0:0", ":0"} {
		l, err := Listen(t.Context(), address, true)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		g := guarded(l, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		for host, want := range map[string]int{
			"127.0.0.1:PORT": 200, "10.1.2.3:PORT": 200, "[::1]:PORT": 200, "[fe80::1]:PORT": 200, "LocalHost:PORT": 200,
			"evil.example:PORT": 403, "localhost.evil.example:PORT": 403, "10.1.2.3": 403, "10.1.2.3:1": 403, "10.1.2:PORT": 403,
			"127.0.0.1.evil.example:PORT": 403, "::1:PORT": 403, ":PORT": 403, "": 403,
		} {
			r := httptest.NewRequest("POST", "/", nil)
			r.Host = strings.ReplaceAll(host, "PORT", port)
			w := httptest.NewRecorder()
			if g.ServeHTTP(w, r); w.Code != want {
				t.Errorf("host %q at %s: got status %d, want %d", r.Host, address, w.Code, want)
			}
		}
	}
}

func TestAddressWithoutPort(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{"10.1.2.3": true, "[::1]": true, "localhost": true, "evil.example": false, "": false} {
		if got := isAddress(host, "80"); got != want {
			t.Errorf("isAddress(%q, 80): got %v, want %v", host, got, want)
		}
		if isAddress(host, "8080") {
			t.Errorf("isAddress(%q, 8080): got true, want false", host)
		}
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
	url, _ := startHTTP(t, server.URL, recording.Options{Dir: t.TempDir(), Server: "test"})
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
