package gates

import (
	"github.com/go-json-experiment/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

func TestCombine(t *testing.T) {
	tests := []struct {
		parts []Verdict
		want  Verdict
	}{
		{nil, Skipped}, {[]Verdict{Skipped}, Skipped}, {[]Verdict{Skipped, Pass}, Pass}, {[]Verdict{Pass, Fail, Skipped}, Fail},
		{[]Verdict{Fail, Error, Pass}, Error},
	}
	for _, test := range tests {
		if got := Combine(test.parts...); got != test.want {
			t.Errorf("Combine(%v) = %s, want %s", test.parts, got, test.want)
		}
	}
}

// measuring returns a check whose gate needs what is given, and which notes the runs that it is given.
func measuring(needs Need, seen *[]int, others *[]int) Check {
	return Check{
		Gate: &Gate{Name: "g", Needs: needs, Targets: []Target{{"g.x", Number, "x."}}},
		Pos:  source.Pos{File: "suite.yml", Line: 7, Col: 3},
		Plan: Plan{Measurer: Measure(func(tr *trace.Trace) Measurement {
			for _, run := range tr.Runs {
				*seen = append(*seen, run.Number)
			}
			for _, run := range tr.Others {
				*others = append(*others, run.Number)
			}
			return Measurement{}
		})},
	}
}

// allButFour picks all runs but the fourth.
type allButFour struct{ Measurer }

func (allButFour) Selects(run *trace.Run) bool { return run.Number != 4 }

func TestEvaluateSelectsRuns(t *testing.T) {
	var seen, others []int
	first := measuring(0, &seen, &others)
	second := measuring(0, new([]int), new([]int))
	second.Plan.Measurer = allButFour{second.Plan.Measurer}
	tr := &trace.Trace{Runs: []trace.Run{{Number: 1}, {Number: 2, Error: "broke"}, {Number: 3}, {Number: 4}}}
	Evaluate("case", []Check{first, second}, tr)
	if diff := cmp.Diff([][]int{{1, 3}, {4}}, [][]int{seen, others}); diff != "" {
		t.Errorf("runs judged, and others (-want +got):\n%s", diff)
	}
	if len(tr.Runs) != 4 || tr.Others != nil {
		t.Errorf("Evaluate changed the trace: %d runs, %d others", len(tr.Runs), len(tr.Others))
	}
}

func TestEvaluateWithoutEvidence(t *testing.T) {
	oneCall := []trace.Run{{Calls: make([]trace.Call, 1)}}
	tests := []struct {
		name string
		need Need
		tr   trace.Trace
		want string // part of the message; "" for none
	}{
		{"no runs", NeedRuns, trace.Trace{Runs: []trace.Run{{Error: "broke"}}}, "no recorded run finished"},
		{"no runs of this setting", NeedRuns, trace.Trace{Others: make([]trace.Run, 3)}, "none of the 3 runs"},
		{"no catalog", NeedCatalog, trace.Trace{}, "no tool catalog"},
		{"no tokens", NeedTokens, trace.Trace{}, "tokens cannot be counted"},
		{"no tools", NeedCatalog, trace.Trace{Catalog: &catalog.Catalog{File: "a.json"}}, "the tool catalog a.json lists no tools, expected at least one"},
		{"no tools offered", NeedRuns | NeedTokens, trace.Trace{Runs: oneCall, Surface: trace.Known(0)}, "were offered no tools"},
		{"no calls", NeedRuns, trace.Trace{Runs: make([]trace.Run, 2)}, "no run called a tool: nothing to judge"},
		{"all there", NeedRuns | NeedCatalog | NeedTokens, trace.Trace{Runs: oneCall, Catalog: &catalog.Catalog{Tools: make([]*catalog.Tool, 1)}, Surface: trace.Known(1)}, ""},
		{"nothing needed", 0, trace.Trace{}, ""},
	}
	for _, test := range tests {
		got := Evaluate("case", []Check{measuring(test.need, new([]int), new([]int))}, &test.tr)[0]
		if test.want == "" {
			if got.Err != nil {
				t.Errorf("%s: error %v, want none", test.name, got.Err)
			}
			continue
		}
		if got.Verdict != Error || got.Err == nil || !strings.Contains(got.Err.Message, test.want) {
			t.Errorf("%s: verdict %s, error %v, want an error with %q", test.name, got.Verdict, got.Err, test.want)
			continue
		}
		if got.Err.Exit != 2 || got.Err.Path != "suite.yml" || got.Err.Line != 7 {
			t.Errorf("%s: error is %+v, want exit 2 at suite.yml:7", test.name, got.Err)
		}
	}
}

func TestEvaluateAbsentFigures(t *testing.T) {
	check := measuring(0, new([]int), new([]int))
	check.Plan.Measurer = Measure(func(*trace.Trace) Measurement {
		return Measurement{Values: map[string]Value{"internal": Int(1, Number)}, Absent: map[string]string{"g.x": "nobody counted"}}
	})
	bound := Bound(">=", Int(1, Number).Rat)
	tests := []struct {
		expect Expectation
		want   Verdict
	}{
		{Expectation{Target: "g.x", Matcher: bound}, Fail},
		{Expectation{Target: "g.x", Matcher: bound, SkipAbsent: true}, Skipped},
		{Expectation{Target: "g.x", Matcher: bound, ErrorAbsent: true}, Error},
		{Expectation{Target: "internal", Matcher: bound}, Pass},
	}
	for _, test := range tests {
		check.Plan.Expect = []Expectation{test.expect}
		got := Evaluate("case", []Check{check}, &trace.Trace{})[0]
		if got.Verdict != test.want || got.Assertions[0].Verdict != test.want {
			t.Errorf("%+v: verdict %s of %s, want %s", test.expect, got.Verdict, got.Assertions[0].Verdict, test.want)
		}
		if test.want != Pass && !strings.Contains(got.Assertions[0].Message, "nobody counted") {
			t.Errorf("%+v: message %q does not say why", test.expect, got.Assertions[0].Message)
		}
		if len(got.Metrics) != 0 {
			t.Errorf("%+v: metrics %v, want none", test.expect, got.Metrics)
		}
		if got.Assertions[0].Line != 7 {
			t.Errorf("%+v: line %d, want the gate's", test.expect, got.Assertions[0].Line)
		}
	}
}

// TestOrderOfRuns shuffles the runs of every example: the results must stay the same to the byte.
func TestOrderOfRuns(t *testing.T) {
	for _, e := range readExamples(t) {
		checks, _ := e.checks(t)
		if len(e.mistakes) > 0 {
			continue
		}
		tr := e.trace(t)
		want, err := json.Marshal(Evaluate(e.name(), checks, tr))
		if err != nil {
			t.Fatal(err)
		}
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(tr.Runs), func(i, j int) { tr.Runs[i], tr.Runs[j] = tr.Runs[j], tr.Runs[i] })
		got, _ := json.Marshal(Evaluate(e.name(), checks, tr))
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: the order of runs matters (-recorded +shuffled):\n%s", e.file, diff)
		}
	}
}

