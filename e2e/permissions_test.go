package e2e

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/e2e/github"
	"github.com/org/mcp-gates/e2e/repo"
)

func TestPermissions(t *testing.T) {
	play(t, []scenario{
		{"fork", fork},
		{"Dependabot", dependabot},
		{"deleted head repository", deletedHead},
		{"may check but not comment", checkOnly},
		{"may comment but not check", commentOnly},
		{"private repository", privateRepo},
		{"token missing", tokenMissing},
		{"token unknown", tokenUnknown},
		{"token of a person", personalToken},
		{"token of another app", appToken},
	})
}

// unpublished checks that all that a read-only token cannot publish is in the log and in the summary.
func (w *world) unpublished(o *outcome, reason string) {
	w.Helper()
	if len(w.hub.Checks()) != 0 || len(w.hub.Comments()) != 0 {
		w.Errorf("%d check runs and %d comments with a token that reads", len(w.hub.Checks()), len(w.hub.Comments()))
	}
	said := strings.Join(o.Annotations(), "\n")
	w.says("the annotations in the log", said, "error missed class: warn", "error unexpected tool: weather.delete_all",
		"error min_selection_rate: weather selection", "warning : The check run was not made", "warning : The comment was not written", reason)
	w.says("the summary", o.Summary, "2 of 2 cases failed", "F1 100 → 50", "weather.delete_all", "Not everything could be published")
	w.outputs(o, map[string]string{"verdict": "fail", "regressions": "2", "check-url": "", "comment-url": ""})
}

func (w *world) restrict(permissions []string) {
	w.hub.Allow(github.ActionsToken(token, permissions...))
}

func fork(w *world) {
	w.open(weather(), worse())
	w.pull.HeadRepo = "mallory/tools"
	w.restrict(readOnly)
	j := w.job()
	o := w.run(j, w.gates(j.Workspace))
	w.unpublished(o, "fork")
	o.atMost(15)
}

func dependabot(w *world) {
	w.open(weather(), worse())
	w.restrict(readOnly)
	j := w.job()
	j.Actor = "dependabot[bot]"
	o := w.run(j, w.gates(j.Workspace))
	w.unpublished(o, "pull-requests: write")
}

func deletedHead(w *world) {
	w.open(weather(), worse())
	w.pull.HeadRepo = ""
	w.restrict(readOnly)
	j := w.job()
	o := w.run(j, w.gates(j.Workspace))
	w.unpublished(o, "fork")
}

func checkOnly(w *world) {
	w.open(weather(), worse())
	w.restrict([]string{"contents: read", "checks: write"})
	o := w.run(w.job(), 1)
	w.says("the annotations", titles(o.check()), "missed class: warn")
	w.says("the warnings", strings.Join(o.Annotations(), "\n"), "pull-requests: write")
	if n := len(o.Annotations()); n != 1 || len(w.comments()) != 0 {
		w.Errorf("%d annotations in the log and %d comments, want one warning and none", n, len(w.comments()))
	}
}

func commentOnly(w *world) {
	w.open(weather(), worse())
	w.restrict([]string{"contents: read", "pull-requests: write"})
	o := w.run(w.job(), 1)
	w.says("the annotations", strings.Join(o.Annotations(), "\n"), "missed class: warn", "checks: write")
	w.says("the comment", w.one().Body, "2 of 2 cases failed")
	if len(o.checks) != 0 {
		w.Error("a check run was made")
	}
}

func privateRepo(w *world) {
	w = newWorld(w.T, func(c *github.Config) { c.Private = true })
	w.open(weather(), worse())
	o := w.run(w.job(), 1)
	w.judged(o)
}

func tokenMissing(w *world) {
	w.open(weather(), worse())
	j := w.job()
	j.Token = ""
	o := w.run(j, w.gates(j.Workspace))
	if len(o.requests) != 0 {
		w.Errorf("requests without a token: %v", o.requests)
	}
	w.says("the annotations", strings.Join(o.Annotations(), "\n"), "missed class: warn", "github-token")
	w.says("the summary", o.Summary, "2 of 2 cases failed")
}

func tokenUnknown(w *world) {
	w.open(weather(), worse())
	j := w.job()
	j.Token = "ghs_expired"
	o := w.run(j, w.gates(j.Workspace))
	w.says("the annotations", strings.Join(o.Annotations(), "\n"), "missed class: warn", "401")
}

// withToken runs two jobs with a token of another kind, and returns the comments after them.
func (w *world) withToken(t github.Token) []github.Comment {
	w.Helper()
	w.hub.Allow(t)
	w.open(weather(), worse())
	for _, right := range []int{5, 4} {
		w.push(worse().With(repo.Files{"cassettes/selection.json": picks(right)}))
		j := w.job()
		j.Inputs["github-token"] = t.Value
		j.Token = t.Value
		w.run(j, 1)
	}
	return w.hub.Comments()
}

func personalToken(w *world) {
	list := w.withToken(github.Token{Value: "ghp_octocat", Login: "octocat", Permissions: map[string]string{"pull-requests": "write", "contents": "read"}})
	if len(list) != 1 || list[0].Login != "octocat" || list[0].Edits != 1 {
		w.Errorf("comments %+v, want one of octocat that was changed once", list)
	}
}

func appToken(w *world) {
	t := github.ActionsToken("ghs_app", everything...)
	t.Login = "our-robot[bot]"
	list := w.withToken(t)
	if len(list) != 1 || list[0].Login != t.Login || list[0].Edits != 1 {
		w.Errorf("comments %+v, want one of the app that was changed once", list)
	}
	if n := len(w.hub.Checks()); n != 2 {
		w.Errorf("%d check runs, want 2", n)
	}
}
