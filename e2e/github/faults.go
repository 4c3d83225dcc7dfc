package github

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"
)

// Fault is something that goes wrong with requests.
type Fault struct {
	Operation string // its id; "" for any request
	Skip      int    // requests that pass before
	Times     int    // 0 is once, below 0 for ever
	Status    int    // of the answer; 0 cuts the connection
	After     bool   // the request takes effect all the same
	Message   string
	Hang      bool // there is no answer until the client goes away; nothing takes effect afterwards
}

// Fail makes requests fail. Of several faults that fit a request, the first one counts.
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Times == 0 {
		f.Times = 1
	}
	s.faults = append(s.faults, &f)
}

// hits reports whether the fault strikes a request, and counts it.
func (f *Fault) hits(operation string) bool {
	switch {
	case f.Operation != "" && f.Operation != operation || f.Times == 0:
		return false
	case f.Skip > 0:
		f.Skip--
		return false
	case f.Times > 0:
		f.Times--
	}
	return true
}

// answerUnlessFaulty answers the request as it should be, unless a fault strikes.
func (c *call) answerUnlessFaulty() {
	for _, f := range c.faults {
		if f.hits(c.op.id) {
			c.fail(f)
			return
		}
	}
	c.handle()
}

func (c *call) fail(f *Fault) {
	if f.After {
		w := c.w
		c.w = httptest.NewRecorder()
		c.handle()
		c.w = w
	}
	if f.Hang {
		c.mu.Unlock() // others are answered meanwhile
		<-c.r.Context().Done()
		c.mu.Lock()
	}
	if f.Status == 0 {
		panic(http.ErrAbortHandler)
	}
	c.refuse(f.Status, f.Message)
}

// Limit is a rate limit that is reached.
type Limit struct {
	Operation string // the request that reaches it; "" for any
	Skip      int    // requests that pass before
	Status    int    // 403 or 429: GitHub uses either for both kinds
	Secondary bool   // tells how long to wait in Retry-After; the primary one tells when it is reset
	Wait      time.Duration
}

// Limit lets the server refuse everything from a request on, for as long as the limit says.
func (s *Server) Limit(l Limit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limits = append(s.limits, &l)
}

// refused answers a request that a rate limit refuses. Only one may meet a limit: whoever goes on without waiting is
// banned by the original.
func (s *Server) refused(c *call) bool {
	if time.Now().Before(s.until) {
		s.problem("%s %s: sent while the rate limit said to wait", c.r.Method, c.r.URL.Path)
		s.refuseLimited(c)
		return true
	}
	if len(s.limits) == 0 {
		return false
	}
	next := s.limits[0]
	switch {
	case next.Operation != "" && next.Operation != c.op.id:
		return false
	case next.Skip > 0:
		next.Skip--
		return false
	}
	s.limits = s.limits[1:]
	s.limited, s.until = next, time.Now().Add(next.Wait)
	s.refuseLimited(c)
	return true
}

func (s *Server) refuseLimited(c *call) {
	wait := max(time.Until(s.until), 0)
	h := c.w.Header()
	if s.limited.Secondary {
		h.Set("Retry-After", strconv.Itoa(wholeSeconds(wait)))
		c.refuse(s.limited.Status, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
		return
	}
	h.Set("X-RateLimit-Limit", "1000")
	h.Set("X-RateLimit-Remaining", "0")
	h.Set("X-RateLimit-Reset", strconv.FormatInt(s.until.Add(time.Second-1).Unix(), 10))
	c.refuse(s.limited.Status, fmt.Sprintf("API rate limit exceeded for installation ID %d.", 4711))
}

// wholeSeconds rounds up.
func wholeSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
