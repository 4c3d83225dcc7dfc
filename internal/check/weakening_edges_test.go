package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// edged is a suite with every key of tool_edges.
const edged = `servers: {web: {catalog: web.json}}
agents:
  - name: one
    cassette: one.json
    servers: [web]
    tool_edges:
      allowed: [web.search, "web.f*"]
      restricted: [exec, {tool: web.fetch, args: {url: {regex: "^file:"}}}]
      delegation: [{from: a, to: b}]
      expect: [{edges.restricted_attempts: {"<=": 0}}, {edges.outside: {"<=": 1}}]
`

// TestSoftenedEdges pins which changes of the lists soften the gate.
func TestSoftenedEdges(t *testing.T) {
	for _, test := range []struct {
		name, old, new string
		want           []string
	}{
		{"nothing", "", "", nil},
		{"another order", `[web.search, "web.f*"]`, `["web.f*", web.search]`, nil},
		{"another tool restricted", "restricted: [exec,", "restricted: [exec, shell,", nil},
		{"a tool restricted no more", "[exec, ", "[", []string{"tool_edges.restricted: restricted no more"}},
		{"fewer arguments restricted", "^file:", "^file:///etc", []string{"tool_edges.restricted: restricted no more"}},
		{"another tool allowed", "allowed: [", "allowed: [exec, ", []string{"tool_edges.allowed: tool added to those that count"}},
		{"a tool allowed no more", `[web.search, "web.f*"]`, `[web.search]`, nil},
		{"another pair", "to: b}", "to: c}", []string{"tool_edges.delegation: changed"}},
		{"attempts allowed", `{"<=": 0}`, `{"<=": 2}`, []string{"tool_edges.expect.edges.restricted_attempts: upper bound raised"}},
		{"no gate", edged[strings.Index(edged, "    tool_edges"):], "    orchestration: {}\n", []string{"tool_edges: gate removed"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			head := strings.Replace(edged, test.old, test.new, 1)
			got := toldOf(t, recordings(edged, ""), recordings(head, ""))
			if diff := cmp.Diff(append([]string{}, test.want...), got); diff != "" {
				t.Errorf("%s\n-want +got\n%s", head, diff)
			}
		})
	}
}

// TestMisspeltRestriction pins that a restricted tool that its server lacks is a mistake: nothing would ever match it.
func TestMisspeltRestriction(t *testing.T) {
	files := recordings(strings.Replace(edged, "tool: web.fetch", "tool: web.fetsh", 1), "")
	r := run(t, workspace(files...), Options{})
	const want = `tool "web.fetsh" is not in web.json, did you mean "web.fetch"?`
	if len(r.Problems) != 1 || r.Problems[0].Message != want {
		t.Errorf("problems %+v, want %s", r.Problems, want)
	}
}
