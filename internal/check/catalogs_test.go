package check

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

const shortTool = `{"tools": [
  {"name": "list_towns",
   "description": "Lists towns",
   "inputSchema": {"type": "object", "additionalProperties": false, "required": ["x"], "properties": {
     "x": {"type": "integer"}}}}
]}`

// foundIn describes the findings of a report's catalogs.
func foundIn(r *report.Report) (lines []string) {
	for _, c := range r.Catalogs {
		for _, f := range c.Findings {
			lines = append(lines, fmt.Sprintf("%s:%d %s %s %s.%s %s", f.Path, f.Line, f.Severity, f.Rule, f.Server, f.Tool, f.Argument))
		}
	}
	return lines
}

// TestFindings pins that every catalog that a suite names is linted, gated or not, with the tools under their server's
// name; and that its tool_quality entries say how, else defaults:, whichever suite they are in: what one of them reports is
// there, once, at its worst severity.
func TestFindings(t *testing.T) {
	const declared = "servers: {geo: {catalog: ../c.json}}\nagents: [{name: a, orchestration: {}}]\n"
	const first = "c.json:3 critical DESC-001 geo.list_towns "
	if ungated := foundIn(run(t, workspace("suites/a.yml", declared, "c.json", shortTool), Options{})); len(ungated) < 4 || ungated[0] != first {
		t.Fatalf("ungated: %q, want %q and more", ungated, first)
	}
	const most = "disable: [DESC-006, DESC-009, DESC-010, DESC-012]"
	const all = "disable: [DESC-001, DESC-006, DESC-009, DESC-010, DESC-012]"
	tests := []struct {
		name, suiteA, suiteB string
		want                 []string
	}{
		{"defaults", declared + "defaults: {rules: {" + most + ", severity: {DESC-001: warning}}}", "",
			[]string{"c.json:3 warning DESC-001 geo.list_towns "}},
		{"an entry of another suite", declared, "tool_quality: [{name: q, catalog: ../c.json, rules: {" + most + ", ignore: [{rule: DESC-001, tool: list_towns, reason: r}]}}]",
			[]string{"c.json:2 pass PASS geo.list_towns "}},
		{"an entry rather than defaults", declared + "defaults: {rules: {disable: [DESC-001]}}\ntool_quality: [{name: q, server: geo, rules: {" + most + "}}]", "",
			[]string{first}},
		{"an entry that hides what another reports", declared + "tool_quality: [{name: q, server: geo, rules: {" + all + "}}, {name: r, server: geo, rules: {" + most + "}}]", "",
			[]string{first}},
		{"an entry of another suite that does", declared + "tool_quality: [{name: q, server: geo, rules: {" + most + "}}]", "tool_quality: [{name: r, catalog: ../c.json, rules: {" + all + "}}]",
			[]string{first}},
		{"an entry that ignores it", declared + "tool_quality: [{name: q, server: geo, rules: {" + most + ", ignore: [{rule: DESC-001, tool: list_towns, reason: r}]}}, {name: r, server: geo, rules: {" + most + "}}]", "",
			[]string{first}},
		{"the worst severity", declared + "tool_quality: [{name: q, server: geo, rules: {" + most + ", severity: {DESC-001: warning}}}, {name: r, server: geo, rules: {" + most + "}}]", "",
			[]string{first}},
		{"what each hides", declared + "tool_quality: [{name: q, server: geo, rules: {" + all + "}}, {name: r, server: geo, rules: {" + all + "}}]", "",
			[]string{"c.json:2 pass PASS geo.list_towns "}},
		{"the defaults of two suites", declared + "defaults: {rules: {" + all + "}}", "servers: {geo: {catalog: ../c.json}}\nagents: [{name: b, orchestration: {}}]\ndefaults: {rules: {" + most + "}}",
			[]string{first}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := []string{"suites/a.yml", test.suiteA, "c.json", shortTool}
			if test.suiteB != "" {
				files = append(files, "suites/b.yml", test.suiteB)
			}
			if diff := cmp.Diff(test.want, foundIn(run(t, workspace(files...), Options{}))); diff != "" {
				t.Errorf("suites %s\n%s\n-want +got\n%s", test.suiteA, test.suiteB, diff)
			}
		})
	}
}

