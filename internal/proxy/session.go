package proxy

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/proxy/frame"
)

// Bounds on the messages that a session keeps.
const (
	maxRequests = 10_000  // requests without an answer
	maxWaiting  = 1_000   // messages for a GET that has not come yet
	maxWaitSize = 4 << 20 // bytes of these messages
)

// session is a connection to its own server, usually a process, with the streams that wait for the server's messages.
type session struct {
	id     string // "" for the session that requests without a session share
	lines  wire
	watch  *watch
	ctx    context.Context
	cancel context.CancelFunc
	ended  chan struct{} // closed when the process has ended

	// isShared makes the session replace ids and progress tokens, because several clients may use the same ones.
	isShared atomic.Bool

	mu        sync.Mutex
	lastID    int64               // the number in the last id that this program made
	open      map[string]*request // open requests by the id that the server knows
	recent    []*request          // the open requests in order
	get       *stream             // the client's GET; nil while it has none
	waiting   []jsontext.Value    // messages that wait for the GET stream
	waitSize  int
	isOver    bool
	isEnding  bool // this program has begun to end the session
	isRefused bool // the last request that was answered was server/discover, and the answer was an error
	sentCount int  // requests that were sent
}

// request is a request of a client that the server has not answered.
type request struct {
	frame     *frame.Frame
	serverKey string            // the key of the id that the server knows
	token     jsontext.Value    // progress token that the client gave; nil for none
	stream    *stream           // nil for a request of this program
	answer    chan *frame.Frame // receives the answer to a request of this program
}

// startSession starts a server's process for the session with an id, or, if the id is "", for all requests without a
// session.
func startSession(c mcpclient.Config, w *watch, id string) (*session, error) {
	lines, err := openWire(c)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &session{id: id, lines: lines, watch: w, ctx: ctx, cancel: cancel, ended: make(chan struct{}), open: map[string]*request{}}
	s.isShared.Store(id == "")
	go s.readMessages()
	return s, nil
}

func (s *session) readMessages() {
	defer close(s.ended)
	var readErr error
	for readErr == nil {
		var text []byte
		text, readErr = s.lines.Read()
		if len(text) == 0 {
			continue
		}
		frames, err := frame.ReadAll(text)
		if err != nil {
			continue
		}
		for _, f := range frames {
			s.handleServerMessage(f)
		}
	}
	s.handleEnd(readErr)
}

// handleEnd answers all open requests after the server has stopped, and ends the process.
func (s *session) handleEnd(err error) {
	s.mu.Lock()
	open := s.recent
	isProbe := s.sentCount == 1 && len(open) == 1 && open[0].frame.Method == "server/discover"
	isEnding := s.isEnding
	s.isOver, s.recent = true, nil
	clear(s.open)
	if s.get != nil {
		s.get.end()
	}
	s.mu.Unlock()
	isExpected := isProbe || isEnding // some servers end after an unknown method
	if !isExpected {
		op := "read"
		if errors.Is(err, io.EOF) {
			op = "serve"
		}
		s.watch.noteBroken(s.lines.Failure(op, err))
	}
	code, message := frame.CodeInternal, "the server ended"
	if isProbe {
		code, message = frame.CodeMethodNotFound, "the server ended at server/discover"
	}
	for _, r := range open {
		answer, _ := frame.Read(frame.Refusal(r.frame.ID, code, message)) // a Refusal is always valid
		s.deliver(r, answer)
	}
	s.cancel()
	_ = s.lines.Close() // end closes it again and reports the error
}

func (s *session) noteBroken(op string, err error) {
	s.mu.Lock()
	isEnding := s.isEnding
	s.mu.Unlock()
	if !isEnding {
		s.watch.noteBroken(s.lines.Failure(op, err))
	}
}

// end ends the process. An error means that the process still runs.
func (s *session) end() error {
	s.mu.Lock()
	s.isEnding = true
	s.mu.Unlock()
	s.cancel()
	err := s.lines.Close()
	<-s.ended
	return err
}

func (s *session) hasEnded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isOver
}

// errOver is the error of a message to a server that has ended.
var errOver = errors.New("the server has ended")

// send sends a message of the client; the answer goes to the stream. A request that cannot be sent is answered at once.
func (s *session) send(f *frame.Frame, to *stream) {
	s.watch.noteRequest(s, s.scope(to), f)
	if f.IsRequest() {
		s.sendRequest(&request{frame: f, stream: to})
		return
	}
	msg := f.Raw
	if s.isShared.Load() && f.Method == "notifications/cancelled" {
		msg = s.cancellation(f)
	}
	if msg != nil {
		_ = s.lines.Write(s.ctx, frame.Line(msg)) // a notification has no answer that could report the error
	}
}

