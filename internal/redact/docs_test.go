package redact

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of rules in docs/redaction.md anew")

// TestDocs holds the table in docs/redaction.md to All.
func TestDocs(t *testing.T) {
	const file, begin, end = "../../docs/redaction.md", "-update -->\n", "<!-- end -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", file)
	}
	var table strings.Builder
	table.WriteString("| rule | what counts as a secret |\n|---|---|\n")
	for _, rule := range All {
		table.WriteString("| `" + rule.ID + "` | " + strings.ReplaceAll(rule.Doc, "|", `\|`) + " |\n")
	}
	want := before + begin + table.String() + end + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Errorf("%s is not up to date; run go test ./internal/redact -update", file)
	}
}
