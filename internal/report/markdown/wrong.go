package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// mostBullets is how many things that went wrong are shown at once: the first screen holds them, and the changed tools.
const mostBullets = 8

// wrong lists what went wrong, one bullet each: mistakes in the input, cases that do not pass or got worse, weakened gates,
// changes that break callers, and new critical findings.
func (d *document) wrong(most int) string {
	list := slices.Concat(d.unknown(), d.mistakes(), d.wrongCases(), d.weakened(), d.breaking(), d.newCritical())
	if len(list) == 0 || most == 0 {
		return ""
	}
	shown := list[:min(len(list), most)]
	open := shown[:min(len(shown), mostBullets)]
	text := "**What went wrong**\n\n" + strings.Join(open, "")
	if rest := shown[len(open):]; len(rest) > 0 {
		text += "\n" + fold(count(len(rest))+" more", strings.Join(rest, ""))
	}
	return text + more(len(list)-len(shown), "things that went wrong")
}

// unknown is what fails the job because nobody knows it.
func (d *document) unknown() []string {
	list := make([]string, len(d.options.Unknown))
	for i, reason := range d.options.Unknown {
		list[i] = "- ❌ " + sentence(reason.Sentence) + "\n"
	}
	return list
}

// mistakes are those in users' files, and the cases that they take with them.
func (d *document) mistakes() []string {
	lost := map[string]string{}
	if d.c != nil {
		for _, r := range d.c.Regressions {
			if r.Kind == report.NotEvaluated {
				lost[r.Path] = " " + prose(r.What) + " of it could not be evaluated."
			}
		}
	}
	var list []string
	for _, p := range d.r.Problems {
		if d.isCaseError(p) {
			continue
		}
		line := "- ⚠️ "
		if p.Path != "" {
			line += d.place(p.Path, p.Line) + ": "
		}
		list = append(list, line+sentence(p.Message)+lost[p.Path]+"\n")
		delete(lost, p.Path)
	}
	return list
}

// isCaseError reports whether a mistake is the error of a case, whose own bullet says so.
func (d *document) isCaseError(p report.Problem) bool {
	return slices.ContainsFunc(d.r.Cases, func(c report.Case) bool {
		return c.Err != nil && c.Err.Path == p.Path && c.Err.Line == p.Line && strings.HasPrefix(c.Err.Message, p.Message)
	})
}

// sentence writes a message as prose that ends.
func sentence(text string) string {
	return strings.TrimSuffix(message(text), "&#46;") + "."
}

// maxMessage bounds, in characters, how much of a message is shown.
const maxMessage = 400

// wrongCases are the cases that do not pass, and those with a class missed or a tool called unexpectedly that is new.
func (d *document) wrongCases() []string {
	var list []string
	for _, i := range d.rowsToShow() {
		c, p := &d.r.Cases[i], &d.pairs[i]
		if !c.Verdict.Broken() && len(p.NewMissed)+len(p.NewUnexpected) == 0 {
			continue
		}
		mark := sign(c.Verdict)
		if !c.Verdict.Broken() {
			mark = sign(judge.Skipped) // it passes, and got worse
		}
		text := "- " + mark + " " + d.heading(c)
		facts := d.facts(i)
		if c.Err != nil {
			text += " cannot be judged"
		}
		if len(facts) > 0 {
			text += ": " + strings.Join(facts[:min(len(facts), mostFacts)], "; ") + "."
		}
		if left := len(facts) - mostFacts; left > 0 {
			text += " And " + count(left) + " more."
		}
		list = append(list, text+d.significance(i)+"\n")
	}
	return list
}

// mostFacts bounds the faults that the bullet of one case names.
const mostFacts = 8

// significance is the sentence about chance, once for the figures of a case.
func (d *document) significance(i int) string {
	for _, f := range d.pairs[i].Figures {
		if said := f.Significance(); said != "" {
			return " *" + strings.ToUpper(said[:1]) + strings.ReplaceAll(said[1:], "<", "&lt;") + ".*"
		}
	}
	return ""
}

