package html

import (
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/report"
)

// mostChanges bounds the entries of each list of changes.
const mostChanges = 500

// changes are what differs from the base, besides the figures: regressions, tools, evidence, settings, removed cases.
func (d *document) changes() markup {
	return d.regressions() + d.toolChanges() + d.mayBreak() + d.cassettes() + d.otherSettings() + d.removed()
}

// regressions is the table of what got worse.
func (d *document) regressions() markup {
	if d.c == nil {
		return ""
	}
	list := d.c.Regressions
	return headed("Regressions", newTable("regressions", []markup{"Place", "What got worse"}, len(list), mostChanges, func(i int) []markup {
		return []markup{place(list[i].Path, list[i].Line), escaped(list[i].Says())}
	}).write())
}

// headed writes a part of a section below a heading of its own; nothing when the part is empty.
func headed(title, content markup) markup {
	if content == "" {
		return ""
	}
	return "<h3>" + title + "</h3>\n" + content
}

// toolChanges is the table of the tools that differ, and in what.
func (d *document) toolChanges() markup {
	if d.c == nil {
		return ""
	}
	list := d.c.Tools
	text := newTable("changed tools", []markup{"Tool", "Change", "Tokens:", "Base:"}, len(list), mostChanges, func(i int) []markup {
		t := &list[i]
		return []markup{name(report.ToolID(t.Server, t.Name)), toolChange(t), count(t.Head), count(t.Base)}
	}).write()
	if len(d.c.ServersGone) > 0 {
		const most = 8
		text += "<p>No catalog has a tool of " + names(d.c.ServersGone, most) + " any more.\n"
	}
	if d.c.Undescribed && len(list) > 0 {
		text += "<p class=dim>The base is a saved report, which has no descriptions: renames, differing parts and broken callers are not known.\n"
	}
	return headed("Changed tools", text)
}

// mayBreak is the table of what may break callers.
func (d *document) mayBreak() markup {
	if d.c == nil {
		return ""
	}
	list := d.c.MayBreak
	return headed("May break callers", newTable("changes that may break callers", []markup{"Place", "Tool", "Change"}, len(list), mostChanges, func(i int) []markup {
		b := list[i]
		about := name(report.ToolID(b.Server, b.Tool))
		if b.Argument != "" {
			about += " " + name(string(b.Argument))
		}
		return []markup{place(b.Path, b.Line), about, message(b.Message)}
	}).write())
}

// toolChange says what became of a tool.
func toolChange(t *report.ToolChange) markup {
	text := changeKind(t.Kind)
	if t.Was != "" {
		text += ", was " + name(string(t.Was))
	}
	if t.Probably != "" {
		text += ", probably now " + name(string(t.Probably))
	}
	for _, a := range t.Alike {
		text += ", reads like " + name(report.ToolID(a.Server, a.Name)) + " (" + number(a.Percent) + " %)"
	}
	var parts []markup
	for i := range t.Parts {
		parts = append(parts, part(&t.Parts[i]))
	}
	return text + bullets(parts, mostReasons)
}

// part says how a part of a tool differs.
func part(p *report.ToolPart) markup {
	of := markup("")
	if p.Argument != "" {
		of = name(string(p.Argument)) + ": "
	}
	switch p.Aspect {
	case change.Description:
		return of + "description " + described(p)
	case change.ArgumentAdded:
		return of + "argument added, " + message(string(p.Head))
	case change.ArgumentGone:
		return of + "argument removed"
	case change.Requirement:
		return of + message(string(p.Head)) + " now"
	}
	line := of + escaped(report.Cut(string(p.Aspect), maxName))
	if p.Base == "" && p.Head == "" {
		return line + " changed"
	}
	return line + " " + orNone(p.Base) + " → " + orNone(p.Head)
}

func orNone(value report.Optional) markup {
	if value == "" {
		return "none"
	}
	return name(string(value))
}

// described is the word diff of a description.
func described(p *report.ToolPart) markup {
	if len(p.Diff) == 0 {
		if p.Base != p.Head {
			return "rewritten"
		}
		return "differs in white space"
	}
	parts := make([]markup, len(p.Diff))
	for i, one := range p.Diff {
		text := escaped(report.Cut(one.Text, maxText))
		switch one.Change {
		case lexical.Removed:
			text = "<del>" + text + "</del>"
		case lexical.Added:
			text = "<ins>" + text + "</ins>"
		case lexical.LeftOut:
			text = "…"
		}
		parts[i] = text
	}
	return join(" ", parts...)
}

// cassettes is the table of the recordings that changed.
func (d *document) cassettes() markup {
	if d.c == nil {
		return ""
	}
	list := d.c.Cassettes
	columns := []markup{"Recording", "Change", "Runs:", "Base:", "Written by"}
	return headed("Changed recordings", newTable("changed recordings", columns, len(list), mostChanges, func(i int) []markup {
		c := list[i]
		by := markup("no recorder")
		switch {
		case c.Kind == report.Removed:
			by = ""
		case c.Recorder != "" && c.ByRecorder():
			by = name(string(c.Recorder))
		case c.Recorder != "":
			by = name(string(c.Recorder)) + ", without hashes"
		}
		return []markup{place(c.Path, 0), changeKind(c.Kind), count(c.Head), count(c.Base), by}
	}).write())
}

// otherSettings are changes of how a case is judged that are shown and not counted as weakenings.
func (d *document) otherSettings() markup {
	if d.c == nil {
		return ""
	}
	var list []markup
	for _, w := range d.c.WeakenedCases() {
		if w.ToldOnly {
			list = append(list, weakening(w))
		}
	}
	return headed("Other changes of how cases are judged", bullets(list, mostChanges))
}

// removed are the cases of the base that are gone.
func (d *document) removed() markup {
	if d.c == nil {
		return ""
	}
	var list []markup
	for _, g := range d.c.Removed {
		line := name(g.ID)
		if g.NotEvaluated {
			line += ", whose suite has a mistake"
		}
		list = append(list, line)
	}
	return headed("Cases that are gone", bullets(list, mostChanges))
}

// stale are the cases whose recordings are of tools that read differently today, by cause.
func (d *document) stale() markup {
	const mostNamed = 8
	var list []markup
	for _, cause := range d.r.StaleCauses() {
		named := make([]string, len(cause.Cases))
		for i, c := range cause.Cases {
			named[i] = c.Name
		}
		list = append(list, shown(cause.Says)+": "+names(named, mostNamed))
	}
	return headed("Recordings of tools that have changed", bullets(list, mostChanges))
}

// warnings are what deserves a look, and recordings of tools that have changed.
func (d *document) warnings() markup {
	list := make([]markup, len(d.r.Warnings))
	for i, p := range d.r.Warnings {
		list[i] = join(" ", problemPlace(p), message(p.Message))
	}
	return bullets(list, mostChanges) + d.stale()
}

// hints are prompts whose words by themselves lead to another tool now.
func hints(c *report.Case) markup {
	isGone := c.Freshness != nil && c.Freshness.State == report.Stale // no right tool is left to lead to
	if c.ByWords == nil || isGone {
		return ""
	}
	const most = 8
	text := "<p class=dim>By words alone, which is a lexical check and not a model, the prompt now leads to " + name(string(c.ByWords.First))
	if len(c.ByWords.Gone) > 0 {
		text += "; gone: " + names(c.ByWords.Gone, most)
	}
	return text + ".\n"
}
