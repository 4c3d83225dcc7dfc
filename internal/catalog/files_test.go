package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/source"
)

// TestFiles pins which files are one catalog, what of them counts, and what is a mistake.
func TestFiles(t *testing.T) {
	one := func(name string) *fstest.MapFile {
		return &fstest.MapFile{Data: fmt.Appendf(nil, `{"name": %q, "inputSchema": {"type": "object"}}`, name)}
	}
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	big := &fstest.MapFile{Data: make([]byte, source.MaxCatalog+1)}
	for _, test := range []struct {
		name, path string
		files      fstest.MapFS
		want       string // paths and names of tools, or the error
	}{
		{"one file", "a.json", fstest.MapFS{"a.json": one("a")}, "a.json:a"},
		{"a folder", "t", fstest.MapFS{"t/b.json": one("b"), "t/a.snap": one("a"), "t/README.md": text("x"), "t/.hidden.json": text("x"), "t/more/c.json": one("c")}, "t/a.snap:a t/b.json:b"},
		{"a glob", "t/**/*.json", fstest.MapFS{"t/b.json": one("b"), "t/more/c.json": one("c"), "t/x.snap": text("x")}, "t/b.json:b t/more/c.json:c"},
		{"a file whose name has brackets", "t[1].json", fstest.MapFS{"t[1].json": one("a"), "t1.json": one("b")}, "t[1].json:a"},
		{"lists of tools", "t", fstest.MapFS{"t/a.json": text(`[{"name": "a"}, {"name": "b"}]`), "t/b.json": text(`{"tools": [{"name": "c"}]}`)}, "t/a.json:a t/a.json:b t/b.json:c"},
		{"variants", "t", fstest.MapFS{"t/a.json": one("a"), "t/b.json": one("a"), "t/c.json": one("a")}, `t/a.json:a; 2 tools are in two files, of which the first counts: "a" in t/b.json, "a" in t/c.json left out`},
		{"a name twice in one file", "t", fstest.MapFS{"t/a.json": text(`[{"name": "a"}, {"name": "a"}]`)}, "t/a.json:a t/a.json:a"},
		{"all mistakes", "t", fstest.MapFS{"t/a.json": text(`{`), "t/b.json": one("b"), "t/c.json": text("\x00\xff")}, "t/a.json:1:2: is not valid JSON: the file ends in the middle of a value (byte 1)\nt/c.json:1:1: is not valid JSON: invalid character"},
		{"no tool", "t", fstest.MapFS{"t/a.json": one("a"), "t/package.json": text(`{"name": "p", "description": "d"}`)}, `t/package.json:1:1: the catalog has no tools, found "name", "description"`},
		{"an empty folder", "t", fstest.MapFS{"t": {Mode: fs.ModeDir}}, "t: is a folder without files that end in .json or .snap, expected at least one"},
		{"a glob of nothing", "t/*", fstest.MapFS{"a.json": one("a")}, "t/*: matches no file, expected at least one"},
		{"nothing", "t", fstest.MapFS{}, "t: no such file"},
		{"a broken glob", "t/[", fstest.MapFS{"a.json": one("a")}, "t/[: cannot be read: syntax error in pattern"},
		{"a pipe", "t", fstest.MapFS{"t/a.json": {Mode: fs.ModeNamedPipe}}, "t/a.json: is not a regular file"},
		{"a large file", "t", fstest.MapFS{"t/a.json": one("a"), "t/b.json": big}, "t/b.json: is 33554433 bytes long, at most"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			cat, err := Files{FS: test.files, Name: test.path}.Read()
			if err != nil {
				got = err.Error()
			} else {
				var list []string
				for _, tool := range cat.Tools {
					list = append(list, tool.Pos.File+":"+tool.Name)
				}
				got = strings.Join(list, " ")
				if said := cat.SaysVariants(); said != "" {
					got += "; " + said
				}
			}
			if err == nil && got != test.want || !strings.HasPrefix(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestManyFiles pins that a folder or a glob of more files than a catalog may have is refused before one is read.
func TestManyFiles(t *testing.T) {
	files := fstest.MapFS{}
	for i := range MaxFiles + 1 {
		files[fmt.Sprintf("t/%d.json", i)] = &fstest.MapFile{Data: []byte("broken")}
	}
	for _, path := range []string{"t", "t/*.json"} {
		_, err := Files{FS: files, Name: path}.Read()
		var at *source.Error
		if !errors.As(err, &at) || at.Msg != "are more than 10000 files, at most that many are one catalog" || at.Pos.File != path {
			t.Errorf("%s: %v", path, err)
		}
	}
}
