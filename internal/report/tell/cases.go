package tell

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// sortCases sorts the cases: those that got worse first, then those that do not pass.
func (s *Story) sortCases() {
	weights := make([]int, len(s.report.Cases))
	for i := range s.report.Cases {
		weights[i] = s.weight(i)
		s.Cases = append(s.Cases, i)
		if weights[i] < unchangedWeight {
			s.Important++
		}
	}
	slices.SortStableFunc(s.Cases, func(a, b int) int { return cmp.Compare(weights[a], weights[b]) })
}

const unchangedWeight = 6

// weight returns a case's place in the order for readers. A case that got worse has the lowest weight, and comes first.
func (s *Story) weight(i int) int {
	p := &s.pairs[i]
	bad := s.report.Cases[i].Verdict != judge.Pass
	changed := p.Changed || p.New || p.WasID != ""
	switch {
	case s.compared == nil && bad:
		return 0
	case p.Worse:
		return 1
	case bad && changed:
		return 2
	case p.Changed || p.WasID != "":
		return 3
	case p.New:
		return 4
	case bad:
		return 5
	}
	return unchangedWeight
}

// isWrong reports whether a case does not pass, or passes and got worse.
func (s *Story) isWrong(i int) bool {
	p := &s.pairs[i]
	return s.report.Cases[i].Verdict.Broken() || s.compared != nil && (p.Worse || len(p.NewMissed)+len(p.NewUnexpected) > 0)
}

// CaseName returns the name of a case, as a link to its line, followed by its model.
func CaseName(c *report.Case) Line {
	line := say(linked(c.Name, c.Suite, c.Line))
	if c.Model != "" {
		line = say(line, " (", name(string(c.Model)), ")")
	}
	return line
}

// Broke returns a text with the number of runs that broke in a case that passes because "allow_run_errors" tolerates them; nil if the
// case does not pass or no run broke.
func Broke(c *report.Case) Line {
	if c.Verdict != judge.Pass || c.Runs.Errors == 0 {
		return nil
	}
	return say(strconv.Itoa(c.Runs.Errors), " of ", judge.CountOf(c.Runs.Recorded, "run"), " broke")
}

func (s *Story) caseItem(i int) Item {
	c := &s.report.Cases[i]
	item := Item{Kind: OfCase, Mark: MarkOf(c.Verdict), Worse: true, Path: c.Suite, Line: c.Line, Case: i, Text: s.caseText(i), Facts: s.Facts(i), Aside: s.Chance(i), Do: s.caseAdvice(i)}
	switch {
	case len(s.dropFacts(i)) > 0:
		item.Mark = Failed
	case !c.Verdict.Broken():
		item.Mark = Warned
	}
	return item
}

// verbs are verdicts as verbs. All other verdicts mean that the case cannot be judged.
var verbs = map[judge.Verdict]string{judge.Pass: "passes", judge.Fail: "fails", judge.Skipped: "is left out"}

// Since returns a text on how the verdict of a case differs from the base's; "" if nothing was compared.
func (s *Story) Since(i int) string {
	p, v := &s.pairs[i], s.report.Cases[i].Verdict
	was := map[judge.Verdict]string{judge.Pass: "passed before", judge.Fail: "failed before", judge.Skipped: "was left out before", judge.Error: "could not be judged before"}[p.Base]
	switch {
	case s.compared == nil:
		return ""
	case p.New:
		return "is new"
	case p.Base != v && was != "":
		return was
	case p.Worse:
		return "got worse"
	case v.Broken():
		return "as before"
	}
	return "has new faults"
}

func (s *Story) caseText(i int) Line {
	c := &s.report.Cases[i]
	does, since := cmp.Or(verbs[c.Verdict], "cannot be judged"), s.Since(i)
	switch {
	case since == "":
		return say(CaseName(c), " "+does)
	case s.pairs[i].New:
		return say("the new case ", CaseName(c), " "+does)
	}
	return say(CaseName(c), " "+does+", "+since)
}

// Chance returns a sentence on whether chance explains the changed figures of a case; nil if no figure is tested.
func (s *Story) Chance(i int) Line {
	for _, f := range s.pairs[i].Figures {
		if said := f.Significance(); said != "" {
			return say(strings.ToUpper(said[:1]) + said[1:] + ".")
		}
	}
	return nil
}

