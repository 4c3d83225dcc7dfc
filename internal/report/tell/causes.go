package tell

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// cause is a tool that this change adds, removes, renames or changes, with the consequences.
type cause struct {
	tool     *report.ToolChange
	breaking []report.Breaking
	lost     []int            // cases that can no longer be judged, because the tool is gone or renamed
	hit      []int            // cases that do not pass or got worse and have the tool among their faults
	older    []int            // cases that are judged by runs from before the change
	critical []report.Finding // new critical findings on the tool
}

// causes returns the changed tools whose change has consequences, the worst consequences first, otherwise in the order of the changed
// tools. A case belongs to at most one cause.
func (s *Story) causes() []cause {
	if s.compared == nil {
		return nil
	}
	taken := map[int]bool{}
	list := make([]cause, len(s.compared.Tools))
	for i := range s.compared.Tools {
		list[i] = cause{tool: &s.compared.Tools[i]}
		list[i].breaking = breaksOf(s.compared.Breaking, list[i].tool)
		list[i].critical = s.criticalOf(list[i].tool)
	}
	for i := range s.report.Cases {
		s.addCase(list, i, taken)
	}
	list = slices.DeleteFunc(list, func(c cause) bool {
		isAlike := c.tool.Kind == report.Added && len(c.tool.Alike) > 0
		return len(c.breaking)+len(c.lost)+len(c.hit)+len(c.older)+len(c.critical) == 0 && !isAlike
	})
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return a.rank()-b.rank() < 0
	})
	return list
}

func (c *cause) rank() int {
	worst := []int{len(c.lost), len(c.hit), len(c.breaking), len(c.critical)}
	for rank, n := range worst {
		if n > 0 {
			return rank
		}
	}
	return len(worst)
}

// addCase adds a case to causes. It adds a case that is wrong to the first cause that explains it, and a case that passes to each
// cause whose change came after the case's recording.
func (s *Story) addCase(list []cause, i int, taken map[int]bool) {
	c := &s.report.Cases[i]
	for at := range list {
		one := &list[at]
		isOlder := isOlder(c) && slices.ContainsFunc(c.Freshness.Tools, func(t report.StaleTool) bool { return one.isAbout(t) })
		switch {
		case !s.isWrong(i) && isOlder:
			one.older = append(one.older, i)
		case !s.isWrong(i) || taken[i]:
		case c.Err != nil && (isOlder || lacks(c, one.tool)):
			one.lost = append(one.lost, i)
			taken[i] = true
		case isOlder || s.faultsName(i, one.tool):
			one.hit = append(one.hit, i)
			taken[i] = true
		}
	}
}

// lacks reports whether a case without recordings cannot be judged because its entry names a removed or renamed tool. The report
// shows this only in the message of the error.
func lacks(c *report.Case, t *report.ToolChange) bool {
	was := t.Name
	switch t.Kind {
	case report.Renamed:
		was = string(t.Was)
	case report.Removed, report.Hidden:
	default:
		return false
	}
	return c.Freshness == nil && c.Err.Path == c.Suite && strings.Contains(c.Err.Message, strconv.Quote(was))
}

// linesOf returns the lines of the suite that name a removed tool.
func linesOf(c *report.Case) []report.Place {
	if c.Freshness == nil {
		return []report.Place{{Path: c.Err.Path, Line: c.Err.Line}}
	}
	return c.Freshness.Lines
}

// isAbout reports whether t is the changed tool, by its new or its old name.
func (c *cause) isAbout(t report.StaleTool) bool {
	if t.Server != "" && t.Server != c.tool.Server {
		return false
	}
	return t.Name == c.tool.Name || c.tool.Was != "" && t.Name == string(c.tool.Was)
}

// faultsName reports whether the faults of a case name a changed tool: it was called or picked wrongly, or it is the right tool of a
// benchmark and has a new description.
func (s *Story) faultsName(i int, t *report.ToolChange) bool {
	isTool := func(id string) bool { return id != "" && (id == t.Name || id == report.ToolID(t.Server, t.Name)) }
	for _, row := range s.report.Cases[i].Rows {
		if t.Kind == report.Added && row.RowSelection != nil && !row.Selected && slices.ContainsFunc(row.Called, isTool) {
			return true
		}
	}
	for j := range s.report.Cases[i].Gates {
		for _, n := range s.report.Cases[i].Gates[j].Notes {
			switch kind := judge.KindOf(n.Kind); {
			case kind == nil || kind.Right:
			case n.Kind == judge.Confused:
				if isTool(n.Text) || t.Kind != report.Added && slices.ContainsFunc(n.Members, isTool) {
					return true
				}
			case kind.News == judge.NewUnexpected && t.Kind == report.Added && isTool(n.Subject):
				return true
			}
		}
	}
	return false
}

