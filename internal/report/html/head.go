package html

import (
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// verdictWord returns the word for a verdict. An unknown verdict, which only a saved report can have, is written as an error.
func verdictWord(v judge.Verdict) markup {
	switch v {
	case judge.Pass, judge.Fail, judge.Skipped:
		return markup(v)
	}
	return "error"
}

func chip(v judge.Verdict) markup {
	word := verdictWord(v)
	return "<b class=" + word + ">" + word + "</b>"
}

func (d *document) head() markup {
	return "<header class=" + verdictWord(d.r.Verdict) + ">\n<h1>" + d.badge() + " " + d.line(d.Headline) + "</h1>\n" +
		d.lead() + d.tiles() + d.notes() + "</header>\n"
}

// badge returns the outcome in one word. A refused change is not a pass.
func (d *document) badge() markup {
	if len(d.r.Refused) > 0 && !d.r.Verdict.Broken() {
		return "<b class=fail>refused</b>"
	}
	return chip(d.r.Verdict)
}

// lead returns the lines below the headline: the base, the summary of the changes, and what could not be compared.
func (d *document) lead() markup {
	if d.Compared == nil {
		return ""
	}
	const maxDoubts = 10
	doubts := lists.Map(d.Doubts, func(doubt tell.Line) markup { return d.line(tell.Capital(doubt)) + "." })
	return "<p>" + d.line(d.Compared) + "\n" + bullets(doubts, maxDoubts)
}

// tiles returns the figures of the whole report. A tile also has the base's figure if it differs.
func (d *document) tiles() markup {
	was, now := d.Totals()
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
	if failed := d.failedTiles(); failed != "" {
		tiles += failed
	} else {
		tiles += percentTile("F1", was.F1, now.F1) + percentTile("selection rate", was.Rate, now.Rate)
	}
	if now.Surface.IsKnown() && (now.Surface > 0 || was.Surface > 0) {
		before := markup("")
		if was.Surface != now.Surface {
			before = tokens(was.Surface)
		}
		tiles += tile("tokens of tools", tokens(now.Surface), before)
	}
	if n := d.countFindings(); n > 0 {
		tiles += tile("findings", count(n), "")
	}
	return "<dl>\n" + tiles + "</dl>\n"
}

// failedTiles returns tiles with the first figures that fail. They replace the tiles of F1 and selection rate, because a reader
// looks for failures first.
func (d *document) failedTiles() (tiles markup) {
	const most = 4
	n := 0
	for _, i := range d.wrongCases() {
		c := &d.r.Cases[i]
		for j := range c.Gates {
			g := &c.Gates[j]
			for k := range g.Assertions {
				a := &g.Assertions[k]
				if a.Verdict != judge.Fail || a.Actual == nil || n == most {
					continue
				}
				n++
				title := escaped(shortName(a.Target)+tell.OfPassHat(a)) + " of " + escaped(report.Cut(c.Name, maxName))
				tiles += "<div><dt>" + title + "<dd>" + foundFigure(g, a) + " <small>expected " + escaped(report.Cut(a.Matcher, maxName)) + "</small></div>\n"
			}
		}
	}
	return tiles
}

func (d *document) countFindings() int {
	return lists.Sum(d.r.Catalogs, func(c report.Catalog) int { return c.Counts.All(true) + c.Counts.All(false) })
}

// tile returns one figure with its title. before is the base's figure, or "" if it is the same.
func tile(title, value, before markup) markup {
	if before != "" {
		value += " <small>was " + before + "</small>"
	}
	return "<div><dt>" + title + "<dd>" + value + "</div>\n"
}

// percentTile returns the tile of a percentage of the whole report. A percentage is nil if there is none.
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

// notes returns sentences on figures that do not come from a model, tokens that no provider has counted, and calls that no gate
// sees.
func (d *document) notes() markup {
	if len(d.Notes) == 0 {
		return ""
	}
	return "<p class=dim>" + join(" ", lists.Map(d.Notes, d.line)...) + "\n"
}

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

func caseLink(i int, c *report.Case) markup {
	return "<a href=#c" + number(i+1) + ">" + caseName(c) + "</a>"
}
