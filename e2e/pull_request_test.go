package e2e

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/org/mcp-gates/e2e/github"
	"github.com/org/mcp-gates/e2e/repo"
	"github.com/org/mcp-gates/e2e/runner"
)

func TestPullRequests(t *testing.T) {
	play(t, []scenario{
		{"first", first},
		{"second push", secondPush},
		{"run again", runAgain},
		{"red turns green", redTurnsGreen},
		{"nothing to say", nothingToSay},
		{"base in the clone", baseInTheClone},
		{"matrix of two jobs", matrix},
		{"head moved on", headMovedOn},
		{"newer comment", newerComment},
		{"closed meanwhile", closedMeanwhile},
		{"marker of somebody else", foreignMarker},
		{"two comments", twoComments},
		{"long discussion", longDiscussion},
		{"mistake in the suite", mistake},
		{"recording missing", recordingMissing},
		{"base in the workspace", baseInTheWorkspace},
		{"newer head in the workspace", newerInTheWorkspace},
	})
}

// judged are the checks of a pull request that makes both cases worse.
func (w *world) judged(o *outcome) {
	w.Helper()
	k := o.check()
	if k.HeadSHA != w.hub.HeadOf(w.pull) || k.Name != "mcp-gates report" {
		w.Errorf("check run %q on %s, want it on the head of the pull request", k.Name, k.HeadSHA)
	}
	w.says("the annotations", titles(k), "failure missed class: warn", "failure unexpected tool: weather.delete_all",
		"failure min_selection_rate: weather selection", "failure tool_selection.f1: storm warning")
	body := w.one().Body
	w.says("the comment", body, "2 of 2 cases failed", "F1 100 → 50", "2 regressions", "p = 0.09", "weather.delete_all", "100 → 60")
	w.says("the summary", o.Summary, "2 of 2 cases failed", "F1 100 → 50", "weather.delete_all")
	w.outputs(o, map[string]string{
		"verdict": "fail", "cases": "2", "failed": "2", "f1": "50", "selection-rate": "60", "regressions": "2",
		"report": "mcp-gates-report.json",
	})
	if !strings.HasSuffix(o.Outputs["comment-url"], fmt.Sprintf("-%d", w.one().ID)) {
		w.Errorf("output comment-url is %q", o.Outputs["comment-url"])
	}
}

// outputs compares some of the outputs.
func (w *world) outputs(o *outcome, want map[string]string) {
	w.Helper()
	for name, value := range want {
		if o.Outputs[name] != value {
			w.Errorf("output %s is %q, want %q", name, o.Outputs[name], value)
		}
	}
}

func first(w *world) {
	w.open(weather(), worse())
	j := w.job()
	o := w.run(j, w.gates(j.Workspace))
	w.judged(o)
	o.atMost(15)
	if out := o.clean(); out != "?? mcp-gates-report.json" {
		w.Errorf("the workspace has changed: %q", out)
	}
}

func secondPush(w *world) {
	w.open(weather(), worse())
	w.run(w.job(), 1)
	before := w.one()
	w.push(worse().With(repo.Files{"cassettes/selection.json": picks(5)}))
	o := w.run(w.job(), 1)
	o.atMost(15)
	after := w.one()
	if after.ID != before.ID || after.Edits != 1 || after.Body == before.Body {
		w.Errorf("comment %d became %d with %d edits, want it changed once", before.ID, after.ID, after.Edits)
	}
	w.says("the comment", after.Body, "100 → 50** (−50)")
	if checks := w.hub.Checks(); len(checks) != 2 || checks[0].HeadSHA == checks[1].HeadSHA {
		w.Errorf("%d check runs, want one for each push", len(checks))
	}
}

func runAgain(w *world) {
	w.open(weather(), worse())
	j := w.job()
	w.run(j, 1)
	j.Attempt = 2
	w.run(j, 1)
	if c := w.one(); !strings.Contains(c.Body, "attempts/2") {
		w.Errorf("the comment leads to another attempt: %s", c.Body)
	}
	if checks := w.hub.Checks(); len(checks) != 2 || checks[0].ExternalID == checks[1].ExternalID {
		w.Errorf("%d check runs, want one for each attempt", len(checks))
	}
}

