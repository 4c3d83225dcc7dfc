package html

import (
	"cmp"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/report/trend"
)

// details returns the details of the commits with the biggest steps.
func (p *trendPage) details() markup {
	var b strings.Builder
	for i := range p.detailed() {
		b.WriteString(string(p.detail(i)))
	}
	if b.Len() == 0 {
		return ""
	}
	return "<div class=cards>\n" + markup(b.String()) + "</div>\n" + leftOut(trend.LeftUncompared(len(p.turns)))
}

// detail returns the details of one commit: the figures that moved, and its comparison with its parent.
func (p *trendPage) detail(i int) markup {
	turn := &p.turns[i]
	c := p.Points[turn.Point]
	steps := lists.Map(turn.Steps, func(s trend.Step) markup { return step(&s) })
	return "<details class=case id=c" + number(i+1) + "><summary>" + name(c.Short()) + " " + escaped(c.Day()) + " " + words(c.Subject) +
		" <span class=dim>" + escaped(turn.MovedIn()) + "</span></summary>\n" + bullets(steps, trend.MostSteps*trend.MostChanged) + p.comparison(c) + "</details>\n"
}

// comparison returns the results of a check of the commit against its parent.
func (p *trendPage) comparison(c *trend.Point) markup {
	found, known := p.Compared[c.SHA]
	if !known {
		return ""
	}
	if found.Report == nil {
		return leftOut(found.Why)
	}
	r := found.Report
	d := &document{Story: tell.Of(r, tell.Options{}), r: r, c: r.Baseline}
	text := markup("")
	if len(r.Cases) > 0 {
		text = "<p>" + d.line(d.Headline) + "\n" + d.briefly()
	}
	text += d.changedBriefly() + d.newBriefly()
	return cmp.Or(text, leftOut(trend.NothingNew))
}

// briefly returns a list of what went wrong, without the details of cases.
func (d *document) briefly() markup {
	list := make([]markup, len(d.Wrong))
	for i := range d.Wrong {
		item := &d.Wrong[i]
		text, facts := d.line(tell.Capital(item.Text)), item.Facts
		if item.Kind == tell.OfCase {
			one := &d.r.Cases[item.Case]
			text, facts = chip(one.Verdict)+" "+caseName(one)+" "+escaped(d.Since(item.Case)), d.Facts(item.Case)
		}
		lines := lists.Map(facts, func(f tell.Fact) markup { return d.line(f.Text) })
		list[i] = text + bullets(lines, trend.MostSteps)
	}
	return bullets(list, trend.MostChanged)
}

// changedBriefly returns the table of the first changed tools.
func (d *document) changedBriefly() markup {
	all := len(d.Tools.Rows)
	d.Tools.Rows = d.Tools.Rows[:min(all, trend.MostChanged)]
	for i := range d.Tools.Rows {
		row := &d.Tools.Rows[i]
		row.Lines = row.Lines[:min(len(row.Lines), trend.MostSteps)]
	}
	return d.toolChanges() + leftOut(trend.More(all, trend.MostChanged, "changed tool"))
}

// newBriefly returns the list of the first findings that the parent does not have.
func (d *document) newBriefly() markup {
	list := d.c.New
	rows := lists.Map(list[:min(len(list), trend.MostChanged)], func(f report.Finding) markup {
		return severity(f.Severity) + " " + name(f.Rule) + " " + name(report.ToolID(f.Server, f.Tool)) + ": " + message(f.Message)
	})
	if len(rows) == 0 {
		return ""
	}
	return "<h3>" + trend.NewFindings + "</h3>\n" + bullets(rows, len(rows)) + leftOut(trend.More(len(list), trend.MostChanged, "finding"))
}
