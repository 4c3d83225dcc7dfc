package compare_test

import (
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/reporttest"
)

// TestRunsThatWouldTell pins where a comparison says how many runs would see a drop: where this one may be chance, and more runs than
// there are would see it.
func TestRunsThatWouldTell(t *testing.T) {
	for _, test := range []struct {
		base, of, head, runs, want int
		p                          report.Optional
	}{
		{10, 10, 6, 10, 13, "0.0867"},
		{10, 10, 9, 10, 66, "1.0000"},
		{100, 100, 99, 100, 201, ""},   // more than 200
		{10, 10, 90, 100, 66, ""},      // the base has too few
		{100, 100, 9, 10, 66, ""},      // the change has too few
		{1000, 1000, 999, 1000, 0, ""}, // which is beyond what is searched
		{3, 3, 0, 3, 0, "0.1000"},      // as many runs as there are
		{2, 4, 0, 12, 10, "0.0500"},    // the least that may be chance
		{10, 10, 1, 10, 0, "0.0001"},   // it is no chance
		{6, 10, 10, 10, 0, ""},         // it rises
		{8, 10, 8, 10, 0, ""},
	} {
		got := compare.Reports(reporttest.Of(reporttest.Floored("a", 1, test.base, test.of)), reporttest.Of(reporttest.Floored("a", 1, test.head, test.runs)), compare.Options{}).Cases[0].Figure(report.FigureSelectionRate)
		if test.p != "" && got.P != test.p {
			t.Errorf("from %d of %d to %d of %d runs: got p = %s, want %s", test.base, test.of, test.head, test.runs, got.P, test.p)
		}
		if got.Needed != test.want {
			t.Errorf("from %d of %d to %d of %d runs: got %d runs, want %d", test.base, test.of, test.head, test.runs, got.Needed, test.want)
		}
	}
}
