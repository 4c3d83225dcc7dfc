package gates

import (
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// TestWithoutMutations pins which benchmarks are tried without their mutations: those of which nothing is expected of a mutation.
func TestWithoutMutations(t *testing.T) {
	const bench = `{name: b, catalog: {tools: [{name: get}]}, intents: [{query: get it, gold: get}], `
	for _, test := range []struct {
		keys string
		auto bool
		list int
	}{
		{`mutations: auto, min_accuracy: 1}`, false, 0},
		{`mutations: [{tool: get, kind: blank}], min_accuracy: 1}`, false, 0},
		{`mutations: auto, expect: [{bench.accuracy: {">=": 1}}]}`, false, 0},
		{`mutations: auto, expect: [{bench.max_drop: {"<=": 1}}]}`, true, 0},
		{`mutations: [{tool: get, kind: blank}], expect: [{bench.max_drop: {"<=": 1}}]}`, false, 1},
	} {
		var errs source.Errors
		block := yamlread.Parse("s.yml", []byte(bench+test.keys), &errs)
		block.Has("name")
		plan := ToolBench.Configure(block, judge.Context{Runs: 1})
		if len(errs) > 0 {
			t.Fatalf("%s: %v", test.keys, errs.Err())
		}
		if holder := plan.Measurer.(judge.Holder); len(holder.Catalog().Tools) != 1 {
			t.Errorf("%s: the plan does not hold the tool of its block", test.keys)
		}
		spec := WithoutMutations(plan).Measurer.(*toolBench).spec
		if spec.Auto != test.auto || len(spec.Mutations) != test.list {
			t.Errorf("%s: got %t and %d mutations, want %t and %d", test.keys, spec.Auto, len(spec.Mutations), test.auto, test.list)
		}
		if other := (judge.Plan{Expect: plan.Expect}); len(WithoutMutations(other).Expect) != len(plan.Expect) {
			t.Errorf("%s: a plan of another gate is another one without mutations", test.keys)
		}
	}
}
