package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/thorough"
)

var testClient = Info{Name: "test", Version: "1"}

// open connects to a server, which is closed at the end of the test.
func open(t *testing.T, c Config) *Session {
	t.Helper()
	s, err := Connect(t.Context(), c, testClient)
	if err != nil {
		t.Fatalf("Connect: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// haveAsked counts requests of the server's own that it did not send, so that few are left of those that it may send.
func haveAsked(s *Session) {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	s.conn.ownRequests = maxOwnRequests - thorough.Cases(maxOwnRequests)
}

// wantError requires an error of a server that says all of parts, in one line.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	var server *Error
	if !errors.As(err, &server) {
		t.Fatalf("got error %v, want a *Error that says %q", err, parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("got error %q, want one that says %q", err, part)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\x00\x1b") || len(err.Error()) > 2000 {
		t.Errorf("got error %q, want a line that can be shown", err)
	}
}

// patience is how long anything may take that ends by itself, on a machine that is busy with other things. A time that
// is to be up is much shorter, and that of a server which is not much longer.
const patience = 50 * time.Second

// within requires f to return in time.
func within(t *testing.T, f func()) {
	t.Helper()
	start := time.Now()
	f()
	if took := time.Since(start); took > patience {
		t.Errorf("took %s, want at most %s", took, patience)
	}
}

func TestSession(t *testing.T) {
	t.Parallel()
	s := open(t, faultConfig(t, "good"))
	list, err := s.listTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var raw []string
	for _, tool := range list.Catalog.Tools {
		raw = append(raw, tool.Server+" "+string(tool.Raw))
	}
	want := []string{
		`faulty {"x-first":1.50,"name":"b","title":5,"inputSchema":{"type":"object","z":1,"a":{"c":1,"b":2}},"annotations":null,"_meta":{"k":1e400}}`,
		`faulty {"name":"a","inputSchema":{"type":"object"}}`,
		`faulty {"name":"b","description":"twin","inputSchema":{"type":"object"}}`,
	}
	if !slices.Equal(raw, want) {
		t.Errorf("tools:\n got %q\nwant %q", raw, want)
	}
	args := jsontext.Value(`{"z":1.0,"a":"<é>","a":2}`)
	got, err := s.Call(t.Context(), "b", args)
	if err != nil || got.Text != string(args) || got.IsError {
		t.Errorf("Call: got %+v, %v, want the arguments as they were written", got, err)
	}
	got, err = s.Call(t.Context(), "b", nil)
	if err != nil || got.Text != "{}" {
		t.Errorf("Call without arguments: got %+v, %v, want {}", got, err)
	}
	for _, args := range []string{"[]", "{", `{"a":}`, "1"} {
		got, err := s.Call(t.Context(), "b", jsontext.Value(args))
		if err != nil || !got.IsError {
			t.Errorf("Call with %s: got %+v, %v, want an error of the tool", args, got, err)
		}
	}
	if s.isBroken() {
		t.Error("the session is broken")
	}
}

func TestServerFaultsOnConnecting(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault   string
		timeout time.Duration
		want    []string
	}{
		{"mute", 300 * time.Millisecond, []string{"initialize: no answer within 300ms"}},
		{"partial", 2 * time.Second, []string{"initialize: no answer within 2s, after a line without an end", `resu`}},
		{"garbage", 0, []string{"initialize: standard output has something other than MCP messages", `"\x00�<html>"`}},
		{"logs", 0, []string{"standard output has something other than MCP messages", `"Server \x1b[1mstarted\x1b[0m on stdio", expected a log on standard error`}},
		{"exit-start", 0, []string{"initialize: the server ended (exit status 3)", "standard error ended with: no configuration | set API_KEY"}},
	} {
		t.Run(test.fault, func(t *testing.T) {
			t.Parallel()
			c := faultConfig(t, test.fault)
			if test.timeout > 0 {
				c.ConnectTimeout = test.timeout
			}
			within(t, func() {
				_, err := Connect(t.Context(), c, testClient)
				wantError(t, err, test.want...)
			})
		})
	}
}

func TestServerFaultsOnListing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault   string
		timeout time.Duration
		want    []string
	}{
		{"mute-list", 300 * time.Millisecond, []string{"tools/list: no answer within 300ms"}},
		{"endless", 0, []string{"tools/list: there are 1000 pages and more"}},
		{"many", 0, []string{"tools/list: there are more than 10000 tools"}},
		{"circle", 0, []string{`tools/list: page 4 leads back to an earlier one, by the cursor "1"`}},
		{"nameless", 0, []string{"tools/list: ", "tool 2"}},
		{"no-list", 0, []string{"tools/list: the result is not a list of tools"}},
		{"unlisted", 0, []string{`tools/list: the server answered error -32601: "no such method"`}},
	} {
		t.Run(test.fault, func(t *testing.T) {
			t.Parallel()
			c := faultConfig(t, test.fault)
			if test.timeout > 0 {
				c.CallTimeout = test.timeout
			}
			s := open(t, c)
			within(t, func() {
				_, err := s.Tools(t.Context())
				wantError(t, err, test.want...)
			})
		})
	}
}

