package baseline

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/rogpeppe/go-internal/diff"
)

// mapOf makes a file system of name, content pairs.
func mapOf(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i+1 < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

// contents returns all files of a file system.
func contents(t *testing.T, fsys fs.FS) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			all[name] = readString(t, fsys, name)
		}
		return err
	})
	if err != nil {
		t.Fatalf("WalkDir: %v", err)
	}
	return all
}

func suiteWith(atLeast string) string {
	return "agents:\n  - name: search\n    expect: [{tool_names: {contains: " + atLeast + "}}]\n"
}

const cassette = `{"runs": [{"tool_calls": [{"name": "search"}]}]}`

func TestEvaluateIsCheckRun(t *testing.T) {
	r := newRepo(t)
	for name, content := range exampleFiles(t) {
		r.write(name, content)
	}
	o := check.Options{Suites: []string{"*/*.yml"}, Version: "test"}
	want := check.Run(context.Background(), os.DirFS(r.dir), o)
	want.Chosen = nil // only a report of the head is saved, and says which suites were named
	first := r.commit("one")
	r.git("rm", "-rq", ".")
	r.commit("two")
	got, _, err := Evaluate(context.Background(), r.files(".", first), o)
	if err != nil {
		t.Fatal(err)
	}
	if folder, commit := jsonOf(t, want), jsonOf(t, got); folder != commit || len(got.Cases) == 0 {
		t.Errorf("report of %d cases:\n%s", len(got.Cases), diff.Diff("of the folder", []byte(folder), "of the commit", []byte(commit)))
	}
}

// exampleFiles returns the repository's examples.
func exampleFiles(t *testing.T) map[string]string {
	t.Helper()
	return contents(t, os.DirFS("../../examples"))
}

func jsonOf(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEvaluateWithoutABaseline(t *testing.T) {
	suites := mapOf("mcp-gates.yml", suiteWith("search"), "cassettes/mcp-gates/search.json", cassette)
	tests := []struct {
		name string
		base fs.FS
		o    check.Options
		want string // of the error; "" for a report
	}{
		{"suites", suites, check.Options{}, ""},
		{"no suite", mapOf("README.md", "x"), check.Options{}, "no baseline: the base has no suite: no suite found"},
		{"empty", mapOf(), check.Options{}, "no baseline: the base has no suite: no suite found"},
		{"no such suite", suites, check.Options{Suites: []string{"new.yml"}}, `no baseline: the base has no suite: no suite matches "new.yml"`},
		{"one of two suites", suites, check.Options{Suites: []string{"new.yml", "mcp-*.yml"}}, ""},
		{"no such tag", suites, check.Options{Tags: []string{"new"}}, `no baseline: in the base, --tag "new" does not select the only case`},
		{"no case", mapOf("mcp-gates.yml", "servers: {}"), check.Options{}, "no baseline: in the base, no suite has a case"},
		{"LFS pointer", treeOf("100644 mcp-gates.yml "+suiteWith("search"),
			"100644 cassettes/mcp-gates/search.json version https://git-lfs.github.com/spec/v1\noid"), check.Options{},
			`"cassettes/mcp-gates/search.json": is a Git LFS pointer`},
		{"unreadable link", treeOf("120000 gates.yml BROKEN"), check.Options{Suites: []string{"gates.yml"}}, `"gates.yml": the line is down`},
		{"unreadable suite", treeOf("100644 mcp-gates.yml BROKEN"), check.Options{}, `"mcp-gates.yml": the line is down`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.o.Progress = func(int, int) { t.Error("progress of the base was reported") }
			r, _, err := Evaluate(context.Background(), test.base, test.o)
			switch {
			case test.want == "" && (err != nil || len(r.Cases) != 1 || r.Verdict != judge.Pass):
				t.Errorf("Evaluate = %+v, %v, want one case that passes", r, err)
			case test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)):
				t.Errorf("Evaluate: got error %v, want %q", err, test.want)
			}
		})
	}
}

// A suite of the base that is broken is in the report: its cases are not new because of that.
// TestEvaluateAnUnsearchedBase pins that a base with more folders than are searched has no report of some of its suites.
func TestEvaluateAnUnsearchedBase(t *testing.T) {
	base := mapOf("mcp-gates.yml", suiteWith("search"), strings.Repeat("a/", 70)+"x", "")
	var unreadable *Unreadable
	for _, named := range [][]string{nil, {"."}, {"mcp-gates.yml", "a"}} {
		r, _, err := Evaluate(context.Background(), base, check.Options{Suites: named})
		if r != nil || !errors.As(err, &unreadable) || !errors.Is(err, suite.ErrUnsearched) {
			t.Errorf("suites %q: got %v, want %v", named, err, suite.ErrUnsearched)
		}
	}
}

func TestEvaluateABrokenBase(t *testing.T) {
	r, _, err := Evaluate(context.Background(), mapOf("mcp-gates.yml", "agents: 5"), check.Options{})
	if err != nil || r.Verdict != judge.Error || len(r.Problems) == 0 || r.Problems[0].Path != "mcp-gates.yml" {
		t.Errorf("Evaluate = %+v, %v, want a report with the mistake", r, err)
	}
}

func TestEvaluateEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	suites := mapOf("mcp-gates.yml", suiteWith("search"), "cassettes/mcp-gates/search.json", cassette)
	if _, _, err := Evaluate(ctx, suites, check.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Evaluate: got %v, want %v", err, context.Canceled)
	}
}

// A base is replayed, also when what is compared with it was run live: its servers are not started, and nothing is
// recorded in its name.
func TestEvaluateRunsNothing(t *testing.T) {
	suites := mapOf("mcp-gates.yml", suiteWith("search"), "cassettes/mcp-gates/search.json", cassette)
	never := func(*suite.Suite, []*suite.Case) (check.LiveSuite, source.Errors) {
		t.Error("a suite of the base was prepared for a live run")
		return nil, nil
	}
	o := check.Options{Live: never, Getenv: func(name string) string {
		t.Errorf("the variable %q was read", name)
		return ""
	}}
	r, _, err := Evaluate(context.Background(), suites, o)
	if err != nil || r.Mode != "replay" || r.Verdict != judge.Pass {
		t.Errorf("Evaluate = %+v, %v, want a replay that passes", r, err)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	saved, _, err := Evaluate(context.Background(), mapOf("mcp-gates.yml", suiteWith("search"), "cassettes/mcp-gates/search.json", cassette), check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, content string) string {
		file := path.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	read := func(name string) (*report.Report, error) {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		return Read(file, name)
	}
	got, err := read(write("report.json", jsonOf(t, saved)))
	if err != nil || jsonOf(t, got) != jsonOf(t, saved) {
		t.Errorf("Read: %v, want what was saved", err)
	}
	for file, want := range map[string]string{
		dir:                            "is not a regular file",
		write("other.json", `{"a":1}`): "is a report of version 0",
		write("broken.json", `{"rep`):  "is not a report of this program",
		write("empty.json", ""):        "is not a report of this program",
	} {
		if _, err := read(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%q): got %v, want %q", file, err, want)
		}
	}
}
