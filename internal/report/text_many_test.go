package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/org/mcp-gates/internal/thorough"
)

// manyFailing returns a report of n failing cases, each with its own gate and runs.
func manyFailing(n int) *report.Report {
	r := &report.Report{}
	for i := range n {
		c := failing(same, nil)
		c.Name, c.Line = fmt.Sprintf("case %d", i), i+1
		r.Cases = append(r.Cases, c)
	}
	r.Conclude()
	return r
}

func TestManyFailingCasesStayReadable(t *testing.T) {
	thorough.Unraced(t, "it takes three seconds, on one goroutine")
	for _, test := range []struct {
		cases       int
		all         bool
		full, short int // cases told in full, and in one line
		rest        string
	}{
		{30, false, 30, 0, ""},
		{31, false, 30, 1, ""},
		{230, false, 30, 200, ""},
		{231, false, 30, 200, "and 1 more item (--verbose lists all)"},
		{10_000, false, 30, 200, "and 9770 more items (--verbose lists all)"},
		{400, true, 400, 0, ""},
	} {
		t.Run(fmt.Sprint(test.cases, test.all), func(t *testing.T) {
			got := renderText(t, manyFailing(test.cases), text.Options{All: test.all})
			if n := strings.Count(got, "equal_function_sets FAIL: "); n != test.full {
				t.Errorf("%d cases are told in full, want %d", n, test.full)
			}
			if n := strings.Count(got, " (gpt-5): tool_selection.f1 is 50%, expected >= 80 (and 3 more faults)\n"); n != test.short {
				t.Errorf("%d cases are told in one line, want %d", n, test.short)
			}
			if said := strings.Contains(got, "more item"); said != (test.rest != "") || !strings.Contains(got, test.rest) {
				t.Errorf("got\n%s\nwant %q", got[len(got)-400:], test.rest)
			}
		})
	}
}

// Where one run of each case is asked for, no case is only counted.
func TestOneRunOfManyCases(t *testing.T) {
	r := manyFailing(100)
	for range 100 {
		r.Cases = append(r.Cases, selecting(same))
	}
	r.Conclude()
	got := renderText(t, r, text.Options{Run: 2})
	for _, line := range []string{"\n  PASS research #2: called web.search, web.fetch\n", "\n  weather #2: selected, called get_weather (900 tokens, over budget)\n"} {
		if n := strings.Count(got, line); n != 100 {
			t.Errorf("got %d lines %q, want 100", n, line)
		}
	}
	if strings.Contains(got, "#1: ") || strings.Contains(got, "#3: ") {
		t.Errorf("got other runs than the second:\n%s", got)
	}
}

func TestManyRunsOfAFloor(t *testing.T) {
	for _, test := range []struct {
		runs  int
		all   bool
		lines int
		rest  string
	}{
		{30, false, 30, ""},
		{31, false, 30, "  and 1 more run (--verbose lists all)\n"},
		{1000, false, 30, "  and 970 more runs (--verbose lists all)\n"},
		{1000, true, 1000, ""},
	} {
		t.Run(fmt.Sprint(test.runs, test.all), func(t *testing.T) {
			rate, budget := &judge.Breach{Case: "x"}, &judge.Breach{Case: "x", Runs: []judge.BreachRun{{Run: 1, Did: "9 tokens, over budget"}}}
			for i := range test.runs {
				rate.Runs = append(rate.Runs, judge.BreachRun{Run: i + 1, Did: "did not select"})
			}
			r := &report.Report{Cases: []report.Case{{Name: "x", Verdict: judge.Fail, Gates: []judge.Result{
				{Gate: "tool_selection", Verdict: judge.Fail, Headline: "tool-selection floor [FAIL] x: …", Assertions: []judge.Assertion{
					{Verdict: judge.Fail, Message: "rate", Breach: rate}, {Verdict: judge.Fail, Message: "budget", Breach: budget},
				}},
			}}}}
			r.Conclude()
			got := renderText(t, r, text.Options{All: test.all})
			if n := strings.Count(got, "did not select"); n != test.lines {
				t.Errorf("%d runs are listed, want %d", n, test.lines)
			}
			if want := test.rest + "FLOOR x: budget\n  run 1: 9 tokens, over budget\n"; !strings.Contains(got, want) {
				t.Errorf("got\n%s\nwant %q in it", got, want)
			}
			if test.rest == "" && strings.Contains(got, "more run") {
				t.Errorf("got\n%s\nwant every run listed", got)
			}
		})
	}
}
