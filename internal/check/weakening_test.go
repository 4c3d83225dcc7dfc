package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// Three classes, of which the last shares a tool with each of the others.
const (
	searchClass = "        - {name: search, members: [web.search, find]}\n"
	fetchClass  = "        - {name: fetch, members: [web.fetch, crawl]}\n"
	eitherClass = "        - {name: either, members: [find, crawl, shop.de.get]}\n"
)

// strict is a suite in which every key of a gate and of a test that bears on a verdict occurs.
const strict = `pricing: {m: {input: 3.00, output: 15.00}}
servers:
  web: {catalog: web.json}
  shop.de: {}
variables: {place: {default: Rome}}
defaults:
  stale_catalog: warn
agents:
  - name: one
    model: m
    servers: [web]
    prompt: "Search ${place}"
    system_prompt: "Be brief"
    runs: 2
    allow_run_errors: 1
    cassette: one.json
    discovery: {name_free: true}
    expect:
      - {tool_names: {contains: search}}
      - {"tool_calls[0].args.q": {exact: x}}
      - {conversation.tokens.total: {"<=": 400}}
    equal_function_sets:
      classes:
` + searchClass + fetchClass + eitherClass + `      expect: [{tool_selection.f1: {">=": 80}}, {tool_selection.precision: {">=": 10, "<=": 100}}]
    tool_selection:
      expected_tool: [search]
      min_selection_rate: 0.5
      max_total_tokens: 500
      min_pass_hat: {k: 2, rate: 0.4}
      max_drop: 10
      min_certified_rate: 10
      expect: [{tool_selection.rate: {">=": 30}, message: too few}]
    distractors:
      count: 2
      source: {from: near_duplicate, of: [search, fetch]}
      correct: [web.search]
      complexity: serial
    orchestration:
      error_pattern: "^error"
    token_efficiency:
      classes: [{name: search, members: [web.search]}]
      expect: [{token_efficiency.cost: {"<=": 5}, when_absent: skip}]
tool_quality:
  - name: quality
    server: web
    rules:
      disable: [DESC-010]
      severity: {DESC-006: critical, DESC-001: critical}
      ignore: [{rule: DESC-012, tool: fetch, reason: later}]
    expect: [{min_score: {">=": 0.1}}, {warning_count: {"<=": 50}}]
tool_bench:
  - name: bench
    catalog: web.json
    intents: [{query: search the web, gold: search}, {query: fetch a page, gold: [fetch]}]
    mutations: [{tool: search, kind: truncate, chars: 5}]
    min_accuracy: 0.4
    min_wilson_lower: 0.05
    expect: [{bench.max_drop: {"<=": 0.9}}]
`

// toldOf returns how a change of suite and evidence weakens it: KEY: KIND for what counts, (KEY: KIND) for what is only shown.
func toldOf(t *testing.T, base, head []string) []string {
	t.Helper()
	reports := make([]*report.Report, 2)
	for i, files := range [][]string{base, head} {
		reports[i] = run(t, workspace(files...), Options{Digests: true})
		for _, p := range reports[i].Problems {
			t.Fatalf("%s:%d: %s", p.Path, p.Line, p.Message)
		}
	}
	told := []string{}
	for _, w := range compare.Reports(reports[0], reports[1], compare.Options{}).Weakened {
		line := w.Key + ": " + w.Kind
		if w.ToldOnly {
			line = "(" + line + ")"
		}
		told = append(told, line)
	}
	return told
}

// recordings returns files for the suite text: its catalog and the recording of two runs, with what stands above them.
func recordings(suite, header string) []string {
	return []string{"mcp-gates.yml", suite, "web.json", webCatalog, "one.json", `{` + header + `"runs": ` + list(fourRuns[0], fourRuns[1]) + `}`}
}

// kept is a header that names the model and has the hashes of the prompts, and a catalog with its servers.
const kept = `"model": "m", "prompt_sha256": "` + aHash + `", "system_prompt_sha256": "` + aHash + `", "catalog": {"web": {"tools": [{"name": "search"}]}}, `

