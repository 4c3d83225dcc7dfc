package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/org/mcp-gates/internal/trace"
	"github.com/rogpeppe/go-internal/diff"
)

// inFolder returns options for a folder of the test's own, of which a complaint fails the test.
func inFolder(t *testing.T) Options {
	t.Helper()
	return Options{Dir: filepath.Join(t.TempDir(), "a", "b"), Server: "test", Version: "1", Complain: func(err error) { t.Errorf("complaint: %v", err) }}
}

// drain waits until everything that was passed is written. On a busy machine this takes longer than Close waits.
func drain(recorder *Recorder) {
	written := make(chan struct{})
	recorder.enqueue(0, func() { close(written) })
	<-written
}

// read returns the lines of each recording in a folder, by the order of the names.
func read(t *testing.T, dir string) [][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := info.Mode().Perm(), os.FileMode(0o600); got != want {
			t.Errorf("the recording has the mode %o, want %o", got, want)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n"))
	}
	return all
}

// traffic is what both sides send in a test.
const traffic = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"x":"kept nowhere"},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":"c","_meta":{"progressToken":1}}}
{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","instructions":"kept nowhere","serverInfo":{"name":"s","version":"2"}}}
{"jsonrpc":"2.0","id":"\u0061","result":{"tools":[{"name":"look","inputSchema":{}}],"nextCursor":"d","_meta":{}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"look","arguments":{"password":"hunter2hunter2","at":1.0},"_meta":{"callId":"call_1","x":"kept nowhere"}}}
{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"no","data":"kept nowhere"}}
{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"kept nowhere"}}
{"jsonrpc":"2.0","id":4,"result":{"contents":["kept nowhere"]}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4,"reason":"kept nowhere"}}
no message
[{"jsonrpc":"2.0","id":7,"result":{}},{"jsonrpc":"2.0","method":"ping","id":8}]
`

// recorded is what is recorded of the session, of which the server's side is the same text.
const recorded = `client {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"}}}
client notifications/initialized
client {"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":"c"}}
client {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"look","arguments":{"password":"[REDACTED:key:1]","at":1.0},"_meta":{"callId":"call_1"}}}
client resources/read
client {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}
client unreadable 10
client ping
server initialize
server notifications/initialized
server tools/list
server {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"2"}}}
server {"jsonrpc":"2.0","id":"a","result":{"tools":[{"name":"look","inputSchema":{}}],"nextCursor":"d"}}
server tools/call
server {"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"no"}}
server resources/read
server notifications/cancelled
server unreadable 10
server ping
`

// TestRecording pins what is recorded of each message, and what is not.
func TestRecording(t *testing.T) {
	t.Parallel()
	r := inFolder(t)
	recorder := New(r)
	client, server := recorder.Stdio()
	for _, feed := range []*Feed{client, server} {
		feed.Pass([]byte(traffic))
		feed.End(false)
	}
	recorder.Close()
	files := read(t, r.Dir)
	if len(files) != 1 {
		t.Fatalf("got %d recordings, want 1", len(files))
	}
	var head header
	if err := json.Unmarshal([]byte(files[0][0]), &head); err != nil {
		t.Fatal(err)
	}
	if _, err := time.Parse(time.RFC3339, head.StartedAt); err != nil {
		t.Error(err)
	}
	head.StartedAt = ""
	if want := (header{Format: 1, Server: "test", Transport: "stdio", Recorder: "mcp-gates 1", Witness: "proxy"}); head != want {
		t.Errorf("the first line: got %+v, want %+v", head, want)
	}
	if got := summary(t, files[0][1:]); got != recorded {
		t.Errorf("the recording:\n%s", diff.Diff("want", []byte(recorded), "got", []byte(got)))
	}
}

// summary returns the lines of a recording in short, the client's first.
func summary(t *testing.T, lines []string) string {
	t.Helper()
	sides := map[string][]byte{}
	for _, text := range lines {
		var e struct {
			AtMS       *int64 `json:"at_ms"`
			From       string
			Method     string
			Message    json.RawMessage
			Unreadable int
			Lost       int
		}
		if err := json.Unmarshal([]byte(text), &e); err != nil || e.AtMS == nil || *e.AtMS < 0 {
			t.Fatalf("the line %q has no time, or is not an event: %v", text, err)
		}
		said := e.Method + string(e.Message)
		if e.Unreadable > 0 {
			said += fmt.Sprint("unreadable ", e.Unreadable)
		}
		if e.Lost > 0 {
			said += fmt.Sprint("lost ", e.Lost)
		}
		sides[e.From] = append(sides[e.From], e.From+" "+said+"\n"...)
	}
	return string(append(sides["client"], sides["server"]...))
}

// TestTapeOnFullDisk pins that a recording ends, and says so, when nothing more can be written to it.
func TestTapeOnFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	var complaints []error
	tape := &tape{file: full, redactor: (Options{}).Rules.File(), asked: map[string][]string{}, complain: func(err error) { complaints = append(complaints, err) }}
	for range 3 {
		tape.writeMessages(moment{time.Now(), "client", 0}, []byte(`{"jsonrpc":"2.0","method":"a"}`), 1)
	}
	if len(complaints) != 1 || !errors.Is(complaints[0], syscall.ENOSPC) {
		t.Errorf("got the complaints %v, want one of %v", complaints, syscall.ENOSPC)
	}
}

// TestRecordingThatIsTooSlow pins that traffic does not wait for the recording, which says how much it lost and goes on
// with the next whole message.
func TestRecordingThatIsTooSlow(t *testing.T) {
	t.Parallel()
	r := inFolder(t)
	var complaints int
	r.Complain = func(error) { complaints++ }
	recorder := New(r)
	_, f := recorder.Stdio()
	hold := make(chan struct{})
	recorder.enqueue(0, func() { <-hold })
	message := []byte(`{"jsonrpc":"2.0","method":"first"}` + "\n")
	f.Pass(message)
	f.Pass(message[:10])
	big := bytes.Repeat([]byte("x"), 16<<20)
	passed := 0
	for range 6 {
		f.Pass(big)
		passed += len(big)
	}
	close(hold)
	drain(recorder)
	f.Pass([]byte("rest of a message\n"))
	f.Pass(message)
	f.End(false)
	recorder.Close()
	got := summary(t, read(t, r.Dir)[0][1:])
	want := fmt.Sprintf("server first\nserver lost %d\nserver first\n", 3*len(big))
	if got != want || complaints != 1 {
		t.Errorf("got %d complaints and the recording %q, want 1 and %q", complaints, got, want)
	}
}

// TestRecordingOfSmallPieces pins that the bound on what waits holds for small pieces, too, each of which takes more than its
// bytes.
func TestRecordingOfSmallPieces(t *testing.T) {
	t.Parallel()
	o := inFolder(t)
	complaints := 0
	o.Complain = func(error) { complaints++ }
	recorder := New(o)
	_, f := recorder.Stdio()
	hold := make(chan struct{})
	recorder.enqueue(0, func() { <-hold })
	for range maxQueued / entrySize {
		f.Pass([]byte("\n"))
	}
	if f.missing == 0 || complaints != 1 {
		t.Errorf("%d bytes are missing, with %d complaints, want some and 1", f.missing, complaints)
	}
	close(hold)
	recorder.Close()
}

// TestRecordingThatIsOver pins that what passes after the end of a recording is no loss that a user hears of.
func TestRecordingThatIsOver(t *testing.T) {
	t.Parallel()
	recorder := New(inFolder(t))
	client, _ := recorder.Stdio()
	recorder.Close()
	client.Pass([]byte("late\n"))
	client.End(true)
}

// TestIdle pins that a gap ends the recording of a client without sessions, and a long call does not.
func TestIdle(t *testing.T) {
	t.Parallel()
	s := newShelf(inFolder(t).withDefaults())
	at := time.Now()
	first := s.tapeOf("", "a", at)
	if s.tapeOf("", "a", at.Add(defaultIdle)) != first {
		t.Error("a client that was silent for a minute has a new recording")
	}
	if s.tapeOf("", "b", at) == first {
		t.Error("another client has the same recording")
	}
	if s.tapeOf("", "a", at.Add(defaultIdle+time.Millisecond)) == first {
		t.Error("a client that was silent for longer has the same recording")
	}
	s.noteSession("x")
	session := s.tapeOf("x", "a", at)
	if s.tapeOf("x", "b", at.Add(time.Hour)) != session {
		t.Error("a session has a second recording")
	}
	for i := range 2 * maxTapes {
		s.noteSession(fmt.Sprint(i))
		s.tapeOf(fmt.Sprint(i), "", at.Add(time.Duration(i)))
	}
	if len(s.tapes) != maxTapes {
		t.Errorf("%d recordings are open, want %d", len(s.tapes), maxTapes)
	}
}

// TestRequestsWithOneID pins that open requests with one id, which JSON-RPC forbids, have their answers in the order in which
// they were made.
func TestRequestsWithOneID(t *testing.T) {
	t.Parallel()
	r := inFolder(t)
	recorder := New(r)
	client, server := recorder.Stdio()
	client.Pass([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}}
{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"kept nowhere"}}
`))
	server.Pass([]byte(`{"jsonrpc":"2.0","id":1,"result":{"content":["seen"]}}
{"jsonrpc":"2.0","id":1,"result":{"contents":["kept nowhere"]}}
{"jsonrpc":"2.0","id":1,"result":{"content":["of no request"]}}
`))
	recorder.Close()
	want := `client {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}}
client resources/read
server {"jsonrpc":"2.0","id":1,"result":{"content":["seen"]}}
`
	if got := summary(t, read(t, r.Dir)[0][1:]); got != want {
		t.Errorf("the recording:\n%s", diff.Diff("want", []byte(want), "got", []byte(got)))
	}
}

