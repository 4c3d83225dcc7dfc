package check

import (
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// Whatever the files hold, there is a report, it does not blame the world, it is never green without a case, and it is
// the same again.
func FuzzRun(f *testing.F) {
	f.Add("agents: [{name: a, cassette: a.json, orchestration: {}}]", list(fourRuns...), webCatalog)
	f.Add("agents: [{name: a, cassette: '*.json', models: [x, y], orchestration: {}}]", `{"error": 1}`, `[]`)
	f.Add("servers: {web: {catalog: web.json}}\nagents: [{name: a, server: web, cassette: a.json, token_efficiency: {classes: [{name: s, members: [web.search]}]}}]",
		`{"catalog": {"web": {"tools": [{"name": "gone"}]}}, "runs": [{"tool_calls": [{"name": "gone", "server": "web"}]}]}`, webCatalog)
	f.Fuzz(func(t *testing.T, suite, cassette, catalog string) {
		fsys := workspace("mcp-gates.yml", suite, "a.json", cassette, "web.json", catalog)
		r := run(t, fsys, Options{Jobs: 2})
		if r.ExitStatus() == report.ExitWorld {
			t.Fatalf("a file made the program break: %s", asJSON(t, r))
		}
		if r.Verdict == judge.Pass && r.Counts.Passed == 0 {
			t.Errorf("green without a case that passed: %s", asJSON(t, r))
		}
		if again := asJSON(t, run(t, fsys, Options{Jobs: 1})); again != asJSON(t, r) {
			t.Errorf("two checks of the same files differ:\n%s\n%s", asJSON(t, r), again)
		}
	})
}
