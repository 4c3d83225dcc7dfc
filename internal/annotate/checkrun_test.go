package annotate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/report/annotation"
	"github.com/org/mcp-gates/internal/thorough"
)

var checkOptions = checkRunOptions{Name: "mcp-gates report", HeadSHA: headSHA, ExternalID: "mcp-gates/1/1/k"}

func manyAnnotations(n int) []annotation.Item {
	list := make([]annotation.Item, n)
	for i := range list {
		list[i] = annotation.Item{Path: "suites/a.yml", Line: i + 1, Level: annotation.Warning, Title: "t", Message: fmt.Sprintf("message %d", i)}
	}
	return list
}

// oneCheck returns the only check run there is.
func (f *fake) oneCheck() *fakeCheck {
	f.t.Helper()
	if len(f.checks) != 1 {
		f.t.Fatalf("there are %d check runs, want 1", len(f.checks))
	}
	return f.checks[0]
}

// checkAnnotated fails unless each of n annotations arrived once, in order, and the check run is completed.
func (f *fake) checkAnnotated(n int, conclusion string) {
	f.t.Helper()
	c := f.oneCheck()
	if c.Status != "completed" || c.Conclusion != conclusion {
		f.t.Errorf("the check run is %s, %s, want completed, %s", c.Status, c.Conclusion, conclusion)
	}
	if len(c.Annotations) != n {
		f.t.Fatalf("%d annotations, want %d", len(c.Annotations), n)
	}
	for i, a := range c.Annotations {
		if want := fmt.Sprintf("message %d", i); a["message"] != want {
			f.t.Fatalf("annotation %d says %q, want %q", i, a["message"], want)
		}
	}
}

// TestCheckRun pins that the first request completes the check run, with the first annotations.
func TestCheckRun(t *testing.T) {
	for _, n := range []int{0, 1, 50, 51, 120, 1000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			f := newFake(t)
			run := f.client().newCheckRun(checkOptions)
			if len(f.requests) > 0 || run.URL() != "" {
				t.Errorf("before anything is known the requests are %v", f.requests)
			}
			missing, err := run.publish(t.Context(), conclusion{Success: true, Title: "ok", Summary: "s"}, manyAnnotations(n))
			if err != nil || len(missing) > 0 {
				t.Fatalf("%d annotations are missing: %v", len(missing), err)
			}
			f.checkAnnotated(n, "success")
			if got, want := f.oneCheck().Updates, max(0, (n-1)/50); got != want || len(f.requests) != 1+want {
				t.Errorf("%d updates in %v, want %d", got, f.requests, want)
			}
			if c := f.oneCheck(); c.Summary != "s" || c.Head != headSHA || c.External != checkOptions.ExternalID || run.URL() == "" {
				t.Errorf("the check run is %+v, its address %q", c, run.URL())
			}
		})
	}
}

// TestCheckRunFaults pins that nothing is lost and nothing is there twice, whatever goes wrong on the way.
func TestCheckRunFaults(t *testing.T) {
	const post, patch = "POST /repos/octo/tools/check-runs", "PATCH /repos/octo/tools/check-runs"
	limit := map[string]string{"Retry-After": "7"}
	for name, faults := range map[string][]fault{
		"create 502 before":           {{match: post, status: 502}},
		"create 502 after":            {{match: post, status: 502, after: true}},
		"create cut off after":        {{match: post, after: true}},
		"create 429":                  {{match: post, status: 429, header: limit}},
		"create secondary limit":      {{match: post, status: 403, body: "You have exceeded a secondary rate limit."}},
		"update 502 before":           {{match: patch, status: 502}},
		"update 502 after":            {{match: patch, status: 502, after: true}},
		"update cut off after":        {{match: patch, after: true}},
		"update 503 twice after":      {{match: patch, times: 2, status: 503, after: true}},
		"update 403 limit":            {{match: patch, status: 403, header: limit}},
		"update 502 and look 502":     {{match: patch, status: 502, after: true}, {match: "GET", times: 2, status: 502}},
		"last update cut off before":  {{match: "PATCH", times: 1}},
		"everything limited once":     {{match: post, status: 429, header: limit}, {match: patch, status: 429}},
		"primary limit until a reset": {{match: post, status: 403, header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000030"}}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.fail(faults...)
			missing, err := f.client().newCheckRun(checkOptions).publish(t.Context(), conclusion{Title: "no"}, manyAnnotations(120))
			if err != nil || len(missing) > 0 {
				t.Fatalf("%d annotations are missing: %v", len(missing), err)
			}
			f.checkAnnotated(120, "failure")
		})
	}
}

