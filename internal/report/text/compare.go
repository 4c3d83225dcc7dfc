package text

import (
	"io"

	"github.com/org/mcp-gates/internal/report"
)

// Comparison writes how the report differs from its base, for a person, and nothing else of the report.
func Comparison(w io.Writer, r *report.Report, o Options) error {
	t := newWriter(w, r, o)
	t.comparison()
	return t.p.out.Flush()
}
