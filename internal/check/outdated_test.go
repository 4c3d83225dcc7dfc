package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/thorough"
)

// sourcedFiles is a workspace with a server whose source is so many MiB and a file more. Most of it is words, which are read
// more quickly than comments.
func sourcedFiles(filler string, count int) fstest.MapFS {
	files := fstest.MapFS{
		"mcp-gates.yml": {Data: []byte("servers:\n  notes: {catalog: notes.json, source: src}\ntool_quality:\n  - {name: described, catalog: notes.json, expect: [{critical_count: {\"<=\": 9}}]}\n")},
		"notes.json":    {Data: []byte(`{"tools": [{"name": "save_note", "description": "Saves a note in the folder.", "inputSchema": {"type": "object"}}]}`)},
		"src/server.js": {Data: []byte(`tool("save_note", "Saves a note in the folder.");` + filler)},
	}
	lines := filler + "\n" + strings.Repeat("x", 100) + "\n"
	text := []byte(strings.Repeat(lines, (1<<20)/len(lines)))
	for i := range count {
		files[fmt.Sprintf("src/%d.js", i)] = &fstest.MapFile{Data: text}
	}
	return files
}

// TestTooMuchSource pins that a source that is not searched is said, and fails the check where stale evidence does.
func TestTooMuchSource(t *testing.T) {
	thorough.Unraced(t, "it takes twenty seconds, with goroutines that smaller sources have, too")
	const said = `it is not known whether the snapshot of server "notes" is older than its code: the files that "source" names are too much to search; narrow its globs`
	base, judge := RunBase(context.Background(), sourcedFiles("// a", 60), Options{Digests: true})
	if len(base.Problems) > 0 {
		t.Fatalf("the base has mistakes: %v", base.Problems)
	}
	for _, policy := range []suite.StalePolicy{suite.StaleDefault, suite.StaleAffected, suite.StaleFail} {
		r := Run(context.Background(), sourcedFiles("// b", 60), Options{Digests: true, BaseSuites: judge, FailOnStale: policy})
		told, other := r.Warnings, r.Problems
		if policy != suite.StaleDefault {
			told, other = r.Problems, nil
		}
		if !saysProblem(told, said) || len(other) > 0 {
			t.Errorf("policy %q: problems %v, warnings %v, want %q among one of them", policy, r.Problems, r.Warnings, said)
		}
	}
}

func saysProblem(list []report.Problem, message string) bool {
	for _, p := range list {
		if p.Message == message && p.Path == "mcp-gates.yml" && p.Line == 2 {
			return true
		}
	}
	return false
}

// blobFiles are files of a commit, whose content has names. Content that was opened is noted.
type blobFiles struct {
	fstest.MapFS
	opened map[string]bool
	broken error
}

func (b *blobFiles) Open(name string) (fs.File, error) {
	b.opened[name] = true
	return b.MapFS.Open(name)
}

func (b *blobFiles) Blob(name string) (string, error) {
	file, err := b.MapFS.ReadFile(name)
	return fmt.Sprintf("%x", sha256.Sum256(file)), err
}

func (b *blobFiles) Err() error { return b.broken }

// TestSourceOfCommits pins that files of two commits are compared by their names, so that those that the change leaves are not fetched,
// and that a commit that cannot be read is said.
func TestSourceOfCommits(t *testing.T) {
	files := func(description string) *blobFiles {
		f := sourcedFiles("// a", 8)
		f["src/server.js"] = &fstest.MapFile{Data: []byte(`tool("save_note", "` + description + `");`)}
		return &blobFiles{MapFS: f, opened: map[string]bool{}}
	}
	base, head := files("Saves a note in the folder."), files("Stores a note.")
	_, judge := RunBase(context.Background(), base, Options{Digests: true})
	r := Run(context.Background(), head, Options{Digests: true, BaseSuites: judge})
	if len(r.Outdated) != 1 || r.Outdated[0].Source != (report.Place{Path: "src/server.js", Line: 1}) {
		t.Errorf("outdated tools are %+v, want that of src/server.js:1", r.Outdated)
	}
	if base.opened["src/7.js"] {
		t.Error("a file that the change leaves was read of the base")
	}
	base.broken = fs.ErrPermission
	isUnknown := func(w report.Problem) bool {
		return strings.HasPrefix(w.Message, "it is not known whether the snapshot")
	}
	if r := Run(context.Background(), head, Options{Digests: true, BaseSuites: judge}); len(r.Outdated) > 0 || !slices.ContainsFunc(r.Warnings, isUnknown) {
		t.Errorf("of a base that cannot be read: outdated tools %v, warnings %v", r.Outdated, r.Warnings)
	}
}

