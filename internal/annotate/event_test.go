package annotate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/baseline"
)

const mergeSHA = "3333333333333333333333333333333333333333"

// readEvent reads an event whose payload is given.
func readEvent(t *testing.T, name, payload string) (Event, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(file, []byte(payload), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{
		"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": file, "GITHUB_REPOSITORY": "octo/tools", "GITHUB_SHA": mergeSHA,
		"GITHUB_RUN_ID": "5", "GITHUB_RUN_ATTEMPT": "2", "GITHUB_WORKFLOW": "CI", "GITHUB_JOB": "gates",
	}
	return ReadEvent(func(name string) string { return env[name] })
}

// pullPayload is the payload of a pull request whose head is in the repository given in JSON.
func pullPayload(repo string) string {
	return `{"pull_request": {"number": 7, "base": {"sha": "` + otherSHA + `"}, "head": {"sha": "` + headSHA + `", "repo": ` + repo + `}}}`
}

func TestReadEvent(t *testing.T) {
	zeros := strings.Repeat("0", 40)
	event := func(change func(*Event)) Event {
		e := Event{
			Owner: "octo", Repo: "tools", SHA: mergeSHA, HeadSHA: mergeSHA, Workflow: "CI", Job: "gates", RunID: 5, RunAttempt: 2,
			APIURL: "https://api.github.com", ServerURL: "https://github.com",
		}
		change(&e)
		return e
	}
	pull := func(repo string, fork bool) func(*Event) {
		return func(e *Event) {
			e.ForPullRequest, e.Number, e.BaseSHA, e.HeadSHA, e.HeadRepo, e.Fork = true, 7, otherSHA, headSHA, repo, fork
		}
	}
	for _, test := range []struct {
		name, event, payload string
		want                 Event
	}{
		{"own branch", "pull_request", pullPayload(`{"full_name": "Octo/tools"}`), event(pull("Octo/tools", false))},
		{"fork", "pull_request", pullPayload(`{"full_name": "someone/tools"}`), event(pull("someone/tools", true))},
		{"deleted fork", "pull_request", pullPayload(`null`), event(pull("", true))},
		{"target", "pull_request_target", pullPayload(`{"full_name": "someone/tools"}`), event(pull("someone/tools", true))},
		{"push", "push", `{"before": "` + otherSHA + `"}`, event(func(e *Event) { e.Before = otherSHA })},
		{"new branch", "push", `{"before": "` + zeros + `"}`, event(func(e *Event) { e.Before = zeros })},
		{"merge group", "merge_group", `{"merge_group": {"head_sha": "` + headSHA + `", "base_sha": "` + otherSHA + `"}}`, event(func(e *Event) {
			e.HeadSHA, e.BaseSHA, e.HeadRepo = headSHA, otherSHA, "octo/tools"
		})},
		{"dispatch", "workflow_dispatch", `{"inputs": null}`, event(func(*Event) {})},
		{"schedule", "schedule", `{"schedule": "0 0 * * *"}`, event(func(*Event) {})},
		{"another", "repository_dispatch", `{"pull_request": {"number": 3}}`, event(func(*Event) {})},
		{"workflow_run of a fork", "workflow_run", `{"workflow_run": {"event": "pull_request", "head_sha": "` + headSHA + `",
			"head_repository": {"full_name": "someone/tools"}, "pull_requests": [{"number": 999}]}}`, event(func(e *Event) {
			e.ForPullRequest, e.HeadSHA, e.HeadRepo, e.Fork = true, headSHA, "someone/tools", true
		})},
		{"workflow_run of a push", "workflow_run", `{"workflow_run": {"event": "push", "head_sha": "` + headSHA + `",
			"head_repository": {"full_name": "octo/tools"}}}`, event(func(e *Event) { e.HeadSHA, e.HeadRepo = headSHA, "octo/tools" })},
		{"nothing", "pull_request", `{}`, event(func(e *Event) { e.ForPullRequest, e.Fork = true, true })},
		{"hostile", "pull_request", `{"pull_request": {"number": -1.5, "base": [], "head": {"sha": "../../x", "repo": {"full_name": "a/../b"}}}}`,
			event(func(e *Event) { e.ForPullRequest, e.Fork = true, true })},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := readEvent(t, test.event, test.payload)
			if err != nil {
				t.Fatal(err)
			}
			test.want.Name = test.event
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadEventMistakes(t *testing.T) {
	for _, payload := range []string{"", "[]", "{", "null x", `"x"`} {
		e, err := readEvent(t, "pull_request", payload)
		if err == nil || e.HeadSHA != mergeSHA || e.Owner != "octo" {
			t.Errorf("payload %q: %+v, %v; want an error and what the environment tells", payload, e, err)
		}
	}
	env := map[string]string{
		"GITHUB_REPOSITORY": "octo/tools/../x", "GITHUB_SHA": "main", "GITHUB_RUN_ID": "x", "GITHUB_API_URL": "https://a@b/?c",
		"GITHUB_EVENT_PATH": filepath.Join(t.TempDir(), "gone"),
	}
	e, err := ReadEvent(func(name string) string { return env[name] })
	if err == nil {
		t.Fatal("no mistake is found")
	}
	for name := range env {
		want := name
		if name == "GITHUB_EVENT_PATH" {
			want = "read the event's payload"
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error is %q, want it to name %s", err, want)
		}
	}
	if e.Owner != "" || e.SHA != "" || e.APIURL != "https://api.github.com" {
		t.Errorf("event is %+v", e)
	}
}

// FuzzPayload holds that whatever the payload says, the event's SHAs and repository can stand in an address.
func FuzzPayload(f *testing.F) {
	f.Add("pull_request", pullPayload("null"))
	f.Add("merge_group", `{"merge_group": {"head_sha": 1e400}}`)
	f.Add("workflow_run", `{"workflow_run": {"head_sha": {"sha": []}}}`)
	f.Add("push", `{"before": "`+strings.Repeat("g", 40)+`"}`)
	f.Fuzz(func(t *testing.T, name, payload string) {
		e, _ := readEvent(t, name, payload)
		for _, sha := range []string{e.HeadSHA, e.BaseSHA, e.Before} {
			if sha != "" && !baseline.IsSHA(sha) {
				t.Errorf("payload %q: SHA %q", payload, sha)
			}
		}
		if e.HeadRepo != "" && !isRepoName(e.HeadRepo) || e.Number < 0 {
			t.Errorf("payload %q: repository %q, number %d", payload, e.HeadRepo, e.Number)
		}
	})
}

// TestPrivileged pins under which events nothing of the head may be run.
func TestPrivileged(t *testing.T) {
	for name, want := range map[string]bool{
		"pull_request": false, "pull_request_target": true, "workflow_run": true, "push": false, "merge_group": false, "schedule": false,
	} {
		if got := (Event{Name: name}).Privileged(); got != want {
			t.Errorf("%s is privileged: %v, want %v", name, got, want)
		}
	}
}

func TestRunURL(t *testing.T) {
	e := Event{ServerURL: "https://ghe.example", Owner: "octo", Repo: "tools", RunID: 5, RunAttempt: 2}
	if got, want := e.RunURL(), "https://ghe.example/octo/tools/actions/runs/5/attempts/2"; got != want {
		t.Errorf("RunURL() = %q, want %q", got, want)
	}
	if got := (Event{}).RunURL(); got != "" {
		t.Errorf("without a run it is %q", got)
	}
}
