package check

import (
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// catalogReport returns the figures and findings of one catalog that a suite names.
func (c *checker) catalogReport(named *suite.Catalog) report.Catalog {
	cat := named.Tools()
	out := report.NewCatalog(named.Name, named.Path, cat, lint.Check(cat, named.Rules))
	for i, t := range cat.Tools {
		out.Tools[i].Tokens = c.counts.tool(t)
		out.Tools[i].SHA256 = contentHash(t)
		out.SurfaceTokens += int64(out.Tools[i].Tokens)
	}
	return out
}

// catalogTrace returns the evidence of a case that judges a catalog: its tools and their tokens, and no runs.
func (k *caseCheck) catalogTrace() *trace.Trace {
	tr := &trace.Trace{Catalog: k.Catalog}
	if k.Catalog == nil || !needsTokens(k.Case) {
		return tr
	}
	tr.ToolTokens = make([]int64, len(k.Catalog.Tools))
	tr.Surface = trace.Known(0)
	for i, t := range k.Catalog.Tools {
		tr.ToolTokens[i] = int64(k.counts.tool(t))
		tr.Surface.N += tr.ToolTokens[i]
	}
	return tr
}