func (s *Story) criticalOf(t *report.ToolChange) []report.Finding {
	var list []report.Finding
	for _, f := range s.compared.New {
		if f.Severity == "critical" && f.Server == t.Server && f.Tool == t.Name && f.Path == t.Path {
			list = append(list, f)
		}
	}
	return list
}

func breaksOf(all []report.Breaking, t *report.ToolChange) []report.Breaking {
	var list []report.Breaking
	for _, b := range all {
		hasName := b.Tool == t.Name || t.Was != "" && b.Tool == string(t.Was)
		isOfTool := b.Tool != "" && b.Server == t.Server && hasName
		if isOfTool && t.Kind != report.Added {
			list = append(list, b)
		}
	}
	return list
}

// causeItem returns the item on a changed tool that is to blame for cases, breaking changes or findings.
func (s *Story) causeItem(c *cause) Item {
	t := c.tool
	item := Item{Kind: ChangedTool, Mark: Warned, Path: t.Path, Line: t.Line, Case: -1, Worse: len(c.lost)+len(c.hit)+len(c.critical) > 0, Do: s.causeAdvice(c)}
	if len(c.breaking) > 0 {
		item.Kind = BreakingTool
	}
	isBroken := func(i int) bool { return s.report.Cases[i].Verdict.Broken() }
	switch {
	case len(c.lost) > 0 || slices.ContainsFunc(c.hit, isBroken):
		item.Mark = Failed
	case len(c.breaking) > 0:
		item.Mark = Breaks
	}
	item.Text = say(toolBecame(t), ": ", joinLines(s.consequences(c), "; "))
	for _, i := range slices.Concat(c.lost, c.hit) {
		isLost := slices.Contains(c.lost, i)
		item.Facts = append(item.Facts, s.caseFact(i, isLost))
	}
	for _, f := range c.critical {
		item.Facts = append(item.Facts, Fact{Path: f.Path, Line: f.Line, Case: -1, Text: say(name(f.Rule), ": ", message(f.Message))})
	}
	hasFacts := len(item.Facts) > 0
	item.Facts = append(item.Facts, s.olderFacts(c, hasFacts)...)
	return item
}

// olderFacts returns facts on the cases that pass by runs from before the change: one for each case whose recorded calls lack a
// required argument, and one fact that names the other cases. hasFacts means that other facts precede them.
func (s *Story) olderFacts(c *cause, hasFacts bool) []Fact {
	var facts []Fact
	var plain []int
	for _, i := range c.older {
		of := &s.report.Cases[i]
		at := slices.IndexFunc(of.Freshness.Tools, func(t report.StaleTool) bool { return c.isAbout(t) && t.Lacks != "" })
		if at < 0 {
			plain = append(plain, i)
			continue
		}
		text := say(CaseName(of), ": recorded calls lack ", name(string(of.Freshness.Tools[at].Lacks)), ", required now")
		facts = append(facts, Fact{Path: of.Suite, Line: of.Line, Case: -1, Text: text})
	}
	if len(plain) == 0 {
		return facts
	}
	lead := ""
	if hasFacts || len(facts) > 0 {
		lead = "recorded before this change: "
	}
	cases := listLine(len(plain), maxNamedCases, func(k int) any { return CaseName(&s.report.Cases[plain[k]]) })
	return append(facts, Fact{Case: -1, Text: say(lead, cases)})
}

// maxNamedCases bounds the number of cases, or of lost words of a prompt, that one line names.
const maxNamedCases = 8

func toolBecame(t *report.ToolChange) Line {
	tool := linked(report.ToolID(t.Server, t.Name), t.Path, t.Line)
	switch t.Kind {
	case report.Renamed:
		return say(name(report.ToolID(t.Server, string(t.Was))), " was renamed to ", linked(t.Name, t.Path, t.Line))
	case report.Removed:
		line := say(tool, " was removed")
		if t.Probably != "" {
			line = say(line, ", probably it is ", name(string(t.Probably)), " now")
		}
		return line
	case report.Hidden:
		return say(tool, " is hidden from models now")
	case report.Added:
		return say(tool, " is new", alikeLine(t.Alike))
	}
	return say(changedPart(t.Parts), tool, " changed")
}

