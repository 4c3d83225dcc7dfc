package annotate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Clock is the time source of the transport. The zero value is real time.
type Clock struct {
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error // returns early, with an error, if ctx ends
}

func (c Clock) withDefaults() Clock {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	return c
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// totalBudget is the time that all requests of a client may take together, including waiting. reservedBudget is the part of it
// that is kept for making the check run: see withReserve.
const (
	totalBudget    = 2 * time.Minute
	reservedBudget = 15 * time.Second
)

const (
	maxRetries   = 5 // retries after which only a rate limit is a reason to send a request again
	firstPause   = time.Second
	limitedPause = time.Minute // "wait for at least one minute", if the answer for a secondary limit names no time
)

// transport sends requests to the API: it adds the token for the API's host, waits if GitHub asks for it, and repeats requests
// that may be repeated.
type transport struct {
	base  http.RoundTripper
	api   *url.URL
	token string
	clock Clock

	mu        sync.Mutex
	spent     time.Duration
	allowedAt time.Time // time at which the rate limit allows the next request
}

// Marks in the context of a request.
type mark int

const (
	markReserved   mark = iota // may use the reserved part of the budget
	markOnce                   // takes effect each time it is sent, so it is not repeated if it may have taken effect
	markUnbudgeted             // is bounded only by the context's deadline
)

// withReserve allows the requests of ctx to use the last part of the time budget.
func withReserve(ctx context.Context) context.Context {
	return context.WithValue(ctx, markReserved, true)
}

// sendOnce prevents a request of ctx from being sent again if it may have taken effect. This always applies to POST.
func sendOnce(ctx context.Context) context.Context { return context.WithValue(ctx, markOnce, true) }

// withoutBudget exempts the requests of ctx, which must have a deadline, from the time budget, because other requests may have
// used it up.
func withoutBudget(ctx context.Context) context.Context {
	return context.WithValue(ctx, markUnbudgeted, true)
}

// limitError means that GitHub's rate limit is reached and that waiting for it would take too long.
type limitError struct{ wait time.Duration }

func (e *limitError) Error() string {
	return fmt.Sprintf("the rate limit is reached, and the next request may be made in %s", e.wait.Round(time.Second))
}

var errBudget = errors.New("the time for requests is used up")

// RoundTrip sends the request until there is a final answer.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	for try := 0; ; try++ {
		if err := t.waitForLimit(req); err != nil {
			return nil, err
		}
		resp, err := t.send(req, try)
		next := t.nextStep(req, resp, err, try)
		isTooLate := !next.limited && next.pause > t.timeLeft(req) // waitForLimit checks the pause for a rate limit
		if !next.retry || isTooLate {
			return withoutLimits(resp), err
		}
		if resp != nil {
			discard(resp.Body)
		}
		if next.limited {
			t.noteLimit(next.pause)
			continue
		}
		if err := t.wait(req.Context(), next.pause); err != nil {
			return nil, err
		}
	}
}

// noteLimit records that the rate limit allows no request until the pause is over: "Continuing to make requests while you are
// rate limited may result in the banning of your integration".
func (t *transport) noteLimit(pause time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.allowedAt = t.clock.Now().Add(pause)
}

// waitForLimit waits until the rate limit allows a request, or refuses the request if that takes too long.
func (t *transport) waitForLimit(req *http.Request) error {
	t.mu.Lock()
	pause := t.allowedAt.Sub(t.clock.Now())
	t.mu.Unlock()
	switch {
	case pause <= 0:
		return nil
	case pause > t.timeLeft(req):
		if req.Body != nil {
			req.Body.Close()
		}
		return &limitError{pause}
	}
	return t.wait(req.Context(), pause)
}

// send makes one attempt. Its time counts until the body is closed.
func (t *transport) send(req *http.Request, try int) (*http.Response, error) {
	left := t.timeLeft(req)
	if left <= 0 {
		return nil, errBudget
	}
	ctx, cancel := context.WithTimeout(req.Context(), left)
	attempt := req.Clone(ctx)
	if try > 0 && req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			cancel()
			return nil, err
		}
		attempt.Body = body
	}
	attempt.Header.Del("Authorization")
	if t.token != "" && req.URL.Host == t.api.Host && req.URL.Scheme == t.api.Scheme {
		attempt.Header.Set("Authorization", "Bearer "+t.token)
	}
	done := t.measure(cancel)
	resp, err := t.base.RoundTrip(attempt)
	if err != nil {
		done()
		return nil, err
	}
	resp.Body = &measuredBody{resp.Body, done}
	return resp, nil
}

// measure starts to count the time of an attempt. The first call of done ends the count, and calls cancel.
func (t *transport) measure(cancel func()) (done func()) {
	start := t.clock.Now()
	return sync.OnceFunc(func() {
		cancel()
		t.spend(t.clock.Now().Sub(start))
	})
}

