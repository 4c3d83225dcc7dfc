package markdown

import "github.com/org/mcp-gates/internal/report"

// Headline returns the verdict as one line of plain text, such as "2 of 14 cases fail", and with a
// mark when the runs were live.
func Headline(r *report.Report) string {
	d := &document{r: r}
	return r.Before() + d.verdict() + d.live()
}
