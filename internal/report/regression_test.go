package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
)

// asserting returns a case that fails on what a gate asserts, each TARGET VERDICT MATCHER.
func asserting(gate string, verdict judge.Verdict, assertions ...string) Case {
	c := with(named("a", 1), withVerdict(verdict))
	g := judge.Result{Gate: gate, Verdict: verdict}
	for i, spec := range assertions {
		part := strings.SplitN(spec, " ", 3)
		g.Assertions = append(g.Assertions, judge.Assertion{Target: part[0], Verdict: judge.Verdict(part[1]), Matcher: part[2], Line: 5 + i})
	}
	c.Gates = []judge.Result{g}
	return c
}

// expecting returns a failing case whose runs are expected to name a tool, pass or fail.
func expecting(matcher string, runs ...judge.Verdict) Case {
	c := with(named("a", 1), withVerdict(judge.Fail))
	for i, v := range runs {
		c.Expect = append(c.Expect, RunAssertion{i + 1, judge.Assertion{Target: "tool_names", Matcher: matcher, Verdict: v, Line: 9}})
	}
	return c
}

// TestRegressionsOfFailingCases pins that a case which fails already can get worse.
func TestRegressionsOfFailingCases(t *testing.T) {
	const pass, fail = judge.Pass, judge.Fail
	unevaluated := func(c *Case) { c.Verdict, c.Gates[0].Err = judge.Error, &judge.Problem{Message: "no catalog"} }
	for _, test := range []struct {
		name       string
		base, head Case
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
		{"another gate cannot be evaluated", with(asserting("g", fail, "x fail >= 5"), withVerdict(judge.Error)), with(asserting("g", fail), unevaluated), []string{"expectation g"}},
		{"a larger share of runs", expecting(`contains "x"`, fail, pass, pass), expecting(`contains "x"`, fail, fail, pass), []string{"runs tool_names"}},
		{"a larger share of fewer runs", expecting(`contains "x"`, fail, pass, pass), expecting(`contains "x"`, fail, pass), []string{"runs tool_names"}},
		{"more runs, the same share", expecting(`contains "x"`, fail, pass), expecting(`contains "x"`, fail, fail, pass, pass), nil},
		{"a smaller share", expecting(`contains "x"`, fail, fail), expecting(`contains "x"`, fail, pass), nil},
		{"of a changed expectation", expecting(`contains "x"`, fail, pass), expecting(`contains "y"`, fail, fail), []string{"runs tool_names"}},
		{"of a new expectation", with(named("a", 1), withVerdict(fail)), expecting(`contains "x"`, fail, pass), []string{"runs tool_names"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			base, head := reportOf(test.base), reportOf(test.head)
			if diff := cmp.Diff(test.want, kindsOf(Compare(base, head).Regressions)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if diff := cmp.Diff(test.want, kindsOf(Compare(saved(t, base), saved(t, head)).Regressions)); diff != "" {
				t.Errorf("of saved reports: -want +got\n%s", diff)
			}
		})
	}
}

func TestRegressionText(t *testing.T) {
	more := Compare(reportOf(expecting("exact []", judge.Fail, judge.Pass)), reportOf(expecting("exact []", judge.Fail, judge.Fail))).Regressions[0]
	if got, want := more.describe(), "suites/tools.yml::a: tool_names fails in 2 of 2 runs, and in 1 of 2 runs before"; got != want || more.Line != 9 {
		t.Errorf("got %q at line %d, want %q at line 9", got, more.Line, want)
	}
	fresh := Compare(reportOf(with(named("a", 1), withVerdict(judge.Fail))), reportOf(asserting("g", judge.Fail, "x fail >= 5"))).Regressions[0]
	if got, want := fresh.describe(), "suites/tools.yml::a: x fails and did not before"; got != want || fresh.Line != 5 {
		t.Errorf("got %q at line %d, want %q at line 5", got, fresh.Line, want)
	}
}

// A number of a saved report is computed with only where a suite could hold it: millions of digits take a minute to read.
func TestLongFigures(t *testing.T) {
	long := strings.Repeat("9", 4<<20)
	if movedAway(">= "+long, "1", "0") || movedAway(">= 1", long, "0") {
		t.Error("a figure of four million digits is computed with")
	}
}

// thirds is the beginning of a number that is longer than any floating-point number holds.
var thirds = "0." + strings.Repeat("3", 70)

func TestMovedAway(t *testing.T) {
	for _, test := range []struct {
		matcher, before, after string
		want                   bool
	}{
		{">= 80", "70", "60", true},
		{">= 80", "60", "70", false},
		{">= 80", "60", "60", false},
		{">= 80", "90", "70", true},
		{"> 80", "81", "80", true},
		{"<= 5", "6", "9", true},
		{"<= 5", "9", "6", false},
		{"== 5", "6", "3", true},
		{"== 5", "3", "6", false},
		{"!= 5", "4", "5", false},
		{">= 10 and < 20", "21", "25", true},
		{">= 10 and < 20", "25", "21", false},
		{">= 0.8", "0.7000", "0.6000", true},
		{">= 80", "", "60", false},
		{">= 80", "70", "", false},
		{`contains "x"`, "70", "60", false},
		{">= $80", "70", "60", false},
		{"exact 5", "6", "9", true},
		{"exact 5", "9", "6", false},
		{"exact 5", "5", "4", true},
		{"exact " + thirds + "4", thirds + "5", thirds + "6", true},
		{"exact " + thirds + "4", thirds + "6", thirds + "5", false},
		{">= " + thirds + "4", thirds + "3", thirds + "2", true},
		{`exact "80"`, "70", "60", false},
		{`schema {"minimum":80,"type":"integer"}`, "70", "60", true},
		{`schema {"minimum":80,"type":"integer"}`, "60", "70", false},
		{`schema {"exclusiveMaximum":3,"type":"integer"}`, "3", "4", true},
		{`schema {"const":3}`, "2", "1", true},
		{`schema {"exclusiveMinimum":true,"minimum":80}`, "70", "60", true},
		{`schema {"type":"integer"}`, "70", "60", false},
		{"schema ]", "70", "60", false},
	} {
		if got := movedAway(test.matcher, test.before, test.after); got != test.want {
			t.Errorf("movedAway(%q, %q, %q) = %t, want %t", test.matcher, test.before, test.after, got, test.want)
		}
	}
}
