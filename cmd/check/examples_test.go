package main

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
)

// repository is the top of the repository, from this package.
const repository = "../.."

// TestExamples runs every example as it stands: mcp-gates.yml passes, failing.yml fails.
func TestExamples(t *testing.T) {
	suites, err := fs.Glob(os.DirFS(repository), "examples/*/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string]int{"mcp-gates.yml": report.ExitPass, "failing.yml": report.ExitFail}
	ran := 0
	for _, suite := range suites {
		want, ok := wanted[path.Base(suite)]
		if !ok {
			continue
		}
		ran++
		t.Run(suite, func(t *testing.T) {
			var stdout, stderr strings.Builder
			got := run([]string{"run", "--workspace", repository, suite}, noEnvironment, strings.NewReader(""), &stdout, &stderr)
			if got != want {
				t.Errorf("exit status: got %d, want %d\n%s%s", got, want, stdout.String(), stderr.String())
			}
			if strings.Contains(stdout.String(), "WARNINGS") && want == report.ExitPass {
				t.Errorf("warns:\n%s", stdout.String())
			}
		})
	}
	if ran < 10 {
		t.Errorf("found %d suites of examples, want at least 10: %q", ran, suites)
	}
}

// TestReadme holds the README to what the program prints, and to the workflow that it shows.
func TestReadme(t *testing.T) {
	printed := func(args ...string) string {
		var stdout, stderr strings.Builder
		run(append([]string{"run", "--workspace", repository}, args...), noEnvironment, strings.NewReader(""), &stdout, &stderr)
		return stdout.String()
	}
	workflow := read(t, "examples/workflows/pull-request.yml")
	_, workflow, _ = strings.Cut(workflow, "name: mcp-gates\n")
	for what, want := range map[string]string{
		"the quickstart's output":   printed("examples/quickstart"),
		"the live example's output": printed("examples/live", "--filter", "look-alikes"),
		"the workflow":              workflow,
	} {
		if readme := read(t, "README.md"); want == "" || !strings.Contains(readme, strings.TrimSpace(want)+"\n```") {
			t.Errorf("README.md does not show %s, which is\n%s", what, want)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(path.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func noEnvironment(string) string { return "" }
