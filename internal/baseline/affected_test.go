package baseline

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/check"
)

// treeWith returns the tree of a commit with these files.
func treeWith(t *testing.T, files fstest.MapFS) *Tree {
	t.Helper()
	var entries []Entry
	for name := range files {
		sha, err := hashOf(files, name, "")
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, Entry{Path: name, Mode: "100644", SHA: sha})
	}
	return NewTree(entries, func(e Entry) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files[e.Path].Data)), nil })
}

// affected returns the suites that a change touches.
func affected(t *testing.T, head, base fstest.MapFS, o check.Options) []string {
	t.Helper()
	found, err := FindAffected(head, treeWith(t, base), o)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(found.Suites))
}

// reading notes the names of files that are opened, by many goroutines.
type reading struct {
	fs.FS
	mu    sync.Mutex
	names map[string]bool
}

func (r *reading) Open(name string) (fs.File, error) {
	r.mu.Lock()
	r.names[name] = true
	r.mu.Unlock()
	return r.FS.Open(name)
}

// TestFindAffectedKnowsAllFiles holds that a suite is affected by each file that its check opens, whatever reads it.
func TestFindAffectedKnowsAllFiles(t *testing.T) {
	files := fstest.MapFS{}
	for name, text := range exampleFiles(t) {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	suites, err := fs.Glob(files, "*/mcp-gates.yml")
	if err != nil || len(suites) < 15 {
		t.Fatalf("found %d suites, %v, want 15 at least", len(suites), err)
	}
	tried := 0
	for _, name := range suites {
		o := check.Options{Suites: []string{name}, Version: "0.1.0"}
		if got := affected(t, files, files, o); len(got) > 0 {
			t.Errorf("%s: got it affected by nothing", name)
		}
		read := &reading{FS: files, names: map[string]bool{}}
		check.Run(context.Background(), read, o)
		for file := range read.names {
			if files[file] == nil {
				continue // a folder, or one that is not there
			}
			tried++
			base := maps.Clone(files)
			base[file] = &fstest.MapFile{Data: append(slices.Clone(files[file].Data), '\n')}
			if got := affected(t, files, base, o); !slices.Equal(got, []string{name}) {
				t.Errorf("%s: got %q where %s differs", name, got, file)
			}
		}
	}
	if tried < 40 {
		t.Errorf("tried %d files, want 40 at least", tried)
	}
}

func TestFindAffected(t *testing.T) {
	suite := func(cassette string) string {
		return "agents: [{name: a, cassette: " + cassette + ", orchestration: {}}]\n"
	}
	base := mapOf("a/mcp-gates.yml", suite("'[x].json'"), "a/[x].json", cassette, "b/mcp-gates.yml", suite("'runs/*.json'"), "b/runs/1.json", cassette,
		"c/mcp-gates.yml", "servers: {s: {source: src, command: [node, ./bin/../main.js, --x, /etc/passwd, ../../../y]}}\n"+suite("c.json"), "c/src/x.ts", "", "c/main.js", "")
	tools := `[{"name": "a", "description": "Reads a page."}]`
	maps.Copy(base, mapOf("e/mcp-gates.yml", "servers: {s: {catalog: tools}}\nfindability: [{name: f, server: s, beside: others/*.json}]\n",
		"e/tools/1.json", tools, "e/others/1.json", strings.ReplaceAll(tools, `"a"`, `"b"`), "e/others/2.json", strings.ReplaceAll(tools, `"a"`, `"c"`)))
	with := func(name, text string) fstest.MapFS {
		head := maps.Clone(base)
		head[name] = &fstest.MapFile{Data: []byte(text)}
		return head
	}
	without := func(name string) fstest.MapFS {
		head := maps.Clone(base)
		delete(head, name)
		return head
	}
	moved := func(name, to string) fstest.MapFS {
		head := without(name)
		head[to] = base[name]
		return head
	}
	for _, test := range []struct {
		name string
		head fstest.MapFS
		want string
	}{
		{"nothing", base, ""},
		{"a file that no suite reads", with("c/readme.md", "x"), ""},
		{"a file whose name is a glob", with("a/[x].json", "{}"), "a"},
		{"a file that this name matches as a glob", with("a/x.json", "{}"), "a"},
		{"a new file of a glob", with("b/runs/2.json", "{}"), "b"},
		{"a file of a glob that is gone", without("b/runs/1.json"), "b"},
		{"a recording that is there now", with("c/c.json", "{}"), "c"},
		{"a new source", with("c/src/deep/y.ts", ""), "c"},
		{"a dependency among the sources", with("c/src/node_modules/z.js", ""), ""},
		{"a program", with("c/main.js", "x"), "c"},
		{"a program that is gone", without("c/main.js"), "c"},
		{"a file of a catalog's folder", with("e/tools/1.json", tools+" "), "e"},
		{"a new file in a catalog's folder", with("e/tools/2.json", "[]"), "e"},
		{"a folder in place of a catalog's file", moved("e/tools/1.json", "e/tools/1.json/x"), "e"},
		{"a file in a catalog's folder that is no catalog", with("e/tools/readme.md", "x"), ""},
		{"a catalog that is gone", without("e/others/2.json"), "e"},
		{"a file of competing tools", with("e/others/1.json", tools+" "), "e"},
		{"new competing tools", with("e/others/3.json", "[]"), "e"},
		{"a folder in place of competing tools", moved("e/others/2.json", "e/others/2.json/x"), "e"},
		{"a suite that is gone", without("a/mcp-gates.yml"), "a"},
		{"a suite with a mistake", with("a/mcp-gates.yml", "x"), "a"},
		{"a new suite", with("d/mcp-gates.yml", suite("d.json")), "d"},
	} {
		var got []string
		for _, name := range affected(t, test.head, base, check.Options{}) {
			got = append(got, path.Dir(name))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestFindAffectedUnknown pins that a base that cannot be read leaves nothing out.
func TestFindAffectedUnknown(t *testing.T) {
	files := mapOf("mcp-gates.yml", "agents: [{name: a, cassette: sub/a.json, orchestration: {}}]\n", "run.json", cassette)
	none := func(Entry) (io.ReadCloser, error) { return nil, errors.New("it is not in the clone") }
	var nothing *NoBaseline
	if _, err := FindAffected(files, NewTree(nil, none), check.Options{}); !errors.As(err, &nothing) {
		t.Errorf("a base without suites: got %v", err)
	}
	sha, err := hashOf(files, "mcp-gates.yml", "")
	if err != nil {
		t.Fatal(err)
	}
	entries := []Entry{{Path: "mcp-gates.yml", Mode: "100644", SHA: sha}, {Path: "sub", Mode: submodule, SHA: "1"}}
	if found, err := FindAffected(files, NewTree(entries, none), check.Options{}); err == nil {
		t.Errorf("a recording of a submodule that is not there: got %v", found)
	}
	entries[1] = Entry{Path: "sub", Mode: "120000", SHA: "1"}
	if found, err := FindAffected(files, NewTree(entries, none), check.Options{}); err == nil {
		t.Errorf("a link that cannot be read: got %v", found)
	}
	if _, err := FindAffected(fstest.MapFS{}, treeWith(t, files), check.Options{}); err == nil {
		t.Error("a head without suites: got no error")
	}
}

// TestFindAffectedOfCommits compares two commits, of which nothing but suites, catalogs and what links lead to is read.
func TestFindAffectedOfCommits(t *testing.T) {
	files := mapOf("a/mcp-gates.yml", "agents: [{name: a, cassette: ../runs/1.json, orchestration: {}}]\n", "runs/1.json", cassette)
	changed := maps.Clone(files)
	changed["runs/1.json"] = &fstest.MapFile{Data: []byte("{}")}
	for _, test := range []struct {
		head fstest.MapFS
		want int
	}{{files, 0}, {changed, 1}} {
		found, err := FindAffected(treeWith(t, test.head), treeWith(t, files), check.Options{})
		if err != nil || len(found.Suites) != test.want || found.Of != 1 {
			t.Errorf("got %+v, %v, want %d suites", found, err, test.want)
		}
	}
}
