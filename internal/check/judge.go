package check

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/staleness"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/trace"
)

// judgement is the result of judging evidence by the gates of a suite.
type judgement struct {
	gates       []judge.Result
	expect      []report.RunAssertion
	counted     tally                 // assertions on runs that are not in expect
	rowVerdicts map[int]judge.Verdict // verdicts of the runs whose expectations do not pass, by run
	verdict     judge.Verdict
	runs        report.Runs
	tokens      *report.Tokens
	cost        report.Optional
	faults
	err *judge.Problem // made from the faults; nil if there are none
}

// judge applies the gates and expectations of a case to the evidence, which it does not change.
func (c *checker) judge(s selectedCase, e assessment) judgement {
	j := judgement{verdict: judge.Error, faults: e.faults}
	if e.trace != nil {
		tr := *e.trace
		if s.Kind == suite.AgentTest {
			c.judgeRuns(&j, s, e, &tr)
		} else {
			j.setGates(new(judge.Work).Evaluate(s.DisplayName(), s.Checks, &tr))
		}
	}
	j.moveToTest(s)
	if j.err = j.problem(); j.err != nil {
		j.verdict = judge.Error
	}
	return j
}

// judgeRuns judges the runs that finished. It changes tr, which is a copy of the case's trace.
func (c *checker) judgeRuns(j *judgement, s selectedCase, e assessment, tr *trace.Trace) {
	tr.Runs = withCosts(s, tr)
	c.completeTrace(s, tr)
	all := tr.Runs
	scored, failed := tr.Split()
	j.faults = runFaults(s, e.evidence, c.requiredRuns(s), all, failed)
	j.runs = report.Runs{Recorded: len(all), Scored: len(scored), Errors: len(failed)}
	j.tokens, j.cost = sumTokens(scored), sumCost(all)
	if len(j.refused) > 0 || len(scored) == 0 {
		return
	}
	var work judge.Work
	tr.Runs, tr.FailedCost = work.FindErrors(scored, s.ErrorPattern), costOf(failed)
	c.judgeRunExpectations(j, s, tr, &work)
	j.setGates(work.Evaluate(s.DisplayName(), s.Checks, tr))
	if excess := work.Excess(); excess != "" { // the results are incomplete
		j.refused.Addf(s.Pos, "%s", excess)
		j.gates = nil
		j.forgetRuns()
	}
}

func (j *judgement) setGates(gates []judge.Result) {
	j.gates, j.verdict = gates, judge.Skipped
	for _, g := range gates {
		j.verdict = judge.Combine(j.verdict, g.Verdict)
	}
	for _, e := range j.expect {
		j.verdict = judge.Combine(j.verdict, e.Verdict)
	}
	for _, e := range j.counted.list {
		j.verdict = judge.Combine(j.verdict, e.Verdict())
	}
}

func (c *checker) requiredRuns(s selectedCase) int {
	if c.options.JudgeRun > 0 {
		return 0
	}
	return s.Case.Runs
}

// runFaults returns the faults of the evidence, including runs that did not finish and fewer runs than wanted.
func runFaults(s selectedCase, e evidence, wanted int, all, failed []trace.Run) faults {
	f := e.faults
	judged := lists.Count(all, func(run trace.Run) bool { return s.selects(&run) })
	if judged < wanted && !e.live {
		has := "the cassette has"
		if e.ofHead {
			has = "there are" // the runs may have been made just now, so that no recording "has" them
		}
		message := fmt.Sprintf("%s %d of the %d runs that the suite asks for", has, judged, wanted)
		f.short.Addf(s.CassettePos, "%s", e.withAdvice(s, message, `, or lower "runs"`))
	}
	areTolerated := len(failed) < len(all) && len(failed) <= s.AllowRunErrors
	isExplained := e.live && len(f.short)+len(f.broken) > 0
	if len(failed) == 0 || areTolerated || isExplained {
		return f
	}
	first := &failed[0]
	const mostQuoted = 2000 // a recording can contain any text
	quoted := fmt.Sprintf("(run %d: %s)", first.Number, limitText(first.Error, mostQuoted))
	message := fmt.Sprintf("%d of %d runs did not finish %s", len(failed), len(all), quoted)
	switch {
	case e.live: // in a live run, the servers or the provider are at fault
		f.broken.Addf(s.Pos, "%s%s", message, e.toleranceAdvice())
	case len(failed) == len(all):
		f.short.Addf(first.Pos, "%s", e.withAdvice(s, "no run finished "+quoted, ""))
	default:
		f.short.Addf(first.Pos, "%s", e.withAdvice(s, message, `, or allow some with "allow_run_errors"`))
	}
	f.run = first.Number
	return f
}

// withAdvice adds advice for the head's author to the message of a fault. It adds none if the base's suite judges, because the
// author cannot change that suite.
func (e evidence) withAdvice(s selectedCase, message, moreAdvice string) string {
	if e.ofHead {
		return message
	}
	return message + "; " + staleness.Again(s.Case, e.trace) + moreAdvice
}

// maxAsserted bounds the bytes that a case's expectations of each run add to the report, because a suite can have any number of
// expectations, and a cassette any number of runs.
const maxAsserted = 64 << 20

// leastAsserted is the number of bytes that the expectations of a case may always add to the report, even in a check of many cases.
// It is enough for a few runs.
const leastAsserted = 8 << 10

