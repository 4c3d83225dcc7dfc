package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"strings"
	"testing"

	"github.com/org/mcp-gates/e2e/repo"
)

// softening is a change that makes a red job green without better evidence.
type softening struct {
	name       string
	base, head repo.Files // instead of and beside those of softBase
	silent     bool       // the head does not become green: the change is reported all the same
	byBase     int        // the exit status where the base's suites judge; 0 for 1
}

const softTools = `{"tools": [
  {"name": "search", "description": "Search the web for pages about a topic.", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}},
  {"name": "fetch", "description": "Fetch one page."},
  {"name": "note", "description": "Keep a note."}]}`

const (
	callSearch = `{"name": "search", "server": "web", "args": {"q": "x"}}`
	callFetch  = `{"name": "fetch", "server": "web"}`
	callExec   = `{"name": "exec", "server": "shell"}`
)

// soft returns a suite of one case, and a recording of four runs: two of them call search, one fetch and search, one exec.
func soft(test string) repo.Files {
	return repo.Files{"mcp-gates.yml": softSuite(test)}
}

func softSuite(test string) string {
	return "pricing: {m: {input: 10.00, output: 10.00}}\nservers: {web: {catalog: web.json}}\nagents:\n  - {name: finds, server: web, cassette: runs.json, " + test + "}\n"
}

func softBase() repo.Files {
	return repo.Files{
		"web.json": softTools,
		"runs.json": softRuns(
			`{"tool_calls": [`+callSearch+`], "conversation": {"tokens": {"input": 90, "output": 5}}}`,
			`{"tool_calls": [`+callSearch+`], "conversation": {"tokens": {"input": 900, "output": 5}}}`,
			`{"tool_calls": [`+callFetch+`, `+callSearch+`], "conversation": {"tokens": {"input": 90, "output": 5}}}`,
			`{"tool_calls": [`+callExec+`], "conversation": {"tokens": {"input": 90, "output": 5}}}`,
		),
	}
}

// softNumbers is a catalog that the recorded calls do not fit.
var softNumbers = strings.Replace(softTools, `{"type": "string"}`, `{"type": "integer"}`, 1)

func softRuns(runs ...string) string { return "[\n" + strings.Join(runs, ",\n") + "\n]\n" }

func withRuns(files repo.Files, runs ...string) repo.Files {
	return files.With(repo.Files{"runs.json": softRuns(runs...)})
}

const (
	selects = `tool_selection: {expected_tool: search, min_selection_rate: 0.9}`
	fits    = `orchestration: {expect: [{orchestration.schema_valid: {">=": 100}}]}`
	scores  = `equal_function_sets: {classes: [{name: search, members: [search]}, {name: fetch, members: [fetch]}]`
)

