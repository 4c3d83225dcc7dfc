package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
)

// TestCostOfReports holds what a report says that the tools of catalogs cost to what the command cost counts of them.
func TestCostOfReports(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	for file, text := range map[string]string{
		"mcp-gates.yml": "servers:\n  bakery: {catalog: bakery.json}\ntool_quality:\n  - {name: quality, server: bakery, expect: [{surface_tokens: {\"<=\": 900}}]}\n",
		"bakery.json": `{"instructions": "Flour, yeast and water.", "tools": [
			{"name": "bake", "description": "Bake a fresh loaf.", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}},
			{"name": "open", "description": "Open the shop early.", "inputSchema": {"type": "object"}, "_meta": {"anthropic/alwaysLoad": true}},
			{"name": "click", "description": "Click a big button.", "inputSchema": {"type": "object"}, "_meta": {"ui": {"visibility": ["app"]}}}]}`,
	} {
		if err := os.WriteFile(filepath.Join(own, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	compared := 0
	for _, workspace := range []string{own, filepath.Join(repository, "examples/findability"), filepath.Join(repository, "examples/tool-quality"), filepath.Join(repository, "examples/tool-bench")} {
		var r report.Report
		decode(t, &r, "run", "--format", "json", "--workspace", workspace)
		for _, c := range r.Catalogs {
			var want struct{ Total *report.Cost }
			decode(t, &want, "cost", "--json", c.Tools[0].Server+"="+filepath.Join(workspace, c.Path))
			if !reflect.DeepEqual(c.Cost, want.Total) {
				t.Errorf("%s in %s costs %+v in the report, want %+v", c.Path, workspace, c.Cost, want.Total)
			}
			compared++
		}
	}
	if compared < 4 {
		t.Errorf("%d catalogs were compared, want one or more of each workspace", compared)
	}
}

// decode reads the JSON that a command prints.
func decode(t *testing.T, into any, args ...string) {
	t.Helper()
	var stdout, stderr strings.Builder
	if status := run(args, noEnvironment, strings.NewReader(""), &stdout, &stderr); status > 1 {
		t.Fatalf("%q: exit status %d: %s", args, status, stderr.String())
	}
	if err := json.Unmarshal([]byte(stdout.String()), into); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
}
