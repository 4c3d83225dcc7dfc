package report

import (
	"cmp"
	"fmt"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
)

// Catalog is one catalog that the suites name.
type Catalog struct {
	Name          string         `json:"name"`
	Path          string         `json:"path"`
	SurfaceTokens Count          `json:"surface_tokens"` // null if schemas are unknown
	MinScore      Optional       `json:"min_score"`      // with four decimals; null for an empty catalog, or if schemas are unknown
	MeanScore     Optional       `json:"mean_score"`
	Counts        FindingCounts  `json:"counts"`
	Smells        map[string]int `json:"smells"`
	Tools         []CatalogTool  `json:"tools"`                 // tools in the catalog's order
	Hidden        []HiddenTool   `json:"hidden,omitzero"`       // tools that models are not offered; no figure counts them
	Instructions  []Instructions `json:"instructions,omitzero"` // instructions of the servers that have some
	Cost          *Cost          `json:"cost,omitzero"`         // nil if schemas are unknown, and in reports of older versions
	// tools that do not count, because an earlier file of the catalog also has them
	LeftOut  Optional  `json:"left_out,omitzero"`
	Findings []Finding `json:"findings"` // worst first

	Manifest *Manifest `json:"manifest,omitzero"` // nil if neither the catalog nor one of its files is a manifest

	Rules    []ChangedRule `json:"rules,omitzero"`     // rules that the suites change, in order; nil in reports of older versions
	JudgedBy []string      `json:"judged_by,omitzero"` // ids of the tool_quality cases whose rules apply; empty for the rules in defaults:

	Source []string `json:"-"` // globs of the files that describe the tools, workspace-relative; empty if the suites name none
}

// Instructions are the instructions that a server gives for its use as a whole.
type Instructions struct {
	Server string   `json:"server"`
	Tokens int      `json:"instructions_tokens"` // cl100k
	SHA256 string   `json:"sha256"`              // hash of the text
	Path   Optional `json:"path,omitzero"`       // set if the catalog has several files
	Line   int      `json:"line"`
	Text   string   `json:"-"`
}

// ChangedRule is a rule that the suites apply to a catalog in another way than by default.
type ChangedRule struct {
	Rule     string   `json:"rule"`
	Tool     Optional `json:"tool"`     // the tool, if the rule is changed for a single tool; else null
	Severity string   `json:"severity"` // severity of its findings: critical or warning, or RuleOff if the rule is off
	Path     string   `json:"path"`     // path of the suite that changes the rule
	Line     int      `json:"line"`
}

// RuleOff is the severity of a rule whose findings are not reported.
const RuleOff = "off"

// FindingCounts counts findings by severity and by family of rules. Critical and Warning count findings on descriptions.
type FindingCounts struct {
	Critical            int   `json:"critical"`
	Warning             int   `json:"warning"`
	SchemaCritical      Count `json:"schema_critical"` // null if no tool has a known schema
	SchemaWarning       Count `json:"schema_warning"`
	ConformanceCritical int   `json:"conformance_critical"`
	ConformanceWarning  int   `json:"conformance_warning"`
}

// Manifest describes what is unknown about a catalog that is the manifest of a bundle, or has a manifest among its files.
type Manifest struct {
	Key            string   `json:"key"` // key that marks a file as a manifest: manifest_version or dxt_version
	Version        Optional `json:"version"`
	SchemasUnknown int      `json:"schemas_unknown"` // number of tools of which only name and description are known
	Generated      bool     `json:"tools_generated"` // the server generates more tools than the manifest lists
}

// CatalogTool is one tool of a catalog.
type CatalogTool struct {
	Server string   `json:"server"`
	Name   string   `json:"name"`
	Tokens Count    `json:"tokens"` // null if the schema is unknown
	Score  Optional `json:"score"`
	Path   Optional `json:"path,omitzero"` // path of the tool's file, if the catalog's path is a folder or a glob
	Line   int      `json:"line"`
	SHA256 Optional `json:"sha256"` // hash of everything that clients show or act on

	SchemaUnknown bool `json:"schema_unknown,omitzero"` // only the name and the description are known, and SHA256 covers only these

	Tool *catalog.Tool `json:"-"` // the tool itself; nil in a report that was read back
}

// HiddenTool is a tool of a catalog that only apps may use: its _meta.ui.visibility is a list without "model".
type HiddenTool struct {
	Server string   `json:"server"`
	Name   string   `json:"name"`
	Path   Optional `json:"path,omitzero"` // see [CatalogTool]
	Line   int      `json:"line"`

	Tool *catalog.Tool `json:"-"` // see [CatalogTool]
}