// facts returns the faults of a case, each once: errors, failures, missed classes and unexpected tools.
func (d *document) facts(i int) []string {
	c, p := &d.r.Cases[i], &d.pairs[i]
	var list []string
	add := func(lines ...string) {
		for _, line := range lines {
			if !slices.Contains(list, line) { // two gates can have the same
				list = append(list, line)
			}
		}
	}
	if c.Err != nil {
		text := message(c.Err.Message)
		if c.Err.Path != c.Suite || c.Err.Line != c.Line {
			text += " (" + d.place(c.Err.Path, c.Err.Line) + ")"
		}
		add(text)
	}
	for j := range c.Gates {
		add(d.failures(i, &c.Gates[j])...)
	}
	add(d.expectations(c)...)
	for j := range c.Gates {
		add(d.notes(c, p, &c.Gates[j])...)
	}
	return list
}

// failures returns the error of a gate, or its assertions that do not hold.
func (d *document) failures(i int, g *judge.Result) []string {
	if g.Err != nil {
		return []string{code(g.Gate) + ": " + message(g.Err.Message)}
	}
	var list []string
	for j := range g.Assertions {
		if a := &g.Assertions[j]; a.Verdict == judge.Fail {
			list = append(list, d.failure(i, g, a))
		}
	}
	return list
}

// failure says in words what a figure is, what it was, and what is asked for, after the suite's own message.
func (d *document) failure(i int, g *judge.Result, a *judge.Assertion) string {
	lead := ""
	if a.Says != "" {
		lead = message(a.Says) + ": "
	}
	if a.Actual == nil {
		return message(cmp.Or(a.Message, a.Target+" is absent"))
	}
	if a.Breach != nil {
		return lead + d.breach(i, g, a)
	}
	figure := string(compare.MetricText(g, a.Target))
	if figure == "" {
		figure = report.ActualText(a.Actual)
	}
	return lead + figureName(a.Target) + " is " + strong(number(figure)) + d.before(i, a.Target) + ", " + asked(a.Matcher, unitOf(figure))
}

// breach says how a floor does not hold. That of the selection rate is about right picks.
func (d *document) breach(i int, g *judge.Result, a *judge.Assertion) string {
	const rate = "tool_selection.rate"
	selected, runs := g.Counts["selected"], g.Counts["runs"]
	if a.Target != "min_selection_rate" || a.Breach.Bound == "" || runs == 0 {
		return message(a.Broken())
	}
	return "picked the right tool in " + strong(fmt.Sprintf("%d of %d", selected, runs)) + " runs" + d.before(i, rate) +
		"; at least " + number(a.Breach.Bound) + " is asked for"
}

// unitOf returns the sign that a figure ends with.
func unitOf(figure string) string {
	if strings.HasSuffix(figure, "%") {
		return "%"
	}
	return ""
}

// plainNames are what figures are called in a sentence.
var plainNames = map[string]string{
	"tool_selection.f1": "F1", "tool_selection.precision": "precision", "tool_selection.recall": "recall", "tool_selection.rate": "the selection rate",
	"tool_selection.within_budget_rate": "the rate of right picks within the budget", "tool_selection.certified_rate": "the certified selection rate",
	"token_efficiency.f1": "F1", "token_efficiency.tokens_per_correct": "tokens per right choice",
	"token_efficiency.tool_surface_tokens": "the tool surface",
}

func figureName(target string) string {
	if name, ok := plainNames[target]; ok {
		return name
	}
	return code(target)
}

// bounds are the words for the operators of matchers.
var bounds = []struct{ op, words string }{{">= ", "at least "}, {"<= ", "at most "}, {"> ", "more than "}, {"< ", "less than "}}

// asked says what a matcher asks of a figure with a unit.
func asked(matcher, unit string) string {
	for _, b := range bounds {
		if rest, ok := strings.CutPrefix(matcher, b.op); ok && !strings.Contains(rest, " ") {
			return b.words + number(rest) + unit + " is asked for"
		}
	}
	return "expected " + code(matcher)
}

