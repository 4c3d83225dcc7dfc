package trace_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/trace"
	"golang.org/x/tools/txtar"
)

// recipe is a command of docs/cassettes.md that makes a run of a log.
type recipe struct {
	command string // with the definition it uses before it
	file    string // its last word, the log
}

// recipes reads the commands of the page.
func recipes(t *testing.T) []recipe {
	t.Helper()
	page, err := os.ReadFile("../../docs/cassettes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```sh\nrun=")
	block, _, _ = strings.Cut(block, "```")
	definition, block, _ := strings.Cut(block, "\n")
	var list []recipe
	for _, m := range regexp.MustCompile(`(?ms)^jq .*?' (\S+)$`).FindAllStringSubmatch(block, -1) {
		list = append(list, recipe{"run=" + definition + "\n" + m[0], m[1]})
	}
	if commands := strings.Count("\n"+block, "\njq "); len(list) != commands || commands < 12 {
		t.Fatalf("found %d of %d commands in docs/cassettes.md", len(list), commands)
	}
	return list
}

// logs writes the logs of an archive into a folder of their own.
func logs(t *testing.T, archive string) (dir string, names []string) {
	t.Helper()
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, f := range ar.Files {
		names = append(names, f.Name)
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir, names
}

// of runs the recipe over another log than its own where one is named.
func (r recipe) of(dir, file string) (string, error) {
	cmd := exec.Command("sh", "-c", strings.TrimSuffix(r.command, r.file)+file)
	cmd.Dir = dir
	out, err := cmd.Output()
	return string(out), err
}

// TestRecipes pins that each command of docs/cassettes.md makes a run of a log of its format, and fails on one of a run that
// broke and on logs of all other formats.
func TestRecipes(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed: the commands of docs/cassettes.md are not run")
	}
	called, all := logs(t, "testdata/logs/called.txtar")
	silent, _ := logs(t, "testdata/logs/silent.txtar")
	broken, _ := logs(t, "testdata/logs/broken.txtar")
	for _, r := range recipes(t) {
		t.Run(r.file, func(t *testing.T) {
			if run := r.reads(t, called); len(run.Calls) != 1 || run.Calls[0].Tool.Name != "get_weather" || run.Calls[0].Args != trace.ArgsObject {
				t.Errorf("got calls %+v, want one of get_weather with arguments", run.Calls)
			}
			if _, err := os.Stat(filepath.Join(silent, r.file)); err == nil {
				if run := r.reads(t, silent); len(run.Calls) > 0 {
					t.Errorf("got calls %+v of a run without any", run.Calls)
				}
			}
			if out, err := r.of(broken, r.file); err == nil {
				t.Errorf("a run that broke gave %s", out)
			}
			for _, other := range all {
				if out, err := r.of(called, other); err == nil && other != r.file {
					t.Errorf("%s gave %s", other, out)
				}
			}
		})
	}
}

// reads returns the run that the recipe makes of its log.
func (r recipe) reads(t *testing.T, dir string) *trace.Run {
	t.Helper()
	out, err := r.of(dir, r.file)
	if err != nil {
		t.Fatalf("%s: %v", r.command, err)
	}
	tr, errs := trace.Read(fstest.MapFS{"a.json": {Data: []byte(out)}}, []string{"a.json"}, keepAll)
	if errs != nil {
		t.Fatalf("%s: %v", out, errs)
	}
	return &tr.Runs[0]
}