func TestServerFaultsOnCalling(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault   string
		timeout time.Duration
		args    string
		want    []string
	}{
		{"mute-call", 300 * time.Millisecond, "", []string{"tools/call: no answer within 300ms"}},
		{"exit-call", 0, "", []string{"tools/call: the server ended (exit status 4)", "ended with: panic: out of ideas"}},
		{"hang-up", 0, "", []string{"tools/call: the server closed its standard output"}},
		{"huge", 0, "", []string{"tools/call: a message on standard output is longer than 16777216 bytes"}},
		{"nags", 0, "", []string{"tools/call: the server sent more than 10000 requests of its own"}},
		{"no-result", 0, "", []string{`tools/call: the result is not an object: "\"done\""`}},
		{"deaf", 300 * time.Millisecond, `{"a":"` + strings.Repeat("x", 1<<20) + `"}`, []string{"tools/call: no answer within 300ms"}},
	} {
		t.Run(test.fault, func(t *testing.T) {
			t.Parallel()
			c := faultConfig(t, test.fault)
			if test.timeout > 0 {
				c.CallTimeout = test.timeout
			}
			s := open(t, c)
			haveAsked(s)
			within(t, func() {
				_, err := s.Call(t.Context(), "b", jsontext.Value(test.args))
				wantError(t, err, test.want...)
				if !s.isBroken() {
					t.Error("the session does not count as broken")
				}
				if _, err = s.Call(t.Context(), "b", nil); err == nil && test.fault != "no-result" && test.timeout == 0 {
					t.Error("the broken session took another call")
				}
			})
		})
	}
}

func TestWhatIsNoFault(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault string
		want  CallResult
	}{
		{"error", CallResult{Text: "the backend is down", IsError: true}},
		{"requests", CallResult{Text: "-32601 -32601 -32601 -32601 result"}},
		{"notes", CallResult{Text: "{}"}},
		{"flood-stderr", CallResult{Text: "{}"}},
		{"exit-after", CallResult{Text: "{}"}},
		{"modern", CallResult{Text: "{}"}},
		{"big", CallResult{Text: strings.Repeat("0123456789", 1<<20)[:1<<20] + "\n[9437184 more bytes are cut]"}},
	} {
		t.Run(test.fault, func(t *testing.T) {
			t.Parallel()
			s := open(t, faultConfig(t, test.fault))
			haveAsked(s)
			got, err := s.Call(t.Context(), "b", nil)
			if err != nil {
				t.Fatal(err)
			}
			got.Duration = 0
			if got != test.want {
				t.Errorf("Call: got %+v, want %+v", got, test.want)
			}
			if test.fault == "flood-stderr" && (len(s.stderr()) != maxStderrLines || len(s.stderr()[0]) > maxStderrLine) {
				t.Errorf("got %d lines of standard error, want %d of at most %d bytes", len(s.stderr()), maxStderrLines, maxStderrLine)
			}
		})
	}
}

