package markdown

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// stale is the folded list of cases whose recordings are of tools that read differently today, by cause.
func (d *document) stale(most int) string {
	causes := d.r.StaleCauses()
	n := d.r.CountFreshness(report.Affected) + d.r.CountFreshness(report.Stale)
	if n == 0 || most == 0 {
		return ""
	}
	var b strings.Builder
	for _, c := range causes[:min(len(causes), most)] {
		line := "- " + c.Says(code) + ": " + listed(len(c.Cases), mostFacts, func(i int) string { return d.nameAndModel(c.Cases[i]) })
		b.WriteString(line + ".\n")
	}
	b.WriteString(more(len(causes)-most, "causes"))
	for _, line := range d.byWords(most) {
		b.WriteString("\n" + line + "\n")
	}
	b.WriteString("\n`mcp-gates run --record --stale` records just these.\n")
	return fold(judge.CountOf(n, "case")+" on recordings of tools that have changed", b.String())
}

// byWords are hints where the words of a prompt lead to another tool now.
func (d *document) byWords(most int) []string {
	var lines []string
	for i := range d.r.Cases {
		c := &d.r.Cases[i]
		isGone := c.Freshness != nil && c.Freshness.State == report.Stale // there is no right tool to lead to
		if c.ByWords == nil || isGone || len(lines) == most {
			continue
		}
		line := "By words alone, which is a lexical check and not a model, the prompt of " + d.nameAndModel(c) + " now leads to " + code(string(c.ByWords.First))
		if gone := slices.Clone(c.ByWords.Gone); len(gone) > 0 {
			line += "; gone: " + codes(gone, mostFacts)
		}
		lines = append(lines, line+".")
	}
	return lines
}