type measuredBody struct {
	io.ReadCloser
	done func()
}

func (b *measuredBody) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}

func (t *transport) spend(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spent += d
}

func (t *transport) timeLeft(req *http.Request) time.Duration {
	if deadline, ok := req.Context().Deadline(); ok && req.Context().Value(markUnbudgeted) != nil {
		return time.Until(deadline)
	}
	budget := totalBudget - reservedBudget
	if req.Context().Value(markReserved) != nil {
		budget = totalBudget
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return budget - t.spent
}

func (t *transport) wait(ctx context.Context, d time.Duration) error {
	err := t.clock.Sleep(ctx, d)
	t.spend(d)
	return err
}

// step is the next action after an attempt.
type step struct {
	retry   bool // send the request again, after pause
	limited bool // a rate limit is the reason for the retry
	pause   time.Duration
}

// nextStep decides whether a request is sent again after an attempt. A request that may have taken effect is sent again only if
// it is idempotent.
func (t *transport) nextStep(req *http.Request, resp *http.Response, err error, try int) step {
	if req.Context().Err() != nil || errors.Is(err, errBudget) || !canRepeat(req) {
		return step{}
	}
	if err == nil && isRateLimited(resp) {
		// The request was refused before it took effect, whatever the method.
		return step{retry: true, limited: true, pause: t.pauseUntilAllowed(resp, try)}
	}
	mayRecover := err != nil || isServerFault(resp.StatusCode)
	isSafe := isIdempotent(req) || isUnsent(err)
	if try >= maxRetries || !mayRecover || !isSafe {
		return step{}
	}
	return step{retry: true, pause: firstPause << try}
}

// isServerFault reports whether a status means that the server failed, so that a later attempt may succeed.
func isServerFault(status int) bool { return status >= 500 && status != http.StatusNotImplemented }

// canRepeat reports whether the body of a request can be sent a second time.
func canRepeat(req *http.Request) bool { return req.Body == nil || req.GetBody != nil }

func isIdempotent(req *http.Request) bool {
	methods := []string{http.MethodGet, http.MethodHead, http.MethodPatch, http.MethodDelete}
	return slices.Contains(methods, req.Method) && req.Context().Value(markOnce) == nil
}

// isUnsent reports whether the error means that no connection was made, so that nothing was sent.
func isUnsent(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// isRateLimited reports whether the answer refuses the request because of a rate limit: 429, or 403 for that reason. GitHub uses
// both statuses for its primary and its secondary limit.
func isRateLimited(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusForbidden:
		return resp.Header.Get("Retry-After") != "" || resp.Header.Get("X-RateLimit-Remaining") == "0" || saysLimited(resp)
	}
	return false
}

// saysLimited reports whether the text of a refusal names the secondary rate limit.
func saysLimited(resp *http.Response) bool {
	const most = 64 << 10
	start, err := io.ReadAll(io.LimitReader(resp.Body, most))
	if err != nil {
		return false
	}
	resp.Body = &restoredBody{io.MultiReader(bytes.NewReader(start), resp.Body), resp.Body}
	text := strings.ToLower(string(start))
	return strings.Contains(text, "secondary rate limit") || strings.Contains(text, "secondary-rate-limits") ||
		strings.Contains(text, "abuse-rate-limits")
}

type restoredBody struct {
	io.Reader
	io.Closer
}

// pauseUntilAllowed returns the time to wait: the value of Retry-After, otherwise until the limit is reset, otherwise a minute that
// doubles each time.
func (t *transport) pauseUntilAllowed(resp *http.Response, try int) time.Duration {
	now := t.clock.Now()
	after := resp.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(after, 10, 31); err == nil {
		return max(time.Duration(seconds)*time.Second, firstPause)
	}
	if at, err := http.ParseTime(after); err == nil {
		return max(at.Sub(now), firstPause)
	}
	if resp.Header.Get("X-RateLimit-Remaining") == "0" {
		if reset, err := strconv.ParseInt(resp.Header.Get("X-RateLimit-Reset"), 10, 64); err == nil {
			return max(time.Unix(reset, 0).Sub(now), 0) + firstPause
		}
	}
	return limitedPause << min(try, maxRetries)
}

// withoutLimits removes the figures of the rate limit from an answer. Otherwise the library would refuse further requests
// because of them, without regard to this clock and this budget.
func withoutLimits(resp *http.Response) *http.Response {
	if resp != nil {
		for _, name := range []string{"X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Limit"} {
			resp.Header.Del(name)
		}
	}
	return resp
}

// discard reads the rest of a short body, so that its connection can be used again.
func discard(body io.ReadCloser) {
	const most = 64 << 10
	io.CopyN(io.Discard, body, most) // on failure the connection is closed instead
	body.Close()
}
