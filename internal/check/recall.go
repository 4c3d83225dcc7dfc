package check

import (
	"slices"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// Recall answers with what checks of other commits found, where the files that this was found in are the same. A check with one
// evaluates one thing after another, so that whoever watches its files knows which of them were read for what.
type Recall interface {
	// Suite returns the suite in a file: load's, or one that was loaded of the same files.
	Suite(file string, load func() (*suite.Suite, source.Errors)) (*suite.Suite, source.Errors)

	// Case returns a case: evaluate's, or one that was evaluated with the same settings and files. It is alone where nothing that other
	// cases read bears on it.
	Case(s *suite.Suite, c *suite.Case, evaluate func() (found report.Case, alone bool)) report.Case

	// Catalog returns the figures of a catalog that some suites name: judge's, or those of the same catalog in the same suites.
	Catalog(path string, of []*suite.Suite, judge func() report.Catalog) report.Catalog

	// Counts are the tokens that were counted before.
	Counts() *Counts
}

// recallSuite loads a suite with a loader of its own: what it reads is not what another suite has read.
func (c *checker) recallSuite(file string) (*suite.Suite, source.Errors) {
	if c.options.Recall == nil {
		return c.loader.Load(file)
	}
	return c.options.Recall.Suite(file, func() (*suite.Suite, source.Errors) { return c.newLoader().Load(file) })
}

// recallCase evaluates a case, or has it recalled. What a recall captures is allocated for each case: most checks have none.
func (c *checker) recallCase(s selectedCase) outcome {
	if c.options.Recall == nil {
		return c.evaluateCase(s)
	}
	return c.recalled(s)
}

// recalled has a case recalled. A catalog that is found in the recordings of a suite is read once for all its cases.
func (c *checker) recalled(s selectedCase) (out outcome) {
	evaluated := false
	one := c.options.Recall.Case(s.Suite, s.Case, func() (report.Case, bool) {
		evaluated, out = true, c.evaluateCase(s)
		return out.Case, len(out.seen) == 0 && (s.Kind == suite.AgentTest || s.Case.Catalog != nil)
	})
	if !evaluated {
		out.Case = one
	}
	return out
}

func (c *checker) recallCatalog(named *namedCatalog) report.Catalog {
	if c.options.Recall == nil {
		return c.catalogReport(named)
	}
	var of []*suite.Suite
	for _, s := range c.suites {
		if slices.ContainsFunc(s.Catalogs, func(one *suite.Catalog) bool { return one.Path == named.Path }) {
			of = append(of, s)
		}
	}
	return c.options.Recall.Catalog(named.Path, of, func() report.Catalog { return c.catalogReport(named) })
}
