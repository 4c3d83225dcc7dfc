package tell

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/weaken"
)

// wrongItems returns the items on what went wrong: why the change is refused, mistakes, weakenings of how the change is judged,
// changed tools with their consequences, then problems that no changed tool explains.
func (s *Story) wrongItems(causes []cause) []Item {
	taken := map[int]bool{}
	var byTool []Item
	for i := range causes {
		byTool = append(byTool, s.causeItem(&causes[i]))
		for _, of := range slices.Concat(causes[i].lost, causes[i].hit) {
			taken[of] = true
		}
	}
	for _, old := range s.oldSnapshots() {
		byTool = append(byTool, old.item(s))
		for _, of := range old.lost {
			taken[of] = true
		}
	}
	var cases []Item
	for _, i := range s.Cases {
		if s.isWrong(i) && !taken[i] {
			cases = append(cases, s.caseItem(i))
		}
	}
	const toldOnly = false
	return shareAdvice(slices.Concat(s.refusalItems(), s.mistakeItems(), s.settingItems(toldOnly), byTool, s.brokenServers(), cases, s.newCriticalItems(causes)))
}

// refusalItems returns items on why the change is refused, whatever the verdicts of the cases. An item has advice only if the cause
// has no item of its own.
func (s *Story) refusalItems() []Item {
	var list []Item
	for _, r := range s.report.Refused {
		item := Item{Kind: Refusal, Mark: Failed, Case: -1, Text: say(message(r.Message))}
		switch {
		case r.Demand == report.CheckSnapshots && r.Exit == report.ExitFail:
			item.Do = advice(takeSnapshots)
		case r.Demand == report.CheckSnapshots:
			item.Do = advice(mendServers)
		case r.Exit != report.ExitFail:
			item.Do = advice(readBase)
		}
		list = append(list, item)
	}
	return list
}

// mistakeItems returns items on mistakes in users' files that are not errors of a case, with the number of cases that each affects.
func (s *Story) mistakeItems() []Item {
	lost := map[string]string{}
	if s.compared != nil {
		for _, r := range s.compared.Regressions {
			if r.Kind == report.NotEvaluated {
				lost[r.Path] = r.What
			}
		}
	}
	var list []Item
	for _, p := range s.Mistakes() {
		item := Item{Kind: Mistake, Mark: Failed, Worse: true, Path: p.Path, Line: p.Line, Col: p.Col, Case: -1, Text: say(message(p.Message)), Do: mistakeAdvice(&p)}
		if what := lost[p.Path]; what != "" {
			item.Facts = []Fact{{Case: -1, Text: say(prose(what), " of it could not be evaluated")}}
			delete(lost, p.Path)
		}
		list = append(list, item)
	}
	return list
}

// Mistakes returns the mistakes in users' files, without mistakes that are the error of a case.
func (s *Story) Mistakes() []report.Problem {
	type place struct {
		path string
		line int
	}
	errors := map[place][]string{}
	for i := range s.report.Cases {
		if e := s.report.Cases[i].Err; e != nil {
			at := place{e.Path, e.Line}
			errors[at] = append(errors[at], e.Message)
		}
	}
	return slices.DeleteFunc(slices.Clone(s.report.Problems), func(p report.Problem) bool {
		return slices.ContainsFunc(errors[place{p.Path, p.Line}], func(e string) bool { return strings.HasPrefix(e, p.Message) || hasAdvice(p, e) })
	})
}

// hasAdvice reports whether a mistake is the error of a case with advice added. message is the message of the error.
func hasAdvice(p report.Problem, message string) bool {
	return strings.HasPrefix(p.Message, message+";")
}

// caseError returns a fact on the error of a case. If a mistake in a file is the reason, the fact has the mistake's column and advice.
// If an earlier case of the same test has the same mistake, the fact only names that case.
func (s *Story) caseError(i int) Fact {
	c := &s.report.Cases[i]
	fact := Fact{Path: c.Err.Path, Line: c.Err.Line, Text: say(message(c.Err.Message))}
	isMistake := false
	for _, p := range s.report.Problems {
		if p.Path != c.Err.Path || p.Line != c.Err.Line {
			continue
		}
		isMistake = isMistake || strings.HasPrefix(c.Err.Message, p.Message)
		isFirst := strings.HasPrefix(c.Err.Message, p.Message+"; line ") // of several, each of which has an item at its own place
		if isFirst || hasAdvice(p, c.Err.Message) {
			fact.Text = say(message(p.Message))
		}
		fact.Col = p.Col
	}
	if first := s.firstWithError(i); isMistake && first < i {
		fact.Text = say("the mistake of ", CaseName(&s.report.Cases[first]))
	}
	return fact
}

// firstWithError returns the first case of the same test that has the same error as case i.
func (s *Story) firstWithError(i int) int {
	c := &s.report.Cases[i]
	for i > 0 {
		before := &s.report.Cases[i-1]
		if before.Suite != c.Suite || before.Line != c.Line || before.Err == nil || *before.Err != *c.Err {
			break
		}
		i--
	}
	return i
}

// otherSettings returns items on changes of how a case is judged that are not counted as weakenings, and on renamed cases.
func (s *Story) otherSettings() []Item {
	list := s.settingItems(true)
	for i := range list {
		list[i].Kind, list[i].Do = Remark, nil
	}
	for i := range s.pairs {
		if was := s.pairs[i].WasID; was != "" {
			c := &s.report.Cases[i]
			list = append(list, Item{Kind: Remark, Mark: Warned, Path: c.Suite, Line: c.Line, Case: -1, Text: say(CaseName(c), " was ", name(string(was)))})
		}
	}
	return list
}

