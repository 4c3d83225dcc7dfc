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
// Unless verdict is Pass or Skipped, the base's gates do not judge, because the change did not weaken the suite.
func (c *checker) judgementOfBase(s selectedCase, e evidence, verdict judge.Verdict) *report.BaseJudgement {
	base := c.options.BaseSuites.checker
	e.trace = c.redactedBy(s.Was.Suite, s, e)
	head := basesuites.Head{Entry: s.Entry, Files: c.loader, Trace: e.trace, Catalog: e.catalog, Live: e.live, Recordings: e.recordings}
	readBase := func() *trace.Trace { return base.read(s.baseCase()).trace } // mistakes in the base's files are not the head's
	view := s.Was.See(head, readBase)
	out := view.Judgement()
	out.SameRuns = c.sameRuns(s, e)
	if verdict != judge.Pass && verdict != judge.Skipped {
		return out
	}
	if out.Fault = view.Fault; out.Fault != "" {
		return out
	}
	j := c.judgeView(view, s.Was)
	out.Verdict = j.verdict
	switch {
	case len(j.short) > 0:
		out.Reason = j.short[0].Msg
	case j.err != nil: // a gate broke, or needs more work than a case may take
		out.Fault = j.err.Message
	case j.verdict != judge.Pass && j.verdict != judge.Skipped:
		judged := &report.Case{Gates: j.gates, Expect: j.expect, Cut: &report.CaseCut{Expect: j.counted.list}}
		out.Reason = basesuites.FirstFailure(judged, s.Was.Case, view.Gone)
	}
	return out
}

// judgeView judges the head's evidence by a case of the base. A fault of the program becomes the error of the judgement.
func (c *checker) judgeView(view *basesuites.View, was *basesuites.Was) (j judgement) {
	defer recoverFault(was.Pos, func(err *judge.Problem) { j = judgement{verdict: judge.Error, err: err} })
	baseCase := selectedCase{Pair: basesuites.Pair{Entry: view.Case(), Was: was}}
	e := evidence{ofHead: true}
	if baseCase.Kind == suite.AgentTest {
		e.trace = view.Trace()
	} else {
		e.trace = c.catalogTrace(baseCase, view.Catalog())
	}
	return c.judge(baseCase, assessment{evidence: e})
}

// onBaseCatalogs returns a case of the head with the catalogs that the base's suite names, if FailOnStale is set and both suites
// judge the case.
func (c *checker) onBaseCatalogs(s selectedCase) selectedCase {
	if c.options.FailOnStale != suite.StaleDefault && s.byBoth {
		s.Case = basesuites.OnCatalogs(s.Was, s.Case, c.loader)
	}
	return s
}

// evaluateByBase evaluates a case of the head by its own suite, for the comparison, and by the base's suite, for the verdict.
func (c *checker) evaluateByBase(s selectedCase) (out outcome) {
	baseCase := *s.judgedAs
	if !baseCase.IsJudged() {
		out.Case = s.emptyReport()
		out.Settings, out.Complexity = settingsOf(s), complexityOf(s.Case)
		out.noteUnjudged(baseCase)
		out.Err = problem(s.Pos, basesuites.CannotJudgeMessage(baseCase.Mistakes), report.ExitUser)
		return out
	}
	if c.ctx.Err() != nil {
		out.Case, out.Verdict = s.emptyReport(), judge.Error
		out.noteInterruption(s)
		return out
	}
	defer recoverFault(s.Pos, func(err *judge.Problem) { out.Verdict, out.Err = judge.Error, err })
	e, ownEvidence, otherRuns := c.gatherBoth(s, baseCase)
	own := c.evaluateOn(s, func() evidence { return ownEvidence })
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
	if otherRuns && !out.Verdict.Broken() { // the base's suite also judges the recordings that only the head's suite names
		if other := c.evaluateIn(s, ownEvidence, own.Base); other.Verdict.Broken() {
			out = other
		}
	}
	out.Settings, out.Complexity, out.Base = own.Settings, own.Complexity, own.Base
	out.Own = &report.OwnJudgement{Verdict: own.Verdict, LeftOut: own.LeftOut}
	if s.IsJudged() {
		out.Cassettes, out.Recordings = own.Cassettes, own.Recordings // these fields are compared with the base's
	}
	isReplay := c.options.Live == nil // live runs are as many as the base's suite asks for, which can be too few for the head's
	if isReplay && own.Verdict.Broken() && !out.Verdict.Broken() {
		out.warnings = append(out.warnings, s.warning("%q does not pass by the change's own suite, and the base's judges (gates-from: base): %s",
			s.DisplayName(), own.firstFailure(s)))
	}
	if otherRuns {
		out.warnings = append(out.warnings, s.warning("%q is judged by the recordings that the base's suite names, too, because they are still "+
			"there: %q (gates-from: base)", s.DisplayName(), e.cassettes))
	}
	return out
}

// needsGoneTools reports whether the case passes by its own suite, and fails by the base's suite only because its gates need tools
// that were removed.
func (out *outcome) needsGoneTools() bool {
	base := out.Base
	if base == nil || out.Verdict.Broken() || !base.Verdict.Broken() {
		return false
	}
	hasOtherCause := base.Reason != "" || base.Fault != ""
	return len(base.Gone) > 0 && !hasOtherCause
}

