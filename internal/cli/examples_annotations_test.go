package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/rogpeppe/go-internal/diff"
)

// TestExamplesAnnotations holds the annotations of the failing examples on what a run did: level, line, title and message of each
// kind of evidence. -update writes them.
func TestExamplesAnnotations(t *testing.T) {
	t.Parallel()
	const golden = "testdata/annotations_of_examples.txt"
	dir := t.TempDir()
	var all strings.Builder
	for _, example := range []string{"tool-edges", "delegation", "trajectory", "trajectory-axes", "golden-path", "limits", "stability", "growth", "recovery", "narrative"} {
		copyExample(t, dir, example)
		all.WriteString(annotationsOf(t, dir, "examples/"+example+"/failing.yml"))
	}
	if *update {
		if err := os.WriteFile(golden, []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := all.String(); got != string(want) {
		t.Errorf("the annotations differ from %s:\n%s", golden, diff.Diff("want", want, "got", []byte(got)))
	}
}

// copyExample copies the folder of an example into a workspace that does not have it.
func copyExample(t *testing.T, workspace, example string) {
	t.Helper()
	folder := filepath.Join("examples", example)
	if _, err := os.Stat(filepath.Join(workspace, folder)); err == nil {
		return
	}
	if err := os.CopyFS(filepath.Join(workspace, folder), os.DirFS(filepath.Join(repository, folder))); err != nil {
		t.Fatal(err)
	}
}

// annotationsOf returns the annotations that a dry run of the action prints for a suite of the workspace.
func annotationsOf(t *testing.T, workspace, suite string) string {
	t.Helper()
	environment := map[string]string{
		"GITHUB_WORKSPACE": workspace, "INPUT_BASELINE": "none", "INPUT_SUITE": suite, "INPUT_ANNOTATE-AT": "catalog",
	}
	var stdout, stderr strings.Builder
	getenv := func(name string) string { return environment[name] }
	if got := run([]string{"action", "--dry-run"}, getenv, strings.NewReader(""), &stdout, &stderr); got != report.ExitFail {
		t.Fatalf("%s: exit status: got %d, want %d\n%s%s", suite, got, report.ExitFail, stdout.String(), stderr.String())
	}
	_, annotations, found := strings.Cut(stdout.String(), "\nannotations: ")
	annotations, _, ended := strings.Cut(annotations, "\ncomment:")
	if !found || !ended {
		t.Fatalf("%s: no annotations in\n%s", suite, stdout.String())
	}
	return annotations + "\n"
}