func redTurnsGreen(w *world) {
	w.open(weather(), worse())
	w.run(w.job(), 1)
	w.push(weather())
	o := w.run(w.job(), 0)
	c := w.one()
	w.says("the comment", c.Body, "✅ 2 cases passed")
	w.lacks("the comment", c.Body, "❌")
	if c.Edits != 1 || len(o.check().Annotations) != 0 {
		w.Errorf("%d edits and %d annotations, want 1 and none", c.Edits, len(o.check().Annotations))
	}
}

func nothingToSay(w *world) {
	w.open(weather(), weather().With(repo.Files{"README.md": "# Weather, again\n"}))
	o := w.run(w.job(), 0)
	if n := len(w.comments()); n != 0 {
		w.Errorf("%d comments, want none", n)
	}
	w.outputs(o, map[string]string{"verdict": "pass", "regressions": "0", "comment-url": "", "surface-tokens-delta": "0"})
	o.atMost(15)
}

func baseInTheClone(w *world) {
	w.open(weather(), worse())
	j := w.jobWithGit()
	o := w.run(j, w.gates(j.Workspace))
	w.judged(o)
	o.atMost(12)
	for _, name := range o.operations() {
		if strings.HasPrefix(name, "git/") || strings.HasPrefix(name, "repos/") {
			w.Errorf("the base was in the clone, and GitHub was asked: %s", name)
		}
	}
}

func matrix(w *world) {
	w.open(weather(), worse())
	var jobs []runner.Job
	for _, server := range []string{"small", "large"} {
		j := w.job()
		j.Matrix = map[string]any{"server": server}
		jobs = append(jobs, j)
	}
	var done sync.WaitGroup
	for _, j := range jobs {
		done.Go(func() {
			if o := w.start(j); o.Exit != 1 {
				w.Errorf("exit status %d; log:\n%s", o.Exit, o.Log)
			}
		})
	}
	done.Wait()
	names := map[string]bool{}
	for _, k := range w.hub.Checks() {
		names[k.Name] = k.Status == "completed" && len(k.Annotations) == 5
	}
	if len(names) != 2 || !names["mcp-gates report (small)"] || !names["mcp-gates report (large)"] {
		w.Errorf("check runs %v, want a complete one for each job", names)
	}
	if n := len(w.comments()); n != 2 {
		w.Errorf("%d comments, want one for each job", n)
	}
	for _, j := range jobs {
		j.Attempt = 2
		w.run(j, 1)
	}
	if n := len(w.comments()); n != 2 {
		w.Errorf("%d comments after a second attempt, want one for each job", n)
	}
}

func headMovedOn(w *world) {
	w.open(weather(), worse())
	j := w.job()
	old := w.hub.HeadOf(w.pull)
	w.push(weather())
	o := w.run(j, 1)
	if k := o.check(); k.HeadSHA != old {
		w.Errorf("check run on %s, want it on the commit that was judged", k.HeadSHA)
	}
	if n := len(w.comments()); n != 0 {
		w.Errorf("%d comments about a head that is not it any more", n)
	}
}

// baseInTheWorkspace has a workflow check out the base, which is as good as ever.
func baseInTheWorkspace(w *world) {
	w.open(weather(), worse())
	j := w.jobOfPull("refs/pull/7/merge", w.checkout("refs/heads/main", 1))
	j.WithoutGit, j.Inputs["fail-on-weakened"] = false, "true"
	o := w.run(j, 3)
	if k := o.check(); k.HeadSHA != w.hub.HeadOf(w.pull) || k.Conclusion != "failure" {
		w.Errorf("check run %q on %s, want a failure on the head of the pull request", k.Conclusion, k.HeadSHA)
	}
	w.says("the log", o.Log, "which does not have the change "+w.hub.HeadOf(w.pull))
}

// newerInTheWorkspace has a workflow check out the branch, which has a newer commit meanwhile: a shallow clone does not show that
// the change is among its ancestors.
func newerInTheWorkspace(w *world) {
	w.open(weather(), weather())
	j := w.job()
	w.push(weather())
	w.push(weather())
	j.Workspace = w.checkout("refs/pull/7/head", 1)
	j.WithoutGit, j.Inputs["fail-on-weakened"] = false, "true"
	o := w.run(j, 0)
	w.lacks("the log", o.Log, "does not have the change")
	o.atMost(15)
}

