package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/org/mcp-gates/e2e/github"
	"github.com/org/mcp-gates/e2e/repo"
	"github.com/org/mcp-gates/e2e/runner"
)

// moment is one at which a job is cancelled. It returns the job, and whether it is there.
type moment struct {
	name  string
	begin func(*world) (runner.Job, func() bool)
	title string // of the check run that is left
}

// cancelled is the title of a check run whose job was cancelled before it was a failure.
const cancelled = "cancelled"

var moments = []moment{
	{"evaluation", evaluating, cancelled},
	{"evaluation of the base", evaluatingBase, cancelled},
	{"base read", hanging("git/get-tree", 0, nil), cancelled},
	{"pull request looked up", lookingUp, cancelled},
	{"check run asked for", hanging("checks/create", 0, nil), cancelled},
	{"check run made", after("checks/create", 0), cancelled},
	{"annotations added", hanging("checks/update", 0, nil), cancelled},
	{"more annotations added", after("checks/update", 1), cancelled},
	{"failure made", hanging("issues/list-comments", 0, failing), "2 of 2 cases failed"},
	{"comments listed", hanging("issues/list-comments", 0, nil), cancelled},
	{"comment asked for", hanging("issues/create-comment", 0, nil), cancelled},
	{"live run", runningLive, cancelled},
}

// TestCancelled pins that a job which is cancelled, whatever it is doing, is gone within five seconds and leaves a check
// run that is a failure, and nothing else.
func TestCancelled(t *testing.T) {
	t.Parallel()
	for _, m := range moments {
		for name, signals := range map[string][]runner.Signal{"SIGTERM": {{Signal: syscall.SIGTERM}}, "as GitHub does": runner.Cancellation} {
			t.Run(m.name+", "+name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				j, isTime := m.begin(w)
				j.Signals, j.SignalAt = signals, when(isTime)
				o := w.run(j, 3)
				w.prompt(o)
				if k := o.check(); k.Conclusion != "failure" || !strings.HasPrefix(k.Title, m.title) {
					w.Errorf("the check run is %q, %q", k.Conclusion, k.Title)
				}
				w.nothingElse(o)
			})
		}
	}
}

// prompt checks how long the job went on after it was cancelled.
func (w *world) prompt(o *outcome) {
	w.Helper()
	w.Logf("the job went on for %v", o.Lingered)
	if o.Lingered == 0 || o.Lingered > 5*time.Second {
		w.Errorf("the job ended %v after the signal, want 5 s at most", o.Lingered)
	}
}

// nothingElse checks that a job which was cancelled publishes nothing but its check run.
func (w *world) nothingElse(o *outcome) {
	w.Helper()
	w.says("the log", o.Log, "::error::the check was interrupted")
	if len(w.comments()) != 0 || len(o.Outputs) != 0 || o.Summary != "" {
		w.Errorf("%d comments, outputs %v, summary %q of a job that was cancelled", len(w.comments()), o.Outputs, o.Summary)
	}
}

// when returns a channel that is closed once it is time.
func when(isTime func() bool) <-chan struct{} {
	begun := make(chan struct{})
	go func() {
		defer close(begun)
		for end := time.Now().Add(timeout); time.Now().Before(end) && !isTime(); {
			time.Sleep(time.Millisecond)
		}
	}()
	return begun
}

// received returns what reports whether requests of an operation have come.
func (w *world) received(operation string, n int) func() bool {
	return func() bool {
		for _, r := range w.hub.Requests() {
			if r.Operation == operation {
				n--
			}
			if n == 0 {
				return true
			}
		}
		return false
	}
}

// later returns what reports that a while has passed since it was time.
func later(isTime func() bool) func() bool {
	var since time.Time
	return func() bool {
		if since.IsZero() && isTime() {
			since = time.Now()
		}
		return !since.IsZero() && time.Since(since) > time.Second
	}
}

// passing is a job of which all is published: a success with three batches of annotations, and a comment.
func passing(w *world) runner.Job {
	w.open(weather(), troubled())
	j := w.job()
	j.Inputs["fail-on"], j.Inputs["comment"] = "never", "always"
	j.Inputs["suite"] = "mcp-gates.yml"
	return j
}

// failing is one whose check run is a failure.
func failing(w *world) runner.Job {
	w.open(weather(), worse())
	return w.job()
}

