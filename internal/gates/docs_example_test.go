package gates

import (
	"os"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// TestDocExamples configures each gate with the example at the top of its documentation.
func TestDocExamples(t *testing.T) {
	classes := []judge.Class{{Name: "lookup", Members: []string{"search"}}}
	in := judge.Context{Runs: 10, Servers: []string{"shell"}, TestClasses: classes, Classes: classes}
	for _, g := range All {
		_, rest, _ := strings.Cut(g.Doc, "```yaml\n")
		example, _, ok := strings.Cut(rest, "```")
		if !ok {
			t.Errorf("the documentation of %s has no example", g.Name)
			continue
		}
		var errs source.Errors
		suite := yamlread.Parse("s.yml", []byte(example), &errs)
		for _, block := range blocksOf(suite, g.Name) {
			g.Configure(block, in)
		}
		suite.Done()
		if len(errs) > 0 {
			t.Errorf("the example of %s has mistakes: %v\n%s", g.Name, errs.Err(), example)
		}
	}
}

// blocksOf returns the block of a gate, or the entries of its list, whose keys that the suite reads are read.
func blocksOf(suite *yamlread.Map, gate string) []*yamlread.Map {
	if v, _ := suite.Value(gate); v.Kind() != yamlread.ListKind {
		return []*yamlread.Map{suite.Map(gate)}
	}
	blocks := suite.Maps(gate)
	for _, block := range blocks {
		for _, key := range []string{"name", "server", "catalog"} {
			block.Has(key)
		}
	}
	return blocks
}

// TestDocumented holds that each key and each target of a gate has a text for the documentation.
func TestDocumented(t *testing.T) {
	var hold func(place string, keys []judge.Key)
	hold = func(place string, keys []judge.Key) {
		for _, key := range keys {
			at := place + "." + key.Name
			if key.Doc == "" || key.Type == "" {
				t.Errorf("the key %s has the type %q and the text %q, want both", at, key.Type, key.Doc)
			}
			hold(at, key.Keys)
			hold(at, key.OfFile)
		}
	}
	for _, g := range All {
		hold(g.Name, g.Keys)
		for _, target := range g.Targets {
			if target.Doc == "" {
				t.Errorf("the target %s has no text", target.Name)
			}
		}
	}
}

// TestReadmeNamesAll holds the table of README.md to the gates.
func TestReadmeNamesAll(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## What it checks")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, g := range All {
		if !strings.Contains(table, "`"+g.Name+"`") {
			t.Errorf("the table of README.md has no gate %s", g.Name)
		}
	}
}
