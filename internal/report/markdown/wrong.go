package markdown

import (
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

func (d *document) whatWentWrong(most int) string {
	return d.section(strong(d.WrongTitle()), tell.WhatWentWrong, d.Wrong, most, "things that went wrong")
}

// executable returns the list of what live runs execute now and did not execute in the base.
func (d *document) executable(most int) string {
	return d.section(strong(tell.ExecutableChanges.Title())+" (what live runs of the suites execute)", tell.ExecutableChanges, d.Executable, most, "executable changes")
}

// evidence returns the lists of the recordings that changed, the recorders that they name, and changed settings that are only
// shown.
func (d *document) evidence(most int) string {
	if len(d.Settings)+len(d.Cassettes) == 0 || most == 0 {
		return ""
	}
	text := "**Evidence**\n\n"
	if shown := d.Settings[:min(len(d.Settings), most)]; len(shown) > 0 {
		text += d.items(shown) + moreItems(len(d.Settings)-len(shown), "changed settings") + "\n"
	}
	if len(d.Cassettes) == 0 {
		return text
	}
	return text + tableOf([]string{"Cassette", "", "Runs:", "Written by"}, len(d.Cassettes), most, "cassettes", func(i int) []string {
		c := d.Cassettes[i]
		by := d.line(c.Written)
		if c.Doubt {
			by = marks[tell.Warned] + " " + by
		}
		return []string{d.linked(code(c.Path), c.Path, 0), d.line(c.Became), c.Runs, by}
	}) + "\n" + d.line(d.ByAuthor) + "\n"
}

// stale returns the folded list of recordings whose tools had already changed in the base.
func (d *document) stale(most int) string {
	if len(d.Stale) == 0 || most == 0 {
		return ""
	}
	shown := d.Stale[:min(len(d.Stale), most)]
	n := d.r.CountFreshness(report.Affected) + d.r.CountFreshness(report.Broken)
	return fold(tell.Count(n, "case")+" on "+string(tell.StaleRecordings), d.items(shown)+moreItems(len(d.Stale)-len(shown), "causes"))
}
