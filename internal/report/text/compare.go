package text

import (
	"io"

	"github.com/org/mcp-gates/internal/report"
)

// Comparison writes only the differences between the report and its base.
func Comparison(w io.Writer, r *report.Report, o Options) error {
	t := newWriter(w, r, o)
	t.writeComparison()
	return t.p.out.Flush()
}
