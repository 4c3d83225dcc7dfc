package cli

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

var (
	// wholeSuite is what only a block with cases has.
	wholeSuite = regexp.MustCompile(`(?m)^(agents|tests|tool_quality|tool_bench):`)
	// namedCatalog is the path of a catalog in a shown suite.
	namedCatalog = regexp.MustCompile(`catalog: (catalogs/[\w-]+\.json)`)
)

// shownCatalog replaces the catalogs that shown suites name: the tools that their cases expect.
const shownCatalog = `{"tools": [{"name": "get_weather"}, {"name": "read_graph"}]}`

// TestSuitesShown holds the suites that the documentation shows to the reader of suites.
func TestSuitesShown(t *testing.T) {
	t.Parallel()
	shown := 0
	for _, file := range documents(t) {
		for _, block := range fence.FindAllStringSubmatch(read(t, file), -1) {
			if block[1] != "yaml" || !wholeSuite.MatchString(block[2]) {
				continue
			}
			shown++
			if out := mistakesIn(t, block[2]); out != "" {
				t.Errorf("%s shows a suite with mistakes:\n%s\n%s", file, out, block[2])
			}
		}
	}
	if shown < 5 {
		t.Errorf("got %d suites in the documentation, want at least 5", shown)
	}
	if out := mistakesIn(t, "agents: [{name: a, rnus: 3}]"); !strings.Contains(out, `did you mean "runs"`) {
		t.Errorf("a mistake in a suite: got %q", out)
	}
}

// TestYAMLShown parses each block of YAML in the documentation, also one that shows only some keys.
func TestYAMLShown(t *testing.T) {
	t.Parallel()
	parsed := 0
	for _, file := range documents(t) {
		for _, block := range fence.FindAllStringSubmatch(read(t, file), -1) {
			if block[1] != "yaml" || strings.Contains(block[2], "\n# …\n") { // that mark leaves out lines
				continue
			}
			parsed++
			var errs source.Errors
			yamlread.Parse(file, []byte("shown:\n  "+strings.ReplaceAll(block[2], "\n", "\n  ")), &errs)
			if err := errs.Err(); err != nil {
				t.Errorf("%v\n%s", err, block[2])
			}
		}
	}
	if parsed < 40 {
		t.Errorf("found %d blocks, want at least 40", parsed)
	}
}

// mistakesIn returns what validate prints of a suite, or nothing when it has no mistake.
func mistakesIn(t *testing.T, suite string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(path.Join(dir, "catalogs"), 0o777); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"mcp-gates.yml": suite, "prompts.csv": "prompt,expected_tool\nIs it raining?,get_weather\n",
		"e2eTestPrompts.md": "| Tool Name | Test Prompt |\n|---|---|\n| get_weather | Is it raining? |\n",
	}
	for _, m := range namedCatalog.FindAllStringSubmatch(suite, -1) {
		files[m[1]] = shownCatalog
	}
	for name, text := range files {
		if err := os.WriteFile(path.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr strings.Builder
	if run([]string{"validate", "--workspace", dir}, noEnvironment, strings.NewReader(""), &stdout, &stderr) == report.ExitPass {
		return ""
	}
	return stdout.String() + stderr.String()
}