var softenings = []softening{
	{name: "a floor lowered", base: soft(selects), head: soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.1}`)},
	{name: "more tools expected", base: soft(selects), head: soft(`tool_selection: {expected_tool: [search, exec], min_selection_rate: 0.9}`)},
	{name: "a cap raised", base: soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.1, max_total_tokens: 100}`),
		head: soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.1, max_total_tokens: 9000}`)},
	{name: "a cap removed", base: soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.1, max_total_tokens: 100}`),
		head: soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.1}`)},
	{name: "pass^k with a smaller k", base: soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.1, min_pass_hat: {k: 4, rate: 0.5}}`),
		head: soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.1, min_pass_hat: {k: 1, rate: 0.5}}`)},
	{name: "a max_drop removed, and a drop", silent: true, base: soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.1, max_drop: 10}`),
		head: withRuns(soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.1}`), `{"tool_calls": [`+callSearch+`]}`, `{"tool_calls": [`+callExec+`]}`)},
	{name: "a max_drop raised, and a drop", silent: true, base: soft(scores + `, max_drop: 0}`), head: withRuns(soft(scores+`, max_drop: 90}`), `{"tool_calls": [`+callSearch+`,`+callExec+`]}`)},
	{name: "a certified floor removed", base: soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.1, min_certified_rate: 60}`),
		head: soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.1}`)},
	{name: "the gate replaced", base: soft(selects), head: soft(`orchestration: {}`)},
	{name: "one gate of two removed", base: soft(selects + `, orchestration: {}`), head: soft(`orchestration: {}`)},
	{name: "a class that takes every tool", base: soft(scores + `, expect: [{tool_selection.precision: {">=": 90}}]}`),
		head: soft(`equal_function_sets: {classes: [{name: search, members: [search]}, {name: fetch, members: [fetch, exec]}], expect: [{tool_selection.precision: {">=": 90}}]}`)},
	{name: "a missed class removed", base: soft(scores + `, expect: [{tool_selection.recall: {">=": 70}}]}`),
		head: soft(`equal_function_sets: {classes: [{name: search, members: [search]}], expect: [{tool_selection.recall: {">=": 70}}]}`)},
	{name: "an expectation of the default", base: soft(scores + `, expect: [{tool_selection.f1: {">=": 90}}]}`), head: soft(scores + `}`)},
	{name: "an expectation by another matcher", base: soft(scores + `, expect: [{tool_selection.f1: {">=": 90}}]}`),
		head: soft(scores + `, expect: [{tool_selection.f1: {schema: {type: integer}}}]}`)},
	{name: "a prompt that promises to name nothing", base: withRuns(soft(scores+`}`), `{"tool_calls": [`+callSearch+`,`+callExec+`,`+callExec+`,`+callExec+`]}`),
		head: soft(scores + `}, discovery: {name_free: true}`)},
	{name: "skipped where absent", base: soft(`token_efficiency: {classes: [{name: search, members: [search]}], expect: [{token_efficiency.cost_per_correct: {"<=": 9}}, {token_efficiency.f1: {">": 10}}]}`),
		head: soft(`token_efficiency: {classes: [{name: search, members: [search]}], expect: [{token_efficiency.cost_per_correct: {"<=": 9}, when_absent: skip}, {token_efficiency.f1: {">": 10}}]}`)},
	{name: "a price lowered", base: soft(`model: m, token_efficiency: {classes: [{name: search, members: [search]}], expect: [{token_efficiency.cost: {"<=": 0.001}}]}`),
		head: repo.Files{"mcp-gates.yml": strings.Replace(softSuite(`model: m, token_efficiency: {classes: [{name: search, members: [search]}], expect: [{token_efficiency.cost: {"<=": 0.001}}]}`), "input: 10.00, output: 10.00", "input: 0.01, output: 0.01", 1)}},
	{name: "fewer runs asked for", byBase: 2, base: soft(`runs: 9, tool_selection: {expected_tool: search, min_selection_rate: 0.5}`),
		head: soft(`runs: 1, tool_selection: {expected_tool: search, min_selection_rate: 0.5}`)},
	{name: "run errors allowed", byBase: 2, base: withRuns(soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.5}`), `{"tool_calls": [`+callSearch+`]}`, `{"error": "overloaded"}`),
		head: soft(`allow_run_errors: 1, tool_selection: {expected_tool: search, min_selection_rate: 0.5}`)},
	{name: "overlapping classes in another order", base: withRuns(soft(`equal_function_sets: {classes: [{name: any, members: [search, fetch]}, {name: search, members: [search]}], expect: [{tool_selection.recall: {">=": 90}}]}`), `{"tool_calls": [`+callSearch+`,`+callFetch+`]}`),
		head: soft(`equal_function_sets: {classes: [{name: search, members: [search]}, {name: any, members: [search, fetch]}], expect: [{tool_selection.recall: {">=": 90}}]}`)},
	{name: "a member removed from an overlapping class", base: withRuns(soft(`equal_function_sets: {classes: [{name: any, members: [search, fetch]}, {name: search, members: [search]}], expect: [{tool_selection.recall: {">=": 90}}]}`), `{"tool_calls": [`+callSearch+`,`+callFetch+`]}`),
		head: soft(`equal_function_sets: {classes: [{name: any, members: [fetch]}, {name: search, members: [search]}], expect: [{tool_selection.recall: {">=": 90}}]}`)},
	{name: "an intent repeated", base: softBench(`{query: search the web, gold: [search]}, {query: keep this, gold: [fetch]}`),
		head: softBench(strings.Repeat(`{query: search the web, gold: [search]}, `, 9) + `{query: keep this, gold: [fetch]}`)},
	{name: "a list where a text was", base: soft(`tool_selection: {expected_tool: '["search"]', min_selection_rate: 0.5}`), head: soft(`tool_selection: {expected_tool: [search], min_selection_rate: 0.5}`)},
	{name: "the word present as a value", base: withRuns(soft(`orchestration: {error_pattern: "^failed"}`), `{"tool_calls": [{"name": "search", "server": "web", "result": "failed: no net"}]}`),
		head: soft(`orchestration: {error_pattern: present}`)},
	{name: "an error pattern removed", base: withRuns(soft(`orchestration: {error_pattern: "^failed"}`), `{"tool_calls": [{"name": "search", "server": "web", "result": "failed: no net"}]}`),
		head: soft(`orchestration: {}`)},
	{name: "classes added for orchestration", base: soft(`orchestration: {expect: [{orchestration.discovery: {">=": 90}}]}`),
		head: soft(`equal_function_sets: {classes: [{name: any, members: [search, exec]}]}, orchestration: {expect: [{orchestration.discovery: {">=": 90}}]}`)},
	{name: "a curve that picks runs", base: withDistractors(soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.9}`)),
		head: soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.9}, distractors: {count: 2, curve: [0, 2], source: {from: catalog}, correct: [search]}`)},
	{name: "a server no longer declared", base: withRuns(repo.Files{"mcp-gates.yml": "servers: {web: {}, shell: {}}\nagents:\n  - {name: finds, cassette: runs.json, tool_selection: {expected_tool: web.search, min_selection_rate: 0.9}}\n"}, `{"tool_calls": [{"name": "web.search", "server": "shell"}]}`),
		head: repo.Files{"mcp-gates.yml": "agents:\n  - {name: finds, cassette: runs.json, tool_selection: {expected_tool: web.search, min_selection_rate: 0.9}}\n"}},
	{name: "a rule switched off in the entry", base: softQuality(``, ``), head: softQuality(``, `, rules: {disable: [DESC-010, DESC-012]}`)},
	{name: "a rule switched off for all", base: softQuality(``, ``), head: softQuality("defaults: {rules: {disable: [DESC-010, DESC-012]}}\n", ``)},
	{name: "findings ignored", base: softQuality(``, ``), head: softQuality(``, `, rules: {disable: [DESC-012], ignore: [{rule: DESC-010, tool: search, reason: x}, {rule: DESC-010, tool: fetch, reason: x}, {rule: DESC-010, tool: note, reason: x}]}`)},
	{name: "another catalog judged", base: repo.Files{"mcp-gates.yml": "tool_quality:\n  - {name: words, catalog: web.json}\n"},
		head: repo.Files{"mcp-gates.yml": "tool_quality:\n  - {name: words, catalog: good.json}\n",
			"good.json": `{"tools": [{"name": "find", "description": "Finds pages about a topic on the web and returns a list of their titles and addresses. Example: find(q=\"news\").", "annotations": {"readOnlyHint": true, "title": "Find"}, "inputSchema": {"type": "object", "properties": {"q": {"type": "string", "description": "The topic, such as news."}}, "required": ["q"]}}]}`}},
	{name: "another catalog beside the one that judged", base: soft(fits).With(repo.Files{"web.json": softNumbers, "lax.json": softTools}),
		head: repo.Files{"mcp-gates.yml": strings.Replace(softSuite(fits), "web.json", "lax.json", 1)}},
	{name: "a new catalog called present", base: repo.Files{"mcp-gates.yml": "tool_bench:\n  - {name: leads, catalog: web.json, intents: [{query: find news, gold: search}], min_accuracy: 1}\n"},
		head: repo.Files{"mcp-gates.yml": "tool_bench:\n  - {name: leads, catalog: present, intents: [{query: find news, gold: search}], min_accuracy: 1}\n",
			"present": strings.Replace(softTools, "Search the web", "Find news, search the web", 1)}},
	{name: "a copy of the catalog, and the catalog spoiled", base: soft(fits), silent: true,
		head: repo.Files{"mcp-gates.yml": strings.Replace(softSuite(fits), "web.json", "copy.json", 1), "copy.json": softTools, "web.json": softNumbers}},
	{name: "a server of another name with another catalog", base: soft(fits).With(repo.Files{"web.json": softNumbers, "lax.json": softTools}),
		head: repo.Files{"mcp-gates.yml": strings.NewReplacer("web.json", "lax.json", "{web:", "{net:", "server: web", "server: net").Replace(softSuite(fits)),
			"runs.json": strings.ReplaceAll(softBase()["runs.json"], `"server": "web"`, `"server": "net"`)}},
	{name: "a failing recording deleted", base: softGlob().With(repo.Files{"each/bad.json": softRuns(`{"tool_calls": [` + callExec + `]}`)}), head: repo.Files{"each/bad.json": ""}},
	{name: "the case renamed", base: soft(selects), head: repo.Files{"mcp-gates.yml": strings.ReplaceAll(softSuite(`tool_selection: {expected_tool: search, min_selection_rate: 0.1}`), "finds", "looks up")}},
	{name: "the suite moved", base: soft(selects), head: repo.Files{"mcp-gates.yml": "", "mcptest.yml": softSuite(`tool_selection: {expected_tool: search, min_selection_rate: 0.1}`)}},
	{name: "the case removed", base: repo.Files{"mcp-gates.yml": softSuite(selects) + softPassing, "pass.json": softGoodRuns}, head: repo.Files{"mcp-gates.yml": strings.Split(softSuite(""), "  - {name")[0] + softPassing}},
	{name: "the suite removed", base: repo.Files{"suites/a.yml": "agents:\n  - {name: finds, cassette: ../runs.json, " + selects + "}\n", "suites/b.yml": "agents:\n" + softPassing, "suites/pass.json": softGoodRuns},
		head: repo.Files{"suites/a.yml": ""}},
	{name: "a model of the matrix removed", base: softModels("[good, bad]"), head: softModels("[good]")},
	{name: "another recording", base: soft(selects), head: soft(selects).With(repo.Files{
		"mcp-gates.yml": strings.ReplaceAll(softSuite(selects), "runs.json", "better.json"), "better.json": softRuns(`{"tool_calls": [` + callSearch + `]}`)})},
	{name: "inherited and lowered there", base: repo.Files{"mcp-gates.yml": softInherited("0.9")}, head: repo.Files{"mcp-gates.yml": softInherited("0.1")}},
	{name: "a variable's default", base: repo.Files{"mcp-gates.yml": softVariable("note")}, head: repo.Files{"mcp-gates.yml": softVariable("search")}},
	{name: "an expectation on each run that all meet", base: soft(`expect: [{tool_names: {contains: search}}]`), head: soft(`expect: [{tool_names: {schema: {type: array}}}]`)},
	{name: "an expectation on each run removed", base: soft(`expect: [{tool_names: {contains: search}}], orchestration: {}`), head: soft(`orchestration: {}`)},
	{name: "no correct tools left", base: withRuns(soft(`distractors: {count: 2, source: {from: catalog}, correct: [fetch]}`), `{"tool_calls": [`+callSearch+`]}`),
		head: soft(`distractors: {count: 2, source: {from: catalog}}`)},
	{name: "stale evidence ignored", byBase: 2, base: withRuns(soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.5}`)).With(repo.Files{"runs.json": softRecorded(`[{"name": "search"}, {"name": "gone"}]`)}),
		head: soft(`stale_catalog: ignore, tool_selection: {expected_tool: search, min_selection_rate: 0.5}`)},
	{name: "a prompt removed", byBase: 2, base: soft(`prompt: Find news., tool_selection: {expected_tool: search, min_selection_rate: 0.5}`).With(repo.Files{"runs.json": `{"prompt_sha256": "` + strings.Repeat("ab", 32) + `", "runs": ` + softRuns(`{"tool_calls": [`+callSearch+`]}`) + `}`}),
		head: soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.5}`)},
	{name: "an agent's test replaced by a look at the catalog", base: soft(selects),
		head: repo.Files{"mcp-gates.yml": "servers: {web: {catalog: web.json}}\ntool_quality:\n  - {name: finds, server: web, expect: [{min_score: {\">=\": 0.01}}]}\n"}},
}

