package staleness

import (
	"fmt"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/agents"
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

// TestToolSearch pins that a recording is stale by tool search only where the suite asks for it, and that one which does not
// say how it was made was made without, unless its log shows deferred tools.
func TestToolSearch(t *testing.T) {
	deferred := []catalog.Ref{}
	with, without := "recorded with tool search", "recorded without tool search"
	for _, test := range []struct {
		name, asked string
		recorded    trace.Header
		want        string
	}{
		{"not asked, on", "", trace.Header{ToolSearch: trace.SearchOn}, ""},
		{"not asked, deferred", "", trace.Header{Deferred: deferred}, ""},
		{"on, on", trace.SearchOn, trace.Header{ToolSearch: trace.SearchOn}, ""},
		{"on, off", trace.SearchOn, trace.Header{ToolSearch: trace.SearchOff}, without},
		{"on, unsaid", trace.SearchOn, trace.Header{}, without},
		{"on, deferred", trace.SearchOn, trace.Header{Deferred: deferred}, ""},
		{"off, off", trace.SearchOff, trace.Header{ToolSearch: trace.SearchOff}, ""},
		{"off, on", trace.SearchOff, trace.Header{ToolSearch: trace.SearchOn}, with},
		{"off, unsaid", trace.SearchOff, trace.Header{}, ""},
		{"off, deferred", trace.SearchOff, trace.Header{Deferred: deferred}, with},
		{"of another agent", trace.SearchOn, trace.Header{Agent: "codex", AgentSHA256: "x"}, `another agent, "codex"`},
		{"of the agent", trace.SearchOn, trace.Header{Agent: "claude-code", AgentSHA256: "x"}, without},
	} {
		agent := &suite.Agent{Preset: agents.Find("claude-code"), ToolSearch: test.asked}
		s := &Staleness{Input: Input{Case: &suite.Case{Agent: agent}, Trace: &trace.Trace{Header: test.recorded}}}
		if errs := s.caseMistakes(); (test.want == "") != (len(errs) == 0) || !strings.Contains(errs.Error(), test.want) {
			t.Errorf("%s: the mistakes are %q, want %q", test.name, errs, test.want)
		}
	}
}
