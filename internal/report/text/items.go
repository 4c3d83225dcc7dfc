package text

import (
	"strings"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// render returns a line in a form that is safe for a terminal. Deleted and inserted words are coloured if colours are on.
func (p *printer) render(line tell.Line) string {
	var b strings.Builder
	for _, s := range line {
		switch s.Style {
		case tell.Deleted:
			b.WriteString(p.paint(red, s.Plain()))
		case tell.Inserted:
			b.WriteString(p.paint(green, s.Plain()))
		default:
			b.WriteString(s.Plain())
		}
	}
	return b.String()
}

func (t *writer) writeLead() {
	if t.Compared != nil {
		t.p.line(t.p.render(t.Compared))
	}
	for _, doubt := range t.Doubts {
		t.p.line(t.p.paint(yellow, t.p.render(doubt)))
	}
}

// writeWhatWentWrong writes the first items in full, and further ones in a line each: a change that breaks one case often breaks
// hundreds.
func (t *writer) writeWhatWentWrong() {
	limit := tell.Terminal.Limit(tell.WhatWentWrong)
	open := t.limitCases(len(t.Wrong), limit.Open) // number of items in full
	for i := range t.Wrong[:open] {
		t.writeItem(&t.Wrong[i])
	}
	t.writeNamedCases()
	if open == len(t.Wrong) {
		return
	}
	t.p.line()
	shown := min(len(t.Wrong), limit.All)
	for i := open; i < shown; i++ {
		t.writeBriefly(&t.Wrong[i])
	}
	t.p.writeRest("", len(t.Wrong)-shown, "item")
}

// writeNamedCases writes in full the cases that an item about a tool names. It writes none unless options ask for everything or for
// one run.
func (t *writer) writeNamedCases() {
	if !t.options.All && t.options.Run == 0 {
		return
	}
	for i := range t.Wrong {
		for _, fact := range t.Wrong[i].Facts {
			if fact.Case >= 0 {
				t.p.line()
				t.writeCase(fact.Case)
			}
		}
	}
}

func (t *writer) writeItem(item *tell.Item) {
	t.p.line()
	if item.Kind == tell.OfCase {
		t.writeCase(item.Case)
	} else {
		t.p.line(t.label(item), t.p.place(item.Path, item.Line, item.Col), t.p.render(item.Text))
		t.writeFacts(item.Facts)
	}
	t.writeAdvice(item)
}

func (t *writer) writeAdvice(item *tell.Item) {
	switch {
	case item.Do == nil:
	case item.Shared > 1:
		t.p.line(t.p.paint(bold, "do, for these "+tell.Count(item.Shared, "item")+": "), t.p.render(item.Do))
	default:
		t.p.line("  ", t.p.paint(bold, "do: "), t.p.render(item.Do))
	}
}

// label returns the subject of an item. For a mistake in a file, it begins with the place.
func (t *writer) label(item *tell.Item) string {
	word := strings.ToUpper(string(item.Kind))
	switch item.Kind {
	case tell.Mistake, tell.Remark:
		return ""
	case tell.Refusal:
		return t.p.paint(red, word) + ": "
	case tell.OfCase:
		return t.p.verdict(t.r.Cases[item.Case].Verdict) + " "
	}
	colour := yellow
	if item.Mark != tell.Warned {
		colour = red
	}
	return t.p.paint(colour, word) + " "
}

func (t *writer) writeBriefly(item *tell.Item) {
	text := t.p.render(item.Text)
	if item.Kind == tell.OfCase {
		text = t.titleSince(item.Case)
	}
	line := t.label(item) + t.p.place(item.Path, item.Line, item.Col) + text
	if len(item.Facts) > 0 {
		line += ": " + t.firstFault(item.Facts)
	}
	t.p.line(line)
}

func (t *writer) firstFault(facts []tell.Fact) string {
	text := t.p.render(facts[0].Text)
	if more := len(facts) - 1; more > 0 {
		text += " (and " + tell.Count(more, "more fault") + ")"
	}
	return text
}

func (t *writer) writeFacts(facts []tell.Fact) {
	shown := t.p.limit(len(facts), tell.Terminal.Limit(tell.Facts).All)
	for i := range facts[:shown] {
		t.writeFact(&facts[i])
	}
	t.p.writeRest("  ", len(facts)-shown, "fault")
}

func (t *writer) writeFact(f *tell.Fact) {
	if len(f.Floor) > 0 {
		t.writeFloor(f)
		return
	}
	found := ""
	if f.Found != nil && t.options.Values {
		found = "; " + t.p.render(f.Found)
	}
	t.p.line("  ", t.p.place(f.Path, f.Line, f.Col), t.p.render(f.Text), found)
}

// writeFloor writes a broken floor, and below it the first few runs that break it.
func (t *writer) writeFloor(f *tell.Fact) {
	shown := 1 + t.p.limit(len(f.Floor)-1, maxLines)
	for _, line := range f.Floor[:shown] {
		t.p.line(report.Safe(line))
	}
	t.p.writeRest("  ", len(f.Floor)-shown, "run")
	t.p.writeCut("  ", f.MoreRuns, "run")
}

func (t *writer) writeChanges() {
	t.writeItems("change", tell.ExecutableChanges, t.Executable)
	t.writeTools()
	t.writeFigures()
	t.writeItems("change", tell.OtherSettings, t.Settings)
	t.writeCassettes()
	t.writeItems("entry", tell.StaleRecordings, t.Stale)
	if c := t.r.Baseline; c != nil {
		t.writeFindings(tell.NewFindings, c.New)
		t.writeFindings(tell.FixedFindings, c.Fixed)
	}
}

func title(s tell.Section) string { return strings.ToUpper(string(s)) }

func (t *writer) writeItems(noun string, section tell.Section, list []tell.Item) {
	t.p.writeList(title(section), noun, len(list), tell.Terminal.Limit(section).All, func(i int) {
		t.p.line("  ", t.p.place(list[i].Path, list[i].Line), t.p.render(list[i].Text))
		for j := range list[i].Facts {
			t.p.line("    ", t.p.render(list[i].Facts[j].Text))
		}
		t.writeAdvice(&list[i])
	})
}

func (t *writer) writeTools() {
	was, now := t.Totals()
	heading := title(tell.ChangedTools)
	if was.Surface.IsKnown() && now.Surface.IsKnown() {
		heading += ", surface " + was.Surface.Text() + " → " + now.Surface.Text() + " tokens"
	}
	rows := t.Tools.Rows
	t.p.writeList(heading, "tool", len(rows), tell.Terminal.Limit(tell.ChangedTools).All, func(i int) {
		tokens := ""
		if rows[i].Tokens != nil {
			tokens = ", " + t.p.render(rows[i].Tokens) + " tokens"
		}
		t.p.line("  ", t.p.place(rows[i].Path, rows[i].Line), t.p.render(rows[i].Name), tokens)
		for _, line := range rows[i].Lines {
			t.p.line("    ", t.p.render(line))
		}
	})
	t.writeItems("change", tell.MayBreakCallers, t.Tools.Servers)
	for _, note := range t.Tools.Notes {
		t.p.line(t.p.render(note))
	}
}

func (t *writer) writeFigures() {
	list := t.Figures
	t.p.writeList(title(tell.MovedFigures), "figure", len(list), tell.Terminal.Limit(tell.MovedFigures).All, func(i int) {
		m := &list[i]
		change, chance := "", ""
		if m.Change != "" {
			change = " (" + m.Change + ")"
		}
		if m.Chance != nil {
			chance = ", " + t.p.render(m.Chance)
		}
		t.p.line("  ", t.p.render(tell.CaseName(&t.r.Cases[m.Case])), ": ", t.p.render(m.Title), " ", t.p.render(m.Base), " → ", t.p.render(m.Head), change, chance)
	})
}

func (t *writer) writeCassettes() {
	list := t.Cassettes
	t.p.writeList(title(tell.Cassettes), "cassette", len(list), tell.Terminal.Limit(tell.Cassettes).All, func(i int) {
		by := ""
		if list[i].Doubt {
			by = ", written by " + t.p.render(list[i].Written)
		}
		t.p.line("  ", t.p.place(list[i].Path, 0), t.p.render(list[i].Became), ", runs: ", list[i].Runs, by)
	})
}

func (t *writer) writeFindings(section tell.Section, list []report.Finding) {
	t.p.writeList(title(section), "finding", len(list), tell.Terminal.Limit(section).All, func(i int) {
		f := &list[i]
		t.p.line("  ", t.p.place(f.Path, f.Line), report.Safe(f.Rule), " ", report.Safe(f.Severity), " ", toolID(f.Server, f.Tool), ": ", report.Safe(f.Message))
	})
}

// writeComparison writes only the differences between the report and its base.
func (t *writer) writeComparison() {
	t.writeLead()
	t.writeWhatWentWrong()
	t.writeChanges()
	for _, note := range t.Notes {
		t.p.line(t.p.render(note))
	}
}
