package e2e

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/org/mcp-gates/e2e/github"
	"github.com/org/mcp-gates/e2e/repo"
)

// troubled are the files of a change with three batches of annotations.
func troubled() repo.Files {
	return worse().With(repo.Files{"mcp-gates.yml": shabbySuite, "catalogs/shabby.json": shabby(40)})
}

// result is what a job must leave behind, whatever went wrong on the way.
type result struct {
	check   github.Check
	comment github.Comment
	outputs map[string]string
}

// disturbed runs two jobs for two pushes and returns what the second one left behind. Before the second one, disturb may
// make things go wrong.
func (w *world) disturbed(disturb func(*github.Server)) (*outcome, result) {
	w.Helper()
	w.open(weather(), worse())
	w.run(w.job(), 1)
	w.push(troubled())
	disturb(w.hub)
	j := w.job()
	o := w.run(j, w.gates(j.Workspace))
	return o, result{o.check(), w.one(), o.Outputs}
}

// fresh runs the first job of a pull request, in which the comment is made, and returns what it left behind.
func (w *world) fresh(disturb func(*github.Server)) (*outcome, result) {
	w.Helper()
	w.open(weather(), troubled())
	disturb(w.hub)
	j := w.job()
	o := w.run(j, w.gates(j.Workspace))
	return o, result{o.check(), w.one(), o.Outputs}
}

// same compares with what an undisturbed job leaves behind.
func (w *world) same(got, want result) {
	w.Helper()
	if jsonOf(got.check.Annotations) != jsonOf(want.check.Annotations) {
		w.Errorf("%d annotations, want the same %d as without trouble", len(got.check.Annotations), len(want.check.Annotations))
	}
	if got.check.Summary != want.check.Summary || got.check.Conclusion != want.check.Conclusion {
		w.Errorf("the check run says %q:\n%s\nwant %q:\n%s", got.check.Conclusion, got.check.Summary, want.check.Conclusion, want.check.Summary)
	}
	if got.comment.Body != want.comment.Body {
		w.Errorf("the comment says:\n%s\nwant:\n%s", got.comment.Body, want.comment.Body)
	}
	for name, value := range want.outputs {
		if got.outputs[name] != value && !strings.HasSuffix(name, "-url") {
			w.Errorf("output %s is %q, want %q", name, got.outputs[name], value)
		}
	}
}

// trouble is a way in which a request goes wrong once.
type trouble struct {
	name string
	make func(hub *github.Server, operation string, skip int)
}

func fault(f github.Fault) func(*github.Server, string, int) {
	return func(hub *github.Server, operation string, skip int) {
		f.Operation, f.Skip = operation, skip
		hub.Fail(f)
	}
}

func limit(l github.Limit) func(*github.Server, string, int) {
	return func(hub *github.Server, operation string, skip int) {
		l.Operation, l.Skip = operation, skip
		hub.Limit(l)
	}
}

var troubles = []trouble{
	{"502 before the effect", fault(github.Fault{Status: 502, Message: "Server Error"})},
	{"502 after the effect", fault(github.Fault{Status: 502, After: true, Message: "Server Error"})},
	{"503 twice", fault(github.Fault{Status: 503, Times: 2, Message: "Service Unavailable"})},
	{"cut before the effect", fault(github.Fault{})},
	{"cut after the effect", fault(github.Fault{After: true})},
	{"429, primary", limit(github.Limit{Status: 429, Wait: time.Second})},
	{"403, primary", limit(github.Limit{Status: 403, Wait: time.Second})},
	{"429, secondary", limit(github.Limit{Status: 429, Secondary: true, Wait: time.Second})},
	{"403, secondary", limit(github.Limit{Status: 403, Secondary: true, Wait: time.Second})},
}

func TestFaults(t *testing.T) {
	t.Parallel()
	_, later := newWorld(t).disturbed(func(*github.Server) {})
	_, earlier := newWorld(t).fresh(func(*github.Server) {})
	for _, at := range []struct {
		operation string
		skip      int
		fresh     bool
	}{
		{"checks/create", 0, false},
		{"checks/update", 0, false},
		{"checks/update", 1, false},
		{"git/get-commit", 0, false},
		{"git/get-tree", 0, false},
		{"git/get-blob", 1, false},
		{"issues/list-comments", 0, false},
		{"pulls/get", 0, false},
		{"issues/update-comment", 0, false},
		{"issues/create-comment", 0, true},
	} {
		for _, trouble := range troubles {
			t.Run(fmt.Sprintf("%s %d, %s", at.operation, at.skip, trouble.name), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				disturb := func(hub *github.Server) { trouble.make(hub, at.operation, at.skip) }
				if at.fresh {
					_, got := w.fresh(disturb)
					w.same(got, earlier)
					return
				}
				_, got := w.disturbed(disturb)
				w.same(got, later)
			})
		}
	}
}

