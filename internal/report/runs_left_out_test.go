package report_test

import (
	"cmp"
	"fmt"
	"github.com/org/mcp-gates/internal/report/reporttest"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// TestWithoutPassingRuns pins what the runs of a case that passes cost in JSON: nothing, however many they are. Figures, verdicts and a
// comparison are the same.
func TestWithoutPassingRuns(t *testing.T) {
	size := func(runs int) int {
		r := reporttest.Of(reporttest.Research("a", 1, 80, times(runs, reporttest.Good)...), reporttest.Floored("b", 20, runs, runs))
		return len(renderJSON(t, r.WithoutPassingRuns()))
	}
	if few, many := size(10), size(90); many-few > 20 {
		t.Errorf("90 runs take %d bytes, and 10 runs %d", many, few)
	}
	whole := reporttest.Of(reporttest.Research("a", 1, 80, reporttest.Good, reporttest.Good), reporttest.Research("b", 20, 80, reporttest.WithExec))
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

// TestImpliedSettings pins that a saved report has the settings that JSON leaves out, and no others.
func TestImpliedSettings(t *testing.T) {
	plain := reporttest.Research("a", 1, 80, reporttest.Good)
	plain.Settings = append([]report.Setting{{Key: "cassette", Value: `["a.json"]`, Line: 3}}, plain.Settings...)
	lenient := reporttest.With(plain, reporttest.Set("allow_run_errors", "1"), reporttest.Set("stale_catalog", "ignore"))
	lenient.ID = "suites/tools.yml::b"
	bench := reporttest.Named("c", 50)
	bench.Kind, bench.Settings = "tool_bench", []report.Setting{{Key: "tool_bench", Value: judge.GatePresent, Line: 50}}
	older := reporttest.Named("d", 60)
	older.Settings = nil
	r := reporttest.Of(plain, lenient, bench, older)
	back := saved(t, r)
	for i := range r.Cases {
		want, got := r.Cases[i].Settings, back.Cases[i].Settings
		byKey := func(a, b report.Setting) int { return cmp.Compare(a.Key, b.Key) }
		slices.SortStableFunc(want, byKey)
		slices.SortStableFunc(got, byKey)
		if !slices.Equal(want, got) {
			t.Errorf("case %s: got settings\n%v, want\n%v", r.Cases[i].Name, got, want)
		}
	}
	text := renderJSON(t, r)
	for key, most := range map[string]int{`"key":"allow_run_errors"`: 1, `"key":"stale_catalog"`: 1, `"key":"equal_function_sets",`: 0, `"key":"tool_bench"`: 1, `"key":"runs"`: 2} {
		if n := strings.Count(text, key); n != most {
			t.Errorf("%s is written %d times, want %d", key, n, most)
		}
	}
}

func BenchmarkJSON(b *testing.B) {
	var parts []any
	for i := range 1000 {
		parts = append(parts, reporttest.Research(fmt.Sprintf("case %d", i), 10*i+1, 80, times(10, reporttest.Good)...))
	}
	r := reporttest.Of(parts...)
	for b.Loop() {
		if err := report.JSON(io.Discard, r.WithoutPassingRuns()); err != nil {
			b.Fatal(err)
		}
	}
}
