package annotation

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

type caseView struct {
	*report.Case
	index int // index of the case in the report
	c     *collector
	name  string
	rows  func() map[int]*report.Row // rows by run
}

func (c *collector) addCase(i int) {
	one := &c.report.Cases[i]
	rows := sync.OnceValue(func() map[int]*report.Row { return rowsByRun(one) })
	v := &caseView{Case: one, index: i, c: c, name: caseName(one.Name, one.Model), rows: rows}
	v.addError()
	for j := range one.Gates {
		v.addGate(&one.Gates[j])
	}
	v.addExpectations()
	v.addDrops()
}

func caseName(name string, model report.Optional) string {
	if model == "" {
		return name
	}
	return name + " [" + string(model) + "]"
}

func rowsByRun(c *report.Case) map[int]*report.Row {
	rows := make(map[int]*report.Row, len(c.Rows))
	for i := range c.Rows {
		rows[c.Rows[i].Run] = &c.Rows[i]
	}
	return rows
}

// add adds an annotation. An annotation without a path gets the path of the case's suite.
func (v *caseView) add(k kind, a Item, identity ...string) {
	a.Path = cmp.Or(a.Path, v.Suite)
	identity = append([]string{v.Suite, v.Name, string(v.Model)}, identity...)
	v.c.add(k, v.withAgent(a), identity...)
}

// withAgent returns an annotation with a line about the agent, if the agent is not a model.
func (v *caseView) withAgent(a Item) Item {
	if v.ModelNote != "" {
		a.Message += "\n" + lines("the agent is "+string(v.ModelNote))
	}
	return a
}

// addError adds an item on why the case could not be evaluated, unless the reason is a mistake that has its own item.
func (v *caseView) addError() {
	e := v.Err
	if e == nil || v.c.mistakes[place{e.Path, e.Line}] {
		return
	}
	v.c.add(caseErrors, v.withAgent(Item{
		Rule: NotEvaluated, Path: e.Path, Line: e.Line, Level: Failure,
		Title: "could not be evaluated: " + v.name, Message: lines(e.Message), Detail: e.Message,
	}), v.Suite, v.Name, string(v.Model))
}

func (v *caseView) addGate(g *judge.Result) {
	v.addGateError(g)
	v.addAssertions(g)
	for i := range judge.Kinds {
		level, k := levelOfNotes(judge.Kinds[i].Annotate, g)
		if level != "" {
			v.addNotes(k+kind(i), &judge.Kinds[i], level, g)
		}
	}
}

// levelOfNotes returns the level and the kind of the notes of a gate. The level is "" if the notes are not annotated.
func levelOfNotes(how judge.Annotate, g *judge.Result) (Level, kind) {
	failing := g.Verdict.Broken()
	switch {
	case how == judge.AsGate && failing:
		return Failure, notes
	case how == judge.AsGate:
		return Notice, notes
	case how == judge.AsGateLast && failing:
		return Failure, lastNotes
	case how == judge.AsGateLast:
		return Notice, lastNotes
	case how == judge.NoticeWhenFailing && failing:
		return Notice, lastNotes
	}
	return "", 0
}

func (v *caseView) addNotes(k kind, noteKind *judge.Kind, level Level, g *judge.Result) {
	words := v.unescapedWords(g)
	for _, n := range tell.Told(v.c.report, g, noteKind) {
		message := lists.Map(noteKind.Message, func(wording string) string { return n.Say(wording, words) })
		message[0] = v.name + ": " + message[0]
		v.add(k, Item{
			Rule: g.Gate, Path: n.Path, Line: cmp.Or(n.Line, g.Line), Level: level, Title: noteKind.Title + ": " + n.Subject, Message: lines(message...),
		}, noteKind.Name, n.Subject)
	}
}

// unescapedWords returns functions that write the parts of a note as they are, because the whole message is made safe later.
func (v *caseView) unescapedWords(g *judge.Result) judge.Words {
	plain := func(s string) string { return s }
	return judge.Words{
		Subject: func(n *judge.Note) string { return n.Subject },
		Name:    plain,
		Quote:   func(s string) string { return `"` + s + `"` },
		List:    firstFew,
		Runs:    v.runs,
		Instead: func(n *judge.Note) string { return v.calledInstead(g, n) },
	}
}

// addGateError adds an item on why a gate could not be evaluated, unless one of its assertions already has the reason as its
// message.
func (v *caseView) addGateError(g *judge.Result) {
	e := g.Err
	if e == nil || v.c.mistakes[place{e.Path, e.Line}] {
		return
	}
	hasReason := func(a judge.Assertion) bool { return e.Message == a.Message && a.Verdict == judge.Error }
	if slices.ContainsFunc(g.Assertions, hasReason) {
		return
	}
	v.c.add(caseErrors, v.withAgent(Item{
		Rule: g.Gate, Path: e.Path, Line: e.Line, Level: Failure,
		Title: g.Gate + " could not be evaluated: " + v.name, Message: lines(e.Message), Detail: e.Message,
	}), v.Suite, v.Name, string(v.Model))
}

