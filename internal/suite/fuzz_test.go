package suite

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/source"
	"golang.org/x/tools/txtar"
)

// FuzzLoad pins that no suite makes Load panic, that every mistake has a place in one of the files, and that what loads
// can be told apart and lies inside the workspace.
func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if archive := txtar.Parse(data); len(archive.Files) > 0 {
			data = archive.Files[0].Data
		}
		f.Add(string(data), weather)
	}
	f.Add("servers: {a: {catalog: w.json}}", `{"tools": [{}]}`)
	f.Add("include: [w.json]\ndefaults: {runs: 2}\ntests: [{name: t, servers: [a], expect: []}]",
		"servers: {a: {cwd: x}}\ndefaults: {cassette: c.json, expect: [{target: 'tool_calls[0].name', matcher: {exact: x}}]}")
	f.Add("extends: w.json", "include: [s.yml, w.json]")
	f.Fuzz(func(t *testing.T, src, catalog string) {
		if len(src) > 1<<16 || len(catalog) > 1<<16 {
			return
		}
		fsys := fstest.MapFS{"dir/s.yml": {Data: []byte(src)}, "dir/w.json": {Data: []byte(catalog)}}
		s, errs := NewLoader(fsys).Load("dir/s.yml")
		_, again := NewLoader(fsys).Load("dir/s.yml")
		if errs.Error() != again.Error() {
			t.Errorf("two readings of %q differ:\n%s\n%s", src, errs, again)
		}
		if s == nil && len(errs) == 0 {
			t.Fatalf("%q: got neither a suite nor mistakes", src)
		}
		for _, e := range errs {
			checkPlace(t, fsys, e)
		}
		if s != nil {
			checkSuite(t, fsys, s)
			checkApart(t, s, errs)
		}
	})
}

func checkSuite(t *testing.T, fsys fstest.MapFS, s *Suite) {
	t.Helper()
	ids := map[string]bool{}
	for _, w := range s.Warnings {
		checkPlace(t, fsys, w)
	}
	for _, c := range s.Cases {
		if c.Name == "" || c.Runs < 1 || c.IsJudged() && len(c.Checks) == 0 && c.Expect.Empty() {
			t.Errorf("case without name, runs or checks: %+v", c)
		}
		if c.IsJudged() && c.Kind == AgentTest && len(c.Cassettes) == 0 {
			t.Errorf("case without cassette: %+v", c)
		}
		for _, name := range c.Cassettes {
			if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "../") {
				t.Errorf("cassette outside of the workspace: %q", name)
			}
		}
		ids[c.ID] = true
	}
	if len(ids) != len(s.Cases) {
		t.Errorf("%d cases have %d ids", len(s.Cases), len(ids))
	}
}

// checkApart reports a case with mistakes that could be judged, and mistakes that stop no case.
func checkApart(t *testing.T, s *Suite, errs source.Errors) {
	t.Helper()
	stopped := 0
	for _, c := range s.Cases {
		if !c.IsJudged() && (len(c.Checks) > 0 || !c.Expect.Empty() || len(c.Cassettes) > 0) {
			t.Errorf("case %q has mistakes or is left out, and could be judged: %+v", c.ID, c)
		}
		stopped += len(c.Mistakes)
	}
	isForeign := func(e *source.Error) bool { return strings.Contains(e.Msg, "is mcptest's") }
	if len(errs) > 0 && stopped == 0 && !slices.ContainsFunc(errs, isForeign) {
		t.Errorf("no case has any of the mistakes:\n%s", errs)
	}
}

// checkPlace reports a mistake that is in none of the files. The place right behind a line's end is in the line.
func checkPlace(t *testing.T, fsys fstest.MapFS, e *source.Error) {
	t.Helper()
	file := fsys[e.Pos.File]
	if file == nil {
		t.Fatalf("mistake in no file: %s", e)
	}
	all := strings.Split(strings.TrimPrefix(string(file.Data), "\ufeff"), "\n")
	if e.Pos.Line < 1 || e.Pos.Line > len(all) {
		t.Fatalf("mistake outside of the file's %d lines: %s", len(all), e)
	}
	if width := utf8.RuneCountInString(all[e.Pos.Line-1]); e.Pos.Col < 1 || e.Pos.Col > width+1 {
		t.Errorf("mistake outside of the line's %d characters: %s", width, e)
	}
}
