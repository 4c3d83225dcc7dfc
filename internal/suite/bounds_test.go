package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/thorough"
)

// TestBounds pins that suites of few lines cannot ask for unbounded work, and are refused with a mistake that says so.
func TestBounds(t *testing.T) {
	var models, tests, slips, members, tools strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&models, "m%d, ", i)
	}
	offered := thorough.Size(1_100, 2_000) // as many names: more pairs than maxHints
	for i := range offered {
		fmt.Fprintf(&members, "s.get_wether_%d, ", i)
		fmt.Fprintf(&tools, `%s{"name": "get_weather_%d"}`, strings.Repeat(",", min(i, 1)), i)
	}
	gate := "tool_selection: {expected_tool: a, min_selection_rate: 1}"
	for i := range 5_000 {
		fmt.Fprintf(&tests, "  - {name: t%d}\n", i)
		fmt.Fprintf(&slips, "  - {name: slip number %d, agent: slop number %d, %s}\n", i, i, gate)
	}
	manyTools := `{"tools": [` + tools.String() + `]}`
	longPrompt := strings.Repeat("long ", 100_000)
	slow := []string{"models times tests", "values times tests", "slips of names"}
	cases := []struct{ name, src, want string }{ // of these only "slips of names" has tests that are right
		{"models times tests", "defaults:\n  models: [" + models.String()[:strings.Index(models.String(), "m25,")] + "]\n  " + gate + "\ntests:\n" + tests.String(), "holds more than 100000 cases"},
		{"values times tests", "defaults:\n  tags: [" + models.String() + "]\n  " + gate + "\ntests:\n" + tests.String(), "maps inherit more than 5000000 values altogether"},
		{"prompts times tests", "defaults:\n  prompt: " + longPrompt + "\n  " + gate + "\ntests:\n" + tests.String(), "the prompts of all cases are more than 67108864 bytes long"},
		{"variables in variables' places", "variables: {x: {default: " + longPrompt + "}}\nagents:\n  - {name: a, prompt: '" + strings.Repeat("${x}", 10_000) + "', " + gate + "}\n",
			"texts are more than 67108864 bytes long once their variables are replaced"},
		{"slips of names", "agents:\n" + slips.String() + "tests:\n" + strings.ReplaceAll(slips.String(), "name: slip", "name: slop"), `"agent" of an entry of "agents" must be a map or one of`},
		{"slips of tools", "servers: {s: {catalog: w.json}}\nagents:\n  - {name: a, servers: [s], tool_selection: {expected_tool: [" + members.String() + "], min_selection_rate: 1}}\n",
			fmt.Sprintf(`tool "s.get_wether_%d" is not in w.json`, offered-1)},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			if slices.Contains(slow, tt.name) {
				thorough.Only(t, "it takes seconds")
			}
			thorough.Unraced(t, "it takes seconds, on one goroutine")
			fsys := fstest.MapFS{"s.yml": {Data: []byte(tt.src)}, "w.json": {Data: []byte(manyTools)}}
			s, errs := NewLoader(fsys).Load("s.yml")
			judged := s != nil && slices.ContainsFunc(s.Cases, (*Case).IsJudged)
			if judged && tt.name != "slips of names" || !strings.Contains(errs.Error(), tt.want) ||
				tt.name == "slips of tools" && !strings.HasSuffix(errs.Error(), tt.want) { // the last comes without a hint
				t.Errorf("Load of %.80q…: got %.300s\nwant a mistake: %s", tt.src, errs, tt.want)
			}
		})
	}
}
