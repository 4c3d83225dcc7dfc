package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// exitInput is the exit status if evidence is missing in the user's files.
const exitInput = 2

// Evaluate measures and judges the checks of one case on its trace tr, which it does not change. It judges only finished runs that
// every check selects. name is the case's display name, for lines of text. The cost is added to w.
func (w *Work) Evaluate(name string, checks []Check, tr *trace.Trace) []Result {
	views := newBuiltinViews(selectRuns(checks, tr))
	results := make([]Result, len(checks))
	for i, check := range checks {
		results[i] = check.evaluate(name, views.viewFor(check), w)
		if results[i].Err == nil {
			check.Plan.addHuntNotes(views.view, &results[i].Grounds)
		}
	}
	return results
}

// selectRuns returns a trace whose Runs are the runs to judge. Finished runs that are not judged are in its Others.
func selectRuns(checks []Check, tr *trace.Trace) *trace.Trace {
	scored, failed := tr.Split()
	selects := slices.ContainsFunc(checks, Check.hasSelector)
	if len(failed) == 0 && !selects {
		return tr
	}
	view := *tr
	if !selects {
		view.Runs = scored
		return &view
	}
	view.Runs, view.Others = nil, slices.Clone(tr.Others)
	for i := range scored {
		if Selects(checks, &scored[i]) {
			view.Runs = append(view.Runs, scored[i])
			continue
		}
		view.Others = append(view.Others, scored[i])
	}
	return &view
}

// hasSelector reports whether the gate chooses the runs that are judged.
func (c Check) hasSelector() bool {
	_, ok := c.Plan.Measurer.(Selector)
	return ok
}

// evaluate measures the view and judges the figures. Missing evidence is an error of the gate.
func (c Check) evaluate(name string, view *trace.Trace, work *Work) Result {
	r := Result{Gate: c.Gate.Name, Line: c.Pos.Line, Assertions: []Assertion{}, MaxDrop: c.Plan.MaxDrop}
	m := Measurement{Err: missingEvidence(c.Gate.Needs, view)}
	if m.Err == "" {
		m = c.Plan.Measure(view)
		work.add(m.Steps)
		m.Err = cmp.Or(m.Err, work.Excess(), m.dropUnknown())
	}
	r.Grounds, r.Metrics = m.Grounds, make(map[string]Value, len(m.Values))
	for target, v := range m.Values {
		if _, _, ok := FindTarget(c.Gate.Targets, target); ok {
			r.Metrics[target] = v
		}
	}
	hasNoFigures := c.Gate.Needs&NeedRuns != 0 && len(r.Metrics) == 0
	hasCalls := func(run trace.Run) bool { return len(run.Calls) > 0 }
	if m.Err == "" && hasNoFigures && !slices.ContainsFunc(view.Runs, hasCalls) {
		m.Err = NoCall + ": nothing to judge"
	}
	if m.Err != "" {
		r.fail(c.Pos, m.Err)
		return r
	}
	c.judge(&r, m, work)
	r.addHeadline(name, m)
	return r
}

func (r *Result) addHeadline(name string, m Measurement) {
	if m.Summary == "" {
		return
	}
	r.Headline = fmt.Sprintf("%s floor [%s] %s: %s", strings.ReplaceAll(r.Gate, "_", "-"), strings.ToUpper(string(r.Verdict)), name, m.Summary)
	for i := range r.Assertions {
		if a := &r.Assertions[i]; a.Verdict == Fail || a.Verdict == Error {
			a.Breach = m.Breach(a)
			a.Breach.Case = name
		}
	}
}

// missingEvidence returns a message about missing evidence that a gate needs, with advice on how to supply it; "" if nothing is
// missing.
func missingEvidence(needs Need, view *trace.Trace) string {
	needsRuns, needsCatalog, needsTokens := needs&NeedRuns != 0, needs&NeedCatalog != 0, needs&NeedTokens != 0
	lacksRuns, lacksCatalog := needsRuns && len(view.Runs) == 0, needsCatalog && view.Catalog == nil
	switch {
	case lacksRuns && len(view.Others) > 0:
		return fmt.Sprintf("there is no run to judge: %s finished, none of them at this gate's setting; %s", CountOf(len(view.Others), "run"), view.Renewal())
	case lacksRuns:
		return "there is no run to judge: no recorded run finished; " + view.Renewal()
	case lacksCatalog && !needsRuns:
		return "there is no tool catalog: the server has no snapshot of its tools; give it a catalog:, or name one here"
	case lacksCatalog:
		return "there is no tool catalog: the cassette holds none and the servers have no snapshot; " + view.Renewal() + ", or give the servers a catalog:"
	case needsCatalog && len(view.Catalog.Tools) == 0:
		return ListsNoTools(view.Catalog)
	case needsRuns && needsTokens && view.Surface == trace.Known(0):
		return "the judged runs were offered no tools, so there are no tokens to set against them; " + view.Renewal()
	}
	if !needsTokens || view.Surface.Known {
		return ""
	}
	onlySomeAbsent := view.Deferred != nil || view.Catalog.SchemasUnknown() > 0 // the gate gives the reason for each absent figure
	if !onlySomeAbsent {
		return "the tools that the runs saw are not known, so their tokens cannot be counted; " + view.Renewal() + ", or give the servers a catalog:"
	}
	return ""
}

