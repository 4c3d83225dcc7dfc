package judge_test

import (
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/rogpeppe/go-internal/diff"
)

var update = flag.Bool("update", false, "rewrite the documentation of the gates")

func TestAllIsValid(t *testing.T) {
	for _, mistake := range judge.Validate(gates.All) {
		t.Error(mistake)
	}
}

const (
	docsFolder = "../../docs/"
	docsBegin  = "<!-- made from the code by: go test ./internal/judge -update -->\n"
	docsEnd    = "<!-- end of what is made from the code -->\n"
)

func TestDocsAreUpToDate(t *testing.T) {
	made := judge.DocsPages(gates.All)
	for _, name := range slices.Sorted(maps.Keys(made)) {
		file := docsFolder + name
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before, rest, okBegin := strings.Cut(string(data), docsBegin)
		got, after, okEnd := strings.Cut(rest, docsEnd)
		if !okBegin || !okEnd {
			t.Fatalf("%s lacks the lines %q and %q", file, docsBegin, docsEnd)
		}
		want := "\n" + made[name] + "\n"
		if got == want {
			continue
		}
		if !*update {
			t.Errorf("%s is out of date; run go test ./internal/judge -update:\n%s", file, diff.Diff("want", []byte(want), "got", []byte(got)))
			continue
		}
		if err := os.WriteFile(file, []byte(before+docsBegin+want+docsEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPagesHaveAllGates holds that each gate is on one page of docs/gates, and that the pages name no other gate.
func TestPagesHaveAllGates(t *testing.T) {
	var got, want []string
	for _, page := range judge.Pages {
		got = append(got, page.Gates...)
	}
	for _, g := range gates.All {
		want = append(want, g.Name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the pages in internal/judge/docs_test.go have the gates %q, want each once: %q", got, want)
	}
}