func TestManyPages(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"pages", "good"} {
		s := open(t, faultConfig(t, fault))
		list, err := s.listTools(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%s: %d tools, %d pages, last %s", fault, len(list.Catalog.Tools), list.Pages, list.Catalog.Tools[len(list.Catalog.Tools)-1].Name)
		want := map[string]string{"pages": "pages: 1000 tools, 20 pages, last t0999", "good": "good: 3 tools, 1 pages, last b"}[fault]
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Nothing is left of a server, however it and what it started cling to life, and however the session ends.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"good", "fork", "daemon", "ignores-term", "mute-call"} {
		for _, end := range []string{"close", "cancel"} {
			t.Run(fault+"/"+end, func(t *testing.T) {
				t.Parallel()
				c := faultConfig(t, fault)
				c.Grace = 200 * time.Millisecond
				ctx, cancel := context.WithCancel(t.Context())
				s, err := Connect(ctx, c, testClient)
				if err != nil {
					t.Fatal(err)
				}
				mark := strings.TrimPrefix(c.Env[1], markEnv+"=")
				if len(marked(mark)) == 0 {
					t.Skip("processes cannot be seen here")
				}
				within(t, func() {
					defer cancel()
					if end == "cancel" {
						time.AfterFunc(50*time.Millisecond, cancel)
						s.Call(ctx, "b", nil)
						<-ctx.Done()
					} else if err := s.Close(); err != nil {
						t.Errorf("Close: %v", err)
					}
				})
				most := time.Second // for what got SIGKILL to be gone
				if end == "cancel" {
					most = patience
				}
				for deadline := time.Now().Add(most); len(marked(mark)) > 0 && time.Now().Before(deadline); {
					time.Sleep(50 * time.Millisecond) // each look reads the environments of all processes
				}
				if left := marked(mark); len(left) > 0 {
					t.Errorf("processes are left: %v", left)
				}
				s.Close()
			})
		}
	}
}

// In a hurry nothing is waited for: the server would end after a minute, and has an hour.
func TestHurry(t *testing.T) {
	t.Parallel()
	hurry := make(chan struct{})
	c := faultConfig(t, "fork")
	c.Grace, c.Hurry = time.Hour, hurry
	s, err := Connect(t.Context(), c, testClient)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, func() { close(hurry) })
	within(t, func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
}

// What takes too long is named with its limit and what sets it, and so is the server.
func TestLimitsAreNamed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ fault, want string }{
		{"mute", `server "faulty": initialize: no answer within 300ms; raise CONNECT if it needs longer`},
		{"partial", "; raise CONNECT if it needs longer"},
		{"mute-list", `server "faulty": tools/list: no answer within 300ms; raise CALL if it needs longer`},
	} {
		t.Run(test.fault, func(t *testing.T) {
			t.Parallel()
			c := faultConfig(t, test.fault)
			c.ConnectSetting, c.CallSetting = "CONNECT", "CALL"
			c.CallTimeout = 300 * time.Millisecond
			if test.fault != "mute-list" {
				c.ConnectTimeout = 300 * time.Millisecond
			}
			_, err := readSnapshot(t.Context(), c, testClient)
			wantError(t, err, test.want)
		})
	}
}

func TestCancelWhileConnecting(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	within(t, func() {
		_, err := Connect(ctx, faultConfig(t, "mute"), testClient)
		wantError(t, err, "initialize: context deadline exceeded")
	})
}

func TestProcessGetsWhatIsGiven(t *testing.T) {
	t.Setenv("MCP_GATES_TEST_SECRET", "must not be passed on")
	c := faultConfig(t, "env")
	s := open(t, c)
	got, err := s.Call(t.Context(), "b", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(got.Text, "\n"); !slices.Equal(got, c.Env) {
		t.Errorf("environment: got %q, want %q", got, c.Env)
	}
}

func TestNotStarted(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		config Config
		want   string
	}{
		{Config{Command: []string{"no-such-program"}, Env: []string{"PATH=" + dir}}, `start: program "no-such-program" is not in PATH; install it there, or name it by its path`},
		{Config{Command: []string{"./no-such-program"}}, `start: "./no-such-program": no such file`},
		{Config{Command: []string{os.Args[0]}, Dir: dir + "/gone"}, `gone": no such file`},
		{Config{URL: "ftp://user:secret@host/"}, "start: the URL is not an http or https address"},
	} {
		_, err := Connect(t.Context(), test.config, testClient)
		wantError(t, err, test.want)
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("got error %q, want no secret in it", err)
		}
	}
}

// TestFindProgram pins that a suite's "mcp-gates" is this program where PATH has no other.
func TestFindProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	empty, full := t.TempDir(), t.TempDir()
	other := filepath.Join(full, ownName)
	if err := os.WriteFile(other, nil, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ path, want string }{{empty, self}, {full, other}, {empty + string(os.PathListSeparator) + full, other}} {
		if got, err := findProgram(ownName, []string{"PATH=" + test.path}); got != test.want || err != nil {
			t.Errorf("PATH=%s: got %q, %v, want %q", test.path, got, err, test.want)
		}
	}
}

func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	s := open(t, faultConfig(t, "good"))
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			want := fmt.Sprintf(`{"i":%d}`, i)
			if got, err := s.Call(t.Context(), "b", jsontext.Value(want)); err != nil || got.Text != want {
				t.Errorf("got %+v, %v, want %s", got, err, want)
			}
		})
	}
	wg.Wait()
}