func newerComment(w *world) {
	w.open(weather(), worse())
	late := w.job()
	w.push(worse().With(repo.Files{"cassettes/selection.json": picks(5)}))
	w.run(w.job(), 1)
	before := w.one()
	w.run(late, 1)
	if after := w.one(); after != before {
		w.Errorf("a late job changed the comment:\n%s", after.Body)
	}
}

func closedMeanwhile(w *world) {
	w.open(weather(), worse())
	j := w.job()
	w.hub.Change(func() { w.pull.Closed = true })
	w.run(j, 1)
	if n := len(w.comments()); n != 0 {
		w.Errorf("%d comments on a closed pull request", n)
	}
}

func foreignMarker(w *world) {
	w.open(weather(), worse())
	j := w.job()
	w.run(j, 1)
	own := w.one()
	planted := w.hub.AddComment(pullNumber, "mallory", own.Body)
	botlike := w.hub.AddComment(pullNumber, "mallory[bot]", own.Body)
	w.push(worse().With(repo.Files{"cassettes/selection.json": picks(5)}))
	w.run(w.job(), 1)
	if after := w.one(); after.ID != own.ID || after.Body == own.Body {
		w.Errorf("comment %d is %+v, want it changed", own.ID, after)
	}
	w.untouched(planted.ID, own.Body)
	w.untouched(botlike.ID, own.Body)
}

func (w *world) untouched(id int64, body string) {
	w.Helper()
	for _, c := range w.hub.Comments() {
		if c.ID == id && c.Edits == 0 && c.Body == body {
			return
		}
	}
	w.Errorf("comment %d of somebody else was changed or deleted", id)
}

func twoComments(w *world) {
	w.open(weather(), worse())
	w.run(w.job(), 1)
	own := w.one()
	w.hub.AddComment(pullNumber, "github-actions[bot]", own.Body)
	other := w.hub.AddComment(pullNumber, "github-actions[bot]", "Another tool says:\n\n"+own.Body)
	w.push(worse().With(repo.Files{"cassettes/selection.json": picks(5)}))
	o := w.run(w.job(), 1)
	o.atMost(15)
	if list := w.comments(); len(list) != 2 || list[0].ID != own.ID || list[0].Edits != 1 || list[1].ID != other.ID {
		w.Errorf("comments %+v, want the first of ours changed, the second one gone and the third left alone", list)
	}
}

func longDiscussion(w *world) {
	w.open(weather(), worse())
	for i := range 230 {
		w.hub.AddComment(pullNumber, "octocat", fmt.Sprint("remark ", i))
	}
	w.run(w.job(), 1)
	for i := range 90 {
		w.hub.AddComment(pullNumber, "octocat", fmt.Sprint("answer ", i))
	}
	w.push(weather())
	w.run(w.job(), 0)
	if c := w.one(); c.Edits != 1 {
		w.Errorf("%d edits, want 1", c.Edits)
	}
}

func mistake(w *world) {
	w.open(weather(), weather().With(repo.Files{
		"mcp-gates.yml": strings.Replace(weatherSuite, "min_selection_rate", "min_selection_rte", 1),
	}))
	j := w.job()
	o := w.run(j, w.gates(j.Workspace))
	if o.Exit != 2 {
		w.Errorf("exit status %d, want 2", o.Exit)
	}
	w.says("the check run", titles(o.check()), "failure mistake")
	i := slices.IndexFunc(o.check().Annotations, func(a github.Annotation) bool {
		return a.Path == "mcp-gates.yml" && a.StartLine == 15 && strings.Contains(a.Message, "min_selection_rate")
	})
	if i < 0 {
		w.Errorf("annotations %+v, want one at mcp-gates.yml:15 with the name that was meant", o.check().Annotations)
	}
	w.says("the comment", w.one().Body, "mistake", "min&#95;selection&#95;rte")
	w.outputs(o, map[string]string{"verdict": "error"})
}

func recordingMissing(w *world) {
	w.open(weather(), weather().With(repo.Files{"cassettes/storm.json": ""}))
	j := w.job()
	o := w.run(j, w.gates(j.Workspace))
	w.outputs(o, map[string]string{"verdict": "error", "errors": "1"})
	w.says("the comment", w.one().Body, "could not be evaluated")
}
