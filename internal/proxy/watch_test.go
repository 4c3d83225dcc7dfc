package proxy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/proxy/frame"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
)

// seeClient has a watch see a request of a client, with a number as its id.
func seeClient(t *testing.T, w *watch, session string, id int, method, params string) {
	t.Helper()
	w.noteRequest(session, session, readFrame(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)))
}

// seeAnswer has a watch see the result of a request.
func seeAnswer(t *testing.T, w *watch, session string, id int, result string) {
	t.Helper()
	w.noteResponse(session, readFrame(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result)))
}

func readFrame(t *testing.T, text string) *frame.Frame {
	t.Helper()
	f, err := frame.Read(jsontext.Value(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// calls returns how many calls come to the bound. The watch has seen the rest of them.
func calls(w *watch) int {
	n := thorough.Size(maxCalls/10, maxCalls)
	w.seen.Calls = make([]Call, maxCalls-n)
	return n
}

// overflows are what a run may do, and whether a witness keeps all of it.
var overflows = map[string]struct {
	see  func(t *testing.T, w *watch)
	want bool // an error
}{
	"many calls": {func(t *testing.T, w *watch) {
		for i := range calls(w) {
			seeClient(t, w, "a", i, "tools/call", `{"name":"x"}`)
			seeAnswer(t, w, "a", i, `{"content":[]}`)
		}
		seeClient(t, w, "a", 0, "ping", `{}`)
	}, false},
	"too many calls": {func(t *testing.T, w *watch) {
		for i := range calls(w) + 1 {
			seeClient(t, w, "a", i, "tools/call", `{"name":"x"}`)
			seeAnswer(t, w, "a", i, `{"content":[]}`)
		}
	}, true},
	"too many open requests": {func(t *testing.T, w *watch) {
		n := thorough.Size(maxOpen/10, maxOpen)
		w.count = maxOpen - n
		for i := range n + 1 {
			seeClient(t, w, "a", i, "tools/list", `{}`)
		}
	}, true},
	"too large arguments": {func(t *testing.T, w *watch) {
		n := thorough.Size(maxKept/10, maxKept)
		w.keptBytes = maxKept - n
		large := `{"name":"x","arguments":{"a":"` + strings.Repeat("x", n/8) + `"}}`
		for i := range 9 {
			seeClient(t, w, "a", i, "tools/call", large)
		}
	}, true},
	"too large results": {func(t *testing.T, w *watch) {
		w.keptBytes = maxKept - 10
		seeClient(t, w, "a", 1, "tools/call", `{"name":"x"}`)
		seeAnswer(t, w, "a", 1, `{"content":[{"type":"text","text":"more than is kept"}]}`)
	}, true},
	"too many tools": {func(t *testing.T, w *watch) {
		var tools []string
		for i := range maxTools + 1 {
			tools = append(tools, fmt.Sprintf(`{"name":"t%d","inputSchema":{}}`, i))
		}
		half := len(tools) / 2
		seeClient(t, w, "a", 1, "tools/list", `{}`)
		seeAnswer(t, w, "a", 1, `{"tools":[`+strings.Join(tools[:half], ",")+`]}`)
		seeClient(t, w, "a", 2, "tools/list", `{"cursor":"b"}`)
		seeAnswer(t, w, "a", 2, `{"tools":[`+strings.Join(tools[half:], ",")+`]}`)
	}, true},
	"too large tools": {func(t *testing.T, w *watch) {
		seeClient(t, w, "a", 1, "tools/list", `{}`)
		list := bytes.Repeat([]byte("x"), source.MaxCatalog+1+len(`{"tools":}`))
		copy(list, `{"tools":[{"name":"t","description":"`)
		copy(list[len(list)-4:], `"}]}`)
		w.noteResponse("a", &frame.Frame{ID: jsontext.Value("1"), Result: list}) // it is too long to be read for nothing
	}, true},
	"a list that asks back": {func(t *testing.T, w *watch) {
		seeClient(t, w, "a", 1, "tools/list", `{}`)
		seeAnswer(t, w, "a", 1, `{"resultType":"input_required"}`)
		seeClient(t, w, "a", 2, "tools/call", `{"name":"x"}`)
	}, false},
	"too many questions back": {func(t *testing.T, w *watch) {
		for i := range maxAsking + 1 {
			seeClient(t, w, "a", i, "tools/call", fmt.Sprintf(`{"name":"x","arguments":{"a":%d}}`, i))
			seeAnswer(t, w, "a", i, `{"resultType":"input_required"}`)
		}
	}, true},
}

// TestWitnessSaysWhatItDoesNotKeep pins that a run of which a witness does not keep all is an error.
func TestWitnessSaysWhatItDoesNotKeep(t *testing.T) {
	t.Parallel()
	for name, test := range overflows {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWatch("test", nil)
			test.see(t, w)
			got := w.witness().Err
			if isOver := got != nil && strings.Contains(got.Error(), "the run makes more calls, or larger ones, than are kept"); isOver != test.want {
				t.Errorf("got error %v, want one: %v", got, test.want)
			}
		})
	}
}

// TestWitnessOfOneID pins that open calls with one id, which JSON-RPC forbids, have their answers in the order in which they
// were made.
func TestWitnessOfOneID(t *testing.T) {
	t.Parallel()
	w := newWatch("test", nil)
	seeClient(t, w, "a", 1, "tools/call", `{"name":"first"}`)
	seeClient(t, w, "a", 1, "tools/call", `{"name":"second"}`)
	seeAnswer(t, w, "a", 1, `{"content":[{"type":"text","text":"of the first"}]}`)
	w.noteLateAnswer("a", readFrame(t, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"of the second"}]}}`))
	var got []string
	for _, call := range w.witness().Calls {
		got = append(got, call.Tool+": "+call.Result)
	}
	if want := []string{"first: of the first", "second: of the second"}; !slices.Equal(got, want) {
		t.Errorf("the calls: got %q, want %q", got, want)
	}
}
