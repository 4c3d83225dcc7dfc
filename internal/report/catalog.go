package report

import (
	"fmt"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
)

// NewCatalog returns what the description rules found in a catalog; tokens are not counted. Path is where reports say
// that the findings stand.
func NewCatalog(name, path string, cat *catalog.Catalog, res lint.Result) Catalog {
	c := Catalog{
		Name: name, Path: path, Counts: FindingCounts(res.Counts), Smells: res.Smells,
		Tools:    make([]CatalogTool, len(cat.Tools)),
		Findings: make([]Finding, len(res.Findings)),
	}
	if res.HasScores {
		c.MinScore, c.MeanScore = scoreText(res.Min), scoreText(res.Mean)
	}
	for i, t := range cat.Tools {
		c.Tools[i] = CatalogTool{Server: t.Server, Name: t.Name, Score: scoreText(res.Scores[i]), Line: t.Pos.Line, Tool: t}
	}
	for _, t := range cat.Hidden {
		c.Hidden = append(c.Hidden, HiddenTool{Server: t.Server, Name: t.Name, Line: t.Pos.Line, Tool: t})
	}
	for i, f := range res.Findings {
		c.Findings[i] = newFinding(f, path)
	}
	return c
}

func newFinding(f lint.Finding, path string) Finding {
	return Finding{
		Rule: f.Rule, Severity: f.Severity.String(), Server: f.Tool.Server, Tool: f.Tool.Name, Argument: Optional(f.Argument),
		Message: f.Message, Suggestion: f.Suggestion, Path: path, Line: f.Pos.Line,
		Doubtful: f.Doubtful,
	}
}

// scoreText returns a score in 1/10000 with four decimals.
func scoreText(n int) Optional {
	return Optional(fmt.Sprintf("%d.%04d", n/lint.Whole, n%lint.Whole))
}

// BesidesHidden says how many tools of a catalog no model is offered, to stand behind the number of the others; "" for none.
func BesidesHidden(hidden int) string {
	if hidden == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d hidden from models", hidden)
}

// All sums up the findings of a severity over the families.
func (f FindingCounts) All(critical bool) int {
	if critical {
		return f.Critical + f.SchemaCritical + f.ConformanceCritical
	}
	return f.Warning + f.SchemaWarning + f.ConformanceWarning
}