// Facts returns the faults of a case: errors, failures, missed classes and unexpected tools. It omits repeated texts.
func (s *Story) Facts(i int) []Fact {
	c := &s.report.Cases[i]
	var list []Fact
	said := map[string]bool{}
	add := func(facts ...Fact) {
		for _, one := range facts {
			if text := one.Text.Text(); !said[text] { // two gates can have the same fact
				said[text] = true
				one.Case = -1
				list = append(list, one)
			}
		}
	}
	if c.Err != nil {
		add(s.caseError(i))
	} else if c.LeftOut != "" {
		add(Fact{Text: say(message(string(c.LeftOut)))})
	}
	for j := range c.Gates {
		add(s.failureFacts(i, &c.Gates[j])...)
	}
	add(s.dropFacts(i)...)
	add(s.expectationFacts(c)...)
	for j := range c.Gates {
		add(s.gateNotes(i, &c.Gates[j])...)
	}
	return list
}

// failureFacts returns the error of a gate, or its failed assertions.
func (s *Story) failureFacts(i int, g *judge.Result) []Fact {
	var list []Fact
	isOfAssertion := func(a judge.Assertion) bool { return a.Verdict.Broken() && a.Message == g.Err.Message }
	if g.Err != nil && !g.Breached() && !slices.ContainsFunc(g.Assertions, isOfAssertion) {
		list = append(list, Fact{Path: g.Err.Path, Line: g.Err.Line, Text: say(name(g.Gate), ": ", message(g.Err.Message))})
	}
	for j := range g.Assertions {
		a := &g.Assertions[j]
		if !a.Verdict.Broken() {
			continue
		}
		fact := Fact{Path: s.report.Cases[i].Suite, Line: a.Line, Text: s.Failure(i, a)}
		// If the case passed in the base, all its failures are new, and none is marked.
		if s.pairs[i].Base.Broken() && slices.Contains(s.pairs[i].NewFailures, a.Target) {
			fact.Text = say(fact.Text, " ", strong("(new)"))
		}
		if a.Breach != nil {
			fact.Floor, fact.MoreRuns = a.Lines(), a.Breach.More
			if fact.MoreRuns > 0 {
				fact.Floor = fact.Floor[:len(fact.Floor)-1] // the last line says the same number
			}
		}
		list = append(list, fact)
	}
	return list
}

// Failure returns a sentence on a failed assertion, with the base's figure.
func (s *Story) Failure(i int, a *judge.Assertion) Line {
	said, target := report.Said(a), a.Target
	if a.Breach != nil {
		said = a.Broken()
	}
	if target == minSelectionRate {
		target = "tool_selection.rate"
	}
	line := say(message(said), s.baseValue(i, target))
	if a.Target == minSelectionRate {
		return say(line, s.calledInstead(i))
	}
	return line
}

// calledInstead lists the calls in the runs that did not select the expected tool, most frequent first.
func (s *Story) calledInstead(i int) Line {
	const most = 3
	runs := map[string]int{}
	for _, row := range s.report.Cases[i].Rows {
		if row.RowSelection == nil || row.Selected {
			continue
		}
		for _, tool := range row.Called {
			runs[tool]++
		}
	}
	if len(runs) == 0 {
		return nil
	}
	tools := slices.SortedFunc(maps.Keys(runs), func(a, b string) int { return cmp.Or(runs[b]-runs[a], cmp.Compare(a, b)) })
	return say("; called instead: ", listLine(len(tools), most, func(k int) any { return say(name(tools[k]), " in "+Count(runs[tools[k]], "run")) }))
}

// minSelectionRate is the key of a floor whose figure has another name.
const minSelectionRate = "min_selection_rate"

// baseValue returns a text with the base's figure for a target; nil if the figure is the same or not known.
func (s *Story) baseValue(i int, target string) Line {
	if s.compared == nil || s.pairs[i].New {
		return nil
	}
	delta := s.pairs[i].Of(target)
	if !delta.Changed() || delta.Base == "" {
		return nil
	}
	unit := ""
	if report.FigureNamed(delta.Name).IsPercent() {
		unit = "%"
	}
	return say(", before ", figure(string(delta.Base)), unit)
}

// expectationFacts returns a fact for each per-run expectation that does not hold. Its text leaves out the actual values, which are a
// model's words.
func (s *Story) expectationFacts(c *report.Case) []Fact {
	var list []Fact
	for _, e := range c.RunExpectations() {
		if e.Verdict().Broken() {
			text := say(name(e.Target), " does not hold in "+report.Numbers(e.Broken, e.MoreBroken()), s.runsBefore(c, e.Target), ": expected ", name(e.Matcher))
			list = append(list, Fact{Path: c.Suite, Line: e.Line, Text: text, Found: actualLine(&e)})
		}
	}
	return list
}