// softGlob is a suite whose case has all recordings of a folder, and a good one.
func softGlob() repo.Files {
	return repo.Files{"mcp-gates.yml": strings.Replace(softSuite(selects), "runs.json", "each/*.json", 1), "each/good.json": softGoodRuns}
}

const softPassing = "  - {name: passes, cassette: pass.json, orchestration: {}}\n"

func softBench(intents string) repo.Files {
	return repo.Files{"mcp-gates.yml": "servers: {web: {catalog: web.json}}\ntool_bench:\n  - {name: words, server: web, intents: [" + intents + "], min_accuracy: 0.8}\n"}
}

func softQuality(above, rules string) repo.Files {
	return repo.Files{"mcp-gates.yml": above + "servers: {web: {catalog: web.json}}\ntool_quality:\n  - {name: words, server: web, expect: [{warning_count: {\"<=\": 0}}]" + rules + "}\n",
		"web.json": softTools}
}

func softModels(models string) repo.Files {
	return repo.Files{
		"mcp-gates.yml":  "agents:\n  - {name: finds, models: " + models + ", cassette: 'runs-${model}.json', " + selects + "}\n",
		"runs-good.json": softRuns(`{"tool_calls": [` + callSearch + `]}`), "runs-bad.json": softRuns(`{"tool_calls": [` + callExec + `]}`),
	}
}

