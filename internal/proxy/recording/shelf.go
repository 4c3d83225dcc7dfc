package proxy

import (
	"crypto/sha256"
	"fmt"
	"net"
	"net/http"
	"time"
)

// maxTapes bounds the recordings that are open. The one that was idle longest ends for another.
const maxTapes = 256

// shelf holds the recordings that are open, by what they are of. Its methods are for the goroutine of a recorder.
type shelf struct {
	recording Recording
	tapes     map[string]*tape
}

func newShelf(r Recording) *shelf { return &shelf{recording: r, tapes: map[string]*tape{}} }

// of returns the recording of a session, or of a client where there is no session, in which a gap ends one.
func (s *shelf) of(session, client string, at time.Time) *tape {
	name := "session " + session
	if session == "" {
		name = "client " + client
	}
	t := s.tapes[name]
	if t != nil && session == "" && at.Sub(t.last) > s.recording.Idle {
		s.drop(name)
		t = nil
	}
	if t == nil && session != "" {
		if t = s.probe(client, at); t != nil {
			s.tapes[name] = t
		}
	}
	if t == nil {
		s.makeRoom()
		t = newTape(s.recording, "http", at)
		s.tapes[name] = t
	}
	return t
}

// probe takes the recording of a client that has only asked for server/discover, and begins a session because the server did
// not know it; nil where it has asked for more.
func (s *shelf) probe(client string, at time.Time) *tape {
	name := "client " + client
	t := s.tapes[name]
	if t == nil || !t.isProbe || at.Sub(t.last) > s.recording.Idle {
		return nil
	}
	delete(s.tapes, name)
	return t
}

// end ends the recording of a session.
func (s *shelf) end(session string) { s.drop("session " + session) }

func (s *shelf) drop(name string) {
	if t := s.tapes[name]; t != nil {
		t.close()
		delete(s.tapes, name)
	}
}

func (s *shelf) makeRoom() {
	if len(s.tapes) < maxTapes {
		return
	}
	oldest := ""
	for name, t := range s.tapes {
		if oldest == "" || t.last.Before(s.tapes[oldest].last) {
			oldest = name
		}
	}
	s.drop(oldest)
}

// exchange is one HTTP request and its response.
type exchange struct {
	proxy   *httpProxy
	number  int64
	body    []byte
	at      time.Time
	method  string
	session string // that the request names, and then the response; for the recorder from then on
	client  string // who asks, where there is no session
	isOurs  bool   // the body holds messages
	begins  bool   // a session
	tape    *tape  // where the request was recorded; for the recorder
}

// newExchange begins an exchange, and records what the request says. An initialize waits for the session's id.
func (p *httpProxy) newExchange(r *http.Request, body []byte) *exchange {
	x := &exchange{
		proxy: p, number: p.exchanges.Add(1), body: body, at: time.Now(), method: r.Method,
		session: r.Header.Get(sessionHeader), client: clientKey(r),
	}
	frames, err := readFrames(body)
	x.isOurs = err == nil && r.Method == http.MethodPost
	if x.isOurs {
		posted := &posted{frames: frames}
		x.begins = posted.begins() && x.session == ""
		for _, f := range frames {
			if name := clientOf(f); name != "" && x.session == "" {
				x.client += " " + name
				break
			}
		}
	}
	isMeant := r.Method == http.MethodPost && r.URL.Path == p.origin.url.Path
	if (x.isOurs || isMeant) && !x.begins {
		x.record()
	}
	return x
}

// clientKey returns how clients differ from each other where they have no session. It is never written.
func clientKey(r *http.Request) string {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	sum := sha256.Sum256([]byte(r.Header.Get("Authorization")))
	return fmt.Sprintf("%s %x %s", host, sum, r.UserAgent())
}

// record records what the request says.
func (x *exchange) record() {
	session, client := x.session, x.client
	f := newFeed(x.proxy.recorder, "client", newWhole, func() *tape {
		x.tape = x.proxy.shelf.of(session, client, x.at)
		return x.tape
	})
	f.exchange = x.number
	f.passAt(x.at, x.body)
	f.end(false)
}

// answered begins to record the answer; nil when nothing of it is to be.
func (x *exchange) answered(resp *http.Response) *feed {
	if id := resp.Header.Get(sessionHeader); x.begins {
		x.session = id
		x.record()
	}
	if x.method == http.MethodDelete && resp.StatusCode < 300 && x.session != "" {
		session := x.session
		x.proxy.recorder.do(0, func() { x.proxy.shelf.end(session) })
	}
	cut := newWhole
	if isEvents(resp.Header) {
		cut = newEvents
	}
	isStream := x.method == http.MethodGet && isEvents(resp.Header)
	isAnswer := x.isOurs && resp.StatusCode != http.StatusAccepted && resp.StatusCode != http.StatusNoContent
	if !isStream && !isAnswer {
		return nil
	}
	session, client := x.session, x.client
	f := newFeed(x.proxy.recorder, "server", cut, nil)
	f.tape = func() *tape {
		if x.tape != nil {
			return x.tape // also where the answer took longer than a client may be idle
		}
		return x.proxy.shelf.of(session, client, f.at)
	}
	f.exchange = x.number
	return f
}
