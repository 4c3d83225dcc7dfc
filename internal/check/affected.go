package check

import (
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// Affected lists the suites that a change touches, including those that it removes.
type Affected struct {
	Suites map[string]bool // by path
	Of     int             // number of suites in head and base
}

// has reports whether a suite is checked. A nil Affected has all suites.
func (a *Affected) has(s *suite.Suite) bool { return a == nil || a.Suites[s.File] }

// report returns the numbers of suites for the report; nil if the check is not limited to affected suites.
func (a *Affected) report() *report.AffectedSuites {
	if a == nil {
		return nil
	}
	return &report.AffectedSuites{Suites: len(a.Suites), Of: a.Of}
}

// keepAffected returns the suites that are checked, and adds the other suites to c.unaffected.
func (c *checker) keepAffected(suites []*suite.Suite) (kept []*suite.Suite) {
	for _, s := range suites {
		if c.options.Affected.has(s) {
			kept = append(kept, s)
		} else {
			c.unaffected = append(c.unaffected, s)
		}
	}
	return kept
}
