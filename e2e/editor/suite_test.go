package editor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// program is the path of the binary.
var program string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mcp-gates")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "mcp-gates")
	build := exec.Command("go", "build", "-C", "../..", "-trimpath", "-o", program, "./cmd/check")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build the program:", err)
		return 1
	}
	return m.Run()
}

// schemaFile writes the schema that the program prints into a folder.
func schemaFile(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := exec.Command(program, "schema", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "mcp-gates.schema.json")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// workspace returns a folder with the files of testdata.
func workspace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestExamples pins that nothing is underlined in the suites of examples/.
func TestExamples(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	for schema, isOf := range map[string]*regexp.Regexp{
		"suite":    regexp.MustCompile(`(?m)^(agents|tests|tool_quality|tool_bench):`),
		"manifest": regexp.MustCompile(`(?m)^mock_server:`),
		"bench":    regexp.MustCompile(`(?m)^intents:`),
	} {
		t.Run(schema, func(t *testing.T) {
			s := newServer(t, examples, schemaFile(t, t.TempDir(), schema))
			opened := 0
			for _, name := range yamlFiles(t, examples, isOf) {
				opened++
				for _, d := range s.open(name) {
					t.Errorf("%s:%d: %s", name, d.Range.Start.Line+1, d.Message)
				}
			}
			t.Logf("%d files", opened)
			if opened == 0 {
				t.Error("examples has no file of this kind")
			}
		})
	}
}

func yamlFiles(t *testing.T, dir string, isOf *regexp.Regexp) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".yml" {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if isOf.Match(text) {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestMistakes pins that the server underlines mistakes of shape in the lines in which the program reports them.
func TestMistakes(t *testing.T) {
	dir := workspace(t)
	schemaFile(t, dir, "suite")
	s := newServer(t, dir, "")
	names, err := filepath.Glob(filepath.Join(dir, "mistakes", "*.yml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no file with mistakes was found: %v", err)
	}
	for _, path := range names {
		name, _ := filepath.Rel(dir, path)
		want, said := reported(t, dir, name)
		var got, messages []string
		for _, d := range s.open(name) {
			got = append(got, strconv.Itoa(d.Range.Start.Line+1))
			messages = append(messages, fmt.Sprintf("%d: %s", d.Range.Start.Line+1, d.Message))
		}
		slices.SortFunc(got, byNumber)
		if diff := cmp.Diff(slices.Compact(got), want); diff != "" {
			t.Errorf("%s: lines (-server +program):\n%s\nserver:\n%s\nprogram:\n%s", name, diff, strings.Join(messages, "\n"), said)
		}
	}
}

// reported returns the lines in which the program reports mistakes, sorted, each once.
func reported(t *testing.T, dir, name string) (lines []string, said string) {
	t.Helper()
	var exit *exec.ExitError
	_, err := exec.Command(program, "validate", "--workspace", dir, name).Output()
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Fatalf("validate %s: %v, want exit status 2", name, err)
	}
	for _, found := range regexp.MustCompile(`(?m)^[^:\n]+:(\d+):\d+: `).FindAllStringSubmatch(string(exit.Stderr), -1) {
		lines = append(lines, found[1])
	}
	slices.SortFunc(lines, byNumber)
	return slices.Compact(lines), string(exit.Stderr)
}

func byNumber(a, b string) int {
	m, _ := strconv.Atoi(a)
	n, _ := strconv.Atoi(b)
	return m - n
}

// TestKeySchema pins that the server finds the schema by a key $schema, too.
func TestKeySchema(t *testing.T) {
	dir := workspace(t)
	schemaFile(t, dir, "suite")
	s := newServer(t, dir, "")
	found := s.open("by_key.yml")
	if len(found) != 1 || found[0].Range.Start.Line != 4 {
		t.Errorf("found %+v, want one mistake in line 5", found)
	}
}

// TestHelp pins that the server explains a key, and completes keys, words and targets.
func TestHelp(t *testing.T) {
	dir := workspace(t)
	schemaFile(t, dir, "suite")
	s := newServer(t, dir, "")
	const name = "help.yml"
	s.open(name)
	document := map[string]any{"uri": fileURI(filepath.Join(dir, name))}
	var hover struct {
		Contents struct{ Value string } `json:"contents"`
	}
	s.call("textDocument/hover", map[string]any{"textDocument": document, "position": position{5, 6}}, &hover)
	if !strings.Contains(hover.Contents.Value, "How many runs there must be") {
		t.Errorf("the explanation of runs is %q", hover.Contents.Value)
	}
	for _, test := range []struct {
		at   position
		want string
	}{
		{position{6, 4}, "tool_selection"},
		{position{4, 19}, "affected"},
		{position{9, 10}, "tool_selection.f1"},
	} {
		var list struct{ Items []struct{ Label string } }
		s.call("textDocument/completion", map[string]any{"textDocument": document, "position": test.at}, &list)
		var labels []string
		for _, item := range list.Items {
			labels = append(labels, item.Label)
		}
		if !slices.Contains(labels, test.want) {
			t.Errorf("completions at %d:%d are %q, want %q among them", test.at.Line+1, test.at.Character+1, labels, test.want)
		}
	}
}
