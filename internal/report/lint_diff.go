package report

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/redact"
)

// LintDiff is the difference between two catalogs. Token counts are null if tokens were not counted.
type LintDiff struct {
	Version   int                  `json:"lint_diff"`
	Tool      Tool                 `json:"tool"`
	FailLevel FailLevel            `json:"fail_level"`
	Verdict   judge.Verdict        `json:"verdict"` // pass or fail
	Old       DiffSide             `json:"old"`
	New       DiffSide             `json:"new"`
	Breaking  []Breaking           `json:"breaking"`  // changes that break callers of the old tools
	MayBreak  []Breaking           `json:"may_break"` // changes that may break callers
	Added     []DiffTool           `json:"added"`
	Removed   []DiffTool           `json:"removed"`
	NowHidden []DiffTool           `json:"hidden"` // tools that models are no longer offered
	Renamed   []RenamedTool        `json:"renamed"`
	Probable  []RenamedTool        `json:"probable"` // tools of Removed that probably have another name; their Fields are empty
	Changed   []ChangedTool        `json:"changed"`
	Said      []InstructionsChange `json:"instructions,omitempty"` // servers whose instructions differ
	Found     []Finding            `json:"new_findings"`
	Fixed     []Finding            `json:"fixed_findings"`
	Preset    lint.Preset          `json:"preset"` // the preset of the findings in Found and Fixed
	Failing   []Finding            `json:"-"`      // new findings that decide the verdict, whether they are shown or not
	Hidden    int                  `json:"-"`      // number of new findings that the preset does not show
}

// DiffSide is one of the two catalogs of a [LintDiff].
type DiffSide struct {
	Path          string `json:"path"`
	Tools         int    `json:"tools"`  // number of tools that models are offered
	Hidden        int    `json:"hidden"` // number of tools that models are not offered
	SurfaceTokens Count  `json:"surface_tokens"`

	Manifest *Manifest `json:"manifest,omitzero"` // see [Catalog]
}

// DiffTool is a tool that only one of the catalogs has.
type DiffTool struct {
	Server string   `json:"server"`
	Name   string   `json:"name"`
	Path   Optional `json:"path,omitzero"` // path of its file, if the catalog has several files
	Line   int      `json:"line"`          // line in its catalog
	Tokens Count    `json:"tokens"`
}

// RenamedTool is a tool with another name.
type RenamedTool struct {
	Server string   `json:"server"`
	From   string   `json:"from"`
	To     string   `json:"to"`
	Path   Optional `json:"path,omitzero"` // path of its file, if the catalog has several files
	Line   int      `json:"line"`          // line in the new catalog
	Fields []string `json:"fields"`        // other differences, as in [ChangedTool]

	Parts []ToolPart `json:"parts"`
}

// ChangedTool is a tool with a different description, schema or other field.
type ChangedTool struct {
	Server    string   `json:"server"`
	Name      string   `json:"name"`
	Path      Optional `json:"path,omitzero"` // path of its file, if the catalog has several files
	Line      int      `json:"line"`          // line in the new catalog
	Fields    []string `json:"fields"`        // see [change.Pair.Fields]; empty if only the number of the tool's listings differs
	OldTokens Count    `json:"old_tokens"`
	NewTokens Count    `json:"new_tokens"`

	Parts []ToolPart `json:"parts"` // the parts that differ
}

// NotCompared returns the changes that could not be examined: those of schemas that are too large, of servers without a
// catalog, and of catalogs that suites no longer read.
func NotCompared(may []Breaking) []Breaking {
	kinds := []change.BreakKind{change.NotCompared, change.CatalogDropped, change.CatalogRedirected}
	return slices.DeleteFunc(slices.Clone(may), func(b Breaking) bool { return !slices.Contains(kinds, b.Kind) })
}

// Breaking is a change that breaks callers, or that may break them.
type Breaking struct {
	Kind     change.BreakKind `json:"kind"`
	Server   string           `json:"server"`
	Tool     string           `json:"tool"`
	Argument Optional         `json:"argument"`
	Message  string           `json:"message"`
	Path     string           `json:"path"`
	Line     int              `json:"line"`
}

type differ struct {
	out   *LintDiff
	count func(*catalog.Tool) int // counts the tokens of a tool; nil if tokens are not counted
}

// NewLintDiff returns the difference between the catalogs old and new, with its verdict. The verdict is fail if there is a new
// finding at the level or above; a breaking change counts as critical. count counts the tokens of a tool; nil counts none.
func NewLintDiff(tool Tool, level FailLevel, old, new change.Side, count func(*catalog.Tool) int) *LintDiff {
	d := differ{&LintDiff{Version: lintVersion, Tool: tool, FailLevel: level, Preset: lint.PresetAll}, count}
	d.out.Old, d.out.New = d.side(old), d.side(new)
	d.addChanges(change.Compare(old, new))
	d.out.SetVerdict()
	return d.out
}