func actualLine(e *report.RunExpectation) Line {
	if e.First == nil || len(e.Broken) == 0 {
		return nil
	}
	return say("run "+count(e.Broken[0])+" has ", name(report.ActualText(e.First.Actual)))
}

// runsBefore returns a text with the share of the runs in which an expectation failed in the base, if that share was smaller.
func (s *Story) runsBefore(c *report.Case, target string) Line {
	if s.compared == nil {
		return nil
	}
	for _, r := range s.compared.Regressions {
		if r.Kind == report.MoreRuns && r.Case == c.ID && r.What == target {
			return say(", before in ", prose(cmp.Or(r.Base, "none")))
		}
	}
	return nil
}

// gateNotes returns facts for the notes of a gate, with a mark on notes that the base does not have.
func (s *Story) gateNotes(i int, g *judge.Result) []Fact {
	c, p := &s.report.Cases[i], &s.pairs[i]
	var list []Fact
	for k := range judge.Kinds {
		kind := &judge.Kinds[k]
		for _, n := range Told(s.report, g, kind) {
			var spans spans
			words := spans.words(func(n *judge.Note) Line { return s.subjectLine(c, n) })
			text := spans.line(n.Say(kind.Line, words))
			if aside := n.Say(kind.Aside, words); aside != "" {
				text = say(text, " (", spans.line(aside), ")")
			}
			if s.compared != nil && slices.Contains(p.News(kind), n.Subject) {
				text = say(text, " ", strong("(new)"))
			}
			list = append(list, Fact{Path: pathFor(cmp.Or(n.Path, c.Suite), n.Line), Line: n.Line, Text: text})
		}
		if cut := g.NotesCut[kind.Name]; cut > 0 && !kind.Right {
			list = append(list, Fact{Text: say("and " + Count(cut, "more "+cmp.Or(kind.Noun, "entry")) + ", which the report leaves out")})
		}
	}
	return list
}

func pathFor(path string, line int) string {
	if line <= 0 {
		return ""
	}
	return path
}

func (s *Story) subjectLine(c *report.Case, n *judge.Note) Line {
	line := say(name(n.Subject))
	if n.Line > 0 {
		line = say(linked(n.Subject, cmp.Or(n.Path, c.Suite), n.Line))
	}
	if s.toolChange(n.Subject, report.Added) != nil {
		return say(line, ", which this change adds")
	}
	return line
}

// toolChange returns the change of this kind for the tool with this id or name; nil if there is none.
func (s *Story) toolChange(id, kind string) *report.ToolChange {
	if s.compared == nil {
		return nil
	}
	i := slices.IndexFunc(s.compared.Tools, func(t report.ToolChange) bool {
		return t.Kind == kind && (report.ToolID(t.Server, t.Name) == id || t.Name == id)
	})
	if i < 0 {
		return nil
	}
	return &s.compared.Tools[i]
}

// Told returns the notes of a kind that are shown for a gate. For mutations of descriptions, it returns one note for each tool that
// this change changes: the note on the largest drop. The results of the other tools are as before. If the gate fails because a drop
// is too large, it also returns the note on the largest drop of all.
func Told(r *report.Report, g *judge.Result, kind *judge.Kind) []judge.Note {
	if kind.Right {
		return nil
	}
	list := g.Of(kind.Name)
	if kind.Name != judge.Mutated {
		return list
	}
	changed := map[string]bool{}
	if r.Baseline != nil {
		for _, t := range r.Baseline.Tools {
			changed[t.Name], changed[report.ToolID(t.Server, t.Name)] = true, true
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return b.Drop.Cmp(a.Drop) < 0
	})
	if len(list) > 0 && dropsTooFar(g) {
		changed[list[0].Subject] = true
	}
	told := map[string]bool{}
	return slices.DeleteFunc(list, func(n judge.Note) bool {
		isTold := told[n.Subject]
		told[n.Subject] = true
		return isTold || !changed[n.Subject]
	})
}

// dropsTooFar reports whether a gate fails because the effect of a mutation is too large.
func dropsTooFar(g *judge.Result) bool {
	return slices.ContainsFunc(g.Assertions, func(a judge.Assertion) bool { return a.Target == "bench.max_drop" && a.Verdict.Broken() })
}
