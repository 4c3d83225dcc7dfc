package gates

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// unkeptRun returns a run of calls whose arguments are not recorded, of which the first failed, and its answer.
func unkeptRun(answer string, tools ...string) *trace.Trace {
	run := trace.Run{Number: 1, FinalResponse: answer, HasFinal: answer != ""}
	for i, name := range tools {
		run.Calls = append(run.Calls, trace.Call{
			Tool: &trace.Tool{Ref: catalog.Ref{Name: name}}, Args: trace.ArgsUnknown, Failed: i == 0,
			Detail: &trace.Detail{Result: `{"id": "A-17"}`},
		})
	}
	return &trace.Trace{Runs: []trace.Run{run}}
}

// TestUnkeptArgs pins which figures are absent where the recording keeps no arguments: those that arguments decide.
func TestUnkeptArgs(t *testing.T) {
	const (
		two   = "the log keeps no arguments of 2 of 3 calls; have the agent log them"
		one   = "the log keeps no arguments of 1 of 3 calls; have the agent log them"
		three = "the log keeps no arguments of 3 of 3 calls; have the agent log them"
	)
	for _, test := range []struct {
		gate   *judge.Gate
		block  string
		answer string
		want   map[string]string // what is absent
	}{
		{ToolEdges, "restricted: [{tool: get, args: {x: 1}}]\nallowed: [get, send]", "", map[string]string{
			restrictedTarget: two, allowedTarget: two, outsideTarget: two, edgesTarget: two, delegationTarget: `the gate has no "delegation"`,
		}},
		{ToolEdges, "restricted: [drop]\nallowed: [{tool: send, args: {x: 1}}, get]", "", map[string]string{
			allowedTarget: one, outsideTarget: one, delegationTarget: `the gate has no "delegation"`,
		}},
		{ToolEdges, "restricted: [get, {tool: get, args: {x: 1}}]", "", map[string]string{
			allowedTarget: `the gate has no "allowed"`, outsideTarget: `the gate has no "allowed"`, delegationTarget: `the gate has no "delegation"`,
		}},
		{Trajectory, "mode: in_order\nsteps: [get, {tool: send, exact_args: true}]", "", map[string]string{
			matchedTarget: one, precisionTarget: one, recallTarget: one, editDistanceTarget: one,
		}},
		{Trajectory, "mode: in_order\nsteps: [get, send]", "", map[string]string{}},
		{GoldenPath, "steps: [get, {tool: send, args: {x: 1}}]", "", map[string]string{
			reachedTarget: one, goldenTarget: one, wastedTarget: one, repeatsTarget: two, backtracksTarget: two,
		}},
		{Limits, "{max_calls: 3, max_errors: 1}", "", map[string]string{
			turnsTarget:          "1 of 1 run, such as run 1, have no turns with a reply of the model recorded; use an agent that reports it",
			"limits.tokens":      "1 of 1 run, such as run 1, have no total tokens recorded; use an agent that reports it",
			"limits.duration_ms": "1 of 1 run, such as run 1, have no duration recorded; use an agent that reports it",
			"limits.cost_usd":    "1 of 1 run, such as run 1, have no cost, and none that pricing: would give recorded; use an agent that reports it",
		}},
		{Stability, "{}", "", map[string]string{
			thrashTarget: three, loopsTarget: three, progressTarget: three, driftFlagsTarget: three,
			growthTarget: `no run has tokens for each turn; record them as "tokens" in the turns of "conversation"`,
		}},
		{Recovery, "{}", "", map[string]string{
			retriesTarget: one, maxRetries: one, alternativesTarget: "the test has no classes; give it classes, equal_function_sets or token_efficiency",
		}},
		{TrajectoryAxes, "order: [{before: get, after: send}]\ndata_flow: [{from: get, to: send.args.id}]", "", map[string]string{
			dataFlowTarget: "the log keeps no arguments of 1 call of a consumer; have the agent log them",
		}},
		{Narrative, "{}", "I sent the letter.", map[string]string{}},
		{Narrative, "{}", "I deleted the file.", map[string]string{claimedAbsentTarget: two, presentUnclaimedTarget: two}},
		{Narrative, "{}", "Done.", map[string]string{}},
		{Narrative, "{}", "I sent letter 4711.", map[string]string{argumentMismatchTarget: two}},
	} {
		plan := planOf(t, test.gate, test.block, judge.Context{})
		m := plan.Measure(unkeptRun(test.answer, "get", "get", "send"))
		if diff := cmp.Diff(m.Absent, test.want, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s, %q, %q: (-got +want)\n%s", test.gate.Name, test.block, test.answer, diff)
		}
		for target := range m.Absent {
			if v, ok := m.Values[target]; ok {
				t.Errorf("%s, %q: %s is absent and %s", test.gate.Name, test.block, target, v.Format())
			}
		}
	}
}

// TestUnkeptArgsOfSome pins that the calls whose arguments are recorded decide where others do not matter.
func TestUnkeptArgsOfSome(t *testing.T) {
	tr := unkeptRun("", "get", "get", "send")
	calls := tr.Runs[0].Calls
	for i := range calls[:2] {
		calls[i].Args, calls[i].Detail.Args = trace.ArgsObject, jsontext.Value(`{"x":1}`)
	}
	for _, test := range []struct {
		gate   *judge.Gate
		block  string
		target string
		want   string
	}{
		{GoldenPath, "steps: [{tool: get, args: {x: 1}}, send]", repeatsTarget, "1"},
		{Recovery, "{}", retriesTarget, "1"},
		{ToolEdges, "restricted: [{tool: get, args: {x: 1}}]", restrictedTarget, "2"},
	} {
		m := planOf(t, test.gate, test.block, judge.Context{}).Measure(tr)
		if got := m.Values[test.target]; got.Rat == nil || got.Format() != test.want {
			t.Errorf("%s: %s is %v (absent: %q), want %s", test.gate.Name, test.target, got.Rat, m.Absent[test.target], test.want)
		}
	}
}

// TestUnkeptArgsOfOne pins that a call can be a retry if the arguments of only one of both are recorded.
func TestUnkeptArgsOfOne(t *testing.T) {
	for i := range 2 {
		tr := unkeptRun("", "get", "get")
		call := &tr.Runs[0].Calls[i]
		call.Args, call.Detail.Args = trace.ArgsObject, jsontext.Value(`{"x":1}`)
		m := planOf(t, Recovery, "{}", judge.Context{}).Measure(tr)
		if got, want := m.Absent[retriesTarget], "the log keeps no arguments of 1 of 2 calls; have the agent log them"; got != want {
			t.Errorf("with the arguments of call %d: %q, want %q", i+1, got, want)
		}
	}
}
