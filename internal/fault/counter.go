package fault

import (
	"slices"
	"sync"
)

// Counter determines which calls of one run meet faults. With a nil counter, no call does. Its methods may be called
// concurrently.
type Counter struct {
	mu            sync.Mutex
	faults        []Fault
	left          []int64          // number of calls that each fault will still affect
	wedgedServers map[string]Fault // by server: the fault after which the server answers nothing
}

// NewCounter returns the counter of a new run; nil without faults, so that such runs are unaffected.
func NewCounter(faults []Fault) *Counter {
	if len(faults) == 0 {
		return nil
	}
	c := &Counter{faults: slices.Clone(faults), wedgedServers: map[string]Fault{}}
	for _, f := range faults {
		c.left = append(c.left, max(1, f.Times))
	}
	return c
}

// Next counts a call to a server, and returns the fault that it meets. If several faults apply, the first in the list counts.
func (c *Counter) Next(server, tool string) (Fault, bool) {
	if c == nil {
		return Fault{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.wedgedServers[server]; ok {
		return f, true
	}
	for i, f := range c.faults {
		if c.left[i] == 0 || !f.Covers(server, tool) {
			continue
		}
		c.left[i]--
		if f.Kind == Wedged {
			c.wedgedServers[server] = f
		}
		return f, true
	}
	return Fault{}, false
}

// Wedged returns the fault after which a server no longer answers.
func (c *Counter) Wedged(server string) (Fault, bool) {
	if c == nil {
		return Fault{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.wedgedServers[server]
	return f, ok
}