// hanging cancels a job when a request has no answer and no effect.
func hanging(operation string, skip int, job func(*world) runner.Job) func(*world) (runner.Job, func() bool) {
	return stuck(github.Fault{Operation: operation, Skip: skip, Hang: true}, job)
}

// after cancels one when a request has no answer, and takes effect.
func after(operation string, skip int) func(*world) (runner.Job, func() bool) {
	return stuck(github.Fault{Operation: operation, Skip: skip, Hang: true, After: true}, nil)
}

func stuck(f github.Fault, job func(*world) runner.Job) func(*world) (runner.Job, func() bool) {
	if job == nil {
		job = passing
	}
	return func(w *world) (runner.Job, func() bool) {
		j := job(w)
		w.hub.Fail(f)
		return j, w.isStuck(f)
	}
}

func (w *world) isStuck(f github.Fault) func() bool {
	return func() bool { return w.received(f.Operation, f.Skip+1)() }
}

// endless is a suite whose evaluation takes minutes, and does not look up.
func endless() repo.Files {
	files := weather()
	for i := range 4 {
		name := fmt.Sprintf("cassettes/long-%d.json", i)
		files[name] = fmt.Sprintf(`{"runs": [{"tool_calls": [], "final_response": %q}]}`, strings.Repeat("a", 500_000+i))
		files["mcp-gates.yml"] += fmt.Sprintf("  - name: long %d\n    cassette: %s\n    expect:\n", i, name) +
			strings.Repeat(fmt.Sprintf("      - final_response: { regex: '%s' }\n", costly), 8)
	}
	return files
}

// costly is an expression that has very many ways to go on at each letter.
const costly = `(((a{1,9}){1,9}){1,9})+b`

func evaluating(w *world) (runner.Job, func() bool) {
	w.open(weather(), endless())
	j := w.job()
	j.Inputs["baseline"] = "none"
	return j, later(func() bool { return true })
}

func evaluatingBase(w *world) (runner.Job, func() bool) {
	w.open(endless(), weather())
	return w.job(), later(w.isStuck(github.Fault{Operation: "git/get-tree"}))
}

func lookingUp(w *world) (runner.Job, func() bool) {
	j := w.published("pull_request_target")
	f := github.Fault{Operation: "pulls/get", Hang: true}
	w.hub.Fail(f)
	return j, w.isStuck(f)
}

// runningLive has one server that takes no notice of anything but SIGKILL, and one whose answer takes minutes to judge.
func runningLive(w *world) (runner.Job, func() bool) {
	files := acting(w.T, "deaf")
	actor := strings.SplitAfter(files["mcp-gates.yml"], "\n")[1]
	files["mcp-gates.yml"] = strings.Replace(files["mcp-gates.yml"], actor,
		actor+strings.NewReplacer("actor:", "flood:", `"deaf"`, `"flood"`, "] ,", "],", "{ command", "{ cwd: flood, command").Replace(actor), 1) +
		"  - { name: long, prompt: 'Read the secret of the place \"Oslo\".', servers: [flood], orchestration: { error_pattern: '" + costly + "' } }\n"
	files["flood/README.md"] = "# The folder of the other server\n"
	w.open(files, files)
	j := live(w.job(), "live")
	j.Inputs["baseline"] = "none"
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(j.Workspace, name))
		return err == nil
	}
	w.Cleanup(func() {
		for _, name := range []string{"pid.note", "flood/pid.note"} {
			pid, err := strconv.Atoi(w.read(filepath.Join(j.Workspace, name)))
			if err != nil || syscall.Kill(pid, 0) == nil {
				w.Errorf("the server %d is still there (%v)", pid, err)
			}
		}
	})
	return j, later(func() bool { return exists("called.note") && exists("flood/called.note") })
}