// settingItems returns items on the weakenings, or, if toldOnly is set, on the changes that are not counted as weakenings.
func (s *Story) settingItems(toldOnly bool) []Item {
	if s.compared == nil {
		return nil
	}
	var list []Item
	for _, w := range s.compared.WeakenedCases() {
		if w.ToldOnly != toldOnly {
			continue
		}
		item := Item{Kind: Weakened, Mark: Warned, Path: w.Path(), Line: w.Line, Case: -1, Text: Weakening(&w.Weakening), Do: advice(undoWeakening)}
		for i := range w.Settings {
			one := &w.Settings[i]
			item.Facts = append(item.Facts, Fact{Path: one.Path(), Line: one.Line, Case: -1, Text: Setting(one)})
		}
		list = append(list, item)
	}
	return list
}

// Setting returns a line on the change of a setting, to be shown below the case that it weakens.
func Setting(w *report.Weakening) Line {
	return say(linked(report.SettingName(w.Key), w.Path(), w.Line), ": ", changeOf(w))
}

// Weakening returns one line on what became weaker.
func Weakening(w *report.Weakening) Line {
	of := say(linked(w.Name, w.Path(), w.Line))
	if w.Model != "" {
		of = say(of, " (", name(string(w.Model)), ")")
	}
	switch {
	case w.Kind == report.InEffect:
		return say(of, " "+w.Verdicts()+": ", message(w.Reason))
	case w.Kind == report.CaseRemoved:
		return say("case ", of, " was removed from ", name(w.Suite))
	case w.Kind == report.WorkflowChanged && w.Key == report.WholeWorkflow:
		return say("workflow ", of, " ", message(string(w.Head)))
	case w.Kind == report.GateRemoved:
		return say("gate ", name(w.Key), " was removed from ", of)
	}
	return say(name(report.SettingName(w.Key)), " of ", of, ": ", changeOf(w), explanation(w.Kind))
}

func explanation(kind string) Line {
	switch {
	case kind == report.SettingChanged:
		return say(" (it is not known whether that is weaker)")
	case weaken.IsKind(kind):
		return say(" (" + kind + ")")
	}
	return say(" (", name(kind), ")") // an unknown kind, from a saved report
}

// changeOf returns the change of a setting: for a list, the entries that were added and removed.
func changeOf(w *report.Weakening) Line {
	const most = 5
	isList := func(o report.Optional) bool { return strings.HasPrefix(string(o), "[") }
	if w.Head == "" || w.Base == "" || !isList(w.Head) && !isList(w.Base) {
		return sentence(w.Became)
	}
	var parts []Line
	added, removed := weaken.Items(string(w.Base), string(w.Head))
	if len(added) > 0 {
		parts = append(parts, say("added ", names(added, most)))
	}
	if len(removed) > 0 {
		parts = append(parts, say("removed ", names(removed, most)))
	}
	if len(parts) == 0 { // only the order differs
		return sentence(w.Became)
	}
	return joinLines(parts, ", ")
}

// executableItems returns items on what live runs execute now and did not execute in the base. A reviewer reads the items before
// anything is run live.
func (s *Story) executableItems() []Item {
	if s.compared == nil {
		return nil
	}
	var list []Item
	for i := range s.compared.Executable {
		e := &s.compared.Executable[i]
		text := say(linked(e.Key, e.Path(), e.Line), " of ", name(e.Of), ": ", sentence(e.Became))
		list = append(list, Item{Kind: Executed, Mark: Warned, Path: e.Path(), Line: e.Line, Case: -1, Text: text, Do: advice(readFirst)})
	}
	return shareAdvice(list)
}

// brokenServers returns items on changes that break callers of a whole server, or of a tool that is not among the changed tools.
func (s *Story) brokenServers() []Item {
	if s.compared == nil {
		return nil
	}
	var list []Item
	for _, b := range s.compared.Breaking {
		isOfTool := func(t report.ToolChange) bool { return len(breaksOf([]report.Breaking{b}, &t)) > 0 }
		if slices.ContainsFunc(s.compared.Tools, isOfTool) {
			continue
		}
		text := say(message(b.Message))
		if b.Argument != "" {
			text = say(name(report.ToolID(b.Server, b.Tool)), " ", name(string(b.Argument)), ": ", text)
		}
		list = append(list, Item{Kind: BreakingTool, Mark: Breaks, Path: b.Path, Line: b.Line, Case: -1, Text: text, Do: advice(keepOld)})
	}
	return list
}

// newCriticalItems returns items on new critical findings that no cause has, one item for each rule.
func (s *Story) newCriticalItems(causes []cause) []Item {
	if s.compared == nil {
		return nil
	}
	const most = 3
	tools := map[string][]string{}
	first := map[string]report.Finding{}
	var rules []string
	for _, f := range s.compared.New {
		isCaused := slices.ContainsFunc(causes, func(c cause) bool { return slices.Contains(c.critical, f) })
		if f.Severity != "critical" || isCaused {
			continue
		}
		if tools[f.Rule] == nil {
			rules = append(rules, f.Rule)
			first[f.Rule] = f
		}
		tools[f.Rule] = append(tools[f.Rule], report.ToolID(f.Server, f.Tool))
	}
	var list []Item
	for _, rule := range rules {
		f := first[rule]
		text := say(name(rule), " of ", names(slices.Compact(tools[rule]), most), ": ", message(f.Message))
		list = append(list, Item{Kind: NewFinding, Mark: Critical, Worse: true, Path: f.Path, Line: f.Line, Case: -1, Text: text, Do: advice(seeFindings)})
	}
	return list
}