// Finding is one finding about a tool.
type Finding struct {
	Rule       string   `json:"rule"`
	Severity   string   `json:"severity"` // critical, warning or pass
	Server     string   `json:"server"`
	Tool       string   `json:"tool"`
	Argument   Optional `json:"argument"`
	Message    string   `json:"message"`
	Suggestion string   `json:"suggestion"`
	Path       string   `json:"path"`
	Line       int      `json:"line"`

	Doubtful bool `json:"-"` // see [lint.Finding]
}

// IsReal reports whether the finding is critical or a warning: a tool without findings gets a pass.
func (f Finding) IsReal() bool { return f.Severity == "critical" || f.Severity == "warning" }

// NewCatalog returns a report's entry for a catalog, with its findings and without token counts. path is the place of the findings
// in reports.
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

// ownPath returns the file of a tool if the catalog has several files; "" if the catalog's path is the file.
func (c *Catalog) ownPath(cat *catalog.Catalog, t *catalog.Tool) Optional {
	if c.Path != cat.File || t.Pos.File == c.Path {
		return ""
	}
	return Optional(t.Pos.File)
}

// PathOf returns the path of a tool's file. own is the tool's own path, or "" for the catalog's path.
func (c *Catalog) PathOf(own Optional) string { return cmp.Or(string(own), c.Path) }

func newFinding(f lint.Finding, path string) Finding {
	return Finding{
		Rule: f.Rule, Severity: f.Severity.String(), Server: f.Tool.Server, Tool: f.Tool.Name, Argument: Optional(f.Argument),
		Message: f.Message, Suggestion: f.Suggestion, Path: path, Line: f.Pos.Line,
		Doubtful: f.Doubtful,
	}
}

// countsOf converts the counts of findings. The counts of rules on schemas are unknown if no schema is known.
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

// Tokenize sets the token counts of the tools and of the catalog. count counts the tokens of a tool; if it is nil, no tokens
// are set.
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

// TokensOf returns the surface tokens of a tool; unknown if its schema is unknown or count is nil.
func TokensOf(t *catalog.Tool, count func(*catalog.Tool) int) Count {
	if count == nil || t.SchemaUnknown {
		return NotKnown
	}
	return Count(count(t))
}

// scoreText returns a score, given in 1/10000, as a text with four decimals.
func scoreText(n int) Optional {
	if n == lint.NoScore {
		return ""
	}
	return Optional(fmt.Sprintf("%d.%04d", n/lint.Whole, n%lint.Whole))
}

// BesidesHidden returns a text with the number of tools that no model is offered; "" for none. The text follows the number of
// offered tools.
func BesidesHidden(hidden int) string {
	if hidden == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d hidden from models", hidden)
}

// All returns the number of findings of a severity in all families.
func (f FindingCounts) All(critical bool) int {
	if critical {
		return f.Critical + int(f.SchemaCritical.OrNone()) + f.ConformanceCritical
	}
	return f.Warning + int(f.SchemaWarning.OrNone()) + f.ConformanceWarning
}

// CatalogPair is a catalog in base and head.
type CatalogPair struct{ Base, Head *Catalog }

// PairCatalogs pairs catalogs by path and name, then by path, and then, because files can be moved, by a shared tool.
func PairCatalogs(before, after []Catalog) (pairs []CatalogPair) {
	taken := map[*Catalog]bool{}
	for _, isSame := range []func(b, h *Catalog) bool{
		func(b, h *Catalog) bool { return b.Path == h.Path && b.Name == h.Name },
		func(b, h *Catalog) bool { return b.Path == h.Path },
		func(b, h *Catalog) bool { return countShared(b.toolNames(), h.toolNames()) > 0 },
	} {
		for i := range after {
			for j := range before {
				p := CatalogPair{&before[j], &after[i]}
				isFree := !taken[p.Base] && !taken[p.Head]
				if isFree && isSame(p.Base, p.Head) {
					taken[p.Base], taken[p.Head] = true, true
					pairs = append(pairs, p)
				}
			}
		}
	}
	lists.SortStable(pairs, func(a, b *CatalogPair) int {
		return cmp.Or(cmp.Compare(a.Head.Path, b.Head.Path), cmp.Compare(a.Head.Name, b.Head.Name))
	})
	return pairs
}

// MovedCatalogs returns the new path of each catalog of the base that has moved in the head: most of its tools are in a catalog
// at another path, and its old path no longer exists. Without the second condition, a suite could choose another file to be
// judged by.
func MovedCatalogs(base, head []Catalog, exists func(path string) bool) map[string]string {
	moved := map[string]string{}
	for _, p := range PairCatalogs(base, head) {
		isElsewhere := p.Base.Path != p.Head.Path && !exists(p.Base.Path)
		if isElsewhere && HaveMoved(p.Base.toolNames(), p.Head.toolNames()) {
			moved[p.Base.Path] = p.Head.Path
		}
	}
	return moved
}

func (c *Catalog) toolNames() []string {
	return lists.Map(c.Tools, func(t CatalogTool) string { return t.Name })
}