// TestCheckRunRefusedBatch pins that a batch that is refused keeps the check run neither from being made nor from having
// the others, and that its annotations are handed back.
func TestCheckRunRefusedBatch(t *testing.T) {
	for at, batch := range map[int][2]int{0: {0, 50}, 60: {50, 100}, 119: {100, 120}} {
		f := newFake(t)
		list := manyAnnotations(120)
		list[at].Path = "refused.yml"
		missing, err := f.client().newCheckRun(checkOptions).publish(t.Context(), conclusion{Title: "no"}, list)
		if want := fmt.Sprintf("%d annotations are missing", len(missing)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
		if diff := cmp.Diff(list[batch[0]:batch[1]], missing); diff != "" {
			t.Errorf("missing annotations (-want +got):\n%s", diff)
		}
		if c := f.oneCheck(); c.Status != "completed" || c.Conclusion != "failure" || len(c.Annotations)+len(missing) != 120 {
			t.Errorf("the check run is %s, %s with %d annotations", c.Status, c.Conclusion, len(c.Annotations))
		}
	}
}

// broken is how a check run ends whose evaluation did not.
var broken = conclusion{Title: "broken off", Summary: "it broke"}

// TestCheckRunFail pins that a check run is a failure in the end, in one request, whatever it was before.
func TestCheckRunFail(t *testing.T) {
	for name, test := range map[string]struct {
		before   *conclusion
		requests int
		title    string
	}{
		"nothing":   {nil, 1, "broken off"},
		"a success": {&conclusion{Success: true, Title: "all pass"}, 2, "broken off"},
		"a failure": {&conclusion{Title: "2 cases fail"}, 1, "2 cases fail"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			run := f.client().newCheckRun(checkOptions)
			if test.before != nil {
				if _, err := run.publish(t.Context(), *test.before, manyAnnotations(3)); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // the second time there is nothing to do
				if err := run.fail(t.Context(), broken); err != nil {
					t.Fatal(err)
				}
			}
			if c := f.oneCheck(); c.Conclusion != "failure" || c.Title != test.title || len(f.requests) != test.requests {
				t.Errorf("the check run is %+v after the requests %v", c, f.requests)
			}
		})
	}
	var none *checkRun
	missing, err := none.publish(t.Context(), conclusion{}, manyAnnotations(2))
	if len(missing) != 2 || err != nil || none.fail(t.Context(), broken) != nil || none.URL() != "" {
		t.Error("a check run that is not wanted does something")
	}
}

