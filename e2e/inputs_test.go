package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/org/mcp-gates/e2e/repo"
)

func TestInputs(t *testing.T) {
	play(t, []scenario{
		{"folder below the top", workingDirectory},
		{"nothing published", nothingPublished},
		{"report elsewhere", reportElsewhere},
		{"report through a link", reportThroughLink},
		{"named pipe in the workspace", namedPipe},
		{"failures only", failuresOnly},
		{"filter", filtered},
		{"key of one's own", ownKey},
		{"wrong values", wrongValues},
		{"nothing to check", nothingToCheck},
		{"dry run", dryRun},
		{"dry run of workflow_run", dryRunOfPublishing},
	})
}

// below moves files into a folder.
func below(folder string, files repo.Files) repo.Files {
	moved := repo.Files{}
	for name, content := range files {
		moved[folder+"/"+name] = content
	}
	return moved
}

func workingDirectory(w *world) {
	w.open(below("agents/weather", weather()), below("agents/weather", worse()))
	for _, withGit := range []bool{false, true} {
		j := w.job()
		if withGit {
			j = w.withGit(j)
		}
		j.Inputs["working-directory"] = "agents/weather"
		o := w.run(j, 1)
		w.judged(o)
		for _, a := range o.check().Annotations {
			if !strings.HasPrefix(a.Path, "agents/weather/") {
				w.Errorf("annotation in %q, want the path from the top of the repository", a.Path)
			}
		}
	}
}

func nothingPublished(w *world) {
	w.open(weather(), worse())
	j := w.job()
	j.Inputs = map[string]string{"check-name": "off", "comment": "off", "summary": "false", "annotations": "none"}
	o := w.run(j, 1)
	if len(w.hub.Checks()) != 0 || len(w.hub.Comments()) != 0 || o.Summary != "" || len(o.Annotations()) != 0 {
		w.Errorf("something was published: %d check runs, %d comments, summary %q, annotations %q",
			len(w.hub.Checks()), len(w.hub.Comments()), o.Summary, o.Annotations())
	}
	w.outputs(o, map[string]string{"verdict": "fail", "regressions": "2"})
}

func reportElsewhere(w *world) {
	w.open(weather(), worse())
	j := w.job()
	j.Inputs["report"] = "out/deep/report.json"
	o := w.run(j, 1)
	w.outputs(o, map[string]string{"report": "out/deep/report.json"})
	data, err := os.ReadFile(filepath.Join(j.Workspace, "out/deep/report.json"))
	if err != nil || !strings.Contains(string(data), `"verdict": "fail"`) {
		w.Errorf("report: %v: %s", err, data)
	}
}

// A change may bring a link where the report goes. What it leads to must not be overwritten.
func reportThroughLink(w *world) {
	w.open(weather(), worse())
	j := w.job()
	outside := filepath.Join(w.TempDir(), "precious")
	if err := os.WriteFile(outside, []byte("precious"), 0o600); err != nil {
		w.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(j.Workspace, "mcp-gates-report.json")); err != nil {
		w.Fatal(err)
	}
	w.start(j)
	if data, err := os.ReadFile(outside); err != nil || string(data) != "precious" {
		w.Errorf("a file outside of the workspace holds %q, %v", clip(string(data)), err)
	}
}

// A step before the action may leave a pipe behind, which nobody writes to.
func namedPipe(w *world) {
	w.open(weather(), worse())
	j := w.job()
	name := filepath.Join(j.Workspace, "cassettes/storm.json")
	if err := errors.Join(os.Remove(name), syscall.Mkfifo(name, 0o644)); err != nil {
		w.Fatal(err)
	}
	o := w.start(j) // what must hold in every case is checked with files that can be read
	if o.Exit != 2 || o.Elapsed > 20*time.Second {
		w.Errorf("exit status %d after %v, want 2 at once", o.Exit, o.Elapsed)
	}
	w.says("the comment", w.one().Body, "not a regular file")
	w.outputs(o, map[string]string{"failed": "1", "errors": "1"})
}

func failuresOnly(w *world) {
	w.open(weather(), weather().With(repo.Files{"cassettes/selection.json": picks(9)}))
	j := w.job()
	j.Inputs["comment"] = "failures"
	w.run(j, 0)
	if n := len(w.comments()); n != 0 {
		w.Errorf("%d comments on a change under which all passes", n)
	}
	w.run(w.job(), 0)
	w.says("the comment", w.one().Body, "100 → 90")
}

func filtered(w *world) {
	w.open(weather(), worse())
	j := w.job()
	j.Inputs["filter"] = "storm"
	o := w.run(j, 1)
	w.outputs(o, map[string]string{"cases": "1", "regressions": "1"})
	w.lacks("the comment", w.one().Body, "weather selection")
}

func ownKey(w *world) {
	w.open(weather(), worse())
	for _, name := range []string{"one", "two"} {
		j := w.job()
		j.Name, j.Inputs["comment-key"] = name, "ours"
		w.run(j, 1)
	}
	if c := w.one(); c.Edits != 1 {
		w.Errorf("%d edits, want that the second job changed the comment of the first", c.Edits)
	}
}

func wrongValues(w *world) {
	w.open(weather(), worse())
	for name, value := range map[string]string{
		"mode": "recrod", "jobs": "0", "fail-on": "nevr", "annotations": "some", "max-annotations": "1001", "working-directory": "../..",
		"report": "/etc/passwd", "summary": "yes", "filter": "(", "baseline": "--upload-pack=x", "comment": "\n::error::forged",
	} {
		j := w.job()
		j.Inputs[name] = value
		o := w.run(j, 2)
		w.says("the error for "+name, strings.Join(o.Annotations(), "\n"), "error ", name)
		if len(o.requests) != 0 || len(o.Outputs) != 0 {
			w.Errorf("%s: %d requests and outputs %v after a mistake", name, len(o.requests), o.Outputs)
		}
	}
}

func nothingToCheck(w *world) {
	w.open(weather(), repo.Files{"README.md": "# Weather\n"})
	j := w.job()
	o := w.run(j, w.gates(j.Workspace))
	if o.Exit != 2 || o.check().Conclusion != "failure" {
		w.Errorf("exit status %d and conclusion %q, want that nothing is no pass", o.Exit, o.check().Conclusion)
	}
}

func dryRun(w *world) {
	w.open(weather(), worse())
	j := w.jobWithGit()
	j.Args = []string{"--dry-run"}
	o := w.run(j, 1)
	if len(o.requests) != 0 {
		w.Errorf("requests of a dry run: %v", o.requests)
	}
	w.says("the preview", o.Log, "F1 100 → 50", "missed class: warn", "verdict=fail", "regressions=2")
}

// A dry run reads what it needs, and writes nothing.
func dryRunOfPublishing(w *world) {
	j := w.published("workflow_run")
	j.Args = []string{"--dry-run"}
	o := w.run(j, 1)
	for _, r := range o.requests {
		if r.Method != "GET" {
			w.Errorf("a dry run sent %s %s", r.Method, r.Path)
		}
	}
	w.says("the preview", o.Log, "F1 100 → 50", "comment:", "regressions=2")
	if len(w.hub.Comments()) != 0 || len(w.hub.Checks()) != 0 || o.Summary != "" || len(o.Outputs) != 0 {
		w.Error("something was published")
	}
}
