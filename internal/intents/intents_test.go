package intents

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted parts of testdata")

// TestRead reads the files of each archive in testdata, as "auto" or as the format that follows the name after a blank, and compares
// what was read, or the mistakes, with the file NAME.want.
func TestRead(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		var kept []txtar.File
		for _, f := range archive.Files {
			if name, ok := strings.CutSuffix(f.Name, ".want"); ok {
				want[name] = string(f.Data)
				continue
			}
			kept = append(kept, f)
		}
		archive.Files = nil
		for _, f := range kept {
			got := shown(f.Name, f.Data)
			archive.Files = append(archive.Files, f, txtar.File{Name: f.Name + ".want", Data: []byte(got)})
			if diff := cmp.Diff(want[f.Name], got); diff != "" && !*update {
				t.Errorf("%s, %s (-want +got):\n%s", file, f.Name, diff)
			}
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// shown reads a file and shows what it holds.
func shown(name string, data []byte) string {
	file, format, _ := strings.Cut(name, " ")
	list, errs := Read(file, data, format)
	if len(errs) > 0 {
		return errs.Error() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", list.Format, list.LeftOut())
	for _, one := range list.Intents {
		fmt.Fprintf(&b, "%s %q", one.Query.Pos, one.Query.Value)
		for _, tool := range one.Gold {
			fmt.Fprintf(&b, " %s@%d:%d", tool.Value, tool.Pos.Line, tool.Pos.Col)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestBounds pins that a file with more entries than are read is refused with one mistake, whatever its format.
func TestBounds(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	many := func(head, row, end string) []byte { return []byte(head + strings.Repeat(row, 100_000) + end) }
	for name, data := range map[string][]byte{
		"a.md":    many("| Tool | Prompt |\n|---|---|\n", "| find | look |\n", ""),
		"a.csv":   many("query,gold\n", "look,find\n", ""),
		"a.jsonl": many("", "{\"query\": \"look\", \"gold\": \"find\"}\n", ""),
		"a.json":  many("[{}", ",{\"query\": \"look\", \"expectedTools\": [\"find\"]}", "]"),
		"a.yaml":  many("stimuli:\n", "- prompt: look\n", ""),
	} {
		list, errs := Read(name, data, Auto)
		if len(errs) != 1 || len(list.Intents) > Max {
			t.Errorf("%s: got %d intents and mistakes %.300v, want one mistake", name, len(list.Intents), errs)
		}
	}
}

// FuzzRead pins that every intent and every mistake has a place in the file, and that an intent has a prompt and a tool.
func FuzzRead(f *testing.F) {
	for i, seed := range []string{
		"| Tool | Prompt |\n|---|---|\n| a\\|b | \\<x> |\n", "query,gold\na,b|c\n", "{\"query\": \"a\", \"gold\": [\"b\"]}\n",
		"[{\"question\": \"\u00fc\", \"expected_tools\": [\"b\"]}]", "stimuli:\n- prompt: a\n  graders: [{type: tool-calls, config: {required: [{name: ^a$}, b]}}]\n", "~~~\n| a |\n\\",
	} {
		f.Add(seed, i)
	}
	names := []string{"a.md", "a.csv", "a.jsonl", "a.json", "a.yaml", "a"}
	f.Fuzz(func(t *testing.T, data string, i int) {
		file := names[(i%len(names)+len(names))%len(names)]
		lines := strings.Split(data, "\n")
		check := func(at source.Pos) {
			if at.File != file || at.Line < 1 || at.Line > len(lines) || at.Col > len([]rune(lines[at.Line-1]))+1 {
				t.Errorf("%q has no place %s", data, at)
			}
		}
		list, errs := Read(file, []byte(data), Auto)
		for _, err := range errs {
			if err.Pos.Line > 0 {
				check(err.Pos)
			}
		}
		if len(list.Intents) == 0 && len(errs) == 0 {
			t.Errorf("%q has neither intents nor mistakes", data)
		}
		for _, one := range list.Intents {
			check(one.Query.Pos)
			if strings.TrimSpace(one.Query.Value) == "" || len(one.Gold) == 0 {
				t.Errorf("%q: an intent without a prompt or a tool", data)
			}
			for _, tool := range one.Gold {
				check(tool.Pos)
			}
		}
	})
}
