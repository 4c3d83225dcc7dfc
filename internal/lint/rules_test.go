package lint

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what is found as what is wanted")

// readCatalog returns the catalog that JSON text holds.
func readCatalog(t testing.TB, file, text string) *catalog.Catalog {
	t.Helper()
	cat, errs := catalog.Read(file, []byte(text))
	if err := errs.Err(); err != nil {
		t.Fatalf("%s:\n%v", Shortened(text), err)
	}
	return cat
}

// TestExamples compares what each rule finds in the tools of its example file with what the file wants, and demands
// tools of both kinds.
func TestExamples(t *testing.T) {
	for _, rule := range Rules {
		t.Run(rule.ID, func(t *testing.T) {
			file := filepath.Join("testdata", rule.ID+".txtar")
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			cat := readCatalog(t, "catalog.json", string(archive.Files[0].Data))
			got, found := findingsOf(rule, cat)
			if found == 0 || found == len(cat.Tools) {
				t.Errorf("%s finds something in %d of %d tools, want some that pass and some that fail", rule.ID, found, len(cat.Tools))
			}
			if *update {
				archive.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("%s: findings differ (-want +got):\n%s", file, diff)
			}
		})
	}
}

// findingsOf lists what one rule finds, tool by tool, and counts the tools in which it finds something.
func findingsOf(rule *Rule, cat *catalog.Catalog) (list string, tools int) {
	byTool := make(map[*catalog.Tool][]Finding)
	for _, f := range Check(cat, Config{}).Findings {
		if f.Rule == rule.ID {
			byTool[f.Tool] = append(byTool[f.Tool], f)
		}
	}
	var b strings.Builder
	for _, tool := range cat.Tools {
		name := Shortened(tool.Ref().ID())
		if len(byTool[tool]) == 0 {
			fmt.Fprintf(&b, "%s: pass\n", name)
		}
		for _, f := range byTool[tool] {
			fmt.Fprintf(&b, "%s: %s %d:%d %s\n\t%s\n\t%s\n", name, f.Severity, f.Pos.Line, f.Pos.Col, f.Argument, f.Message, f.Suggestion)
		}
	}
	return b.String(), len(byTool)
}

// TestExamplesBelongToRules finds example files of rules that are no more.
func TestExamplesBelongToRules(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		id := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if _, ok := Find(id); !ok {
			t.Errorf("%s: there is no rule %s", file, id)
		}
	}
}

// TestDocumentedExamples tries the examples of the documentation: Bad must be found, Good must not.
func TestDocumentedExamples(t *testing.T) {
	for _, rule := range Rules {
		for text, want := range map[string]bool{rule.Bad: true, rule.Good: false} {
			list := text
			if !strings.HasPrefix(text, "[") {
				list = "[" + text + "]"
			}
			if _, found := findingsOf(rule, readCatalog(t, "example", list)); found > 0 != want {
				t.Errorf("%s finds something in %s: %t, want %t", rule.ID, text, found > 0, want)
			}
		}
	}
}

// table is the severity and the smell of every rule as documented.
const table = `
DESC-001 critical underspecified
DESC-002 warning verbose
DESC-003 critical uninformative
DESC-004 warning uninformative
DESC-005 warning brittle
DESC-006 warning underspecified
DESC-007 warning underspecified
DESC-008 warning verbose
DESC-009 warning missing_examples
DESC-010 warning missing_return_format
DESC-011 warning invalid_annotation
DESC-012 warning missing_annotations
DESC-013 warning underspecified
SCH-001 warning
SCH-002 warning
SCH-003 critical
SCH-004 warning
MCP-001 warning
MCP-002 critical
MCP-003 critical
MCP-004 critical
MCP-005 warning
MCP-006 warning
MCP-007 warning
MCP-008 warning
MCP-009 warning
`

func TestTable(t *testing.T) {
	var got strings.Builder
	got.WriteByte('\n')
	for _, rule := range Rules {
		fmt.Fprintln(&got, strings.TrimSpace(fmt.Sprint(rule.ID, " ", rule.Severity, " ", rule.Smell)))
		if (rule.Check == nil) == (rule.CheckAll == nil) {
			t.Errorf("%s has not exactly one of Check and CheckAll", rule.ID)
		}
		for name, text := range map[string]string{"Title": rule.Title, "Why": rule.Why, "Source": rule.Source} {
			if text == "" || strings.TrimSpace(text) != text {
				t.Errorf("%s has the %s %q, want text without white space around it", rule.ID, name, text)
			}
		}
	}
	if diff := cmp.Diff(table, got.String()); diff != "" {
		t.Errorf("the table of rules differs (-want +got):\n%s", diff)
	}
}

func TestSmells(t *testing.T) {
	of := make(map[string]bool)
	for _, rule := range Rules {
		of[rule.Smell] = true
	}
	for _, smell := range Smells {
		if !of[smell] {
			t.Errorf("no rule has the smell %q", smell)
		}
		delete(of, smell)
	}
	delete(of, "")
	if len(of) > 0 {
		t.Errorf("Smells lacks %v", of)
	}
}