func softInherited(rate string) string {
	return "defaults: {tool_selection: {expected_tool: search, min_selection_rate: " + rate + "}}\nagents:\n  - {name: finds, cassette: runs.json}\n"
}

func softVariable(tool string) string {
	return "variables: {tool: {default: " + tool + "}}\nagents:\n  - {name: finds, cassette: runs.json, tool_selection: {expected_tool: '${tool}', min_selection_rate: 0.5}}\n"
}

// withDistractors gives the files a recording of a curve: without distractors the agent errs, with two it does not.
func withDistractors(files repo.Files) repo.Files {
	return files.With(repo.Files{"runs.json": `{"distractors": [{"server": "distractor", "name": "a"}, {"server": "distractor", "name": "b"}], "runs": ` + softRuns(
		`{"distractors": 0, "tool_calls": [`+callExec+`]}`, `{"distractors": 2, "tool_calls": [`+callSearch+`]}`) + `}`})
}

// softRecorded returns a recording with a catalog, of which the last tool was called.
func softRecorded(tools string) string {
	return `{"catalog": {"web": {"tools": ` + tools + `}}, "runs": [{"tool_calls": [` + callSearch + `, {"name": "gone", "server": "web"}]}]}`
}

// TestSoftenings plays each softening: the job is red on the base, green on the head unless fail-on-weakened is set, and
// the comment says that the judge was weakened.
func TestSoftenings(t *testing.T) {
	for _, s := range softenings {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			base := softBase().With(s.base)
			w.open(base, base.With(s.head))
			if !s.silent {
				w.run(w.jobOf("push", "refs/heads/main"), w.gates(w.checkout("refs/heads/main", 1)))
				if status := w.gates(w.checkout("refs/heads/main", 1)); status == 0 {
					t.Fatalf("the base is green")
				}
				w.run(w.job(), 0)
			}
			j := w.job()
			j.Inputs["fail-on-weakened"] = "true"
			o := w.run(j, 1)
			w.says("the annotations", strings.Join(o.Annotations(), "\n"), "weakens")
			comment := w.one().Body
			w.says("the comment", comment, "softened")
			if strings.Contains(comment, "by this change's suite and") {
				w.says("the annotations", titles(o.check()), "weakened: ")
			}
			j.Inputs["gates-from"] = "base"
			o = w.run(j, max(1, s.byBase))
			w.says("the annotations", strings.Join(o.Annotations(), "\n"), "weakens")
		})
	}
}