// TestCatalogFigures pins the scores, counts and smells of a catalog in the report, and that a gate's tokens are those of
// the catalog.
func TestCatalogFigures(t *testing.T) {
	r := run(t, workspace("mcp-gates.yml", `
tool_quality:
  - name: q
    catalog: c.json
    expect: [{surface_tokens: {">": 0}}, {max_tool_tokens: {">": 0}}, {'tool["list_towns"].tokens': {">": 0}}]
`, "c.json", shortTool), Options{})
	c, g := r.Catalogs[0], r.Cases[0].Gates[0]
	want := fmt.Sprint(c.SurfaceTokens)
	for _, target := range []string{"surface_tokens", "max_tool_tokens", `tool["list_towns"].tokens`} {
		if got := g.Metrics[target].Format(); got != want || c.SurfaceTokens == 0 {
			t.Errorf("%s is %s, want the catalog's %s", target, got, want)
		}
	}
	if c.MinScore != c.MeanScore || c.MinScore != c.Tools[0].Score || g.Metrics["min_score"].Format() != string(c.MinScore) {
		t.Errorf("scores %s, %s and %s of one tool, gate %s, want them equal", c.MinScore, c.MeanScore, c.Tools[0].Score, g.Metrics["min_score"].Format())
	}
	if r.Counts.Critical != c.Counts.Critical || c.Counts.Critical != g.Counts["critical"] || c.Counts.Critical != 1 || c.Smells["underspecified"] != 2 {
		t.Errorf("report %+v, catalog %+v, smells %v, gate %v, want one critical finding", r.Counts, c.Counts, c.Smells, g.Counts)
	}
}

// TestLinesOfSeenTools pins that the tools of a server without a snapshot have the line that declares the server, or that of the
// first test if the server is declared in an included file.
func TestLinesOfSeenTools(t *testing.T) {
	const servers, tests = "servers:\n  geo: {command: [geo]}\n", "agents:\n  - {name: a, servers: [geo], cassette: a.json, orchestration: {}}\n"
	for _, test := range []struct {
		name, suite string
		want        int
	}{
		{"declared in the suite", servers + tests, 2},
		{"declared in an included file", "include: more.yml\n\n" + tests, 4},
	} {
		r := run(t, workspace("mcp-gates.yml", test.suite, "more.yml", servers,
			"a.json", `{"catalog": {"geo": `+shortTool+`}, "runs": [{"tool_calls": [{"name": "list_towns"}]}]}`), Options{})
		if len(r.Catalogs) != 1 || len(r.Catalogs[0].Findings) == 0 {
			t.Errorf("%s: got %s, want a catalog with findings", test.name, asJSON(t, r))
			continue
		}
		tool, finding := r.Catalogs[0].Tools[0], r.Catalogs[0].Findings[0]
		if tool.Line != test.want || finding.Line != test.want {
			t.Errorf("%s: got lines %d and %d, want %d", test.name, tool.Line, finding.Line, test.want)
		}
	}
}

// TestTokensOfInstructions pins that the tokens of instructions are the sum over the servers of a catalog.
func TestTokensOfInstructions(t *testing.T) {
	r := run(t, workspace("mcp-gates.yml", "tool_quality: [{name: q, catalog: c.json, expect: [{instructions_tokens: {'<=': 3}}]}]",
		"c.json", `{"servers": {"a": {"instructions": "one two", "tools": [{"name": "a"}]}, "b": {"instructions": "three", "tools": [{"name": "b"}]}}}`), Options{})
	if c := r.Cases[0]; c.Err != nil || c.Gates[0].Metrics["instructions_tokens"].Format() != "3" {
		t.Errorf("got %s, want 3 tokens", asJSON(t, r))
	}
}

// toolsLive is a suite whose servers have a tool each.
type toolsLive struct{ brokenLive }

func (toolsLive) Tools(_ context.Context, server *suite.Server) (*catalog.Catalog, error) {
	return &catalog.Catalog{Tools: []*catalog.Tool{{Server: server.Name, Name: "of_" + server.Name}}}, nil
}

// TestToolsOfSeveralServers pins that each server of a live test is listed with its own tools.
func TestToolsOfSeveralServers(t *testing.T) {
	live := func(*suite.Suite, []*suite.Case) (LiveSuite, source.Errors) { return toolsLive{}, nil }
	r := run(t, workspace("mcp-gates.yml", "servers: {a: {command: [a]}, b: {command: [b]}}\nfindability: [{name: f, server: [a, b], search: codex}]"), Options{Live: live})
	var got []string
	for _, c := range r.Catalogs {
		for _, tool := range c.Tools {
			got = append(got, c.Name+" "+tool.Name)
		}
	}
	if diff := cmp.Diff([]string{"a of_a", "b of_b"}, got); diff != "" {
		t.Errorf("-want +got\n%s\n%s", diff, asJSON(t, r))
	}
}
