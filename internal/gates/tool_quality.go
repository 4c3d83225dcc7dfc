package gates

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// ToolQuality measures how well a catalog describes its tools.
var ToolQuality = &judge.Gate{
	Name: "tool_quality",
	Doc: `Tool quality: are tools described well enough for agents

` + "```yaml" + `
tool_quality:
  - name: shop tools
    server: shop
    expect:
      - min_score: {">=": 0.6}
` + "```" + `

Each entry of this top-level list judges a catalog by the [rules](rules.md), without recorded runs. A tool's
[score](rules/adapting.md#the-score-of-a-tool) is from 0 to 1. The entry's ` + "`rules:`" + `, otherwise ` + "`rules:`" + ` under ` + "`defaults:`" + `, [adapts the
rules](rules/adapting.md). If several entries make the same finding, the report lists the finding once, with its worst severity.

A [manifest](catalogs.md#manifests) has only names and descriptions. Figures that need schemas are absent. A count of findings is absent if
one of the counted rules reads schemas and is not disabled. Without ` + "`expect:`" + `, a manifest has a default only for ` + "`critical_count`" + `.`,
	Keys: []judge.Key{
		{Name: "name", Type: judge.TypeText, Required: true, Doc: "The case's name."},
		{Name: "tags", Type: judge.TypeTexts, Doc: "Words by which `--tag` and `--skip-tag` select the case."},
		{Name: "server", Type: judge.TypeText, Doc: "The server whose tools are judged. A live run asks the server. A replay reads the server's `catalog:`, otherwise a recording of the suite. Set either a server or a catalog."},
		{Name: "catalog", Type: judge.TypeText, Doc: "The path of a catalog."},
		{Name: "rules", Type: judge.TypeMap, Keys: ruleKeys, Doc: "Changes to the rules."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   qualityTargets,
	Default:   qualityDefault,
	Needs:     judge.NeedCatalog | judge.NeedTokens,
	Configure: configureToolQuality,
}

// countDoc documents the counts of findings by severity.
const countDoc = "Findings of the severity in the name. Names with `schema_` count findings of SCH rules, names with `conformance_` findings of MCP rules, other names findings of DESC rules."

// smellDoc documents the counts of findings by smell.
const smellDoc = "Findings of the rules whose [smell](rules.md) is in the name."

var (
	toolScoreTarget  = judge.Target{Name: `tool["NAME"].score`, Unit: judge.Score, Doc: "The score of one tool. An expectation is an error if the tool is unknown, or if several servers have a tool of this name."}
	toolTokensTarget = judge.Target{Name: `tool["NAME"].tokens`, Unit: judge.Tokens, Doc: "The surface tokens of one tool."}
)

const (
	minScoreTarget         = "min_score"
	meanScoreTarget        = "mean_score"
	criticalTarget         = "critical_count"
	warningTarget          = "warning_count"
	schemaCriticalTarget   = "schema_criticals"
	schemaWarningTarget    = "schema_warnings"
	conformCriticalTarget  = "conformance_criticals"
	conformWarningTarget   = "conformance_warnings"
	smellPrefix            = "smells."
	smellTotalTarget       = "smell_total"
	catalogTokensTarget    = "surface_tokens"
	instructionsTarget     = "instructions_tokens"
	biggestToolTokenTarget = "max_tool_tokens"
)

var qualityTargets = []judge.Target{
	{Name: minScoreTarget, Unit: judge.Score, Doc: "The lowest score of any tool."},
	{Name: meanScoreTarget, Unit: judge.Score, Doc: "The mean score of the tools, rounded down."},
	toolScoreTarget,
	{Name: criticalTarget, Unit: judge.Number, Doc: countDoc},
	{Name: warningTarget, Unit: judge.Number, Doc: countDoc},
	{Name: schemaCriticalTarget, Unit: judge.Number, Doc: countDoc},
	{Name: schemaWarningTarget, Unit: judge.Number, Doc: countDoc},
	{Name: conformCriticalTarget, Unit: judge.Number, Doc: countDoc},
	{Name: conformWarningTarget, Unit: judge.Number, Doc: countDoc},
	{Name: smellPrefix + lint.Underspecified, Unit: judge.Number, Doc: smellDoc},
	{Name: smellPrefix + lint.Verbose, Unit: judge.Number, Doc: smellDoc},
	{Name: smellPrefix + lint.Uninformative, Unit: judge.Number, Doc: smellDoc},
	{Name: smellPrefix + lint.Brittle, Unit: judge.Number, Doc: smellDoc},
	{Name: smellPrefix + lint.MissingExamples, Unit: judge.Number, Doc: smellDoc},
	{Name: smellPrefix + lint.MissingReturnFormat, Unit: judge.Number, Doc: smellDoc},
	{Name: smellPrefix + lint.InvalidAnnotation, Unit: judge.Number, Doc: smellDoc},
	{Name: smellPrefix + lint.MissingAnnotations, Unit: judge.Number, Doc: smellDoc},
	{Name: smellTotalTarget, Unit: judge.Number, Doc: "Findings of all rules with a smell."},
	{Name: catalogTokensTarget, Unit: judge.Tokens, Doc: "The surface tokens of all tools (cl100k_base)."},
	{Name: instructionsTarget, Unit: judge.Tokens, Doc: "The tokens of the servers' [instructions](catalogs.md#instructions)."},
	toolTokensTarget,
	{Name: biggestToolTokenTarget, Unit: judge.Tokens, Doc: "The surface tokens of the biggest tool."},
}

var qualityDefault = []judge.Floor{{Target: minScoreTarget, Bound: ">= 0.50"}, {Target: meanScoreTarget, Bound: ">= 0.70"}, {Target: criticalTarget, Bound: "<= 0"}}

// manifestDefault is the default for a catalog without schemas.
var manifestDefault = []judge.Floor{{Target: criticalTarget, Bound: "<= 0"}}

// configureToolQuality reads an entry of tool_quality, except its name and its catalog.
func configureToolQuality(block *yamlread.Map, in judge.Context) judge.Plan {
	q := quality{rules: ReadRules(block, in.Clients)}
	q.expect = judge.ReadExpect(block, qualityTargets, defaultFor(in.Snapshot))
	for i, e := range q.expect {
		if _, ok := toolOf(e.Target); ok {
			q.expect[i].ErrorAbsent = true
		}
	}
	if in.Snapshot != nil {
		q.snapshot = &catalog.Catalog{Tools: in.Snapshot, Hidden: in.Hidden}
	}
	return judge.Plan{Measurer: &q, Expect: q.expect, Named: q.namedTools()}
}

// defaultFor returns the default expectations on tools. Tools of a manifest have no scores, because their schemas are unknown.
func defaultFor(tools []*catalog.Tool) []judge.Floor {
	if slices.ContainsFunc(tools, func(t *catalog.Tool) bool { return t.SchemaUnknown }) {
		return manifestDefault
	}
	return qualityDefault
}

type quality struct {
	rules    Rules
	expect   []judge.Expectation
	snapshot *catalog.Catalog // snapshot of the server; nil if there is none
}

var (
	_ Ruler           = (*quality)(nil)
	_ judge.Mentioner = (*quality)(nil)
)

// Rules returns the rules block, and the effect of each ignore entry on the snapshot.
func (q *quality) Rules() (Rules, []IgnoreUse) { return q.rules, q.rules.Uses(q.snapshot) }

// Mentions returns the tools in the ignore entries.
func (q *quality) Mentions() []string {
	return lists.Map(q.rules.Config.Ignore, func(ignore lint.Ignore) string { return ignore.Tool })
}

func (q *quality) namedTools() [][]string {
	var names [][]string
	for _, e := range q.expect {
		if name, ok := toolOf(e.Target); ok {
			names = append(names, []string{name})
		}
	}
	return names
}

func toolOf(target string) (name string, ok bool) {
	for _, t := range []judge.Target{toolScoreTarget, toolTokensTarget} {
		if name, ok = t.Param(target); ok {
			return name, true
		}
	}
	return "", false
}

// Measure applies the rules to the catalog.
func (q *quality) Measure(tr *trace.Trace) judge.Measurement {
	f := qualityFigures{
		cat:    tr.Catalog,
		tokens: tr.ToolTokens,
		res:    lint.Check(tr.Catalog, q.rules.Config),
		config: q.rules.Config,
		m:      judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}},
	}
	f.addScores()
	f.addCounts()
	f.addSmells()
	f.addSizes(tr.Surface)
	if tr.InstructionsTokens.Known {
		f.set(instructionsTarget, judge.Ratio(tr.InstructionsTokens.N, 1, judge.Tokens), "")
	} else {
		f.m.Absent[instructionsTarget] = "the catalog does not keep the servers' instructions; mcp-gates snapshot writes them"
	}
	for _, e := range q.expect {
		if name, ok := toolOf(e.Target); ok {
			f.addTool(e.Target, name)
		}
	}
	return f.m
}
