package gates

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// TestPlans pins which parts of recordings gates read, and which tools they need and only name.
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
	}{
		{Orchestration, "{}", trace.KeepArgs, "", ""},
		{Orchestration, "{error_pattern: x}", trace.KeepArgs | trace.KeepResults, "", ""},
		{Recovery, "{}", trace.KeepArgs, "", ""},
		{Recovery, "{after: [get]}", trace.KeepArgs, "get", ""},
		{Recovery, "{} # with faults", trace.KeepArgs | trace.KeepResults, "", ""},
		{ToolEdges, "{allowed: [get, {tool: put}], restricted: [rm]}", 0, "", "get put rm"},
		{ToolEdges, "{restricted: [{tool: rm, args: {path: x}}]}", trace.KeepArgs, "", "rm"},
		{ToolEdges, "{allowed: [{tool: rm, args: {path: x}}]}", trace.KeepArgs, "", "rm"},
		{Trajectory, "{mode: strict, steps: [a, {tool: b}]}", 0, "a b", ""},
		{Trajectory, "{mode: strict, steps: [{tool: a, args: {q: x}}]}", trace.KeepArgs, "a", ""},
		{Trajectory, "{mode: subset, steps: [a]}", 0, "", "a"},
		{TrajectoryAxes, "{order: [{before: a, after: b}]}", 0, "a b", ""},
		{TrajectoryAxes, "{data_flow: [{from: a, to: b.args.id}]}", trace.KeepArgs | trace.KeepResults, "a b", ""},
	} {
		var in judge.Context
		if strings.Contains(test.block, "faults") {
			in.Faults = []fault.Fault{{Tool: "get", Kind: "error"}}
		}
		plan := planOf(t, test.gate, test.block, in)
		keep := test.gate.Keep
		if k, ok := plan.Measurer.(judge.Keeper); ok {
			keep |= k.Keep()
		}
		if keep != test.keep || words(plan.Members) != test.members || words(plan.Listed) != test.listed {
			t.Errorf("%s %s: keeps %b, needs %q and names %q; want %b, %q and %q", test.gate.Name, test.block, keep, words(plan.Members), words(plan.Listed), test.keep, test.members, test.listed)
		}
	}
}