// judgeRunExpectations judges the expectations on each run. If their results are too large for the report, it refuses the case.
func (c *checker) judgeRunExpectations(j *judgement, s selectedCase, tr *trace.Trace, work *judge.Work) {
	if s.Expect.Empty() {
		return
	}
	j.rowVerdicts = make(map[int]judge.Verdict, len(tr.Runs))
	room := runRoom{all: c.share.runs, broken: c.share.runs, bytes: max(c.share.bytes, leastAsserted)}
	visible := s.Expect.Visible(tr)
	size := 0
	var run trace.Run
	for i := range tr.Runs {
		if !s.selects(&tr.Runs[i]) {
			continue
		}
		run = visible(&tr.Runs[i])
		if s.Expect.NeedsTokens() {
			run.ResponseTokens = trace.Known(int64(tokens.Counter{}.Text(run.FinalResponse)))
		}
		asserted := work.Judge(s.Expect, &run)
		for _, a := range asserted {
			size += sizeOf(a)
		}
		if size > maxAsserted {
			j.forgetRuns()
			j.refused.Addf(s.Pos, "its expectations of each run take more than %d bytes of the report; "+
				"expect less of each, or have more cases with fewer runs", maxAsserted)
			return
		}
		j.addExpectations(run.Number, asserted, &room)
	}
	j.removeDropped()
}

// runRoom is the room that is left for expectations in a case's list.
type runRoom struct {
	all    int // number of runs
	broken int // number of runs with a broken expectation, which are listed even if there is no room for other runs
	bytes  int

	unbroken []int // for each listed run that is not broken, the index of its first expectation in the list
	reusable int   // bytes of these runs
}

// addExpectations adds the judged expectations of a run to the list, if there is room for another run or for another broken run.
// If the bytes do not suffice for a broken run, the last listed runs that are not broken make room for it.
func (j *judgement) addExpectations(run int, asserted []judge.Assertion, room *runRoom) {
	verdict, size := judge.Skipped, 0
	for i := range asserted {
		verdict = judge.Combine(verdict, asserted[i].Verdict)
		size += sizeOf(asserted[i])
	}
	if verdict != judge.Pass {
		j.rowVerdicts[run] = verdict
	}
	hasRoom := room.all > 0 || verdict.Broken() && room.broken > 0
	if verdict.Broken() && hasRoom && size <= room.bytes+room.reusable {
		for size > room.bytes {
			j.dropUnbroken(room)
		}
	}
	if !hasRoom || size > room.bytes {
		for i := range asserted {
			j.counted.add(&asserted[i])
		}
		return
	}
	room.all, room.bytes = room.all-1, room.bytes-size
	if verdict.Broken() {
		room.broken--
	} else if len(asserted) > 0 {
		room.unbroken, room.reusable = append(room.unbroken, len(j.expect)), room.reusable+size
	}
	for i := range asserted {
		j.expect = append(j.expect, report.RunAssertion{Run: run, Assertion: asserted[i]})
	}
}

// dropUnbroken counts the expectations of the last listed run that is not broken, and marks them for removal from the list.
func (j *judgement) dropUnbroken(room *runRoom) {
	last := len(room.unbroken) - 1
	start := room.unbroken[last]
	room.unbroken = room.unbroken[:last]
	for i, run := start, j.expect[start].Run; i < len(j.expect) && j.expect[i].Run == run; i++ {
		size := sizeOf(j.expect[i].Assertion)
		room.bytes, room.reusable = room.bytes+size, room.reusable-size
		j.counted.add(&j.expect[i].Assertion)
		j.expect[i].Run = droppedRun
	}
}

// droppedRun is the run of an expectation that was listed and is removed at the end. Numbers of runs begin with 1.
const droppedRun = 0

func (j *judgement) removeDropped() {
	j.expect = slices.DeleteFunc(j.expect, func(a report.RunAssertion) bool { return a.Run == droppedRun })
}

func (j *judgement) forgetRuns() { j.expect, j.counted, j.rowVerdicts = nil, tally{}, nil }

// sizeOf returns the estimated size of an assertion in a report, in bytes.
func sizeOf(a judge.Assertion) int {
	size := 64 + len(a.Target) + len(a.Matcher) + len(a.Message)
	switch actual := a.Actual.(type) {
	case string:
		size += len(actual)
	case []string:
		for _, s := range actual {
			size += len(s) + 3
		}
	case jsontext.Value:
		size += len(actual)
	}
	return size
}

// moveToTest moves the lines of gates and expectations in an included file to the line of the test, because the lines of a
// report refer to the suite's file. Messages of mistakes keep their position in the included file.
func (j *judgement) moveToTest(s selectedCase) {
	isElsewhere := func(at source.Pos) bool { return at.Line > 0 && at.File != s.Suite.File }
	atTest := func(int) int { return s.Pos.Line }
	for i := range j.gates {
		g, check := &j.gates[i], s.Checks[i]
		hasClassElsewhere := slices.ContainsFunc(check.Plan.Classes, func(c judge.Class) bool { return isElsewhere(c.Pos) })
		if isElsewhere(check.Pos) {
			moveLines(g, s.Pos.File, atTest)
		} else if hasClassElsewhere {
			moveNotes(g, func(int) int { return g.Line })
		}
	}
	if isElsewhere(s.Expect.Pos()) {
		for i := range j.expect {
			j.expect[i].Line = s.Pos.Line
		}
		j.counted.moveLines(atTest)
	}
}

// moveLines changes the lines of a gate and of everything in it that has a line.
func moveLines(g *judge.Result, file string, line func(was int) int) {
	g.Line = line(g.Line)
	for i := range g.Assertions {
		g.Assertions[i].Line = line(g.Assertions[i].Line)
	}
	moveNotes(g, line)
	if g.Err != nil {
		g.Err.Path, g.Err.Line = file, g.Line
	}
}

// moveNotes changes the lines of those notes that have a line of their own.
func moveNotes(g *judge.Result, line func(was int) int) {
	for i := range g.Notes {
		if g.Notes[i].Line > 0 && g.Notes[i].Path == "" {
			g.Notes[i].Line = line(g.Notes[i].Line)
		}
	}
}
