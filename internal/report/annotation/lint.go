package annotation

import "github.com/org/mcp-gates/internal/report"

// OfLint returns the findings that a lint shows, the worst first. A critical finding is a failure, whatever the fail level is.
func OfLint(l *report.Lint) []Item {
	c := &collector{}
	for i := range l.Catalogs {
		c.addBySeverity(l.Catalogs[i].Findings)
	}
	return c.sorted()
}

// OfLintDiff returns the new findings of a difference between two catalogs, and the changes that break callers. These changes are
// failures, because such a difference counts them as critical.
func OfLintDiff(d *report.LintDiff) []Item {
	c := &collector{report: &report.Report{Baseline: &report.Comparison{Breaking: d.Breaking, MayBreak: d.MayBreak}}}
	c.addBreaking(Failure)
	c.addBySeverity(d.Found)
	return c.sorted()
}

// addBySeverity adds findings at the level of their severity. It leaves out the pass that a tool without findings has.
func (c *collector) addBySeverity(list []report.Finding) {
	for _, f := range list {
		switch f.Severity {
		case "critical":
			c.addFindingAt(criticals, Failure, f)
		case "warning":
			c.addFindingAt(findings, Warning, f)
		}
	}
}
