package annotation

import "github.com/org/mcp-gates/internal/report"

// OfLint returns the findings that a lint shows, worst first: a critical one is a failure, whatever its fail level says.
func OfLint(l *report.Lint) []Item {
	c := &collector{}
	for i := range l.Catalogs {
		c.addFound(l.Catalogs[i].Findings)
	}
	return c.sorted()
}

// OfLintDiff returns the new findings of a difference between two catalogs and what breaks callers, which counts as
// critical there.
func OfLintDiff(d *report.LintDiff) []Item {
	c := &collector{report: &report.Report{Baseline: &report.Comparison{Breaking: d.Breaking, MayBreak: d.MayBreak}}}
	c.addBreaking(Failure)
	c.addFound(d.Found)
	return c.sorted()
}

// addFound notes findings at the level of their severity. A tool without any has a finding that says so, which is left out.
func (c *collector) addFound(list []report.Finding) {
	for _, f := range list {
		switch f.Severity {
		case "critical":
			c.addFindingAt(criticals, Failure, f)
		case "warning":
			c.addFindingAt(findings, Warning, f)
		}
	}
}
