package proxy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/proxy/frame"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
)

// Bounds on the data of a witness. A run that exceeds a bound has an error.
const (
	maxCalls  = 10_000
	maxKept   = 64 << 20 // bytes of arguments and results
	maxOpen   = 10_000   // requests without an answer
	maxTools  = 10_000
	maxAsking = 100 // calls for which the server has asked for more input
)

// watch reads the messages of an endpoint and collects a [Witness].
type watch struct {
	server string
	rules  *redact.Rules

	mu        sync.Mutex
	seen      Witness
	keptBytes int
	open      map[requestKey][]opened // the oldest request of each key comes first
	count     int                     // number of open requests
	lists     map[any][]*catalog.Tool // the tools that each session has listed so far

	faults map[*frame.Frame]metFault // faults of calls that noteRequest has not noted yet
	asking []int                     // indices of the calls for which the server has asked for more input; the client will repeat them
}

// requestKey is an id with the scope in which the id is valid: a session, or one HTTP exchange.
type requestKey struct {
	scope any
	id    string
}

// opened is a request that has no answer yet.
type opened struct {
	call        int // index of the call; -1 for a list
	isFirstPage bool
	session     any
}

func newWatch(server string, rules *redact.Rules) *watch {
	return &watch{server: server, rules: rules, open: map[requestKey][]opened{}, lists: map[any][]*catalog.Tool{}, faults: map[*frame.Frame]metFault{}}
}

// noteRequest notes a call, or a request for the list of tools, so that its answer can be read. Other messages are ignored.
func (w *watch) noteRequest(session, scope any, f *frame.Frame) {
	if !f.IsRequest() {
		return
	}
	isCall := f.Method == "tools/call"
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen.Client = cmp.Or(w.seen.Client, f.Client())
	defer delete(w.faults, f)
	key := requestKey{scope, frame.Key(f.ID)}
	if !isCall && f.Method != "tools/list" {
		return
	}
	isCallTooMany := isCall && len(w.seen.Calls) >= maxCalls
	switch {
	case w.count >= maxOpen || isCallTooMany:
		w.noteOverflow()
	case isCall:
		call := w.noteCall(f)
		if met, ok := w.faults[f]; ok {
			w.seen.Calls[call].Fault, w.seen.Calls[call].Start = met.kind, met.at
		}
		w.addOpen(key, opened{call: call, session: session})
	default:
		cursor, _ := frame.Member(f.Params, "cursor")
		w.addOpen(key, opened{call: -1, isFirstPage: frame.Text(cursor) == "", session: session})
	}
}

func (w *watch) addOpen(key requestKey, o opened) {
	w.open[key] = append(w.open[key], o)
	w.count++
}

func (w *watch) removeOpen(key requestKey) {
	w.count--
	w.open[key] = w.open[key][1:]
	if len(w.open[key]) == 0 {
		delete(w.open, key)
	}
}

// errOverflow is the error of a run with parts that were not kept: a check could depend on a missing part.
var errOverflow = errors.New("the run makes more calls, or larger ones, than are kept")

// noteOverflow records that a part was not kept. An earlier error of the server takes precedence.
func (w *watch) noteOverflow() {
	if w.seen.Err == nil {
		w.seen.Err = fmt.Errorf("server %q: %w", w.server, errOverflow)
	}
}

// noteFault notes the fault of a call, before the call itself is noted.
func (w *watch) noteFault(f *frame.Frame, m metFault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults[f] = m
}

// noteCall notes a call, and returns its index. A call that is repeated with the input that the server asked for is the
// same call.
func (w *watch) noteCall(f *frame.Frame) int {
	p := readCall(f.Params)
	for at, i := range w.asking {
		if c := &w.seen.Calls[i]; c.Tool == p.Name && string(c.Args) == string(p.Arguments) {
			w.asking = slices.Delete(w.asking, at, at+1)
			return i
		}
	}
	w.seen.Calls = append(w.seen.Calls, Call{ModelCallID: p.modelCallID(), Tool: p.Name, Args: w.keepArgs(p.Arguments), Start: time.Now()})
	return len(w.seen.Calls) - 1
}

func (w *watch) keepArgs(args jsontext.Value) jsontext.Value {
	w.keptBytes += len(args)
	if w.keptBytes > maxKept {
		w.noteOverflow()
		return nil
	}
	return args
}

