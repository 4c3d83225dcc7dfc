package check

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report/compare"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

// judgedSuite is red on its evidence wherever a case says so: each of its gates fails on a run that a change would like to
// see pass.
const judgedSuite = `
pricing: {m: {input: 3.00, output: 15.00}}
servers:
  web: {catalog: web.json}
agents:
  - name: selects
    model: m
    server: web
    prompt: Find the news.
    cassette: runs.json
    runs: 4
    tool_selection: {expected_tool: web.search, min_selection_rate: 0.9, max_total_tokens: 100}
  - name: classes
    server: web
    cassette: runs-2.json
    equal_function_sets:
      classes: [{name: search, members: [web.search]}, {name: fetch, members: [web.fetch]}]
      expect: [{tool_selection.f1: {">=": 90}}]
  - name: each run
    server: web
    cassette: runs-3.json
    expect: [{tool_names: {contains: search}}]
tool_quality:
  - name: descriptions
    server: web
    expect: [{warning_count: {"<=": 0}}]
`

const judgedRuns = `[
  {"tool_calls": [{"name": "search", "server": "web", "args": {"q": "x"}}], "conversation": {"tokens": {"input": 90, "output": 5}}},
  {"tool_calls": [{"name": "fetch", "server": "web"}], "conversation": {"tokens": {"input": 190, "output": 5}}},
  {"tool_calls": [{"name": "search", "server": "web"}], "conversation": {"tokens": 40}},
  {"tool_calls": [{"name": "exec", "server": "shell"}], "conversation": {"tokens": 40}}
]`

func judgedBase() map[string]string {
	return map[string]string{
		"mcp-gates.yml": judgedSuite,
		"web.json": `{"tools": [
  {"name": "search", "description": "Search the web for pages about a topic.", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}},
  {"name": "fetch", "description": "Fetch one page."}]}`,
		"runs.json": judgedRuns, "runs-2.json": judgedRuns + " ", "runs-3.json": judgedRuns + "  ",
	}
}

// change makes the head's files of the base's.
type change func(files map[string]string)

func edit(file, old, new string) change {
	return func(files map[string]string) {
		if !strings.Contains(files[file], old) {
			panic(fmt.Sprintf("%s holds no %q", file, old))
		}
		files[file] = strings.ReplaceAll(files[file], old, new)
	}
}

func inSuite(old, new string) change { return edit("mcp-gates.yml", old, new) }

func moved(from, to string) change {
	return func(files map[string]string) {
		files[to] = files[from]
		delete(files, from)
	}
}

// renamedSearch gives a tool another name, everywhere.
func renamedSearch(files map[string]string) {
	for name := range files {
		files[name] = strings.NewReplacer(`"search"`, `"find"`, "web.search", "web.find", "contains: search", "contains: find").Replace(files[name])
	}
}

// inEffect returns what the comparison of a base and its head says is weakened in effect, a line each: the case, and the
// reason.
func inEffect(t *testing.T, base map[string]string, changes ...change) string {
	t.Helper()
	head := maps.Clone(base)
	for _, change := range changes {
		change(head)
	}
	o := Options{Digests: true}
	before, judge := RunBase(context.Background(), filesOf(base), o)
	o.BaseSuites = judge
	after := Run(context.Background(), filesOf(head), o)
	if len(after.Problems) > 0 {
		t.Fatalf("the head's files have mistakes: %v", after.Problems)
	}
	var lines []string
	c := compare.Reports(before, after, compare.Options{})
	for _, w := range c.Weakened {
		if w.Kind == report.InEffect {
			lines = append(lines, fmt.Sprintf("%s (%s, %s): %s", w.Name, w.Base, w.Head, w.Reason))
		}
	}
	for _, u := range c.Unjudged {
		lines = append(lines, "unjudged "+u.Case+": "+u.Reason)
	}
	return strings.Join(lines, "\n")
}

