package fault

import (
	"slices"
	"sync"
)

// Counter says which calls of one run faults hit. A nil counter hits none. Its methods may be called at once.
type Counter struct {
	mu     sync.Mutex
	faults []Fault
	left   []int64          // calls that each fault is still to hit
	wedged map[string]Fault // by server: nothing is answered any more
}

// NewCounter returns the counter of a run that begins; nil without faults, so that nothing is done differently then.
func NewCounter(faults []Fault) *Counter {
	if len(faults) == 0 {
		return nil
	}
	c := &Counter{faults: slices.Clone(faults), wedged: map[string]Fault{}}
	for _, f := range faults {
		c.left = append(c.left, max(1, f.Times))
	}
	return c
}

// Next counts a call that goes to a server, and returns the fault that it meets. Of several the first in the list counts.
func (c *Counter) Next(server, tool string) (Fault, bool) {
	if c == nil {
		return Fault{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.wedged[server]; ok {
		return f, true
	}
	for i, f := range c.faults {
		if c.left[i] == 0 || !f.Covers(server, tool) {
			continue
		}
		c.left[i]--
		if f.Kind == Wedged {
			c.wedged[server] = f
		}
		return f, true
	}
	return Fault{}, false
}

// Wedged returns the fault that keeps a server from answering anything.
func (c *Counter) Wedged(server string) (Fault, bool) {
	if c == nil {
		return Fault{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.wedged[server]
	return f, ok
}