func (w *watch) noteResponse(scope any, f *frame.Frame) {
	if !f.IsResponse() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	key := requestKey{scope, frame.Key(f.ID)}
	all := w.open[key]
	if len(all) == 0 {
		return
	}
	w.removeOpen(key)
	w.finishRequest(all[0], f)
}

// noteLateAnswer notes an answer that comes on another stream, because the stream of the request broke. The answer belongs to the
// first call of the session with the answer's id.
func (w *watch) noteLateAnswer(session string, f *frame.Frame) {
	if !f.IsResponse() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var foundKey requestKey
	found := opened{call: -1}
	for key, all := range w.open {
		oldest := all[0]
		isMeant := key.id == frame.Key(f.ID) && oldest.session == session && oldest.call >= 0
		isEarlier := found.call < 0 || oldest.call < found.call
		if isMeant && isEarlier {
			foundKey, found = key, oldest
		}
	}
	if found.call >= 0 {
		w.removeOpen(foundKey)
		w.finishRequest(found, f)
	}
}

func asksBack(f *frame.Frame) bool {
	kind, _ := frame.Member(f.Result, "resultType")
	return frame.Text(kind) == "input_required"
}

func (w *watch) finishRequest(o opened, f *frame.Frame) {
	if o.call >= 0 && asksBack(f) {
		if len(w.asking) < maxAsking {
			w.asking = append(w.asking, o.call)
			return
		}
		w.noteOverflow()
	}
	if o.call >= 0 {
		w.endCall(&w.seen.Calls[o.call], f)
		return
	}
	if list, _ := frame.Member(f.Result, "tools"); list != nil {
		w.notePage(o, list)
	}
}

func (w *watch) endCall(c *Call, f *frame.Frame) {
	c.Answered, c.DurationMS = true, time.Since(c.Start).Milliseconds()
	if len(f.Error) > 0 {
		message, _ := frame.Member(f.Error, "message")
		c.Failed, c.Error = true, w.keepText(frame.Text(message))
		return
	}
	result, err := mcpclient.ReadResult(f.Result, w.rules)
	if err != nil {
		c.Failed, c.Error = true, err.Error()
		return
	}
	c.Failed, c.Result = result.IsError, w.keepText(result.Text)
}

func (w *watch) keepText(text string) string {
	w.keptBytes += len(text)
	if w.keptBytes > maxKept {
		w.noteOverflow()
		return fmt.Sprintf("[%d bytes are not kept]", len(text))
	}
	return text
}

func (w *watch) notePage(o opened, list jsontext.Value) {
	if len(list) > source.MaxCatalog || len(w.lists) >= maxOpen {
		w.noteOverflow()
		return
	}
	tools, err := readTools(w.server, list)
	if err != nil {
		return // the program itself finds out that it cannot read the answer
	}
	if !o.isFirstPage {
		tools = append(w.lists[o.session], tools...)
	}
	if len(tools) > maxTools {
		w.noteOverflow()
	}
	w.lists[o.session] = tools[:min(len(tools), maxTools)]
	w.seen.Listed, w.seen.Tools = true, w.lists[o.session]
}

func (w *watch) noteTools(tools []*catalog.Tool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen.Listed, w.seen.Tools = true, tools
}

// noteBroken records the reason why the server broke. A later reason replaces an earlier one.
func (w *watch) noteBroken(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen.Err = errors.New(mcpclient.SafeText(w.rules.File(), err))
}

func (w *watch) witness() Witness {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := w.seen
	seen.Tools = append([]*catalog.Tool(nil), seen.Tools...)
	seen.Calls = append([]Call(nil), seen.Calls...)
	return seen
}

func readTools(server string, list jsontext.Value) ([]*catalog.Tool, error) {
	if len(list) > source.MaxCatalog {
		return nil, fmt.Errorf("the tools have more than %d bytes", source.MaxCatalog)
	}
	text := append(append(jsontext.Value{'{'}, frame.Quoted(server)...), `:{"tools":`...)
	cat, err := catalog.FromServers(append(append(text, list...), `}}`...))
	if err != nil {
		return nil, fmt.Errorf("the list of tools: %w", err)
	}
	return cat.All(), nil // the program itself hides tools for apps from its model
}