const aHash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// TestSoftenedSuites pins that every way to soften a suite is reported, and that changes which soften nothing are not.
func TestSoftenedSuites(t *testing.T) {
	const efs, selection = "equal_function_sets.", "tool_selection."
	for _, test := range []struct {
		name, old, new string
		want           []string
	}{
		// Changes that soften nothing.
		{"nothing", "", "", nil},
		{"a comment", "agents:\n", "agents: # of ours\n", nil},
		{"the order of keys", "    runs: 2\n    allow_run_errors: 1\n", "    allow_run_errors: 1\n    runs: 2\n", nil},
		{"another spelling", "count: 2\n", "count: 2 # two\n", nil},
		{"a number spelt otherwise", "min_selection_rate: 0.5", "min_selection_rate: 0.500", nil},
		{"a list of one is a text", "expected_tool: [search]", "expected_tool: search", nil},
		{"anchors and aliases", "members: [web.search, find]}", "members: &m [web.search, find]}", nil},
		{"a message", "message: too few", "message: much too few", nil},
		{"a label", "complexity: serial", "complexity: parallel", nil},
		{"tags", "    runs: 2\n", "    runs: 2\n    tags: [slow]\n", nil},
		{"the suite's name", "variables:", "name: other\nvariables:", nil},
		{"a variable that gives the same", `"Search ${place}"`, "Search Rome", nil},
		{"a renamed class", "{name: fetch, members", "{name: load, members", nil},
		{"classes that share nothing change places", searchClass + fetchClass, fetchClass + searchClass, nil},
		{"a new case", "tool_quality:\n", "  - {name: two, cassette: two.json, orchestration: {}}\ntool_quality:\n", nil},
		{"stricter bounds", `{">=": 80}`, `{">": 80}`, nil},
		{"the long spelling", `{tool_selection.f1: {">=": 80}}`, `{target: tool_selection.f1, matcher: {schema: {minimum: 80}}}`, nil},
		{"an assertion more", `expect: [{tool_selection.f1: {">=": 80}}`, `expect: [{tool_selection.recall: {">=": 80}, when_absent: skip}, {tool_selection.f1: {">=": 80}}`, nil},
		{"the order of intents", "intents: [{query: search the web, gold: search}, {query: fetch a page, gold: [fetch]}]", "intents: [{query: fetch a page, gold: [fetch]}, {query: search the web, gold: search}]", nil},
		{"a server more", "variables:", "  next: {catalog: web.json}\nvariables:", nil},
		{"another reason", "reason: later", "reason: soon", nil},
		{"a rule as severe as it is", "DESC-001: critical", "DESC-002: warning", nil},
		{"a rule applied again", "disable: [DESC-010]", "disable: []", nil},

		// Order, multisets and words.
		{"classes that share a tool change places", searchClass + fetchClass + eitherClass, eitherClass + searchClass + fetchClass, []string{efs + "classes: order changed"}},
		{"a tool is left to another class", "[web.search, find]", "[web.search]", []string{efs + `classes["search"].members: tool left to another class`}},
		{"a tool is taken from one class", "[web.fetch, crawl]", "[crawl]", nil},
		{"another tool is imitated first", "of: [search, fetch]", "of: [fetch, search]", []string{"distractors.source.of: order changed"}},
		{"an intent repeated", "intents: [", "intents: [{query: search the web, gold: search}, {query: search the web, gold: search}, ", []string{"tool_bench.intents: changed"}},
		{"a text that reads like a list", "expected_tool: [search]", `expected_tool: '["search"]'`, []string{selection + "expected_tool: tool added to those that count"}},
		{"a tool called present", "expected_tool: [search]", "expected_tool: present", []string{selection + "expected_tool: tool added to those that count"}},
		{"a pattern called present", `error_pattern: "^error"`, "error_pattern: present", []string{"orchestration.error_pattern: changed"}},

		// Gates and what they expect.
		{"a class member more", "[web.fetch, crawl]", "[web.fetch, crawl, exec]", []string{efs + `classes["fetch"].members: tool added to those that count`}},
		{"a class more", "      classes:\n", "      classes:\n        - {name: exec, members: exec}\n", []string{efs + `classes["exec"].members: class added`}},
		{"a class less", fetchClass, "", []string{efs + `classes["fetch"].members: class removed`}},
		{"a lower bound", `{">=": 80}`, `{">=": 70}`, []string{efs + "expect.tool_selection.f1: lower bound lowered"}},
		{"another matcher", `{">=": 80}`, `{schema: {type: number, minimum: 80}}`, []string{efs + "expect.tool_selection.f1: changed"}},
		{"not equal", `{">=": 80}`, `{"!=": 80}`, []string{efs + "expect.tool_selection.f1: lower bound lowered"}},
		{"half of a bound", `{">=": 10, "<=": 100}`, `{"<=": 100}`, []string{efs + "expect.tool_selection.precision: lower bound lowered"}},
		{"absent is good enough", `{tool_selection.f1: {">=": 80}}`, `{tool_selection.f1: {">=": 80}, when_absent: skip}`, []string{efs + "expect.tool_selection.f1.when_absent: may be absent now"}},
		{"an assertion less", `{tool_selection.f1: {">=": 80}}, `, "", []string{efs + "expect.tool_selection.f1: no longer expected"}},
		{"nothing expected but the defaults", `expect: [{tool_selection.f1: {">=": 80}}, {tool_selection.precision: {">=": 10, "<=": 100}}]`, "expect: []", []string{efs + "expect.tool_selection.f1: no longer expected", efs + "expect.tool_selection.precision: no longer expected"}},
		{"a default made weaker", `error_pattern: "^error"`, `error_pattern: "^error"` + "\n      expect: [{orchestration.syntax: {'>=': 2}}]", []string{
			"orchestration.expect.orchestration.error_recovery: no longer expected", "orchestration.expect.orchestration.syntax: lower bound lowered"}},
		{"a lower rate", "min_selection_rate: 0.5", "min_selection_rate: 0.4", []string{selection + "min_selection_rate: minimum lowered"}},
		{"more tokens", "max_total_tokens: 500", "max_total_tokens: 501", []string{selection + "max_total_tokens: maximum raised"}},
		{"tokens without end", "      max_total_tokens: 500\n", "", []string{selection + "max_total_tokens: maximum removed"}},
		{"fewer runs drawn", "k: 2,", "k: 1,", []string{selection + "min_pass_hat.k: minimum lowered"}},
		{"more runs drawn, at a lower rate", "k: 2, rate: 0.4", "k: 3, rate: 0.3", []string{selection + "min_pass_hat.rate: minimum lowered"}},
		{"a larger drop", "max_drop: 10", "max_drop: 20", []string{selection + "max_drop: maximum raised"}},
		{"a smaller drop", "max_drop: 10", "max_drop: 5", nil},
		{"any drop", "      max_drop: 10\n", "", []string{selection + "max_drop: maximum removed"}},
		{"no pass^k", "      min_pass_hat: {k: 2, rate: 0.4}\n", "", []string{selection + "min_pass_hat.k: minimum removed", selection + "min_pass_hat.rate: minimum removed"}},
		{"less certainty", "min_certified_rate: 10", "min_certified_rate: 9", []string{selection + "min_certified_rate: minimum lowered"}},
		{"another tool will do", "expected_tool: [search]", "expected_tool: [search, fetch]", []string{selection + "expected_tool: tool added to those that count"}},
		{"fewer distractors", "count: 2\n", "count: 1\n", []string{"distractors.count: fewer distractors"}},
		{"more distractors where tools are looked up", "count: 2\n", "count: 3\n", []string{"distractors.count: changes what other gates judge"}},
		{"a curve", "count: 2\n", "count: 2\n      curve: [0, 2]\n", []string{"distractors.curve: changed"}},
		{"others imitated", "of: [search, fetch]", "of: [search]", []string{"distractors.source.of: changed"}},
		{"none imitated", "{from: near_duplicate, of: [search, fetch]}", "{from: catalog}", []string{"distractors.source.from: changed", "distractors.source.of: changed"}},
		{"another right tool", "correct: [web.search]", "correct: [web.search, web.search_v2]", []string{"distractors.correct: tool added to those that count"}},
		{"no right tool", "      correct: [web.search]\n", "", []string{"distractors.correct: no correct tools left"}},
		{"no pattern", "    orchestration:\n      error_pattern: \"^error\"\n", "    orchestration: {}\n", []string{"orchestration.error_pattern: error pattern removed"}},
		{"no gate", "    orchestration:\n      error_pattern: \"^error\"\n", "", []string{"orchestration: gate removed"}},
		{"other classes for efficiency", "[{name: search, members: [web.search]}]", "[{name: search, members: [search]}]", []string{`token_efficiency.classes["search"].members: tool added to those that count`}},

		// Tests.
		{"fewer runs", "runs: 2", "runs: 1", []string{"runs: fewer runs asked for"}},
		{"more errors", "allow_run_errors: 1", "allow_run_errors: 2", []string{"allow_run_errors: more run errors allowed"}},
		{"stale is good enough", "stale_catalog: warn", "stale_catalog: ignore", []string{"stale_catalog: stale catalogs allowed"}},
		{"another recording", "cassette: one.json", "cassette: two.json", []string{"cassette: changed"}},
		{"no price", "pricing: {m: {input: 3.00, output: 15.00}}\n", "", []string{"pricing.input: changed", "pricing.output: changed"}},
		{"a lower price", "input: 3.00", "input: 0.01", []string{"pricing.input: price lowered"}},
		{"less of a run", "      - {tool_names: {contains: search}}\n", "", []string{"expect.tool_names: no longer expected"}},
		{"something else of a run", "{exact: x}", `{regex: "."}`, []string{"expect.tool_calls[0].args.q: changed"}},
		{"longer runs", `{"<=": 400}`, `{"<=": 4000}`, []string{"expect.conversation.tokens.total: upper bound raised"}},
		{"a promise less", "    discovery: {name_free: true}\n", "", nil},
		{"no snapshot", "  web: {catalog: web.json}", "  web: {}", []string{"servers without catalog: calls to more servers are left out", `servers["web"].catalog: changed`, `servers["web"].catalog: changed`,
			`rules.severity["DESC-006"]: severity lowered`}},

		// Servers that are declared.
		{"a server is declared no more", "  shop.de: {}\n", "", []string{`members["shop.de.get"]: means other tools now`}},
		{"a server is called otherwise", "shop.de: {}", "shop: {}\n  shoppe: {}", []string{"servers without catalog: calls to more servers are left out"}},
		{"a server whose tools nobody knows", "  shop.de: {}\n", "  shop.de: {}\n  shell: {}\n", []string{"servers without catalog: calls to more servers are left out"}},

		// Rules and benchmarks.
		{"a rule disabled", "disable: [DESC-010]", "disable: [DESC-010, DESC-002]", []string{"tool_quality.rules.disable: rule disabled"}},
		{"a rule made milder", "DESC-006: critical", "DESC-002: warning", []string{`tool_quality.rules.severity["DESC-006"]: severity lowered`}},
		{"a warning taken for worse", "DESC-001: critical", "DESC-009: critical", []string{`tool_quality.rules.severity["DESC-009"]: changed`}},
		{"a finding ignored", "tool: fetch, reason", "tool: search, reason", []string{"tool_quality.rules.ignore: findings ignored"}},
		{"another catalog", "    server: web\n    rules", "    catalog: other.json\n    rules", []string{"catalog: changed", `servers["web"].catalog: changed`, "tool_quality.server: changed", `rules.severity["DESC-006"]: severity lowered`}},
		{"an easier benchmark", "min_accuracy: 0.4", "min_accuracy: 0.3", []string{"tool_bench.min_accuracy: minimum lowered"}},
		{"a shorter benchmark", "{query: search the web, gold: search}, ", "", []string{"tool_bench.intents: changed"}},
		{"milder mutations", "chars: 5", "chars: 50", []string{"tool_bench.mutations: changed"}},
		{"more drop", `{"<=": 0.9}`, `{"<=": 1}`, []string{"tool_bench.expect.bench.max_drop: upper bound raised"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			base := strict
			if !strings.Contains(base, test.old) {
				t.Fatalf("the suite does not hold %q", test.old)
			}
			head := strings.Replace(base, test.old, test.new, 1)
			got := toldOf(t, recordings(base, ""), append(recordings(head, ""), "two.json", list(fourRuns[2], fourRuns[2]), "other.json", webCatalog))
			if diff := cmp.Diff(append([]string{}, test.want...), got); diff != "" {
				t.Errorf("%q became %q: -want +got\n%s", test.old, test.new, diff)
			}
		})
	}
}

