package proxy

import (
	"net/http"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/proxy/frame"
)

// Bounds of a stream of answers.
const (
	maxStream  = 64 << 20    // bytes of the messages that wait for a client that does not read
	openStream = time.Second // time after which a request without an answer gets the head of its stream
)

// stream holds the messages for one HTTP response: the answers to the requests of a POST with the messages that belong
// to them, or the messages for a session's GET.
type stream struct {
	isGet bool

	mu         sync.Mutex
	queue      []jsontext.Value
	size       int
	unanswered int // requests without an answer
	isGone     bool
	wake       chan struct{} // holds one value after a change
}

func newStream(requests int) *stream {
	return &stream{unanswered: requests, wake: make(chan struct{}, 1)}
}

// enqueue queues a message, and reports whether a client can still read it. If too many bytes wait for a client, the client
// is given up.
func (s *stream) enqueue(msg jsontext.Value, isAnswer bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if isAnswer {
		s.unanswered--
	}
	if s.isGone {
		return false
	}
	s.queue, s.size = append(s.queue, msg), s.size+len(msg)
	if s.size > maxStream {
		s.isGone, s.queue = true, nil
	}
	s.signal()
	return !s.isGone
}

// isRead reports whether a client still waits for messages of the stream. Servers do not answer cancelled requests, so
// a request can be open without a client.
func (s *stream) isRead() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.isGone
}

func (s *stream) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isGone = true
	s.signal()
}

func (s *stream) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// dequeueAll returns the waiting messages, and whether they are the last.
func (s *stream) dequeueAll() (msgs []jsontext.Value, isLast bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	msgs, s.queue, s.size = s.queue, nil, 0
	hasAllAnswers := !s.isGet && s.unanswered <= 0
	return msgs, s.isGone || hasAllAnswers
}

// response writes a stream to a client.
type response struct {
	w       http.ResponseWriter
	flusher *http.ResponseController
	isOpen  bool // the head of an event stream was written
}

// serve writes the messages of the stream, until it ends or the client disconnects. A single answer without other
// messages is sent as JSON, so that clients and programs between need not wait for the end of a stream.
func (s *stream) serve(w http.ResponseWriter, r *http.Request) {
	out := &response{w: w, flusher: http.NewResponseController(w)}
	defer s.end()
	if s.isGet {
		out.writeHead()
	}
	timer := time.NewTimer(openStream)
	defer timer.Stop()
	for {
		msgs, isLast := s.dequeueAll()
		if isLast && len(msgs) == 1 && !out.isOpen {
			writeJSON(w, http.StatusOK, msgs[0])
			return
		}
		if out.writeEvents(msgs) != nil || isLast {
			return
		}
		select {
		case <-s.wake:
		case <-timer.C:
			out.writeHead()
		case <-r.Context().Done():
			return
		}
	}
}

func (o *response) writeHead() {
	if o.isOpen {
		return
	}
	o.isOpen = true
	o.w.Header().Set("Content-Type", "text/event-stream")
	o.w.Header().Set("Cache-Control", "no-cache, no-transform")
	o.w.WriteHeader(http.StatusOK)
	_ = o.flusher.Flush() // the next write returns the same error
}

func (o *response) writeEvents(msgs []jsontext.Value) error {
	if len(msgs) == 0 {
		return nil
	}
	o.writeHead()
	var text []byte
	for _, msg := range msgs {
		text = append(append(append(text, "event: message\ndata: "...), frame.Line(msg)...), "\n\n"...)
	}
	if _, err := o.w.Write(text); err != nil {
		return err
	}
	return o.flusher.Flush()
}

func writeJSON(w http.ResponseWriter, status int, msg jsontext.Value) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(msg) // an error means that the client has disconnected
}
