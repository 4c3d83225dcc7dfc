package gates

import (
	"fmt"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/stat"
)

// summary returns the figures in one line. k is the k of min_pass_hat, or 0.
func (c *selectionCounts) summary(values map[string]judge.Value, k int) string {
	n := len(c.runs)
	passHat := "unknown" // only token counts show which runs stayed within the budget
	if v, ok := values["tool_selection.within_budget_rate"]; ok {
		passHat = v.Format()
	}
	line := fmt.Sprintf("selection %d/%d (%d%%), %s %s", c.selected, n, stat.FloorPercent(int64(c.selected), int64(n)), stat.PassHatName(1), passHat)
	if _, ok := values[minPassHat]; ok && k > 1 {
		line += fmt.Sprintf(", %s %d%%", stat.PassHatName(k), stat.PassHatPercent(c.succeeded, n, k))
	}
	if len(c.tokens) > 0 {
		line += fmt.Sprintf(", tokens %d median / %d max", stat.Median(c.tokens), c.maxTokens())
	}
	return line
}

// breach returns the breach of an assertion that does not hold, with the figure and the runs that caused it.
func (f *selectionFloor) breach(a *judge.Assertion, c selectionCounts) *judge.Breach {
	b := &judge.Breach{Runs: c.breachRuns(a)}
	if a.Verdict == judge.Error {
		return b // the message already gives the reason
	}
	n := len(c.runs)
	switch a.Target {
	case minSelectionRate:
		b.Figure = fmt.Sprintf("selection rate %d%%", stat.FloorPercent(int64(c.selected), int64(n)))
		b.Bound, b.Of = judge.PercentText(f.minRate), c.selectedOf()
	case maxTotalTokens:
		b.Figure = fmt.Sprintf("worst run %d tokens", c.maxTokens())
		b.Bound, b.Of, b.Budget = fmt.Sprintf("%d-token", f.budget), c.overOf(), true
	case minPassHat:
		b.Figure = fmt.Sprintf("%s %d%%", stat.PassHatName(f.k), stat.PassHatPercent(c.succeeded, n, f.k))
		b.Bound, b.Of = judge.PercentText(f.passRate), c.succeededOf()
	case minCertifiedRate:
		b.Figure = fmt.Sprintf("certified rate %d%%", stat.CertifiedLower(c.succeeded, n))
		b.Bound, b.Of = judge.DecimalText(f.minCertified)+"%", c.succeededOf()
	}
	return b
}

func (c selectionCounts) breachRuns(a *judge.Assertion) []judge.BreachRun {
	runs := make([]judge.BreachRun, 0, len(c.runs))
	missed := "did not select " + tickedTools(c.tools) + ", called "
	for _, r := range c.runs {
		did := ""
		switch {
		case a.Target == minSelectionRate && !r.selected:
			did = missed + called(r)
		case a.Target == maxTotalTokens && r.over:
			did = fmt.Sprintf("%d tokens, over budget", r.tokens.N)
		case a.Target == maxTotalTokens && a.Verdict == judge.Error && !r.tokens.Known:
			did = "no recorded tokens"
		default:
			continue
		}
		runs = append(runs, judge.BreachRun{Run: r.run.Number, Did: did})
	}
	return runs
}

// called lists the bare names of the tools that a run called, without repeats, in the order of the first call.
func called(r selectionRun) string {
	var names []string
	seen := map[string]bool{}
	for i := range r.run.Calls {
		if name := r.run.Calls[i].Tool.Name; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "nothing"
	}
	return lists.FirstFive(names)
}