// surrounded is a suite with what surrounds its gates.
const surrounded = `servers: {web: {catalog: web.json}, other: {catalog: web.json}, bare: {}}
agents:
  - name: one
    cassette: one.json
    model: m
    servers: [web]
    prompt: Search
    system_prompt: Be brief
    expect: [{tool_names: {contains: search}}]
    orchestration: {}
    token_efficiency: {classes: [{name: s, members: [search]}]}
`

// TestSoftenedSurroundings pins what is reported about what the agent is given, by what the recording keeps of it, and of gates
// that are added and change what others judge.
func TestSoftenedSurroundings(t *testing.T) {
	const sets = "    equal_function_sets: {classes: [{name: s, members: [%]}]}\n    orchestration: {}\n"
	const unkept, unchanged = "changed, and the recording does not keep it", "changed, and the recording keeps it"
	for _, test := range []struct {
		name, base, head string // headers of the recording
		old, new         string
		want             []string
	}{
		{"a prompt edited and recorded again", kept, kept, "prompt: Search", "prompt: Look", []string{"(prompt: " + unchanged + ")"}},
		{"a prompt that no recording keeps", "", "", "prompt: Search", "prompt: Look", []string{"prompt: " + unkept}},
		{"a prompt edited and its hash taken out", kept, `"model": "m", `, "prompt: Search", "prompt: Look", []string{"prompt: " + unkept}},
		{"no prompt", kept, kept, "    prompt: Search\n", "", []string{"prompt: no longer given"}},
		{"a prompt called present", kept, kept, "prompt: Search", "prompt: present", []string{"(prompt: " + unchanged + ")"}},
		{"the other name of a prompt", "", "", "    prompt:", "    user_prompt:", nil},
		{"another system prompt", kept, kept, "Be brief", "Be long", []string{"(system_prompt: " + unchanged + ")"}},
		{"another system prompt, not kept", "", "", "Be brief", "Be long", []string{"system_prompt: " + unkept}},
		{"no system prompt", kept, kept, "    system_prompt: Be brief\n", "", []string{"(system_prompt: " + unchanged + ")"}},
		{"no system prompt, not kept", "", "", "    system_prompt: Be brief\n", "", []string{"system_prompt: no longer given"}},
		{"another model", kept, kept, "model: m", "model: n", []string{"(model: " + unchanged + ")"}},
		{"another model, not kept", "", "", "model: m", "model: n", []string{"model: " + unkept}},
		{"a model called present", "", "", "model: m", "model: present", []string{"model: " + unkept}},
		{"no model", kept, kept, "    model: m\n", "", []string{"model: no longer given"}},
		{"a list of one model", kept, kept, "model: m", "models: [m]", nil},
		{"other models", "", "", "model: m", "models: [n]", []string{"model: " + unkept}},
		{"no server", kept, kept, "    servers: [web]\n", "", []string{"servers: no longer given", `servers["web"].catalog: changed`}},
		{"a server more", kept, kept, "servers: [web]", "servers: [web, other]", []string{"(servers: " + unchanged + ")"}},
		{"a server more, not kept", "", "", "servers: [web]", "servers: [web, other]", []string{"servers: " + unkept}},
		{"the other name of a server", "", "", "servers: [web]", "server: web", nil},
		{"tools nobody knows, which the recording has", kept, kept, "bare: {}", "bare: {}, shell: {}", nil},

		{"classes for orchestration", "", "", "    orchestration: {}\n", strings.Replace(sets, "%", "search, fetch", 1), []string{"equal_function_sets: changes what other gates judge"}},
		{"the classes that it has", "", "", "    orchestration: {}\n", strings.Replace(sets, "%", "search", 1), nil},
		{"distractors", "", "", "    orchestration: {}\n", "    orchestration: {}\n    distractors: {count: 2, source: {from: catalog}}\n", []string{"distractors: changes what other gates judge"}},
		{"a curve", "", "", "    orchestration: {}\n", "    orchestration: {}\n    distractors: {count: 0, curve: [0, 2], source: {from: catalog}}\n", []string{"distractors: changes what other gates judge"}},
		{"no distractors", "", "", "    orchestration: {}\n", "    orchestration: {}\n    distractors: {count: 0, source: {from: catalog}}\n", nil},
		{"a gate that others do not see", "", "", "    orchestration: {}\n", "    orchestration: {}\n    tool_selection: {expected_tool: search, min_selection_rate: 0}\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(surrounded, test.old) {
				t.Fatalf("the suite does not hold %q", test.old)
			}
			head := strings.Replace(surrounded, test.old, test.new, 1)
			got := toldOf(t, recordings(surrounded, test.base), recordings(head, test.head))
			if diff := cmp.Diff(append([]string{}, test.want...), got); diff != "" {
				t.Errorf("%q became %q: -want +got\n%s", test.old, test.new, diff)
			}
		})
	}
}