// TestSourceOfARenamedServer pins that a server under another name is found by its snapshot, with tools that only their names tell apart.
func TestSourceOfARenamedServer(t *testing.T) {
	files := func(server, description string) fstest.MapFS {
		f := sourcedFiles("// a", 0)
		f["mcp-gates.yml"].Data = bytes.ReplaceAll(f["mcp-gates.yml"].Data, []byte("  notes:"), []byte("  "+server+":"))
		f["notes.json"].Data = []byte(`{"tools": [{"name": "save_note", "description": "Saves a note."}, {"name": "keep_note", "description": "Saves a note."}]}`)
		f["src/server.js"].Data = []byte(`tool("save_note", "` + description + `"); tool("keep_note", "` + description + `");`)
		return f
	}
	_, judge := RunBase(context.Background(), files("notes", "Saves a note."), Options{Digests: true})
	r := Run(context.Background(), files("memos", "Stores it."), Options{Digests: true, BaseSuites: judge})
	if len(r.Outdated) != 2 || r.Outdated[0].Server != "memos" {
		t.Errorf("outdated tools are %+v, want both of memos", r.Outdated)
	}
}

// TestSourceOfTheSameSuite pins that a server whose snapshot has moved is the one in its own suite, and not another suite's of this name.
func TestSourceOfTheSameSuite(t *testing.T) {
	files := func(snapshot, description string, suites ...string) fstest.MapFS {
		f := sourcedFiles("// a", 0)
		for _, name := range suites {
			catalog := name + snapshot
			f[name+".yml"] = &fstest.MapFile{Data: bytes.ReplaceAll(f["mcp-gates.yml"].Data, []byte("notes.json"), []byte(catalog))}
			f[catalog] = f["notes.json"]
		}
		f["src/server.js"].Data = []byte(`tool("save_note", "` + description + `");`)
		return f
	}
	_, judge := RunBase(context.Background(), files("-was.json", "Saves a note in the folder.", "b"), Options{Digests: true, Suites: []string{"b.yml"}})
	r := Run(context.Background(), files("-now.json", "Stores it.", "a", "b"), Options{Digests: true, BaseSuites: judge, Suites: []string{"a.yml", "b.yml"}})
	if len(r.Outdated) != 1 || r.Outdated[0].Path != "b-now.json" {
		t.Errorf("outdated tools are %+v, want that of b-now.json", r.Outdated)
	}
}

// TestRecordingsAreNoSource pins that descriptions in recordings of head and base are not those of a server's code, as other data can be.
func TestRecordingsAreNoSource(t *testing.T) {
	const src = "servers:\n  notes: {catalog: notes.json, source: ['*.json', '*.js']}\nagents: [{name: a, servers: [notes], cassette: %s, limits: {max_calls: 1}}]\n"
	const recorded = `{"catalog": {"notes": {"tools": [{"name": "save_note", "description": "%s"}]}}, "runs": [{"tool_calls": []}]}`
	const was, now = "Saves a note in the folder.", "Stores it."
	files := func(cassette, first, second, code string) fstest.MapFS {
		f := sourcedFiles("", 0)
		delete(f, "src/server.js")
		f["mcp-gates.yml"].Data = fmt.Appendf(nil, src, cassette)
		f["first.json"] = &fstest.MapFile{Data: fmt.Appendf(nil, recorded, first)}
		f["second.json"] = &fstest.MapFile{Data: fmt.Appendf(nil, recorded, second)}
		f["server.js"] = &fstest.MapFile{Data: []byte(code)}
		return f
	}
	for _, test := range []struct {
		name       string
		base, head fstest.MapFS
		want       int
	}{
		{"a recording", files("first.json", was, now, ""), files("first.json", now, now, ""), 0},
		{"a recording of the base", files("first.json", was, now, ""), files("second.json", now, now, ""), 0},
		{"a recording of the head", files("first.json", now, was, ""), files("second.json", now, now, ""), 0},
		{"data that is not a recording", files("first.json", now, was, ""), files("first.json", now, now, ""), 1},
		{"code", files("first.json", now, now, `tool("save_note", "`+was+`")`), files("first.json", now, now, `tool("save_note", "`+now+`")`), 1},
	} {
		_, judge := RunBase(context.Background(), test.base, Options{Digests: true})
		r := Run(context.Background(), test.head, Options{Digests: true, BaseSuites: judge})
		if len(r.Outdated) != test.want {
			t.Errorf("%s: outdated tools are %+v, want %d", test.name, r.Outdated, test.want)
		}
	}
}

// TestRemovedSource pins that a change which removes the source of a server is noted, with no source in the head.
func TestRemovedSource(t *testing.T) {
	base, head := sourcedFiles("", 0), sourcedFiles("", 0)
	head["mcp-gates.yml"].Data = bytes.ReplaceAll(head["mcp-gates.yml"].Data, []byte(", source: src"), nil)
	_, judge := RunBase(context.Background(), base, Options{Digests: true})
	r := Run(context.Background(), head, Options{Digests: true, BaseSuites: judge})
	if len(r.Uncovered) != 1 || r.Uncovered[0].Base != `["src"]` || r.Uncovered[0].Head != "" {
		t.Errorf("weakened are %+v, want the source of one server", r.Uncovered)
	}
}