// NoCall is the reason why figures about calls are absent if no judged run has a call.
const NoCall = "no run called a tool"

// ListsNoTools returns the message about a catalog that is empty.
func ListsNoTools(cat *catalog.Catalog) string {
	name := "the tool catalog"
	if cat.File != "" {
		name += " " + Clip(cat.File)
	}
	return name + " " + cat.ListsNone()
}

// judge judges the figures by the expectations. An expectation that cannot be judged is an error of the gate.
func (c Check) judge(r *Result, m Measurement, work *Work) {
	verdicts := make([]Verdict, 0, len(c.Plan.Expect))
	r.Assertions = make([]Assertion, 0, len(c.Plan.Expect))
	for _, e := range c.Plan.Applying(m.Values) {
		a := e.judge(m, work)
		if a.Message != "" {
			a.Says = e.Message
		}
		if e.Pos.Line == 0 {
			a.Line = c.Pos.Line
		}
		if a.Verdict == Error && r.Err == nil {
			r.fail(source.Pos{File: c.Pos.File, Line: a.Line}, a.Message)
		}
		r.Assertions = append(r.Assertions, a)
		verdicts = append(verdicts, a.Verdict)
	}
	r.Verdict = Combine(verdicts...)
}

func (r *Result) fail(pos source.Pos, message string) {
	r.Verdict = Error
	r.Err = &Problem{Message: message, Path: pos.File, Line: pos.Line, Exit: exitInput}
}

// Applying returns the expectations that apply to these figures. If one expectation replaces another, only one of them is
// returned.
func (p Plan) Applying(figures map[string]Value) (list []Expectation) {
	if !slices.ContainsFunc(p.Expect, func(e Expectation) bool { return e.hasReplacement }) {
		return p.Expect // the usual case; copying very many expectations would take long
	}
	for _, e := range p.Expect {
		_, hasFigure := figures[e.Target]
		_, otherApplies := figures[e.Unless]
		if !otherApplies && (hasFigure || !e.hasReplacement) {
			list = append(list, e)
		}
	}
	return list
}

func (e Expectation) judge(m Measurement, work *Work) Assertion {
	if v, ok := m.Values[e.Target]; ok {
		detail, instead := m.Detail[e.Target], m.Absent[e.Unless]
		if instead != "" {
			detail = strings.TrimPrefix(detail+"; "+instead, "; ")
		}
		a := e.judgeValue(v, detail, work)
		a.Instead = instead
		return a
	}
	return e.judgeAbsent(cmp.Or(m.Absent[e.Target], "there is no evidence for it"))
}

// judgeValue compares a value; detail explains the value, and may be empty.
func (e Expectation) judgeValue(actual any, detail string, work *Work) Assertion {
	a := Assertion{Target: e.Target, K: e.K, Matcher: e.Matcher.String(), Actual: actual, Verdict: Pass, Line: e.Pos.Line}
	ok, why := e.Matcher.Match(actual, work)
	if excess := work.Excess(); excess != "" {
		a.Verdict, a.Message = Error, excess
		return a
	}
	if ok {
		return a
	}
	a.Verdict = Fail
	found := Clip(ActualText(beginning(actual)))
	a.Message = e.explain(fmt.Sprintf("%s is %s, expected %s", e.Target, found, Clip(a.Matcher)), why, detail)
	return a
}

// beginning returns the part of an actual value that a message needs, because a text can be as long as a recording.
func beginning(actual any) any {
	const enough = 1000 // in bytes; a message shows at most 200 characters
	if text, ok := actual.(string); ok && len(text) > enough {
		return text[:enough]
	}
	return actual
}

// judgeAbsent judges an expectation whose figure is absent. why is the reason, with advice.
func (e Expectation) judgeAbsent(why string) Assertion {
	a := Assertion{Target: e.Target, K: e.K, Matcher: e.Matcher.String(), Verdict: Fail, Line: e.Pos.Line}
	switch {
	case e.SkipAbsent:
		a.Verdict = Skipped
	case e.ErrorAbsent:
		a.Verdict = Error
	}
	a.Message = e.explain(e.Target + " is absent: " + why)
	return a
}

func (e Expectation) explain(failure string, details ...string) string {
	for _, detail := range details {
		if detail != "" {
			failure += " (" + detail + ")"
		}
	}
	if e.Message == "" {
		return failure
	}
	return e.Message + ": " + failure
}
