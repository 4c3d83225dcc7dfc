package annotate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/report"
)

// caseView is a case whose annotations are gathered.
type caseView struct {
	*report.Case
	c    *collector
	name string
	rows func() map[int]*report.Row // by run
}

func (c *collector) addCase(of *report.Case) {
	v := &caseView{Case: of, c: c, name: of.Name, rows: sync.OnceValue(func() map[int]*report.Row { return rowsOf(of) })}
	if of.Model != "" {
		v.name += " [" + string(of.Model) + "]"
	}
	v.addError()
	for i := range of.Gates {
		v.addGate(&of.Gates[i])
	}
	v.addExpectations()
}

func rowsOf(of *report.Case) map[int]*report.Row {
	rows := make(map[int]*report.Row, len(of.Rows))
	for i := range of.Rows {
		rows[of.Rows[i].Run] = &of.Rows[i]
	}
	return rows
}

// add notes an annotation in the case's suite.
func (v *caseView) add(k kind, a Annotation, identity ...string) {
	a.Path = v.Suite
	v.c.add(k, v.labelled(a), append([]string{v.Suite, v.Name, string(v.Model)}, identity...)...)
}

// labelled adds to an annotation what answered, where that was no model.
func (v *caseView) labelled(a Annotation) Annotation {
	if v.ModelNote != "" {
		a.Message += "\n" + lines("the agent is "+string(v.ModelNote))
	}
	return a
}

// addError says why the case could not be evaluated, unless that is a mistake in a file and said there.
func (v *caseView) addError() {
	e := v.Err
	if e == nil || v.c.mistakes[place{e.Path, e.Line}] {
		return
	}
	v.c.add(caseErrors, v.labelled(Annotation{
		Path: e.Path, Line: e.Line, Level: Failure, Title: "could not be evaluated: " + v.name, Message: lines(e.Message),
	}), v.Suite, v.Name, string(v.Model), e.Message)
}

func (v *caseView) addGate(g *gates.Result) {
	v.addGateError(g)
	v.addAssertions(g)
	for _, m := range g.Missed {
		v.add(missedClasses, Annotation{
			Line: m.Line, Level: levelOf(g), Title: "missed class: " + m.Class,
			Message: lines(
				fmt.Sprintf("%s: missed in %s", v.name, v.runs(m.Runs)),
				after("would have counted: ", firstFew(m.Members)),
				after("called instead: ", v.instead(g, m)),
			),
		}, g.Gate, m.Class)
	}
	v.addTallies(unexpectedTools, g, "unexpected tool: ", g.Unexpected)
	v.addTallies(chosenDistractors, g, "distractor chosen: ", g.Chosen)
}

// levelOf returns how bad the evidence of a gate is: a failure if it made the gate fail.
func levelOf(g *gates.Result) Level {
	if g.Verdict == gates.Fail || g.Verdict == gates.Error {
		return Failure
	}
	return Notice
}

func (v *caseView) addTallies(k kind, g *gates.Result, title string, list []gates.Tally) {
	for _, t := range list {
		v.add(k, Annotation{
			Line: g.Line, Level: levelOf(g), Title: title + t.Tool,
			Message: lines(fmt.Sprintf("%s: called %s in %s", v.name, times(t.Calls), v.runs(t.Runs))),
		}, g.Gate, t.Tool)
	}
}

// addGateError says why a gate could not be evaluated, unless one of its assertions says it.
func (v *caseView) addGateError(g *gates.Result) {
	e := g.Err
	said := func(a gates.Assertion) bool { return e.Message == a.Message && a.Verdict == gates.Error }
	if e == nil || v.c.mistakes[place{e.Path, e.Line}] || slices.ContainsFunc(g.Assertions, said) {
		return
	}
	v.c.add(caseErrors, v.labelled(Annotation{
		Path: e.Path, Line: e.Line, Level: Failure,
		Title: g.Gate + " could not be evaluated: " + v.name, Message: lines(e.Message),
	}), v.Suite, v.Name, string(v.Model), g.Gate, e.Message)
}

