package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestManyRows pins that 270 prompts are one entry and 270 cases, whose names, recordings and settings do not depend on where the
// rows stand, and that an edit of the table is one of the suite.
func TestManyRows(t *testing.T) {
	const yaml = "tests:\n  - {name: support, cases: {file: prompts.csv}, tool_selection: {min_selection_rate: 80%}}\n"
	var rows []string
	for i := range 270 {
		rows = append(rows, fmt.Sprintf("question %d,tool_%d,", i, i%7))
	}
	load := func(rows []string) (map[string]string, [32]byte) {
		table := "prompt,expected_tool,name\n" + strings.Join(rows, "\n") + "\n"
		loader := NewLoader(fstest.MapFS{"s.yml": {Data: []byte(yaml)}, "prompts.csv": {Data: []byte(table)}})
		loader.Settings = true
		s, errs := loader.Load("s.yml")
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		cases := map[string]string{}
		for _, c := range s.Cases {
			said := fmt.Sprint(c.Cassettes, c.Prompt, c.Pos)
			for _, one := range c.Settings {
				said += fmt.Sprint(one.Key, one.Value, one.File)
			}
			cases[c.ID] = said
		}
		return cases, s.SHA256
	}
	all, sum := load(rows)
	if len(all) != len(rows) {
		t.Fatalf("%d rows are %d cases", len(rows), len(all))
	}
	slices.Reverse(rows)
	moved, movedSum := load(rows)
	for id, said := range all {
		if moved[id] != said {
			t.Errorf("%s: got %q where the rows moved, want %q", id, moved[id], said)
		}
	}
	if sum == movedSum {
		t.Error("the suite has the same hash with another table")
	}
	fewer, _ := load(rows[1:])
	if _, still := fewer["s.yml::support: question 269"]; still || len(fewer) != len(rows)-1 {
		t.Errorf("without its row the case is still there: %d cases", len(fewer))
	}
}

// TestHostileRows pins that no row leads out of the workspace or into another row's recording.
func TestHostileRows(t *testing.T) {
	const yaml = "tests:\n  - {name: t, cases: {file: p.csv}, cassette: 'r/${row}.json', tool_selection: {min_selection_rate: 80%}}\n"
	for _, name := range []string{"../../etc/passwd", "..", "a/../../b", `C:\x`, "${row}", "$${row}", "${model}", "*.json", "\x1b[31mred", "\u202eabc"} {
		table := "prompt,expected_tool,name\np,t,\"" + name + "\"\n"
		s, errs := NewLoader(fstest.MapFS{"s.yml": {Data: []byte(yaml)}, "p.csv": {Data: []byte(table)}}).Load("s.yml")
		if s == nil || len(s.Cases) != 1 {
			t.Fatalf("%q: got %v", name, errs)
		}
		for _, path := range s.Cases[0].Cassettes {
			slug, ok := strings.CutPrefix(path, "r/")
			if !ok || strings.ContainsAny(slug, `/\*$[{`) {
				t.Errorf("%q leads to %q", name, path)
			}
		}
		if len(errs) > 0 && errs[0].Pos.File != "p.csv" {
			t.Errorf("%q: got %v, want a mistake in the table", name, errs)
		}
	}
}
