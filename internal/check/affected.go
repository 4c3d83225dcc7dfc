package check

import (
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// Affected says which suites a change touches, those that it removes among them.
type Affected struct {
	Suites map[string]bool // by path
	Of     int             // suites of head and base
}

// has reports whether a suite is checked. A nil Affected has all.
func (a *Affected) has(s *suite.Suite) bool { return a == nil || a.Suites[s.File] }

// report returns what the report says of it; nil where all suites are checked for another reason.
func (a *Affected) report() *report.AffectedSuites {
	if a == nil {
		return nil
	}
	return &report.AffectedSuites{Suites: len(a.Suites), Of: a.Of}
}

// leaveOut divides the suites that were read into those that are checked and the others, whose warnings are not of this check.
func (c *checker) leaveOut(suites []*suite.Suite) (kept []*suite.Suite) {
	for _, s := range suites {
		if c.options.Affected.has(s) {
			kept = append(kept, s)
		} else {
			c.unaffected = append(c.unaffected, s)
		}
	}
	return kept
}
