package check

import (
	"cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// competing returns the catalogs that a case of findability looks at besides its own: those that compete, and the base's. It is nil for
// other cases.
func (c *checker) competing(s selectedCase) *trace.Competing {
	if s.Kind != suite.Findability {
		return nil
	}
	in := &trace.Competing{Beside: s.Beside, NoBase: c.noBase()}
	switch {
	case s.Was != nil && s.Was.IsJudged() && s.Was.Kind == suite.Findability:
		in.Base, in.BaseBeside = s.Was.Case.Catalog, s.Was.Beside
	case c.options.BaseSuites != nil:
		in.Base, in.BaseBeside = c.options.BaseSuites.toolsLike(s.Case), s.Beside
	}
	return in
}

// noBase says why there are no tools of the base.
func (c *checker) noBase() string {
	if c.options.BaseSuites != nil {
		return "it does not have these tools in a file"
	}
	return cmp.Or(c.options.NoBase, "no base was named")
}

// toolsLike returns the tools that the catalogs of a case of the head have in the base; nil where one of them has no file there.
func (b *BaseSuites) toolsLike(one *suite.Case) *catalog.Catalog {
	if one.Catalog == nil {
		return nil
	}
	var cats []*catalog.Catalog
	for _, file := range one.Files {
		cat, err := b.checker.loader.Catalog(file.Path)
		if err != nil {
			return nil
		}
		cats = append(cats, cat.Named(file.Server))
	}
	return catalog.Merge(cats...)
}
