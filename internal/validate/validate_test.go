package validate

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/source"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted results")

// TestFiles reads all files of each archive but "want", which holds what is said of them.
func TestFiles(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("there are no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := fstest.MapFS{}
			var names []string
			for _, f := range archive.Files {
				if f.Name != "want" {
					files[f.Name] = &fstest.MapFile{Data: f.Data}
					names = append(names, f.Name)
				}
			}
			mistakes, read := Files(files, names, "0.1.0")
			got := read + "\n" + mistakes.Error() + "\n"
			at := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
			if *update {
				archive.Files[at].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := string(archive.Files[at].Data); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// FuzzFiles pins that nothing panics, and that every mistake is about the file.
func FuzzFiles(f *testing.F) {
	for _, seed := range []string{
		"", "[", "[{", `{"tools": [`, "{\"runs\": []}\n{}", "\xef\xbb\xbf{\"report\": 1}", `[[[[`, `{"a": {}, "a": 1, "servers": 3}`,
		"mock_server: {}", "tests: [{}]", "intents: x", "- a", "&a [*a]", "\x00", "catalog_path: ../../x\nintents: [{query: a, gold: b}]",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, isJSON bool) {
		name := "dir/file.yml"
		if isJSON {
			name = "dir/file.json"
		}
		mistakes, read := Files(fstest.MapFS{name: {Data: []byte(text)}}, []string{name}, "0.1.0")
		if !strings.HasPrefix(read, "1 ") {
			t.Errorf("%q: read %q, want one file", text, read)
		}
		for _, m := range mistakes {
			if m.Pos.File != name {
				t.Errorf("%q: the mistake %q is about another file", text, m)
			}
		}
	})
}

// Pins that a catalog which several suites name is read once, and its mistakes are listed once.
func TestFilesReadOnce(t *testing.T) {
	counted := &countedFS{FS: fstest.MapFS{
		"a.yml":  {Data: []byte("servers: {s: {catalog: c.json}}\ntests: [{name: a, expect: [{tool_names: {exact: []}}]}]\n")},
		"b.yml":  {Data: []byte("servers: {s: {catalog: c.json}}\ntests: [{name: b, expect: [{tool_names: {exact: []}}]}]\n")},
		"c.json": {Data: []byte(`{"tools": {}}`)},
	}}
	mistakes, _ := Files(counted, []string{"a.yml", "b.yml"}, "0.1.0")
	about := func(m *source.Error) bool { return m.Pos.File == "c.json" }
	if counted.opened["c.json"] != 1 || len(slices.DeleteFunc(mistakes, func(m *source.Error) bool { return !about(m) })) != 1 {
		t.Errorf("opened %v, mistakes %v, want one of c.json", counted.opened, mistakes)
	}
}

type countedFS struct {
	fs.FS
	opened map[string]int
}

func (c *countedFS) Open(name string) (fs.File, error) {
	if c.opened == nil {
		c.opened = map[string]int{}
	}
	c.opened[name]++
	return c.FS.Open(name)
}
