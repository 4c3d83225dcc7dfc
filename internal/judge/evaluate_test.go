package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
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
		Gate: &Gate{Name: "g", Needs: needs, Targets: []Target{{Name: "g.x", Unit: Number, Doc: "x."}}},
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
	new(Work).Evaluate("case", []Check{first, second}, tr)
	if !slices.Equal(seen, []int{1, 3}) || !slices.Equal(others, []int{4}) {
		t.Errorf("got %v judged and %v others, want 1 and 3, and 4", seen, others)
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
		{"no runs of this setting", NeedRuns, trace.Trace{Others: make([]trace.Run, 3)}, "3 runs finished, none of them"},
		{"no catalog", NeedCatalog, trace.Trace{}, "no tool catalog"},
		{"no catalog in the cassette", NeedRuns | NeedCatalog, trace.Trace{Runs: oneCall}, "the cassette holds none and the servers have no snapshot"},
		{"no tokens of deferred tools", NeedTokens, trace.Trace{Header: trace.Header{Deferred: []catalog.Ref{}}}, ""},
		{"no tokens", NeedTokens, trace.Trace{}, "tokens cannot be counted"},
		{"no tools", NeedCatalog, trace.Trace{Catalog: &catalog.Catalog{File: "a.json"}}, "the tool catalog a.json lists no tools, expected at least one"},
		{"no tools offered", NeedRuns | NeedTokens, trace.Trace{Runs: oneCall, Surface: trace.Known(0)}, "were offered no tools"},
		{"no calls", NeedRuns, trace.Trace{Runs: make([]trace.Run, 2)}, "no run called a tool: nothing to judge"},
		{"all there", NeedRuns | NeedCatalog | NeedTokens, trace.Trace{Runs: oneCall, Catalog: &catalog.Catalog{Tools: make([]*catalog.Tool, 1)}, Surface: trace.Known(1)}, ""},
		{"nothing needed", 0, trace.Trace{}, ""},
	}
	for _, test := range tests {
		got := new(Work).Evaluate("case", []Check{measuring(test.need, new([]int), new([]int))}, &test.tr)[0]
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
		got := new(Work).Evaluate("case", []Check{check}, &trace.Trace{})[0]
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

// TestReplacedDefaults pins which of two defaults is judged where the second one replaces the first: never both.
func TestReplacedDefaults(t *testing.T) {
	check := measuring(0, new([]int), new([]int))
	check.Plan.Expect = defaults([]Floor{{Target: "g.x", Bound: ">= 5"}, {Target: "g.y", Bound: ">= 1", Unless: "g.x"}, {Target: "g.z", Bound: ">= 1"}})
	for _, test := range []struct {
		figures []string
		want    string
	}{
		{[]string{"g.x", "g.y", "g.z"}, "g.x pass (), g.z pass ()"},
		{[]string{"g.x", "g.z"}, "g.x pass (), g.z pass ()"},
		{[]string{"g.y", "g.z"}, "g.y pass (nobody counted), g.z pass ()"},
		{nil, "g.y fail (), g.z fail ()"},
	} {
		values := map[string]Value{}
		for _, target := range test.figures {
			values[target] = Int(7, Number)
		}
		check.Plan.Measurer = Measure(func(*trace.Trace) Measurement {
			return Measurement{Values: values, Absent: map[string]string{"g.x": "nobody counted"}}
		})
		var got []string
		for _, a := range new(Work).Evaluate("case", []Check{check}, &trace.Trace{})[0].Assertions {
			got = append(got, fmt.Sprintf("%s %s (%s)", a.Target, a.Verdict, a.Instead))
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("with %q: got %s, want %s", test.figures, strings.Join(got, ", "), test.want)
		}
	}
}

// TestFirstError pins that a gate with several expectations that cannot be judged is an error at the first, with its own message.
func TestFirstError(t *testing.T) {
	check := measuring(0, new([]int), new([]int))
	bound := Bound(">=", Int(1, Number).Rat)
	check.Plan.Expect = []Expectation{
		{Target: "g.x", Matcher: bound, Pos: source.Pos{File: "suite.yml", Line: 8}, ErrorAbsent: true, Message: "needed"},
		{Target: "g.y", Matcher: bound, Pos: source.Pos{File: "suite.yml", Line: 9}, ErrorAbsent: true},
	}
	got := new(Work).Evaluate("case", []Check{check}, &trace.Trace{})[0]
	want := Problem{Message: "needed: g.x is absent: there is no evidence for it", Path: "suite.yml", Line: 8, Exit: 2}
	if got.Verdict != Error || got.Err == nil || *got.Err != want || len(got.Assertions) != 2 {
		t.Errorf("got %s, %+v and %d assertions, want the error %+v and 2", got.Verdict, got.Err, len(got.Assertions), want)
	}
	if first, second := got.Assertions[0].Says, got.Assertions[1].Says; first != "needed" || second != "" {
		t.Errorf("the assertions say %q and %q, want the message of the first", first, second)
	}
}

// TestLines pins the text lines of a result with a headline: those of its breaches, and how many runs are left out.
func TestLines(t *testing.T) {
	r := &Result{Headline: "headline", Assertions: []Assertion{
		{Verdict: Pass},
		{Verdict: Fail, Breach: &Breach{Case: "c", Figure: "70%", Bound: "80%", Of: "3 of 10 runs", Runs: []BreachRun{{2, "called x"}}, More: 2}},
		{Verdict: Fail, Breach: &Breach{Case: "c", Figure: "median 9", Bound: "8 token", Of: "1 run", Budget: true, More: 1}},
		{Verdict: Fail, Message: "it is absent", Breach: &Breach{Case: "c"}},
	}}
	want := []string{
		"headline", "FLOOR c: 70% is below the 80% floor (3 of 10 runs)", "  run 2: called x", "  and 2 more runs, which the report leaves out",
		"FLOOR c: 1 run exceeded the 8 token budget (median 9)", "  and 1 more run, which the report leaves out", "FLOOR c: it is absent",
	}
	if got := r.Lines(); !slices.Equal(got, want) || !r.Breached() {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Headline, r.Assertions = "", r.Assertions[:1]
	if got := r.Lines(); got == nil || len(got) > 0 || r.Breached() {
		t.Errorf("without a headline: got %#v, want an empty list", got)
	}
}
