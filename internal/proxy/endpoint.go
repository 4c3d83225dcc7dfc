package proxy

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/proxy/frame"
	"github.com/org/mcp-gates/internal/redact"
)

// EndpointOptions hold the server of an [Endpoint] and the changes that the program sees.
type EndpointOptions struct {
	// Server is the real server. A server on standard input and output, or over the older HTTP transport, is bridged
	// message by message, with a process or a connection for each session; requests to a server over streamable HTTP are
	// forwarded. The server's CallTimeout does not apply, because the program has timeouts of its own.
	Server mcpclient.Config

	// Show returns the tools that the program sees, given all tools that the server lists. It may be called several times
	// and concurrently, and must return the same for the same tools. Nil shows the server's own list, page by page.
	Show func(real []*catalog.Tool) []*catalog.Tool

	// Injected holds the names of tools that Show adds. A call of such a tool is answered with a tool error and never
	// reaches the server. If the server lists a tool with such a name, the witness has an error.
	Injected map[string]bool

	// Faults decide which calls of the run fail, and how; nil for none. Only a slow call still reaches the server.
	Faults *fault.Counter

	// Rules redact [Witness.Err]; if nil, secrets are recognized only by their form.
	Rules *redact.Rules
}

// Endpoint offers one server to one run of a program: streamable HTTP on loopback, under a random path of 128 bits.
// Several clients may use it concurrently.
type Endpoint struct {
	options EndpointOptions
	watch   *watch
	path    string
	url     string
	server  *http.Server
	backend backend
	served  sync.WaitGroup
	cancel  context.CancelFunc
	end     func() error // closes the backend, once
}

// backend is a connection to the real server.
type backend interface {
	// post passes the messages of one POST on, and answers with the messages that belong to them.
	post(w http.ResponseWriter, r *http.Request, p *posted)
	serveOther(w http.ResponseWriter, r *http.Request)
	// close ends all sessions and processes.
	close() error
}

// Open opens an endpoint, which ends when it is closed or ctx ends. The server's process is started when a client connects.
func Open(ctx context.Context, o EndpointOptions) (*Endpoint, error) {
	secret := make([]byte, 16)
	rand.Read(secret) // never fails
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the program's MCP client: %w", err)
	}
	if o.Server.Rules == nil {
		o.Server.Rules = o.Rules
	}
	life, cancel := context.WithCancel(ctx)
	e := &Endpoint{options: o, watch: newWatch(o.Server.Name, o.Rules), path: "/" + hex.EncodeToString(secret) + "/mcp", cancel: cancel}
	e.url = "http://" + listener.Addr().String() + e.path
	if e.backend, err = e.newBackend(); err != nil {
		cancel()
		listener.Close()
		return nil, err
	}
	e.server = newServer(life, guarded(listener, e))
	e.served.Go(func() {
		if err := serve(e.server, listener); err != nil {
			e.watch.noteBroken(fmt.Errorf("serve the program's MCP client: %w", err))
		}
	})
	e.end = sync.OnceValue(e.backend.close)
	context.AfterFunc(life, func() {
		e.server.Close()
		_ = e.end() // Close reports it
	})
	return e, nil
}

func (e *Endpoint) newBackend() (backend, error) {
	if e.options.Server.URL == "" || e.options.Server.Transport == "sse" {
		return &bridge{endpoint: e, sessions: map[string]*session{}}, nil
	}
	return newForward(e)
}

// URL returns the address for the program's client, http://127.0.0.1:PORT/RANDOM/mcp. Anyone who knows the address may
// use it.
func (e *Endpoint) URL() string { return e.url }

// Witness returns a record of the messages so far. It may be called at any time, also after Close.
func (e *Endpoint) Witness() Witness { return e.watch.witness() }

// Close ends the listener, the sessions and the server's processes, and waits until they have ended. An error means
// that a process still runs.
func (e *Endpoint) Close() error {
	err := e.end()
	e.cancel()
	e.server.Close()
	e.served.Wait()
	return err
}

// ServeHTTP answers the program's client.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if subtle.ConstantTimeCompare([]byte(r.URL.Path), []byte(e.path)) != 1 {
		http.NotFound(w, r)
		return
	}
	switch r.Method {
	case http.MethodPost:
		e.post(w, r)
	case http.MethodGet, http.MethodDelete:
		e.backend.serveOther(w, r)
	default:
		w.Header().Set("Allow", "POST, GET, DELETE")
		http.Error(w, "expected POST, GET or DELETE", http.StatusMethodNotAllowed)
	}
}

// post reads messages, answers those that are not for the server, and passes the others on.
func (e *Endpoint) post(w http.ResponseWriter, r *http.Request) {
	p, ok := readPosted(w, r)
	if !ok {
		return
	}
	if len(p.frames) == 1 && e.isInjected(p.frames[0]) {
		e.refuseInjected(w, p)
		return
	}
	if len(p.frames) == 1 && e.answerWithFault(w, r, p) {
		return
	}
	if len(p.frames) > 1 && e.answerBatchWithFault(w, r, p) {
		return
	}
	if len(p.frames) > 1 && !e.canPassBatch(p) {
		writeJSON(w, http.StatusBadRequest, frame.Refusal(nil, frame.CodeInvalidRequest, "batches are not passed on here"))
		return
	}
	e.backend.post(w, r, p)
}

func (e *Endpoint) canPassBatch(p *posted) bool {
	for _, f := range p.frames {
		isChangedList := e.options.Show != nil && f.Method == "tools/list"
		mayMeetFault := e.options.Faults != nil && f.Method == "tools/call"
		if isChangedList || mayMeetFault || e.isInjected(f) {
			return false
		}
	}
	return true
}

func (e *Endpoint) changesList(f *frame.Frame) bool {
	return e.options.Show != nil && f.Method == "tools/list" && f.IsRequest()
}

func (e *Endpoint) isInjected(f *frame.Frame) bool {
	if f.Method != "tools/call" || !f.IsRequest() || len(e.options.Injected) == 0 {
		return false
	}
	name, _ := frame.At(f.Params, "name")
	return e.options.Injected[frame.Text(name)]
}

func (e *Endpoint) refuseInjected(w http.ResponseWriter, p *posted) {
	f := p.frames[0]
	e.watch.noteRequest(p, p, f) // the id is valid only in this exchange
	e.answer(w, p, toolError(f.ID, "this tool is not available"))
}
