package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// outcome is what became of one case.
type outcome struct {
	report.Case
	problems, warnings []report.Problem
	seen               []seenServer
}

// caseCheck is the evaluation of one case.
type caseCheck struct {
	*checker
	selectedCase
	out outcome

	// refused holds why the evidence says nothing about the case as it stands today, short why there is too little of
	// it: figures are worked out for the latter alone.
	refused, short source.Errors

	broken source.Errors // what else than the user's files failed in a live run

	work     judge.Work // of matching regular expressions
	asserted int        // bytes that expectations of each run add to the report

	told int // the run whose error is among these; 0 for none

	judged *trace.Trace // the runs as they were found, for the base's suite to judge; nil unless it does
	byBase bool         // the base's suite judges: its word on evidence and prompts does not count
}

// evaluateCase evaluates one case. Whatever goes wrong with it is its own error.
func (c *checker) evaluateCase(selected selectedCase) outcome {
	k := &caseCheck{checker: c, selectedCase: selected}
	k.out.Case = selected.named()
	k.out.Verdict, k.out.Settings, k.out.Complexity = judge.Error, settingsOf(selected.Case), complexityOf(selected.Case)
	k.label(selected.Model)
	if err := c.ctx.Err(); err != nil {
		k.out.Err = broken(selected.Pos, "was not evaluated: the check was interrupted")
		return k.out
	}
	k.evaluate()
	if k.base != nil {
		k.out.Base = k.base.judge(k)
	}
	return k.out
}

// named returns what names the case in a report.
func (s selectedCase) named() report.Case {
	c := report.Case{ID: s.ID, Suite: s.suite.File, Name: s.Name, Model: report.Optional(s.Model), Line: s.Pos.Line}
	if s.Kind != suite.AgentTest {
		c.Kind = s.Checks[0].Gate.Name
		if s.Case.Catalog != nil && s.Case.Catalog.File != s.suite.File {
			c.Catalog = s.Case.Catalog.File
		}
	}
	return c
}

// complexityOf returns the complexity of the case's task.
func complexityOf(c *suite.Case) report.Optional {
	for _, check := range c.Checks {
		if labeller, ok := check.Plan.Measurer.(judge.Labeller); ok && labeller.Complexity() != "" {
			return report.Optional(labeller.Complexity())
		}
	}
	return ""
}

// label says of an agent that is no model what it is. A suite that is only replayed need not name the model that its
// recordings name.
func (k *caseCheck) label(model string) {
	k.out.ModelNote = report.Optional(trace.ModelNote(model))
	k.out.TokenNote = report.Optional(trace.TokenNote(model))
}

// broken returns the error of a case that does not come of the user's files.
func broken(pos source.Pos, message string) *judge.Problem {
	return &judge.Problem{Message: message, Path: pos.File, Line: pos.Line, Exit: report.ExitWorld}
}

// evaluate fills in the outcome.
func (k *caseCheck) evaluate() {
	defer k.survive()
	switch {
	case k.Kind != suite.AgentTest:
		if k.findTools(); len(k.broken) == 0 && len(k.refused) == 0 {
			k.judge(k.catalogTrace(), nil)
		}
	default:
		if tr := k.evidence(); tr != nil {
			k.agentTest(tr)
		}
	}
	k.conclude()
}

// survive is deferred: a fault of the program itself must not take the other cases with it, nor end with an exit status
// that blames the user.
func (k *caseCheck) survive() {
	if fault := recover(); fault != nil {
		k.out.Verdict = judge.Error
		k.out.Err = broken(k.Pos, fmt.Sprintf("the checker broke on this case, please report it: %v", fault))
	}
}

// evidence returns the case's runs; nil when there are none to judge, which it then notes.
func (k *caseCheck) evidence() *trace.Trace {
	if k.options.Live != nil {
		return k.runLive()
	}
	return k.read()
}

// agentTest evaluates runs.
func (k *caseCheck) agentTest(tr *trace.Trace) {
	k.label(cmp.Or(tr.Model, k.Model))
	k.noteSeen(tr.Recorded, tr.Distractors)
	k.checkStale(tr)
	if k.base != nil {
		found := *tr
		k.judged = &found
	}
	all := tr.Runs
	k.judgeRuns(tr)
	k.out.Rows = k.rows(all)
}

// judgeRuns has gates and expectations judge the runs.
func (k *caseCheck) judgeRuns(tr *trace.Trace) {
	k.price(tr)
	k.complete(tr)
	all := tr.Runs
	scored, failed := tr.Split()
	k.checkEnough(all, failed)
	k.out.Runs = report.Runs{Recorded: len(all), Scored: len(scored), Errors: len(failed)}
	k.out.Tokens = sumTokens(scored)
	k.out.CostUSD = sumCost(all)
	tr.Runs = scored
	if len(k.refused) == 0 && len(scored) > 0 {
		k.expect(scored)
		k.judge(tr, failed)
		k.checkWork()
	}
}

