package gates

import (
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

func TestGrade(t *testing.T) {
	tests := []struct {
		f1   int
		want string
	}{{100, "A"}, {90, "A"}, {89, "B"}, {80, "B"}, {79, "C"}, {70, "C"}, {69, "D"}, {60, "D"}, {59, "F"}, {0, "F"}}
	for _, test := range tests {
		if got := grade(test.f1); got != test.want {
			t.Errorf("grade(%d) = %s, want %s", test.f1, got, test.want)
		}
	}
}

// TestTotalCost adds what broken runs cost, and tells nothing from 0.
func TestTotalCost(t *testing.T) {
	run := func(cost trace.Count) trace.Run { return trace.Run{Cost: cost} }
	unknown := trace.Count{}
	tests := []struct {
		name string
		tr   trace.Trace
		want trace.Count
	}{
		{"nothing known", trace.Trace{Runs: []trace.Run{run(unknown)}}, unknown},
		{"free", trace.Trace{Runs: []trace.Run{run(unknown), run(trace.Known(0))}}, trace.Known(0)},
		{"some known", trace.Trace{Runs: []trace.Run{run(trace.Known(3)), run(unknown), run(trace.Known(4))}}, trace.Known(7)},
		{"broken runs", trace.Trace{Runs: []trace.Run{run(trace.Known(3))}, FailedCost: trace.Known(5)}, trace.Known(8)},
		{"only broken runs", trace.Trace{FailedCost: trace.Known(5)}, trace.Known(5)},
	}
	for _, test := range tests {
		if got := totalCost(&test.tr); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// TestCostIsExact divides before it rounds: a cent over 3 is not 0.003333 when it is compared.
func TestCostIsExact(t *testing.T) {
	third := dollars(10_000, 3, judge.DollarsPerCorrect)
	if got, want := third.Format(), "$0.003333"; got != want {
		t.Errorf("a cent over 3 is printed as %s, want %s", got, want)
	}
	if rounded := dollars(3333, 1, judge.Dollars); third.Cmp(rounded) <= 0 {
		t.Errorf("a cent over 3 compares as %s, want more than %s", third.Rat, rounded.Rat)
	}
}
