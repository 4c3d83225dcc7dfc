package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/org/mcp-gates/e2e/github"
	"github.com/org/mcp-gates/e2e/repo"
	"github.com/org/mcp-gates/e2e/runner"
)

// token is the workflow's own, with the permissions that the documentation asks for.
const token = "ghs_2xW9kEyN0vTqLr7BzHfJ4mPcD6sGaU1i"

var everything = []string{"contents: read", "checks: write", "pull-requests: write"}

// forks get a token that reads, whatever the workflow asks for.
var readOnly = []string{"contents: read", "checks: read", "pull-requests: read"}

// pullNumber is that of the pull request of a world.
const pullNumber = 7

// world is a repository on a GitHub, and the jobs that run for it.
type world struct {
	*testing.T
	repo *repo.Repo
	hub  *github.Server
	pull *github.Pull // nil until there is one
	jobs int64

	secrets []string // that jobs have besides their token
}

// newWorld returns an empty repository on github.com, whose workflow tokens may do everything.
func newWorld(t *testing.T, change ...func(*github.Config)) *world {
	t.Helper()
	w := &world{T: t, repo: repo.New(t)}
	config := github.Config{Repo: w.repo, Contract: contract(t, dotCom)}
	for _, do := range change {
		do(&config)
	}
	w.hub = github.New(t, config)
	w.hub.Allow(github.ActionsToken(token, everything...))
	return w
}

// open makes a pull request that turns base into head, and its test merge.
func (w *world) open(base, head repo.Files) {
	w.Helper()
	tip := w.repo.Commit("base", base)
	w.repo.Set("refs/heads/main", tip)
	w.pull = w.hub.AddPull(github.Pull{Number: pullNumber, HeadRepo: github.Owner + "/" + github.Name, HeadRef: "topic", BaseRef: "main"})
	w.push(head)
}

// push makes head the head of the pull request, and merges it into the base branch for a test.
func (w *world) push(head repo.Files) {
	w.Helper()
	tip := w.repo.Resolve("refs/heads/main")
	parent := tip
	if old := w.hub.HeadOf(w.pull); old != "" {
		parent = old
	}
	sha := w.repo.Commit("head", head, parent)
	w.repo.Set("refs/pull/7/head", sha)
	w.repo.Set("refs/pull/7/merge", w.repo.Commit("merge", head, tip, sha))
}

// job returns a job for the pull request, with its merge commit checked out at depth 1.
func (w *world) job() runner.Job {
	w.Helper()
	const merge = "refs/pull/7/merge"
	return w.jobOfPull(merge, w.checkout(merge, 1))
}

// jobWithGit returns a job for the pull request that has git, and the base in its clone.
func (w *world) jobWithGit() runner.Job {
	w.Helper()
	const merge = "refs/pull/7/merge"
	j := w.jobOfPull(merge, w.checkout(merge, 2))
	j.WithoutGit = false
	return j
}

func (w *world) jobOfPull(ref, workspace string) runner.Job {
	w.Helper()
	j := w.jobIn(workspace, "pull_request", ref)
	j.HeadRef, j.BaseRef = w.pull.HeadRef, w.pull.BaseRef
	j.Payload = map[string]any{
		"action": "synchronize", "number": pullNumber, "pull_request": w.hub.JSON(w.pull), "repository": aboutRepo(),
	}
	return j
}

func aboutRepo() map[string]any {
	return map[string]any{"full_name": github.Owner + "/" + github.Name, "default_branch": "main"}
}

// jobOf returns a job for an event, with a ref checked out at depth 1.
func (w *world) jobOf(event, ref string) runner.Job {
	w.Helper()
	return w.jobIn(w.checkout(ref, 1), event, ref)
}

