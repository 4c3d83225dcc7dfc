package proxy

import (
	"crypto/rand"
	"errors"
	"net/http"
	"sync"

	"github.com/org/mcp-gates/internal/proxy/frame"
)

// Bounds on the server processes that clients can start.
const (
	maxSessions = 64
	maxStarts   = 1_000 // during the life of an endpoint
)

// bridge is the backend of a server on standard input and output.
type bridge struct {
	endpoint *Endpoint

	mu       sync.Mutex
	sessions map[string]*session // by id
	shared   *session            // session for requests without a session; nil before the first
	starts   int
	isClosed bool
	ending   sync.WaitGroup
}

var (
	errTooMany  = errors.New("there are too many sessions")
	errIsClosed = errors.New("the endpoint is closed")
)

// post passes the messages of a request on to the client's session.
func (b *bridge) post(w http.ResponseWriter, r *http.Request, p *posted) {
	s, err := b.sessionOf(r, p)
	if err != nil {
		b.refuse(w, p, err)
		return
	}
	if s == nil {
		http.Error(w, "there is no such session", http.StatusNotFound)
		return
	}
	if id := s.sessionID(); id != "" {
		w.Header().Set(frame.SessionHeader, id)
	}
	if b.endpoint.changesList(p.frames[0]) {
		b.endpoint.showTools(w, r, p, s.ask)
		return
	}
	b.exchange(w, r, p, s)
}

func (b *bridge) exchange(w http.ResponseWriter, r *http.Request, p *posted, s *session) {
	to := newStream(p.requestCount())
	for _, f := range p.frames {
		s.send(f, to)
	}
	if p.requestCount() == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	to.serve(w, r)
	s.abandon(to)
}

func (b *bridge) refuse(w http.ResponseWriter, p *posted, err error) {
	message := "the server could not be started"
	if errors.Is(err, errTooMany) || errors.Is(err, errIsClosed) {
		message = err.Error()
	}
	if p.requestCount() == 0 {
		http.Error(w, message, http.StatusServiceUnavailable)
		return
	}
	var answers [][]byte
	for _, f := range p.frames {
		if f.IsRequest() {
			answers = append(answers, frame.Refusal(f.ID, frame.CodeInternal, message))
		}
	}
	p.writeAnswers(w, answers...)
}

// sessionOf returns the session of the messages; initialize begins a session. It returns nil if the session has ended
// or never existed.
func (b *bridge) sessionOf(r *http.Request, p *posted) (*session, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	id := r.Header.Get(frame.SessionHeader)
	switch {
	case b.isClosed:
		return nil, errIsClosed
	case id != "":
		return b.findOpenSession(id), nil
	case frame.Begins(p.frames):
		return b.beginSession()
	case b.shared != nil && !b.shared.hasEnded():
		return b.shared, nil
	}
	s, err := b.startServer("")
	if err == nil {
		b.shared = s
	}
	return s, err
}

func (b *bridge) findOpenSession(id string) *session {
	if s := b.sessions[id]; s != nil && !s.hasEnded() {
		return s
	}
	return nil
}

// beginSession begins a session. A newer client sends server/discover first, without a session. If the shared server has refused
// this request and got no other, the new session takes over that server.
func (b *bridge) beginSession() (*session, error) {
	id := rand.Text()
	if s := b.shared; s != nil && s.isFresh() {
		b.shared = nil
		s.setID(id)
		b.sessions[id] = s
		return s, nil
	}
	s, err := b.startServer(id)
	if err == nil {
		b.sessions[id] = s
	}
	return s, err
}

func (b *bridge) startServer(id string) (*session, error) {
	for old, s := range b.sessions {
		if s.hasEnded() {
			delete(b.sessions, old)
		}
	}
	if len(b.sessions) >= maxSessions || b.starts >= maxStarts {
		return nil, errTooMany
	}
	b.starts++
	s, err := startSession(b.endpoint.options.Server, b.endpoint.watch, id)
	if err != nil {
		b.endpoint.watch.noteBroken(err)
	}
	return s, err
}

func (b *bridge) serveOther(w http.ResponseWriter, r *http.Request) {
	s := b.namedSession(r)
	switch {
	case s == nil && r.Header.Get(frame.SessionHeader) == "":
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "expected POST where there is no session", http.StatusMethodNotAllowed)
	case s == nil:
		http.Error(w, "there is no such session", http.StatusNotFound)
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	default:
		to := newStream(0)
		to.isGet = true
		s.listen(to)
		to.serve(w, r)
		s.leave(to)
	}
}

// namedSession returns the session that a GET or a DELETE names, or nil. A DELETE begins to end the session, unless close has begun
// to end all sessions: close does not wait for operations that begin later.
func (b *bridge) namedSession(r *http.Request) *session {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.findOpenSession(r.Header.Get(frame.SessionHeader))
	if s != nil && r.Method == http.MethodDelete && !b.isClosed {
		delete(b.sessions, s.sessionID())
		b.ending.Go(func() { b.noteEnd(s.end()) })
	}
	return s
}

// noteEnd notes that a process could not be ended.
func (b *bridge) noteEnd(err error) {
	if err != nil {
		b.endpoint.watch.noteBroken(err)
	}
}

func (b *bridge) close() error {
	b.mu.Lock()
	b.isClosed = true
	all := []*session{b.shared}
	for _, s := range b.sessions {
		all = append(all, s)
	}
	b.mu.Unlock()
	problems := make([]error, len(all))
	for i, s := range all {
		if s != nil {
			b.ending.Go(func() { problems[i] = s.end() })
		}
	}
	b.ending.Wait()
	return errors.Join(problems...)
}
