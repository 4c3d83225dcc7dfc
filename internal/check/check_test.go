package check

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/check/basesuites"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/trace"
)

// workspace returns a file system of name, content pairs.
func workspace(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i+1 < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

func run(t *testing.T, fsys fs.FS, o Options) *report.Report {
	t.Helper()
	return Run(context.Background(), fsys, o)
}

func asJSON(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.JSON(&b, r); err != nil {
		t.Fatalf("JSON: %v", err)
	}
	return b.String()
}

const manyGates = `
pricing: {m: {input: 3.00, output: 15.00}}
servers:
  web: {catalog: web.json}
agents:
  - name: everything
    model: m
    server: web
    cassette: %s
    expect: [{tool_names: {contains: search}}]
    equal_function_sets:
      classes: [{name: search, members: [web.search]}, {name: fetch, members: [web.fetch]}]
    tool_selection: {expected_tool: search, min_selection_rate: 0.5, max_total_tokens: 100}
    distractors: {count: 2, source: {from: catalog}, correct: [web.search]}
    orchestration: {}
    token_efficiency: {classes: [{name: search, members: [web.search]}]}
`

const webCatalog = `{"tools": [{"name": "search", "description": "Search the web."}, {"name": "fetch"}]}`

// fourRuns are runs that differ in every figure.
var fourRuns = []string{
	`{"tool_calls": [{"name": "search", "server": "web", "args": {"q": "x"}}], "conversation": {"tokens": {"input": 10, "output": 5}}}`,
	`{"tool_calls": [{"name": "fetch", "server": "web"}, {"name": "search", "server": "web", "is_error": true}], "conversation": {"tokens": 200, "cost_usd": 0.5}}`,
	`{"tool_calls": []}`,
	`{"tool_calls": [{"name": "exec", "server": "shell", "args": "no"}, {"name": "search", "server": "web"}], "conversation": {"tokens": 40}}`,
}

func list(runs ...string) string { return "[\n" + strings.Join(runs, ",\n") + "\n]" }

func TestSameBytesWhateverTheJobs(t *testing.T) {
	pairs := []string{"web.json", webCatalog}
	var suites strings.Builder
	suites.WriteString("agents:\n")
	for i := range 40 {
		fmt.Fprintf(&suites, "  - {name: case %d, cassette: c%d.json, orchestration: {}, expect: [{tool_names: {contains: search}}]}\n", i, i)
		pairs = append(pairs, fmt.Sprintf("suites/c%d.json", i), list(fourRuns[i%4], fourRuns[(i+1)%4]))
	}
	pairs = append(pairs, "suites/a.yml", suites.String(), "suites/b.yml", "agents: [{name: broken, x: 1}]",
		"suites/c.yml", "agents: [{name: no cassette, orchestration: {}}]")
	fsys := workspace(pairs...)
	want := asJSON(t, run(t, fsys, Options{Jobs: 1}))
	for _, jobs := range []int{1, 2, 8} {
		if diff := cmp.Diff(want, asJSON(t, run(t, fsys, Options{Jobs: jobs}))); diff != "" {
			t.Errorf("%d jobs: -want +got\n%s", jobs, diff)
		}
	}
}

func TestOrderOfRunsChangesNoFigure(t *testing.T) {
	figures := func(order ...int) report.Case {
		var runs []string
		for _, i := range order {
			runs = append(runs, fourRuns[i])
		}
		r := run(t, workspace("mcp-gates.yml", fmt.Sprintf(manyGates, "a.json"), "web.json", webCatalog, "a.json", list(runs...)), Options{})
		if len(r.Cases) != 1 {
			t.Fatalf("got %s, want one case", asJSON(t, r))
		}
		return r.Cases[0]
	}
	want := figures(0, 1, 2, 3)
	if want.Err != nil {
		t.Fatalf("got the error %v, want figures", want.Err)
	}
	ignore := cmp.Options{
		cmpopts.IgnoreFields(report.Case{}, "Rows", "Expect"),
		cmpopts.IgnoreFields(judge.Result{}, "Headline", "Grounds"),
		cmpopts.IgnoreFields(judge.SelectionEvidence{}, "Runs"),
		cmpopts.IgnoreFields(judge.Assertion{}, "Message", "Breach"),
		cmp.Comparer(func(a, b judge.Value) bool { return a.Cmp(b) == 0 && a.Unit == b.Unit }),
	}
	for _, order := range [][]int{{3, 2, 1, 0}, {1, 3, 0, 2}} {
		if diff := cmp.Diff(want, figures(order...), ignore); diff != "" {
			t.Errorf("runs in the order %v: -want +got\n%s", order, diff)
		}
	}
}

func TestSplitCassetteChangesOnlyPaths(t *testing.T) {
	render := func(cassette string, pairs ...string) string {
		pairs = append(pairs, "mcp-gates.yml", fmt.Sprintf(manyGates, cassette), "web.json", webCatalog)
		r := run(t, workspace(pairs...), Options{})
		for i := range r.Cases {
			c := &r.Cases[i]
			c.Cassettes, c.Recordings, c.Settings = nil, nil, nil // what tells the cassettes apart
		}
		return asJSON(t, r)
	}
	want := render("a.json", "a.json", list(fourRuns...))
	if !strings.Contains(want, `"recorded":4`) {
		t.Fatalf("got %s, want four runs", want)
	}
	for name, got := range map[string]string{
		"JSON Lines":      render("a.jsonl", "a.jsonl", strings.Join(fourRuns, "\n")),
		"glob":            render(`"c/**/*.json"`, "c/1.json", list(fourRuns[:2]...), "c/d/2.json", list(fourRuns[2:]...)),
		"list, unsorted":  render(`[b.json, a.json]`, "a.json", fourRuns[0], "b.json", list(fourRuns[1:]...)),
		"name with stars": render(`"a[1].json"`, "a[1].json", list(fourRuns...)),
	} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// TestBuiltInAgentsHaveNoCost pins that the cost of an agent without a model is absent and not 0, whether the suite or the
// recording names it, and whatever a suite prices it at.
func TestBuiltInAgentsHaveNoCost(t *testing.T) {
	const suite = `pricing: {"builtin:lexical": {input: 1, output: 1}}
servers: {web: {catalog: web.json}}
agents:
  - name: a
    cassette: a.json
    server: web
    %s
    token_efficiency: {classes: [{name: search, members: [web.search]}]}
`
	const recorded = `{%s "runs": [{"tool_calls": [{"name": "search", "server": "web"}], "conversation": {"tokens": {"input": 10, "output": 5}, "cost_usd": 0}}]}`
	tests := []struct {
		name, suite, cassette string
		want                  report.Optional
	}{
		{"a model", "model: m", "", "0.000000"},
		{"a built-in agent of the suite", `model: "builtin:lexical"`, "", ""},
		{"a built-in agent of the recording", "", `"model": "builtin:script",`, ""},
	}
	for _, tt := range tests {
		r := run(t, workspace("mcp-gates.yml", fmt.Sprintf(suite, tt.suite), "web.json", webCatalog, "a.json", fmt.Sprintf(recorded, tt.cassette)), Options{})
		c := r.Cases[0]
		if c.Verdict != judge.Pass || c.CostUSD != tt.want {
			t.Errorf("%s: got verdict %s and cost %q, want pass and %q (%v)", tt.name, c.Verdict, c.CostUSD, tt.want, c.Err)
			continue
		}
		for _, target := range []string{"token_efficiency.cost", "token_efficiency.cost_per_correct"} {
			if _, has := c.Gates[0].Metrics[target]; has != (tt.want != "") {
				t.Errorf("%s: has %s: %t", tt.name, target, has)
			}
		}
	}
}

func TestSumsOfACase(t *testing.T) {
	failed := `{"error": "529", "conversation": {"tokens": 7, "cost_usd": 0.25}}`
	suite := strings.Replace(fmt.Sprintf(manyGates, "a.json"), "model: m", "model: m\n    allow_run_errors: 1", 1)
	r := run(t, workspace("mcp-gates.yml", suite, "web.json", webCatalog, "a.json", list(append([]string{failed}, fourRuns...)...)), Options{})
	c := r.Cases[0]
	if c.Err != nil {
		t.Fatalf("got the error %v, want none", c.Err)
	}
	if want := (report.Runs{Recorded: 5, Scored: 4, Errors: 1}); c.Runs != want {
		t.Errorf("runs: got %v, want %v", c.Runs, want)
	}
	if want := (report.Tokens{Total: 255, Median: 40, Max: 200}); c.Tokens == nil || *c.Tokens != want {
		t.Errorf("tokens: got %v, want %v", c.Tokens, want)
	}
	// 10 input tokens at $3 and 5 output tokens at $15 a million are 105 micro-dollars.
	if want := report.Optional("0.750105"); c.CostUSD != want {
		t.Errorf("cost: got %s, want %s", c.CostUSD, want)
	}
	yes, no := true, false
	wantRows := []report.Row{
		{Run: 1, Name: "everything #1", Verdict: "error", Called: []string{}, Tokens: ptr(7), Err: "529"},
		{Run: 2, Name: "everything #2", Verdict: "pass", Called: []string{"web.search"}, Tokens: ptr(15), RowSelection: &report.RowSelection{Selected: true, OverBudget: &no}},
		{Run: 3, Name: "everything #3", Verdict: "pass", Called: []string{"web.fetch", "web.search"}, Tokens: ptr(200), RowSelection: &report.RowSelection{Selected: true, OverBudget: &yes}},
		{Run: 4, Name: "everything #4", Verdict: "fail", Called: []string{}, RowSelection: &report.RowSelection{Selected: false}},
		{Run: 5, Name: "everything #5", Verdict: "pass", Called: []string{"shell.exec", "web.search"}, Tokens: ptr(40), RowSelection: &report.RowSelection{Selected: true, OverBudget: &no}},
	}
	if diff := cmp.Diff(wantRows, c.Rows); diff != "" {
		t.Errorf("rows: -want +got\n%s", diff)
	}
}

// The runs of tool_selection are those that finished. Under a budget a run without tokens is neither within it nor over it,
// and nobody knows how many runs succeeded.
func TestToolSelectionOfACase(t *testing.T) {
	failed := `{"error": "529", "conversation": {"tokens": 7, "cost_usd": 0.25}}`
	suite := strings.Replace(fmt.Sprintf(manyGates, "a.json"), "model: m", "model: m\n    allow_run_errors: 1", 1)
	r := run(t, workspace("mcp-gates.yml", suite, "web.json", webCatalog, "a.json", list(append([]string{failed}, fourRuns...)...)), Options{})
	c := r.Cases[0]
	yes, no := true, false
	want := &judge.SelectionEvidence{
		Expected: []string{"search"}, Rate: 75, Tokens: &judge.SelectionTokens{Median: 40, Max: 200},
		Runs: []judge.SelectionRun{
			{Run: 2, Selected: true, OverBudget: &no, Tokens: ptr(15), Called: []string{"web.search"}},
			{Run: 3, Selected: true, OverBudget: &yes, Tokens: ptr(200), Called: []string{"web.fetch", "web.search"}},
			{Run: 4, Called: []string{}},
			{Run: 5, Selected: true, OverBudget: &no, Tokens: ptr(40), Called: []string{"shell.exec", "web.search"}},
		},
	}
	if diff := cmp.Diff(want, c.ToolSelection); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if c.ToolSelection.Runs[1].Tokens != c.Rows[2].Tokens || &c.ToolSelection.Runs[1].Called[0] != &c.Rows[2].Called[0] {
		t.Error("a run's tokens and tools are held twice, want those of its row")
	}
	within := run(t, workspace("mcp-gates.yml", fmt.Sprintf(manyGates, "a.json"), "web.json", webCatalog, "a.json", list(fourRuns[0], fourRuns[1], fourRuns[3])), Options{})
	s := within.Cases[0].ToolSelection
	if s.Within == nil || *s.Within != 66 || !slices.Equal(s.PassHat, []int8{66, 33, 0}) || s.Rate != 100 {
		t.Errorf("got %+v, want a rate of 100, 66 within the budget, and 66, 33, 0 for k runs", s)
	}
}

func ptr(n int64) *int64 { return &n }

func TestInterruptedCheckIsTheWorldsFault(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := Run(ctx, workspace("mcp-gates.yml", "agents: [{name: a, orchestration: {}}]"), Options{})
	if r.Verdict != judge.Error || r.ExitStatus() != report.ExitWorld {
		t.Errorf("got %s, exit %d, want an error, exit %d", r.Verdict, r.ExitStatus(), report.ExitWorld)
	}
}

func TestProgressCountsEveryCase(t *testing.T) {
	fsys := workspace("mcp-gates.yml", "agents: [{name: a, orchestration: {}}, {name: b, orchestration: {}}, {name: c, orchestration: {}}]")
	var got []string
	run(t, fsys, Options{Jobs: 8, Progress: func(done, total int) { got = append(got, fmt.Sprintf("%d of %d", done, total)) }})
	if diff := cmp.Diff([]string{"0 of 3", "1 of 3", "2 of 3", "3 of 3"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestCatalogsAreListedOnceByPath(t *testing.T) {
	r := run(t, workspace(
		"suites/a.yml", "servers: {web: {catalog: ../web.json}, own: {catalog: own.json}}\nagents: [{name: a, orchestration: {}}]",
		"suites/b.yml", "servers: {net: {catalog: ../web.json}}\nagents: [{name: b, orchestration: {}}]",
		"web.json", webCatalog, "suites/own.json", `{"tools": []}`,
	), Options{})
	var got []string
	for _, c := range r.Catalogs {
		got = append(got, fmt.Sprint(c.Path, " ", c.Name, " ", len(c.Tools), " tools ", c.SurfaceTokens, " tokens"))
	}
	want := []string{"suites/own.json own 0 tools 0 tokens", "web.json web 2 tools 6 tokens"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestBuiltInAgentsAreNoModels pins that a case says what its runs were recorded with, named by the suite or not.
func TestBuiltInAgentsAreNoModels(t *testing.T) {
	const suite = `agents:
  - {name: named, model: "builtin:lexical", cassette: lexical.json, orchestration: {}}
  - {name: not named, cassette: lexical2.json, orchestration: {}}
  - {name: played, cassette: script.json, orchestration: {}}
  - {name: named by the suite alone, model: "builtin:lexical", cassette: silent.json, orchestration: {}}
  - {name: a model, model: gpt-5, cassette: model.json, orchestration: {}}
  - {name: no name, cassette: silent2.json, orchestration: {}}
  - {name: no runs, model: "builtin:script", cassette: nowhere.json, orchestration: {}}
`
	cassette := func(model string) string { return fmt.Sprintf(`{"model": %q, "runs": [%s]}`, model, fourRuns[1]) }
	r := run(t, workspace("mcp-gates.yml", suite, "lexical.json", cassette("builtin:lexical"), "lexical2.json", cassette("builtin:lexical"), "script.json", cassette("builtin:script"),
		"model.json", cassette("gpt-5"), "silent.json", fourRuns[1], "silent2.json", fourRuns[1]), Options{})
	const lexical, counted = "a lexical baseline, not a model", "cl100k counts of what a model would have read and written"
	want := [][2]report.Optional{
		{lexical, counted}, {lexical, counted}, {"played from a script, not a model", ""}, {lexical, counted}, {}, {},
		{"played from a script, not a model", ""},
	}
	var got [][2]report.Optional
	for _, c := range r.Cases {
		got = append(got, [2]report.Optional{c.ModelNote, c.TokenNote})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s\n%s", diff, asJSON(t, r))
	}
}

func TestPromptNamesATool(t *testing.T) {
	const suite = `
agents:
  - name: a
    cassette: a.json
    discovery: {name_free: true}
    prompt: Use get_forecast, then search.
    orchestration: {}
`
	const want = `mcp-gates.yml:6: the prompt names "get_forecast", which "discovery: {name_free: true}" promises that it does not`
	for _, test := range []struct {
		name, suite, want string
	}{
		{"in the recorded catalog", suite, want},
		{"no promise", strings.Replace(suite, "true", "false", 1), ""},
		{"in the snapshot, said once", "servers: {web: {catalog: web.json}}" + strings.Replace(suite, "cassette", "server: web\n    cassette", 1),
			strings.Replace(want, ":6:", ":7:", 1)},
	} {
		t.Run(test.name, func(t *testing.T) {
			const tools = `{"tools": [{"name": "get_forecast"}, {"name": "search"}]}`
			r := run(t, workspace("mcp-gates.yml", test.suite, "web.json", tools,
				"a.json", `{"catalog": {"web": `+tools+`}, "runs": [{"tool_calls": []}]}`), Options{})
			var got []string
			for _, w := range r.Warnings {
				got = append(got, fmt.Sprintf("%s:%d: %s", w.Path, w.Line, w.Message))
			}
			if text := strings.Join(got, "\n"); text != test.want {
				t.Errorf("got the warnings %q, want %q", text, test.want)
			}
		})
	}
}

// brokenLive is a suite whose runs break the program.
type brokenLive struct{ LiveSuite }

func (brokenLive) Run(context.Context, *suite.Case) (*trace.Trace, error) { panic("lost") }

func (brokenLive) Close() error { return nil }

// TestBrokenChecker pins that a fault of the program is the error of its case, whoever judges it, and that the others are judged.
func TestBrokenChecker(t *testing.T) {
	const src = "agents: [{name: a, cassette: c.json, limits: {max_calls: %d}}]\ntool_quality: [{name: q, catalog: t.json, expect: [{critical_count: {'<=': 9}}]}]\n"
	files := func(calls int) fstest.MapFS {
		return workspace("mcp-gates.yml", fmt.Sprintf(src, calls), "c.json", `[{"tool_calls": [{"name": "get"}]}]`, "t.json", `{"tools": [{"name": "get"}]}`)
	}
	_, base := RunBase(context.Background(), files(1), Options{Digests: true})
	live := func(*suite.Suite, []*suite.Case) (LiveSuite, source.Errors) { return brokenLive{}, nil }
	for _, o := range []Options{{Live: live}, {Live: live, Digests: true, BaseSuites: base, ByBase: true}} {
		r := run(t, files(2), o)
		if c := r.Cases[0]; c.Verdict != judge.Error || c.Err == nil || !strings.Contains(c.Err.Message, "the checker broke on this case, please report it: lost") || c.Err.Exit != report.ExitWorld {
			t.Errorf("by the base: %t: got %s and %+v, want the fault", o.ByBase, c.Verdict, c.Err)
		}
		if c := r.Cases[1]; c.Verdict != judge.Pass {
			t.Errorf("by the base: %t: the other case is %s, want pass (%+v)", o.ByBase, c.Verdict, c.Err)
		}
	}
}

// TestCountsOfTools pins that the tokens of a tool are those of its own texts, though another one is as long.
func TestCountsOfTools(t *testing.T) {
	var c Counts
	same := &catalog.Tool{Name: "get", Description: "the the the the"}
	for _, tool := range []*catalog.Tool{same, {Name: "get", Description: "q!x#w@z%p^k&j*m"}, {Name: "g@t", Description: same.Description},
		{Name: "get", Description: same.Description, InputSchema: []byte(`{"a":1}`)}, {Name: "get", Description: same.Description, InputSchema: []byte(`{"!":"}`)}, same} {
		if got, want := c.Tool(tool), (tokens.Counter{}).Tool(tool); got != want {
			t.Errorf("%+v: %d tokens, want %d", tool, got, want)
		}
	}
}

// TestInterrupted pins that cases which have not begun when a check is interrupted are errors of the world, whoever judges them.
func TestInterrupted(t *testing.T) {
	files := func(calls int) fstest.MapFS {
		return workspace("mcp-gates.yml", fmt.Sprintf("agents: [{name: a, cassette: c.json, limits: {max_calls: %d}}]\n", calls), "c.json", "[]")
	}
	_, base := RunBase(context.Background(), files(1), Options{Digests: true})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, o := range []Options{{}, {Digests: true, BaseSuites: base, ByBase: true}} {
		c := Run(ctx, files(2), o).Cases[0]
		if c.Verdict != judge.Error || c.Err == nil || c.Err.Exit != report.ExitWorld || c.Err.Message != "was not evaluated: the check was interrupted" {
			t.Errorf("by the base: %t: got %s and %+v", o.ByBase, c.Verdict, c.Err)
		}
	}
}

// TestTimelinesAreKept pins that each option for calls of runs has them read.
func TestTimelinesAreKept(t *testing.T) {
	s := selectedCase{Pair: basesuites.Pair{Entry: basesuites.Entry{Case: &suite.Case{}}}}
	for _, test := range []struct {
		o    Options
		want bool
	}{
		{Options{}, false}, {Options{Timelines: true}, true}, {Options{Shown: 1}, true}, {Options{AllCalls: true}, true},
	} {
		if got := (&checker{options: test.o}).partsToKeep(s)&trace.KeepTimelines != 0; got != test.want {
			t.Errorf("%+v: got timelines %t, want %t", test.o, got, test.want)
		}
	}
}

// TestShownRuns pins whose calls a report has for a reader: of one run, and of all runs of a case that passes.
func TestShownRuns(t *testing.T) {
	fsys := workspace("mcp-gates.yml", "agents: [{name: a, cassette: c.json, limits: {max_calls: 3}}]\n",
		"c.json", `[{"tool_calls": [{"name": "get"}]}, {"tool_calls": [{"name": "put"}, {"name": "get"}, {"name": "put"}]}]`)
	few := share{runs: 50, notes: 20, calls: 2, bytes: 1 << 20, called: 100, text: 1000}
	shown := func(o Options) string {
		var words []string
		for _, line := range run(t, fsys, o).Cases[0].Shown {
			words = append(words, fmt.Sprint(line.Runs, "+", line.More))
			for _, call := range line.Calls {
				words = append(words, call.Tool)
			}
		}
		return strings.Join(words, " ")
	}
	for _, test := range []struct {
		o    Options
		want string
	}{
		{Options{}, ""},
		{Options{Shown: 2}, "[2]+0 put get put"},
		{Options{Shown: 2, share: few}, "[2]+1 put get"},
		{Options{Shown: 3}, ""},
		{Options{AllCalls: true}, "[1]+0 get [2]+0 put get put"},
	} {
		if got := shown(test.o); got != test.want {
			t.Errorf("run %d, all calls %t: got %q, want %q", test.o.Shown, test.o.AllCalls, got, test.want)
		}
	}
}

// TestFirstSeen pins that the tools of a server are kept of the first case that saw them, in whatever order cases end.
func TestFirstSeen(t *testing.T) {
	server, other := &suite.Server{Name: "web"}, &suite.Server{Name: "desk"}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}} {
		c, outcomes := &checker{}, make([]outcome, 3)
		for _, i := range order {
			outcomes[i].seen = []seenServer{{server: server}}
			if i == 1 {
				outcomes[i].seen = append(outcomes[i].seen, seenServer{server: other})
			}
			c.dropSeen(outcomes, i)
		}
		if len(outcomes[0].seen) != 1 || len(outcomes[1].seen) != 1 || outcomes[1].seen[0].server != other || len(outcomes[2].seen) != 0 {
			t.Errorf("ended as %v: kept %d, %d and %d servers, want web of the first and desk of the second", order, len(outcomes[0].seen), len(outcomes[1].seen), len(outcomes[2].seen))
		}
	}
}

// TestManyMistakes pins that the error of a case says ten of its mistakes, and how many there are besides.
func TestManyMistakes(t *testing.T) {
	src := "agents:\n  - {name: a, cassette: c.json, tags: [" + strings.Repeat("5, ", 12) + "], limits: {max_calls: 1}}\n"
	c := run(t, workspace("mcp-gates.yml", src, "c.json", "[]"), Options{}).Cases[0]
	if c.Err == nil || strings.Count(c.Err.Message, "; line 2: ") != 9 || !strings.HasSuffix(c.Err.Message, "; and 2 further mistakes") {
		t.Errorf("the error is %+v, want ten mistakes and a count of 2", c.Err)
	}
}

// TestReplayedCases pins that nothing is started for a case which only the head has, where the base says what is run: its recording is
// judged, and the report says so.
func TestReplayedCases(t *testing.T) {
	const one = "agents:\n  - {name: a, cassette: c.json, limits: {max_calls: 1}}\n"
	files := func(src string) fstest.MapFS {
		return workspace("mcp-gates.yml", src, "c.json", `[{"tool_calls": [{"name": "get"}]}]`)
	}
	_, base := RunBase(context.Background(), files(one), Options{Digests: true})
	live := func(*suite.Suite, []*suite.Case) (LiveSuite, source.Errors) { return brokenLive{}, nil }
	head := one + "  - {name: b, cassette: c.json, limits: {max_calls: 1}}\n"
	r := run(t, files(head), Options{Live: live, Digests: true, BaseSuites: base, ByBase: true, OnlyBaseRuns: true})
	if r.Cases[0].Verdict != judge.Error || r.Cases[1].Verdict != judge.Pass {
		t.Errorf("got %s and %s, want the first case to be run and the second to be replayed", r.Cases[0].Verdict, r.Cases[1].Verdict)
	}
	isSaid := func(p report.Problem) bool {
		return strings.HasPrefix(p.Message, `"b" is new in this change`) && p.Line == 3
	}
	if len(r.Warnings) != 1 || !isSaid(r.Warnings[0]) {
		t.Errorf("warnings are %+v, want one about the second case", r.Warnings)
	}
}

// TestSelectsAs pins which reports left out the cases that options leave out, and how these are called.
func TestSelectsAs(t *testing.T) {
	filter := Options{Filter: regexp.MustCompile("a"), Tags: []string{"x", "y"}, SkipTags: []string{"z"}}
	const words = `--filter "a" --tag "x,y" --skip-tag "z"`
	again, affected := filter, filter
	again.Only = map[string]bool{"a": true}
	affected.OnlyAffected, affected.Affected = true, &Affected{}
	for _, test := range []struct {
		o     Options
		given string
		as    bool
	}{
		{filter, words, true}, {Options{}, "", false}, {Options{Tags: []string{"x"}}, `--tag "x"`, false},
		{again, report.Again + " with " + words, false}, {affected, report.OnlyAffected + " with " + words, false}, {Options{Only: again.Only}, report.Again, false},
	} {
		if got, as := test.o.selectionFlags(), test.o.SelectsAs(&report.Chosen{By: words}); got != test.given || as != test.as {
			t.Errorf("got %q and %t, want %q and %t", got, as, test.given, test.as)
		}
	}
	if none := (&Options{}); none.SelectsAs(&report.Chosen{}) {
		t.Error("without options a report of all cases is one that left some out")
	}
}

// closingLive is a suite whose runs break, and which counts its ends.
type closingLive struct {
	brokenLive
	closed *int
}

func (l closingLive) Close() error {
	*l.closed++
	return nil
}

// TestLiveSuitesAreClosed pins that a check stops what the live runs of each suite have started.
func TestLiveSuitesAreClosed(t *testing.T) {
	closed := 0
	live := func(*suite.Suite, []*suite.Case) (LiveSuite, source.Errors) {
		return closingLive{closed: &closed}, nil
	}
	const src = "agents: [{name: a, cassette: c.json, limits: {max_calls: 1}}]"
	run(t, workspace("suites/a.yml", src, "suites/b.yml", src), Options{Live: live})
	if closed != 2 {
		t.Errorf("%d suites were closed, want 2", closed)
	}
}

// TestVersionOfACheck pins that suites are read by the program's version.
func TestVersionOfACheck(t *testing.T) {
	fsys := workspace("mcp-gates.yml", "min_version: 0.2.0\nagents: [{name: a, orchestration: {}}]")
	for version, want := range map[string]int{"0.1.0": 1, "0.2.0": 0} {
		if r := run(t, fsys, Options{Version: version}); len(r.Problems) != want {
			t.Errorf("version %s: got problems %v, want %d", version, r.Problems, want)
		}
	}
}

// TestUnaffectedCasesAreLeftOut pins that a report has the ids of the cases in suites that a change does not affect, and no warnings
// of these suites.
func TestUnaffectedCasesAreLeftOut(t *testing.T) {
	const src = "agents: [{name: a, orchestration: {}}]"
	r := run(t, workspace("suites/a.yml", src, "suites/b.yml", src, "suites/c.yml", "agents: []", "suites/d.yml", "agents: []"),
		Options{OnlyAffected: true, Affected: &Affected{Suites: map[string]bool{"suites/a.yml": true, "suites/d.yml": true}, Of: 4}})
	want := &report.Chosen{Of: 2, By: report.OnlyAffected, Left: []string{"suites/b.yml::a"}}
	if diff := cmp.Diff(want, r.Chosen); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Path != "suites/d.yml" {
		t.Errorf("got warnings %+v, want one, of suites/d.yml", r.Warnings)
	}
}
