package proxy

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/mcpclient"
)

// TestHTTPEchoesHeaders pins that credentials and session ids are not recorded where a server repeats them in a result.
func TestHTTPEchoesHeaders(t *testing.T) {
	t.Parallel()
	secrets := map[string][]string{
		"Authorization":  {"Bearer abcdefgh12345678", "abcdefgh12345678"},
		"Cookie":         {"a=cookie-one-1; b=\"cookie-two-2\"", "cookie-one-1", "cookie-two-2"},
		"Mcp-Session-Id": {"own session of the client", "own session of the client"},
		"X-Api-Key":      {"key of the client", "key of the client"},
		"X-Plain":        {"plain value", ""},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var all []string
		for name := range secrets {
			all = append(all, r.Header.Get(name))
		}
		text, _ := json.Marshal(strings.Join(append(all, "session of the server", "cookie-of-server"), " | "))
		w.Header().Set("Mcp-Session-Id", "session of the server")
		w.Header().Set("Set-Cookie", "c=cookie-of-server; Path=/somewhere")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":%s}]}}`, text)
	}))
	defer server.Close()
	r := recordingIn(t)
	url, end := startHTTP(t, server.URL, r)
	req, _ := http.NewRequest("POST", url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami"}}`))
	for name, values := range secrets {
		req.Header.Set(name, values[0])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	end()
	text := fmt.Sprint(readAll(t, r.Dir))
	for _, values := range secrets {
		for _, secret := range values[1:] {
			if secret != "" && strings.Contains(text, secret) {
				t.Errorf("the recording has %q:\n%s", secret, text)
			}
		}
	}
	for part, want := range map[string]bool{"session of the server": false, "cookie-of-server": false, "plain value": true, "whoami": true} {
		if strings.Contains(text, part) != want {
			t.Errorf("the recording has %q: %v, want %v:\n%s", part, !want, want, text)
		}
	}
}

// TestCompressedAnswer pins that an answer passes as it is where a server compresses it though it was asked not to, and that it
// is read.
func TestCompressedAnswer(t *testing.T) {
	t.Parallel()
	var body bytes.Buffer
	zip := gzip.NewWriter(&body)
	io.WriteString(zip, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"plainly"}]}}`)
	zip.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(body.Bytes())
	}))
	defer server.Close()
	r := recordingIn(t)
	url, end := startHTTP(t, server.URL, r)
	e := openEndpoint(t, EndpointOptions{Server: mcpclient.Config{Name: "test", URL: server.URL}})
	for _, address := range []string{url, e.URL()} {
		req, _ := http.NewRequest("POST", address, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`))
		req.Header.Set("Accept-Encoding", "identity")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || !bytes.Equal(got, body.Bytes()) || resp.Header.Get("Content-Encoding") != "gzip" {
			t.Errorf("got %d bytes in %q and %v, want the %d bytes in gzip", len(got), resp.Header.Get("Content-Encoding"), err, body.Len())
		}
	}
	end()
	if text := fmt.Sprint(readAll(t, r.Dir)); !strings.Contains(text, "plainly") {
		t.Errorf("the recording has no result:\n%s", text)
	}
	if got := e.Witness().Calls; len(got) != 1 || !got[0].Answered || got[0].Result != "plainly" {
		t.Errorf("the witness has the calls %+v, want one with a result", got)
	}
}

// TestInventedSessions pins that a client makes no recordings by sessions that it invents, and that a session which the server
// has named has one of its own.
func TestInventedSessions(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte("initialize")) {
			w.Header().Set("Mcp-Session-Id", "named by the server")
		}
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	}))
	defer server.Close()
	r := recordingIn(t)
	url, end := startHTTP(t, server.URL, r)
	post := func(session, method string) {
		req, _ := http.NewRequest("POST", url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`))
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	for i := range 20 {
		post(fmt.Sprint("invented ", i), "tools/list")
	}
	post("", "initialize")
	post("named by the server", "tools/call")
	end()
	var got []string
	for _, file := range readAll(t, r.Dir) {
		text := strings.Join(file, "")
		got = append(got, fmt.Sprintf("%d lists, %d calls", strings.Count(text, `"tools/list"`), strings.Count(text, `"tools/call"`)))
	}
	slices.Sort(got)
	if want := []string{"0 lists, 1 calls", "20 lists, 0 calls"}; !slices.Equal(got, want) {
		t.Errorf("the recordings: got %q, want %q", got, want)
	}
}
