package cli

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/rogpeppe/go-internal/diff"
)

// mockCommand is the line of a suite that starts the mock server.
var mockCommand = regexp.MustCompile(`    command: \["?mcp-gates"?, "?mock"?, [^\n]*`)

// TestExamplesRecordAgain records every example whose servers are this program's mock and whose agent is built in, without a key,
// and compares the cassettes with the committed ones, but for times and the version of the recorder. By default it records a third
// of them, some of which pass and some fail.
func TestExamplesRecordAgain(t *testing.T) {
	t.Parallel()
	suites, recordings := mockedExamples(t)
	if !thorough.Asked() {
		suites = everyThird(suites)
	}
	dir := t.TempDir()
	var cassettes []string
	for _, suite := range suites {
		cassettes = append(cassettes, recordings[suite]...)
		copyExample(t, dir, path.Base(path.Dir(suite)))
	}
	for _, name := range cassettes {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range suites {
		text := read(t, name)
		if strings.Contains(text, "faults:") {
			continue // they belong to a session
		}
		// One process for all runs of a suite is quicker, and the mock keeps nothing between them.
		text = mockCommand.ReplaceAllString(text, "$0\n    reuse: true")
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr strings.Builder
	args := append([]string{"run", "--record", "--jobs", "8", "--workspace", dir}, suites...)
	if got := run(args, noEnvironment, strings.NewReader(""), &stdout, &stderr); got != report.ExitFail { // of each failing.yml
		t.Fatalf("exit status: got %d, want %d\n%s%s", got, report.ExitFail, stdout.String(), stderr.String())
	}
	times := regexp.MustCompile(`"(?:duration_ms|recorded_at|recorder)": [^\n]+`)
	for _, name := range cassettes {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Errorf("%s is not recorded by an example: %v", name, err)
			continue
		}
		want, got := times.ReplaceAllString(read(t, name), ""), times.ReplaceAllString(string(data), "")
		if got != want {
			t.Errorf("%s differs from the recording of today, mcp-gates run --record:\n%s", name, diff.Diff("want", []byte(want), "got", []byte(got)))
		}
	}
}

// everyThird returns the first of all, the fourth and so on.
func everyThird(all []string) []string {
	var some []string
	for i := 0; i < len(all); i += 3 {
		some = append(some, all[i])
	}
	return some
}

// mockedExamples returns the suites of examples whose servers are the mock and whose agent is built in, and the cassettes of each.
func mockedExamples(t *testing.T) (suites []string, cassettes map[string][]string) {
	t.Helper()
	cassettes = map[string][]string{}
	files := os.DirFS(repository)
	all, err := fs.Glob(files, "examples/*/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, suite := range all {
		text := read(t, suite)
		if !strings.Contains(text, `model: "builtin:`) || !mockCommand.MatchString(text) {
			continue
		}
		suites = append(suites, suite)
		recorded, err := fs.Glob(files, path.Join(path.Dir(suite), "cassettes", strings.TrimSuffix(path.Base(suite), ".yml"), "*.json"))
		if err != nil || len(recorded) == 0 {
			t.Fatalf("%s: got cassettes %q and error %v, want at least one", suite, recorded, err)
		}
		cassettes[suite] = recorded
	}
	if len(suites) < 18 {
		t.Errorf("found %d examples on the mock, want at least 18: %q", len(suites), suites)
	}
	return suites, cassettes
}

// TestExamplesAskTheirServers has the examples on catalogs connect to their servers, and holds their snapshots to these.
func TestExamplesAskTheirServers(t *testing.T) {
	t.Parallel()
	suites := []string{"examples/tool-quality", "examples/tool-bench"}
	for _, args := range [][]string{{"run", "--live"}, {"snapshot", "--check"}} {
		var stdout, stderr strings.Builder
		args = append(append(args, "--workspace", repository), suites...)
		if got := run(args, noEnvironment, strings.NewReader(""), &stdout, &stderr); got != report.ExitPass {
			t.Errorf("%q: exit status: got %d, want %d\n%s%s", args, got, report.ExitPass, stdout.String(), stderr.String())
		}
	}
}