// jobIn returns a job for an event in a workspace, in which the ref is checked out.
func (w *world) jobIn(workspace, event, ref string) runner.Job {
	w.Helper()
	about, err := action()
	if err != nil {
		w.Fatal(err)
	}
	w.jobs++
	return runner.Job{
		Action: about, Program: program, Workspace: workspace, Event: event, Payload: map[string]any{"repository": aboutRepo()},
		Repository: github.Owner + "/" + github.Name, SHA: w.repo.Resolve(ref), Ref: ref, RunID: 9000 + w.jobs,
		Inputs: map[string]string{}, Token: token, WithoutGit: true,
		APIURL: w.hub.URL(), ServerURL: w.hub.SiteURL(), GraphQLURL: w.hub.GraphQLURL(),
	}
}

// checkout makes a workspace. Where that is possible it belongs to another user than the program's, as in a container.
func (w *world) checkout(ref string, depth int) string {
	w.Helper()
	dir := filepath.Join(w.TempDir(), "workspace")
	w.repo.Checkout(dir, ref, depth)
	if os.Getuid() == 0 {
		const runnerUser = 1001
		if out, err := exec.Command("chown", "-R", fmt.Sprint(runnerUser), dir).CombinedOutput(); err != nil {
			w.Fatalf("chown: %v: %s", err, out)
		}
	}
	return dir
}

// withGit lets a job have git and the base in its clone.
func (w *world) withGit(j runner.Job) runner.Job {
	w.Helper()
	j.WithoutGit = false
	j.Workspace = w.checkout(j.Ref, 2)
	return j
}

// gates returns the exit status of the gates alone, on the same files and without GitHub.
func (w *world) gates(dir string, args ...string) int {
	w.Helper()
	cmd := exec.Command(program, append([]string{"run", "--workspace", dir}, args...)...)
	err := cmd.Run()
	if cmd.ProcessState == nil {
		w.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// outcome is what became of a job.
type outcome struct {
	*runner.Step
	job      runner.Job
	requests []github.Request
	checks   []github.Check // that it made
	world    *world
}

// timeout bounds a job.
const timeout = 3 * time.Minute

// run runs a job and checks what must hold in every case. want is the exit status.
func (w *world) run(j runner.Job, want int) *outcome {
	w.Helper()
	checks, requests := len(w.hub.Checks()), len(w.hub.Requests())
	o := w.start(j)
	o.requests = w.hub.Requests()[requests:]
	o.checks = w.hub.Checks()[checks:]
	if o.Exit != want {
		w.Errorf("exit status %d, want %d; log:\n%s", o.Exit, want, o.Log)
	}
	o.checkAlways()
	if w.Failed() {
		w.Logf("log of the job for %s:\n%s", j.Event, o.Log)
	}
	return o
}

// start runs a job.
func (w *world) start(j runner.Job) *outcome {
	w.Helper()
	ctx := w.Context()
	step, err := runner.Run(ctx, j)
	if err != nil {
		w.Fatal(err)
	}
	return &outcome{Step: step, job: j, world: w}
}

// comments returns those of the pull request that the workflow wrote.
func (w *world) comments() []github.Comment {
	var own []github.Comment
	for _, c := range w.hub.Comments() {
		if c.Login == "github-actions[bot]" {
			own = append(own, c)
		}
	}
	return own
}

// one returns the only comment of the workflow.
func (w *world) one() github.Comment {
	w.Helper()
	list := w.comments()
	if len(list) != 1 {
		w.Fatalf("%d comments of the workflow, want one: %+v", len(list), list)
	}
	return list[0]
}

// says fails the test unless text holds all of the words.
func (w *world) says(what, text string, words ...string) {
	w.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			w.Errorf("%s lacks %q:\n%s", what, word, text)
		}
	}
}

// lacks fails the test if text holds one of the words.
func (w *world) lacks(what, text string, words ...string) {
	w.Helper()
	for _, word := range words {
		if strings.Contains(text, word) {
			w.Errorf("%s has %q:\n%s", what, word, text)
		}
	}
}

// clean returns what git finds changed in the job's workspace.
func (o *outcome) clean() string {
	cmd := exec.Command("git", "-C", o.job.Workspace, "status", "--porcelain", "--untracked-files=all")
	cmd.Env = append(os.Environ(), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0="+o.job.Workspace)
	out, err := cmd.Output()
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(out))
}
