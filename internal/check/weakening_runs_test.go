package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bounded is a suite with the gates on what a run did.
const bounded = `servers: {web: {catalog: web.json}}
agents:
  - name: one
    cassette: one.json
    servers: [web]
    classes: [{name: get, members: [web.fetch]}]
    trajectory:
      mode: in_order
      steps: [{tool: web.search, args: {q: x}, exact_args: true, count: 2}, {class: get}]
      expect: [{trajectory.recall: {">=": 80}}]
    golden_path: {calls: 3}
    limits:
      max_calls: 5
      max_turns: 5
      max_errors: 1
      max_tokens: 900
      max_duration: 90s
      max_cost_usd: 0.5
      max_calls_by_tool: {web.search: 3, "web.*": 4}
      expect: [{limits.calls: {"<=": 4}}]
`

// TestSoftenedRuns pins which changes of these gates soften them.
func TestSoftenedRuns(t *testing.T) {
	for _, test := range []struct {
		name, old, new string
		want           []string
	}{
		{"nothing", "", "", nil},
		{"a duration spelt otherwise", "90s", "1m30s", nil},
		{"lower bounds", "max_calls: 5", "max_calls: 4", nil},
		{"a shorter run", "90s", "89.5s", nil},
		{"another bound", "max_calls_by_tool: {", "max_calls_by_tool: {web.fetch: 0, ", nil},
		{"more calls", "max_calls: 5", "max_calls: 6", []string{"limits.max_calls: maximum raised"}},
		{"turns without end", "      max_turns: 5\n", "", []string{"limits.max_turns: maximum removed"}},
		{"more errors", "max_errors: 1", "max_errors: 2", []string{"limits.max_errors: maximum raised"}},
		{"a longer run", "90s", "1m31s", []string{"limits.max_duration: maximum raised"}},
		{"more dollars", "0.5\n", "0.51\n", []string{"limits.max_cost_usd: maximum raised"}},
		{"more calls of a tool", "web.search: 3", "web.search: 4", []string{`limits.max_calls_by_tool["web.search"]: maximum raised`}},
		{"no bound on a tool", `, "web.*": 4`, "", []string{`limits.max_calls_by_tool["web.*"]: maximum removed`}},
		{"an expectation", `{"<=": 4}`, `{"<=": 5}`, []string{"limits.expect.limits.calls: upper bound raised"}},
		{"another mode", "in_order", "superset", []string{"trajectory.mode: changed"}},
		{"another step", "count: 2", "count: 1", []string{"trajectory.steps: changed"}},
		{"a class", "[web.fetch]}]", "[web.fetch, web.crawl]}]", []string{`trajectory.classes["get"].members: tool added to those that count`}},
		{"more calls needed", "{calls: 3}", "{calls: 4}", []string{"golden_path.calls: changed"}},
		{"the default", "{calls: 3}", `{calls: 3, expect: [{golden_path.efficiency: {">=": 40}}]}`, []string{"golden_path.expect.golden_path.efficiency: lower bound lowered"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			head := strings.Replace(bounded, test.old, test.new, 1)
			if head == bounded && test.old != "" {
				t.Fatalf("the suite does not hold %q", test.old)
			}
			files := append(recordings(head, ""), "web.json", strings.Replace(webCatalog, `"tools": [`, `"tools": [{"name": "crawl", "description": "Crawls pages."}, `, 1))
			base := append(recordings(bounded, ""), files[len(files)-2:]...)
			if diff := cmp.Diff(append([]string{}, test.want...), toldOf(t, base, files)); diff != "" {
				t.Errorf("%q became %q: -want +got\n%s", test.old, test.new, diff)
			}
		})
	}
}
