package judge

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestContradictions pins which verdicts of saved assertions contradict their figures: none that this program writes, however a figure
// is rounded.
func TestContradictions(t *testing.T) {
	third := Ratio(1, 3, Score)
	for _, test := range []struct {
		verdict      Verdict
		actual       any
		matcher      string
		contradicted bool
	}{
		{Pass, Int(80, Percent), ">= 80", false},
		{Pass, Int(79, Percent), ">= 80", true},
		{Fail, Int(79, Percent), ">= 80", false},
		{Fail, Int(80, Percent), ">= 80", true},
		{Pass, Int(50, Number), "> 10 and < 50", true},
		{Fail, Int(50, Number), "> 10 and < 50", false},
		{Pass, third, "> 0.3333", false}, // the figure is 0.33333…
		{Fail, third, ">= 0.33334", false},
		{Pass, third, ">= 0.5", true},
		{Fail, third, ">= 0.3", true},
		{Pass, jsontext.Value(`"0.8000"`), ">= 0.8", false},
		{Pass, jsontext.Value(`"0.7000"`), ">= 0.8", true},
		{Pass, "0.8000", ">= 0.8", false},
		{Pass, "0.7000", ">= 0.8", true},
		{Pass, jsontext.Value(`1000`), "<= 900", true},
		{Pass, nil, ">= 80", true},
		{Fail, nil, ">= 80", false},
		{Skipped, nil, ">= 80", false},
		{Skipped, Int(79, Percent), ">= 80", true},
		{Pass, Int(3, Number), `schema {"multipleOf":2}`, false}, // which the suite knows
		{Pass, Int(5, Number), "== 6", true},
		{Pass, Int(6, Number), "!= 6", true},
		{Pass, jsontext.Value(`"0.6"`), ">= 0.65", false}, // which may be rounded
		{Pass, jsontext.Value(`"0.6"`), "> 0.65", true},
		{Fail, jsontext.Value(`"0.6"`), "< 0.65", false},
		{Fail, jsontext.Value(`"0.6"`), ">= 0.55", true},
		{Pass, jsontext.Value(`"0.6"`), "== 0.6", false},
		{Pass, jsontext.Value(`"0.6"`), "== 0.62", false},
		{Fail, jsontext.Value(`"0.6"`), "!= 0.62", false},
	} {
		a := Assertion{Target: "it", Verdict: test.verdict, Actual: test.actual, Matcher: test.matcher}
		if got := a.Contradiction(); (got != "") != test.contradicted {
			t.Errorf("%s of %v by %q: got %q, want a contradiction: %v", test.verdict, ActualText(test.actual), test.matcher, got, test.contradicted)
		}
	}
}

// TestContradictionsInGates pins that a saved assertion on a gate's figure is held to that figure, too.
func TestContradictionsInGates(t *testing.T) {
	g := &Result{Metrics: map[string]Value{"it": Int(80, Percent)}}
	for _, test := range []struct {
		a    Assertion
		want string
	}{
		{Assertion{Target: "it", Verdict: Pass, Actual: Int(80, Percent), Matcher: ">= 80"}, ""},
		{Assertion{Target: "it", Verdict: Pass, Actual: Int(90, Percent), Matcher: ">= 80"}, `has the figure 90% for it, expected 80 as in "metrics"`},
		{Assertion{Target: "it", Verdict: Fail, Actual: Int(70, Percent), Matcher: ">= 80"}, `has the figure 70% for it, expected 80 as in "metrics"`},
		{Assertion{Target: "it", Verdict: Skipped, Matcher: ">= 80"}, `has the figure absent for it, expected 80 as in "metrics"`},
		{Assertion{Target: "it", Verdict: Error, Matcher: ">= 80"}, ""},
		{Assertion{Target: "it", Verdict: Fail, Actual: Int(80, Percent), Matcher: ">= 80"}, `has verdict "fail", though it is 80%, with matcher ">= 80"`},
		{Assertion{Target: "it", Verdict: Skipped, Actual: Int(80, Percent), Matcher: ">= 80"}, "is skipped with the figure 80%, expected skipped only where it is absent"},
		{Assertion{Target: "other", Verdict: Skipped, Matcher: ">= 80"}, ""},
		{Assertion{Target: "other", Verdict: Pass, Matcher: ">= 80"}, "passes without a figure"},
	} {
		if got := test.a.ContradictionIn(g); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.a, got, test.want)
		}
	}
}

// TestAgreesWith pins that an assertion of a shard is held to the suite's own matcher.
func TestAgreesWith(t *testing.T) {
	even, errs := matcherOf(t, `{schema: {multipleOf: 2}}`)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	expected := Expectation{Target: "it", Matcher: even}
	for _, test := range []struct {
		name string
		a    Assertion
		want bool
	}{
		{"holds", Assertion{Target: "it", Verdict: Pass, Actual: Int(4, Number), Matcher: even.String()}, true},
		{"does not hold", Assertion{Target: "it", Verdict: Pass, Actual: Int(3, Number), Matcher: even.String()}, false},
		{"fails", Assertion{Target: "it", Verdict: Fail, Actual: Int(3, Number), Matcher: even.String()}, true},
		{"another matcher", Assertion{Target: "it", Verdict: Pass, Actual: Int(4, Number), Matcher: ">= 0"}, false},
		{"no matcher", Assertion{Target: "it", Verdict: Pass, Actual: Int(4, Number)}, false},
		{"skipped", Assertion{Target: "it", Verdict: Skipped, Matcher: even.String()}, false},
		{"another target", Assertion{Target: "other", Verdict: Pass, Actual: Int(4, Number), Matcher: even.String()}, false},
		{"another k", Assertion{Target: "it", K: 2, Verdict: Pass, Actual: Int(4, Number), Matcher: even.String()}, false},
		{"an error", Assertion{Target: "it", Verdict: Error, Actual: Int(3, Number), Matcher: even.String()}, true},
		{"a text", Assertion{Target: "it", Verdict: Pass, Actual: "3", Matcher: even.String()}, true},
		{"rounded", Assertion{Target: "it", Verdict: Pass, Actual: Ratio(1, 3, Score), Matcher: even.String()}, true},
	} {
		if got := test.a.AgreesWith(expected); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// TestRunContradictions pins the same of values of runs, which can be any text.
func TestRunContradictions(t *testing.T) {
	for _, test := range []struct {
		verdict      Verdict
		actual       any
		matcher      string
		contradicted bool
	}{
		{Pass, jsontext.Value(`5`), ">= 3", false},
		{Pass, jsontext.Value(`2`), ">= 3", true},
		{Fail, jsontext.Value(`5`), ">= 3", true},
		{Fail, jsontext.Value(`"5"`), ">= 3", false}, // a text is not a number
		{Pass, jsontext.Value(`"0.005000"`), "<= 0.001", true},
		{Pass, nil, `exact null`, false},
		{Skipped, jsontext.Value(`5`), ">= 3", true},
		{Fail, jsontext.Value(`[1]`), ">= 3", false},
		{Pass, jsontext.Value(`"***"`), ">= 3", false}, // a secret was taken out
	} {
		a := Assertion{Target: "it", Verdict: test.verdict, Actual: test.actual, Matcher: test.matcher}
		if got := a.RunContradiction(); (got != "") != test.contradicted {
			t.Errorf("%s of %v by %q: got %q, want a contradiction: %v", test.verdict, test.actual, test.matcher, got, test.contradicted)
		}
	}
}
