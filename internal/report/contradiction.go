package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
)

// checkItself returns an error if a report contradicts itself: it has an unknown verdict, the verdict of a case does not follow
// from its parts, or the report's verdict or counts do not follow from the cases, mistakes and catalogs. The error names each
// place in the JSON text.
func (r *Report) checkItself() error {
	var faults []string
	for i := range r.Cases {
		if fault := r.Cases[i].contradiction(); fault != "" {
			faults = append(faults, fmt.Sprintf("\"/cases/%d\" %s", i, fault))
		}
	}
	if len(faults) == 0 {
		faults = r.checkWhole()
	}
	const most = 5
	if more := len(faults) - most; more > 0 {
		faults = append(faults[:most], judge.CountOf(more, "further contradiction"))
	}
	if len(faults) > 0 {
		return errors.New("contradicts itself: " + strings.Join(faults, "; "))
	}
	return nil
}

// checkWhole returns the differences of the report's verdict and counts from the results of [Report.Conclude].
func (r *Report) checkWhole() (faults []string) {
	recomputed := *r
	recomputed.Conclude()
	if fault := unknownVerdict(r.Verdict); fault != "" {
		faults = append(faults, `"/verdict" `+fault)
	} else if r.Verdict != recomputed.Verdict {
		faults = append(faults, fmt.Sprintf(`"/verdict" is %q, expected %q by its cases and mistakes`, r.Verdict, recomputed.Verdict))
	}
	if r.Counts != recomputed.Counts {
		faults = append(faults, fmt.Sprintf(`"/counts" are %s, expected %s by its cases and catalogs`, r.Counts, recomputed.Counts))
	}
	return faults
}

// String returns the figures in the order of the JSON report.
func (c Counts) String() string {
	return fmt.Sprintf("%d cases, %d passed, %d failed, %d errors, %d skipped, %d critical, %d warning",
		c.Cases, c.Passed, c.Failed, c.Errors, c.Skipped, c.Critical, c.Warning)
}

// contradiction returns a message about a contradiction in the case; "" if there is none. The case's verdict must follow from
// its error, its gates and its expectations. The verdict of a gate must follow from the gate's parts.
func (c *Case) contradiction() string {
	derived := judge.Skipped
	for i := range c.Gates {
		g := &c.Gates[i]
		if fault := gateContradiction(g); fault != "" {
			return fmt.Sprintf("has gate %q, whose %s", source.Shorten(g.Gate, maxQuoted), fault)
		}
		derived = judge.Combine(derived, g.Verdict)
	}
	for i := range c.Expect {
		if fault := unknownVerdict(c.Expect[i].Verdict); fault != "" {
			return fmt.Sprintf("has an expectation whose verdict %s", fault)
		}
		if fault := c.Expect[i].RunContradiction(); fault != "" {
			return "has an expectation that " + fault
		}
		derived = judge.Combine(derived, c.Expect[i].Verdict)
	}
	for _, left := range c.cutExpect() {
		if n := []int{left.Passed, left.Failed, left.Errors, left.Skipped}; slices.Min(n) < 0 || slices.Max(n) > maxTrials {
			return fmt.Sprintf("counts the assertions on runs that it leaves out as %d, expected numbers from 0 to %d", n, maxTrials)
		}
		derived = judge.Combine(derived, left.Verdict())
	}
	for i := range c.Rows {
		if fault := unknownVerdict(c.Rows[i].Verdict); fault != "" {
			return fmt.Sprintf("has a run whose verdict %s", fault)
		}
	}
	if c.Err != nil {
		derived = judge.Error
	}
	if c.Err == nil && len(c.Gates) == 0 && !c.ExpectsOfRuns() {
		derived = c.Verdict // no part decides the verdict, so every verdict is right; a merge compares it with the suite
	}
	return wrongVerdict("has a verdict that", c.Verdict, derived)
}

func gateContradiction(g *judge.Result) string {
	derived := judge.Skipped
	for i := range g.Assertions {
		if fault := unknownVerdict(g.Assertions[i].Verdict); fault != "" {
			return "assertion has a verdict that " + fault
		}
		if fault := g.Assertions[i].ContradictionIn(g); fault != "" {
			return "assertion " + fault
		}
		derived = judge.Combine(derived, g.Assertions[i].Verdict)
	}
	if g.Err != nil {
		derived = judge.Error
	}
	isSilent := derived == judge.Skipped && g.Verdict == judge.Pass // older versions wrote such gates into reports
	if g.Err == nil && (len(g.Assertions) == 0 || isSilent) {
		derived = g.Verdict
	}
	return wrongVerdict("verdict", g.Verdict, derived)
}

// wrongVerdict returns a message if the verdict v differs from derived, the verdict by the parts; "" if both are the same.
// subject begins the message.
func wrongVerdict(subject string, v, derived judge.Verdict) string {
	if fault := unknownVerdict(v); fault != "" {
		return subject + " " + fault
	}
	if v != derived {
		return fmt.Sprintf("%s is %q, expected %q by its parts", subject, v, derived)
	}
	return ""
}

// maxQuoted bounds the text of a report that a message quotes, in bytes.
const maxQuoted = 80

func unknownVerdict(v judge.Verdict) string {
	switch v {
	case judge.Pass, judge.Fail, judge.Error, judge.Skipped:
		return ""
	}
	return fmt.Sprintf("is %q, expected pass, fail, error or skipped", source.Shorten(string(v), maxQuoted))
}
