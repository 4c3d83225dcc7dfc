package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

// Conclude sorts the mistakes and warnings, and sets the counts and the verdict: error if a case or a file could not be
// evaluated or nothing was checked, otherwise fail if a case failed, otherwise pass.
func (r *Report) Conclude() {
	r.Problems = sorted(r.Problems)
	r.Warnings = sorted(r.Warnings)
	r.Counts = Counts{Cases: len(r.Cases)}
	verdict := judge.Skipped
	for _, c := range r.Cases {
		r.Counts.add(c.Verdict)
		verdict = judge.Combine(verdict, c.Verdict)
	}
	for _, c := range r.Catalogs {
		r.Counts.Critical += c.Counts.Critical
		r.Counts.Warning += c.Counts.Warning
	}
	checkedNothing := verdict == judge.Skipped && !r.MayBeEmpty()
	if checkedNothing || len(r.Problems) > 0 {
		verdict = judge.Error
	}
	r.Verdict = verdict
	r.sumComplexity()
}

func (c *Counts) add(v judge.Verdict) {
	switch v {
	case judge.Pass:
		c.Passed++
	case judge.Fail:
		c.Failed++
	case judge.Error:
		c.Errors++
	case judge.Skipped:
		c.Skipped++
	}
}

// sorted returns the problems by place and then by message, without repeats.
func sorted(problems []Problem) []Problem {
	list := slices.Clone(problems)
	lists.SortStable(list, func(a, b *Problem) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
			cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(list)
}

// Headline returns the outcome in one line, such as "2 of 14 cases failed".
func (r *Report) Headline() string {
	c := r.Counts
	var parts []string
	if c.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s failed", c.Failed, judge.CountOf(c.Cases, "case")))
	}
	if c.Errors > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s could not be evaluated", c.Errors, judge.CountOf(c.Cases, "case")))
	}
	if len(r.Problems) > 0 {
		parts = append(parts, judge.CountOf(len(r.Problems), "mistake")+" in the input")
	}
	switch {
	case c.Cases == 0:
		parts = append(parts, r.Nothing())
	case c.Skipped == c.Cases:
		parts = append(parts, "nothing was checked: everything was skipped")
	case len(parts) == 0:
		parts = append(parts, judge.CountOf(c.Passed, "case")+" passed")
		if c.Skipped > 0 {
			parts = append(parts, fmt.Sprintf("%d skipped", c.Skipped))
		}
	}
	return r.Before() + strings.Join(parts, ", ")
}

// These are the exit statuses of the program.
const (
	ExitPass  = 0 // everything passed
	ExitFail  = 1 // a gate or an expectation failed
	ExitUser  = 2 // the user's input is wrong or insufficient
	ExitWorld = 3 // something that was needed broke: a server, a provider or the disk
)

// ExitStatus returns the exit status for the report. If several apply, it is the greatest.
func (r *Report) ExitStatus() int {
	status := ExitPass
	isFine := r.Verdict == judge.Pass || r.Verdict == judge.Skipped && r.MayBeEmpty()
	switch {
	case r.Verdict == judge.Fail:
		status = ExitFail
	case !isFine:
		status = ExitUser
	}
	for _, c := range r.Cases {
		status = max(status, exitOf(c.Err))
		for _, g := range c.Gates {
			status = max(status, exitOf(g.Err))
		}
	}
	return status
}

func exitOf(p *judge.Problem) int {
	if p == nil {
		return ExitPass
	}
	return p.Exit
}

// Warn adds a warning about the check as a whole.
func (r *Report) Warn(message string) {
	r.Warnings = sorted(append(r.Warnings, Problem{Message: message}))
}