// TestResultsReadBack reads the results of every example back and writes them again; printed figures stay the same.
func TestResultsReadBack(t *testing.T) {
	for _, e := range readExamples(t) {
		checks, _ := e.checks(t)
		if len(e.mistakes) > 0 {
			continue
		}
		for _, result := range Evaluate(e.name(), checks, e.trace(t)) {
			want, err := json.Marshal(result)
			if err != nil {
				t.Fatal(err)
			}
			var back Result
			if err := json.Unmarshal(want, &back); err != nil {
				t.Errorf("%s: %v in %s", e.file, err, want)
				continue
			}
			if got, _ := json.Marshal(back); string(got) != string(want) {
				t.Errorf("%s: (-written +read back):\n%s", e.file, cmp.Diff(string(want), string(got)))
			}
			for target, v := range result.Metrics {
				if got := back.Metrics[target].Format(); got != v.Format() {
					t.Errorf("%s: %s is printed %s after reading back, want %s", e.file, target, got, v.Format())
				}
			}
		}
	}
}

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
		plan := ToolSelection.Configure(yamlread.Parse("t.yaml", []byte(yaml), &errs), Context{})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		runs, selected, succeeded, over := selectionRuns(r, budget)
		got := Evaluate("x", []Check{{Gate: ToolSelection, Plan: plan}}, &trace.Trace{Runs: runs})[0]
		if got.Counts["selected"] != selected || got.Counts["within_budget"] != succeeded || got.Counts["runs"] != len(runs) {
			t.Errorf("counts are %v, want %d selected and %d within budget of %d", got.Counts, selected, succeeded, len(runs))
		}
		if want := selected*2 >= len(runs) && over == 0; (got.Verdict == Pass) != want && len(runs) > 1 {
			t.Errorf("verdict is %s for %d of %d runs, lines %q", got.Verdict, selected, len(runs), got.Lines())
		}
		for target, v := range got.Metrics {
			if v.Rat.Sign() < 0 || v.Cmp(Int(100, Percent)) > 0 {
				t.Errorf("%s is %s, want 0 to 100", target, v.Digits())
			}
		}
		for k := 1; k < len(got.PassHat); k++ {
			if got.PassHat[k] > got.PassHat[k-1] {
				t.Errorf("pass_hat rises with k: %v", got.PassHat)
			}
		}
		if first := got.Metrics["tool_selection.within_budget_rate"]; first.Cmp(Int(got.PassHat[0], Percent)) != 0 {
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
	plan := ToolSelection.Configure(yamlread.Parse("t.yaml", []byte(yaml), &errs), Context{})
	_, runs := longTrace()
	got := Evaluate("x", []Check{{Gate: ToolSelection, Plan: plan}}, &trace.Trace{Runs: runs})[0]
	if got.Verdict != Pass || len(got.PassHat) != 100 || len(got.Lines()) != 1 {
		t.Errorf("verdict %s, %d entries of pass_hat, %d lines, want pass, 100 and 1", got.Verdict, len(got.PassHat), len(got.Lines()))
	}
}
