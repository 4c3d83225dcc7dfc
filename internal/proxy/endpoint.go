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

// EndpointOptions say which server an [Endpoint] is, and how the program sees it.
type EndpointOptions struct {
	// Server is the real one. One on standard input and output, or over the older HTTP transport, is bridged message by
	// message, with a process or a connection for each session; requests to one over streamable HTTP are forwarded. Its
	// CallTimeout does not apply: the program has times of its own.
	Server mcpclient.Config

	// Show returns the tools that the program is shown, of all that the server lists. It may be called several times and
	// at once, and returns the same for the same tools. Nil shows the server's own list, page by page.
	Show func(real []*catalog.Tool) []*catalog.Tool

	// Injected are the names of tools that Show adds. A call of one is answered with an error of the tool, and never
	// reaches the server; a server that lists a tool of such a name is an error of the witness.
	Injected map[string]bool

	// Faults say which calls of the run fail, and how; nil for none. Only a call that is slow reaches the server.
	Faults *fault.Counter

	// Rules are for what [Witness.Err] says; nil for the shapes of secrets only.
	Rules *redact.Rules
}

// Endpoint is one server as one run of a program sees it: streamable HTTP on loopback, under a random path of 128 bits. It
// may be used by several clients at once.
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

// backend is how the real server is reached.
type backend interface {
	// post passes the messages of one POST on, and what belongs to them back.
	post(w http.ResponseWriter, r *http.Request, p *posted)
	// other passes a GET or a DELETE on.
	other(w http.ResponseWriter, r *http.Request)
	// close ends everything that was started.
	close() error
}

// Open opens an endpoint until it is closed or ctx ends. A server's process is started when a client comes.
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
			e.watch.broke(fmt.Errorf("serve the program's MCP client: %w", err))
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

// URL returns where the program's client reaches the server, http://127.0.0.1:PORT/RANDOM/mcp. Who knows it may use it.
func (e *Endpoint) URL() string { return e.url }

// Witness returns what passed so far. It may be called at any time, also after Close.
func (e *Endpoint) Witness() Witness { return e.watch.witness() }

// Close ends the listener, the sessions and the server's processes, and waits until they have ended. An error says that a
// process is still there.
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
		e.backend.other(w, r)
	default:
		w.Header().Set("Allow", "POST, GET, DELETE")
		http.Error(w, "expected POST, GET or DELETE", http.StatusMethodNotAllowed)
	}
}

// post reads messages, answers those that are not for the server, and has the others passed on.
func (e *Endpoint) post(w http.ResponseWriter, r *http.Request) {
	p, ok := readPosted(w, r)
	if !ok {
		return
	}
	if len(p.frames) == 1 && e.isInjected(p.frames[0]) {
		e.refuseInjected(w, p)
		return
	}
	if len(p.frames) == 1 && e.fails(w, r, p) {
		return
	}
	if len(p.frames) > 1 && e.failsAll(w, r, p) {
		return
	}
	if len(p.frames) > 1 && !e.canSplit(p) {
		writeJSON(w, http.StatusBadRequest, frame.Refusal(nil, frame.CodeInvalidRequest, "batches are not passed on here"))
		return
	}
	e.backend.post(w, r, p)
}

func (e *Endpoint) canSplit(p *posted) bool {
	for _, f := range p.frames {
		if e.options.Show != nil && f.Method == "tools/list" || e.isInjected(f) || e.options.Faults != nil && f.Method == "tools/call" {
			return false
		}
	}
	return true
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
	e.watch.client(p, p, f) // an id means something in this exchange only
	e.answer(w, p, toolError(f.ID, "this tool is not available"))
}