// TestSuiteThatTheBaseLacks holds that a workflow which now asks for a suite of the change's own is not taken for a first
// one: every case of the base is gone then, and nobody can say what was softened. With the workflow the suite may be new.
func TestSuiteThatTheBaseLacks(t *testing.T) {
	const moved = "checks/gates.yml"
	base := softBase().With(soft(selects))
	head := base.With(repo.Files{"mcp-gates.yml": "", moved: strings.ReplaceAll(softSuite(`tool_selection: {expected_tool: search, min_selection_rate: 0.1}`), ": runs.json", ": ../runs.json")})
	head[moved] = strings.ReplaceAll(head[moved], "catalog: web.json", "catalog: ../web.json")
	for _, test := range []struct {
		name string
		base repo.Files
		want int
	}{
		{"a workflow of the base", base.With(repo.Files{ownWorkflow: workflowOf("suite: mcp-gates.yml")}), 3},
		{"a first workflow", repo.Files{"README.md": "# Tools"}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.open(test.base, head.With(repo.Files{ownWorkflow: workflowOf("suite: " + moved)}))
			j := w.job()
			j.Env = map[string]string{"GITHUB_WORKFLOW_REF": "octo/tools/" + ownWorkflow + "@refs/pull/7/merge"}
			j.Inputs["fail-on-weakened"], j.Inputs["suite"] = "true", moved
			w.run(j, test.want)
		})
	}
}