func filesOf(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// TestSoftenedInEffect changes suites so that a case which fails by the base's suite passes.
func TestSoftenedInEffect(t *testing.T) {
	const (
		rate    = "selects (fail, pass): min_selection_rate is 0.5000, expected >= 0.9"
		f1      = "classes (fail, pass): tool_selection.f1 is 50%, expected >= 90"
		eachRun = `each run (fail, pass): run 2: tool_names is ["fetch"], expected contains "search"`
		quality = "descriptions (fail, pass): warning_count is 4, expected <= 0"
	)
	tests := []struct {
		name    string
		changes []change
		want    string
	}{
		{"a floor lowered", []change{inSuite("min_selection_rate: 0.9, max_total_tokens: 100", "min_selection_rate: 0.1")}, rate},
		{"another tool expected", []change{inSuite("expected_tool: web.search, min_selection_rate: 0.9, max_total_tokens: 100", "expected_tool: [web.search, web.fetch, shell.exec], min_selection_rate: 0.9")}, rate},
		{"the gate replaced by one that says nothing", []change{inSuite("tool_selection: {expected_tool: web.search, min_selection_rate: 0.9, max_total_tokens: 100}", "orchestration: {expect: [{orchestration.syntax: {\">=\": 90}}]}")}, rate},
		{"a class that takes every tool", []change{inSuite("members: [web.fetch]", "members: [web.fetch, shell.exec]"), inSuite(`">=": 90}}]`, `">=": 50}}]`)}, f1},
		{"skipped where absent", []change{inSuite(`expect: [{tool_selection.f1: {">=": 90}}]`, `expect: [{tool_selection.f1: {">": 0}}]`)}, f1},
		{"an expectation that every run meets", []change{inSuite("contains: search", "schema: {type: array}")}, eachRun},
		{"rules switched off", []change{inSuite(`expect: [{warning_count: {"<=": 0}}]`, `expect: [{warning_count: {"<=": 99}}]`)}, quality},
		{"the case in a suite of another name", []change{inSuite("contains: search", "schema: {type: array}"), moved("mcp-gates.yml", "mcptest.yml")}, eachRun},
		{"the case renamed", []change{inSuite("name: each run", "name: every run"), inSuite("contains: search", "schema: {type: array}")}, strings.Replace(eachRun, "each", "every", 1)},
		{"the entry renamed", []change{inSuite("name: descriptions", "name: words"), inSuite(`warning_count: {"<=": 0}`, `warning_count: {"<=": 99}`)}, strings.Replace(quality, "descriptions", "words", 1)},
		{"fewer runs, and they were removed", []change{
			inSuite("runs: 4", "runs: 1"), inSuite(", max_total_tokens: 100", ""),
			func(files map[string]string) {
				files["runs.json"] = `[{"tool_calls": [{"name": "search", "server": "web"}], "conversation": {"tokens": 4}}]`
			},
		}, "selects (error, pass): there are 1 of the 4 runs that the suite asks for"},
		{"run errors allowed", []change{
			inSuite("contains: search}}]", "contains: search}}]\n    allow_run_errors: 3"),
			func(files map[string]string) {
				files["runs-3.json"] = `[{"tool_calls": [{"name": "search"}]}, {"error": "overloaded"}]`
			},
		}, "each run (error, pass): 1 of 2 runs did not finish (run 2: overloaded)"},
		{"a cap without token counts", []change{
			inSuite("min_selection_rate: 0.9, max_total_tokens: 100", "min_selection_rate: 0.9"),
			inSuite("runs: 4", "runs: 1"),
			func(files map[string]string) {
				files["runs.json"] = list(strings.Repeat(`{"tool_calls": [{"name": "search", "server": "web"}]},`, 3) + `{"tool_calls": [{"name": "search", "server": "web"}]}`)
			},
		}, "selects (error, pass): "},
		{"a rename followed, and a floor lowered", []change{renamedSearch, inSuite("min_selection_rate: 0.9, max_total_tokens: 100", "min_selection_rate: 0.1")}, rate},
		{"a rename in the snapshot that no run has seen", []change{
			edit("web.json", `"fetch"`, `"exec"`), inSuite("members: [web.fetch]", "members: [web.exec, shell.exec]"), inSuite(`>=": 90`, `>=": 30`),
			inSuite("server: web\n    cassette: runs-2", "stale_catalog: warn\n    server: web\n    cassette: runs-2"), // otherwise its evidence is refused
			inSuite("server: web\n    prompt", "stale_catalog: warn\n    server: web\n    prompt"),
		}, f1},
		{"a tool taken out of the snapshot that the runs were offered", []change{
			func(files map[string]string) {
				files["web.json"] = `{"tools": [{"name": "search", "description": "Search the web for pages about a topic."}]}`
			},
			inSuite(", {name: fetch, members: [web.fetch]}", ""), inSuite(`>=": 90`, `>=": 30`), inSuite("server: web\n    cassette: runs-2", "stale_catalog: warn\n    server: web\n    cassette: runs-2"),
			inSuite("server: web\n    prompt", "stale_catalog: warn\n    server: web\n    prompt"),
		}, f1},
		{"the agent's test replaced by a look at the catalog", []change{
			func(files map[string]string) {
				suite := files["mcp-gates.yml"]
				at := strings.Index(suite, "  - name: each run")
				end := strings.Index(suite, "tool_quality:")
				files["mcp-gates.yml"] = suite[:at] + suite[end:] + "  - {name: each run, server: web, expect: [{min_score: {\">=\": 0.1}}]}\n"
			},
		}, "each run (error, pass): there are 0 of the 1 runs that the suite asks for"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := inEffect(t, judgedBase(), test.changes...)
			if !strings.HasPrefix(got, test.want) || strings.Contains(got, "\n") {
				t.Errorf("weakened in effect:\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestHonestChanges changes suites and evidence in ways that soften nothing, some of a case that passes by no suite.
func TestHonestChanges(t *testing.T) {
	good := judgedBase()
	for _, name := range []string{"runs.json", "runs-2.json", "runs-3.json"} {
		good[name] = list(`{"tool_calls": [{"name": "search", "server": "web"}, {"name": "fetch", "server": "web"}], "conversation": {"tokens": 40}}`) + strings.Repeat(" ", len(name))
	}
	inSuite("runs: 4", "runs: 1")(good)
	inSuite(`{"<=": 0}`, `{"<=": 99}`)(good)
	tests := []struct {
		name    string
		changes []change
	}{
		{"nothing", nil},
		{"a comment", []change{inSuite("agents:", "# agents\nagents:")}},
		{"a stricter bound", []change{inSuite(`">=": 90`, `">=": 95`)}},
		{"a new case", []change{inSuite("tool_quality:", "  - {name: new, cassette: runs.json, orchestration: {}}\ntool_quality:"), inSuite("cassette: runs.json, orch", "cassette: new.json, orch"), func(files map[string]string) { files["new.json"] = files["runs.json"] + " " }}},
		{"a moved suite", []change{moved("mcp-gates.yml", "mcptest.yml")}},
		{"a moved snapshot", []change{moved("web.json", "tools.json"), inSuite("web.json", "tools.json")}},
		{"moved recordings", []change{moved("runs.json", "a.json"), inSuite("cassette: runs.json", "cassette: a.json")}},
		{"an edited prompt", []change{inSuite("Find the news.", "Find today's news.")}},
		{"a renamed case", []change{inSuite("name: each run", "name: every run")}},
		{"a followed rename", []change{renamedSearch}},
		{"a removed tool", []change{
			func(files map[string]string) {
				files["web.json"] = `{"tools": [{"name": "search", "description": "Search the web for pages about a topic."}]}`
				for _, name := range []string{"runs.json", "runs-2.json", "runs-3.json"} {
					files[name] = list(`{"tool_calls": [{"name": "search", "server": "web"}], "conversation": {"tokens": 40}}`) + strings.Repeat(" ", len(name))
				}
			},
			inSuite(", {name: fetch, members: [web.fetch]}", ""),
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff("", inEffect(t, good, test.changes...)); diff != "" {
				t.Errorf("weakened in effect (-want +got):\n%s", diff)
			}
		})
	}
}

// TestJudgeThatBreaks holds that a base's suite which cannot judge the head's evidence is reported, and not taken for a pass.
func TestJudgeThatBreaks(t *testing.T) {
	base := filesOf(judgedBase())
	o := Options{Digests: true}
	before, judges := RunBase(context.Background(), base, o)
	for _, one := range judges.cases {
		for i := range one.Checks {
			one.Checks[i].Plan.Measurer = judge.Measure(func(*trace.Trace) judge.Measurement { panic("no such page") })
		}
	}
	head := judgedBase()
	inSuite("min_selection_rate: 0.9, max_total_tokens: 100", "min_selection_rate: 0.1")(head)
	o.BaseSuites = judges
	c := compare.Reports(before, Run(context.Background(), filesOf(head), o), compare.Options{})
	want := []report.Unjudged{{Case: "mcp-gates.yml::selects::m", Reason: "the checker broke on this case, please report it: no such page"}}
	if diff := cmp.Diff(want, c.Unjudged); diff != "" {
		t.Errorf("unjudged (-want +got):\n%s", diff)
	}
}