// SetVerdict sets the verdict by the shown findings and the breaking changes.
func (d *LintDiff) SetVerdict() {
	d.Verdict, d.Failing = judge.Pass, d.FailLevel.failing(d.Found)
	isBroken := len(d.Breaking)+len(NotCompared(d.MayBreak)) > 0
	if len(d.Failing) > 0 || isBroken && d.FailLevel != FailNever {
		d.Verdict = judge.Fail
	}
}

// Show removes the findings that are not in a preset. It does not change the verdict.
func (d *LintDiff) Show(preset lint.Preset) {
	hidden := func(f Finding) bool { return !preset.Shows(f.Rule, f.Severity == "critical", f.Doubtful) }
	all := len(d.Found)
	d.Found, d.Fixed = slices.DeleteFunc(d.Found, hidden), slices.DeleteFunc(d.Fixed, hidden)
	d.Preset, d.Hidden = preset, all-len(d.Found)
}

func (d *differ) side(s change.Side) DiffSide {
	side := DiffSide{Path: s.Catalog.File, Tools: len(s.Catalog.Tools), Hidden: len(s.Catalog.Hidden), Manifest: manifestOf(s.Catalog)}
	if d.count == nil {
		side.SurfaceTokens = NotKnown
	}
	for _, t := range s.Catalog.Tools {
		side.SurfaceTokens = side.SurfaceTokens.Plus(d.tokens(t))
	}
	return side
}

func (d *differ) ownPath(t *catalog.Tool) Optional {
	if file := t.Pos.File; file != d.out.Old.Path && file != d.out.New.Path {
		return Optional(file)
	}
	return ""
}

func (d *differ) tokens(t *catalog.Tool) Count { return TokensOf(t, d.count) }

func (d *differ) addChanges(diff change.Diff) {
	d.out.Added, d.out.Removed = lists.Map(diff.Added, d.tool), lists.Map(diff.Removed, d.tool)
	d.out.NowHidden = lists.Map(diff.Hidden, func(p change.Pair) DiffTool { return d.tool(p.New) })
	d.out.Renamed = lists.Map(diff.Renamed, func(p change.Change) RenamedTool {
		return d.renamedTool(p.Pair, p.Fields, d.parts(p.Pair))
	})
	d.out.Probable = lists.Map(diff.Probable, func(p change.Pair) RenamedTool { return d.renamedTool(p, nil, []ToolPart{}) })
	d.out.Changed = lists.Map(diff.Changed, func(c change.Change) ChangedTool {
		return ChangedTool{c.New.Server, c.New.Name, d.ownPath(c.New), c.New.Pos.Line, c.Fields, d.tokens(c.Old), d.tokens(c.New), d.parts(c.Pair)}
	})
	d.out.Breaking, d.out.MayBreak = lists.Map(diff.Breaking, NewBreaking), lists.Map(diff.MayBreak, NewBreaking)
	at := func(f lint.Finding) Finding { return newFinding(f, f.Pos.File) }
	d.out.Found, d.out.Fixed = lists.Map(diff.Comparable(), at), lists.Map(diff.Fixed, at)
}

// NewBreaking returns a change that breaks callers, at its place in the catalog's file.
func NewBreaking(b change.Break) Breaking {
	return Breaking{b.Kind, b.Tool.Server, b.Tool.Name, Optional(b.Argument), b.Message, b.Pos.File, b.Pos.Line}
}

func (d *differ) renamedTool(p change.Pair, fields []string, parts []ToolPart) RenamedTool {
	return RenamedTool{p.Old.Server, p.Old.Name, p.New.Name, d.ownPath(p.New), p.New.Pos.Line, append([]string{}, fields...), parts}
}

// parts returns the differing parts of a tool, without texts that look like secrets.
func (d *differ) parts(p change.Pair) []ToolPart {
	var shapes *redact.Rules
	return ToolParts(p, shapes.File().Text)
}

// ToolParts returns the differing parts of a tool. It never returns nil.
func ToolParts(p change.Pair, redact func(string) string) []ToolPart {
	return lists.Map(p.Parts(redact), func(part change.Part) ToolPart {
		return ToolPart{part.Aspect, Optional(part.Argument), Optional(part.Keyword), Optional(part.Base), Optional(part.Head), part.Gains, part.Loses, part.Diff}
	})
}

func (d *differ) tool(t *catalog.Tool) DiffTool {
	return DiffTool{t.Server, t.Name, d.ownPath(t), t.Pos.Line, d.tokens(t)}
}
