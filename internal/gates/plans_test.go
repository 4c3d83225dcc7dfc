package gates

import (
	"fmt"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// TestPlans pins which parts of recordings gates read, which tools they need and only name, and of which lists of tools one must exist.
func TestPlans(t *testing.T) {
	words := func(list []judge.Member) string {
		var names []string
		for _, m := range list {
			names = append(names, m.Name)
		}
		return strings.Join(names, " ")
	}
	for _, test := range []struct {
		gate            *judge.Gate
		block           string
		keep            trace.Keep
		members, listed string
		named           string
	}{
		{Orchestration, "{}", trace.KeepArgs, "", "", "[]"},
		{Orchestration, "{error_pattern: x}", trace.KeepArgs | trace.KeepResults, "", "", "[]"},
		{Recovery, "{}", trace.KeepArgs, "", "", "[]"},
		{Recovery, "{after: [get]}", trace.KeepArgs, "get", "", "[]"},
		{Recovery, "{} # with faults", trace.KeepArgs | trace.KeepResults, "", "", "[]"},
		{ToolEdges, "{allowed: [get, {tool: put}], restricted: [rm]}", 0, "", "get put rm", "[]"},
		{ToolEdges, "{restricted: [{tool: rm, args: {path: x}}]}", trace.KeepArgs, "", "rm", "[]"},
		{ToolEdges, "{allowed: [{tool: rm, args: {path: x}}]}", trace.KeepArgs, "", "rm", "[]"},
		{Trajectory, "{mode: strict, steps: [a, {tool: b}]}", 0, "a b", "", "[[a] [b]]"},
		{Trajectory, "{mode: strict, steps: [{tool: a, args: {q: x}}]}", trace.KeepArgs, "a", "", "[[a]]"},
		{Trajectory, "{mode: subset, steps: [a]}", 0, "", "a", "[]"},
		{TrajectoryAxes, "{order: [{before: a, after: b}]}", 0, "a b", "", "[[a] [b]]"},
		{TrajectoryAxes, "{data_flow: [{from: a, to: b.args.id}]}", trace.KeepArgs | trace.KeepResults, "a b", "", "[[a] [b]]"},
		{EqualFunctionSets, "{classes: [{name: x, members: [a, b]}, {name: y, members: c}]}", 0, "a b c", "", "[[a b] [c]]"},
		{ToolSelection, "{expected_tool: [a, b], min_selection_rate: 1}", 0, "a b", "", "[[a b]]"},
		{Distractors, "{count: 1, source: {from: near_duplicate, of: [a, b]}, correct: [c, d]}", 0, "c d a b", "", "[[c d] [a] [b]]"},
		{Distractors, "{count: 1, source: {from: catalog}}", 0, "", "", "[]"},
		{GoldenPath, "{steps: [a, {tool: b}, {tool: a, args: {q: x}}, {class: shelf}, {class: shelf}, get_*]}", trace.KeepArgs, "a b a", "", "[[a] [b] [k l]]"},
		{ToolEdges, "{allowed: [a, {tool: a, args: {q: x}}, get_*], delegation: [{from: b, to: a}]}", trace.KeepArgs, "", "a a", "[]"},
		{Limits, "{max_calls: 1, max_calls_by_tool: {a: 1, b: 2}}", 0, "", "a b", "[]"},
		{ToolBench, "{catalog: {tools: [{name: a}, {name: b}]}, intents: [{query: find it, gold: a}], mutations: [{tool: b, kind: blank}], min_accuracy: 1}", 0, "", "", "[[a] [b]]"},
		{Findability, "{search: codex, intents: [{query: find it, gold: [a, b]}]}", 0, "", "", "[[a] [b]]"},
		{ToolQuality, `{expect: ['tool["a"].score': {">=": 0.5}, 'tool["s.b"].tokens': {"<=": 5}, critical_count: {"<=": 0}]}`, 0, "", "", "[[a] [s.b]]"},
		{TokenEfficiency, "{classes: [{name: x, members: [a, b]}]}", 0, "a b", "", "[[a b]]"},
	} {
		var in judge.Context
		in.Classes = []judge.Class{{Name: "shelf", Members: []string{"k", "l"}}}
		if strings.Contains(test.block, "faults") {
			in.Faults = []fault.Fault{{Tool: "get", Kind: "error"}}
		}
		plan := planOf(t, test.gate, test.block, in)
		if test.named == "[]" && len(plan.Sought) > 0 {
			t.Errorf("%s %s: names no tools and seeks %+v", test.gate.Name, test.block, plan.Sought)
		}
		keep := test.gate.Keep
		if k, ok := plan.Measurer.(judge.Keeper); ok {
			keep |= k.Keep()
		}
		if keep != test.keep || words(plan.Members) != test.members || words(plan.Listed) != test.listed || fmt.Sprint(plan.Named) != test.named {
			t.Errorf("%s %s: keeps %b, needs %q of %v and names %q; want %b, %q, %s and %q", test.gate.Name, test.block,
				keep, words(plan.Members), plan.Named, words(plan.Listed), test.keep, test.members, test.named, test.listed)
		}
	}
}
