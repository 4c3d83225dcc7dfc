package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// regressionsOf returns the regressions of a case compared with the base's case, which is nil for a new case.
func regressionsOf(base, head *report.Case) []report.Regression {
	r := report.Regression{Case: head.ID, Path: head.Suite, Line: head.Line, Head: string(head.Verdict)}
	if base == nil {
		if head.Verdict == judge.Pass {
			return nil
		}
		r.Kind = report.BrokenNewCase
		return []report.Regression{r}
	}
	if badness(head.Verdict) > badness(base.Verdict) {
		r.Kind, r.Base = report.WorseVerdict, string(base.Verdict)
		return []report.Regression{r} // the figures of the case explain this regression, so they are not listed again
	}
	var list []report.Regression
	for i := range head.Gates {
		list = append(list, gateRegressions(base, head, &head.Gates[i])...)
	}
	return append(list, runRegressions(base, head)...)
}

// badness orders verdicts. Skipped is worse than pass, because a skipped case has shown nothing. An unknown verdict is the worst.
func badness(v judge.Verdict) int {
	return -slices.Index([]judge.Verdict{judge.Error, judge.Fail, judge.Skipped, judge.Pass}, v)
}

// gateRegressions returns the assertions of a gate that fail and did not fail in the base, and those that fail and whose figure is
// farther from its bound than in the base.
func gateRegressions(base, head *report.Case, g *judge.Result) []report.Regression {
	was := base.Gate(g.Gate)
	switch {
	case was == nil && base.Verdict == judge.Error:
		return nil // the gate's result in the base is unknown
	case was == nil:
		was = &judge.Result{}
	case was.Err != nil:
		return nil
	}
	if g.Err != nil {
		return []report.Regression{{Kind: report.NewFailure, Case: head.ID, What: g.Gate, Path: head.Suite, Line: g.Line, Head: string(judge.Error)}}
	}
	isNew := newlyFailing(was.Assertions, g.Assertions)
	var list []report.Regression
	for i := range g.Assertions {
		a := &g.Assertions[i]
		r := report.Regression{
			Kind: report.NewFailure, Case: head.ID, What: a.Target, Path: head.Suite, Line: a.Line,
			Base: figureText(was, a.Target), Head: assertedText(a),
		}
		switch {
		case a.Verdict == judge.Fail && movedAway(a.Matcher, r.Base, r.Head):
			r.Kind = report.WorseFigure
		case !isNew[i]:
			continue
		}
		list = append(list, r)
	}
	return list
}

// newlyFailing reports, by position, which failures of the head are new. A failure is not new if the base has a failure with the
// same target and matcher, otherwise one with the same target whose matcher the head no longer has. Each failure of the base
// excuses one failure of the head.
func newlyFailing(base, head []judge.Assertion) []bool {
	failed := map[expectationKey]int{} // failures of the base that no assertion of the head matches
	for i := range base {
		if fails(&base[i]) {
			failed[keyOf(&base[i])]++
		}
	}
	isNew := make([]bool, len(head))
	for i := range head {
		if !fails(&head[i]) {
			continue
		}
		key := keyOf(&head[i])
		isNew[i] = failed[key] == 0
		if failed[key] > 0 {
			failed[key]--
		}
	}
	for i := range head {
		if key := keyOf(&head[i]); !fails(&head[i]) && failed[key] > 0 {
			failed[key]-- // it holds now
		}
	}
	changed := map[string]int{}
	for key, n := range failed {
		changed[key.target] += n
	}
	for i := range head {
		if target := head[i].Target; isNew[i] && changed[target] > 0 {
			isNew[i] = false
			changed[target]--
		}
	}
	return isNew
}

type expectationKey struct{ target, matcher string }

func keyOf(a *judge.Assertion) expectationKey { return expectationKey{a.Target, a.Matcher} }

func fails(a *judge.Assertion) bool { return a.Verdict.Broken() }

// runShare is the share of runs that fail an expectation which every run must meet.
type runShare struct {
	expectationKey
	failed, runs, line int
}

