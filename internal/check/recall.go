package check

import (
	"slices"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// Recall returns results of checks of other commits if the files that they depend on are the same. A check with a Recall evaluates
// one thing at a time, so that it is known which files were read for which result.
type Recall interface {
	// Suite returns the suite in a file: the result of load, or one that was loaded from the same files.
	Suite(file string, load func() (*suite.Suite, source.Errors)) (*suite.Suite, source.Errors)

	// Case returns a case: the result of evaluate, or one that was evaluated with the same settings and files; alone is true if
	// the case depends on nothing that other cases read.
	Case(s *suite.Suite, c *suite.Case, evaluate func() (found report.Case, alone bool)) report.Case

	// Catalog returns the figures of a catalog: the result of judge, or earlier figures of the same catalog in the same suites. of
	// has the suites that name the catalog.
	Catalog(path string, of []*suite.Suite, judge func() report.Catalog) report.Catalog

	// Counts returns the tokens that were counted before.
	Counts() *Counts
}

// recallSuite loads a suite with a loader of its own, so that the files that it reads are not shared with another suite.
func (c *checker) recallSuite(file string) (*suite.Suite, source.Errors) {
	if c.options.Recall == nil {
		return c.loader.Load(file)
	}
	return c.options.Recall.Suite(file, func() (*suite.Suite, source.Errors) { return c.newLoader().Load(file) })
}

// outcomeOf returns the recalled or evaluated outcome of a case. recallOrEvaluate is a separate function, so that its closure is
// allocated only in checks with a recall.
func (c *checker) outcomeOf(s selectedCase) outcome {
	if c.options.Recall == nil {
		return c.evaluateCase(s)
	}
	return c.recallOrEvaluate(s)
}

// recallOrEvaluate recalls a case, or evaluates it if no earlier result fits. An evaluated case depends on others if its catalog
// comes from recordings, because these are read once for all cases of the suite.
func (c *checker) recallOrEvaluate(s selectedCase) (out outcome) {
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