func TestLosses(t *testing.T) {
	play(t, []scenario{
		{"limit that lasts an hour", longLimit},
		{"limit in the middle that lasts an hour", longLimitLater},
		{"answers of the check run lost twice", lostTwice},
		{"refused annotations", refusedAnnotations},
		{"outage", outage},
		{"nobody there", nobodyThere},
	})
}

// unharmed checks that the verdict and the summary are there, and that a warning says what is not.
func (w *world) unharmed(o *outcome) {
	w.Helper()
	w.outputs(o, map[string]string{"verdict": "fail", "failed": "2"})
	w.says("the summary", o.Summary, "2 of 2 cases failed", "Not everything could be published")
	w.says("the annotations", strings.Join(o.Annotations(), "\n"), "warning ")
}

func longLimit(w *world) {
	w.open(weather(), worse())
	w.hub.Limit(github.Limit{Status: 403, Wait: time.Hour})
	j := w.job()
	begin := time.Now()
	o := w.run(j, 1)
	w.unharmed(o)
	if took := time.Since(begin); took > time.Minute {
		w.Errorf("the job took %v", took)
	}
	w.says("the annotations", strings.Join(o.Annotations(), "\n"), "rate limit", "missed class: warn")
}

func longLimitLater(w *world) {
	w.open(weather(), worse())
	w.hub.Limit(github.Limit{Operation: "issues/list-comments", Status: 429, Wait: time.Hour})
	o := w.run(w.job(), 1)
	w.says("the annotations", titles(o.check()), "missed class: warn")
	w.unharmed(o)
	if n := len(w.comments()); n != 0 {
		w.Errorf("%d comments", n)
	}
}

func lostTwice(w *world) {
	w.hub.Fail(github.Fault{Operation: "checks/create", Status: 502, After: true})
	w.hub.Fail(github.Fault{Operation: "checks/list-for-ref", Status: 502})
	w.hub.Fail(github.Fault{Operation: "issues/create-comment", After: true})
	w.hub.Fail(github.Fault{Operation: "issues/list-comments", Skip: 1, Status: 502})
	w.open(weather(), worse())
	w.judged(w.run(w.job(), 1))
}

// GitHub may refuse a batch for a reason of its own. The check run has the others, and the log begins to say what it lacks.
func refusedAnnotations(w *world) {
	w.open(weather(), troubled())
	w.hub.Fail(github.Fault{Operation: "checks/update", Status: 422, Message: "Invalid request"})
	j := w.job()
	o := w.run(j, w.gates(j.Workspace))
	w.says("the warnings", strings.Join(o.Annotations(), "\n"), "50 annotations are missing")
	if batches := o.check().Batches; !slices.Equal(batches, []int{50, 26}) {
		w.Errorf("annotations in batches of %v, want those of the first and the last", batches)
	}
	if n := len(o.Annotations()); n < 10 {
		w.Errorf("%d annotations in the log, want the first of those that are missing", n)
	}
}

// outage lasts for the whole job, which gives up in time.
func outage(w *world) {
	if testing.Short() {
		w.Skip("takes two minutes")
	}
	w.open(weather(), worse())
	w.hub.Fail(github.Fault{Times: -1, Status: 503, Message: "Unicorn!"})
	o := w.run(w.job(), 1)
	w.unharmed(o)
	w.says("the annotations", strings.Join(o.Annotations(), "\n"), "missed class: warn")
	if o.Elapsed > 130*time.Second {
		w.Errorf("the job took %v, want two minutes at most", o.Elapsed)
	}
}

func nobodyThere(w *world) {
	if testing.Short() {
		w.Skip("takes two minutes")
	}
	w.open(weather(), worse())
	j := w.job()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.Fatal(err)
	}
	j.APIURL = "http://" + free.Addr().String()
	free.Close()
	o := w.run(j, 1)
	w.unharmed(o)
	if o.Elapsed > 130*time.Second {
		w.Errorf("the job took %v, want two minutes at most", o.Elapsed)
	}
}