func (s runShare) text() string {
	return fmt.Sprintf("%d of %s", s.failed, judge.CountOf(s.runs, "run"))
}

// runShares returns the shares of a case's per-run expectations, in the order of the suite.
func runShares(c *report.Case) (shares []runShare) {
	at := map[expectationKey]int{}
	for _, e := range c.RunExpectations() {
		key := expectationKey{e.Target, e.Matcher}
		share := lists.ElementFor(&shares, at, key, runShare{expectationKey: key, line: e.Line})
		share.runs += e.Runs()
		share.failed += e.Failed + e.Errors
	}
	return shares
}

// runRegressions returns the per-run expectations that fail in a larger share of the runs than in the base. An expectation with a changed
// matcher is compared with the base's expectations on the same target.
func runRegressions(base, head *report.Case) []report.Regression {
	after := runShares(head)
	kept := lists.SetOf(after, func(s runShare) expectationKey { return s.expectationKey })
	before, changed := map[expectationKey]runShare{}, map[string]runShare{}
	for _, s := range runShares(base) {
		before[s.expectationKey] = s
		if _, known := changed[s.target]; !known && !kept[s.expectationKey] {
			changed[s.target] = s
		}
	}
	var list []report.Regression
	for _, s := range after {
		was, known := before[s.expectationKey]
		if !known {
			was, known = changed[s.target]
		}
		r := report.Regression{Kind: report.MoreRuns, Case: head.ID, What: s.target, Path: head.Suite, Line: s.line, Head: s.text()}
		isUnknown := !known && base.Verdict == judge.Error
		isNotWorse := known && s.failed*was.runs <= was.failed*s.runs
		if s.failed == 0 || isUnknown || isNotWorse {
			continue
		}
		if known {
			r.Base = was.text()
		}
		list = append(list, r)
	}
	return list
}

// figureText returns a gate's figure for a target as text: from the gate's metrics, otherwise from an assertion on the target.
func figureText(g *judge.Result, target string) string {
	if v, ok := g.Metrics[target]; ok {
		return v.Digits()
	}
	for i := range g.Assertions {
		if a := &g.Assertions[i]; a.Target == target && a.Actual != nil {
			return assertedText(a)
		}
	}
	return ""
}

// assertedText returns the figure of an assertion as text. A figure has the same text whether it was computed now or read from a
// saved report.
func assertedText(a *judge.Assertion) string {
	switch v := a.Actual.(type) {
	case nil:
		return ""
	case judge.Value:
		return v.Digits()
	case string:
		return v
	}
	return judge.ActualText(a.Actual)
}

// compareFindings compares the findings over all catalogs. It counts equal findings, because a finding can occur several times.
func (c *comparer) compareFindings() {
	c.out.New = extraFindings(c.after, c.before, c.successors)
	c.out.Fixed = withoutUnknown(extraFindings(c.before, c.after, c.successors), c.after)
	for _, f := range c.out.New {
		if f.Severity == "critical" {
			c.out.Regressions = append(c.out.Regressions, report.Regression{
				Kind: report.NewCritical, Case: f.Path, What: strings.TrimSpace(f.Rule + " " + f.Tool), Path: f.Path, Line: f.Line, Head: f.Message,
			})
		}
	}
}

// boundDrops adds to p the figures whose drop has a bound, and returns a regression for each figure that dropped farther. base is
// nil for a new case.
func boundDrops(p *report.Pair, base, head *report.Case) (list []report.Regression) {
	for i := range head.Gates {
		g := &head.Gates[i]
		if g.MaxDrop == nil {
			continue
		}
		var was *judge.Result
		if base != nil {
			was = base.Gate(g.Gate)
		}
		d := report.DropOf(g.MaxDrop, was, g)
		p.Drops = append(p.Drops, d)
		if d.IsTooFar() {
			list = append(list, report.Regression{
				Kind: report.DroppedTooFar, Case: head.ID, What: d.Target, Path: head.Suite, Line: g.Line, Base: string(d.Base), Head: string(d.Head),
			})
		}
	}
	return list
}
