package check

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/org/mcp-gates/internal/check/basesuites"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// judgementOfBase lets the base's suite judge the evidence of a case of the head. verdict is the verdict by the case's own suite.
// Unless it is a pass or skipped, the base's gates do not judge, because the change did not weaken the suite.
func (c *checker) judgementOfBase(s selectedCase, e evidence, verdict judge.Verdict) *report.BaseJudgement {
	base := c.options.BaseSuites.checker
	e.trace = c.redactedBy(s.Was.Suite, s, e)
	v := s.Was.See(basesuites.Head{Entry: s.Entry, Files: c.loader, Trace: e.trace, Catalog: e.catalog, Live: e.live, Recordings: e.recordings},
		func() *trace.Trace { return base.read(s.ofBase()).trace }) // mistakes in the base's files are not the head's
	out := v.Judgement()
	out.SameRuns = c.sameRuns(s, e)
	if verdict != judge.Pass && verdict != judge.Skipped {
		return out
	}
	if out.Fault = v.Fault; out.Fault != "" {
		return out
	}
	j := c.judgeView(v, s.Was)
	out.Verdict = j.verdict
	switch {
	case len(j.short) > 0:
		out.Reason = j.short[0].Msg
	case j.err != nil: // a gate broke, or takes more work than a case may
		out.Fault = j.err.Message
	case j.verdict != judge.Pass && j.verdict != judge.Skipped:
		out.Reason = basesuites.FirstFailure(j.shown(), s.Was.Case, v.Gone)
	}
	return out
}

// judgeView judges the head's evidence by a case of the base. A fault of the program becomes the error of the judgement.
func (c *checker) judgeView(v *basesuites.View, was *basesuites.Was) (j judgement) {
	defer recoverFault(was.Pos, func(err *judge.Problem) { j = judgement{verdict: judge.Error, err: err} })
	by, e := selectedCase{Pair: basesuites.Pair{Entry: v.Case(), Was: was}}, evidence{ofHead: true}
	if by.Kind == suite.AgentTest {
		e.trace = v.Trace()
	} else {
		e.trace = c.catalogTrace(by, v.Catalog())
	}
	return c.judge(by, assessment{evidence: e})
}

func (j *judgement) shown() *report.Case {
	return &report.Case{Gates: j.gates, Expect: j.expect, Cut: &report.CaseCut{Expect: j.counted.list}}
}

// onBaseCatalogs returns a case of the head with the catalogs that the base's suite names, if a floor applies that no suite can
// lower.
func (c *checker) onBaseCatalogs(s selectedCase) selectedCase {
	if c.options.FailOnStale != suite.StaleDefault && s.byBoth {
		s.Case = basesuites.OnCatalogs(s.Was, s.Case, c.loader)
	}
	return s
}

// evaluateByBase evaluates a case of the head twice: by its own suite, for the comparison, and by the base's suite, which gives
// the verdict.
func (c *checker) evaluateByBase(s selectedCase) (out outcome) {
	by := *s.as
	if !by.IsJudged() {
		out.Case = s.emptyReport()
		out.Settings, out.Complexity = settingsOf(s), complexityOf(s.Case)
		out.noteUnjudged(by)
		out.Err = problem(s.Pos, basesuites.CannotJudgeMessage(by.Mistakes), report.ExitUser)
		return out
	}
	if c.ctx.Err() != nil {
		out.Case, out.Verdict = s.emptyReport(), judge.Error
		out.noteInterruption(s)
		return out
	}
	defer recoverFault(s.Pos, func(err *judge.Problem) { out.Verdict, out.Err = judge.Error, err })
	e, ofOwn, apart := c.gatherBoth(s, by)
	own := c.evaluateOn(s, func() evidence { return ofOwn })
	if own.needsGoneTools() && !s.Softens(&own.Case, c.loader) {
		own.Own = &report.OwnJudgement{Verdict: own.Verdict, Stands: true}
		own.warnings = append(own.warnings, s.warning("the base's suite needs tools that are gone for %q, so that the change's own suite judges "+
			"it (gates-from: base): %q", s.DisplayName(), own.Base.Gone))
		return own
	}
	out = c.evaluateIn(s, e, own.Base)
	if out.Err != nil && !own.Verdict.Broken() {
		one := *out.Err
		one.Message, out.Err = "by the base's suite: "+one.Message, &one
	}
	if apart && !out.Verdict.Broken() { // the recordings that the head names in addition, or instead, are judged as well
		if other := c.evaluateIn(s, ofOwn, own.Base); other.Verdict.Broken() {
			out = other
		}
	}
	out.Settings, out.Complexity, out.Base = own.Settings, own.Complexity, own.Base
	out.Own = &report.OwnJudgement{Verdict: own.Verdict, LeftOut: own.LeftOut}
	if s.IsJudged() {
		out.Cassettes, out.Recordings = own.Cassettes, own.Recordings // these fields are compared with the base's
	}
	if own.Verdict.Broken() && !out.Verdict.Broken() && c.options.Live == nil { // the live runs are those that the base's suite asks for
		out.warnings = append(out.warnings, s.warning("%q does not pass by the change's own suite, and the base's judges (gates-from: base): %s",
			s.DisplayName(), own.firstFailure(s)))
	}
	if apart {
		out.warnings = append(out.warnings, s.warning("%q is judged by the recordings that the base's suite names, too, because they are still "+
			"there: %q (gates-from: base)", s.DisplayName(), e.cassettes))
	}
	return out
}

