package proxy

import (
	"context"
	"io"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/proxy/frame"
)

// silent is a server that takes everything and says nothing.
type silent struct{}

func (silent) Read() ([]byte, error)               { return nil, io.EOF }
func (silent) Write(context.Context, []byte) error { return nil }
func (silent) Failure(_ string, err error) error   { return err }
func (silent) Close() error                        { return nil }

// silentSession returns a session of which nothing is read.
func silentSession(t *testing.T) *session {
	return &session{id: "one", lines: silent{}, watch: newWatch("test", nil), ctx: t.Context(), open: map[string]*request{}}
}

// readOne returns the message of a text.
func readOne(t *testing.T, text string) *frame.Frame {
	t.Helper()
	f, err := frame.Read(jsontext.Value(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestRequestOfServer pins that a request of the server goes to the last call that a client waits for: not to a later one that
// was cancelled, which the server does not answer.
func TestRequestOfServer(t *testing.T) {
	t.Parallel()
	const sample = `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}`
	s := silentSession(t)
	waiting, cancelled := newStream(1), newStream(1)
	s.send(readOne(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`), waiting)
	s.send(readOne(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b"}}`), cancelled)
	cancelled.end() // as it does when the client goes
	s.handleServerMessage(readOne(t, sample))
	got, _ := waiting.dequeueAll()
	if len(got) != 1 || string(got[0]) != sample {
		t.Errorf("the call that is waited for: got %s, want [%s]", got, sample)
	}
	if len(s.waiting) > 0 {
		t.Errorf("%q wait for a GET, want none", s.waiting)
	}
}

// broken is a server that takes nothing.
type broken struct{ silent }

func (broken) Write(context.Context, []byte) error { return io.ErrClosedPipe }

// TestUnwrittenDiscover pins that only an answer is a refusal of server/discover: a new session cannot begin with a server that has
// not read the request.
func TestUnwrittenDiscover(t *testing.T) {
	t.Parallel()
	const discover, refusal = `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`
	s := silentSession(t)
	s.send(readOne(t, discover), newStream(1))
	s.handleServerMessage(readOne(t, refusal))
	if !s.isFresh() {
		t.Error("after a refusal, no session can begin")
	}
	s = silentSession(t)
	s.lines = broken{}
	s.send(readOne(t, discover), newStream(1))
	if s.isFresh() {
		t.Error("after a request that was not written, a session can begin")
	}
}

// TestAskGivesUp pins that a list which a client waits for no more does not stay open, because open requests are bounded.
func TestAskGivesUp(t *testing.T) {
	t.Parallel()
	s := silentSession(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.ask(ctx, readOne(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)); err == nil {
		t.Error("a server that says nothing has answered")
	}
	if got := len(s.open) + len(s.recent); got != 0 {
		t.Errorf("%d requests are open, want none", got)
	}
}
