package report_test

import (
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// compared returns head with its comparison with base.
func compared(base, head *report.Report) *report.Report {
	head.Baseline = compare.Reports(base, head, compare.Options{})
	head.Baseline.Base.Ref, head.Baseline.Base.SHA = "main", "0123456789abcdef0123456789abcdef01234567"
	return head
}
