package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// titleOf returns the case's name and who answered, as a terminal may show them.
func titleOf(c *report.Case) string {
	agent := c.Agent()
	if agent == "" {
		return report.Safe(c.Name)
	}
	return report.Safe(c.Name) + " (" + agent + ")"
}

// reasonOf returns in a few words why a case is broken: its error, else the gates that do not pass.
func reasonOf(c *report.Case) string {
	if c.Err != nil {
		return report.Safe(c.Err.Message)
	}
	var names []string
	for _, g := range c.Gates {
		if g.Verdict.Broken() {
			names = append(names, report.Safe(g.Gate))
		}
	}
	if c.HasBrokenRuns() {
		names = append(names, "expect")
	}
	return strings.Join(names, ", ")
}

// Case writes a case that does not pass as a report has it: its error, its gates with what fails and why, and its runs.
func Case(w io.Writer, r *report.Report, c *report.Case, o Options) error {
	t := writer{newPrinter(w, o), r, o}
	t.caseBody(c)
	return t.p.out.Flush()
}

// Reason returns in one line why a case does not pass: its error, else the first assertion that fails, and how many more
// do, without what runs did. It is safe for a terminal, and "" for a case that passes.
func Reason(c *report.Case) string {
	if c.Err != nil {
		return report.Safe(c.Err.Message)
	}
	for i := range c.Gates {
		if e := c.Gates[i].Err; e != nil {
			return report.Safe(e.Message)
		}
	}
	return firstOf(failures(c, true))
}

// brokenCase writes a case that failed or could not be evaluated.
func (t *writer) brokenCase(c *report.Case) {
	t.p.line()
	t.caseBody(c)
}

func (t *writer) caseBody(c *report.Case) {
	t.p.line(t.p.verdict(c.Verdict), " ", t.p.place(c.Suite, c.Line), titleOf(c))
	t.caseError(c)
	for i := range c.Gates {
		t.gate(c, &c.Gates[i])
	}
	t.expectations(c)
	t.runs(c)
}

// caseError writes the error of the case, and the other mistakes of the file at fault; of a case that is left out, why.
func (t *writer) caseError(c *report.Case) {
	if c.Err == nil {
		if c.LeftOut != "" {
			t.p.line("  ", report.Safe(string(c.LeftOut)))
		}
		return
	}
	isElsewhere := c.Err.Path != c.Suite
	saysMore := func(pr report.Problem) bool { return isWithAdvice(pr, c.Err) }
	if !isElsewhere || !slices.ContainsFunc(t.r.Problems, saysMore) {
		t.p.line("  ", t.p.place(c.Err.Path, c.Err.Line), report.Safe(c.Err.Message))
	}
	if !isElsewhere {
		return
	}
	for _, pr := range t.r.Problems {
		if pr.Path == c.Err.Path && (pr.Line != c.Err.Line || !strings.Contains(c.Err.Message, pr.Message)) {
			t.p.problem("  ", pr)
		}
	}
}

// isWithAdvice reports whether a mistake is the error of a case, with advice behind it.
func isWithAdvice(pr report.Problem, e *judge.Problem) bool {
	return pr.Path == e.Path && pr.Line == e.Line && strings.HasPrefix(pr.Message, e.Message+";")
}

// gate writes a gate's figures, its floors, the assertions that do not pass, the notes and the curve.
func (t *writer) gate(c *report.Case, g *judge.Result) {
	t.p.line(t.p.place(c.Suite, g.Line), report.Safe(g.Gate), " ", t.p.verdict(g.Verdict), figures(g, ": ", t.options.All))
	if e := g.Err; e != nil && !g.Breached() {
		at := t.p.place(e.Path, e.Line)
		if e.Path == c.Suite && e.Line == g.Line {
			at = "" // said on the line above
		}
		t.p.line("  ", at, report.Safe(e.Message))
	}
	t.headline(g)
	for i := range g.Assertions {
		a := &g.Assertions[i]
		if g.Err != nil && a.Line == g.Err.Line && a.Message == g.Err.Message {
			continue // said above
		}
		if a.Breach == nil { // else it is said above
			t.assertion(c, "", a)
		}
	}
	if g.Verdict != judge.Pass {
		t.notes(c, g)
	}
	t.curve(g)
}

