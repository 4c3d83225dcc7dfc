package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/staleness"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// outcome is the result of one case.
type outcome struct {
	report.Case
	problems, warnings []report.Problem
	shared             []sharedWarning
	seen               []seenServer
	vague              bool // the case also passes with vague descriptions
}

// evaluateCase gathers the evidence of a case, compares it with today's snapshots, and lets the gates of the head's suite and then
// those of the base's suite judge it. Any fault becomes the case's own error.
func (c *checker) evaluateCase(s selectedCase) outcome {
	if s.judgedAs != nil {
		return c.evaluateByBase(s)
	}
	out := c.evaluateOn(s, func() evidence { return c.gather(s) })
	if s.removed && out.Err != nil {
		one := *out.Err
		one.Message, out.Err = "the change removes the case, and the base's suite judges it (gates-from: base): "+one.Message, &one
	}
	return out
}

// evaluateOn evaluates a case on the evidence that gather returns, by its own gates and, if s.byBoth is set, by the base's gates,
// too.
func (c *checker) evaluateOn(s selectedCase, gather func() evidence) (out outcome) {
	out.Case = s.emptyReport()
	out.Verdict, out.Settings, out.Complexity = judge.Error, settingsOf(s), complexityOf(s.Case)
	out.noteModel(s.Model)
	if !s.IsJudged() {
		out.noteUnjudged(s)
		return out
	}
	if c.ctx.Err() != nil {
		out.noteInterruption(s)
		return out
	}
	defer recoverFault(s.Pos, func(err *judge.Problem) { out.Verdict, out.Err = judge.Error, err })
	e := gather()
	out.noteEvidence(s, e)
	if s.replays {
		out.warnings = append(out.warnings, s.warning("%q is new in this change, so that its recording is judged and nothing is "+
			"started for it (gates-from: base, live-from: base)", s.DisplayName()))
	}
	a := c.assess(c.onBaseCatalogs(s), e)
	out.noteAssessment(a)
	j := c.judge(s, a)
	c.noteJudgement(&out, s, e, j)
	out.decideAgain(a, j)
	out.vague = passesVaguely(s, e, j)
	if s.byBoth {
		out.Base = c.judgementOfBase(s, e, j.verdict)
	}
	if s.Was != nil {
		c.noteLostRuns(s, &out, e)
	}
	return out
}

// noteAssessment adds the freshness and the warnings that the comparison with today's tools found.
func (out *outcome) noteAssessment(a assessment) {
	out.Freshness = a.freshness
	out.warnings, out.shared = append(out.warnings, a.warnings...), append(out.shared, a.shared...)
}

func (out *outcome) decideAgain(a assessment, j judgement) {
	if f := out.Freshness; f != nil {
		isOld := f.State != report.Fresh && f.State != report.Touched
		out.Again = isOld || len(a.refused)+len(j.short) > 0
	}
}

func (out *outcome) noteInterruption(s selectedCase) {
	out.Err = problem(s.Pos, "was not evaluated: the check was interrupted", report.ExitWorld)
}

func (s selectedCase) emptyReport() report.Case {
	c := report.Case{ID: s.ID, Suite: s.Suite.File, Name: s.Name, Model: report.Optional(s.Model), Line: s.Pos.Line, Removed: s.removed}
	c.Kind = s.Kind.Gate()
	if c.Kind != "" && s.Case.Catalog != nil && s.Case.Catalog.File != s.Suite.File {
		c.Catalog = s.Case.Catalog.File
	}
	return c
}

// noteUnjudged notes the reason why no gate judges the case: its entry in the suite has mistakes, or it is left out.
func (out *outcome) noteUnjudged(s selectedCase) {
	if s.LeftOut != nil {
		out.Verdict, out.LeftOut = judge.Skipped, report.Optional(s.LeftOut.Reason)
	}
	if len(s.Mistakes) == 0 {
		return
	}
	if s.LeftOut == nil {
		out.LeftOut = report.HasMistakes
	}
	const mostListed = 10
	first := s.Mistakes[0]
	says := func(err *source.Error) string { return fmt.Sprintf("; line %d: %s", err.Pos.Line, err.Msg) }
	others := lists.First(s.Mistakes[1:], mostListed-1, says, "; and "+judge.CountOf(len(s.Mistakes)-mostListed, "further mistake"))
	out.Verdict, out.Err = judge.Error, problem(first.Pos, first.Msg+strings.Join(others, ""), report.ExitUser)
}

