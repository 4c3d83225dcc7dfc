package change

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of keywords into the documentation")

// TestKeywordDocs holds the table of docs/catalogs.md to the keywords.
func TestKeywordDocs(t *testing.T) {
	const file, head = "../../docs/catalogs.md", "| keyword | breaks callers if it … | may break callers if it … |\n|---|---|---|\n"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), head)
	if !ok {
		t.Fatalf("%s has no table of keywords", file)
	}
	got, after, _ := strings.Cut(rest, "\n\n")
	if rest[0] == '\n' {
		got, after = "", rest[1:]
	}
	var rows []string
	for _, key := range slices.Sorted(maps.Keys(keywords)) {
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", key, keywords[key].Breaks, keywords[key].May))
	}
	want := strings.Join(rows, "\n")
	switch {
	case got == want:
	case *update:
		if err := os.WriteFile(file, []byte(before+head+want+"\n\n"+after), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of keywords in %s is not that of the program; go test ./internal/change -update writes it", file)
	}
}
