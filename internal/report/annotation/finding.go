package annotation

import (
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
)

// qualityGate is the gate that judges findings.
const qualityGate = "tool_quality"

func (c *collector) addFindings() {
	isQualityFailing := slices.ContainsFunc(c.report.Cases, failsQuality)
	for _, cat := range c.report.Catalogs {
		for _, f := range cat.Findings {
			c.addFinding(f, isQualityFailing)
		}
	}
}

func failsQuality(c report.Case) bool {
	return slices.ContainsFunc(c.Gates, func(g judge.Result) bool { return g.Gate == qualityGate && g.Verdict == judge.Fail })
}

// addFinding adds a finding. A critical finding is a failure if a gate on findings fails, because the finding makes the gate
// fail.
func (c *collector) addFinding(f report.Finding, isQualityFailing bool) {
	level, kind := Warning, findings
	switch {
	case f.Severity == "pass", !lint.Annotates(f.Rule, f.Severity == "critical", f.Doubtful):
		return
	case f.Severity == "critical":
		kind = criticals
		if isQualityFailing {
			level = Failure
		}
	}
	c.addFindingAt(kind, level, f)
}

func (c *collector) addFindingAt(k kind, level Level, f report.Finding) {
	c.add(k, Item{
		Rule: f.Rule, Path: f.Path, Line: f.Line, Level: level, Title: f.Rule + " " + f.Tool,
		Message: lines(toolAndArgument(f.Tool, f.Argument)+": "+f.Message, f.Suggestion), Tool: c.tools[toolKey{f.Path, f.Server, f.Tool}],
	}, f.Server, f.Tool, string(f.Argument))
}