func (out *outcome) firstFailure(s selectedCase) string {
	if out.Err != nil {
		return out.Err.Message
	}
	return cmp.Or(basesuites.FirstFailure(&out.Case, s.Case, nil), string(out.Verdict))
}

// withGivenInputs returns a case of the base with the inputs that the head's case gives its agent. Any other case is unchanged.
func (s selectedCase) withGivenInputs(live, toolsChanged bool) selectedCase {
	if s.headCase != nil {
		s.Case = basesuites.Given(s.Case, s.headCase, live, toolsChanged)
	}
	return s
}

func (s selectedCase) warning(format string, args ...any) report.Problem {
	return problemAt(&source.Error{Pos: s.Pos, Msg: fmt.Sprintf(format, args...)})
}

// gatherBoth returns the evidence that the base's suite asks for, and the evidence that the head's suite asks for. They are the
// same in a live check and if the suites name the same recordings. otherRuns is true if a replay has different recordings.
func (c *checker) gatherBoth(s, baseCase selectedCase) (ofBase, own evidence, otherRuns bool) {
	areRuns := s.Kind == suite.AgentTest && baseCase.Kind == suite.AgentTest
	switch {
	case c.options.Live != nil, !s.IsJudged():
		both := c.gather(baseCase)
		return both, both, false
	case areRuns && sameCassettes(s.Case, baseCase.Case):
		both := c.gather(s)
		return both, both, false
	}
	return c.gather(baseCase), c.gather(s), areRuns
}

// sameCassettes reports whether two cases name the same recordings, and read them in the same way.
func sameCassettes(a, b *suite.Case) bool {
	return slices.Equal(a.Cassettes, b.Cassettes) && reflect.DeepEqual(a.Log, b.Log)
}

// evaluateIn lets the base's suite judge a case of the head. shown is the base's judgement as the report shows it, which names the
// renamed tools; nil if there is none.
func (c *checker) evaluateIn(s selectedCase, e evidence, shown *report.BaseJudgement) (out outcome) {
	baseCase, names := *s.judgedAs, basesuites.NamesOf(shown)
	out.Case = s.emptyReport()
	out.noteModel(s.Model)
	e.seen = s.seenByHead(e.seen)
	out.noteEvidence(s, e)
	toolsChanged := shown != nil && len(shown.Renames)+len(shown.Servers)+len(shown.Gone) > 0
	a := c.assess(baseCase.withGivenInputs(e.live, toolsChanged), e)
	out.noteAssessment(a)
	switch {
	case baseCase.Kind == suite.AgentTest:
		a.trace = names.Trace(e.trace)
	case e.trace != nil && baseCase.Kind != suite.Findability: // a search finds a tool only by its current name
		a.trace = c.catalogTrace(baseCase, names.Catalog(e.catalog))
	}
	renamed := baseCase
	renamed.Entry = names.Called(baseCase.Entry, s.Model)
	j := c.judge(renamed, a)
	s.moveToHead(&j)
	c.noteJudgement(&out, baseCase, e, j)
	out.decideAgain(a, j)
	return out
}

// seenByHead replaces each server by the head's server of the same name, so that the report lists each server once.
func (s selectedCase) seenByHead(seen []seenServer) []seenServer {
	list := slices.Clone(seen)
	for i := range list {
		if server := s.Server(list[i].server.Name); server != nil {
			list[i].suite, list[i].server = s.Suite, server
		}
	}
	return list
}

// moveToHead moves the lines of a judgement by the base's suite to the head's file, because the report refers to that file. If the
// case's entry is unchanged, each line moves with it; otherwise a line moves to the head's gate of the same name, or to the case
// if there is none.
func (s selectedCase) moveToHead(j *judgement) {
	line := s.lineMapper()
	for i := range j.gates {
		g := &j.gates[i]
		move := func(was int) int { return line(was, s.gateLine(g.Gate)) }
		isIncluded := s.judgedAs.Checks[i].Pos.File != s.judgedAs.Suite.File
		if isIncluded {
			move = func(int) int { return s.Pos.Line } // the gate's own line is in the included file
		}
		moveLines(g, s.Suite.File, move)
	}
	for i := range j.expect {
		j.expect[i].Line = line(j.expect[i].Line, s.Pos.Line)
	}
	j.counted.moveLines(func(was int) int { return line(was, s.Pos.Line) })
}

// lineMapper returns a function that maps a line of the base's entry to the head's suite. If the entries differ, the function
// returns its second argument.
func (s selectedCase) lineMapper() func(was, otherwise int) int {
	shift := s.Pos.Line - s.Was.Pos.Line
	sameSetting := func(a, b judge.Setting) bool { return a.Key == b.Key && a.Value == b.Value }
	sameCheck := func(a, b judge.Check) bool { return a.Gate == b.Gate && a.Pos.Line+shift == b.Pos.Line }
	isUnchanged := slices.EqualFunc(s.judgedAs.Settings, s.Settings, sameSetting) && slices.EqualFunc(s.judgedAs.Checks, s.Checks, sameCheck)
	return func(was, otherwise int) int {
		if isUnchanged && was > 0 {
			return was + shift
		}
		return otherwise
	}
}

// gateLine returns the line of the head's gate with a name, if it is in the suite's file; otherwise the line of the case.
func (s selectedCase) gateLine(gate string) int {
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
