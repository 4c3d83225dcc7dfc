package html

import (
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// changes returns the differences from the base, except what went wrong and the figures, which are in the table of cases.
func (d *document) changes() markup {
	return headed(tell.ExecutableChanges, d.items(tell.ExecutableChanges, d.Executable)) + d.toolChanges() + d.cassettes() +
		headed(tell.OtherSettings, d.items(tell.OtherSettings, d.Settings))
}

// headed returns content below the heading of its section; "" if there is no content.
func headed(section tell.Section, content markup) markup {
	if content == "" {
		return ""
	}
	return "<h3>" + escaped(section.Title()) + "</h3>\n" + content
}

func (d *document) toolChanges() markup {
	rows := d.Tools.Rows
	text := newTable("changed tools", []markup{"Tool", "Change", "Tokens:"}, len(rows), tell.Page.Limit(tell.ChangedTools).All, func(i int) []markup {
		lines := bullets(lists.Map(rows[i].Lines, d.line), tell.Page.Limit(tell.Parts).All)
		return []markup{d.line(rows[i].Name), lines, d.line(rows[i].Tokens)}
	}).write()
	for _, note := range d.Tools.Notes {
		text += "<p class=dim>" + d.line(note) + "\n"
	}
	return headed(tell.ChangedTools, d.items(tell.MayBreakCallers, d.Tools.Servers)+text)
}

func (d *document) cassettes() markup {
	list := d.Cassettes
	columns := []markup{"Recording", "Change", "Runs:", "Written by"}
	text := newTable("changed recordings", columns, len(list), tell.Page.Limit(tell.Cassettes).All, func(i int) []markup {
		return []markup{place(list[i].Path, 0), d.line(list[i].Became), escaped(list[i].Runs), d.line(list[i].Written)}
	}).write()
	if text != "" {
		text += "<p class=dim>" + d.line(d.ByAuthor) + "\n"
	}
	return headed(tell.Cassettes, text)
}

func (d *document) warnings() markup {
	list := lists.Map(d.r.Warnings, func(p report.Problem) markup { return join(" ", problemPlace(p), message(p.Message)) })
	return bullets(list, tell.Page.Limit(tell.Warnings).Open) + headed(tell.StaleRecordings, d.items(tell.StaleRecordings, d.Stale))
}