// honest changes soften nothing. Base and head are green.
var honest = []softening{
	{name: "a new case", head: repo.Files{"mcp-gates.yml": strings.Replace(softGood, "tool_quality:", "  - {name: new, cassette: new.json, orchestration: {}}\ntool_quality:", 1), "new.json": softRuns(`{"tool_calls": [` + callFetch + `]}`)}},
	{name: "stricter bounds", head: repo.Files{"mcp-gates.yml": strings.NewReplacer("0.5", "0.9", `">=": 50`, `">=": 80`).Replace(softGood)}},
	{name: "a moved suite", head: repo.Files{"mcp-gates.yml": "", "mcptest.yml": softGood}},
	{name: "a suite moved to another folder", head: repo.Files{"mcp-gates.yml": "", "suites/web.yml": strings.NewReplacer("good.json", "../good.json", "each.json", "../each.json", "web.json", "../web.json").Replace(softGood)}},
	{name: "a moved snapshot", head: repo.Files{"mcp-gates.yml": strings.ReplaceAll(softGood, "web.json", "tools/web.json"), "web.json": "", "tools/web.json": softTools}},
	{name: "a moved and edited snapshot", head: repo.Files{"mcp-gates.yml": strings.ReplaceAll(softGood, "web.json", "tools/web.json"), "web.json": "", "tools/web.json": strings.ReplaceAll(softTools, "Keep a note.", "Keep a note of what was found.")}},
	{name: "a renamed server", head: repo.Files{
		"mcp-gates.yml": strings.NewReplacer("{web:", "{net:", "server: web", "server: net").Replace(softGood),
		"good.json":     strings.ReplaceAll(softGoodRuns, `"server": "web"`, `"server": "net"`), "each.json": strings.ReplaceAll(softGoodRuns, `"server": "web"`, `"server": "net"`) + " "}},
	{name: "moved recordings", head: repo.Files{"mcp-gates.yml": strings.ReplaceAll(softGood, "good.json", "runs/good.json"), "good.json": "", "runs/good.json": softGoodRuns}},
	{name: "a second recording", head: repo.Files{"mcp-gates.yml": strings.ReplaceAll(softGood, "good.json", "[good.json, more.json]"), "more.json": softRuns(softGoodRun)}},
	{name: "a recording made again under another name", base: softGlob(), head: repo.Files{"each/good.json": "", "each/again.json": softRuns(softGoodRun, `{"tool_calls": [`+callSearch+`]}`)}},
	{name: "the log that a cassette was imported from", base: repo.Files{"good.json": softImported},
		head: repo.Files{"mcp-gates.yml": strings.ReplaceAll(softGood, "cassette: good.json", "cassette: {path: chats.jsonl}"), "good.json": "", "chats.jsonl": softLog}},
	{name: "a reformatted suite", head: repo.Files{"mcp-gates.yml": strings.NewReplacer(
		"{expected_tool: search, min_selection_rate: 0.5}", "{min_selection_rate: 0.50, # half\n      expected_tool: [search]}", "agents:", "# the agents\nagents:").Replace(softGood)}},
	{name: "an edited prompt, recorded again", base: repo.Files{"good.json": softPrompted("Find news.")},
		head: repo.Files{"mcp-gates.yml": strings.ReplaceAll(softGood, "Find news.", "Find today's news."), "good.json": softPrompted("Find today's news.")}},
	{name: "a followed rename", head: renamedFiles("search", "find")},
	{name: "a removed tool", head: repo.Files{"web.json": strings.Replace(softTools, ",\n  {\"name\": \"note\", \"description\": \"Keep a note.\"}", "", 1),
		"mcp-gates.yml": strings.ReplaceAll(softGood, "[fetch, note]", "[fetch]")}},
	{name: "a removed tool and its class, recorded again", base: repo.Files{"mcp-gates.yml": strings.ReplaceAll(softGood, "[fetch, note]}", "[fetch]}, {name: notes, members: [note]}")},
		head: repo.Files{"web.json": strings.Replace(softTools, ",\n  {\"name\": \"note\", \"description\": \"Keep a note.\"}", "", 1),
			"mcp-gates.yml": strings.ReplaceAll(softGood, "[fetch, note]", "[fetch]"), "good.json": softRuns(softGoodRun, softGoodRun, softGoodRun)}},
	{name: "a followed rename of a tool that is called as its server", base: namedAlike("search"), head: namedAlike("find")},
	{name: "a followed rename where findings are ignored", base: ignoring("search"), head: ignoring("find")},
	{name: "a followed rename whose old name is an answer's word", base: answering("search"), head: answering("find")},
	{name: "another model at its own price", base: priced("big", "10.00"), head: priced("small", "0.10")},
	{name: "a first snapshot", base: repo.Files{"mcp-gates.yml": strings.NewReplacer("{web: {catalog: web.json}}", "{web: {}}", "tool_quality:\n  - {name: words, server: web, expect: [{warning_count: {\"<=\": 50}}]}\n", "").Replace(softGood)},
		head: repo.Files{"mcp-gates.yml": strings.Replace(softGood, "tool_quality:\n  - {name: words, server: web, expect: [{warning_count: {\"<=\": 50}}]}\n", "", 1)}},
	{name: "a renamed case", head: repo.Files{"mcp-gates.yml": strings.ReplaceAll(softGood, "name: finds", "name: looks up")}},
	{name: "another name of the suite", head: repo.Files{"mcp-gates.yml": "name: web\n" + softGood}},
	{name: "a message for people", head: repo.Files{"mcp-gates.yml": strings.ReplaceAll(softGood, `{">=": 50}}`, `{">=": 50}, message: fetch first}`)}},
	{name: "more runs", head: repo.Files{"good.json": softRuns(softGoodRun, softGoodRun, softGoodRun)}},
	{name: "a better description", head: repo.Files{"web.json": strings.ReplaceAll(softTools, "Keep a note.", "Keep a note of what was found.")}},
	{name: "a gate more", head: repo.Files{"mcp-gates.yml": strings.ReplaceAll(softGood, "orchestration: {}", "orchestration: {}, expect: [{tool_names: {contains: search}}]")}},
	{name: "tags", head: repo.Files{"mcp-gates.yml": strings.ReplaceAll(softGood, "orchestration: {}", "orchestration: {}, tags: [quick]")}},
}