// TestSoftenedRules pins that rules which the head no longer applies to a catalog are listed, wherever it drops them.
func TestSoftenedRules(t *testing.T) {
	const declared = "servers: {web: {catalog: web.json}}\nagents: [{name: a, cassette: one.json, orchestration: {}}]\n"
	const judged = declared + "tool_quality: [{name: q, server: web}]\n"
	const entry = "tool_quality: [{name: r, catalog: web.json, rules: {"
	suites := func(texts ...string) []string {
		files := recordings(texts[0], "")
		if len(texts) > 1 {
			files = append(files, "suites/other.yml", texts[1])
		}
		return files
	}
	for _, test := range []struct {
		name       string
		base, head []string
		want       []string
	}{
		{"nothing", suites(judged), suites(judged), nil},
		{"an entry that applies all", suites(declared), suites(judged), nil},
		{"a new entry that disables", suites(declared), suites(declared + entry + "disable: [DESC-002]}}]"), []string{"rules.disable: rule disabled"}},
		{"one of another suite", suites(declared), suites(declared, strings.Replace(entry, "web.json", "../web.json", 1)+"disable: [DESC-002]}}]"), []string{"rules.disable: rule disabled"}},
		{"a new entry that makes milder", suites(declared), suites(declared + entry + "severity: {DESC-001: warning}}}]"), []string{`rules.severity["DESC-001"]: severity lowered`}},
		{"a new entry that ignores", suites(declared), suites(declared + entry + "ignore: [{rule: DESC-012, tool: fetch, reason: r}]}}]"), []string{"rules.ignore: findings ignored"}},
		{"defaults that disable", suites(declared), suites(declared + "defaults: {rules: {disable: [DESC-002]}}"), []string{"rules.disable: rule disabled"}},
		{"a second entry that disables", suites(judged), suites(strings.Replace(judged, "server: web}]\n", "server: web}, {name: r, server: web, rules: {disable: [DESC-002]}}]\n", 1)), nil},
		{"the only entry that reported", suites(strings.Replace(judged, "tool_quality: [", "tool_quality: [{name: r, server: web, rules: {disable: [DESC-002]}}, ", 1)),
			suites(declared + "tool_quality: [{name: r, server: web, rules: {disable: [DESC-002]}}]"), []string{": case removed", "rules.disable: rule disabled"}},
		{"an entry that is told by its case", suites(judged), suites(declared + "tool_quality: [{name: q, server: web, rules: {disable: [DESC-002]}}]"), []string{"tool_quality.rules.disable: rule disabled"}},
		{"a severity given up with the entry", suites(declared + entry + "severity: {DESC-006: critical}}}]"), suites(declared), []string{": case removed", `rules.severity["DESC-006"]: severity lowered`}},
		{"a catalog that was moved", suites(declared), append(suites(strings.Replace(declared, "web.json", "moved.json", 1)+"defaults: {rules: {disable: [DESC-002]}}"), "moved.json", webCatalog),
			[]string{"rules.disable: rule disabled"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(append([]string{}, test.want...), toldOf(t, test.base, test.head)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestPlaceOfSoftenedRules pins that a rule switched off is reported where the head says so, with what was off before.
func TestPlaceOfSoftenedRules(t *testing.T) {
	const declared = "servers: {web: {catalog: web.json}}\nagents: [{name: a, cassette: one.json, orchestration: {}}]\n"
	base := run(t, workspace(recordings(declared, "")...), Options{Digests: true})
	other := "tool_quality:\n  - name: r\n    catalog: ../web.json\n    rules:\n      disable: [DESC-002]\n"
	head := run(t, workspace(append(recordings(declared, ""), "suites/other.yml", other)...), Options{Digests: true})
	want := []report.Weakening{{
		Kind: report.RuleDisabled, Case: "web.json", Suite: "suites/other.yml", Name: "web", Key: "rules.disable",
		Base: "[]", Head: `["DESC-002"]`, Line: 4,
	}}
	if diff := cmp.Diff(want, compare.Reports(base, head, compare.Options{}).Weakened); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
