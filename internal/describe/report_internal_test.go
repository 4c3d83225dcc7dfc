package describe

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/schema"
)

// TestReportKeys pins that reports have the keys of the schema and no others.
func TestReportKeys(t *testing.T) {
	text, err := json.Marshal(closedReport())
	if err != nil {
		t.Fatal(err)
	}
	doc, _ := judge.DecodeJSON(text)
	s, err := judge.NewMeter(0).Compile(doc)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range reportsOfTests(t) {
		value, _ := judge.DecodeJSON(data)
		if object, ok := value.(map[string]any); !ok || object["report"] == nil {
			continue // another format
		}
		for _, flaw := range schema.Flaws(s.Validate(value)) {
			t.Errorf("%s: %v: %s", name, flaw.Path, flaw.Problem)
		}
	}
}

// reportsOfTests returns the reports of package report, and one of all examples, by name.
func reportsOfTests(t *testing.T) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("../report/testdata/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no reports were found: %v", err)
	}
	all := map[string][]byte{}
	for _, name := range names {
		if all[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	var text bytes.Buffer
	r := check.Run(t.Context(), os.DirFS("../../examples"), check.Options{Suites: []string{"*/mcp-gates.yml", "*/failing.yml"}, Digests: true})
	if err := report.JSON(&text, r); err != nil || len(r.Cases) < 20 {
		t.Fatalf("the report of the examples has %d cases: %v", len(r.Cases), err)
	}
	all["examples"] = text.Bytes()
	return all
}
