package check

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/weaken"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// evaluateByBase evaluates a case of the head by its own suite, for the comparison, and gives it the verdict of the base's.
func (c *checker) evaluateByBase(s selectedCase) (out outcome) {
	by := *s.as
	if !by.IsJudged() {
		out.Case = s.named()
		out.Settings, out.Complexity = settingsOf(s), complexityOf(s.Case)
		out.unjudged(by)
		out.Err = problem(s.Pos, cannotJudge(by.Mistakes), report.ExitUser)
		return out
	}
	if c.ctx.Err() != nil {
		out.Case, out.Verdict = s.named(), judge.Error
		out.interrupted(s)
		return out
	}
	defer survive(s.Pos, func(err *judge.Problem) { out.Verdict, out.Err = judge.Error, err })
	e, ofOwn, apart := c.gatherBoth(s, by)
	own := c.evaluateOn(s, func() evidence { return ofOwn })
	moved := (&verdictSuites{head: c}).moved([]selectedCase{s})
	if own.needsGoneTools() && !weaken.Softens(s.was.report, &own.Case, moved) {
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
	if apart && !out.Verdict.Broken() { // and what the head names beside or instead of it
		if other := c.evaluateIn(s, ofOwn, own.Base); other.Verdict.Broken() {
			out = other
		}
	}
	out.Settings, out.Complexity, out.Base = own.Settings, own.Complexity, own.Base
	out.Own = &report.OwnJudgement{Verdict: own.Verdict, LeftOut: own.LeftOut}
	if s.IsJudged() {
		out.Cassettes, out.Recordings = own.Cassettes, own.Recordings // which are compared with the base's
	}
	if own.Verdict.Broken() && !out.Verdict.Broken() && c.options.Live == nil { // live runs are of what the base asks for
		out.warnings = append(out.warnings, s.warning("%q does not pass by the change's own suite, and the base's judges (gates-from: base): %s",
			s.DisplayName(), own.firstFailure()))
	}
	if apart {
		out.warnings = append(out.warnings, s.warning("%q is judged by the recordings that the base's suite names, too, because they are still "+
			"there: %q (gates-from: base)", s.DisplayName(), e.cassettes))
	}
	return out
}

// needsGoneTools reports whether the case passes by its own suite, and fails by the base's for nothing but tools that are gone: a gate
// that needs one cannot hold.
func (out *outcome) needsGoneTools() bool {
	j := out.Base
	return j != nil && len(j.Gone) > 0 && j.Verdict.Broken() && j.Reason == "" && j.Fault == "" && !out.Verdict.Broken()
}

// warning returns one at the case.
func (s selectedCase) warning(format string, args ...any) report.Problem {
	return problemAt(&source.Error{Pos: s.Pos, Msg: fmt.Sprintf(format, args...)})
}

// gatherBoth returns the evidence of a case of the head by the base's suite and by its own. It is one and the same where both name
// the same recordings, and in a live check, in which the base's suite says what is run; apart says that they name others.
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

// sameCassettes reports whether two cases name the same recordings, and read them alike.
func sameCassettes(a, b *suite.Case) bool {
	return slices.Equal(a.Cassettes, b.Cassettes) && reflect.DeepEqual(a.Log, b.Log)
}

// evaluateIn has the base's suite judge for a case of the head. inEffect is its judgement without a look at whose
// evidence it is; nil when there is none.
func (c *checker) evaluateIn(s selectedCase, e evidence, inEffect *report.BaseJudgement) (out outcome) {
	by, before := *s.as, namesBefore(inEffect)
	out.Case = s.named()
	out.label(s.Model)
	e.seen = s.seenAs(e.seen)
	out.gathered(s, e)
	follows := before != nil || inEffect != nil && len(inEffect.Gone) > 0
	a := c.assess(by.asGiven(e.live, follows), e)
	out.assessed(a)
	a.trace = c.withOldNames(by, e, before)
	j := c.judge(by.withOldNames(before), a)
	s.place(&j)
	c.judged(&out, by, e, j)
	out.conclude(a, j)
	return out
}

// namesBefore returns the names that the base has for servers and tools which the head's suite calls otherwise; nil where it calls
// all of them as they were.
func namesBefore(j *report.BaseJudgement) nameBefore {
	if j == nil || len(j.Renames)+len(j.Servers) == 0 {
		return nil
	}
	servers := baseNames{}
	for _, one := range j.Servers {
		servers[one.New] = one.Old
	}
	return func(ref catalog.Ref) (catalog.Ref, bool) {
		ref, server := servers.ref(ref)
		ref, tool := j.Renames.Old(ref)
		return ref, server || tool
	}
}

// asGiven returns the case of the base with what the head's gives its agent, which the head's recordings are of: prompts, model,
// program and more servers, as far as it names them. In a live check the base's were given. With follows it has the head's servers and
// gates, too, because those of the base name tools that are gone.
func (s selectedCase) asGiven(live, follows bool) selectedCase {
	if s.names == nil {
		return s
	}
	one, head := *s.Case, s.names
	if head.HasPrompt && !live {
		one.HasPrompt, one.Prompt = true, head.Prompt
		one.HasSystemPrompt, one.SystemPrompt, one.Recorded = head.HasSystemPrompt, head.SystemPrompt, head.Recorded
	}
	if head.Model != "" && !live {
		one.Model = head.Model
	}
	if head.Agent != nil && !live {
		one.Agent = head.Agent
	}
	if !live {
		one.Servers = slices.Concat(one.Servers, without(head.Servers, one.Servers))
		more := func(name string) bool { return slices.Contains(s.ServerNames, name) }
		one.ServerNames = slices.Concat(one.ServerNames, slices.DeleteFunc(slices.Clone(head.ServerNames), more))
	}
	if follows {
		one.Checks, one.Members, one.Listed, one.Lost = head.Checks, head.Members, head.Listed, head.Lost
		one.Servers, one.ServerNames = head.Servers, head.ServerNames
	}
	s.Case = &one
	return s
}

// withOldNames returns the case of the base with the head's tools under the names that its gates know, and with the head's model where
// the base has a price for it.
func (s selectedCase) withOldNames(before nameBefore) selectedCase {
	one := *s.Case
	if before != nil {
		one.Servers = oldServers(s.Servers, before)
	}
	if s.names != nil {
		if _, priced := s.suite.Pricing[s.names.Model]; priced {
			one.Model = s.names.Model
		}
	}
	s.Case = &one
	return s
}

// withOldNames returns the trace of evidence with the tools under the names that the base's gates know.
func (c *checker) withOldNames(by selectedCase, e evidence, before nameBefore) *trace.Trace {
	switch {
	case before == nil || e.trace == nil:
		return e.trace
	case by.Kind == suite.AgentTest:
		return oldTrace(e.trace, before)
	}
	return c.catalogTrace(by.Case, oldCatalog(e.catalog, before))
}

// seenAs returns the servers whose tools runs have shown as those of the head's suite, which a report lists once each.
func (s selectedCase) seenAs(seen []seenServer) []seenServer {
	list := slices.Clone(seen)
	for i := range list {
		if server := serverIn(s.Servers, list[i].server.Name); server != nil {
			list[i].suite, list[i].server = s.suite, server
		}
	}
	return list
}

// firstFailure says why the case does not pass.
func (out *outcome) firstFailure() string {
	if out.Err != nil {
		return out.Err.Message
	}
	for i := range out.Gates {
		if message := failure(&out.Gates[i]); message != "" {
			return message
		}
	}
	for _, e := range out.Expect {
		if e.Verdict == judge.Fail {
			return fmt.Sprintf("run %d: %s", e.Run, e.Message)
		}
	}
	for _, e := range out.RunExpectations() {
		if e.Failed > 0 {
			return fmt.Sprintf("%s: %s is not %s", judge.CountOf(e.Failed, "run"), e.Target, e.Matcher)
		}
	}
	return string(out.Verdict)
}

// place moves a judgement by the base's suite to the head's, in which the report has its lines: where the case's entry reads as in
// the base, to the same line of it, else to the gate of that name, else to the case.
func (s selectedCase) place(j *judgement) {
	line := s.lines()
	for i := range j.gates {
		g := &j.gates[i]
		at := func(was int) int { return line(was, s.lineOf(g.Gate)) }
		if s.as.Checks[i].Pos.File != s.as.suite.File {
			at = func(int) int { return s.Pos.Line } // where an included file's gates stand
		}
		g.Line = at(g.Line)
		for k := range g.Assertions {
			g.Assertions[k].Line = at(g.Assertions[k].Line)
		}
		for k := range g.Notes {
			if g.Notes[k].Line > 0 {
				g.Notes[k].Line = at(g.Notes[k].Line)
			}
		}
		if g.Err != nil {
			g.Err.Path, g.Err.Line = s.suite.File, g.Line
		}
	}
	for i := range j.expect {
		j.expect[i].Line = line(j.expect[i].Line, s.Pos.Line)
	}
	j.counted.moveLines(func(was int) int { return line(was, s.Pos.Line) })
}

// lines returns a function that gives a line of the base's entry in the head's suite: otherwise, where the entries differ.
func (s selectedCase) lines() func(was, otherwise int) int {
	shift := s.Pos.Line - s.was.Pos.Line
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

// lineOf returns the line of the head's gate of a name, in the suite's file; else that of the case.
func (s selectedCase) lineOf(gate string) int {
	for _, check := range s.Checks {
		if check.Gate.Name == gate && check.Pos.File == s.suite.File {
			return check.Pos.Line
		}
	}
	return s.Pos.Line
}
