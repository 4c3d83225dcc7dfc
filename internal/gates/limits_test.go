package gates

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

func TestLimitsWorked(t *testing.T) {
	checkWorked(t, Limits, "calls of the runs", "{max_calls_by_tool: {b: 1}}", judge.Context{})
}

// TestLimitsOfManyTools refuses to hold each call against more tools than are read.
func TestLimitsOfManyTools(t *testing.T) {
	var tools []string
	for i := range maxToolLimits + 1 {
		tools = append(tools, fmt.Sprintf("t%d: 1", i))
	}
	if plan := planOf(t, Limits, "max_calls_by_tool: {"+strings.Join(tools[1:], ", ")+"}", judge.Context{}); len(plan.Expect) != maxToolLimits {
		t.Errorf("%d tools give %d expectations", maxToolLimits, len(plan.Expect))
	}
	var errs source.Errors
	Limits.Configure(yamlread.Parse("s.yml", []byte("max_calls_by_tool: {"+strings.Join(tools, ", ")+"}"), &errs), judge.Context{})
	if len(errs) != 1 {
		t.Errorf("%d tools: %v, want one mistake", len(tools), errs.Err())
	}
}

// TestWorstRun pins the run of a figure that several runs share: the one with the lowest number, in whatever order they stand.
func TestWorstRun(t *testing.T) {
	tr := &trace.Trace{Runs: []trace.Run{{Number: 4}, {Number: 3}, {Number: 5}}}
	m := planOf(t, Limits, "max_errors: 1", judge.Context{}).Measure(tr)
	if got := m.Detail["limits.errors"]; got != "in run 3" {
		t.Errorf("three runs without an error: %q, want that it is in run 3", got)
	}
}

// limitedRuns adds to runs what limits reads beside calls; some runs lack some of it.
func limitedRuns(r *rand.Rand, text string) *trace.Trace {
	tr := readWorked(text)
	some := func() trace.Count { return trace.Count{N: int64(r.IntN(5)), Known: r.IntN(12) > 0} }
	for i := range tr.Runs {
		run := &tr.Runs[i]
		run.Total, run.Cost, run.Duration = some(), some(), some()
		for range r.IntN(4) {
			run.Turns = append(run.Turns, trace.Turn{Role: []string{"user", "assistant"}[r.IntN(2)]})
		}
	}
	return tr
}

// naiveLimits sorts what the runs have, and takes the last.
func naiveLimits(tr *trace.Trace) map[string]string {
	lists := map[string][]int{}
	for _, run := range tr.Runs {
		turns, errors, ofB := 0, 0, 0
		for _, turn := range run.Turns {
			if turn.Role == "assistant" {
				turns++
			}
		}
		for _, call := range run.Calls {
			if call.Failed {
				errors++
			}
			if call.Tool.Name == "b" {
				ofB++
			}
		}
		lists["limits.calls"] = append(lists["limits.calls"], len(run.Calls))
		lists["limits.errors"] = append(lists["limits.errors"], errors)
		lists[`limits.calls_by_tool["b"]`] = append(lists[`limits.calls_by_tool["b"]`], ofB)
		for target, count := range map[string]trace.Count{
			turnsTarget: {N: int64(turns), Known: turns > 0}, "limits.tokens": run.Total, "limits.duration_ms": run.Duration, "limits.cost_usd": run.Cost,
		} {
			if count.Known {
				lists[target] = append(lists[target], int(count.N))
			}
		}
	}
	want := map[string]string{}
	for target, list := range lists {
		if len(list) < len(tr.Runs) {
			continue
		}
		slices.Sort(list)
		want[target] = strconv.Itoa(list[len(list)-1])
		if target == "limits.cost_usd" {
			want[target] = "0.00000" + want[target]
		}
	}
	return want
}

func FuzzLimits(f *testing.F) {
	fuzzRuns(f, func(t *testing.T, r *rand.Rand) {
		text := wordRuns(r, []string{"a", "b", "s.b", "c"})
		tr := limitedRuns(r, text)
		most := r.IntN(4)
		plan := planOf(t, Limits, fmt.Sprintf("{max_calls: %d, max_turns: 1, max_calls_by_tool: {b: 2}}", most), judge.Context{Servers: []string{"s"}})
		m := plan.Measure(tr)
		compareFigures(t, text, m, naiveLimits(tr))
		checkBreach(t, m, most, tr)
		checkRunOrder(t, r, plan, tr)
	})
}

// checkBreach compares the runs behind a bound on calls with those that have more.
func checkBreach(t *testing.T, m judge.Measurement, most int, tr *trace.Trace) {
	t.Helper()
	a := judge.Assertion{Target: "limits.calls", Matcher: fmt.Sprintf("<= %d", most), Actual: m.Values["limits.calls"]}
	var got, want []int
	for _, run := range m.Breach(&a).Runs {
		got = append(got, run.Run)
	}
	for _, run := range tr.Runs {
		if len(run.Calls) > most {
			want = append(want, run.Number)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("runs %v are beyond %d calls, want %v", got, most, want)
	}
}

func BenchmarkLimits(b *testing.B) {
	_, runs := longTrace()
	l := limits{tools: []toolLimit{{"tool_0", judge.NewToolName("tool_0", nil)}}}
	for b.Loop() {
		l.Measure(&trace.Trace{Runs: runs})
	}
}
