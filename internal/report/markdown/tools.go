package markdown

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report/tell"
)

func (d *document) tools(most int) string {
	t := &d.Tools
	if len(t.Rows)+len(t.Servers)+len(t.Notes) == 0 || most == 0 {
		return ""
	}
	text := strong(tell.ChangedTools.Title()) + "\n\n"
	if len(t.Servers) > 0 {
		text += d.items(t.Servers) + "\n"
	}
	shown := t.Rows[:min(len(t.Rows), most)]
	open := shown[:min(len(shown), d.medium.Limit(tell.ChangedTools).Open)]
	if len(open) > 0 {
		text += d.toolTable(open)
	}
	if rest := shown[len(open):]; len(rest) > 0 {
		text += "\n" + fold(count(len(rest))+" more tools", d.toolTable(rest))
	}
	text += moreItems(len(t.Rows)-len(shown), "tools")
	for _, note := range t.Notes {
		text += "\n" + d.line(note) + "\n"
	}
	return text
}

func (d *document) toolTable(list []tell.Tool) string {
	return tableOf([]string{"Tool", "Change", "Tokens:"}, len(list), len(list), "", func(i int) []string {
		t := &list[i]
		return []string{d.line(t.Name), strings.Join(d.changeLines(t), "<br>"), d.line(t.Tokens)}
	})
}

func (d *document) changeLines(t *tell.Tool) []string {
	most := d.medium.Limit(tell.Parts).All
	all := slices.Concat(t.Lines, t.Findings)
	lines := lists.Map(all[:min(len(all), most)], d.line)
	if left := len(all) - most; left > 0 {
		lines = append(lines, "and "+count(left)+" more")
	}
	return lines
}
