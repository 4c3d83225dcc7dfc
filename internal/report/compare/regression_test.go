package compare_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/reporttest"
)

// TestRegressionsOfFailingCases pins that a case which fails already can get worse.
func TestRegressionsOfFailingCases(t *testing.T) {
	const pass, fail = judge.Pass, judge.Fail
	unevaluated := func(c *report.Case) {
		c.Verdict, c.Gates[0].Verdict, c.Gates[0].Err = judge.Error, judge.Error, &judge.Problem{Message: "no catalog"}
	}
	short := func(c *report.Case) { c.Verdict, c.Err = judge.Error, &judge.Problem{Message: "too few runs"} }
	and := func(c, more report.Case) report.Case { // the expectations of both
		c.Expect = slices.Concat(c.Expect, more.Expect)
		return c
	}
	below := func(c report.Case) report.Case { // on the next line
		for i := range c.Expect {
			c.Expect[i].Line++
		}
		return c
	}
	for _, test := range []struct {
		name       string
		base, head report.Case
		want       []string
	}{
		{"the same fails", reporttest.Asserting("g", fail, "x fail >= 5", "y pass >= 5"), reporttest.Asserting("g", fail, "x fail >= 5", "y pass >= 5"), nil},
		{"another fails besides", reporttest.Asserting("g", fail, "x fail >= 5", "y pass >= 5"), reporttest.Asserting("g", fail, "x fail >= 5", "y fail >= 5"), []string{"expectation y"}},
		{"another fails, the first no more", reporttest.Asserting("g", fail, "x fail >= 5", "y pass >= 5"), reporttest.Asserting("g", fail, "x pass >= 5", "y fail >= 5"), []string{"expectation y"}},
		{"a skipped one fails", reporttest.Asserting("g", fail, "x fail >= 5", "y skipped >= 5"), reporttest.Asserting("g", fail, "x fail >= 5", "y fail >= 5"), []string{"expectation y"}},
		{"a schema fails besides", reporttest.Asserting("g", fail, "x fail >= 5", `y pass schema {"multipleOf":2}`), reporttest.Asserting("g", fail, "x fail >= 5", `y fail schema {"multipleOf":2}`), []string{"expectation y"}},
		{"a second one of its target", reporttest.Asserting("g", fail, "x fail >= 5", "x pass >= 3"), reporttest.Asserting("g", fail, "x fail >= 5", "x fail >= 3"), []string{"expectation x"}},
		{"a new one fails", reporttest.Asserting("g", fail, "x fail >= 5"), reporttest.Asserting("g", fail, "x fail >= 5", "y fail >= 5"), []string{"expectation y"}},
		{"one holds now, another of its target fails", reporttest.Asserting("g", fail, "x fail >= 5", "x pass <= 9"), reporttest.Asserting("g", fail, "x pass >= 5", "x fail <= 9"), []string{"expectation x"}},
		{"a changed one fails still, and one more", reporttest.Asserting("g", fail, "x fail >= 5"), reporttest.Asserting("g", fail, "x fail >= 6", "x fail >= 7"), []string{"expectation x"}},
		{"a changed one fails still", reporttest.Asserting("g", fail, "x fail >= 5"), reporttest.Asserting("g", fail, "x fail >= 6"), nil},
		{"a gate was added and fails", reporttest.With(reporttest.Named("a", 1), reporttest.WithVerdict(fail)), reporttest.Asserting("g", fail, "x fail >= 5"), []string{"expectation x"}},
		{"the base was not evaluated", reporttest.With(reporttest.Named("a", 1), reporttest.WithVerdict(judge.Error)), reporttest.Asserting("g", fail, "x fail >= 5"), nil},
		{"the base's gate was not", reporttest.With(reporttest.Asserting("g", fail), unevaluated), reporttest.Asserting("g", fail, "x fail >= 5"), nil},
		{"another gate cannot be evaluated", reporttest.With(reporttest.Asserting("g", fail, "x fail >= 5"), short), reporttest.With(reporttest.Asserting("g", fail), unevaluated), []string{"expectation g"}},
		{"a larger share of runs", reporttest.Expecting(`contains "x"`, fail, pass, pass), reporttest.Expecting(`contains "x"`, fail, fail, pass), []string{"runs tool_names"}},
		{"a larger share of fewer runs", reporttest.Expecting(`contains "x"`, fail, pass, pass), reporttest.Expecting(`contains "x"`, fail, pass), []string{"runs tool_names"}},
		{"more runs, the same share", reporttest.Expecting(`contains "x"`, fail, pass), reporttest.Expecting(`contains "x"`, fail, fail, pass, pass), nil},
		{"a smaller share", reporttest.Expecting(`contains "x"`, fail, fail), reporttest.Expecting(`contains "x"`, fail, pass), nil},
		{"of a changed expectation", reporttest.Expecting(`contains "x"`, fail, pass), reporttest.Expecting(`contains "y"`, fail, fail), []string{"runs tool_names"}},
		{"of a changed expectation, a smaller share", reporttest.Expecting(`contains "x"`, fail, fail), reporttest.Expecting(`contains "y"`, fail, pass), nil},
		{"in which one cannot be evaluated", reporttest.With(reporttest.Expecting(`contains "x"`, judge.Error, pass, pass), reporttest.WithVerdict(judge.Error)), reporttest.With(reporttest.Expecting(`contains "x"`, judge.Error, judge.Error, pass), reporttest.WithVerdict(judge.Error)), []string{"runs tool_names"}},
		{"of an expectation that stands twice", and(reporttest.Expecting(`contains "x"`, fail, pass), below(reporttest.Expecting(`contains "x"`, pass, pass))),
			and(reporttest.Expecting(`contains "x"`, fail, pass), below(reporttest.Expecting(`contains "x"`, fail, pass))), []string{"runs tool_names"}},
		{"of a new expectation that holds", reporttest.Expecting(`contains "x"`, fail, pass), and(reporttest.Expecting(`contains "x"`, fail, pass), reporttest.Expecting(`contains "y"`, pass, pass)), nil},
		{"of a new expectation beside another of its target", reporttest.Expecting(`contains "x"`, fail, pass), and(reporttest.Expecting(`contains "x"`, fail, pass), reporttest.Expecting(`contains "y"`, fail, pass)), []string{"runs tool_names"}},
		{"of two changed expectations, the first", and(reporttest.Expecting(`contains "x"`, fail, pass), reporttest.Expecting(`contains "y"`, fail, fail)), reporttest.Expecting(`contains "z"`, fail, fail), []string{"runs tool_names"}},
		{"of a new expectation", reporttest.With(reporttest.Named("a", 1), reporttest.WithVerdict(fail)), reporttest.Expecting(`contains "x"`, fail, pass), []string{"runs tool_names"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			base, head := reporttest.Of(test.base), reporttest.Of(test.head)
			if diff := cmp.Diff(test.want, kindsOf(compare.Reports(base, head, compare.Options{}).Regressions)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if diff := cmp.Diff(test.want, kindsOf(compare.Reports(saved(t, base), saved(t, head), compare.Options{}).Regressions)); diff != "" {
				t.Errorf("of saved reports: -want +got\n%s", diff)
			}
		})
	}
}
