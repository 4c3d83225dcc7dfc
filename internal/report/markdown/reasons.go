package markdown

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// reasons lists the faults of each case that does not pass, or that has a missed class or an unexpected tool that is new.
func (d *document) reasons(most int) string {
	var rows []int
	for _, i := range d.rowsToShow() {
		if p := &d.pairs[i]; d.r.Cases[i].Verdict.Broken() || len(p.NewMissed)+len(p.NewUnexpected) > 0 {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 || most == 0 {
		return ""
	}
	shown := rows[:min(len(rows), most)]
	var b strings.Builder
	b.WriteString("#### What went wrong\n\n")
	for _, i := range shown {
		c := &d.r.Cases[i]
		b.WriteString("- " + sign(c.Verdict) + " " + d.heading(c) + "\n")
		lines := d.reasonsOf(i)
		for _, line := range lines[:min(len(lines), most, mostReasons)] {
			b.WriteString("  - " + line + "\n")
		}
		if left := len(lines) - min(most, mostReasons); left > 0 {
			b.WriteString("  - and " + count(left) + " more\n")
		}
	}
	b.WriteString(more(len(rows)-len(shown), "cases"))
	return b.String()
}

// mostReasons bounds the lines about one case.
const mostReasons = 20

// reasonsOf returns the faults of a case, a line each: errors, failures, missed classes and unexpected tools.
func (d *document) reasonsOf(i int) []string {
	c, p := &d.r.Cases[i], &d.pairs[i]
	lines := d.regressionsIn(c)
	if c.Err != nil {
		lines = append(lines, codeOf(c.Err.Message, maxMessage)+" at "+d.place(c.Err.Path, c.Err.Line))
	}
	seen := map[string]bool{}
	add := func(line string) {
		if !seen[line] { // two gates can have the same line
			seen[line] = true
			lines = append(lines, line)
		}
	}
	for j := range c.Gates {
		for _, line := range failures(&c.Gates[j]) {
			add(line)
		}
	}
	for _, line := range expectations(c) {
		add(line)
	}
	for j := range c.Gates {
		for _, line := range d.notes(c, p, &c.Gates[j]) {
			add(line)
		}
	}
	return lines
}

// failures returns the error of a gate, or its floors and assertions that do not hold.
func failures(g *judge.Result) []string {
	if g.Err != nil {
		return []string{code(g.Gate) + ": " + codeOf(g.Err.Message, maxMessage)}
	}
	var breaches, failures []string
	for i := range g.Assertions {
		a := &g.Assertions[i]
		if a.Breach != nil {
			breaches = append(breaches, codeOf(a.Broken(), maxMessage))
		}
		if a.Verdict == judge.Fail && (a.Breach == nil || a.Breach.Figure == "") { // else the breach has the figure
			failures = append(failures, failure(g, a))
		}
	}
	return append(breaches, failures...)
}

// failure returns the expected and the actual value of an assertion, after its message from the suite.
func failure(g *judge.Result, a *judge.Assertion) string {
	lead := ""
	if a.Says != "" {
		lead = codeOf(a.Says, maxMessage) + ": "
	}
	if a.Actual == nil {
		return codeOf(cmp.Or(a.Message, a.Target+" is absent"), maxMessage)
	}
	figure := string(compare.MetricText(g, a.Target))
	if figure == "" {
		figure = report.ActualText(a.Actual)
	}
	return lead + code(a.Target) + " is " + code(figure) + ", expected " + code(a.Matcher)
}

// expectations sums up the per-run expectations that do not hold, by what they expect. The actual values are left
// out, because they are a model's words.
func expectations(c *report.Case) []string {
	type expected struct{ target, matcher string }
	runs := map[expected][]int{}
	var order []expected
	for _, e := range c.Expect {
		if e.Verdict != judge.Fail && e.Verdict != judge.Error {
			continue
		}
		key := expected{e.Target, e.Matcher}
		if runs[key] == nil {
			order = append(order, key)
		}
		runs[key] = append(runs[key], e.Run)
	}
	lines := make([]string, len(order))
	for i, key := range order {
		lines[i] = code(key.target) + " is not " + code(key.matcher) + " in " + report.Numbers(runs[key])
	}
	return lines
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
				line += "; " + aside
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
			if n.Line == 0 {
				return code(n.Subject)
			}
			return d.linked(code(n.Subject), c.Suite, n.Line)
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

func (d *document) isNew(new bool) string {
	if d.c != nil && new {
		return " **(new)**"
	}
	return ""
}
