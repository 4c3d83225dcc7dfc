package html

import (
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/trend"
)

// Fleet writes the page of a fleet, which is several repositories.
func Fleet(w io.Writer, f *trend.Fleet) error {
	members := lists.Map(f.Members, func(m trend.Member) []string { return m.Row() })
	var links []markup
	var b strings.Builder
	for _, part := range []struct {
		id, title markup
		label     markup
		columns   []string
		rows      [][]string
	}{
		{"others", trend.Repositories, "repositories", trend.MemberColumns, members},
		{"wrong", trend.NotPassing, "cases", trend.FailingColumns, f.FailingRows()},
		{"figures", trend.Standings, "figures", trend.StandingColumns, f.Rows(true)},
		{"gaps", trend.GapsTitle, "repositories", trend.GapColumns, f.GapRows()},
	} {
		content := fleetTable(part.label, part.columns, part.rows)
		if content == "" {
			continue
		}
		s := section{id: part.id, title: part.title}
		links = append(links, "<a href=#"+s.id+">"+s.title+"</a>")
		b.WriteString(string(s.write(content)))
	}
	body := "<header class=plain>\n<h1>" + trend.FleetTitle + "</h1>\n<p>" + escaped(f.Headline()) + "\n</header>\n" + navigation(links) +
		"<main>\n" + markup(b.String()) + "</main>\n<footer>mcp-gates</footer>\n"
	_, err := io.WriteString(w, string(wholePage(trend.FleetTitle, pageScript, false, body)))
	return err
}

// fleetTable returns a table of texts. Cells below a title that ends in a colon are written as figures.
func fleetTable(label markup, columns []string, rows [][]string) markup {
	titles := lists.Map(columns, func(title string) markup { return markup(title) })
	shown := min(len(rows), trend.MostRows)
	t := newTable(label, titles, shown, shown, func(i int) []markup {
		cells := make([]markup, len(rows[i]))
		for at, text := range rows[i] {
			if _, isFigure := isNumber(titles[at]); isFigure {
				cells[at] = escaped(report.Cut(text, maxName))
				continue
			}
			cells[at] = name(text)
		}
		return cells
	})
	return t.folding().write() + leftOut(trend.More(len(rows), shown, "row"))
}