func (s *session) sendRequest(r *request) {
	msg, err := s.register(r)
	if err == nil {
		err = s.lines.Write(s.ctx, frame.Line(msg))
		willBeAnswered := err == nil || errors.Is(err, errOver) // if the session is over, handleEnd answers with the reason
		if willBeAnswered || !s.dropRequest(r) {
			return
		}
		s.noteBroken("write", err)
	}
	answer, _ := frame.Read(frame.Refusal(r.frame.ID, frame.CodeInternal, errOver.Error())) // a Refusal is always valid
	s.deliver(r, answer)
}

func (s *session) dropRequest(r *request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[r.serverKey] != r {
		return false
	}
	s.closeRequest(r)
	return true
}

func (s *session) scope(to *stream) any {
	if s.isShared.Load() {
		return to
	}
	return s
}

func (s *session) register(r *request) (jsontext.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isOver || len(s.open) >= maxRequests {
		return nil, errOver
	}
	r.token, _ = frame.At(r.frame.Params, "_meta", "progressToken")
	msg, id := r.frame.Raw, r.frame.ID
	if s.isShared.Load() || r.stream == nil {
		s.lastID++
		id = jsontext.Value(strconv.FormatInt(s.lastID, 10))
		if !s.isShared.Load() {
			id = frame.Quoted("mcp-gates-" + string(id)) // distinct from the client's own ids
		}
		msg = frame.Replaced(msg, id, "id")
	}
	if s.isShared.Load() {
		msg = frame.Replaced(msg, id, "params", "_meta", "progressToken")
	}
	r.serverKey = frame.Key(id)
	s.open[r.serverKey] = r
	s.recent = append(s.recent, r)
	s.sentCount++
	s.isRefused = false
	return msg, nil
}

func (s *session) ask(ctx context.Context, f *frame.Frame) (*frame.Frame, error) {
	r := &request{frame: f, answer: make(chan *frame.Frame, 1)}
	msg, err := s.register(r)
	if err != nil {
		return nil, err
	}
	if err := s.lines.Write(s.ctx, frame.Line(msg)); err != nil {
		s.dropRequest(r)
		return nil, err
	}
	select {
	case answer := <-r.answer:
		return answer, nil
	case <-ctx.Done():
		s.dropRequest(r)
		return nil, ctx.Err()
	}
}

// cancellation returns a client's cancellation with the id that the server knows; nil if there is nothing to cancel. In
// a shared session, it returns nil for an id that requests of several clients have.
func (s *session) cancellation(f *frame.Frame) jsontext.Value {
	id, _ := frame.At(f.Params, "requestId")
	s.mu.Lock()
	defer s.mu.Unlock()
	var matching []*request
	for _, r := range s.recent {
		if r.stream != nil && frame.Key(r.frame.ID) == frame.Key(id) {
			matching = append(matching, r)
		}
	}
	if len(matching) != 1 {
		return nil
	}
	return frame.Replaced(f.Raw, jsontext.Value(matching[0].serverKey), "params", "requestId")
}

// abandon cancels the open requests of a client that has no session and has closed the connection: such a client cancels
// by closing.
func (s *session) abandon(to *stream) {
	var notices []jsontext.Value
	s.mu.Lock()
	for _, r := range s.recent {
		if r.stream == to && s.isShared.Load() {
			notices = append(notices, jsontext.Value(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+r.serverKey+`}}`))
		}
	}
	s.mu.Unlock()
	for _, notice := range notices {
		_ = s.lines.Write(s.ctx, notice) // an error means that the server has ended
	}
}

func (s *session) setID(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id = id
	s.isShared.Store(false)
}

// sessionID returns the id of the session, "" for the shared one.
func (s *session) sessionID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.id
}

// isFresh reports whether the server has only refused server/discover, so that it can begin a session.
func (s *session) isFresh() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isRefused && !s.isOver && s.sentCount == 1 && len(s.recent) == 0
}

func (s *session) closeRequest(r *request) {
	delete(s.open, r.serverKey)
	if at := slices.Index(s.recent, r); at >= 0 {
		s.recent = slices.Delete(s.recent, at, at+1)
	}
}
