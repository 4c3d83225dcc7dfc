package lint

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"golang.org/x/tools/txtar"
)

// manifestOf returns the tools of a catalog as a manifest has them.
func manifestOf(t *testing.T, cat *catalog.Catalog) *catalog.Catalog {
	t.Helper()
	out := &catalog.Catalog{File: cat.File, Manifest: &catalog.Manifest{Key: "manifest_version"}}
	for _, tool := range cat.Tools {
		out.Tools = append(out.Tools, tool.WithoutSchema())
	}
	return out
}

// TestReads pins what each rule looks at: one that reads texts alone finds the same where nothing else is known of the tools, and
// another is not applied there.
func TestReads(t *testing.T) {
	for _, rule := range Rules {
		t.Run(rule.ID, func(t *testing.T) {
			if rule.Reads != Texts && rule.Reads != Schemas {
				t.Fatal("the rule does not say whether it reads schemas: Reads is Texts or Schemas")
			}
			archive, err := txtar.ParseFile(filepath.Join("testdata", rule.ID+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			cat := readCatalog(t, "catalog.json", string(archive.Files[0].Data))
			want, found := findingsOf(rule, cat)
			got, inManifest := findingsOf(rule, manifestOf(t, cat))
			switch {
			case rule.Reads == Schemas && inManifest > 0:
				t.Errorf("%s finds in a manifest:\n%s", rule.ID, got)
			case rule.Reads == Texts && got != want:
				t.Errorf("%s reads more than texts (-whole +manifest):\n%s", rule.ID, cmp.Diff(want, got))
			case found == 0:
				t.Error("the example has no finding")
			}
		})
	}
}

// TestManifest pins what a catalog of which only names and descriptions are known is judged by, and that it has no score, not one of 0.
func TestManifest(t *testing.T) {
	cat := readCatalog(t, "manifest.json", `{"manifest_version": "0.3", "tools": [
 {"name": "get_order", "description": "get_order"},
 {"name": "list_orders", "description": "Lists the orders of a customer, newest first."},
 {"name": "find_order", "description": "Finds an order by its number.", "inputSchema": {"type": "object", "properties": {"number": {}}}}]}`)
	got := Check(cat, Config{})
	want := []string{
		"DESC-001 critical get_order.:2",
		"DESC-003 critical get_order.:2",
		"SCH-003 critical find_order.number:4",
		"DESC-009 warning find_order.:4",
		"DESC-010 warning find_order.:4",
		"DESC-012 warning find_order.:4",
		"SCH-001 warning find_order.:4",
		"SCH-002 warning find_order.:4",
		"PASS pass list_orders.:3",
	}
	if diff := cmp.Diff(want, brief(got.Findings)); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
	if got.HasScores || got.Scores[0] != NoScore || got.Scores[1] != NoScore || got.Scores[2] <= 0 {
		t.Errorf("got scores %v, of the catalog %t; want one alone", got.Scores, got.HasScores)
	}
}

// TestNotApplied pins which rules make a count one that is not known.
func TestNotApplied(t *testing.T) {
	manifest := readCatalog(t, "manifest.json", `{"manifest_version": "0.3", "tools": [{"name": "a"}]}`)
	whole := readCatalog(t, "c.json", `{"tools": [{"name": "a"}]}`)
	critical := func(r *Rule, s Severity) bool { return r.family() == "DESC" && s == Critical }
	if got := (Config{}).NotApplied(manifest, critical); got != nil {
		t.Errorf("got %q, want none: the critical rules on descriptions read texts alone", got)
	}
	raised := Config{Severity: map[string]Severity{"DESC-007": Critical}, Disable: map[string]bool{"DESC-006": true}}
	if got := raised.NotApplied(manifest, critical); !slices.Equal(got, []string{"DESC-007"}) {
		t.Errorf("got %q, want DESC-007", got)
	}
	smelly := func(r *Rule, _ Severity) bool { return r.Smell != "" }
	if got := WhyNotCounted(raised.NotApplied(manifest, smelly)); !strings.Contains(got, "DESC-007, DESC-008, DESC-009 and 4 more, which need schemas") {
		t.Errorf("got %s", got)
	}
	if got := (Config{}).NotApplied(whole, smelly); got != nil {
		t.Errorf("got %q in a catalog that has all", got)
	}
}

// TestDocsOfReads holds the page on catalogs to the rules that are applied to a manifest.
func TestDocsOfReads(t *testing.T) {
	var ids []string
	for _, rule := range Rules {
		if rule.Reads == Texts {
			ids = append(ids, rule.ID)
		}
	}
	page, err := os.ReadFile("../../docs/catalogs.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(page)), " ")
	if list := strings.Join(ids, ", "); !strings.Contains(text, list) {
		t.Errorf("docs/catalogs.md does not list the rules that need no schema: %s", list)
	}
}
