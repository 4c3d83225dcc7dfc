package html

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// card returns the details of one case: why it does not pass, its expectations, its other figures, and its runs.
func (d *document) card(i int, open bool) markup {
	c := &d.r.Cases[i]
	begin := markup("<details class=case id=c") + number(i+1)
	if open {
		begin += " open"
	}
	note := markup("")
	if c.ModelNote != "" {
		note = " <span class=dim>" + escaped(report.Cut(string(c.ModelNote), maxName)) + "</span>"
	}
	return begin + ">\n<summary>" + chip(c.Verdict) + " " + caseName(c) + note + " " + place(c.Suite, c.Line) + "</summary>\n" +
		bullets(d.reasons(i), maxReasons) + d.chance(i) + d.figureTable(i) + unboundFigures(c) + facts(c) + d.runs(c) + "</details>\n"
}

func (d *document) otherCases() markup {
	isTold := map[int]bool{}
	for _, i := range d.wrongCases() {
		isTold[i] = true
	}
	var list []int
	for i := range d.r.Cases {
		if !isTold[i] {
			list = append(list, i)
		}
	}
	return d.cards(list, 0)
}

// cards returns the details of the cases with these indexes. The first few are open.
func (d *document) cards(list []int, open int) markup {
	if len(list) == 0 {
		return ""
	}
	cards := make([]markup, min(len(list), maxCases))
	for at := range cards {
		cards[at] = d.card(list[at], at < open)
	}
	text, hidden := folded(cards)
	text = "<div class=cards>\n" + text + "</div>\n" + withoutScript(hidden)
	if left := len(list) - maxCases; left > 0 {
		text += "<p class=dim>and " + count(left) + " more, which the JSON report has\n"
	}
	return text + d.noteWithoutRoom()
}

func (d *document) chance(i int) markup {
	said := d.Chance(i)
	if said == nil {
		return ""
	}
	return "<p class=dim>" + d.line(said) + "\n"
}

// unboundFigures returns the figures of a case without an expectation, in one line for each gate. It leaves out figures with a
// parameter, such as those of single tools.
func unboundFigures(c *report.Case) markup {
	var lines []markup
	for i := range c.Gates {
		g := &c.Gates[i]
		var parts []markup
		for _, target := range gates.Find(g.Gate).Figures(g) {
			if !isAsked(g, target) {
				parts = append(parts, escaped(shortName(target))+" "+figure(report.Optional(g.Metrics[target].Format())))
			}
		}
		if g.Grade != "" {
			parts = append(parts, "grade "+escaped(report.Cut(g.Grade, maxName)))
		}
		if hats := tell.PassHats(g); hats != "" {
			parts = append(parts, escaped(hats))
		}
		if len(parts) > 0 {
			lines = append(lines, name(g.Gate)+" "+chip(g.Verdict)+" "+join(", ", parts...))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "<div class=also>Also measured:\n" + bullets(lines, maxReasons) + "</div>\n"
}

func isAsked(g *judge.Result, target string) bool {
	return slices.ContainsFunc(g.Assertions, func(a judge.Assertion) bool { return a.Target == target })
}

// shortName returns the name of a target without its family, which is the part before the dot.
func shortName(target string) string {
	if _, short, ok := strings.Cut(target, "."); ok {
		return report.Cut(short, maxName)
	}
	return report.Cut(target, maxName)
}

// facts returns a line with the runs, tokens, cost and evidence of a case.
func facts(c *report.Case) markup {
	var parts []markup
	if c.Runs.Recorded > 0 {
		parts = append(parts, counted(c.Runs.Recorded, "run")+", "+count(c.Runs.Scored)+" scored")
	}
	if c.Runs.Errors > 0 {
		parts = append(parts, count(c.Runs.Errors)+" did not finish")
	}
	if t := c.Tokens; t != nil {
		parts = append(parts, "tokens "+markup(report.Thousands(t.Median))+" median, "+markup(report.Thousands(t.Max))+" at most")
	}
	if c.CostUSD != "" {
		parts = append(parts, "$"+figure(c.CostUSD))
	}
	if c.Freshness != nil && c.Freshness.State != report.Fresh {
		parts = append(parts, "evidence: "+escaped(report.Cut(string(c.Freshness.State), maxName)))
	}
	if c.Catalog != "" {
		parts = append(parts, "catalog "+name(c.Catalog))
	}
	if len(c.Cassettes) > 0 {
		const most = 3
		parts = append(parts, names(c.Cassettes, most))
	}
	if len(parts) == 0 {
		return ""
	}
	return "<p class=dim>" + join("; ", parts...) + "\n"
}
