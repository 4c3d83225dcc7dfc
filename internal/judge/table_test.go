package judge_test

import (
	"flag"
	"os"
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
	docsFile  = "../../docs/gates.md"
	docsBegin = "<!-- made from the code by: go test ./internal/judge -update -->\n"
	docsEnd   = "<!-- end of what is made from the code -->\n"
)

func TestDocsAreUpToDate(t *testing.T) {
	data, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, okBegin := strings.Cut(string(data), docsBegin)
	made, after, okEnd := strings.Cut(rest, docsEnd)
	if !okBegin || !okEnd {
		t.Fatalf("%s lacks the lines %q and %q", docsFile, docsBegin, docsEnd)
	}
	want := "\n" + judge.DocsMarkdown(gates.All) + "\n"
	if made == want {
		return
	}
	if !*update {
		t.Fatalf("%s is out of date; run go test ./internal/judge -update:\n%s", docsFile, diff.Diff("want", []byte(want), "got", []byte(made)))
	}
	if err := os.WriteFile(docsFile, []byte(before+docsBegin+want+docsEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
