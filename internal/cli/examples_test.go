package cli

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/rogpeppe/go-internal/diff"
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

// mostReadmeWords bounds the README: what a newcomer needs, and where the rest is.
const mostReadmeWords = 1200

// TestReadme holds the README, and the page on live runs, to what the program prints, and to the workflow that is shown.
func TestReadme(t *testing.T) {
	printed := func(args ...string) string {
		var stdout, stderr strings.Builder
		run(append([]string{"run", "--workspace", repository}, args...), noEnvironment, strings.NewReader(""), &stdout, &stderr)
		return stdout.String()
	}
	workflow := read(t, "examples/workflows/pull-request.yml")
	_, workflow, _ = strings.Cut(workflow, "name: mcp-gates\n")
	for _, test := range []struct{ page, what, want string }{
		{"README.md", "the quickstart's output", printed("examples/quickstart")},
		{"README.md", "the workflow", workflow},
		{"docs/live.md", "the live example's output", printed("examples/live", "--filter", "look-alikes")},
	} {
		if page := read(t, test.page); test.want == "" || !strings.Contains(page, strings.TrimSpace(test.want)+"\n```") {
			t.Errorf("%s does not show %s, which is\n%s", test.page, test.what, test.want)
		}
	}
	if words := len(strings.Fields(read(t, "README.md"))); words > mostReadmeWords {
		t.Errorf("README.md has %d words, want at most %d", words, mostReadmeWords)
	}
}

// TestLogsExample holds examples/logs, and what docs/import.md shows of it, to what import makes of the sessions there: the cassette,
// and the draft, under another name.
func TestLogsExample(t *testing.T) {
	page, suite := read(t, "docs/import.md"), read(t, "examples/logs/mcp-gates.yml")
	recorded, err := fs.Glob(os.DirFS(repository), "examples/logs/cassettes/*")
	if err != nil || len(recorded) != 1 {
		t.Fatalf("got cassettes %q and error %v, want one", recorded, err)
	}
	cassette := read(t, recorded[0])
	dir := t.TempDir()
	if err := os.CopyFS(path.Join(dir, "sessions"), os.DirFS(path.Join(repository, "examples/logs/sessions"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, args := range [][]string{{"import", "sessions", "--suggest"}, {"run", "mcp-gates.suggested.yml"}} {
		var stdout, stderr strings.Builder
		if got := run(args, noEnvironment, strings.NewReader(""), &stdout, &stderr); got != report.ExitPass {
			t.Fatalf("%q: exit status %d\n%s", args, got, stderr.String())
		}
		if !strings.Contains(page, "\n"+strings.TrimSpace(stdout.String())+"\n") {
			t.Errorf("docs/import.md does not show what %q prints, which is\n%s", args, stdout.String())
		}
	}
	recorder := regexp.MustCompile(`"recorder": ?"mcp-gates [^ ]+ `) // whose version a release raises
	for name, want := range map[string]string{"mcp-gates.suggested.yml": suite, path.Join("cassettes", path.Base(recorded[0])): cassette} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, got := recorder.ReplaceAllString(want, ""), recorder.ReplaceAllString(string(data), "")
		if got != want {
			t.Errorf("examples/logs differs from %s:\n%s", name, diff.Diff("want", []byte(want), "got", []byte(got)))
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