func alikeLine(list []report.AlikeTool) Line {
	if len(list) == 0 {
		return nil
	}
	const most = 3
	return say(" and reads like ", listLine(len(list), most, func(i int) any {
		return say(name(report.ToolID(list[i].Server, list[i].Name)), " ("+percent(&list[i].Percent)+" %)")
	}))
}

// changedPart returns the beginning of a sentence about a changed tool: "the description of " or "the arguments of " if nothing else
// changed, otherwise "".
func changedPart(parts []report.ToolPart) string {
	isText := func(p report.ToolPart) bool { return p.Aspect == change.Description && p.Argument == "" }
	switch {
	case len(parts) == 0:
		return ""
	case !slices.ContainsFunc(parts, func(p report.ToolPart) bool { return !isText(p) }):
		return "the description of "
	case !slices.ContainsFunc(parts, func(p report.ToolPart) bool { return p.Argument == "" }):
		return "the arguments of "
	}
	return ""
}

func (s *Story) consequences(c *cause) []Line {
	var list []Line
	if n := len(c.lost); n > 0 {
		list = append(list, say(Count(n, "case")+" cannot be judged"))
	}
	broken := lists.Count(c.hit, func(i int) bool { return s.report.Cases[i].Verdict.Broken() })
	if broken > 0 {
		list = append(list, say(Count(broken, "case")+verb(broken, " fails", " fail")))
	}
	if worse := len(c.hit) - broken; worse > 0 {
		list = append(list, say(Count(worse, "case")+" got worse"))
	}
	if len(c.breaking) > 0 {
		list = append(list, say("callers break", breakReasons(c.breaking)))
	}
	if n := len(c.critical); n > 0 {
		list = append(list, say(Count(n, "new critical finding")))
	}
	if n := len(c.older); n > 0 {
		list = append(list, say(Count(n, "case")+verb(n, " was", " were")+" recorded before this change"))
	}
	if len(list) == 0 {
		list = append(list, say("agents may confuse them"))
	}
	return list
}

// breakReasons returns the reasons why callers break. It leaves out that the tool is gone, renamed or hidden, because the sentence
// before says so.
func breakReasons(list []report.Breaking) Line {
	const most = 3
	list = slices.DeleteFunc(slices.Clone(list), func(b report.Breaking) bool {
		return brokenTools[b.Kind] != ""
	})
	if len(list) == 0 {
		return nil
	}
	return say(", because ", listLine(len(list), most, func(i int) any { return Broken(list[i]) }))
}

// brokenTools has a sentence for each kind of change after which callers do not find the tool.
var brokenTools = map[change.BreakKind]string{
	change.ToolRemoved: "the tool is gone", change.ToolHidden: "no model is offered it any more", change.ToolRenamed: "it has another name",
}

// Broken returns a sentence on how callers of a tool break.
func Broken(b report.Breaking) Line {
	if text := brokenTools[b.Kind]; text != "" {
		return say(text)
	}
	if b.Argument == "" {
		return say(message(b.Message))
	}
	return say(name(string(b.Argument)), " ", message(b.Message))
}

// caseFact returns a fact on a case with a cause: the lines of its suite that name a removed tool, otherwise its own faults.
func (s *Story) caseFact(i int, isLost bool) Fact {
	const most = 4
	c := &s.report.Cases[i]
	fact := Fact{Path: c.Suite, Line: c.Line, Case: i, Text: CaseName(c)}
	if isLost {
		if lines := linesOf(c); len(lines) > 0 {
			fact.Text = say(fact.Text, ": named in ", listLine(len(lines), most, func(k int) any { return place(lines[k].Path, lines[k].Line) }))
		}
		return fact
	}
	facts := s.Facts(i)
	texts := make([]Line, min(len(facts), most))
	for k := range texts {
		texts[k] = facts[k].Text
	}
	fact.Text = say(s.caseText(i), ": ", joinLines(texts, "; "))
	if left := len(facts) - most; left > 0 {
		fact.Text = say(fact.Text, "; and "+count(left)+" more")
	}
	return fact
}