// TestCheckRunFailDuringPost pins that the request which was about to make a success is waited for, so that there is one
// check run; and for a while only.
func TestCheckRunFailDuringPost(t *testing.T) {
	t.Parallel()
	const never = time.Hour
	for name, test := range map[string]struct {
		fault
		answered time.Duration // after the signal
	}{
		"slow":                    {fault{slow: true}, 50 * time.Millisecond},
		"cut off after an effect": {fault{after: true}, 50 * time.Millisecond},
		"lost":                    {fault{status: 502}, 50 * time.Millisecond},
		"never, with an effect":   {fault{after: true}, never},
		"never, and no effect":    {fault{}, never},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			posted, answer := make(chan struct{}), make(chan struct{})
			test.match, test.wait = "POST", func() { close(posted); <-answer }
			f.fail(test.fault)
			run := f.client().newCheckRun(checkOptions)
			if test.answered == never {
				run.grace = 100 * time.Millisecond
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				run.publish(ctx, conclusion{Success: true, Title: "all pass"}, nil)
			}()
			<-posted
			cancel() // as a signal does
			release := sync.OnceFunc(func() { close(answer) })
			t.Cleanup(release)
			time.AfterFunc(test.answered, release)
			bounded, end := context.WithTimeout(t.Context(), 10*time.Second)
			defer end()
			if err := run.fail(bounded, broken); err != nil {
				t.Error(err)
			}
			<-ended
			release()
			f.server.Close() // waits for requests whose client is gone
			f.checkAnnotated(0, "failure")
		})
	}
}

// TestCheckRunFailFirst pins that nothing is made by an evaluation that goes on after its job was cancelled.
func TestCheckRunFailFirst(t *testing.T) {
	f := newFake(t)
	run := f.client().newCheckRun(checkOptions)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run.publish(ended, conclusion{Success: true}, nil); !errors.Is(err, context.Canceled) || len(f.requests) > 0 {
		t.Errorf("error is %v after the requests %v, want %v", err, f.requests, context.Canceled)
	}
	if err := run.fail(t.Context(), broken); err != nil {
		t.Fatal(err)
	}
	if _, err := run.publish(t.Context(), conclusion{Success: true}, nil); !errors.Is(err, errFailed) {
		t.Errorf("error is %v, want %v", err, errFailed)
	}
	f.checkAnnotated(0, "failure")
}

// TestCheckRunFailAfterBudget pins that a cancelled job has time for its last request, whatever was spent before, and
// that it does not wait for a rate limit for longer than it has.
func TestCheckRunFailAfterBudget(t *testing.T) {
	f := newFake(t)
	c := f.client()
	c.api.Client().Transport.(*transport).spend(totalBudget)
	if _, err := c.PullRequest(t.Context(), 7); !errors.Is(err, errBudget) {
		t.Fatalf("error is %v, want %v", err, errBudget)
	}
	ctx, end := context.WithTimeout(t.Context(), 10*time.Second)
	defer end()
	f.fail(fault{match: "POST", status: 502}, fault{match: "GET", status: 502})
	if err := c.newCheckRun(checkOptions).fail(ctx, broken); err != nil {
		t.Error(err)
	}
	f.checkAnnotated(0, "failure")

	f = newFake(t)
	f.fail(fault{match: "POST", status: 429, header: map[string]string{"Retry-After": "60"}})
	var limited *limitError
	if err := f.client().newCheckRun(checkOptions).fail(ctx, broken); !errors.As(err, &limited) || f.slept > 0 {
		t.Errorf("error is %v after %s, want the rate limit at once", err, f.slept)
	}
}

// TestCheckRunLimits pins that hostile and long texts are accepted by a GitHub that takes its limits seriously.
func TestCheckRunLimits(t *testing.T) {
	f := newFake(t)
	long := strings.Repeat("é\U0001f600\n", thorough.Size(30_000, 100_000))
	options := checkOptions
	options.Name = "n\U0001f600 (" + strings.Repeat("x", 400) + ")"
	var list []annotation.Item
	for _, s := range append(hostile, long) {
		list = append(list, annotation.Item{Path: "a/" + s, Level: annotation.Failure, Title: s, Message: s + "."}, annotation.Item{Level: annotation.Notice, Message: "x" + s})
	}
	if _, err := f.client().newCheckRun(options).publish(t.Context(), conclusion{Title: long, Summary: "s"}, list); err != nil {
		t.Fatal(err)
	}
	c := f.oneCheck()
	if len(c.Annotations) != len(list) {
		t.Errorf("%d annotations, want %d", len(c.Annotations), len(list))
	}
	for _, a := range c.Annotations {
		checkShown(t, "message", a["message"].(string))
	}
}
