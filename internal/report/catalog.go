package report

import (
	"cmp"
	"fmt"
	"sort"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
)

// NewCatalog returns what the description rules found in a catalog; tokens are not counted. Path is where reports say
// that the findings stand.
func NewCatalog(name, path string, cat *catalog.Catalog, res lint.Result) Catalog {
	c := Catalog{
		Name: name, Path: path, Counts: countsOf(cat, res.Counts), Smells: res.Smells, Manifest: manifestOf(cat),
		Tools:    make([]CatalogTool, len(cat.Tools)),
		LeftOut:  Optional(cat.SaysVariants()),
		Findings: make([]Finding, len(res.Findings)),
	}
	if res.HasScores {
		c.MinScore, c.MeanScore = scoreText(res.Min), scoreText(res.Mean)
	}
	for i, t := range cat.Tools {
		c.Tools[i] = CatalogTool{Server: t.Server, Name: t.Name, Score: scoreText(res.Scores[i]), Path: c.ownPath(cat, t), Line: t.Pos.Line, SchemaUnknown: t.SchemaUnknown, Tool: t}
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

// countsOf returns the counts of findings. Where no schema is known, no rule on schemas was applied.
func countsOf(cat *catalog.Catalog, c lint.Counts) FindingCounts {
	counts := FindingCounts{
		Critical: c.Critical, Warning: c.Warning, SchemaCritical: Count(c.SchemaCritical), SchemaWarning: Count(c.SchemaWarning),
		ConformanceCritical: c.ConformanceCritical, ConformanceWarning: c.ConformanceWarning,
	}
	if n := cat.SchemasUnknown(); n > 0 && n == len(cat.Tools) {
		counts.SchemaCritical, counts.SchemaWarning = NotKnown, NotKnown
	}
	return counts
}

func manifestOf(cat *catalog.Catalog) *Manifest {
	if cat.Manifest == nil {
		return nil
	}
	return &Manifest{cat.Manifest.Key, Optional(lint.Shortened(cat.Manifest.Version)), cat.SchemasUnknown(), cat.Manifest.Generated}
}

// Tokenize fills in the tokens of the tools, as count counts them, and of the catalog; nil counts none.
func (c *Catalog) Tokenize(count func(*catalog.Tool) int) {
	c.SurfaceTokens = 0
	for i := range c.Tools {
		tool := &c.Tools[i]
		tool.Tokens = TokensOf(tool.Tool, count)
		c.SurfaceTokens = c.SurfaceTokens.Plus(tool.Tokens)
	}
	if count == nil {
		c.SurfaceTokens = NotKnown
	}
}

// TokensOf returns the surface tokens of a tool; not known without its schema, or where nothing counts them.
func TokensOf(t *catalog.Tool, count func(*catalog.Tool) int) Count {
	if count == nil || t.SchemaUnknown {
		return NotKnown
	}
	return Count(count(t))
}

// scoreText returns a score in 1/10000 with four decimals.
func scoreText(n int) Optional {
	if n == lint.NoScore {
		return ""
	}
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
		return f.Critical + int(f.SchemaCritical.OrNone()) + f.ConformanceCritical
	}
	return f.Warning + int(f.SchemaWarning.OrNone()) + f.ConformanceWarning
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
	sort.SliceStable(pairs, func(i, j int) bool {
		a, b := &pairs[i], &pairs[j]
		return cmp.Or(cmp.Compare(a.Head.Path, b.Head.Path), cmp.Compare(a.Head.Name, b.Head.Name)) < 0
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
