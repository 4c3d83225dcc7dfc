package text

import (
	"io"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// Failures writes what is wrong, each in a line: the headline, what went wrong, and the floors that do not hold. It is for people
// beside a format for machines, and writes nothing when nothing is wrong. Nothing is cut short: whoever asked for JSON reads the rest
// nowhere else.
func Failures(w io.Writer, r *report.Report, o Options) error {
	t := newWriter(w, r, o)
	if r.Verdict.Broken() {
		t.headline()
	}
	for i := range t.Wrong {
		if t.Wrong[i].Worse {
			t.failure(&t.Wrong[i])
		}
	}
	return t.p.out.Flush()
}

// failure writes an item: a case in one line with the other floors that do not hold, anything else with all its facts.
func (t *writer) failure(item *tell.Item) {
	if item.Kind != tell.OfCase {
		t.p.line(t.label(item), t.p.place(item.Path, item.Line, item.Col), t.p.render(item.Text))
		for i := range item.Facts {
			t.fact(&item.Facts[i])
		}
		return
	}
	t.brief(item) // with the first fact
	for i := 1; i < len(item.Facts); i++ {
		for _, line := range item.Facts[i].Floor[:min(len(item.Facts[i].Floor), 1)] {
			t.p.line(report.Safe(line))
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