// before returns what the base had for a target; nothing where it had the same, or is not known.
func (d *document) before(i int, target string) string {
	if d.c == nil || d.pairs[i].New {
		return ""
	}
	delta := d.pairs[i].Of(target)
	if !delta.Changed() || delta.Base == "" {
		return ""
	}
	unit := ""
	if report.FigureNamed(delta.Name).IsPercent() {
		unit = "%"
	}
	return ", before " + number(string(delta.Base)) + unit
}

// expectations sums up the per-run expectations that do not hold, by what they expect. The actual values are left
// out, because they are a model's words.
func (d *document) expectations(c *report.Case) []string {
	var lines []string
	for _, e := range c.RunExpectations() {
		if e.Verdict().Broken() {
			lines = append(lines, code(e.Target)+" is not "+code(e.Matcher)+" in "+report.Numbers(e.Broken, e.MoreBroken())+d.runsBefore(c, e.Target))
		}
	}
	return lines
}

// runsBefore says in how large a share of the runs an expectation failed in the base, where that is less.
func (d *document) runsBefore(c *report.Case, target string) string {
	if d.c == nil {
		return ""
	}
	for _, r := range d.c.Regressions {
		if r.Kind == report.MoreRuns && r.Case == c.ID && r.What == target {
			return ", before in " + prose(cmp.Or(r.Base, "none"))
		}
	}
	return ""
}

// notes returns the notes of a gate, a line each.
func (d *document) notes(c *report.Case, p *report.Pair, g *judge.Result) []string {
	words := d.words(c)
	var lines []string
	for i := range judge.Kinds {
		kind := &judge.Kinds[i]
		if kind.Right {
			continue
		}
		for _, n := range g.Of(kind.Name) {
			line := n.Say(kind.Line, words)
			if aside := n.Say(kind.Aside, words); aside != "" {
				line += " (" + aside + ")"
			}
			lines = append(lines, line+d.isNew(slices.Contains(p.News(kind), n.Subject)))
		}
	}
	return lines
}

// words writes the parts of notes as Markdown.
func (d *document) words(c *report.Case) judge.Words {
	return judge.Words{
		Subject: func(n *judge.Note) string {
			subject := code(n.Subject)
			if n.Line > 0 {
				subject = d.linked(subject, c.Suite, n.Line)
			}
			return subject + d.cameWith(n.Subject)
		},
		Name:  code,
		Quote: code,
		List: func(names []string) string {
			const most = 4
			return codes(slices.Compact(slices.Sorted(slices.Values(names))), most)
		},
		Runs: report.Numbers,
	}
}

// cameWith says that the change adds a tool that was called.
func (d *document) cameWith(id string) string {
	if d.c == nil {
		return ""
	}
	if slices.ContainsFunc(d.c.Tools, func(t report.ToolChange) bool { return t.Kind == report.Added && report.ToolID(t.Server, t.Name) == id }) {
		return ", which this change adds"
	}
	return ""
}

func (d *document) isNew(new bool) string {
	if d.c != nil && new {
		return " **(new)**"
	}
	return ""
}

// breaking names the tools whose callers break.
func (d *document) breaking() []string {
	if d.c == nil || len(d.c.Breaking) == 0 {
		return nil
	}
	const most = 5
	var tools []string
	for _, b := range d.c.Breaking {
		if id := report.ToolID(b.Server, b.Tool); !slices.Contains(tools, id) {
			tools = append(tools, id)
		}
	}
	return []string{"- 💥 Callers of " + codes(tools, most) + " break.\n"}
}

// newCritical are the critical findings that the base does not have, a bullet for all of one rule.
func (d *document) newCritical() []string {
	if d.c == nil {
		return nil
	}
	const most = 3
	tools := map[string][]string{}
	var rules []string
	for _, f := range d.c.New {
		if f.Severity != "critical" {
			continue
		}
		if tools[f.Rule] == nil {
			rules = append(rules, f.Rule)
		}
		tools[f.Rule] = append(tools[f.Rule], report.ToolID(f.Server, f.Tool))
	}
	var list []string
	for _, rule := range rules {
		list = append(list, "- 🔴 New critical "+verb(len(tools[rule]), "finding", "findings")+" "+code(rule)+": "+codes(slices.Compact(tools[rule]), most)+".\n")
	}
	return list
}
