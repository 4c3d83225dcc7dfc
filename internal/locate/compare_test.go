package locate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/txtar"
)

// TestCompare compares the folders base and head of each archive in testdata/compare. The file want has a line for each tool whose
// description is lost: where it was, and the line of the source that is there now.
func TestCompare(t *testing.T) {
	archives, err := filepath.Glob("testdata/compare/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want := &archive.Files[len(archive.Files)-1]
			got := compareArchive(t, archive.Files[:len(archive.Files)-1])
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got != string(want.Data) {
				t.Errorf("lost descriptions:\n%s", diff.Diff("want", want.Data, "got", []byte(got)))
			}
		})
	}
}

// compareArchive writes what is lost. A file globs has the globs of the base, a second line those of the head.
func compareArchive(t *testing.T, files []txtar.File) string {
	t.Helper()
	base, head := fstest.MapFS{}, fstest.MapFS{}
	var tools []byte
	globs := [2][]string{{"**"}, {"**"}}
	for _, f := range files {
		file := &fstest.MapFile{Data: f.Data}
		switch folder, name, _ := strings.Cut(f.Name, "/"); folder {
		case "tools.json":
			tools = f.Data
		case "globs":
			lines := strings.Split(string(f.Data), "\n")
			globs = [2][]string{strings.Fields(lines[0]), strings.Fields(lines[1])}
		case "base":
			base[name] = file
		case "head":
			head[name] = file
		case "both":
			base[name], head[name] = file, file
		}
	}
	read, mistakes := catalog.Read("tools.json", tools)
	if err := mistakes.Err(); err != nil {
		t.Fatal(err)
	}
	found, err := Compare(Sides{Base: base, Head: head, Globs: globs[0], HeadGlobs: globs[1]}, read.Tools)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, one := range found.Lost {
		what := "text"
		if one.Name {
			what = "name"
		}
		line := ""
		if one.Now.Line > 0 {
			line = strings.TrimSpace(strings.Split(string(head[one.Now.File].Data), "\n")[one.Now.Line-1])
		}
		fmt.Fprintf(&out, "%s of %s: %s, now %s %s\n", what, one.Tool.Name, one.Was, one.Now, line)
	}
	return out.String()
}

// TestCompareHostile compares sources that would take long without bounds: each ends within seconds, and without a panic.
func TestCompareHostile(t *testing.T) {
	thorough.Unraced(t, "it takes thirty seconds, on one goroutine")
	size := thorough.Size(1<<17, 1<<19)
	fill := func(text string) string { return strings.Repeat(text, size/len(text)) }
	short := strings.Repeat("\n", 3000) // so that no file is taken for a minified one
	var tools []*catalog.Tool
	for i := range thorough.Size(500, 3000) {
		tools = append(tools, tool(fmt.Sprintf("tool_%d", i), strings.Repeat("Saves a note. ", 400)+fmt.Sprint(i)))
	}
	for name, text := range map[string]string{
		"raw.rs": fill(`r#"`), "class.js": fill("=/["), "here.rb": fill("<<A\n"), "hole.js": "`" + fill("${"), "empty.js": fill(`"",`), "joined.js": fill(`"a"+`),
		"value.js": fill(`"a"+b(`), "binary.js": fill("\x00\x01"), "prefix.js": fill(`"Saves a note. Saves a note. Saves a note.",`), "quotes.py": fill(`"""`),
		"long.js": `"` + strings.Repeat("Saves a note. ", 70_000) + `"`, "deep.yaml": fill("- - "), "comments.go": fill("/* //\n"), "huge.js": fill("a ") + fill("b "),
	} {
		t.Run(name, func(t *testing.T) {
			base := fstest.MapFS{name: {Data: []byte(text[:max(0, min(len(text), size-4000))] + short)}, "server.js": {Data: []byte(`tool("save", "Saves a note in the folder.")`)}}
			head := fstest.MapFS{name: {Data: []byte(text[:max(0, min(len(text), size-4000))] + short + "x")}, "server.js": {Data: []byte(`tool("save", "Stores a note in the folder.")`)}}
			all := append([]*catalog.Tool{tool("save", "Saves a note in the folder.")}, tools...)
			found, err := Compare(Sides{Base: base, Head: head, Globs: []string{"**"}, HeadGlobs: []string{"**"}}, all)
			if err == nil && len(found.Lost) != 1 {
				t.Errorf("found %+v, want the description in server.js", found.Lost)
			}
		})
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("a.js", "tool('x', `Saves ${a} note` + \"b\")", "tool('x', \"Saves\\u00e4\\x\")")
	f.Add("a.py", `f"""Saves {{a}} note""" r'\'`, "# Saves")
	f.Add("a.yaml", "a: |\n  Saves a note\n", "- \"Saves a\n")
	f.Add("a.cs", `$@"Saves ""a"" note"`, `"""x"""`)
	f.Add("a.rs", `r#"Saves a note"#`, `'a 'b' '\u{41}'`)
	f.Add("a.php", "<<<EOT\nSaves a note\nEOT;", "'a' . $b . 'c'")
	f.Fuzz(func(t *testing.T, name, was, is string) {
		base, head := fstest.MapFS{name: {Data: []byte(was)}}, fstest.MapFS{name: {Data: []byte(is)}}
		tools := []*catalog.Tool{tool("save_note", "Saves a note"), tool("x", was), tool("y", is)}
		found, err := Compare(Sides{Base: base, Head: head, Globs: []string{"**"}, HeadGlobs: []string{"**"}}, tools)
		if err != nil {
			t.Skip(err)
		}
		for _, one := range found.Lost {
			if one.Was.File != name || one.Was.Line < 1 || one.Now.Line > strings.Count(is, "\n")+1 {
				t.Errorf("lost %+v in %q and %q", one, was, is)
			}
		}
	})
}
