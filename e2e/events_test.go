package e2e

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/e2e/github"
	"github.com/org/mcp-gates/e2e/repo"
	"github.com/org/mcp-gates/e2e/runner"
)

func TestEvents(t *testing.T) {
	play(t, []scenario{
		{"merge group", mergeGroup},
		{"push", push},
		{"push of a new branch", newBranch},
		{"workflow_dispatch", dispatch},
		{"schedule", schedule},
		{"workflow_run for a fork", publishFork},
		{"workflow_run for many changed files", publishMany},
		{"workflow_run for a fork of which there are two", publishRightFork},
		{"workflow_run without a pull request", publishWithoutPull},
		{"workflow_run for a pull request with a newer head", publishLate},
		{"workflow_run judged by the base", publishJudgedByBase},
		{"workflow_run of pull requests with one head", publishTwins},
		{"pull_request_target", target},
		{"Enterprise Server", enterpriseServer},
	})
}

// silent checks that nothing was said on the pull request, and that the check run is on a commit.
func (w *world) silent(o *outcome, sha string) {
	w.Helper()
	if n := len(w.hub.Comments()); n != 0 {
		w.Errorf("%d comments, want none", n)
	}
	if k := o.check(); k.HeadSHA != sha {
		w.Errorf("check run on %s, want %s", k.HeadSHA, sha)
	}
}

func mergeGroup(w *world) {
	w.open(weather(), worse())
	const ref = "refs/heads/gh-readonly-queue/main/pr-7"
	tip := w.repo.Resolve("refs/heads/main")
	sha := w.repo.Commit("queue", worse(), tip, w.hub.HeadOf(w.pull))
	w.repo.Set(ref, sha)
	j := w.jobOf("merge_group", ref)
	j.Payload = object{"action": "checks_requested", "repository": aboutRepo(), "merge_group": object{
		"head_sha": sha, "head_ref": ref, "base_sha": tip, "base_ref": "refs/heads/main",
	}}
	o := w.run(j, w.gates(j.Workspace))
	w.silent(o, sha)
	o.atMost(15)
	w.outputs(o, map[string]string{"verdict": "fail", "regressions": "2"})
	w.says("the summary", o.Summary, "F1 100 → 50")
}

// pushed returns a job for a push to main after another commit.
func (w *world) pushed(before, after repo.Files) runner.Job {
	w.Helper()
	old := w.repo.Commit("before", before)
	sha := w.repo.Commit("after", after, old)
	w.repo.Set("refs/heads/main", sha)
	j := w.jobOf("push", "refs/heads/main")
	j.Payload = object{"before": old, "after": sha, "ref": "refs/heads/main", "repository": aboutRepo()}
	return j
}

func push(w *world) {
	j := w.pushed(weather(), worse())
	o := w.run(j, w.gates(j.Workspace))
	w.silent(o, j.SHA)
	o.atMost(15)
	w.outputs(o, map[string]string{"verdict": "fail", "regressions": "2"})
}

func newBranch(w *world) {
	j := w.pushed(weather(), worse())
	j.Payload = object{"before": strings.Repeat("0", 40), "after": j.SHA, "repository": aboutRepo()}
	o := w.run(j, 1)
	w.silent(o, j.SHA)
	w.outputs(o, map[string]string{"verdict": "fail", "regressions": ""})
	w.says("the summary", o.Summary, "the push made a new branch")
	w.says("the annotations", titles(o.check()), "missed class: warn")
}

// withoutBase checks a job for an event that has no base.
func (w *world) withoutBase(event string) {
	w.Helper()
	w.repo.Set("refs/heads/main", w.repo.Commit("only", worse()))
	j := w.jobOf(event, "refs/heads/main")
	o := w.run(j, w.gates(j.Workspace))
	w.silent(o, j.SHA)
	w.outputs(o, map[string]string{"regressions": "", "surface-tokens-delta": "", "new-findings": ""})
	w.says("the summary", o.Summary, "Nothing was compared: ")
	w.says("the annotations", titles(o.check()), "missed class: warn")
	o.atMost(5)
}

func dispatch(w *world) { w.withoutBase("workflow_dispatch") }
func schedule(w *world) { w.withoutBase("schedule") }

// published returns a job that publishes for a pull request from a fork. The default branch is checked out, in which
// everything is fine.
func (w *world) published(event string) runner.Job {
	w.Helper()
	if w.pull == nil {
		w.open(weather(), worse())
	}
	w.pull.HeadRepo = "mallory/tools"
	j := w.jobOf(event, "refs/heads/main")
	if event == "pull_request_target" {
		j.Payload = object{"action": "opened", "number": pullNumber, "pull_request": w.hub.JSON(w.pull), "repository": aboutRepo()}
		return j
	}
	j.Payload = object{"action": "completed", "repository": aboutRepo(), "workflow_run": object{
		"id": 1, "event": "pull_request", "head_sha": w.hub.HeadOf(w.pull), "head_branch": "topic",
		"head_repository": object{"full_name": "mallory/tools"}, "pull_requests": []any{}, "conclusion": "failure",
	}}
	return j
}

