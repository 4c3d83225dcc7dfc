package text

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/trend"
)

// Trend writes the figures that moved through a history, and the commits with the biggest steps.
func Trend(w io.Writer, h *trend.History) error {
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(h.Headline(), "`", "") + "\n")
	moves, turns := h.Moved()
	if len(h.Points) > 0 && len(moves) == 0 {
		b.WriteString(trend.NoneMoved + "\n")
	}
	writeMoves(&b, h, moves)
	writeBiggestSteps(&b, h, turns)
	writeGaps(&b, h)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeMoves(b *strings.Builder, h *trend.History, moves []trend.Move) {
	shown := moves[:min(len(moves), trend.MostMoves)]
	var rows [][]string
	of := ""
	for i := range shown {
		m := &shown[i]
		if m.Of() != of {
			of = m.Of()
			rows = append(rows, []string{"\n" + report.Safe(of)})
		}
		step := h.Points[m.Biggest.Point]
		rows = append(rows, []string{"  " + report.Safe(m.Label()), trend.Change(m.First, m.Last), m.Sparkline(trend.LineWidth),
			trend.BiggestStep + " " + trend.Change(m.Biggest.From, m.Biggest.To) + " " + step.Short()})
	}
	writeColumns(b, rows)
	writeMore(b, "  ", trend.More(len(moves), trend.MostMoves, "figure"))
}

// writeColumns writes rows with aligned columns. A row with one cell is a title.
func writeColumns(b *strings.Builder, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if len(row) == 1 {
				continue
			}
			for len(widths) <= i {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

func writeBiggestSteps(b *strings.Builder, h *trend.History, turns []trend.Turn) {
	if len(turns) == 0 {
		return
	}
	b.WriteString("\n" + trend.BiggestSteps + "\n")
	for _, t := range turns[:min(len(turns), trend.MostTurns)] {
		p := h.Points[t.Point]
		b.WriteString("  " + p.Short() + " " + p.Day() + "  " + report.Safe(p.Subject) + "\n")
		for _, s := range t.Steps[:min(len(t.Steps), trend.MostSteps)] {
			b.WriteString("      " + report.Safe(s.Of()) + "  " + report.Safe(s.Label()) + "  " + trend.Change(s.From, s.To) + "\n")
		}
		writeMore(b, "      ", trend.More(len(t.Steps), trend.MostSteps, "figure"))
	}
	writeMore(b, "  ", trend.More(len(turns), trend.MostTurns, "commit"))
}

// writeMore writes the line about entries that are left out; nothing if more is "".
func writeMore(b *strings.Builder, indent, more string) {
	if more != "" {
		b.WriteString(indent + more + "\n")
	}
}

// writeGaps writes the commits, and the files of other commits, that could not be evaluated.
func writeGaps(b *strings.Builder, h *trend.History) {
	all := h.Gaps()
	if len(all) == 0 {
		return
	}
	b.WriteString("\n" + trend.NotEvaluated + "\n")
	for _, g := range all[:min(len(all), trend.MostGaps)] {
		b.WriteString("  " + g.Short() + " " + g.Day() + "  " + report.Safe(g.Reason) + "\n")
	}
	writeMore(b, "  ", trend.More(len(all), trend.MostGaps, "gap"))
}