// addAssertions notes the assertions of a gate that do not hold. A selection floor tells of each in lines of its own.
func (v *caseView) addAssertions(g *gates.Result) {
	breaches := breachesOf(g.Lines)
	failed := slices.DeleteFunc(slices.Clone(g.Assertions), holds)
	for i, a := range failed {
		k, said := assertions, []string{cmp.Or(a.Message, fmt.Sprintf("%s is not %s", a.Target, a.Matcher))}
		if len(breaches) == len(failed) {
			k, said = floorBreaches, breaches[i]
		}
		v.add(k, Annotation{
			Line: a.Line, Level: Failure, Title: a.Target + ": " + v.name, Message: lines(said...),
		}, g.Gate, a.Target, a.Matcher)
	}
}

func holds(a gates.Assertion) bool { return a.Verdict != gates.Fail && a.Verdict != gates.Error }

// breachesOf returns the lines of each breach of a selection floor, with those of its runs.
func breachesOf(list []string) [][]string {
	const most = 30 // lines of one breach
	var breaches [][]string
	for _, line := range list {
		if strings.HasPrefix(line, "FLOOR ") {
			breaches = append(breaches, []string{line})
			continue
		}
		if n := len(breaches) - 1; n >= 0 && len(breaches[n]) < most {
			breaches[n] = append(breaches[n], line)
		}
	}
	return breaches
}

// addExpectations notes the expectations on single runs that do not hold, each once for all runs. What was found may be
// an argument or a result, so that it is not said.
func (v *caseView) addExpectations() {
	type expectation struct {
		line            int
		target, matcher string
	}
	var order []expectation
	broken := map[expectation][]int{}
	for _, e := range v.Expect {
		if holds(e.Assertion) {
			continue
		}
		key := expectation{e.Line, e.Target, e.Matcher}
		if broken[key] == nil {
			order = append(order, key)
		}
		broken[key] = append(broken[key], e.Run)
	}
	for _, key := range order {
		v.add(assertions, Annotation{
			Line: key.line, Level: Failure, Title: key.target + ": " + v.name,
			Message: lines(
				fmt.Sprintf("%s: does not hold in %s", v.name, v.runs(broken[key])),
				after("expected: ", key.matcher),
			),
		}, "expect", key.target, key.matcher)
	}
}

// maxLooked bounds how many runs are looked at to say what was called in them.
const maxLooked = 200

// instead lists what was called in the runs that missed a class and did not satisfy any other: most often first.
func (v *caseView) instead(g *gates.Result, m gates.Miss) string {
	matched := map[string]bool{}
	for _, match := range g.Matched {
		matched[match.Tool] = true
	}
	runs := map[string]int{} // by tool; "" for none
	for _, run := range m.Runs[:min(len(m.Runs), maxLooked)] {
		row := v.rows()[run]
		if row == nil {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(row.Called), func(tool string) bool { return matched[tool] })
		if len(others) == 0 {
			runs[""]++
		}
		for _, tool := range others {
			runs[tool]++
		}
	}
	tools := slices.SortedFunc(maps.Keys(runs), func(a, b string) int {
		return cmp.Or(cmp.Compare(runs[b], runs[a]), cmp.Compare(a, b))
	})
	for i, tool := range tools {
		tools[i] = fmt.Sprintf("%s (%s)", cmp.Or(tool, "nothing"), plural(runs[tool], "run"))
	}
	return firstFew(tools)
}

// firstFew lists the first names, and says how many more there are.
func firstFew(names []string) string {
	const shown = 8
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

// after returns text after lead, or nothing when there is no text.
func after(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + text
}

// runs names runs of the case, such as "3 of 10 runs (1-2, 7)".
func (v *caseView) runs(numbers []int) string {
	of := max(v.Case.Runs.Scored, len(numbers))
	return fmt.Sprintf("%d of %s (%s)", len(numbers), plural(of, "run"), ranges(numbers))
}

// ranges lists ascending numbers, neighbours as a range.
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

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}
