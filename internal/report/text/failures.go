package text

import (
	"io"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// Failures writes only what is wrong: the headline, and a line for each item and each broken floor. It writes nothing if
// nothing is wrong. It is for people while the report itself goes to a machine, so it writes all items.
func Failures(w io.Writer, r *report.Report, o Options) error {
	t := newWriter(w, r, o)
	if r.Verdict.Broken() {
		t.writeHeadline()
	}
	for i := range t.Wrong {
		if t.Wrong[i].Worse {
			t.writeFailure(&t.Wrong[i])
		}
	}
	return t.p.out.Flush()
}

// writeFailure writes an item. A case is one line, with its other broken floors. Any other item has all of its facts.
func (t *writer) writeFailure(item *tell.Item) {
	if item.Kind != tell.OfCase {
		t.p.line(t.label(item), t.p.place(item.Path, item.Line, item.Col), t.p.render(item.Text))
		for i := range item.Facts {
			t.writeFact(&item.Facts[i])
		}
		return
	}
	t.writeBriefly(item) // with the first fact
	for i := 1; i < len(item.Facts); i++ {
		for _, line := range item.Facts[i].Floor[:min(len(item.Facts[i].Floor), 1)] {
			t.p.line(report.Safe(line))
		}
	}
}

// LintFailures writes the verdict of a lint and a line for each finding that makes it fail. It writes nothing if the lint
// passes.
func LintFailures(w io.Writer, l *report.Lint, o Options) error {
	t := lintText{p: lintPrinter(w, o), l: l}
	if l.Verdict == judge.Pass {
		return nil
	}
	t.p.writeToolFindings(l.Failing)
	t.writeFooter()
	return t.p.out.Flush()
}

// LintDiffFailures writes the verdict of a difference and a line for each reason why it fails. It writes nothing if it passes.
func LintDiffFailures(w io.Writer, d *report.LintDiff, o Options) error {
	t := diffText{lintPrinter(w, o), d}
	if d.Verdict == judge.Pass {
		return nil
	}
	for i := range d.Breaking {
		t.writeBreaking("", i)
	}
	for _, b := range d.MayBreak {
		if b.Kind == change.NotCompared {
			t.p.writeBreaking("", b, red)
		}
	}
	t.p.writeToolFindings(d.Failing)
	t.writeFooter()
	return t.p.out.Flush()
}

func (p *printer) writeToolFindings(findings []report.Finding) {
	for i := range findings {
		p.writeToolFinding("", &findings[i])
	}
}
