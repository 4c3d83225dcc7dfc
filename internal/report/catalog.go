package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
)

// NewCatalog returns what the description rules found in a catalog; tokens are not counted. Path is where reports say
// that the findings stand.
func NewCatalog(name, path string, cat *catalog.Catalog, res lint.Result) Catalog {
	c := Catalog{
		Name: name, Path: path, Counts: FindingCounts(res.Counts), Smells: res.Smells,
		Tools:    make([]CatalogTool, len(cat.Tools)),
		LeftOut:  Optional(cat.SaysVariants()),
		Findings: make([]Finding, len(res.Findings)),
	}
	if res.HasScores {
		c.MinScore, c.MeanScore = scoreText(res.Min), scoreText(res.Mean)
	}
	for i, t := range cat.Tools {
		c.Tools[i] = CatalogTool{Server: t.Server, Name: t.Name, Score: scoreText(res.Scores[i]), Path: c.ownPath(cat, t), Line: t.Pos.Line, Tool: t}
	}
	for _, t := range cat.Hidden {
		c.Hidden = append(c.Hidden, HiddenTool{Server: t.Server, Name: t.Name, Path: c.ownPath(cat, t), Line: t.Pos.Line, Tool: t})
	}
	for i, f := range res.Findings {
		c.Findings[i] = newFinding(f, cmp.Or(string(c.ownPath(cat, f.Tool)), path))
	}
	return c
}

// ownPath returns the file of a tool where the catalog has several; "" where its path is the file.
func (c *Catalog) ownPath(cat *catalog.Catalog, t *catalog.Tool) Optional {
	if c.Path != cat.File || t.Pos.File == c.Path {
		return ""
	}
	return Optional(t.Pos.File)
}

// PathOf returns the path of a tool's file, where the tool's own path is the one given.
func (c *Catalog) PathOf(own Optional) string { return cmp.Or(string(own), c.Path) }

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

// CatalogPair is a catalog on both sides of a comparison.
type CatalogPair struct{ Base, Head *Catalog }

// PairCatalogs pairs catalogs by path and name, then by path, then those that share a tool: files can be moved.
func PairCatalogs(before, after []Catalog) []CatalogPair {
	var pairs []CatalogPair
	taken := map[*Catalog]bool{}
	for _, same := range []func(b, h *Catalog) bool{
		func(b, h *Catalog) bool { return b.Path == h.Path && b.Name == h.Name },
		func(b, h *Catalog) bool { return b.Path == h.Path },
		func(b, h *Catalog) bool { return countShared(b.toolNames(), h.toolNames()) > 0 },
	} {
		for i := range after {
			for j := range before {
				p := CatalogPair{&before[j], &after[i]}
				if !taken[p.Base] && !taken[p.Head] && same(p.Base, p.Head) {
					taken[p.Base], taken[p.Head] = true, true
					pairs = append(pairs, p)
				}
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b CatalogPair) int {
		return cmp.Or(cmp.Compare(a.Head.Path, b.Head.Path), cmp.Compare(a.Head.Name, b.Head.Name))
	})
	return pairs
}

// MovedCatalogs returns the new path of each catalog of the base that stands elsewhere in the head: most of its tools do, and
// nothing is left at its old path. Otherwise a suite could choose another file to be judged by.
func MovedCatalogs(base, head []Catalog, stands func(path string) bool) map[string]string {
	moved := map[string]string{}
	for _, p := range PairCatalogs(base, head) {
		if p.Base.Path != p.Head.Path && !stands(p.Base.Path) && HaveMoved(p.Base.toolNames(), p.Head.toolNames()) {
			moved[p.Base.Path] = p.Head.Path
		}
	}
	return moved
}

func (c *Catalog) toolNames() []string {
	names := make([]string, len(c.Tools))
	for i, t := range c.Tools {
		names[i] = t.Name
	}
	return names
}
