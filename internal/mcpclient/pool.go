package mcpclient

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
)

// Pool shares sessions among runs, one session for each server. A broken session is replaced at the next request for
// it. The methods of a pool may be called concurrently.
type Pool struct {
	ctx  context.Context
	info Info

	mu      sync.Mutex
	servers map[string]*shared   // sessions for further callers
	all     map[*shared]struct{} // sessions that are not closed
	isEnded bool
	closing sync.WaitGroup
}

// shared is a session that is open or being opened.
type shared struct {
	ready   chan struct{} // closed when session or err is set
	session *Session
	err     error
	users   int // number of runs that use it
}

// NewPool returns a pool. Its sessions end when the pool is closed or ctx ends.
func NewPool(ctx context.Context, info Info) *Pool {
	return &Pool{ctx: ctx, info: info, servers: map[string]*shared{}, all: map[*shared]struct{}{}}
}

// Session returns the session with the server c.Name; the first call connects to the server. The caller must call
// giveBack once, and must not close the session. ctx bounds only the waiting.
func (p *Pool) Session(ctx context.Context, c Config) (s *Session, giveBack func(), err error) {
	entry, err := p.acquire(c)
	if err != nil {
		return nil, nil, err
	}
	giveBack = sync.OnceFunc(func() { p.release(c.Name, entry) })
	select {
	case <-entry.ready:
	case <-ctx.Done():
		giveBack()
		return nil, nil, &Error{Server: c.Name, Op: "initialize", Err: context.Cause(ctx)}
	}
	if entry.err != nil {
		giveBack()
		return nil, nil, entry.err
	}
	return entry.session, giveBack, nil
}

// acquire returns an open session or begins to open one, and counts one more user.
func (p *Pool) acquire(c Config) (*shared, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isEnded {
		return nil, &Error{Server: c.Name, Op: "start", Err: errors.New("the pool of sessions is closed")}
	}
	entry := p.servers[c.Name]
	if entry == nil || entry.isBroken() {
		if entry != nil {
			p.drop(c.Name, entry)
		}
		entry = &shared{ready: make(chan struct{})}
		p.servers[c.Name] = entry
		p.all[entry] = struct{}{}
		go func() {
			entry.session, entry.err = Connect(p.ctx, c, p.info)
			close(entry.ready)
		}()
	}
	entry.users++
	return entry, nil
}

func (e *shared) isBroken() bool {
	select {
	case <-e.ready:
		return e.err != nil || e.session.isBroken()
	default:
		return false
	}
}

// drop removes a broken session from the pool. It closes the session only if no run uses it, so that a call that took too long does
// not end the calls of other runs.
func (p *Pool) drop(name string, e *shared) {
	if p.servers[name] == e {
		delete(p.servers, name)
	}
	_, isOpen := p.all[e]
	if e.users > 0 || !isOpen {
		return
	}
	delete(p.all, e)
	p.closing.Go(func() { e.close() })
}

func (p *Pool) release(name string, e *shared) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e.users--
	if e.isBroken() {
		p.drop(name, e)
	}
}

func (e *shared) close() error {
	<-e.ready
	if e.err != nil {
		return nil
	}
	return e.session.Close()
}

// Close closes all sessions, even those in use, and waits until they are closed.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.isEnded = true
	open := slices.Collect(maps.Keys(p.all))
	clear(p.all)
	p.mu.Unlock()
	problems := make([]error, len(open))
	for i, e := range open {
		p.closing.Go(func() { problems[i] = e.close() })
	}
	p.closing.Wait()
	return errors.Join(problems...)
}
