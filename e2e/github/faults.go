package github

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"
)

// Fault makes requests fail.
type Fault struct {
	Operation string // id of the operation; "" for any request
	Skip      int    // number of requests that pass before
	Times     int    // number of requests that fail; 0 means 1, below 0 means all
	Status    int    // status of the answer; 0 closes the connection without an answer
	After     bool   // the request still takes effect
	Message   string
	Hang      bool // the server waits until the client closes the connection, and does nothing afterwards
}

// Fail adds a fault. If several faults fit a request, the first one counts.
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Times == 0 {
		f.Times = 1
	}
	s.faults = append(s.faults, &f)
}

// hits reports whether the fault makes a request fail, and counts the request.
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

// answerUnlessFaulty answers the request, unless a fault makes it fail.
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
		c.mu.Unlock() // so that other requests are answered meanwhile
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
	Operation string // operation of the request that reaches the limit; "" for any
	Skip      int    // number of requests that pass before
	Status    int    // 403 or 429: GitHub uses both statuses for both kinds of limits
	Secondary bool   // answers have the time to wait in Retry-After; answers of a primary limit have the time of its reset
	Wait      time.Duration
}

// Limit adds a rate limit: from the request that reaches it on, the server refuses all requests for the time Wait.
func (s *Server) Limit(l Limit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limits = append(s.limits, &l)
}

// refusesByLimit reports whether a rate limit refuses a request, and answers it if so. A further request during the limit is a
// problem, because GitHub bans clients that do not wait.
func (s *Server) refusesByLimit(c *call) bool {
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
