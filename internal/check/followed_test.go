package check

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/source"
)

// changeOf returns what a comparison of two workspaces lists as weakened, where the base's suites judge, too: KEY: KIND for what
// counts, (KEY: KIND) for what is only shown, and in effect: REASON.
func changeOf(t *testing.T, base, head []string) []string {
	t.Helper()
	was, judge := RunBase(context.Background(), workspace(base...), Options{Digests: true})
	files := workspace(head...)
	now := run(t, files, Options{Digests: true, BaseSuites: judge})
	for _, p := range append(was.Problems, now.Problems...) {
		t.Fatalf("%s:%d: %s", p.Path, p.Line, p.Message)
	}
	stands := func(path string) bool { return source.Stands(files, path) }
	told := []string{}
	for _, w := range compare.Reports(was, now, compare.Options{Stands: stands}).Weakened {
		line := w.Key + ": " + w.Kind
		if w.Kind == report.InEffect {
			line = w.Kind + ": " + w.Reason
		}
		if w.ToldOnly {
			line = "(" + line + ")"
		}
		told = append(told, line)
	}
	return told
}

// named is a suite that names its server in every key that can, and what runs call by it.
const named = `servers: {web: {catalog: web.json}, shop: {}}
agents:
  - name: one
    servers: [web, shop]
    cassette: one.json
    classes: [{name: get, members: [web.fetch, shop.buy]}]
    expect: [{tool_names: {contains: web.search}}]
    tool_selection: {expected_tool: [web.search], min_selection_rate: 0.5}
    trajectory: {mode: superset, steps: [{args: {q: x}, tool: web.search}, {class: get}]}
    tool_edges: {allowed: ["web.*", shop.buy], restricted: [{tool: "web.f*", args: {url: {regex: "^file:"}}}, shop.sell]}
    limits: {max_calls_by_tool: {web.search: 3, "web.*": 4, "shop.*": 1}}
    orchestration: {}
tool_quality:
  - {name: words, server: web, rules: {ignore: [{rule: DESC-012, tool: web.fetch, reason: later}]}, expect: [{min_score: {">=": 0.1}}]}
tool_bench:
  - {name: leads, server: web, intents: [{query: search the web, gold: web.search}], min_accuracy: 0.1}
`

const namedRuns = `{"catalog": {"web": ` + webCatalog + `, "shop": {"tools": [{"name": "buy"}]}}, "runs": [{"tool_calls": [` +
	`{"name": "search", "server": "web", "args": {"q": "x"}}, {"name": "fetch", "server": "web"}]}]}`

// TestRenamedServers pins that a server which has another name everywhere weakens nothing, and that whatever else changes with it
// does.
func TestRenamedServers(t *testing.T) {
	base := []string{"mcp-gates.yml", named, "web.json", webCatalog, "one.json", namedRuns}
	everywhere := []string{"web.", "net.", "server: web", "server: net", "{web:", "{net:", "[web, shop]", "[net, shop]", `"web"`, `"net"`}
	shop := []string{"shop.", "store.", "shop:", "store:", ", shop]", ", store]", `"shop"`, `"store"`}
	for _, test := range []struct {
		name string
		edit []string
		want []string
	}{
		{"everywhere", everywhere, nil},
		{"one without a snapshot", shop, nil},
		{"both", append([]string{"[web, shop]", "[net, store]", "shop.", "store.", "shop:", "store:", `"shop"`, `"store"`}, everywhere...), nil},
		{"and its snapshot moved", append([]string{"web.json", "net.json"}, everywhere...), nil},
		{"and a floor lowered", append([]string{"min_selection_rate: 0.5", "min_selection_rate: 0.4"}, everywhere...), []string{"tool_selection.min_selection_rate: minimum lowered"}},
		{"and a tool more", append([]string{"expected_tool: [web.search]", "expected_tool: [net.search, net.fetch]"}, everywhere...), []string{"tool_selection.expected_tool: tool added to those that count"}},
		{"and a tool restricted no more", append([]string{", shop.sell", ""}, everywhere...), []string{"tool_edges.restricted: restricted no more"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			head := make([]string, len(base))
			for i, text := range base {
				head[i] = strings.NewReplacer(test.edit...).Replace(text)
			}
			if diff := cmp.Diff(append([]string{}, test.want...), changeOf(t, base, head)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
