package recording

import "time"

// maxTapes bounds the open recordings. When it is reached, a new one ends the recording that was idle longest.
const maxTapes = 256

// shelf holds the open recordings, by session or client. Only the recorder's goroutine may call its methods.
type shelf struct {
	options Options
	tapes   map[string]*tape
	named   map[string]bool // the sessions that the server has named
}

// maxNamed bounds the sessions that are remembered. When it is reached, all earlier sessions are forgotten, except those with
// open recordings.
const maxNamed = 10_000

func newShelf(o Options) *shelf {
	return &shelf{options: o, tapes: map[string]*tape{}, named: map[string]bool{}}
}

// noteSession notes a session that the server has named. Clients may send other ids, which get no recording.
func (s *shelf) noteSession(session string) {
	if len(s.named) >= maxNamed {
		clear(s.named)
	}
	s.named[session] = true
}

// tapeOf returns the recording of a session. Without a session, or for a session that the server has not named, it returns
// the client's recording.
func (s *shelf) tapeOf(session, client string, at time.Time) *tape {
	if session != "" && (s.named[session] || s.tapes["session "+session] != nil) {
		return s.tapeOfSession(session, client, at)
	}
	return s.tapeOfClient(client, at)
}

// tapeOfSession returns the recording of a session. A new session continues the client's recording if that is a probe.
func (s *shelf) tapeOfSession(session, client string, at time.Time) *tape {
	name := "session " + session
	if t := s.tapes[name]; t != nil {
		return t
	}
	if t := s.takeProbe(client, at); t != nil {
		s.tapes[name] = t
		return t
	}
	return s.openTape(name, at)
}

// tapeOfClient returns the recording of a client, which ends after an idle gap.
func (s *shelf) tapeOfClient(client string, at time.Time) *tape {
	name := "client " + client
	if t := s.tapes[name]; t != nil && at.Sub(t.last) <= s.options.Idle {
		return t
	}
	s.closeTape(name)
	return s.openTape(name, at)
}

func (s *shelf) openTape(name string, at time.Time) *tape {
	s.makeRoom()
	t := newTape(s.options, "http", at)
	s.tapes[name] = t
	return t
}

// takeProbe removes and returns the recording of a client that has asked only for server/discover and then begins a
// session, because the server did not know the method; nil if the client has asked for more.
func (s *shelf) takeProbe(client string, at time.Time) *tape {
	name := "client " + client
	t := s.tapes[name]
	if t == nil || !t.isProbe || at.Sub(t.last) > s.options.Idle {
		return nil
	}
	delete(s.tapes, name)
	return t
}

func (s *shelf) endSession(session string) { s.closeTape("session " + session) }

func (s *shelf) closeTape(name string) {
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
	s.closeTape(oldest)
}
