package gates_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// settingsOf configures a gate with a block and returns its settings without their lines.
func settingsOf(t *testing.T, g *judge.Gate, block string) []string {
	t.Helper()
	var errs source.Errors
	root := yamlread.Parse("s.yml", []byte(block), &errs)
	check := judge.Check{Gate: g, Pos: source.Pos{File: "s.yml", Line: 7}, Plan: g.Configure(root, judge.Context{Runs: 1})}
	if len(errs) > 0 {
		t.Fatalf("%s\nhas mistakes: %v", block, errs.Err())
	}
	var list []string
	for _, s := range judge.Settings(check, root) {
		if s.Line == 0 {
			t.Errorf("%s has no line", s.Key)
		}
		list = append(list, s.Key+" = "+s.Value)
	}
	return list
}

func TestSettings(t *testing.T) {
	for _, test := range []struct {
		name, block string
		gate        *judge.Gate
		want        []string
	}{
		{"classes and a default", `classes: [{name: a "b", members: [x, y.z]}, {name: c, members: d}]`, gates.EqualFunctionSets, []string{
			"equal_function_sets = present",
			`equal_function_sets.classes["a \"b\""].members = ["x","y.z"]`,
			`equal_function_sets.classes["c"].members = d`,
			`equal_function_sets.classes = ["a \"b\"","c"]`,
			"equal_function_sets.expect.tool_selection.f1 = >= 50",
		}},
		{"expectations", `{classes: [{name: a, members: [x]}], expect: [{tool_selection.f1: {">=": 80.0}, when_absent: skip}]}`, gates.EqualFunctionSets, []string{
			"equal_function_sets = present",
			`equal_function_sets.classes["a"].members = ["x"]`,
			`equal_function_sets.classes = ["a"]`,
			"equal_function_sets.expect.tool_selection.f1 = >= 80",
			"equal_function_sets.expect.tool_selection.f1.when_absent = skip",
		}},
		{"keys that are judged are told once", `{expected_tool: x, min_selection_rate: 0.80, max_total_tokens: 2000, min_pass_hat: {k: 3, rate: .5}}`, gates.ToolSelection, []string{
			"tool_selection = present",
			"tool_selection.expected_tool = x",
			"tool_selection.min_selection_rate = 0.8",
			"tool_selection.max_total_tokens = 2000",
			"tool_selection.min_pass_hat.k = 3",
			"tool_selection.min_pass_hat.rate = 0.5",
		}},
		{"a text is no list", `{expected_tool: '["x"]', min_selection_rate: 1}`, gates.ToolSelection, []string{
			"tool_selection = present",
			`tool_selection.expected_tool = "[\"x\"]"`,
			"tool_selection.min_selection_rate = 1",
		}},
		{"nor is a quoted text another", `{expected_tool: '"x"', min_selection_rate: 1}`, gates.ToolSelection, []string{
			"tool_selection = present",
			`tool_selection.expected_tool = "\"x\""`,
			"tool_selection.min_selection_rate = 1",
		}},
		{"a pattern that begins like a list", `{error_pattern: '[Ee]rror', expect: [{orchestration.syntax: {">=": 90}}]}`, gates.Orchestration, []string{
			"orchestration = present",
			"orchestration.error_pattern = [Ee]rror",
			"orchestration.expect.orchestration.syntax = >= 90",
		}},
		{"percentages read as the numbers that they are", `{expected_tool: x, min_selection_rate: 80%, min_pass_hat: {k: 3, rate: 50.0%}, min_certified_rate: 60%, expect: [{tool_selection.rate: {">=": 80%}}]}`, gates.ToolSelection, []string{
			"tool_selection = present",
			"tool_selection.expected_tool = x",
			"tool_selection.min_selection_rate = 0.8",
			"tool_selection.min_pass_hat.k = 3",
			"tool_selection.min_pass_hat.rate = 0.5",
			"tool_selection.min_certified_rate = 60",
			"tool_selection.expect.tool_selection.rate = >= 80",
		}},
		{"a bound under its own key is told once", `{max_calls: 3, max_calls_by_tool: {exec: 0}, expect: [{limits.errors: {"<=": 1}}]}`, gates.Limits, []string{
			"limits = present",
			"limits.max_calls = 3",
			"limits.max_calls_by_tool.exec = 0",
			"limits.expect.limits.errors = <= 1",
		}},
		{"a bound on searches is told once", `{expected_tool: x, max_searches: 2}`, gates.ToolSearch, []string{
			"tool_search = present",
			"tool_search.expected_tool = x",
			"tool_search.max_searches = 2",
			"tool_search.expect.tool_search.found = >= 50",
		}},
		{"labels are left out", `{count: 4, source: {from: catalog}, complexity: serial, curve: [0, 4]}`, gates.Distractors, []string{
			"distractors = present",
			"distractors.count = 4",
			"distractors.source.from = catalog",
			`distractors.curve = ["0","4"]`,
			"distractors.expect.distractors.accuracy = >= 50",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, settingsOf(t, test.gate, test.block)); diff != "" {
				t.Errorf("%s\n-want +got\n%s", test.block, diff)
			}
		})
	}
}

// A long value is told from others of the same beginning and length.
func TestLongSettings(t *testing.T) {
	of := func(end string) string {
		list := settingsOf(t, gates.Orchestration, "error_pattern: "+strings.Repeat("a", 900)+end)
		return list[1]
	}
	if of("x") == of("y") {
		t.Error("two patterns are not told apart")
	}
	members := func(end string) string {
		return settingsOf(t, gates.EqualFunctionSets, "classes: [{name: a, members: ["+strings.Repeat("a", 5000)+end+"]}]")[1]
	}
	if a, b := members("x"), members("y"); a == b || len(a) > 1000 {
		t.Errorf("long members are not told apart, or at length: %q, %q", a, b)
	}
}
