package check

import (
	"cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// competing returns the catalogs that a case of findability uses in addition to its own: the catalogs that compete with it, and
// the base's. It returns nil for other cases.
func (c *checker) competing(s selectedCase) *trace.Competing {
	if s.Kind != suite.Findability {
		return nil
	}
	competing := &trace.Competing{Beside: s.Beside, NoBase: cmp.Or(c.options.NoBase, "no base was named")}
	if c.options.BaseSuites != nil {
		competing.NoBase = "it does not have these tools in a file"
	}
	baseSearches := s.Was != nil && s.Was.IsJudged() && s.Was.Kind == suite.Findability
	switch base := c.options.BaseSuites; {
	case baseSearches:
		competing.Base, competing.BaseBeside = cmp.Or(s.Was.Case.Catalog, s.Was.Snapshots()), s.Was.Beside
	case base != nil:
		competing.Base, competing.BaseBeside = base.toolsAt(s.Files), base.toolsAt(s.BesideFiles)
	}
	competing.MostWork = suite.MaxSearched / max(1, c.countSearches())
	return competing
}

// countSearches counts the cases of findability in all suites that were read, whether selected or not.
func (c *checker) countSearches() (n int) {
	for _, s := range c.suites {
		n += lists.Count(s.Cases, func(one *suite.Case) bool { return one.Kind == suite.Findability })
	}
	return n
}

// toolsAt returns the tools of the catalogs that the base has at the given paths; nil if it has none.
func (b *BaseSuites) toolsAt(files []suite.CatalogFile) *catalog.Catalog {
	var cats []*catalog.Catalog
	for _, file := range files {
		if cat, err := b.checker.loader.Catalog(file.Path); err == nil { // mistakes in the base's files are not the head's
			cats = append(cats, cat.Named(file.Server))
		}
	}
	return catalog.Merge(cats...)
}