func complexityOf(c *suite.Case) report.Optional {
	for _, check := range c.Checks {
		if labeller, ok := check.Plan.Measurer.(judge.Labeller); ok && labeller.Complexity() != "" {
			return report.Optional(labeller.Complexity())
		}
	}
	return ""
}

// noteModel notes in the report if the agent was not a model.
func (out *outcome) noteModel(model string) {
	out.ModelNote = report.Optional(trace.ModelNote(model))
	out.TokenNote = report.Optional(trace.TokenNote(model))
}

// noteEvidence adds the parts of the evidence that the report shows for every verdict.
func (out *outcome) noteEvidence(s selectedCase, e evidence) {
	out.Cassettes, out.Recordings, out.RenewedBy = e.cassettes, e.recordings, staleness.RenewedBy(s.Case, e.trace)
	out.Unrecordable = !s.IsRecordable()
	out.problems, out.seen, out.Partial = e.problems, e.seen, e.kept != ""
	out.shared = append(out.shared, e.notes...)
	if e.trace != nil && e.trace.Model != "" { // the suite need not name the model of a replay
		out.noteModel(e.trace.Model)
	}
	if e.trace != nil && e.trace.AgentSHA256 != "" {
		out.ModelNote = report.Optional(trace.ProgramNote(&e.trace.Header))
	}
}

// noteJudgement adds the results of the gates, and what the report shows of the judged runs.
func (c *checker) noteJudgement(out *outcome, s selectedCase, e evidence, j judgement) {
	out.Gates, out.Expect, out.Verdict, out.Err = j.gates, j.expect, j.verdict, j.err
	out.Runs, out.Tokens, out.CostUSD = j.runs, j.tokens, j.cost
	if s.Kind == suite.AgentTest && e.trace != nil {
		c.keepShare(out, s, e.trace.Runs, j)
		out.shareSelection()
		out.Builtins = s.countHiddenBuiltins(e.trace)
		out.warnings = append(out.warnings, s.unqualifiedWarnings(e.trace, j.gates)...)
		scored, _ := e.trace.Split()
		if len(j.refused) > 0 || len(scored) == 0 {
			return
		}
		if unmet := staleness.UnmetFaults(s.Case, scored); unmet != nil {
			out.warnings = append(out.warnings, problemAt(unmet))
		}
	}
}

// recoverFault recovers from a fault of the program itself. It is deferred, so that the fault does not stop the other cases or end
// in an exit status that blames the user.
func recoverFault(pos source.Pos, note func(*judge.Problem)) {
	if fault := recover(); fault != nil {
		note(problem(pos, fmt.Sprintf("the checker broke on this case, please report it: %v", fault), report.ExitWorld))
	}
}

func problem(pos source.Pos, message string, exit int) *judge.Problem {
	return &judge.Problem{Message: message, Path: pos.File, Line: pos.Line, Exit: exit}
}

// faults are the reasons why the verdict on a case is an error.
type faults struct {
	refused source.Errors // the evidence does not fit the case as it is now
	short   source.Errors // there is too little evidence, but figures are still computed
	broken  source.Errors // faults of a live run that are not in the user's files
	run     int           // number of the run whose error is quoted; 0 if none is
}

func (f faults) problem() *judge.Problem {
	all := slices.Concat(f.refused, f.short, f.broken)
	if len(all) == 0 {
		return nil
	}
	messages := lists.Map(all, func(err *source.Error) string { return err.Msg })
	p := problem(all[0].Pos, strings.Join(messages, "; "), report.ExitUser)
	p.Run = f.run
	if len(f.broken) > 0 {
		p.Exit = report.ExitWorld
	}
	return p
}

func (s selectedCase) selects(run *trace.Run) bool { return judge.Selects(s.Checks, run) }
