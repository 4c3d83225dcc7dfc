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

func (t *writer) lead() {
	if t.Compared != nil {
		t.p.line(t.p.render(t.Compared))
	}
	for _, doubt := range t.Doubts {
		t.p.line(t.p.paint(yellow, t.p.render(doubt)))
	}
}

// whatWentWrong writes the first items in full, and further ones in a line each: a change that breaks one case often breaks
// hundreds.
func (t *writer) whatWentWrong() {
	limit := tell.Terminal.Limit(tell.WhatWentWrong)
	open := t.limitCases(len(t.Wrong), limit.Open)
	for i := range t.Wrong[:open] {
		t.item(&t.Wrong[i], true)
	}
	t.namedCases()
	if open == len(t.Wrong) {
		return
	}
	t.p.line()
	all := min(len(t.Wrong), limit.All)
	for i := range t.Wrong[open:all] {
		t.brief(&t.Wrong[open+i])
	}
	t.p.rest("", len(t.Wrong)-all, "item")
}

// namedCases writes in full the cases that an item about a tool names. It writes none unless options ask for everything or for
// one run.
func (t *writer) namedCases() {
	if !t.options.All && t.options.Run == 0 {
		return
	}
	for i := range t.Wrong {
		for _, fact := range t.Wrong[i].Facts {
			if fact.Case >= 0 {
				t.p.line()
				t.caseBody(fact.Case)
			}
		}
	}
}

// item writes an item. If apart is set, it writes an empty line first.
func (t *writer) item(item *tell.Item, apart bool) {
	if apart {
		t.p.line()
	}
	if item.Kind == tell.OfCase {
		t.caseBody(item.Case)
	} else {
		t.p.line(t.label(item), t.p.place(item.Path, item.Line, item.Col), t.p.render(item.Text))
		t.facts(item.Facts)
	}
	t.advice(item)
}

func (t *writer) advice(item *tell.Item) {
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

func (t *writer) brief(item *tell.Item) {
	text := t.p.render(item.Text)
	if item.Kind == tell.OfCase {
		text = t.titleSince(item.Case)
	}
	line := t.label(item) + t.p.place(item.Path, item.Line, item.Col) + text
	if len(item.Facts) > 0 {
		line += ": " + t.first(item.Facts)
	}
	t.p.line(line)
}

func (t *writer) first(facts []tell.Fact) string {
	text := t.p.render(facts[0].Text)
	if more := len(facts) - 1; more > 0 {
		text += " (and " + tell.Count(more, "more fault") + ")"
	}
	return text
}

func (t *writer) facts(facts []tell.Fact) {
	shown := t.p.limit(len(facts), tell.Terminal.Limit(tell.Facts).All)
	for i := range facts[:shown] {
		t.fact(&facts[i])
	}
	t.p.rest("  ", len(facts)-shown, "fault")
}

func (t *writer) fact(f *tell.Fact) {
	if len(f.Floor) > 0 {
		t.floor(f)
		return
	}
	found := ""
	if f.Found != nil && t.options.Values {
		found = "; " + t.p.render(f.Found)
	}
	t.p.line("  ", t.p.place(f.Path, f.Line, f.Col), t.p.render(f.Text), found)
}

// floor writes a broken floor, and below it the first few runs that break it.
func (t *writer) floor(f *tell.Fact) {
	shown := 1 + t.p.limit(len(f.Floor)-1, mostLines)
	for _, line := range f.Floor[:shown] {
		t.p.line(report.Safe(line))
	}
	t.p.rest("  ", len(f.Floor)-shown, "run")
	t.p.cut("  ", f.MoreRuns, "run")
}

func (t *writer) changes() {
	t.items("change", tell.ExecutableChanges, t.Executable)
	t.tools()
	t.figures()
	t.items("change", tell.OtherSettings, t.Settings)
	t.cassettes()
	t.items("entry", tell.StaleRecordings, t.Stale)
	if c := t.r.Baseline; c != nil {
		t.findings(tell.NewFindings, c.New)
		t.findings(tell.FixedFindings, c.Fixed)
	}
}

func title(s tell.Section) string { return strings.ToUpper(string(s)) }

func (t *writer) items(noun string, section tell.Section, list []tell.Item) {
	t.p.list(title(section), noun, len(list), tell.Terminal.Limit(section).All, func(i int) {
		t.p.line("  ", t.p.place(list[i].Path, list[i].Line), t.p.render(list[i].Text))
		for j := range list[i].Facts {
			t.p.line("    ", t.p.render(list[i].Facts[j].Text))
		}
		t.advice(&list[i])
	})
}

func (t *writer) tools() {
	was, now := t.Totals()
	heading := title(tell.ChangedTools)
	if was.Surface.IsKnown() && now.Surface.IsKnown() {
		heading += ", surface " + was.Surface.Text() + " → " + now.Surface.Text() + " tokens"
	}
	rows := t.Tools.Rows
	t.p.list(heading, "tool", len(rows), tell.Terminal.Limit(tell.ChangedTools).All, func(i int) {
		tokens := ""
		if rows[i].Tokens != nil {
			tokens = ", " + t.p.render(rows[i].Tokens) + " tokens"
		}
		t.p.line("  ", t.p.place(rows[i].Path, rows[i].Line), t.p.render(rows[i].Name), tokens)
		for _, line := range rows[i].Lines {
			t.p.line("    ", t.p.render(line))
		}
	})
	t.items("change", tell.MayBreakCallers, t.Tools.Servers)
	for _, note := range t.Tools.Notes {
		t.p.line(t.p.render(note))
	}
}

func (t *writer) figures() {
	list := t.Figures
	t.p.list(title(tell.MovedFigures), "figure", len(list), tell.Terminal.Limit(tell.MovedFigures).All, func(i int) {
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

func (t *writer) cassettes() {
	list := t.Cassettes
	t.p.list(title(tell.Cassettes), "cassette", len(list), tell.Terminal.Limit(tell.Cassettes).All, func(i int) {
		by := ""
		if list[i].Doubt {
			by = ", written by " + t.p.render(list[i].Written)
		}
		t.p.line("  ", t.p.place(list[i].Path, 0), t.p.render(list[i].Became), ", runs: ", list[i].Runs, by)
	})
}

func (t *writer) findings(section tell.Section, list []report.Finding) {
	t.p.list(title(section), "finding", len(list), tell.Terminal.Limit(section).All, func(i int) {
		f := &list[i]
		t.p.line("  ", t.p.place(f.Path, f.Line), report.Safe(f.Rule), " ", report.Safe(f.Severity), " ", toolID(f.Server, f.Tool), ": ", report.Safe(f.Message))
	})
}

// comparison writes only the differences between the report and its base.
func (t *writer) comparison() {
	t.lead()
	t.whatWentWrong()
	t.changes()
	for _, note := range t.Notes {
		t.p.line(t.p.render(note))
	}
}
