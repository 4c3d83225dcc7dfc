package weaken

import (
	"slices"
	"testing"

	"github.com/org/mcp-gates/internal/report"
)

// TestFollowed holds which settings of the base follow a renamed tool, and which have its name by chance.
func TestFollowed(t *testing.T) {
	head := &report.Case{Base: &report.BaseJudgement{
		Renames: []report.Rename{{Server: "web", Old: "search", New: "find"}, {Server: "web", Old: "fail", New: "ignore"}, {Server: "web", Old: "9", New: "1"}, {Server: "web", Old: "a", New: "b"}, {Server: "alt", Old: "b", New: "c"}},
		Gone:    []string{"gone", "web.gone"},
	}}
	for _, test := range []struct{ key, value, wantKey, want string }{
		{"tool_selection.expected_tool", "search", "", "find"},
		{"tool_selection.expected_tool", `["search","web.search","other.search"]`, "", `["find","web.find","other.search"]`},
		{`equal_function_sets.classes["search"].members`, `["search","gone"]`, "", `["find"]`},
		{`equal_function_sets.classes["old"].members`, `["gone","web.gone"]`, "-", ""},
		{"tool_bench.intents", `[{"gold":["search"],"query":"search"},{"gold":["gone"],"query":"x"}]`, "", `[{"gold":["find"],"query":"search"}]`},
		{"tool_quality.rules.ignore", `[{"reason":"search","rule":"DESC-010","tool":"search"}]`, "", `[{"reason":"search","rule":"DESC-010","tool":"find"}]`},
		{`tool_quality.expect.tool["search"].score`, ">= 0.5", `tool_quality.expect.tool["find"].score`, ">= 0.5"},
		{`members["web.search"]`, "the tool of a declared server", `members["web.find"]`, "the tool of a declared server"},
		{"expect.tool_names", `contains "search"`, "", `contains "find"`},
		{"expect.final_response", `contains "search"`, "", `contains "search"`},
		{"stale_catalog", "fail", "", "fail"},
		{"runs", "9", "", "9"},
		{"orchestration.error_pattern", "search", "", "search"},
		{"servers", `["search"]`, "", `["search"]`},
		{"distractors.correct", `["a","b"]`, "", `["b","c"]`},
	} {
		got := followed(&report.Case{Settings: []report.Setting{{Key: test.key, Value: test.value}}}, head, nil).Settings
		want := []report.Setting{{Key: test.key, Value: test.want}}
		switch test.wantKey {
		case "":
		case "-":
			want = nil
		default:
			want[0].Key = test.wantKey
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s: got %+v, want %+v", test.key, test.value, got, want)
		}
	}
}
