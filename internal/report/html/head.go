package html

import (
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// verdictWord is a verdict in a word of the program. Any other, which only a saved report can hold, is an error.
func verdictWord(v judge.Verdict) markup {
	switch v {
	case judge.Pass, judge.Fail, judge.Skipped:
		return markup(v)
	}
	return "error"
}

// chip shows a verdict by its word, a sign and a colour.
func chip(v judge.Verdict) markup {
	word := verdictWord(v)
	return "<b class=" + word + ">" + word + "</b>"
}

// head is the verdict, the figures of the whole, and the base that it was compared with.
func (d *document) head() markup {
	return "<header class=" + verdictWord(d.r.Verdict) + ">\n<h1>" + chip(d.r.Verdict) + " " + escaped(d.r.Headline()) + "</h1>\n" +
		d.compared() + d.tiles() + d.notes() + "</header>\n"
}

// compared names the base, sums up the changes, and lists what could not be compared.
func (d *document) compared() markup {
	if d.c == nil {
		return ""
	}
	const mostDoubts = 10
	line := "<p>Compared with " + base(d.c.Base) + ": " + markup(d.c.Summary(func(s string) string { return "<strong>" + s + "</strong>" })) + ".\n"
	if d.r.Mode == report.Live {
		line += "<p>These runs were made live; those of the base are its recordings.\n"
	}
	var doubts []markup
	for _, doubt := range d.c.Doubts(func(s string) string { return string(name(s)) }) {
		doubts = append(doubts, markup(doubt))
	}
	return line + bullets(doubts, mostDoubts)
}

// base names what the report was compared with.
func base(b report.Base) markup {
	const short = 12 // digits of a commit that are enough to find it
	sha := report.Optional(report.Cut(string(b.SHA), short))
	if len(b.SHA) > short {
		sha = report.Optional(strings.TrimSuffix(string(sha), "…"))
	}
	var parts []markup
	for _, part := range []report.Optional{b.Ref, sha, b.File} {
		if part != "" {
			parts = append(parts, name(string(part)))
		}
	}
	if len(parts) == 0 {
		return "the baseline"
	}
	return join(" ", parts...)
}

// tiles are the figures of the report as a whole, and those of the base where they differ.
func (d *document) tiles() markup {
	now := compare.TotalsOf(d.r.Cases, d.r.Catalogs)
	was := now
	if d.c != nil {
		was = d.c.Totals[0]
		if d.c.Totals[1].Surface != now.Surface { // the base lacks catalogs because it had mistakes
			was.Surface = now.Surface
		}
	}
	c := d.r.Counts
	tiles := tile("cases", count(c.Cases), "")
	for _, t := range []struct {
		title markup
		n     int
	}{{"passed", c.Passed}, {"failed", c.Failed}, {"errors", c.Errors}, {"skipped", c.Skipped}, {"mistakes in the input", len(d.r.Problems)}} {
		if t.n > 0 {
			tiles += tile(t.title, count(t.n), "")
		}
	}
	tiles += percentTile("F1", was.F1, now.F1) + percentTile("selection rate", was.Rate, now.Rate)
	if now.Surface > 0 || was.Surface > 0 {
		before := markup("")
		if was.Surface != now.Surface {
			before = markup(report.Thousands(was.Surface))
		}
		tiles += tile("tokens of tools", markup(report.Thousands(now.Surface)), before)
	}
	if n := d.countFindings(); n > 0 {
		tiles += tile("findings", count(n), "")
	}
	return "<dl>\n" + tiles + "</dl>\n"
}

// countFindings counts the findings of all families in all catalogs.
func (d *document) countFindings() int {
	n := 0
	for _, c := range d.r.Catalogs {
		n += c.Counts.All(true) + c.Counts.All(false)
	}
	return n
}

// tile shows one figure; before is what it was in the base, "" where it is the same.
func tile(title, value, before markup) markup {
	if before != "" {
		value += " <small>was " + before + "</small>"
	}
	return "<div><dt>" + title + "<dd>" + value + "</div>\n"
}

// percentTile shows a percentage of the whole; nil is none.
func percentTile(title markup, was, now *int) markup {
	if now == nil {
		return ""
	}
	before := markup("")
	if was == nil {
		before = "absent"
	} else if *was != *now {
		before = number(*was) + " %"
	}
	return tile(title, number(*now)+" %", before)
}

// notes say which figures are not those of a model, which tokens no provider has counted, and which calls no gate sees.
func (d *document) notes() markup {
	var said []markup
	if d.r.Mode == report.Live {
		said = append(said, "Live runs.")
	}
	for _, n := range d.r.Notes(report.ModelNote) {
		said = append(said, "The agent of "+counted(n.Cases, "case")+" is "+escaped(report.Cut(n.Note, maxName))+".")
	}
	for _, n := range d.r.Notes(report.TokenNote) {
		said = append(said, "The tokens of "+counted(n.Cases, "case")+" are "+escaped(report.Cut(n.Note, maxName))+".")
	}
	if tools, cases := d.r.OwnTools(); cases > 0 {
		calls := 0
		list := shown(func(show func(string) string) (s string) { calls, s = report.CallsOf(tools, show); return s })
		said = append(said, "Not judged: "+counted(calls, "call")+" of the agents' own tools in "+counted(cases, "case")+" ("+list+").")
	}
	if len(said) == 0 {
		return ""
	}
	return "<p class=dim>" + join(" ", said...) + "\n"
}

// caseName writes a case with who answered.
func caseName(c *report.Case) markup {
	text := "<span class=name>" + escaped(report.Cut(c.Name, maxName)) + "</span>"
	if c.Name == "" {
		text = "<i>unnamed</i>"
	}
	if c.Model != "" {
		text += " <small>" + escaped(report.Cut(string(c.Model), maxName)) + "</small>"
	}
	return text
}

// caseLink writes a case as a link to its details.
func caseLink(i int, c *report.Case) markup {
	return "<a href=#c" + number(i+1) + ">" + caseName(c) + "</a>"
}
