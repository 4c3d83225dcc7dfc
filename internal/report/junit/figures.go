package junit

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// figures returns the figures of a case as lines of the form figure=value: first the figures of its gates, in the order of
// their documentation, then runs, tokens and cost. Values have the decimals of the JSON report, and no unit.
func figures(c *report.Case) string {
	var lines strings.Builder
	written := map[string]bool{} // gates can share a figure
	addLine := func(name, value string) {
		if line := report.Safe(name) + "=" + report.Safe(value) + "\n"; !written[line] {
			written[line] = true
			lines.WriteString(line)
		}
	}
	for i := range c.Gates {
		g := &c.Gates[i]
		for _, name := range gates.Find(g.Gate).Figures(g) {
			addLine(name, g.Metrics[name].Digits())
		}
		if g.Grade != "" {
			addLine(g.Gate+".grade", g.Grade)
		}
	}
	addLine("runs", strconv.Itoa(c.Runs.Scored))
	addLine("run_errors", strconv.Itoa(c.Runs.Errors))
	if t := c.Tokens; t != nil {
		addLine("tokens", strconv.FormatInt(t.Total, 10))
		addLine("tokens_median", strconv.FormatInt(t.Median, 10))
		addLine("tokens_max", strconv.FormatInt(t.Max, 10))
	}
	if c.CostUSD != "" {
		addLine("cost_usd", string(c.CostUSD))
	}
	return lines.String()
}

// totals sums up the cases of a suite.
type totals struct {
	passed, runs, runErrors int
	tokens                  int64
	cost                    *big.Rat // nil if no case has a cost
}

func (t *totals) add(c *report.Case) {
	if c.Verdict == judge.Pass {
		t.passed++
	}
	t.runs, t.runErrors = t.runs+c.Runs.Scored, t.runErrors+c.Runs.Errors
	if c.Tokens != nil {
		t.tokens += c.Tokens.Total
	}
	var cost judge.Value
	if cost.UnmarshalJSON([]byte(strconv.Quote(string(c.CostUSD)))) != nil {
		return // the case has no cost, or a saved report has a text that is not a number
	}
	if t.cost == nil {
		t.cost = new(big.Rat)
	}
	t.cost.Add(t.cost, cost.Rat)
}

func (t *totals) properties(r *report.Report) []property {
	list := []property{
		{"version", report.Safe(r.Tool.Version)}, {"mode", report.Safe(r.Mode)},
		{"passed", strconv.Itoa(t.passed)}, {"runs", strconv.Itoa(t.runs)}, {"run_errors", strconv.Itoa(t.runErrors)},
		{"tokens", fmt.Sprint(t.tokens)},
	}
	if t.cost != nil {
		list = append(list, property{"cost_usd", t.cost.FloatString(6)})
	}
	return list
}