// headline writes the figures of a gate with floors, and the floors that do not hold: below each the first few of its runs.
func (t *writer) headline(g *judge.Result) {
	if g.Headline == "" {
		return
	}
	t.p.line(report.Safe(g.Headline))
	for i := range g.Assertions {
		if g.Assertions[i].Breach == nil {
			continue
		}
		lines, more := g.Assertions[i].Lines(), g.Assertions[i].Breach.More
		if more > 0 {
			lines = lines[:len(lines)-1] // the last one counts them
		}
		shown := 1 + t.p.limit(len(lines)-1, mostLines)
		for _, line := range lines[:shown] {
			t.p.line(report.Safe(line))
		}
		t.p.rest("  ", len(lines)-shown, "run")
		t.p.cut("  ", more, "run")
	}
}

// assertion writes one that does not pass; prefix names the run that it is about.
func (t *writer) assertion(c *report.Case, prefix string, a *judge.Assertion) {
	if a.Verdict == judge.Pass {
		return
	}
	text := said(a)
	if a.Verdict == judge.Skipped {
		text = t.p.paint(yellow, "skipped") + ": " + text
	}
	t.p.line("  ", t.p.place(c.Suite, a.Line), prefix, text)
}

// said returns the outcome of an assertion, as a terminal may show it.
func said(a *judge.Assertion) string { return report.Safe(report.Said(a)) }

// notes writes what stands behind the figures, of most kinds the first few.
func (t *writer) notes(c *report.Case, g *judge.Result) {
	for i := range judge.Kinds {
		kind := &judge.Kinds[i]
		if kind.Right {
			continue
		}
		notes := g.Of(kind.Name)
		shown := len(notes)
		if kind.Noun != "" {
			shown = t.p.limit(shown, mostTools)
		}
		for _, n := range notes[:shown] {
			at := ""
			if n.Line > 0 {
				at = t.p.place(c.Suite, n.Line)
			}
			t.p.line("  ", at, n.Say(kind.Line, textWords()))
		}
		t.p.rest("  ", len(notes)-shown, kind.Noun)
		t.p.cut("  ", g.NotesCut[kind.Name], cmp.Or(kind.Noun, "entry"))
	}
}

// textWords writes the parts of notes as a terminal may show them.
func textWords() judge.Words {
	return judge.Words{
		Subject: func(n *judge.Note) string { return report.Safe(n.Subject) },
		Name:    report.Safe,
		Quote:   func(s string) string { return `"` + report.Safe(s) + `"` },
		List:    safeNames,
		Runs:    report.Numbers,
	}
}

// expectations writes the per-run expectations that do not hold, the first few runs of them.
func (t *writer) expectations(c *report.Case) {
	broken := slices.DeleteFunc(slices.Clone(c.Expect), func(e report.RunAssertion) bool { return e.Verdict == judge.Pass })
	shown := t.p.limit(len(broken), mostRuns)
	for _, e := range broken[:shown] {
		if t.options.Public {
			e = concealed(e)
		}
		t.assertion(c, inRun(e.Run), &e.Assertion)
	}
	more := 0
	for _, e := range c.RunExpectations() {
		more += e.MoreBroken()
	}
	t.p.rest("  ", len(broken)-shown, "broken expectation")
	t.p.cut("  ", more, "broken expectation")
}

// concealed returns an expectation without the value that was found, which is of a run.
func concealed(e report.RunAssertion) report.RunAssertion {
	if e.Verdict != judge.Skipped {
		e.Message = e.Target + " is not " + e.Matcher
	}
	return e
}

// inRun begins the line of a per-run expectation.
func inRun(run int) string { return fmt.Sprintf("expect in run %d: ", run) }

