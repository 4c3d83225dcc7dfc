package gates

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// FuzzToolSelection judges made-up runs: figures are in range, fall with k, and agree with a plain count.
func FuzzToolSelection(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed, seed%3 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, budget bool) {
		r := rand.New(rand.NewPCG(seed, 3))
		yaml := "expected_tool: yes_tool\nmin_selection_rate: 0.5\nmin_pass_hat: {k: 1, rate: 0}\nexpect: [{'tool_selection.pass_hat[2]': {'>=': 0}}]\n"
		if budget {
			yaml += "max_total_tokens: 100\n"
		}
		var errs source.Errors
		plan := ToolSelection.Configure(yamlread.Parse("t.yaml", []byte(yaml), &errs), judge.Context{})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		runs, selected, succeeded, over := selectionRuns(r, budget)
		got := new(judge.Work).Evaluate("x", []judge.Check{{Gate: ToolSelection, Plan: plan}}, &trace.Trace{Runs: runs})[0]
		if got.Counts["selected"] != selected || got.Counts["within_budget"] != succeeded || got.Counts["runs"] != len(runs) {
			t.Errorf("counts are %v, want %d selected and %d within budget of %d", got.Counts, selected, succeeded, len(runs))
		}
		if want := selected*2 >= len(runs) && over == 0; (got.Verdict == judge.Pass) != want && len(runs) > 1 {
			t.Errorf("verdict is %s for %d of %d runs, lines %q", got.Verdict, selected, len(runs), got.Lines())
		}
		for target, v := range got.Metrics {
			if v.Rat.Sign() < 0 || v.Cmp(judge.Int(100, judge.Percent)) > 0 {
				t.Errorf("%s is %s, want 0 to 100", target, v.Digits())
			}
		}
		for k := 1; k < len(got.PassHat); k++ {
			if got.PassHat[k] > got.PassHat[k-1] {
				t.Errorf("pass_hat rises with k: %v", got.PassHat)
			}
		}
		if first := got.Metrics["tool_selection.within_budget_rate"]; first.Cmp(judge.Int(int(got.PassHat[0]), judge.Percent)) != 0 {
			t.Errorf("pass_hat[1] is %d, want the success rate %s", got.PassHat[0], first.Digits())
		}
	})
}

func selectionRuns(r *rand.Rand, budget bool) (runs []trace.Run, selected, succeeded, over int) {
	tools := []*trace.Tool{{Ref: catalog.Ref{Name: "yes_tool"}}, {Ref: catalog.Ref{Name: "no_tool"}}}
	for i := range 1 + r.IntN(30) {
		run := trace.Run{Number: i + 1, Total: trace.Known(int64(r.IntN(150)))}
		picks, fits := false, !budget || run.Total.N <= 100
		for range r.IntN(3) {
			n := r.IntN(2)
			picks = picks || n == 0
			run.Calls = append(run.Calls, trace.Call{Tool: tools[n]})
		}
		if picks {
			selected++
			if fits {
				succeeded++
			}
		}
		if !fits {
			over++
		}
		runs = append(runs, run)
	}
	return runs, selected, succeeded, over
}

// TestManyRuns pins how a recording of very many runs is reported.
func TestManyRuns(t *testing.T) {
	var errs source.Errors
	yaml := "expected_tool: tool_0\nmin_selection_rate: 0.01\nmin_pass_hat: {k: 50000, rate: 0}\n"
	plan := ToolSelection.Configure(yamlread.Parse("t.yaml", []byte(yaml), &errs), judge.Context{})
	_, runs := longTrace()
	got := new(judge.Work).Evaluate("x", []judge.Check{{Gate: ToolSelection, Plan: plan}}, &trace.Trace{Runs: runs})[0]
	if got.Verdict != judge.Pass || len(got.PassHat) != 100 || len(got.Lines()) != 1 {
		t.Errorf("verdict %s, %d entries of pass_hat, %d lines, want pass, 100 and 1", got.Verdict, len(got.PassHat), len(got.Lines()))
	}
	if m := plan.Measure(&trace.Trace{Runs: runs}); strconv.Itoa(m.Selection.Rate) != m.Values["tool_selection.rate"].Digits() {
		t.Errorf("the evidence has a rate of %d %%, the figure is %s", m.Selection.Rate, m.Values["tool_selection.rate"].Format())
	}
	for n, want := range map[int]int{1000: 1000, 1001: 100} {
		if got := len(plan.Measure(&trace.Trace{Runs: runs[:n]}).PassHat); got != want {
			t.Errorf("%d runs: %d entries of pass_hat, want %d", n, got, want)
		}
	}
}

// TestTokensOfRuns pins the tokens in the evidence: of the runs that have some.
func TestTokensOfRuns(t *testing.T) {
	runs := []trace.Run{{Number: 1, Total: trace.Known(10)}, {Number: 2, Total: trace.Known(30)}, {Number: 3, Total: trace.Known(70)}, {Number: 4}}
	plan := planOf(t, ToolSelection, "{expected_tool: a, min_selection_rate: 0}", judge.Context{Runs: 1})
	for n, want := range map[int]string{1: "10 10", 3: "30 70", 4: "30 70"} {
		got := plan.Measure(&trace.Trace{Runs: runs[:n]}).Selection.Tokens
		if got == nil || fmt.Sprint(got.Median, got.Max) != want {
			t.Errorf("%d runs: median and maximum are %v, want %s", n, got, want)
		}
	}
}

// TestOverBudget pins of which runs it is known whether they are over the budget of tokens.
func TestOverBudget(t *testing.T) {
	runs := make([]trace.Run, 3)
	for i, tokens := range []trace.Count{trace.Known(10), trace.Known(30), {}} {
		runs[i].Number, runs[i].Total = i+1, tokens
	}
	for block, want := range map[string]string{
		"{expected_tool: a, min_selection_rate: 0}":                       "false false false",
		"{expected_tool: a, min_selection_rate: 0, max_total_tokens: 20}": "false true unknown",
	} {
		var got []string
		for _, run := range planOf(t, ToolSelection, block, judge.Context{Runs: 1}).Measure(&trace.Trace{Runs: runs}).Selection.Runs {
			if run.OverBudget == nil {
				got = append(got, "unknown")
			} else {
				got = append(got, strconv.FormatBool(*run.OverBudget))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, want %s", block, got, want)
		}
	}
}
