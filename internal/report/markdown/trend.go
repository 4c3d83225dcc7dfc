package markdown

import (
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/report/trend"
)

// Trend writes the figures that moved through a history, and the commits with the biggest steps.
func Trend(w io.Writer, h *trend.History) error {
	var b strings.Builder
	b.WriteString("### " + trend.Title + "\n\n" + sentence(h.Headline()) + "\n")
	moves, turns := h.Moved()
	if len(h.Points) > 0 && len(moves) == 0 {
		b.WriteString("\n" + sentence(trend.NoneMoved) + "\n")
	}
	writeMoves(&b, h, moves)
	writeTurns(&b, h, turns)
	writeGaps(&b, h)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeMoves(b *strings.Builder, h *trend.History, moves []trend.Move) {
	if len(moves) == 0 {
		return
	}
	b.WriteString("\n| " + strings.Join(trend.Columns, " | ") + " |\n|---|---|---|---|---|\n")
	for _, m := range moves[:min(len(moves), trend.MostMoves)] {
		row := []string{cell(code(m.Of())), cell(code(m.Label())), trend.Change(m.First, m.Last), "`" + m.Sparkline(trend.LineWidth) + "`",
			trend.Change(m.Biggest.From, m.Biggest.To) + " " + code(h.Points[m.Biggest.Point].Short())}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	if more := trend.More(len(moves), trend.MostMoves, "figure"); more != "" {
		b.WriteString("\n" + sentence(more) + "\n")
	}
}

func writeTurns(b *strings.Builder, h *trend.History, turns []trend.Turn) {
	if len(turns) == 0 {
		return
	}
	b.WriteString("\n" + strong(sentence(trend.BiggestSteps)) + "\n\n")
	for _, t := range turns[:min(len(turns), trend.MostTurns)] {
		p := h.Points[t.Point]
		steps := listText(len(t.Steps), trend.MostSteps, func(i int) string {
			s := t.Steps[i]
			return code(s.Of()) + " " + code(s.Label()) + " " + trend.Change(s.From, s.To)
		})
		b.WriteString("- " + code(p.Short()) + " " + p.Day() + " " + code(p.Subject) + ": " + steps + "\n")
	}
	if more := trend.More(len(turns), trend.MostTurns, "commit"); more != "" {
		b.WriteString("- " + more + "\n")
	}
}

func writeGaps(b *strings.Builder, h *trend.History) {
	gaps := h.Gaps()
	if len(gaps) == 0 {
		return
	}
	b.WriteString("\n" + strong(sentence(trend.NotEvaluated)) + "\n\n")
	for _, g := range gaps[:min(len(gaps), trend.MostGaps)] {
		b.WriteString("- " + code(g.Short()) + " " + g.Day() + ": " + code(g.Reason) + "\n")
	}
	if more := trend.More(len(gaps), trend.MostGaps, "gap"); more != "" {
		b.WriteString("- " + more + "\n")
	}
}

// sentence returns a line with a capital at its beginning and a full stop.
func sentence(line string) string { return strings.ToUpper(line[:1]) + line[1:] + "." }