// TestKilled pins that a job which is killed leaves no check run that is open: none, or one with the verdict.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault       github.Fault
		annotations int // below 0 for no check run
	}{
		{github.Fault{Operation: "git/get-tree"}, -1},
		{github.Fault{Operation: "checks/create"}, -1},
		{github.Fault{Operation: "checks/create", After: true}, 50},
		{github.Fault{Operation: "checks/update"}, 50},
		{github.Fault{Operation: "checks/update", After: true}, 100},
		{github.Fault{Operation: "issues/list-comments"}, 126},
		{github.Fault{Operation: "issues/create-comment", After: true}, 126},
	} {
		t.Run(fmt.Sprintf("%s, %t", test.fault.Operation, test.fault.After), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			j := passing(w)
			test.fault.Hang = true
			w.hub.Fail(test.fault)
			j.Signals, j.SignalAt = []runner.Signal{{Signal: os.Kill}}, when(w.isStuck(test.fault))
			o := w.run(j, runner.Killed)
			if test.annotations < 0 {
				if len(o.checks) != 0 {
					w.Errorf("check runs %+v, want none", o.checks)
				}
				return
			}
			if k := o.check(); k.Conclusion != "success" || len(k.Annotations) != test.annotations {
				w.Errorf("the check run is a %s with %d annotations, want a success with %d", k.Conclusion, len(k.Annotations), test.annotations)
			}
		})
	}
}

func TestCancelledWithout(t *testing.T) {
	play(t, []scenario{
		{"a token", cancelledWithoutToken},
		{"permission", cancelledWithoutPermission},
		{"an answer", cancelledWithoutAnswer},
		{"luck", cancelledWithoutLuck},
		{"a check run", cancelledWithoutCheck},
	})
}

// cancel runs a job that is cancelled while it evaluates.
func (w *world) cancel(change func(*runner.Job)) *outcome {
	w.Helper()
	j, isTime := evaluating(w)
	change(&j)
	j.Signals, j.SignalAt = []runner.Signal{{Signal: syscall.SIGTERM}}, when(isTime)
	o := w.run(j, 3)
	w.prompt(o)
	w.nothingElse(o)
	return o
}

func cancelledWithoutToken(w *world) {
	if o := w.cancel(func(j *runner.Job) { j.Token = "" }); len(o.requests) != 0 {
		w.Errorf("requests without a token: %v", o.operations())
	}
}

func cancelledWithoutPermission(w *world) {
	w.restrict(readOnly)
	o := w.cancel(func(*runner.Job) {})
	w.says("the warnings", strings.Join(o.Annotations(), "\n"), "warning : The check run does not say that the job failed", "checks: write")
	if len(o.requests) != 1 {
		w.Errorf("requests %v, want one", o.operations())
	}
}

// Nothing answers any more.
func cancelledWithoutAnswer(w *world) {
	w.hub.Fail(github.Fault{Times: -1, Hang: true})
	o := w.cancel(func(*runner.Job) {})
	w.says("the warnings", strings.Join(o.Annotations(), "\n"), "warning : The check run does not say that the job failed")
}

// The only request meets an outage, and its answer is lost.
func cancelledWithoutLuck(w *world) {
	w.hub.Fail(github.Fault{Operation: "checks/create", Status: 502, After: true})
	w.hub.Fail(github.Fault{Operation: "checks/list-for-ref", Status: 502})
	if k := w.cancel(func(*runner.Job) {}).check(); k.Conclusion != "failure" || k.Title != cancelled {
		w.Errorf("the check run is %q, %q", k.Conclusion, k.Title)
	}
}

func cancelledWithoutCheck(w *world) {
	if o := w.cancel(func(j *runner.Job) { j.Inputs["check-name"] = "off" }); len(o.requests) != 0 {
		w.Errorf("requests without a check run: %v", o.operations())
	}
}

// TestBroken pins that what cannot be evaluated leaves a check run that is a failure.
func TestBroken(t *testing.T) {
	play(t, []scenario{
		{"base that judges and cannot be read", brokenBase},
		{"pull request that cannot be read", brokenPull},
	})
}

func (w *world) broken(o *outcome) {
	w.Helper()
	if k := o.check(); k.Title != "broken off" || k.Completed != 1 || len(o.Outputs) != 0 {
		w.Errorf("the check run is %+v, the outputs %v", k, o.Outputs)
	}
}

func brokenBase(w *world) {
	w = newWorld(w.T, func(c *github.Config) { c.Private = true })
	w.open(weather(), weather())
	w.hub.Allow(github.ActionsToken(token, "checks: write", "pull-requests: write"))
	j := w.job()
	j.Inputs["gates-from"] = "base"
	w.broken(w.run(j, 3))
}

func brokenPull(w *world) {
	j := w.published("pull_request_target")
	w.hub.Fail(github.Fault{Operation: "pulls/get", Status: 404})
	w.broken(w.run(j, 3))
}
