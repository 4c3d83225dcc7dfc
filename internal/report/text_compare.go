package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
)

// ComparisonText writes what the report's comparison with its base tells, for a person, and nothing else of the report.
func ComparisonText(w io.Writer, r *Report, o TextOptions) error {
	t := text{newPrinter(w, o.Color), r, o}
	t.comparison()
	t.agentNotes(modelNote)
	t.tokenNotes()
	return t.p.out.Flush()
}

// comparison writes how the report differs from its base; nothing when nothing was compared.
func (t *text) comparison() {
	c := t.r.Baseline
	if c == nil {
		return
	}
	t.p.line("compared with ", c.Base.plain(), ": ", strings.ReplaceAll(c.summary(), "**", ""))
	for _, line := range c.doubts(Safe) {
		t.p.line(t.p.paint(yellow, line))
	}
	t.regressions(c)
	t.figureChanges(c)
	t.weakenings(c)
	t.toolChanges(c)
	t.findingChanges(c)
	t.cassetteChanges(c)
}

// plain names the base for a terminal.
func (b Base) plain() string {
	var parts []string
	for _, part := range []Optional{b.Ref, b.SHA, b.File} {
		if part != "" {
			parts = append(parts, Safe(string(part)))
		}
	}
	if len(parts) == 0 {
		return "the baseline"
	}
	return strings.Join(parts, " ")
}

// part writes the title of a list, and each entry up to the usual number.
func (t *text) part(title, what string, n int, entry func(i int)) {
	if n == 0 {
		return
	}
	const most = 20
	t.p.line()
	t.p.line(t.p.paint(bold, title))
	shown := t.limit(n, most)
	for i := range shown {
		entry(i)
	}
	t.rest("  ", n-shown, what)
}

func (t *text) regressions(c *Comparison) {
	t.part("REGRESSIONS", "regression", len(c.Regressions), func(i int) {
		r := c.Regressions[i]
		t.p.line("  ", t.p.place(r.Path, r.Line), t.p.paint(red, Safe(r.describe())))
	})
}

// describe says in one line what got worse; the text is not yet safe to print.
func (r Regression) describe() string {
	switch r.Kind {
	case WorseVerdict:
		return fmt.Sprintf("%s: %s became %s", r.Case, r.Base, r.Head)
	case WorseFigure:
		return fmt.Sprintf("%s: %s fails and went from %s to %s", r.Case, r.What, r.Base, r.Head)
	case NewFailure:
		return fmt.Sprintf("%s: %s fails and did not before", r.Case, r.What)
	case MoreRuns:
		return fmt.Sprintf("%s: %s fails in %s, and in %s before", r.Case, r.What, r.Head, cmp.Or(r.Base, "none"))
	case BrokenNewCase:
		return fmt.Sprintf("%s: is new and does not pass (%s)", r.Case, r.Head)
	case NotEvaluated:
		return r.What + " of this suite could not be evaluated"
	}
	return fmt.Sprintf("%s: %s", r.What, r.Head)
}

// figureChanges lists the cases whose figures changed.
func (t *text) figureChanges(c *Comparison) {
	var lines []string
	for _, p := range c.Cases {
		lines = append(lines, p.describe()...)
	}
	t.part("FIGURES", "line", len(lines), func(i int) { t.p.line("  ", lines[i]) })
}

// describe returns what changed of a case, safe to print.
func (p *Pair) describe() []string {
	var changes []string
	if p.WasID != "" {
		changes = append(changes, "was "+Safe(string(p.WasID)))
	}
	for _, f := range p.Figures {
		beside := p.figure(figureNamed(f.Name).with)
		if (f.Changed() || beside.Changed()) && !p.New {
			changes = append(changes, f.describe())
		}
	}
	for _, f := range p.Others {
		changes = append(changes, f.describe())
	}
	if len(changes) == 0 {
		return nil
	}
	return []string{Safe(p.ID) + ": " + strings.Join(changes, ", ")}
}

func (d Delta) describe() string {
	text := Safe(cmp.Or(figureNamed(d.Name).label, d.Name)) + " "
	if !d.Changed() {
		return text + orAbsent(d.Head)
	}
	text += orAbsent(d.Base) + " → " + orAbsent(d.Head)
	if diff := d.difference(); diff != "" {
		text += " (" + diff + ")"
	}
	if said := d.verdictOfChance(); said != "" {
		text += ", " + said
	}
	return text
}

func orAbsent(figure Optional) string {
	if figure == "" {
		return absent
	}
	return Safe(string(figure))
}

func (t *text) weakenings(c *Comparison) {
	list := c.weakenedCases()
	t.part("WEAKENED GATES", "entry", len(list), func(i int) {
		t.p.line("  ", t.p.place(list[i].Suite, list[i].Line), list[i].describe())
		for _, w := range list[i].settings {
			t.p.line("    ", w.describe())
		}
	})
}

// describe says in one line what became weaker, safe to print.
func (w Weakening) describe() string {
	name := Safe(w.Name)
	if w.Model != "" {
		name += " (" + Safe(string(w.Model)) + ")"
	}
	switch w.Kind {
	case InEffect:
		return name + " " + w.Verdicts() + ": " + Safe(w.Reason)
	case CaseRemoved:
		return "case " + name + " was removed"
	case GateRemoved:
		return "gate " + Safe(w.Key) + " was removed from " + name
	}
	return Safe(settingName(w.Key)) + " of " + name + ": " + w.changeText() + ", " + Safe(w.Kind)
}

// changeText says what became of a setting, safe to print.
func (w Weakening) changeText() string {
	switch {
	case w.Head == "":
		return Safe(string(w.Base)) + " was removed"
	case w.Base == "":
		return Safe(string(w.Head)) + " was added"
	}
	return Safe(string(w.Base)) + " became " + Safe(string(w.Head))
}

func (t *text) toolChanges(c *Comparison) {
	title := fmt.Sprintf("TOOL SURFACE %d → %d tokens", c.Totals[0].Surface, c.Totals[1].Surface)
	t.part(title, "tool", len(c.Tools), func(i int) {
		change := c.Tools[i]
		t.p.line("  ", Safe(toolID(change.Server, change.Name)), " ", Safe(change.Kind), ": ",
			fmt.Sprintf("%d → %d tokens", change.Base, change.Head))
	})
}

func (t *text) findingChanges(c *Comparison) {
	list := func(title string, findings []Finding) {
		t.part(title, "finding", len(findings), func(i int) {
			f := findings[i]
			t.p.line("  ", t.p.place(f.Path, f.Line), Safe(f.Rule), " ", Safe(f.Severity), " ", Safe(toolID(f.Server, f.Tool)), ": ", Safe(f.Message))
		})
	}
	list("NEW FINDINGS", c.New)
	list("FIXED FINDINGS", c.Fixed)
}

func (t *text) cassetteChanges(c *Comparison) {
	t.part("CHANGED CASSETTES", "cassette", len(c.Cassettes), func(i int) {
		change := c.Cassettes[i]
		said := fmt.Sprintf("%s, %d → %s", Safe(change.Kind), change.Base, count(change.Head, "run"))
		if change.Kind != Removed && !change.ByRecorder() {
			said += ", not written by a recorder"
		}
		t.p.line("  ", t.p.place(change.Path, 0), said)
	})
}
