package cli

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// examplesReadme lists the examples.
const examplesReadme = "examples/README.md"

// TestExamplesReadmeNamesAll holds the list of examples to the folders: it lists each once, with the command to record it where
// its server is the mock, and the list names no other.
func TestExamplesReadmeNamesAll(t *testing.T) {
	t.Parallel()
	readme := read(t, examplesReadme)
	rows := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| \[([^]]+)\]\(([^)]+)\) \|.*$`).FindAllStringSubmatch(readme, -1) {
		if row[1] != row[2] || rows[row[1]] != "" {
			t.Errorf("%s: row of %q leads to %q, or is the second one", examplesReadme, row[1], row[2])
		}
		rows[row[1]] = row[0]
	}
	folders, err := fs.ReadDir(os.DirFS(repository), "examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if folder.IsDir() && rows[folder.Name()] == "" {
			t.Errorf("%s has no row for examples/%s", examplesReadme, folder.Name())
		}
		delete(rows, folder.Name())
	}
	for name := range rows {
		t.Errorf("%s has a row for examples/%s, which is not there", examplesReadme, name)
	}
	suites, _ := mockedExamples(t)
	for _, suite := range suites {
		if command := "`mcp-gates run --record " + path.Dir(suite) + "`"; !strings.Contains(readme, command) {
			t.Errorf("%s does not have %s", examplesReadme, command)
		}
	}
}

// TestExamplesReadmeFindings holds the findings in the list of examples to what the program prints of the cases; -update writes them.
func TestExamplesReadmeFindings(t *testing.T) {
	t.Parallel()
	readme := read(t, examplesReadme)
	shown := 0
	want := regexp.MustCompile("```\n\\$ mcp-gates run (\\S+)\n(?s:.*?)```").ReplaceAllStringFunc(readme, func(block string) string {
		shown++
		suite := strings.Fields(block)[4]
		var stdout, stderr strings.Builder
		run([]string{"run", "--workspace", repository, suite}, noEnvironment, strings.NewReader(""), &stdout, &stderr)
		parts := strings.Split(stdout.String(), "\n\n")
		if len(parts) < 3 {
			t.Fatalf("%s: got %q, want a verdict, the case and the rest\n%s", suite, stdout.String(), stderr.String())
		}
		return "```\n$ mcp-gates run " + suite + "\n" + parts[1] + "\n```"
	})
	if shown < 9 {
		t.Errorf("%s shows the findings of %d examples, want at least 9", examplesReadme, shown)
	}
	if *update {
		if err := os.WriteFile(path.Join(repository, examplesReadme), []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if readme != want {
		t.Errorf("%s: go test ./internal/cli -run ExamplesReadme -update writes it\n%s", examplesReadme, diff.Diff("want", []byte(want), "got", []byte(readme)))
	}
}
