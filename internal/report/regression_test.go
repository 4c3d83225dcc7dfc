package report_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/text"
)

// asserting returns a case that fails on what a gate asserts, each TARGET VERDICT MATCHER.
func asserting(gate string, verdict judge.Verdict, assertions ...string) report.Case {
	c := with(named("a", 1), withVerdict(verdict))
	g := judge.Result{Gate: gate, Verdict: verdict}
	for i, spec := range assertions {
		part := strings.SplitN(spec, " ", 3)
		a := judge.Assertion{Target: part[0], Verdict: judge.Verdict(part[1]), Matcher: part[2], Line: 5 + i}
		if a.Verdict == judge.Pass {
			a.Actual = judge.Int(8, judge.Number)
		}
		g.Assertions = append(g.Assertions, a)
	}
	c.Gates = []judge.Result{g}
	return c
}

// expecting returns a failing case whose runs are expected to name a tool, pass or fail.
func expecting(matcher string, runs ...judge.Verdict) report.Case {
	c := with(named("a", 1), withVerdict(judge.Fail))
	for i, v := range runs {
		c.Expect = append(c.Expect, report.RunAssertion{Run: i + 1, Assertion: judge.Assertion{Target: "tool_names", Matcher: matcher, Verdict: v, Line: 9}})
	}
	return c
}

// TestRegressionsOfFailingCases pins that a case which fails already can get worse.
func TestRegressionsOfFailingCases(t *testing.T) {
	const pass, fail = judge.Pass, judge.Fail
	unevaluated := func(c *report.Case) {
		c.Verdict, c.Gates[0].Verdict, c.Gates[0].Err = judge.Error, judge.Error, &judge.Problem{Message: "no catalog"}
	}
	short := func(c *report.Case) { c.Verdict, c.Err = judge.Error, &judge.Problem{Message: "too few runs"} }
	for _, test := range []struct {
		name       string
		base, head report.Case
		want       []string
	}{
		{"the same fails", asserting("g", fail, "x fail >= 5", "y pass >= 5"), asserting("g", fail, "x fail >= 5", "y pass >= 5"), nil},
		{"another fails besides", asserting("g", fail, "x fail >= 5", "y pass >= 5"), asserting("g", fail, "x fail >= 5", "y fail >= 5"), []string{"expectation y"}},
		{"another fails, the first no more", asserting("g", fail, "x fail >= 5", "y pass >= 5"), asserting("g", fail, "x pass >= 5", "y fail >= 5"), []string{"expectation y"}},
		{"a skipped one fails", asserting("g", fail, "x fail >= 5", "y skipped >= 5"), asserting("g", fail, "x fail >= 5", "y fail >= 5"), []string{"expectation y"}},
		{"a schema fails besides", asserting("g", fail, "x fail >= 5", `y pass schema {"multipleOf":2}`), asserting("g", fail, "x fail >= 5", `y fail schema {"multipleOf":2}`), []string{"expectation y"}},
		{"a second one of its target", asserting("g", fail, "x fail >= 5", "x pass >= 3"), asserting("g", fail, "x fail >= 5", "x fail >= 3"), []string{"expectation x"}},
		{"a new one fails", asserting("g", fail, "x fail >= 5"), asserting("g", fail, "x fail >= 5", "y fail >= 5"), []string{"expectation y"}},
		{"a changed one fails still", asserting("g", fail, "x fail >= 5"), asserting("g", fail, "x fail >= 6"), nil},
		{"a gate was added and fails", with(named("a", 1), withVerdict(fail)), asserting("g", fail, "x fail >= 5"), []string{"expectation x"}},
		{"the base was not evaluated", with(named("a", 1), withVerdict(judge.Error)), asserting("g", fail, "x fail >= 5"), nil},
		{"the base's gate was not", with(asserting("g", fail), unevaluated), asserting("g", fail, "x fail >= 5"), nil},
		{"another gate cannot be evaluated", with(asserting("g", fail, "x fail >= 5"), short), with(asserting("g", fail), unevaluated), []string{"expectation g"}},
		{"a larger share of runs", expecting(`contains "x"`, fail, pass, pass), expecting(`contains "x"`, fail, fail, pass), []string{"runs tool_names"}},
		{"a larger share of fewer runs", expecting(`contains "x"`, fail, pass, pass), expecting(`contains "x"`, fail, pass), []string{"runs tool_names"}},
		{"more runs, the same share", expecting(`contains "x"`, fail, pass), expecting(`contains "x"`, fail, fail, pass, pass), nil},
		{"a smaller share", expecting(`contains "x"`, fail, fail), expecting(`contains "x"`, fail, pass), nil},
		{"of a changed expectation", expecting(`contains "x"`, fail, pass), expecting(`contains "y"`, fail, fail), []string{"runs tool_names"}},
		{"of a new expectation", with(named("a", 1), withVerdict(fail)), expecting(`contains "x"`, fail, pass), []string{"runs tool_names"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			base, head := reportOf(test.base), reportOf(test.head)
			if diff := cmp.Diff(test.want, kindsOf(compare.Reports(base, head, compare.Options{}).Regressions)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if diff := cmp.Diff(test.want, kindsOf(compare.Reports(saved(t, base), saved(t, head), compare.Options{}).Regressions)); diff != "" {
				t.Errorf("of saved reports: -want +got\n%s", diff)
			}
		})
	}
}

// What is new about a case that failed before is said at the case.
func TestNewFaultsAreMarked(t *testing.T) {
	for _, test := range []struct {
		base, head report.Case
		want       string
	}{
		{expecting("exact []", judge.Fail, judge.Pass), expecting("exact []", judge.Fail, judge.Fail), "tool_names does not hold in runs 1, 2, before in 1 of 2 runs: expected exact []"},
		{asserting("g", judge.Fail, "x fail >= 5", "y pass >= 5"), asserting("g", judge.Fail, "x fail >= 5", "y fail >= 5"), "y is absent, expected >= 5 (new)"},
	} {
		r := compared(reportOf(test.base), reportOf(test.head))
		var b strings.Builder
		if err := text.Comparison(&b, r, text.Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), ": "+test.want+"\n") {
			t.Errorf("got\n%s\nwant a line %q", b.String(), test.want)
		}
	}
}
