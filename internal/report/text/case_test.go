package text

import (
	"testing"

	"github.com/org/mcp-gates/internal/judge"
)

func TestFiguresStandInTheGatesOrder(t *testing.T) {
	percent := judge.Int(50, judge.Percent)
	g := &judge.Result{Gate: "tool_selection", Metrics: map[string]judge.Value{
		"tool_selection.certified_rate": percent, "tool_selection.pass_hat[2]": percent, "tool_selection.rate": percent,
		"tool_selection.within_budget_rate": percent, "of.another": percent,
	}}
	if got, want := figures(g, ": ", true), ": rate 50%, within_budget_rate 50%, certified_rate 50%, another 50%"; got != want {
		t.Errorf("figures: got %q, want %q", got, want)
	}
}
