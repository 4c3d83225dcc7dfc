package suite

import (
	"strings"
	"testing"
	"testing/fstest"
)

// everyMap is a suite with a map of every kind, all in flow style below the top.
const everyMap = `name: all
variables: {region: {from_env: REGION, default: us}}
servers: {w: {command: [node, s.js], env: {A: {from_env: B}}, cwd: ., timeout: 30s, catalog: w.json}, r: {url: "https://example.test", headers: {X: {from_env: T}}, auth: {bearer_token_env: K}}}
defaults: {model: m, rules: {disable: [DESC-012], severity: {DESC-006: critical}, ignore: [{rule: DESC-001, tool: get_weather, reason: known}]}}
pricing: {m: {input: 3.00, output: 15.00}}
budget: {per_test_usd_cents: 50}
redact: {keys: [a]}
agents: [{name: x, servers: [w], prompt: hi, cassette: c.json, discovery: {name_free: true}, faults: [{server: w, tool: get_weather, kind: hang, times: 2, delay: 1s}], expect: {assertions: [{tool_names: {contains: a}}, {target: final_response, matcher: {regex: a}}], max_duration_ms: 3}, equal_function_sets: {classes: [{name: a, members: [get_weather]}], expect: [{tool_selection.f1: {">=": 1%}}]}, tool_selection: {expected_tool: get_weather, min_selection_rate: 0.1, min_pass_hat: {k: 1, rate: 0.1}}, distractors: {count: 1, source: {from: catalog}, expect: []}, orchestration: {error_pattern: x}, token_efficiency: {classes: [{name: a, members: [get_weather]}]}}]
tests: [{name: y, type: agent, agent: x, cassette: d.json, orchestration: {}}]
tool_quality: [{name: q, server: w, rules: {disable: [DESC-010], severity: {DESC-007: critical}, ignore: [{rule: DESC-001, tool: get_weather, reason: known}]}, expect: [{mean_score: {">=": 0}}]}]
tool_bench: [{name: b, catalog: {tools: [{name: t}]}, intents: [{query: t, gold: [t]}], mutations: [{tool: t, kind: blank}], min_accuracy: 0.1}]
`

// TestUnknownKeysAnywhere pins that no map of a suite takes a key that nobody reads: it is a mistake at its place.
func TestUnknownKeysAnywhere(t *testing.T) {
	load := func(src string) string {
		fsys := fstest.MapFS{"s.yml": {Data: []byte(src)}, "w.json": {Data: []byte(weather)}}
		if _, errs := NewLoader(fsys).Load("s.yml"); len(errs) > 0 {
			return errs.Error()
		}
		return ""
	}
	if errs := load(everyMap); errs != "" {
		t.Fatalf("got mistakes without any change:\n%s", errs)
	}
	if errs := load(everyMap + "zzz: 1\n"); !strings.Contains(errs, "zzz") {
		t.Errorf("at the top: got %q, want a mistake about zzz", errs)
	}
	for at, c := range everyMap {
		asServed := strings.HasPrefix(everyMap[at:], "{tools:") || strings.HasPrefix(everyMap[at:], "{name: t}")
		if c != '{' || asServed { // what servers list may hold more than anyone reads
			continue
		}
		src := everyMap[:at+1] + "zzz: 1, " + everyMap[at+1:]
		if errs := load(src); !strings.Contains(errs, "zzz") && !strings.Contains(errs, "found 1") {
			t.Errorf("in %.60s: got %q, want a mistake about zzz", everyMap[at:], errs)
		}
	}
}
