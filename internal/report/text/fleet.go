package text

import (
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/trend"
)

// Fleet writes the state of several repositories.
func Fleet(w io.Writer, f *trend.Fleet) error {
	var b strings.Builder
	b.WriteString(f.Headline() + "\n\n")
	rows := lists.Map(f.Members, func(m trend.Member) []string { return m.Row() })
	writeFleetTable(&b, trend.MemberColumns, rows, "repository")
	for _, part := range []struct {
		title   string
		columns []string
		rows    [][]string
		noun    string
	}{
		{trend.NotPassing, trend.FailingColumns, f.FailingRows(), "case"},
		{trend.FiguresTitle, trend.StandingColumns, f.Rows(false), "figure"},
		{trend.GapsTitle, trend.GapColumns, f.GapRows(), "repository"},
	} {
		if len(part.rows) > 0 {
			b.WriteString("\n" + part.title + "\n")
			writeFleetTable(&b, part.columns, part.rows, part.noun)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFleetTable writes the first rows of a table below the titles of its columns.
func writeFleetTable(b *strings.Builder, columns []string, rows [][]string, noun string) {
	titles := lists.Map(columns, func(title string) string { return strings.TrimSuffix(title, ":") })
	lines := [][]string{titles}
	for _, row := range rows[:min(len(rows), trend.MostMoves)] {
		lines = append(lines, lists.Map(row, report.Safe))
	}
	writeColumns(b, lines)
	writeMore(b, "", trend.More(len(rows), trend.MostMoves, noun))
}
