package annotate

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

var checkOptions = CheckOptions{Name: "mcp-gates report", HeadSHA: headSHA, ExternalID: "mcp-gates/1/1/k"}

func manyAnnotations(n int) []Annotation {
	list := make([]Annotation, n)
	for i := range list {
		list[i] = Annotation{Path: "suites/a.yml", Line: i + 1, Level: Warning, Title: "t", Message: fmt.Sprintf("message %d", i)}
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

func TestCheckRun(t *testing.T) {
	for _, n := range []int{0, 1, 50, 51, 200, 1000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			f := newFake(t)
			run, err := f.client().StartCheck(t.Context(), checkOptions)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.oneCheck(); got.Status != "in_progress" || got.Head != headSHA || got.External != checkOptions.ExternalID {
				t.Errorf("the check run begins as %+v", got)
			}
			if err := run.Finish(t.Context(), Conclusion{Success: true, Title: "ok", Summary: "s", Text: "t"}, manyAnnotations(n)); err != nil {
				t.Fatal(err)
			}
			f.checkAnnotated(n, "success")
			if got, want := f.oneCheck().Updates, max(1, (n+49)/50); got != want {
				t.Errorf("%d updates, want %d", got, want)
			}
			if f.oneCheck().Text != "t" || run.URL() == "" {
				t.Errorf("the text is %q, the address %q", f.oneCheck().Text, run.URL())
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
			run, err := f.client().StartCheck(t.Context(), checkOptions)
			if err != nil {
				t.Fatal(err)
			}
			if err := run.Finish(t.Context(), Conclusion{Title: "no"}, manyAnnotations(120)); err != nil {
				t.Fatal(err)
			}
			f.checkAnnotated(120, "failure")
		})
	}
}

// TestCheckRunRefusedBatch pins that a batch that is refused does not keep the check run from being completed.
func TestCheckRunRefusedBatch(t *testing.T) {
	for _, at := range []int{0, 119} {
		f := newFake(t)
		run, err := f.client().StartCheck(t.Context(), checkOptions)
		if err != nil {
			t.Fatal(err)
		}
		list := manyAnnotations(120)
		list[at].Path = "refused.yml"
		err = run.Finish(t.Context(), Conclusion{Title: "no"}, list)
		if err == nil || !strings.Contains(err.Error(), "annotations are missing") {
			t.Errorf("error is %v, want that annotations are missing", err)
		}
		if c := f.oneCheck(); c.Status != "completed" || c.Conclusion != "failure" || len(c.Annotations) < 70 {
			t.Errorf("the check run is %s, %s with %d annotations", c.Status, c.Conclusion, len(c.Annotations))
		}
	}
}

// TestCheckRunAbandoned pins that a program that breaks off leaves a failure, and one that does not leaves its verdict.
func TestCheckRunAbandoned(t *testing.T) {
	f := newFake(t)
	ctx, cancel := context.WithCancel(t.Context())
	run, err := f.client().StartCheck(ctx, checkOptions)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		defer run.Abandon(ctx, "broken off")
		panic("a fault")
	}()
	f.checkAnnotated(0, "failure")
	if got := f.oneCheck().Summary; got != "broken off" {
		t.Errorf("the summary is %q", got)
	}

	f = newFake(t)
	if run, err = f.client().StartCheck(t.Context(), checkOptions); err != nil {
		t.Fatal(err)
	}
	if err := run.Finish(t.Context(), Conclusion{Success: true}, nil); err != nil {
		t.Fatal(err)
	}
	if err := run.Abandon(t.Context(), "broken off"); err != nil {
		t.Fatal(err)
	}
	f.checkAnnotated(0, "success")

	var none *CheckRun
	if err := none.Finish(t.Context(), Conclusion{}, nil); err != nil || none.Abandon(t.Context(), "") != nil || none.URL() != "" {
		t.Error("a check run that is not there does something")
	}
}

// TestCheckRunLimits pins that hostile and long texts are accepted by a GitHub that takes its limits seriously.
func TestCheckRunLimits(t *testing.T) {
	f := newFake(t)
	long := strings.Repeat("é\U0001f600\n", 100_000)
	options := checkOptions
	options.Name = "n\U0001f600 (" + strings.Repeat("x", 400) + ")"
	run, err := f.client().StartCheck(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	var list []Annotation
	for _, s := range append(hostile, long) {
		list = append(list, Annotation{Path: "a/" + s, Level: Failure, Title: s, Message: s + "."}, Annotation{Level: Notice, Message: "x" + s})
	}
	if err := run.Finish(t.Context(), Conclusion{Title: long, Summary: long, Text: long}, list); err != nil {
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
