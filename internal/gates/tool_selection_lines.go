package gates

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/stat"
)

// lines returns the text lines of a judged block. The first sums it up; one FLOOR line follows for each condition that
// does not hold, with a line for each run that it is about.
func (f *selectionFloor) lines(name string, r *Result, c selectionCounts) []string {
	lines := []string{f.summary(name, r, c)}
	for _, a := range r.Assertions {
		if a.Verdict == Fail || a.Verdict == Error {
			lines = append(lines, "FLOOR "+name+": "+f.breach(a, c))
			lines = append(lines, runLines(a, c)...)
		}
	}
	return lines
}

func (f *selectionFloor) summary(name string, r *Result, c selectionCounts) string {
	n := len(c.runs)
	passHat := "unknown" // without token counts nobody knows which runs stayed within the budget
	if v, ok := r.Metrics["tool_selection.within_budget_rate"]; ok {
		passHat = v.Format()
	}
	line := fmt.Sprintf("tool-selection floor [%s] %s: selection %d/%d (%d%%), pass^k %s", strings.ToUpper(string(r.Verdict)), name,
		c.selected, n, stat.FloorPercent(int64(c.selected), int64(n)), passHat)
	if len(c.tokens) > 0 {
		line += fmt.Sprintf(", tokens %d median / %d max", stat.Median(c.tokens), c.maxTokens())
	}
	return line
}

// breach says which condition does not hold.
func (f *selectionFloor) breach(a Assertion, c selectionCounts) string {
	n := int64(len(c.runs))
	if a.Verdict == Error {
		return a.Message
	}
	switch a.Target {
	case minSelectionRate:
		return fmt.Sprintf("selection rate %d%% is below the %s floor (%s)",
			stat.FloorPercent(int64(c.selected), n), percentText(f.minRate), c.selectedOf())
	case maxTotalTokens:
		return fmt.Sprintf("%s exceeded the %d-token budget (worst run %d tokens)", c.overOf(), f.cap, c.maxTokens())
	case minPassHat:
		return fmt.Sprintf("pass_hat[%d] %d%% is below the %s floor (%s)",
			f.k, stat.PassHatPercent(c.succeeded, int(n), f.k), percentText(f.passRate), c.succeededOf())
	case minCertifiedRate:
		return fmt.Sprintf("certified rate %d%% is below the %s%% floor (%s)",
			stat.CertifiedLower(c.succeeded, int(n)), decimalText(f.minSure), c.succeededOf())
	}
	return a.Message
}

// runLines lists the runs behind a condition that does not hold.
func runLines(a Assertion, c selectionCounts) []string {
	var lines []string
	for _, r := range c.runs {
		switch {
		case a.Target == minSelectionRate && !r.selected:
			lines = append(lines, fmt.Sprintf("  run %d: did not select %s, called %s", r.run.Number, tickedTools(c.tools), called(r)))
		case a.Target == maxTotalTokens && r.over:
			lines = append(lines, fmt.Sprintf("  run %d: %d tokens, over budget", r.run.Number, r.tokens.N))
		case a.Target == maxTotalTokens && a.Verdict == Error && !r.tokens.Known:
			lines = append(lines, fmt.Sprintf("  run %d: no recorded tokens", r.run.Number))
		}
	}
	return lines
}

// called lists the tools that a run called, each once, by bare name in the order of the first call.
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
	return firstFive(names)
}
