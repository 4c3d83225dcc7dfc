package gates

import (
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
)

func TestAllIsValid(t *testing.T) {
	for _, mistake := range judge.Validate(All) {
		t.Error(mistake)
	}
}

// TestBlocksFitTheirSchema validates the blocks of all examples without mistakes against the schema made from the keys.
func TestBlocksFitTheirSchema(t *testing.T) {
	for _, e := range readExamples(t) {
		checks, _ := e.checks(t)
		if len(e.mistakes) > 0 {
			continue
		}
		for _, check := range checks {
			fits(t, e, check.Gate.Name, judge.KeysSchema(check.Gate.Keys))
		}
		if e.test.Has("expect") {
			fits(t, e, "expect", judge.ExpectSchema())
		}
	}
}

func fits(t *testing.T, e *example, key string, doc map[string]any) {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	decoded, _ := judge.DecodeJSON(text)
	schema, err := judge.NewMeter(0).Compile(decoded)
	if err != nil {
		t.Fatalf("the schema of %s: %v", key, err)
	}
	v, _ := e.test.Value(key)
	block, _ := v.JSON()
	if err := schema.Validate(block); err != nil {
		t.Errorf("%s: %s does not fit its schema: %s", e.file, key, err)
	}
}

const (
	docsFile  = "../../docs/gates.md"
	docsBegin = "<!-- made from the code by: go test ./internal/gates -update -->\n"
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
	want := "\n" + judge.DocsMarkdown(All) + "\n"
	if made == want {
		return
	}
	if !*update {
		t.Fatalf("%s is out of date; run go test ./internal/gates -update (-want +got):\n%s", docsFile, cmp.Diff(want, made))
	}
	if err := os.WriteFile(docsFile, []byte(before+docsBegin+want+docsEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
