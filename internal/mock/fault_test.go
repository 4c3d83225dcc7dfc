package mock

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// short is how long a test waits for what must not come.
const short = 100 * time.Millisecond

func faultOf(t testing.TB, text string) Options {
	t.Helper()
	f, err := ParseFault(text)
	if err != nil {
		t.Fatalf("ParseFault(%q): %v", text, err)
	}
	return Options{Fault: f}
}

const one = `[{"name": "a"}]`

func TestParseFault(t *testing.T) {
	const all = "; the faults are none, hang, wedged, slow:MS, recover-after:N"
	for _, test := range []struct {
		text string
		want Fault
		err  string
	}{
		{"none", Fault{kind: none}, ""},
		{"hang", Fault{kind: hang}, ""},
		{"wedged", Fault{kind: wedged}, ""},
		{"slow:0", Fault{slow, 0}, ""},
		{"slow:3600000", Fault{slow, 3_600_000}, ""},
		{"recover-after:2", Fault{recoverAfter, 2}, ""},
		{"", Fault{}, `unknown fault ""` + all},
		{"hagn", Fault{}, `unknown fault "hagn", did you mean "hang"?` + all},
		{"slw:20", Fault{}, `unknown fault "slw:20", did you mean "slow"?` + all},
		{"Hang", Fault{}, `unknown fault "Hang", did you mean "hang"?` + all},
		{"explode", Fault{}, `unknown fault "explode"` + all},
		{"hang:1", Fault{}, `fault "hang" takes no number, found "hang:1"`},
		{"slow", Fault{}, `fault "slow" needs a whole number of milliseconds from 0 to 3600000, as in slow:MS, found "slow"`},
		{"slow:-1", Fault{}, `fault "slow" needs a whole number of milliseconds from 0 to 3600000, as in slow:MS, found "slow:-1"`},
		{"slow:3600001", Fault{}, `fault "slow" needs a whole number of milliseconds from 0 to 3600000, as in slow:MS, found "slow:3600001"`},
		{"slow:2s", Fault{}, `fault "slow" needs a whole number of milliseconds from 0 to 3600000, as in slow:MS, found "slow:2s"`},
		{"recover-after:", Fault{}, `fault "recover-after" needs a whole number of calls from 0 to 1000000000, as in recover-after:N, found "recover-after:"`},
	} {
		got, err := ParseFault(test.text)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if got != test.want || message != test.err {
			t.Errorf("ParseFault(%q):\n got: %v, %s\nwant: %v, %s", test.text, got, message, test.want, test.err)
		}
	}
}

// neverAnswers requires that f runs into its time limit.
func neverAnswers(t *testing.T, what string, f func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), short)
	defer cancel()
	if err := f(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%s: got error %v, want none to come", what, err)
	}
}

func TestHang(t *testing.T) {
	server := New(catalogOf(t, one), faultOf(t, "hang"))
	server.patience = time.Hour
	r := start(t, server)
	session := r.connect(t.Context(), t)
	neverAnswers(t, "a tool call", func(ctx context.Context) error {
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "a"})
		return err
	})
	if names, _ := listAll(t, session); len(names) != 1 {
		t.Errorf("got tools %q, want one", names)
	}
	go session.CallTool(t.Context(), &mcp.CallToolParams{Name: "a"})
	time.Sleep(short / 5) // the call is on its way; it must not hold up the end
	r.in.Close()
	r.ended(t)
}

// Pins that a hanging server ends with its context too.
func TestHangEnds(t *testing.T) {
	r := start(t, New(catalogOf(t, one), faultOf(t, "hang")))
	session := r.connect(t.Context(), t)
	go session.CallTool(t.Context(), &mcp.CallToolParams{Name: "a"})
	time.Sleep(short / 5)
	r.end()
	r.ended(t)
}

func TestWedged(t *testing.T) {
	r := start(t, New(catalogOf(t, one), faultOf(t, "wedged")))
	neverAnswers(t, "connect", func(ctx context.Context) error {
		_, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
			Connect(ctx, &mcp.IOTransport{Reader: r.out, Writer: r.in}, nil)
		return err
	})
	r.ended(t) // the client closes what it could not connect to

	r = start(t, New(catalogOf(t, one), faultOf(t, "wedged")))
	r.end()
	r.ended(t)
}

// Pins that a wedged server says nothing at all, whatever comes.
func TestWedgedSaysNothing(t *testing.T) {
	frames := handshake + "garbage\n" + `{"jsonrpc":"2.0","id":3,"method":"tools/list"}` + "\n"
	if got := exchange(t, New(catalogOf(t, one), faultOf(t, "wedged")), frames); len(got) > 0 {
		t.Errorf("a wedged server answers %v", got)
	}
}

func TestSlow(t *testing.T) {
	session := dial(t, catalogOf(t, one), faultOf(t, "slow:60"))
	before := time.Now()
	call(t, session, "a", "")
	if took := time.Since(before); took < 60*time.Millisecond {
		t.Errorf("a call took %v, want 60ms or more", took)
	}
	before = time.Now()
	listAll(t, session)
	if took := time.Since(before); took < 60*time.Millisecond {
		t.Errorf("a list took %v, want 60ms or more", took)
	}
}

// Pins that what was asked before the input ended is answered, late as it may be.
func TestLastAnswers(t *testing.T) {
	frames := handshake + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}
`
	for _, o := range []Options{{}, faultOf(t, "slow:50")} {
		if got := exchange(t, New(catalogOf(t, one), o), frames); len(got) != 3 {
			t.Errorf("%v: got %d answers, want 3: %v", o.Fault, len(got), got)
		}
	}
	if got := exchange(t, New(catalogOf(t, one), faultOf(t, "hang")), frames); len(got) != 2 {
		t.Errorf("hang: got %d answers, want 2: %v", len(got), got)
	}
}

// Pins that calls fail in each session by itself.
func TestRecoverAfter(t *testing.T) {
	for range 2 {
		session := dial(t, catalogOf(t, one), faultOf(t, "recover-after:2"))
		for i, want := range []string{
			"is_error fault: call 1 of this session fails, as the first 2 do;", "is_error fault: call 2 of this session fails, as the first 2 do;",
			`{"name":"a","args":{}};`, `{"name":"a","args":{}};`,
		} {
			if got := call(t, session, "a", ""); got != want {
				t.Errorf("call %d: got %q, want %q", i+1, got, want)
			}
		}
	}
}

// Pins that garbage is an error, and that a message cut short is one.
func TestGarbage(t *testing.T) {
	for _, in := range []string{"garbage\n", handshake + "{", "{\"jsonrpc\":\"1.0\"}\n", "[]\n"} {
		if err := New(catalogOf(t, one), Options{}).Serve(t.Context(), strings.NewReader(in), io.Discard); err == nil {
			t.Errorf("Serve of %q: no error", in)
		}
	}
	if err := New(catalogOf(t, one), Options{}).Serve(t.Context(), strings.NewReader(""), io.Discard); err != nil {
		t.Errorf("Serve of nothing: %v", err)
	}
}

// Pins that a client that does not read its answers cannot keep the server.
func TestDeafClient(t *testing.T) {
	for name, end := range map[string]func(*running){
		"input closed": func(r *running) { r.in.Close() },
		"told to end":  func(r *running) { r.end() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			deaf := New(catalogOf(t, one), Options{})
			deaf.patience = short
			r := start(t, deaf)
			if _, err := io.WriteString(r.in, handshake); err != nil {
				t.Fatal(err)
			}
			end(r)
			r.ended(t)
		})
	}
}