// needsGoneTools reports whether the case passes by its own suite and fails by the base's only because tools are gone: a gate
// that needs a removed tool cannot pass.
func (out *outcome) needsGoneTools() bool {
	j := out.Base
	return j != nil && len(j.Gone) > 0 && j.Verdict.Broken() && j.Reason == "" && j.Fault == "" && !out.Verdict.Broken()
}

func (out *outcome) firstFailure(s selectedCase) string {
	if out.Err != nil {
		return out.Err.Message
	}
	return cmp.Or(basesuites.FirstFailure(&out.Case, s.Case, nil), string(out.Verdict))
}

// asGiven returns a case of the base with the inputs that the head's case gives its agent. Any other case is unchanged.
func (s selectedCase) asGiven(live, follows bool) selectedCase {
	if s.names != nil {
		s.Case = basesuites.Given(s.Case, s.names, live, follows)
	}
	return s
}

func (s selectedCase) warning(format string, args ...any) report.Problem {
	return problemAt(&source.Error{Pos: s.Pos, Msg: fmt.Sprintf(format, args...)})
}

// gatherBoth returns the evidence of a case of the head by the base's suite and by its own. It is the same evidence if both
// name the same recordings, and in a live check, in which the base's suite determines the runs; apart is true if they name
// different recordings.
func (c *checker) gatherBoth(s, by selectedCase) (e, own evidence, apart bool) {
	areRuns := s.Kind == suite.AgentTest && by.Kind == suite.AgentTest
	switch {
	case c.options.Live != nil, !s.IsJudged():
		e = c.gather(by)
		return e, e, false
	case areRuns && sameCassettes(s.Case, by.Case):
		e = c.gather(s)
		return e, e, false
	}
	return c.gather(by), c.gather(s), areRuns
}

// sameCassettes reports whether two cases name the same recordings, and read them in the same way.
func sameCassettes(a, b *suite.Case) bool {
	return slices.Equal(a.Cassettes, b.Cassettes) && reflect.DeepEqual(a.Log, b.Log)
}

// evaluateIn lets the base's suite judge a case of the head. shown is the base's judgement that the comparison shows; nil if
// there is none.
func (c *checker) evaluateIn(s selectedCase, e evidence, inEffect *report.BaseJudgement) (out outcome) {
	by, names := *s.as, basesuites.NamesOf(inEffect)
	out.Case = s.emptyReport()
	out.label(s.Model)
	e.seen = s.seenAs(e.seen)
	out.noteEvidence(s, e)
	follows := inEffect != nil && len(inEffect.Renames)+len(inEffect.Servers)+len(inEffect.Gone) > 0
	a := c.assess(by.asGiven(e.live, follows), e)
	out.noteAssessment(a)
	switch {
	case by.Kind == suite.AgentTest:
		a.trace = names.Trace(e.trace)
	case e.trace != nil && by.Kind != suite.Findability: // a search finds a tool only by its current name
		a.trace = c.catalogTrace(by, names.Catalog(e.catalog))
	}
	called := by
	called.Entry = names.Called(by.Entry, s.Model)
	j := c.judge(called, a)
	s.place(&j)
	c.noteJudgement(&out, by, e, j)
	out.conclude(a, j)
	return out
}

// seenAs assigns servers whose tools were seen in runs to the head's suite, so that the report lists each of them once.
func (s selectedCase) seenAs(seen []seenServer) []seenServer {
	list := slices.Clone(seen)
	for i := range list {
		if server := s.Server(list[i].server.Name); server != nil {
			list[i].suite, list[i].server = s.Suite, server
		}
	}
	return list
}

// place moves the lines of a judgement by the base's suite to the head's file, which the report refers to: to the same line of
// the entry if it is unchanged, otherwise to the head's gate of that name, otherwise to the case.
func (s selectedCase) place(j *judgement) {
	line := s.lines()
	for i := range j.gates {
		g := &j.gates[i]
		at := func(was int) int { return line(was, s.lineOf(g.Gate)) }
		if s.as.Checks[i].Pos.File != s.as.Suite.File {
			at = func(int) int { return s.Pos.Line } // another line would be of an included file
		}
		moveLines(g, s.Suite.File, at)
	}
	for i := range j.expect {
		j.expect[i].Line = line(j.expect[i].Line, s.Pos.Line)
	}
	j.counted.moveLines(func(was int) int { return line(was, s.Pos.Line) })
}

// lineMapper returns a function that maps a line of the base's entry to the head's suite. If the entries differ, the function
// returns otherwise.
func (s selectedCase) lines() func(was, otherwise int) int {
	shift := s.Pos.Line - s.Was.Pos.Line
	sameSetting := func(a, b judge.Setting) bool { return a.Key == b.Key && a.Value == b.Value }
	sameCheck := func(a, b judge.Check) bool { return a.Gate == b.Gate && a.Pos.Line+shift == b.Pos.Line }
	same := slices.EqualFunc(s.as.Settings, s.Settings, sameSetting) && slices.EqualFunc(s.as.Checks, s.Checks, sameCheck)
	return func(was, otherwise int) int {
		if same && was > 0 {
			return was + shift
		}
		return otherwise
	}
}

// lineOf returns the line of the head's gate with a name, if it is in the suite's file; otherwise the line of the case.
func (s selectedCase) lineOf(gate string) int {
	for _, check := range s.Checks {
		if check.Gate.Name == gate && check.Pos.File == s.Suite.File {
			return check.Pos.Line
		}
	}
	return s.Pos.Line
}

// hasCassettes reports whether a file exists for each of the case's paths and globs.
func (c *checker) hasCassettes(s selectedCase) bool {
	files, errs := c.cassettes(s)
	isGone := func(name string) bool { return !source.Stands(c.fsys, name) }
	return len(errs) == 0 && !slices.ContainsFunc(files, isGone)
}
