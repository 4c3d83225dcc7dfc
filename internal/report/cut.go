package report

import (
	"fmt"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

// CaseCut counts what the report leaves out of a case with many runs. Figures, verdicts and counts still cover all runs.
type CaseCut struct {
	Runs   int         `json:"runs,omitzero"`    // number of runs without a row
	Expect []CutExpect `json:"expect,omitempty"` // counts of the assertions that are not in [Case.Expect], by expectation
}

// CutExpect counts the assertions of one expectation on each run.
type CutExpect struct {
	Target  string `json:"target"`
	Matcher string `json:"matcher"`
	Line    int    `json:"line"`
	Passed  int    `json:"passed"`
	Failed  int    `json:"failed"`
	Errors  int    `json:"errors"`
	Skipped int    `json:"skipped"`
}

// Add counts an assertion.
func (e *CutExpect) Add(v judge.Verdict) {
	switch v {
	case judge.Pass:
		e.Passed++
	case judge.Fail:
		e.Failed++
	case judge.Error:
		e.Errors++
	default:
		e.Skipped++
	}
}

// Runs returns the number of counted assertions.
func (e *CutExpect) Runs() int { return e.Passed + e.Failed + e.Errors + e.Skipped }

// Verdict returns the verdict over all counted assertions.
func (e *CutExpect) Verdict() judge.Verdict {
	switch {
	case e.Errors > 0:
		return judge.Error
	case e.Failed > 0:
		return judge.Fail
	case e.Passed > 0:
		return judge.Pass
	}
	return judge.Skipped
}

func (c *Case) countCutRows() int {
	if c.Cut == nil {
		return 0
	}
	return c.Cut.Runs
}

// MoreRuns returns a text with the number of runs without a row; "" if every run has a row.
func (c *Case) MoreRuns() string {
	if n := c.countCutRows(); n > 0 {
		return fmt.Sprintf("and %s, which the report leaves out; check this case alone to see more", judge.CountOf(n, "more run"))
	}
	return ""
}

// RunExpectation sums up one expectation on each run over all runs of a case.
type RunExpectation struct {
	CutExpect                  // counts of all runs
	Broken    []int            // numbers of the reported runs that do not satisfy the expectation
	First     *judge.Assertion // the assertion in the first run of Broken; nil if there is none
}

// MoreBroken returns the number of runs that do not satisfy the expectation and are not in Broken.
func (e *RunExpectation) MoreBroken() int { return e.Failed + e.Errors - len(e.Broken) }

// RunExpectations sums up the expectations on each run, in the order of their first assertions.
func (c *Case) RunExpectations() []RunExpectation {
	type key struct {
		target, matcher string
		line            int
	}
	at := map[key]int{}
	var list []RunExpectation
	entry := func(k key) *RunExpectation {
		uncounted := CutExpect{Target: k.target, Matcher: k.matcher, Line: k.line}
		return lists.ElementFor(&list, at, k, RunExpectation{CutExpect: uncounted})
	}
	for i := range c.Expect {
		a := &c.Expect[i]
		e := entry(key{a.Target, a.Matcher, a.Line})
		e.Add(a.Verdict)
		if a.Verdict.Broken() {
			if e.First == nil {
				e.First = &a.Assertion
			}
			e.Broken = append(e.Broken, a.Run)
		}
	}
	for _, left := range c.cutExpect() {
		e := entry(key{left.Target, left.Matcher, left.Line})
		e.Passed, e.Failed = e.Passed+left.Passed, e.Failed+left.Failed
		e.Errors, e.Skipped = e.Errors+left.Errors, e.Skipped+left.Skipped
	}
	return list
}

func (c *Case) cutExpect() []CutExpect {
	if c.Cut == nil {
		return nil
	}
	return c.Cut.Expect
}

// ExpectsOfRuns reports whether the case has expectations on each run.
func (c *Case) ExpectsOfRuns() bool { return len(c.Expect)+len(c.cutExpect()) > 0 }
