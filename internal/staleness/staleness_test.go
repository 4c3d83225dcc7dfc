package staleness

import (
	"fmt"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// tool returns the catalog in which server s has one tool, under the name of a file.
func tool(t *testing.T, file, description string) *catalog.Catalog {
	t.Helper()
	cat, errs := catalog.Read(file, fmt.Appendf(nil, `{"tools": [{"name": "a", "description": %q}]}`, description))
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	return cat.Named("s")
}

// TestCacheTellsSnapshotsApart pins that cases whose servers have one name and other snapshots do not share a comparison: a change
// that names another catalog would be compared with it where the floor asks for the base's.
func TestCacheTellsSnapshotsApart(t *testing.T) {
	var cache Cache
	recorded := tool(t, "", "reads")
	for _, test := range []struct {
		file, description string
		want              report.FreshnessState
	}{
		{"now.json", "reads", report.Fresh},
		{"other.json", "writes", report.Touched},
	} {
		one := &suite.Case{ServerNames: []string{"s"}, Servers: []*suite.Server{{Name: "s", Snapshot: tool(t, test.file, test.description)}}}
		got := Of(Input{Case: one, Trace: &trace.Trace{Header: trace.Header{Recorded: recorded}}, Cache: &cache})
		if got.State != test.want {
			t.Errorf("%s: the state is %s, want %s", test.file, got.State, test.want)
		}
	}
}
