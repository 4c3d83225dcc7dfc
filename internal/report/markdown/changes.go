package markdown

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/report/trend"
)

// findings returns the folded list of new findings and of fixed findings.
func (d *document) findings(most int) string {
	if d.c == nil || !d.c.FindingsChanged() || most == 0 {
		return ""
	}
	var b strings.Builder
	shown := d.c.New[:min(len(d.c.New), most)]
	b.WriteString(d.findingTable(shown))
	b.WriteString(moreItems(len(d.c.New)-len(shown), "new findings"))
	if len(d.c.Fixed) > 0 {
		b.WriteString("\nFixed: " + listText(len(d.c.Fixed), most, func(i int) string {
			f := d.c.Fixed[i]
			return code(f.Rule) + " " + code(report.ToolID(f.Server, f.Tool))
		}) + "\n")
	}
	fixed := "none fixed"
	if n := len(d.c.Fixed); n > 0 {
		fixed = count(n) + " fixed"
	}
	return fold(judge.CountOf(len(d.c.New), "new finding")+", "+fixed, b.String())
}

// writeFindings writes the worst few findings, and folds the others, because the sections below concern more people. noun is the
// word for a finding of the list.
func (d *document) writeFindings(b *strings.Builder, list []report.Finding, most int, noun string) {
	const open = 4
	shown := list[:min(len(list), most)]
	first := shown[:min(len(shown), open)]
	b.WriteString(d.findingTable(first))
	if rest := shown[len(first):]; len(rest) > 0 {
		b.WriteString("\n" + fold(judge.CountOf(len(rest), "more "+noun), d.findingTable(rest)))
	}
	b.WriteString(moreItems(len(list)-len(shown), noun+"s"))
}

func (d *document) findingTable(list []report.Finding) string {
	optional := func(text string) string {
		if text == "" {
			return ""
		}
		return code(text)
	}
	return tableOf([]string{"", "Rule", "Tool", "Argument", "What", "Suggestion"}, len(list), len(list), "", func(i int) []string {
		f := list[i]
		tool := d.linked(code(report.ToolID(f.Server, f.Tool)), f.Path, f.Line)
		return []string{severitySign(f.Severity), code(f.Rule), tool, optional(string(f.Argument)), message(f.Message), message(f.Suggestion)}
	})
}

func severitySign(severity string) string {
	if severity == "critical" {
		return "🔴 critical"
	}
	return "🟡 warning"
}

// catalogs returns the folded table of the catalogs. Without a base, it also has all findings, because no other section shows them.
func (d *document) catalogs(most int) string {
	list := d.r.Catalogs
	if len(list) == 0 || most == 0 {
		return ""
	}
	critical, warnings := 0, 0
	for _, c := range list {
		critical += c.Counts.All(true)
		warnings += c.Counts.All(false)
	}
	columns := []string{"Catalog", "Tools:", "Tokens:", "Lowest score:", "Mean score:", "Critical:", "Warnings:"}
	isDrawn := slices.ContainsFunc(list, func(c report.Catalog) bool { return d.r.Sparklines.Catalog(&c) != "" })
	if isDrawn {
		columns = append(columns, trend.Title)
	}
	suites := d.r.Suites()
	var b strings.Builder
	b.WriteString(tableOf(columns, len(list), most, "catalogs", func(i int) []string {
		c := &list[i]
		row := []string{d.catalogPlace(c, suites), count(len(c.Tools)) + report.BesidesHidden(len(c.Hidden)), tokens(c), d.score(c, report.FigureMinScore, c.MinScore), d.score(c, report.FigureMeanScore, c.MeanScore),
			count(c.Counts.All(true)), count(c.Counts.All(false))}
		if isDrawn {
			row = append(row, drawn(d.r.Sparklines.Catalog(c)))
		}
		return row
	}))
	b.WriteString(d.costs(list[:min(len(list), most)], suites))
	for i := range list[:min(len(list), most)] {
		for _, line := range tell.Unknown(list[i].Manifest, len(list[i].Tools)) {
			b.WriteString("\n" + code(cmp.Or(list[i].Path, list[i].Name)) + ": " + d.line(line) + "\n")
		}
	}
	title := judge.CountOf(len(list), "catalog") + ", findings: " + count(critical) + " critical, " + judge.CountOf(warnings, "warning")
	if d.c == nil && critical+warnings > 0 {
		b.WriteString("\n")
		d.writeFindings(&b, compare.Extra(d.r.Catalogs, nil), most, "finding") // without a base, no finding is known to be new
	}
	return fold(title, b.String())
}

// catalogPlace returns the place of a catalog. If the catalog is in a suite, the name of its server follows.
func (d *document) catalogPlace(c *report.Catalog, suites map[string]bool) string {
	place := d.linked(code(cmp.Or(c.Path, c.Name)), c.Path, 0)
	if suites[c.Path] {
		place += " server " + code(c.Name)
	}
	return place
}

// tokens returns the tokens of a catalog; "" if they are unknown.
func tokens(c *report.Catalog) string {
	if !c.SurfaceTokens.IsKnown() {
		return ""
	}
	return c.SurfaceTokens.Text()
}

func (d *document) score(c *report.Catalog, figure string, now report.Optional) string {
	m := d.c.ScoreOf(c, figure)
	if m == nil {
		return number(string(now))
	}
	return number(string(m.Base)) + " → " + number(string(m.Head)) + " (" + m.Why(code) + ")"
}