// TestManyOpenRequests pins that a recording says that there were more open requests than it takes, and goes on.
func TestManyOpenRequests(t *testing.T) {
	t.Parallel()
	r := inFolder(t)
	recorder := New(r)
	client, server := recorder.Stdio()
	for i := range maxAsked + 1 {
		client.Pass(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%05d,"method":"ping"}`+"\n", i+10_000))
	}
	server.Pass([]byte(`{"jsonrpc":"2.0","id":10000,"result":{}}` + "\n"))
	client.Pass([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"))
	drain(recorder)
	recorder.Close()
	want := strings.Repeat("client ping\n", maxAsked) + "client lost 44\nclient ping\n"
	if got := summary(t, read(t, r.Dir)[0][1:]); got != want {
		t.Errorf("got %d bytes that end with %q, want %d that end with %q", len(got), got[max(0, len(got)-60):], len(want), want[len(want)-60:])
	}
}

// TestLongNames pins that a call which no cassette can hold is recorded as any other, and that the user hears of it once, as long as
// the client can still be changed.
func TestLongNames(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("n", trace.MaxName)
	call := func(name string) []byte {
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q}}`+"\n", name)
	}
	r := inFolder(t)
	var complaints []error
	r.Complain = func(err error) { complaints = append(complaints, err) }
	recorder := New(r)
	client, _ := recorder.Stdio()
	client.Pass(call(name))
	client.Pass([]byte(`{"jsonrpc":"2.0","id":1,"method":"other","params":{"name":"` + name + `n"}}` + "\n"))
	for range 2 {
		client.Pass(call(name + "n"))
	}
	recorder.Close()
	if len(complaints) != 1 || complaints[0] != errLongName {
		t.Errorf("got the complaints %v, want %v", complaints, errLongName)
	}
	if got := strings.Count(strings.Join(read(t, r.Dir)[0], "\n"), name+"n"); got != 2 {
		t.Errorf("got %d recorded calls, want 2", got)
	}
}