// judge has the gates judge the scored runs of tr.
func (k *caseCheck) judge(tr *trace.Trace, failed []trace.Run) {
	for _, run := range failed {
		if run.Cost.Known {
			tr.FailedCost = trace.Known(tr.FailedCost.N + run.Cost.N)
		}
	}
	k.out.Gates = k.work.Evaluate(k.DisplayName(), k.Checks, tr)
	k.out.Verdict = judge.Skipped
	for _, g := range k.out.Gates {
		k.out.Verdict = judge.Combine(k.out.Verdict, g.Verdict)
	}
	for _, e := range k.out.Expect {
		k.out.Verdict = judge.Combine(k.out.Verdict, e.Verdict)
	}
}

// conclude makes the case an error when its evidence is refused or short.
func (k *caseCheck) conclude() {
	all := slices.Concat(k.refused, k.short, k.broken)
	if len(all) == 0 {
		return
	}
	messages := make([]string, len(all))
	for i, err := range all {
		messages[i] = err.Msg
	}
	k.out.Err = userError(all[0].Pos, strings.Join(messages, "; "))
	k.out.Err.Run = k.told
	if len(k.broken) > 0 {
		k.out.Err.Exit = report.ExitWorld
	}
	k.out.Verdict = judge.Error
}

// isLive reports whether the runs were made for the case, as many as its suite asks for.
func (k *caseCheck) isLive() bool { return k.options.Live != nil && !k.byBase }

// selects reports whether the gates judge a run.
func (k *caseCheck) selects(run *trace.Run) bool { return judge.Selects(k.Checks, run) }

// checkEnough refuses to call too little evidence enough: runs that did not finish, and fewer runs than asked for.
func (k *caseCheck) checkEnough(all, failed []trace.Run) {
	judged := 0
	for i := range all {
		if k.selects(&all[i]) {
			judged++
		}
	}
	if judged < k.Case.Runs && !k.isLive() {
		k.tooFew(judged)
	}
	if len(failed) == 0 {
		return
	}
	first := &failed[0]
	if k.isLive() {
		k.checkFinished(all, failed)
		return
	}
	if len(failed) == len(all) || len(failed) > k.AllowRunErrors {
		k.told = first.Number
	}
	switch {
	case len(failed) == len(all):
		k.tooLittle(first.Pos, fmt.Sprintf("no run finished (run %d: %s)", first.Number, first.Error), "")
	case len(failed) > k.AllowRunErrors:
		what := fmt.Sprintf("%d of %d runs did not finish (run %d: %s)", len(failed), len(all), first.Number, first.Error)
		k.tooLittle(first.Pos, what, `, or allow some with "allow_run_errors"`)
	}
}

// tooFew notes how many runs there are of those that the suite asks for.
func (k *caseCheck) tooFew(judged int) {
	has := "the cassette has"
	if k.byBase {
		has = "there are" // which may have been made just now
	}
	k.tooLittle(k.CassettePos, fmt.Sprintf("%s %d of the %d runs that the suite asks for", has, judged, k.Case.Runs), `, or lower "runs"`)
}

// tooLittle notes that there is too little evidence. To record again is advice for the head's author, and other ways out
// are: what the base's suite asks for stands.
func (k *caseCheck) tooLittle(pos source.Pos, what, otherwise string) {
	if !k.byBase {
		what += "; " + k.again() + otherwise
	}
	k.short.Addf(pos, "%s", what)
}

// checkFinished is what checkEnough says of a live run, in which servers and providers are to blame.
func (k *caseCheck) checkFinished(all, failed []trace.Run) {
	if len(k.short)+len(k.broken) > 0 {
		return // said already why
	}
	if len(failed) == len(all) || len(failed) > k.AllowRunErrors {
		k.told = failed[0].Number
		k.broken.Addf(k.Pos, "%d of %d runs did not finish (run %d: %s)", len(failed), len(all), failed[0].Number, failed[0].Error)
	}
}

// expect judges what the case expects of each run.
func (k *caseCheck) expect(scored []trace.Run) {
	if k.Expect.Empty() {
		return
	}
	for i := range scored {
		run := &scored[i]
		if !k.selects(run) {
			continue
		}
		if k.Expect.NeedsTokens() {
			run.ResponseTokens = trace.Known(int64(k.counts.text(run.FinalResponse)))
		}
		for _, a := range k.work.Judge(k.Expect, run) {
			k.out.Expect = append(k.out.Expect, report.RunAssertion{Run: run.Number, Assertion: a})
			k.asserted += sizeOf(a)
		}
		if k.asserted > maxAsserted {
			k.refused.Addf(k.Pos, "what it expects of each run takes more than %d bytes of the report; expect less of each, or have more cases with fewer runs", maxAsserted)
			k.out.Expect = nil
			return
		}
	}
}