// addAssertions adds an item for each broken assertion of a gate. The item of a broken floor also lists runs that break the floor.
func (v *caseView) addAssertions(g *judge.Result) {
	const most = 30 // lines in the item of a broken floor
	for i := range g.Assertions {
		a := &g.Assertions[i]
		if !a.Verdict.Broken() {
			continue
		}
		k, message := assertions, []string{v.c.story.Failure(v.index, a).Text()}
		if a.Breach != nil {
			runs := a.Lines()[1:]
			k, message = floorBreaches, append(message, runs[:min(len(runs), most-1)]...)
		}
		v.add(k, Item{
			Rule: g.Gate, Line: a.Line, Level: Failure, Title: a.Target + ": " + v.name, Message: lines(message...), Detail: a.Matcher,
		}, a.Target)
	}
}

// addExpectations adds one item for each expectation that single runs break. The item omits the found value, which may be an
// argument or a result.
func (v *caseView) addExpectations() {
	for _, e := range v.RunExpectations() {
		if !e.Verdict().Broken() {
			continue
		}
		v.add(assertions, Item{
			Rule: Expectation, Line: e.Line, Level: Failure, Title: e.Target + ": " + v.name,
			Message: lines(
				fmt.Sprintf("%s: does not hold in %s", v.name, v.runs(e.Broken, e.MoreBroken())),
				withLead("expected: ", e.Matcher),
			),
			Detail: e.Matcher,
		}, e.Target)
	}
}

// addDrops adds an item for each figure that has dropped by more than max_drop allows.
func (v *caseView) addDrops() {
	for _, d := range v.c.story.Drops(v.index) {
		v.add(assertions, Item{
			Rule: Dropped, Line: d.Line, Level: Failure, Title: report.MaxDrop + ": " + v.name, Message: lines(d.Text.Text()), Detail: d.Target,
		}, report.MaxDrop, d.Target)
	}
}

// maxExamined bounds the number of runs in which calledInstead looks for called tools.
const maxExamined = 200

// calledInstead lists the wrong tools that the runs of a note called, the most frequent first.
func (v *caseView) calledInstead(g *judge.Result, note *judge.Note) string {
	right := map[string]bool{}
	for _, n := range g.Notes {
		if judge.KindOf(n.Kind).Right {
			right[n.Text] = true
		}
	}
	runs := map[string]int{} // number of runs by called tool; "" is for runs without such a tool
	for _, run := range note.Runs[:min(len(note.Runs), maxExamined)] {
		row := v.rows()[run]
		if row == nil {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(row.Called), func(tool string) bool { return right[tool] })
		if len(others) == 0 {
			runs[""]++
		}
		for _, tool := range others {
			runs[tool]++
		}
	}
	tools := slices.SortedStableFunc(maps.Keys(runs), func(a, b string) int {
		return cmp.Or(cmp.Compare(runs[b], runs[a]), cmp.Compare(a, b))
	})
	for i, tool := range tools {
		tools[i] = fmt.Sprintf("%s (%s)", cmp.Or(tool, "nothing"), judge.CountOf(runs[tool], "run"))
	}
	return firstFew(tools)
}

func firstFew(names []string) string {
	const shown = 8
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

func withLead(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + text
}

// runs returns a text on runs of the case, such as "3 of 10 runs (1-2, 7)" or "the only run". more is the number of further runs
// whose numbers the report leaves out.
func (v *caseView) runs(numbers []int, more int) string {
	n := len(numbers) + more
	all := max(v.Case.Runs.Scored, n)
	if all == 1 && n == 1 {
		return "the only run"
	}
	list := ranges(numbers)
	if more > 0 {
		list += fmt.Sprintf(", and %d more", more)
	}
	return fmt.Sprintf("%d of %s (%s)", n, judge.CountOf(all, "run"), strings.TrimPrefix(list, ", "))
}

// ranges lists ascending numbers. Consecutive numbers become a range, such as 1-3.
func ranges(numbers []int) string {
	const most = 20
	var parts []string
	for i := 0; i < len(numbers); i++ {
		first := numbers[i]
		for i+1 < len(numbers) && numbers[i+1] == numbers[i]+1 {
			i++
		}
		part := strconv.Itoa(first)
		if numbers[i] > first {
			part += "-" + strconv.Itoa(numbers[i])
		}
		if parts = append(parts, part); len(parts) > most {
			return strings.Join(parts[:most], ", ") + ", …"
		}
	}
	return strings.Join(parts, ", ")
}
