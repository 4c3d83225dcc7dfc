package report_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// TestWithoutPassingRuns pins what the runs of a case that passes cost in JSON: nothing, however many they are. Figures, verdicts and a
// comparison are the same.
func TestWithoutPassingRuns(t *testing.T) {
	size := func(runs int) int {
		r := reportOf(research("a", 1, 80, times(runs, good)...), floored("b", 20, runs, runs))
		return len(renderJSON(t, r.WithoutPassingRuns()))
	}
	if few, many := size(10), size(90); many-few > 300 { // the lists of runs behind what went right
		t.Errorf("90 runs take %d bytes, and 10 runs %d", many, few)
	}
	whole := reportOf(research("a", 1, 80, good, good), research("b", 20, 80, withExec))
	lean := saved(t, whole.WithoutPassingRuns())
	if len(whole.Cases[0].Rows) != 2 || len(lean.Cases[0].Rows) != 0 || lean.Cases[0].Cut == nil || lean.Cases[0].Cut.Runs != 2 || len(lean.Cases[1].Rows) != 1 {
		t.Errorf("got rows %v and cut %v, want the runs of the failing case alone", lean.Cases[0].Rows, lean.Cases[0].Cut)
	}
	if c := compare.Reports(saved(t, whole), lean, compare.Options{}); c.IsChanged() {
		t.Errorf("got changes %+v, want none", c)
	}
	shard := *whole
	shard.Shard = &report.Shard{}
	if got := shard.WithoutPassingRuns(); len(got.Cases[0].Rows) != 2 {
		t.Error("the report of a shard lacks runs, which the merged report is to have")
	}
}

func BenchmarkJSON(b *testing.B) {
	var parts []any
	for i := range 1000 {
		parts = append(parts, research(fmt.Sprintf("case %d", i), 10*i+1, 80, times(10, good)...))
	}
	r := reportOf(parts...)
	for b.Loop() {
		if err := report.JSON(io.Discard, r.WithoutPassingRuns()); err != nil {
			b.Fatal(err)
		}
	}
}