// softLog is a log of one run, and softImported the cassette that it was imported to.
const (
	softLog = `{"messages":[{"role":"user","content":"Find news."},` +
		`{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"search","arguments":"{\"q\":\"x\"}"}},{"id":"2","type":"function","function":{"name":"fetch","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"1","content":"ok"},{"role":"tool","tool_call_id":"2","content":"page"},{"role":"assistant","content":"Done."}]}` + "\n"
	softImported = `{"cassette": 1, "runs": [{"tool_calls": [{"name": "search", "args": {"q": "x"}, "result": "ok"}, {"name": "fetch", "args": {}, "result": "page"}], ` +
		`"conversation": {"turns": [{"role": "user", "content": "Find news."}, {"role": "assistant", "content": ""}, {"role": "assistant", "content": "Done."}]}, "final_response": "Done."}]}` + "\n"
)

const softGoodRun = `{"tool_calls": [` + callSearch + `, ` + callFetch + `], "conversation": {"tokens": 40}}`

var softGoodRuns = softRuns(softGoodRun, softGoodRun)

var softGood = `servers: {web: {catalog: web.json}}
agents:
  - {name: finds, server: web, prompt: Find news., cassette: good.json, tool_selection: {expected_tool: search, min_selection_rate: 0.5}, equal_function_sets: {classes: [{name: search, members: [search]}, {name: other, members: [fetch, note]}], expect: [{tool_selection.f1: {">=": 50}}]}}
  - {name: each run, server: web, cassette: each.json, orchestration: {}}
tool_quality:
  - {name: words, server: web, expect: [{warning_count: {"<=": 50}}]}
`

