package locate

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted places in testdata")

// TestFind searches the files of each archive in testdata for the tools in its tools.json. The file want has a line for
// each tool: its name, its place, and the line of the source there.
func TestFind(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files, want := fstest.MapFS{}, &archive.Files[len(archive.Files)-1]
			for _, f := range archive.Files[:len(archive.Files)-1] {
				files[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			got := describe(t, files)
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got != string(want.Data) {
				t.Errorf("places:\n%s", diff.Diff("want", want.Data, "got", []byte(got)))
			}
		})
	}
}

// describe returns a line for each tool of tools.json.
func describe(t *testing.T, files fstest.MapFS) string {
	t.Helper()
	read, mistakes := catalog.Read("tools.json", files["tools.json"].Data)
	if err := mistakes.Err(); err != nil {
		t.Fatal(err)
	}
	places, err := Find(files, read.Tools, nil)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, tool := range read.Tools {
		pos, ok := places[tool]
		if !ok {
			fmt.Fprintf(&text, "%s nowhere\n", tool.Name)
			continue
		}
		line := strings.Split(string(files[pos.File].Data), "\n")[pos.Line-1]
		fmt.Fprintf(&text, "%s %s %s\n", tool.Name, pos, strings.TrimSpace(line))
	}
	return text.String()
}

// tool returns a tool without a catalog.
func tool(name, description string) *catalog.Tool {
	return &catalog.Tool{Name: name, Description: description}
}

// place returns where a tool is found in files by name, "" when it has no place.
func place(t *testing.T, files map[string]string, tool *catalog.Tool, globs ...string) string {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	places, err := Find(fsys, []*catalog.Tool{tool}, globs)
	if err != nil {
		t.Fatal(err)
	}
	return places[tool].String()
}

func TestGlobs(t *testing.T) {
	const text = `tool("save_note", "Saves a note in the user's folder.")`
	files := map[string]string{
		"a/server.go": text, "b/server.go": text, "b/dist/server.go": text, "build/gen/c.go": text,
		"lists/tools.yml": text, "lists/server_test.go": "\n" + text, ".hidden/d.go": text,
	}
	for _, test := range []struct{ globs, want string }{
		{"", ""},
		{"a/**", "a/server.go:1"},
		{"a/*.go b/*.ts", "a/server.go:1"},
		{"b/**", "b/server.go:1"},
		{"**/server.go", ""},
		{"build/**", ""},
		{"build/gen/*.go", "build/gen/c.go:1"},
		{".hidden/**", ".hidden/d.go:1"},
		{"lists/*.yml", "lists/tools.yml:1"},
		{"lists/*", ""},
		{"lists/* a/*", "a/server.go:1"},
		{"nowhere/**", ""},
	} {
		t.Run(test.globs, func(t *testing.T) {
			got := place(t, files, tool("save_note", "Saves a note in the user's folder."), strings.Fields(test.globs)...)
			if got != test.want {
				t.Errorf("place with globs %q is %q, want %q", test.globs, got, test.want)
			}
		})
	}
}

func TestBadGlob(t *testing.T) {
	_, err := Find(fstest.MapFS{}, []*catalog.Tool{tool("a", "Does a thing and another.")}, []string{"src/[a"})
	if got, want := fmt.Sprint(err), `source "src/[a" is not a valid glob`; got != want {
		t.Errorf("error is %q, want %q", got, want)
	}
}

// TestCatalogOfTools leaves out the file that the tools come from, whatever its name.
func TestCatalogOfTools(t *testing.T) {
	tool := tool("save_note", "Saves a note in the user's folder.")
	tool.Pos = source.Pos{File: "catalog.js", Line: 1}
	const text = `{name: "save_note", description: "Saves a note in the user's folder."}`
	if got := place(t, map[string]string{"catalog.js": text, "server.js": "\n" + text}, tool); got != "server.js:2" {
		t.Errorf("place is %q, want server.js:2", got)
	}
}

// TestDistance places a tool whose name stands up to 40 lines away from its description.
func TestDistance(t *testing.T) {
	const text = "Saves a note\n  in the user's folder."
	for _, test := range []struct {
		before, after int
		want          string
	}{
		{40, 100, "a.py:41"}, {41, 100, ""}, {100, 40, "a.py:101"}, {100, 41, ""},
	} {
		file := "save_note" + strings.Repeat("\n", test.before) + `"""` + text + `"""` + strings.Repeat("\n", test.after) + "SaveNote"
		if got := place(t, map[string]string{"a.py": file}, tool("save_note", text)); got != test.want {
			t.Errorf("place with names %d lines before and %d after is %q, want %q", test.before, test.after, got, test.want)
		}
	}
}

func TestApart(t *testing.T) {
	const text = `tool("save_note", "Saves a note in the user's folder.")`
	for apart, want := range map[int]string{0: "a.js:1", 1: "a.js:1", 3: "a.js:1", 4: ""} {
		file := text + strings.Repeat("\n", apart) + text
		if got := place(t, map[string]string{"a.js": file}, tool("save_note", "Saves a note in the user's folder.")); got != want {
			t.Errorf("place of texts %d lines apart is %q, want %q", apart, got, want)
		}
	}
}
