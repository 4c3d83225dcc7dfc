package markdown

import (
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report/trend"
)

// Fleet writes the state of several repositories.
func Fleet(w io.Writer, f *trend.Fleet) error {
	var b strings.Builder
	b.WriteString("### " + trend.FleetTitle + "\n\n" + sentence(f.Headline()) + "\n")
	rows := lists.Map(f.Members, func(m trend.Member) []string { return m.Row() })
	writeFleetTable(&b, "", trend.MemberColumns, rows, "repository")
	writeFleetTable(&b, trend.NotPassing, trend.FailingColumns, f.FailingRows(), "case")
	writeFleetTable(&b, trend.FiguresTitle, trend.StandingColumns, f.Rows(false), "figure")
	writeFleetTable(&b, trend.GapsTitle, trend.GapColumns, f.GapRows(), "repository")
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFleetTable writes the first rows below the titles of their columns. It writes nothing if there are no rows.
func writeFleetTable(b *strings.Builder, title string, columns []string, rows [][]string, noun string) {
	if len(rows) == 0 {
		return
	}
	if title != "" {
		b.WriteString("\n" + strong(title+".") + "\n")
	}
	b.WriteString("\n")
	for _, column := range columns {
		b.WriteString("| " + strings.TrimSuffix(column, ":") + " ")
	}
	b.WriteString("|\n" + strings.Repeat("|---", len(columns)) + "|\n")
	for _, row := range rows[:min(len(rows), trend.MostMoves)] {
		for _, one := range row {
			b.WriteString("| " + cell(code(one)) + " ")
		}
		b.WriteString("|\n")
	}
	if more := trend.More(len(rows), trend.MostMoves, noun); more != "" {
		b.WriteString("\n" + sentence(more) + "\n")
	}
}
