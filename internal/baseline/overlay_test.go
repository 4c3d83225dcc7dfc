package baseline

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
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

func TestOverlay(t *testing.T) {
	endsYML := func(name string) bool { return path.Ext(name) == ".yml" }
	tests := []struct {
		name       string
		head, base fstest.MapFS
		want       map[string]string
	}{
		{"judges from the base, the rest from the head",
			mapOf("s/a.yml", "head", "s/a.json", "head"), mapOf("s/a.yml", "base", "s/a.json", "base"),
			map[string]string{"s/a.yml": "base", "s/a.json": "head"}},
		{"what only one has",
			mapOf("s/new.yml", "head", "new.json", "head"), mapOf("s/old.yml", "base", "old.json", "base", "gone/old.yml", "base"),
			map[string]string{"s/new.yml": "head", "new.json": "head", "s/old.yml": "base", "gone/old.yml": "base"}},
		{"a folder that the head made a file",
			mapOf("s", "head"), mapOf("s/a.yml", "base"), map[string]string{"s/a.yml": "base"}},
		{"a judge that the head made a folder",
			mapOf("a.yml/b.json", "head"), mapOf("a.yml", "base"), map[string]string{"a.yml": "base"}},
		{"a folder named like a judge",
			mapOf("a.yml/b.json", "head"), mapOf("c.json", "base"), map[string]string{"a.yml/b.json": "head"}},
		{"a file of the base that the head made a folder",
			mapOf("a/b.json", "head"), mapOf("a", "base"), map[string]string{"a/b.json": "head"}},
		{"empty", mapOf(), mapOf(), map[string]string{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := newOverlay(test.head, test.base, endsYML)
			if got := contents(t, o); !maps.Equal(got, test.want) {
				t.Errorf("files: got %q, want %q", got, test.want)
			}
			var names []string
			for name := range test.want {
				names = append(names, name)
			}
			if _, err := fs.Stat(o, "old.json"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("Stat(old.json): got %v, want %v", err, fs.ErrNotExist)
			}
			if len(names) == 0 {
				return
			}
			if err := fstest.TestFS(o, names...); err != nil {
				t.Error(err)
			}
		})
	}
}

// A link in the base that leads nowhere is not the head's to fill, and what could not be fetched is no reason to use the
// head's.
func TestOverlayKeepsBrokenJudges(t *testing.T) {
	base := treeOf("100644 s/b.yml BROKEN", "120000 s/out.yml ../../x", "120000 s/link.yml BROKEN")
	head := mapOf("s/b.yml", "head", "s/out.yml", "head", "s/link.yml", "head")
	o := newOverlay(head, base, isYAML)
	for _, name := range []string{"s/b.yml", "s/out.yml", "s/link.yml"} {
		if data, err := fs.ReadFile(o, name); err == nil {
			t.Errorf("ReadFile(%q) = %q, want an error", name, data)
		}
	}
	if err := treeError(o); err == nil {
		t.Error("Err: got nil, want why the base could not be read")
	}
}

const looseSuite = `
agents:
  - name: search
    orchestration: {expect: [{steps_total: {">=": 0}}]}
`

func suiteWith(atLeast string) string {
	return "agents:\n  - name: search\n    expect: [{tool_names: {contains: " + atLeast + "}}]\n"
}

const (
	cassette      = `{"runs": [{"tool_calls": [{"name": "search"}]}]}`
	otherCassette = `{"runs": [{"tool_calls": [{"name": "rm"}]}]}`
)

func TestJudge(t *testing.T) {
	base := mapOf("suites/a.yml", suiteWith("search"), "suites/cassettes/a/search.json", cassette, "README.md", "old")
	tests := []struct {
		name string
		head fstest.MapFS
		want judge.Verdict
	}{
		{"same", base, judge.Pass},
		{"recording that the base's suite fails", mapOf("suites/a.yml", suiteWith("search"), "suites/cassettes/a/search.json", otherCassette), judge.Fail},
		{"suite made to fit it", mapOf("suites/a.yml", suiteWith("rm"), "suites/cassettes/a/search.json", otherCassette), judge.Fail},
		{"suite removed", mapOf("suites/cassettes/a/search.json", otherCassette), judge.Fail},
		{"suites made a file", mapOf("suites", "x"), judge.Error},
		{"recording removed", mapOf("suites/a.yml", suiteWith("search")), judge.Error},
		{"another suite added, which fails", mapOf("suites/a.yml", suiteWith("search"), "suites/cassettes/a/search.json", cassette,
			"suites/b.yml", suiteWith("rm"), "suites/cassettes/b/search.json", cassette), judge.Fail},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			judged, err := Judge(test.head, base, nil)
			if err != nil {
				t.Fatal(err)
			}
			r := check.Run(context.Background(), judged, check.Options{})
			if r.Verdict != test.want {
				t.Errorf("verdict: got %s, want %s (%v)", r.Verdict, test.want, r.Problems)
			}
		})
	}
}

// Suites that are not named like YAML files are the base's too when they are named.
func TestJudgeWithANamedSuite(t *testing.T) {
	base := mapOf("gates.conf", suiteWith("search"), "cassettes/gates/search.json", cassette)
	head := mapOf("gates.conf", suiteWith("rm"), "cassettes/gates/search.json", otherCassette)
	judged, err := Judge(head, base, []string{"*.conf"})
	if err != nil {
		t.Fatal(err)
	}
	if r := check.Run(context.Background(), judged, check.Options{Suites: []string{"*.conf"}}); r.Verdict != judge.Fail {
		t.Errorf("verdict: got %s, want %s (%v)", r.Verdict, judge.Fail, r.Problems)
	}
}

func TestNothingToJudgeBy(t *testing.T) {
	var none *NoBaseline
	if judged, err := Judge(mapOf("mcp-gates.yml", looseSuite), mapOf("README.md", "x"), nil); !errors.As(err, &none) {
		t.Errorf("Judge = %v, %v, want a *NoBaseline", judged, err)
	}
}

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
		{"no such tag", suites, check.Options{Tags: []string{"new"}}, `no baseline: in the base, --tag "new" selects none of the one case`},
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
