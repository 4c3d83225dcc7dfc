package recording

import (
	"crypto/sha256"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/org/mcp-gates/internal/proxy/frame"
)

// Exchanges are the HTTP requests of all clients of a server, with their responses.
type Exchanges struct {
	recorder *Recorder
	shelf    *shelf // only the recorder's goroutine uses it
	path     string
	count    atomic.Int64
}

// HTTP returns the exchanges of a server whose MCP endpoint has the path. Each session has a recording of its own. A client without
// a session has one, too, which ends when the client is idle.
func (r *Recorder) HTTP(path string) *Exchanges {
	return &Exchanges{recorder: r, shelf: newShelf(r.options), path: path}
}

// Exchange is one HTTP request and its response.
type Exchange struct {
	Body []byte // of the request

	all           *Exchanges
	number        int64
	at            time.Time
	method        string
	session       string   // id of the session: from the request or, if the exchange begins a session, from the response
	client        string   // identifies the client if there is no session
	hasMessages   bool     // the body holds messages
	beginsSession bool     // the exchange begins a session
	secrets       []string // secrets in the headers so far
	tape          *tape    // the recording of the request; only the recorder's goroutine uses it
}

// Begin begins an exchange, and records the messages in the request's body. It records an initialize only when the
// session's id is known.
func (e *Exchanges) Begin(r *http.Request, body []byte) *Exchange {
	x := &Exchange{
		Body: body, all: e, number: e.count.Add(1), at: time.Now(), method: r.Method,
		session: r.Header.Get(frame.SessionHeader), client: clientKey(r), secrets: secretsOf(r.Header),
	}
	frames, err := frame.ReadAll(body)
	x.hasMessages = err == nil && r.Method == http.MethodPost
	if x.hasMessages {
		x.beginsSession = frame.Begins(frames) && x.session == ""
		for _, f := range frames {
			if name := f.Client(); name != "" && x.session == "" {
				x.client += " " + name
				break
			}
		}
	}
	isForServer := r.Method == http.MethodPost && r.URL.Path == e.path
	if (x.hasMessages || isForServer) && !x.beginsSession {
		x.recordRequest()
	}
	return x
}

// clientKey returns a key that distinguishes clients without a session. It is never written.
func clientKey(r *http.Request) string {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	sum := sha256.Sum256([]byte(r.Header.Get("Authorization")))
	return fmt.Sprintf("%s %x %s", host, sum, r.UserAgent())
}

func (x *Exchange) recordRequest() {
	session, client, secrets := x.session, x.client, x.secrets
	f := newFeed(x.all.recorder, "client", frame.NewWhole, func() *tape {
		x.tape = x.all.shelf.tapeOf(session, client, x.at)
		x.tape.addSecrets(secrets)
		return x.tape
	})
	f.exchange = x.number
	f.passAt(x.at, x.Body)
	f.End(false)
}

// Answer starts to record the response. The response's body must be passed to the returned feed; nil means that the body is not
// recorded.
func (x *Exchange) Answer(resp *http.Response) *Feed {
	x.secrets = slices.Concat(x.secrets, secretsOf(resp.Header))
	if id := resp.Header.Get(frame.SessionHeader); x.beginsSession {
		x.session = id
		if id != "" {
			x.all.recorder.enqueue(0, func() { x.all.shelf.noteSession(id) })
		}
		x.recordRequest()
	}
	if x.method == http.MethodDelete && resp.StatusCode < 300 && x.session != "" {
		session := x.session
		x.all.recorder.enqueue(0, func() { x.all.shelf.endSession(session) })
	}
	hasBody := resp.StatusCode != http.StatusAccepted && resp.StatusCode != http.StatusNoContent
	isStream := x.method == http.MethodGet && frame.IsEvents(resp.Header)
	isAnswer := x.hasMessages && hasBody
	if !isStream && !isAnswer {
		return nil
	}
	session, client, secrets := x.session, x.client, x.secrets
	f := newFeed(x.all.recorder, "server", func(emit frame.Emit) *frame.Splitter { return frame.NewBody(resp.Header, emit) }, nil)
	f.tape = func() *tape {
		t := x.tape // even if the response took longer than Options.Idle
		if t == nil {
			t = x.all.shelf.tapeOf(session, client, f.at)
		}
		t.addSecrets(secrets)
		return t
	}
	f.exchange = x.number
	return f
}