func publishFork(w *world) {
	o := w.run(w.published("workflow_run"), 1)
	w.judged(o)
	o.atMost(15)
}

// Neither head nor base is in the workspace, and nearly all files differ.
func publishMany(w *world) {
	base := many(50)
	head := allChanged(base)
	head["cassettes/3.json"] = strings.ReplaceAll(base["cassettes/3.json"], "get_weather", "list_alerts")
	w.open(base, head)
	j := w.published("workflow_run")
	o := w.run(j, 1)
	o.atMost(15)
	w.outputs(o, map[string]string{"cases": "50", "failed": "6", "regressions": "1"})
}

func publishRightFork(w *world) {
	j := w.published("workflow_run")
	sha := w.hub.HeadOf(w.pull)
	w.repo.Set("refs/pull/8/head", sha)
	w.hub.AddPull(github.Pull{Number: 8, HeadRepo: "trudy/tools", HeadRef: "topic", BaseRef: "main"})
	for i := range 120 {
		w.repo.Set("refs/pull/"+jsonOf(100+i)+"/head", w.repo.Resolve("refs/heads/main"))
		w.hub.AddPull(github.Pull{Number: 100 + i, HeadRepo: "trudy/tools", HeadRef: "other", BaseRef: "main"})
	}
	w.run(j, 1)
	if c := w.one(); c.Number != pullNumber {
		w.Errorf("the comment is on pull request %d", c.Number)
	}
}

func publishWithoutPull(w *world) {
	j := w.published("workflow_run")
	w.hub.Change(func() { w.pull.Closed = true })
	o := w.run(j, 1)
	w.silent(o, w.hub.HeadOf(w.pull))
	w.says("the warnings", strings.Join(o.Annotations(), "\n"), "no open pull request")
}

func publishLate(w *world) {
	j := w.published("workflow_run")
	old := w.hub.HeadOf(w.pull)
	w.push(weather())
	o := w.run(j, 1)
	w.silent(o, old)
}

// Whoever closes a pull request must not become its judge: a check run stays on the commit, and the pull request can be
// opened again.
func publishJudgedByBase(w *world) {
	w.open(weather(), worse().With(repo.Files{"mcp-gates.yml": weaker}))
	j := w.published("workflow_run")
	j.Inputs["gates-from"] = "base"
	o := w.run(j, 1)
	w.outputs(o, map[string]string{"verdict": "fail", "failed": "2"})
	w.hub.Change(func() { w.pull.Closed = true })
	for _, input := range []string{"gates-from", "fail-on-weakened"} {
		j := w.published("workflow_run")
		j.Inputs[input] = map[string]string{"gates-from": "base", "fail-on-weakened": "true"}[input]
		o := w.run(j, 3)
		w.says("the errors", strings.Join(o.Annotations(), "\n"), "error ", input)
	}
}

// A head can be proposed to several branches, of which one may have no suites. The default branch's judge then.
func publishTwins(w *world) {
	w.open(weather(), worse().With(repo.Files{"mcp-gates.yml": weaker}))
	j := w.published("workflow_run")
	w.repo.Set("refs/heads/bare", w.repo.Commit("bare", repo.Files{"README.md": "# Nothing\n"}))
	w.repo.Set("refs/pull/8/head", w.hub.HeadOf(w.pull))
	w.hub.AddPull(github.Pull{Number: 8, HeadRepo: "mallory/tools", HeadRef: "topic", BaseRef: "bare"})
	j.Inputs["gates-from"] = "base"
	o := w.run(j, 1)
	w.outputs(o, map[string]string{"verdict": "fail", "failed": "2"})
	if c := w.one(); c.Number != pullNumber {
		w.Errorf("the comment is on pull request %d", c.Number)
	}
}

func target(w *world) {
	j := w.published("pull_request_target")
	o := w.run(j, 1)
	w.judged(o)
	o.atMost(15)
}

func enterpriseServer(w *world) {
	w = newWorld(w.T, func(c *github.Config) { c.Prefix, c.Contract = "/api/v3", contract(w.T, enterprise) })
	w.open(weather(), worse())
	o := w.run(w.job(), 1)
	w.judged(o)
	if url := o.Outputs["comment-url"]; !strings.HasPrefix(url, w.hub.SiteURL()) {
		w.Errorf("output comment-url is %q, want it on %s", url, w.hub.SiteURL())
	}
	// Somebody who is no bot wrote the comment, so that the server is asked who the token's user is.
	t := github.ActionsToken("ghs_app", everything...)
	t.Login = "our-robot[bot]"
	w.hub.Allow(t)
	for _, right := range []int{5, 4} {
		w.push(worse().With(repo.Files{"cassettes/selection.json": picks(right)}))
		j := w.job()
		j.Token, j.Name = t.Value, "other"
		w.run(j, 1)
	}
	if list := w.hub.Comments(); len(list) != 2 || list[1].Edits != 1 {
		w.Errorf("comments %+v, want one of each token, the second changed once", list)
	}
}