func sha256Of(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func softPrompted(prompt string) string {
	return `{"cassette": 1, "prompt_sha256": "` + sha256Of(prompt) + `", "runs": ` + softGoodRuns + `}`
}

// renamedFiles are the files of a good base in which a tool has another name everywhere.
func renamedFiles(old, new string) repo.Files {
	files := repo.Files{"mcp-gates.yml": softGood, "good.json": softGoodRuns, "each.json": softGoodRuns + " ", "web.json": softTools}
	out := maps.Clone(files)
	for name, content := range files {
		out[name] = strings.NewReplacer(`"name": "`+old+`"`, `"name": "`+new+`"`, "expected_tool: "+old, "expected_tool: "+new, "members: ["+old+"]", "members: ["+new+"]").Replace(content)
	}
	return out
}

// namedAlike are files in which a server has the name of its tool before it was renamed.
func namedAlike(tool string) repo.Files {
	return repo.Files{
		"mcp-gates.yml": "servers: {search: {catalog: web.json}}\nagents:\n  - {name: finds, server: search, cassette: good.json, tool_selection: {expected_tool: " + tool + ", min_selection_rate: 0.5}}\n",
		"web.json":      strings.Replace(softTools, `"name": "search"`, `"name": "`+tool+`"`, 1),
		"good.json":     strings.NewReplacer(`"server": "web"`, `"server": "search"`, `"name": "search"`, `"name": "`+tool+`"`).Replace(softGoodRuns),
	}
}

func ignoring(tool string) repo.Files {
	return repo.Files{
		"mcp-gates.yml": "servers: {web: {catalog: web.json}}\ntool_quality:\n  - {name: words, server: web, rules: {ignore: [{rule: DESC-010, tool: " + tool + ", reason: known}]}, expect: [{min_score: {\">=\": 0.1}}]}\n",
		"web.json":      strings.Replace(softTools, `"name": "search"`, `"name": "`+tool+`"`, 1),
	}
}

func answering(tool string) repo.Files {
	run := strings.Replace(strings.ReplaceAll(softGoodRun, `"name": "search"`, `"name": "`+tool+`"`), `{"tool_calls"`, `{"final_response": "search is done", "tool_calls"`, 1)
	return repo.Files{
		"mcp-gates.yml": "servers: {web: {catalog: web.json}}\nagents:\n  - {name: finds, server: web, cassette: good.json, tool_selection: {expected_tool: " + tool + ", min_selection_rate: 0.5}, expect: [{final_response: {contains: search}}]}\n",
		"web.json":      strings.Replace(softTools, `"name": "search"`, `"name": "`+tool+`"`, 1),
		"good.json":     softRuns(run),
	}
}

func priced(model, price string) repo.Files {
	return repo.Files{
		"mcp-gates.yml": "pricing: {" + model + ": {input: " + price + ", output: " + price + "}}\nagents:\n  - {name: finds, model: " + model + ", cassette: good.json, " +
			`token_efficiency: {classes: [{name: search, members: [search]}], expect: [{token_efficiency.f1: {">=": 50}}]}}` + "\n",
		"good.json": `{"model": "` + model + `", "catalog": {"web": ` + softTools + `}, "runs": ` + softRuns(`{"tool_calls": [`+callSearch+`], "conversation": {"tokens": {"input": 90, "output": 5}}}`) + "}",
	}
}

func TestHonestChanges(t *testing.T) {
	for _, h := range honest {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			base := softBase().With(repo.Files{"mcp-gates.yml": softGood, "good.json": softGoodRuns, "each.json": softGoodRuns + " ", "web.json": softTools}).With(h.base)
			w.open(base, base.With(h.head))
			j := w.job()
			j.Inputs["fail-on-weakened"] = "true"
			j.Inputs["comment"] = "always"
			w.run(j, 0)
			w.lacks("the comment", w.one().Body, "passes by this change's suite")
			j.Inputs["gates-from"] = "base"
			w.run(j, 0)
		})
	}
}
