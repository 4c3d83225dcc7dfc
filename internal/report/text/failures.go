package text

import (
	"io"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// Failures writes what is wrong, a line each: the verdict, mistakes, what each case is broken by, and what got worse than
// in the base. It is for people beside a format for machines, and writes nothing when nothing is wrong. Nothing is cut
// short: whoever asked for JSON reads the rest nowhere else.
func Failures(w io.Writer, r *report.Report, o Options) error {
	t := writer{newPrinter(w, o), r, o}
	if r.Verdict.Broken() {
		t.p.line(t.p.verdict(r.Verdict), ": ", r.Headline())
	}
	for _, pr := range r.Problems {
		t.p.problem("", pr)
	}
	for i := range r.Cases {
		t.caseFailures(&r.Cases[i])
	}
	if r.Baseline != nil {
		t.worse(r.Baseline)
	}
	return t.p.out.Flush()
}

// worse writes a line for each thing that got worse than in the base.
func (t *writer) worse(c *report.Comparison) {
	for _, r := range c.Regressions {
		t.p.line(t.p.paint(red, "REGRESSION"), " ", t.p.place(r.Path, r.Line), report.Safe(r.Says()))
	}
	for _, w := range c.LeftOut() {
		t.p.line(t.p.paint(red, "WEAKENED"), " ", t.p.place(w.Path(), w.Line), w.Says(report.Safe))
	}
}

// caseFailures writes the errors of a case, a line for its failed assertions, and the floors of its gates that do not pass.
func (t *writer) caseFailures(c *report.Case) {
	t.caseProblem(c, c.Err)
	for i := range c.Gates {
		t.caseProblem(c, c.Gates[i].Err)
	}
	t.firstFailure(c)
	for i := range c.Gates {
		if g := &c.Gates[i]; g.Verdict.Broken() {
			t.floors(g)
		}
	}
}

// caseProblem writes an error of a case in one line; nil is none.
func (t *writer) caseProblem(c *report.Case, e *judge.Problem) {
	if e == nil {
		return
	}
	at := t.p.place(e.Path, e.Line)
	if e.Path == c.Suite && e.Line == c.Line {
		at = "" // said at the beginning of the line
	}
	t.caseLine(judge.Error, c, at+report.Safe(e.Message))
}

// firstFailure writes the first failed assertion of a case, and how many more there are.
func (t *writer) firstFailure(c *report.Case) {
	if text := firstOf(failures(c, false)); text != "" {
		t.caseLine(judge.Fail, c, text)
	}
}

// failures returns the failed assertions of a case, a line each; public leaves out the actual values of single runs.
func failures(c *report.Case, public bool) []string {
	var failed []string
	for i := range c.Gates {
		for j := range c.Gates[i].Assertions {
			if a := &c.Gates[i].Assertions[j]; a.Verdict == judge.Fail {
				failed = append(failed, said(a))
			}
		}
	}
	for _, e := range c.Expect {
		if public {
			e = concealed(e)
		}
		if e.Verdict == judge.Fail {
			failed = append(failed, inRun(e.Run)+said(&e.Assertion))
		}
	}
	return failed
}

// firstOf returns the first of some failures, and counts the others; "" when there are none.
func firstOf(failed []string) string {
	switch more := len(failed) - 1; {
	case more < 0:
		return ""
	case more == 0:
		return failed[0]
	default:
		return failed[0] + " (and " + judge.CountOf(more, "more failure") + ")"
	}
}

func (t *writer) caseLine(v judge.Verdict, c *report.Case, safe string) {
	t.p.line(t.p.verdict(v), " ", t.p.place(c.Suite, c.Line), titleOf(c), ": ", safe)
}

// floors writes the headline of a gate that has one, and its floors that do not hold.
func (t *writer) floors(g *judge.Result) {
	if g.Headline == "" {
		return
	}
	t.p.line(report.Safe(g.Headline))
	for i := range g.Assertions {
		if a := &g.Assertions[i]; a.Breach != nil {
			t.p.line(report.Safe(a.Floor()))
		}
	}
}

// LintFailures writes the findings that make a lint fail, a line each, and the verdict; nothing when it passes.
func LintFailures(w io.Writer, l *report.Lint, o Options) error {
	t := lintText{p: lintPrinter(w, o), l: l}
	if l.Verdict == judge.Pass {
		return nil
	}
	t.p.failures(l.Failing)
	t.footer()
	return t.p.out.Flush()
}

// LintDiffFailures writes what makes a difference fail, a line each, and the verdict; nothing when it passes.
func LintDiffFailures(w io.Writer, d *report.LintDiff, o Options) error {
	t := diffText{lintPrinter(w, o), d}
	if d.Verdict == judge.Pass {
		return nil
	}
	for i := range d.Breaking {
		t.breaking("", i)
	}
	for _, b := range d.MayBreak {
		if b.Kind == change.NotCompared {
			t.p.breaking("", b, red)
		}
	}
	t.p.failures(d.Failing)
	t.footer()
	return t.p.out.Flush()
}

func (p *printer) failures(findings []report.Finding) {
	for i := range findings {
		p.toolFinding("", &findings[i])
	}
}
