package text

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// mostChanges bounds the entries of each list of changes, unless everything is asked for.
const mostChanges = 20

// Comparison writes how the report differs from its base, for a person, and nothing else of the report.
func Comparison(w io.Writer, r *report.Report, o Options) error {
	t := writer{newPrinter(w, o), r, o}
	t.comparison()
	t.agentNotes(report.ModelNote)
	t.tokenNotes()
	return t.p.out.Flush()
}

// comparison writes how the report differs from its base; nothing when nothing was compared.
func (t *writer) comparison() {
	c := t.r.Baseline
	if c == nil {
		return
	}
	t.p.line("compared with ", baseText(c.Base), ": ", c.Summary(func(s string) string { return s }))
	for _, line := range c.Doubts(report.Safe) {
		t.p.line(t.p.paint(yellow, line))
	}
	t.regressions(c)
	t.weakenings(c)
	t.executableChanges(c)
	t.toolChanges(c)
	t.figureChanges(c)
	t.findingChanges(c)
	t.cassetteChanges(c)
}

// baseText names the base for a terminal.
func baseText(b report.Base) string {
	var parts []string
	for _, part := range []report.Optional{b.Ref, b.SHA, b.File} {
		if part != "" {
			parts = append(parts, report.Safe(string(part)))
		}
	}
	if len(parts) == 0 {
		return "the baseline"
	}
	return strings.Join(parts, " ")
}

func (t *writer) regressions(c *report.Comparison) {
	t.p.list("REGRESSIONS", "regression", len(c.Regressions), mostChanges, func(i int) {
		r := c.Regressions[i]
		t.p.line("  ", t.p.place(r.Path, r.Line), t.p.paint(red, report.Safe(r.Says())))
	})
}

// figureChanges lists the cases whose figures changed.
func (t *writer) figureChanges(c *report.Comparison) {
	var lines []string
	for _, p := range c.Cases {
		lines = append(lines, pairLine(&p)...)
	}
	t.p.list("FIGURES", "line", len(lines), mostChanges, func(i int) { t.p.line("  ", lines[i]) })
}

// pairLine returns what changed of a case, safe to print.
func pairLine(p *report.Pair) []string {
	var changes []string
	if p.WasID != "" {
		changes = append(changes, "was "+report.Safe(string(p.WasID)))
	}
	for _, f := range p.Figures {
		beside := p.Figure(report.FigureNamed(f.Name).With)
		if (f.Changed() || beside.Changed()) && !p.New {
			changes = append(changes, deltaLine(f))
		}
	}
	for _, f := range p.Others {
		changes = append(changes, deltaLine(f))
	}
	if len(changes) == 0 {
		return nil
	}
	return []string{report.Safe(p.ID) + ": " + strings.Join(changes, ", ")}
}

func deltaLine(d report.Delta) string {
	text := report.Safe(cmp.Or(report.FigureNamed(d.Name).Label, d.Name)) + " "
	if !d.Changed() {
		return text + orAbsent(d.Head)
	}
	text += orAbsent(d.Base) + " → " + orAbsent(d.Head)
	if diff := d.Difference(); diff != "" {
		text += " (" + diff + ")"
	}
	if said := d.Significance(); said != "" {
		text += ", " + said
	}
	return text
}

func orAbsent(figure report.Optional) string {
	if figure == "" {
		return report.Absent
	}
	return report.Safe(string(figure))
}

func (t *writer) weakenings(c *report.Comparison) {
	list := c.WeakenedCases()
	t.p.list("WEAKENED GATES", "entry", len(list), mostChanges, func(i int) {
		t.p.line("  ", t.p.place(list[i].Path(), list[i].Line), list[i].Says(report.Safe))
		for _, w := range list[i].Settings {
			t.p.line("    ", w.Says(report.Safe))
		}
	})
}

// executableChanges lists what live runs execute now.
func (t *writer) executableChanges(c *report.Comparison) {
	t.p.list("EXECUTABLE CHANGES", "change", len(c.Executable), mostChanges, func(i int) {
		e := &c.Executable[i]
		t.p.line("  ", t.p.place(e.Path(), e.Line), report.Safe(e.Key), " of ", report.Safe(e.Of), ": ", e.Became(report.Safe))
	})
}

func (t *writer) findingChanges(c *report.Comparison) {
	list := func(title string, findings []report.Finding) {
		t.p.list(title, "finding", len(findings), mostChanges, func(i int) {
			f := findings[i]
			t.p.line("  ", t.p.place(f.Path, f.Line), report.Safe(f.Rule), " ", report.Safe(f.Severity), " ", toolID(f.Server, f.Tool), ": ",
				report.Safe(f.Message))
		})
	}
	list("NEW FINDINGS", c.New)
	list("FIXED FINDINGS", c.Fixed)
}

func (t *writer) cassetteChanges(c *report.Comparison) {
	t.p.list("CHANGED CASSETTES", "cassette", len(c.Cassettes), mostChanges, func(i int) {
		change := c.Cassettes[i]
		said := fmt.Sprintf("%s, %d → %s", report.Safe(change.Kind), change.Base, judge.CountOf(change.Head, "run"))
		if change.Kind != report.Removed && !change.ByRecorder() {
			said += ", not written by a recorder"
		}
		t.p.line("  ", t.p.place(change.Path, 0), said)
	})
}
