package html

import (
	_ "embed" // for the script
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report/trend"
)

// trendScript draws the curves of a history.
//
//go:embed trend.js
var trendScript markup

// Trend writes the page of a history: the curves of the figures that moved, the commits in which they moved, and details of the
// commits with the biggest steps.
func Trend(w io.Writer, h *trend.History) error {
	p := &trendPage{History: h}
	p.moves, p.turns = h.Moved()
	script := pageScript
	if len(p.moves) > 0 {
		script += trendScript
	}
	_, err := io.WriteString(w, string(wholePage(escaped(p.Heading()), script, len(p.moves) > 0, p.body())))
	return err
}

type trendPage struct {
	*trend.History
	moves []trend.Move
	turns []trend.Turn
}

// body returns the sections of the page that are not empty.
func (p *trendPage) body() markup {
	var links []markup
	var b strings.Builder
	for _, s := range []section{
		{"figures", trend.FiguresTitle, p.figures},
		{"steps", trend.StepsTitle, p.steps},
		{"details", trend.DetailsTitle, p.details},
		{"gaps", trend.GapsTitle, p.gaps},
	} {
		if content := s.content(); content != "" {
			links = append(links, "<a href=#"+s.id+">"+s.title+"</a>")
			b.WriteString(string(s.write(content)))
		}
	}
	return "<header class=plain>\n<h1>" + escaped(p.Heading()) + "</h1>\n<p>" + message(p.Headline()) + "\n<p>" + escaped(p.Figures(p.moves)) + "\n</header>\n" +
		navigation(links) + "<main>\n" + markup(b.String()) + "</main>\n<footer>mcp-gates</footer>\n"
}

// figures returns the curves, with a section for each case and catalog.
func (p *trendPage) figures() markup {
	subjects, most := trend.Subjects(p.moves), trend.Drawn(len(p.moves))
	if len(subjects) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<div class=cards data-commits=\"" + string(numbers(p.Commits())) + "\">\n")
	for i, s := range subjects[:min(len(subjects), trend.MostSubjects)] {
		open := markup("")
		if i < maxOpen {
			open = " open"
		}
		b.WriteString("<details class=case" + string(open) + "><summary>" + string(name(s.Name)) + " <span class=dim>" + string(counted(len(s.Moves), "figure")) + "</span></summary>\n<div class=grid>\n")
		for _, c := range s.Charts {
			b.WriteString("<figure class=trend><figcaption>" + string(escaped(c.Unit)) + "</figcaption>\n" + string(p.chart(&c, most)) + "</figure>\n")
		}
		b.WriteString("</div>\n</details>\n")
	}
	b.WriteString("</div>\n")
	return markup(b.String()) + leftOut(trend.More(len(subjects), trend.MostSubjects, "case or catalog"))
}

// chart returns the table of the figures that share a scale. The script draws the curves from its rows.
func (p *trendPage) chart(c *trend.Chart, most int) markup {
	text := "<div class=scroll><table>\n<thead><tr><th>" + markup(trend.Columns[1]) + "<th>" + markup(trend.Columns[2]) + "<th class=spark>" + markup(trend.Columns[3]) +
		"<th>" + markup(trend.Columns[4]) + "\n<tbody>\n"
	for i := range c.Moves {
		m := &c.Moves[i]
		text += "<tr data-points=\"" + numbers(m.Drawing(most)) + "\"><td>" + name(m.Label()) + "<td>" + escaped(trend.Change(m.First, m.Last)) +
			"<td class=spark>" + escaped(m.Sparkline(trend.LineWidth)) + "<td>" + escaped(trend.Change(m.Biggest.From, m.Biggest.To)) + " " + p.commit(m.Biggest.Point) + "\n"
	}
	return text + "</table></div>\n"
}

// commit returns the name of a commit, with a link to its details if the page has them.
func (p *trendPage) commit(point int) markup {
	short := name(p.Points[point].Short())
	for i := range p.detailed() {
		if p.turns[i].Point == point {
			return "<a href=#c" + number(i+1) + ">" + short + "</a>"
		}
	}
	return short
}

// detailed returns the number of commits that are shown with details.
func (p *trendPage) detailed() int { return min(len(p.turns), trend.MostCompared) }

// steps returns the table of the commits in which figures moved.
func (p *trendPage) steps() markup {
	columns := lists.Map(trend.StepColumns, func(title string) markup { return markup(title) })
	t := newTable("commits", columns, min(len(p.turns), trend.MostRows), trend.MostRows, func(i int) []markup {
		turn := &p.turns[i]
		c := p.Points[turn.Point]
		moved := markup("")
		for _, s := range turn.Steps[:min(len(turn.Steps), trend.MostSteps)] {
			moved += "<li>" + step(&s) + "\n"
		}
		if more := trend.More(len(turn.Steps), trend.MostSteps, "figure"); more != "" {
			moved += "<li>" + escaped(more) + "\n"
		}
		return []markup{p.commit(turn.Point), "<span class=rule>" + escaped(c.Day()) + "</span>", words(c.Author), words(c.Subject), "<ul>\n" + moved + "</ul>"}
	})
	return t.folding().write() + leftOut(trend.More(len(p.turns), trend.MostRows, "commit"))
}

// step returns the text for one figure that moved in a commit.
func step(s *trend.Step) markup {
	return name(s.Of()) + " " + name(s.Label()) + " " + escaped(trend.Change(s.From, s.To))
}

// gaps returns the list of the commits and files that could not be evaluated.
func (p *trendPage) gaps() markup {
	list := lists.Map(p.Gaps(), func(g trend.Gap) markup {
		return name(g.Short()) + " " + escaped(g.Day()) + ": " + message(g.Reason)
	})
	return bullets(list, trend.MostSubjects)
}

// leftOut returns a line about entries that the page does not show; "" if it shows all.
func leftOut(line string) markup {
	if line == "" {
		return ""
	}
	return "<p class=dim>" + message(line) + "\n"
}