// runs writes the calls of the runs that break the case, the first few of them; or the rows that are asked for.
func (t *writer) runs(c *report.Case) {
	if t.options.All || t.options.Run > 0 {
		t.rows(c)
		return
	}
	concerned := slices.DeleteFunc(concernedRows(c), func(i int) bool { return errorTells(c, &c.Rows[i]) })
	shown := t.p.limit(len(concerned), mostRuns)
	for _, i := range concerned[:shown] {
		t.p.line("  ", rowLine(&c.Rows[i]))
	}
	t.p.rest("  ", len(concerned)-shown, "run")
	if more := c.MoreRuns(); more != "" {
		t.p.line("  ", t.p.paint(dim, more))
	}
}

// errorTells reports whether the case's error quotes the run's.
func errorTells(c *report.Case, r *report.Row) bool {
	return c.Err != nil && r.Err != "" && c.Err.Run == r.Run
}

// concernedRows returns the indexes of the rows that a reader will want to see: runs that did not finish, broke an
// expectation, missed a class, or called something unexpected.
func concernedRows(c *report.Case) []int {
	wanted := map[int]bool{}
	for _, g := range c.Gates {
		if g.Verdict == judge.Pass {
			continue
		}
		for _, n := range g.Notes {
			for _, run := range n.Runs {
				wanted[run] = wanted[run] || !judge.KindOf(n.Kind).Right
			}
		}
	}
	var rows []int
	for i, row := range c.Rows {
		if row.Verdict.Broken() || wanted[row.Run] {
			rows = append(rows, i)
		}
	}
	return rows
}

// goodCase writes a case that passed: one line, or the lines of its gates where all of them have some. The gates do not
// name an agent that was not a model, which takes the one line.
func (t *writer) goodCase(c *report.Case) {
	var shown []string
	silent := len(c.Gates) == 0 || c.ModelNote != ""
	for i := range c.Gates {
		g := &c.Gates[i]
		shown = append(shown, strings.TrimPrefix(figures(g, ", ", t.options.All), ", "))
		silent = silent || g.Headline == ""
	}
	if c.LeftOut != "" {
		shown = append(shown, report.Safe(string(c.LeftOut)))
	}
	if silent {
		shown = slices.DeleteFunc(shown, func(s string) bool { return s == "" })
		t.p.line(t.p.verdict(c.Verdict), " ", t.p.place(c.Suite, c.Line), titleOf(c), t.p.paint(dim, in(shown)))
	}
	for i := range c.Gates {
		g := &c.Gates[i]
		t.headline(g)
		for j := range g.Assertions {
			t.assertion(c, "", &g.Assertions[j])
		}
	}
	t.rows(c)
}

func in(figures []string) string {
	if len(figures) == 0 {
		return ""
	}
	return " (" + strings.Join(figures, "; ") + ")"
}

// figures returns the gate's figures after lead, in the order in which the gate documents them; "" when there are
// none. Figures that have a parameter, such as those of single tools, are left out. Of a gate that passes only its own are
// shown, unless all are asked for: those that something is expected of, otherwise the first.
func figures(g *judge.Result, lead string, all bool) string {
	most := 8
	targets := gates.Find(g.Gate).Figures(g)
	if !all && g.Verdict == judge.Pass {
		most = 2
		expected := slices.DeleteFunc(slices.Clone(targets), func(target string) bool {
			return !slices.ContainsFunc(g.Assertions, func(a judge.Assertion) bool { return a.Target == target })
		})
		if targets = targets[:min(1, len(targets))]; len(expected) > 0 {
			targets = expected
		}
	}
	var parts []string
	for _, target := range targets {
		_, name, ok := strings.Cut(target, ".")
		if !ok {
			name = target
		}
		parts = append(parts, report.Safe(name)+" "+g.Metrics[target].Format())
	}
	if g.Grade != "" {
		parts = append(parts, "grade "+report.Safe(g.Grade))
	}
	if len(parts) == 0 {
		return ""
	}
	return lead + strings.Join(parts[:min(len(parts), most)], ", ")
}
