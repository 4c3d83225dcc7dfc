package report_test

import (
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

func TestHeadlineCountsSkippedCases(t *testing.T) {
	r := &report.Report{Cases: []report.Case{{Verdict: judge.Pass}, {Verdict: judge.Skipped}}}
	r.Conclude()
	if got, want := r.Headline(), "1 case passed, 1 skipped"; got != want {
		t.Errorf("headline: got %q, want %q", got, want)
	}
}

// The intervals are Wilson's, as published tables have them.
func TestInterval(t *testing.T) {
	for _, test := range []struct {
		trials    report.Trials
		low, high int
	}{
		{report.Trials{Won: 9, Of: 10}, 59, 99},
		{report.Trials{Won: 0, Of: 10}, 0, 28},
		{report.Trials{Won: 10, Of: 10}, 72, 100},
		{report.Trials{Won: 1, Of: 2}, 9, 91},
	} {
		if low, high := test.trials.Interval(); low != test.low || high != test.high {
			t.Errorf("%+v: got %d to %d, want %d to %d", test.trials, low, high, test.low, test.high)
		}
	}
}

// Trials that a saved report makes up are not computed with.
func TestTrialsOfASavedReport(t *testing.T) {
	for _, trials := range []report.Trials{{}, {Won: 3, Of: 2}, {Won: -1, Of: 2}, {Won: 1, Of: 1 << 40}} {
		if trials.Valid() {
			t.Errorf("%+v are valid", trials)
		}
	}
}

// A target is the figure that every case is compared by, or another that changed.
func TestPairOfTarget(t *testing.T) {
	p := report.Pair{
		Figures: []report.Delta{{Name: "f1", Base: "90", Head: "80"}},
		Others:  []report.Delta{{Name: "orchestration.valid", Base: "100%", Head: "90%"}},
	}
	for target, want := range map[string]report.Optional{
		"tool_selection.f1": "90", "token_efficiency.f1": "90", "orchestration.valid": "100%", "tool_selection.recall": "", "unknown": "",
	} {
		if got := p.Of(target).Base; got != want {
			t.Errorf("%s: got %q, want %q", target, got, want)
		}
	}
}
