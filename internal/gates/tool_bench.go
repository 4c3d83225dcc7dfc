package gates

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/intents"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// intentKeys documents an intent, and intentFileKeys a file with intents, for tool_bench and findability.
var (
	intentKeys = []judge.Key{
		{Name: "query", Type: judge.TypeText, Required: true, Doc: "The user's request, or the search query."},
		{Name: "gold", Type: judge.TypeTexts, Required: true, Doc: "The right tool, or alternatives."},
		{Name: "max_rank", Type: judge.TypeWhole, Doc: "Only for [`findability`](#findability): the worst rank at which the right tool counts as found, at most `limit`."},
	}
	intentFileKeys = []judge.Key{
		{Name: "file", Type: judge.TypeText, Required: true, Doc: "The path of the file."},
		{Name: "format", Type: strings.Join(intents.Formats(), " | "), Doc: "The format of the file. `auto`, the default, recognises it."},
		{Name: "server", Type: judge.TypeText, Doc: "The server of the file's tools, if the file names tools without a server, or as clients do (`mcp__SERVER__TOOL`)."},
	}
)

// ToolBench measures how well a lexical selector finds the right tool by the catalog's names and descriptions, and how much its
// choice depends on each description.
var ToolBench = &judge.Gate{
	Name: "tool_bench",
	Doc: `Description benchmark: do the descriptions lead to the right tool

` + "```yaml" + `
tool_bench:
  - name: weather descriptions
    catalog: catalogs/weather.json
    intents:
      - {query: will it rain today, gold: get_weather}
    mutations: auto
    min_accuracy: 0.9
` + "```" + `

Each entry of this top-level list is a benchmark. An intent is a user's request with its right tool. For each intent, the benchmark picks
the tool whose name and description fit the request's words best (BM25). A mutation spoils one description, and the benchmark picks again.
The drop of the accuracy is a lower bound on the description's contribution. [` + "`mcp-gates bench`" + `](commands/bench.md) runs the same benchmark.

A suite of up to 1,000 entries gets a warning if all its ` + "`tool_bench`" + ` and ` + "`tool_quality`" + ` entries would also pass with vague descriptions,
even if other cases have recorded runs.`,
	Keys: []judge.Key{
		{Name: "name", Type: judge.TypeText, Required: true, Doc: "The case's name."},
		{Name: "tags", Type: judge.TypeTexts, Doc: "Words by which `--tag` and `--skip-tag` select the case."},
		{Name: "server", Type: judge.TypeText, Doc: "The server whose tools are judged. A live run asks the server. A replay reads the server's `catalog:`, otherwise a recording of the suite. Set either a server or a catalog."},
		{Name: "catalog", Type: judge.TypeCatalog, Doc: "The path of a catalog, or a list of tools."},
		{Name: "catalog_path", Type: judge.TypeText, Doc: "The path of a catalog."},
		{Name: "intents", Type: judge.TypeMapsOrFile, Required: true, Doc: "The intents: a list, or a [file](suite.md#intents-in-files).", Keys: intentKeys, OfFile: intentFileKeys},
		{Name: "mutations", Type: judge.TypeMutations, Doc: "Changes to try. `auto` tries `blank` and `genericize` on every tool.", Keys: []judge.Key{
			{Name: "tool", Type: judge.TypeText, Required: true, Doc: "The tool to change."},
			{Name: "kind", Type: "blank | genericize | truncate | drop_keyword", Required: true, Doc: "The change of the tool's description."},
			{Name: "chars", Type: judge.TypeWhole, Doc: "The number of characters that `truncate` keeps."},
			{Name: "word", Type: judge.TypeText, Doc: "The word that `drop_keyword` removes."},
		}},
		{Name: minAccuracy, Type: judge.TypeRate, Doc: "The minimum of `bench.accuracy`."},
		{Name: minWilsonLower, Type: judge.TypeRate, Doc: "The minimum of `bench.wilson_lower`."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "One of `expect`, `min_accuracy` and `min_wilson_lower` is required."},
	},
	Targets:   benchTargets,
	Configure: configureToolBench,
}

const (
	benchAccuracyTarget = "bench.accuracy"
	benchWilsonTarget   = "bench.wilson_lower"
	benchDropTarget     = "bench.max_drop"
)

var benchTargets = []judge.Target{
	{Name: benchAccuracyTarget, Unit: judge.Fraction, Doc: "Share of intents for which a right tool is picked."},
	{Name: benchWilsonTarget, Unit: judge.Fraction, Doc: "The lower end of the accuracy's 95 % Wilson interval."},
	{Name: benchDropTarget, Unit: judge.Fraction, Doc: "The largest drop of the accuracy by any mutation."},
}

// These keys of the block are judged like expectations, but are not targets.
const (
	minAccuracy    = "min_accuracy"
	minWilsonLower = "min_wilson_lower"
)

// configureToolBench reads an entry of tool_bench, except its name and its catalog.
func configureToolBench(block *yamlread.Map, in judge.Context) judge.Plan {
	inline := inlineCatalog(block)
	spec := bench.ReadBlock(block, benchCatalog(inline, in))
	var expect []judge.Expectation
	require := func(key string, least *big.Rat) {
		if least != nil {
			expect = append(expect, judge.Expectation{Target: key, Pos: block.KeyPos(key), Matcher: judge.Bound(">=", least), ErrorAbsent: true})
		}
	}
	require(minAccuracy, spec.MinAccuracy)
	require(minWilsonLower, spec.MinWilsonLower)
	expect = append(expect, judge.ReadExpect(block, benchTargets, nil)...)
	if !block.Has(minAccuracy) && !block.Has(minWilsonLower) && isMissingOrEmpty(block, "expect") {
		block.Errorf(block.Pos(), `nothing is expected, expected one of "expect", %q and %q`, minAccuracy, minWilsonLower)
	}
	return judge.Plan{
		Expect:   expect,
		Measurer: &toolBench{spec, inline},
		Named:    benchNames(spec),
	}
}

type toolBench struct {
	spec   bench.Spec
	inline *catalog.Catalog // the tools in the entry itself; nil if it names a file or a server
}

// Catalog returns the tools that the entry itself contains, or nil.
func (b *toolBench) Catalog() *catalog.Catalog { return b.inline }

// Benchmark returns the benchmark; its catalog is nil if the server has no snapshot.
func (b *toolBench) Benchmark() bench.Spec { return b.spec }

// WithoutMutations returns a plan that skips the mutations of a benchmark, unless an expectation needs their effects.
func WithoutMutations(p judge.Plan) judge.Plan {
	b, ok := p.Measurer.(*toolBench)
	if !ok || slices.ContainsFunc(p.Expect, func(e judge.Expectation) bool { return e.Target == benchDropTarget }) {
		return p
	}
	one := *b
	one.spec.Mutations, one.spec.Auto = nil, false
	p.Measurer = &one
	return p
}

// Benchmarker is a Measurer that runs a benchmark.
type Benchmarker interface {
	Benchmark() bench.Spec
}

// Measure runs the benchmark on the case's catalog.
func (b *toolBench) Measure(tr *trace.Trace) judge.Measurement {
	return measureBench(b.spec, tr.Catalog)
}

var _ judge.Holder = (*toolBench)(nil)

// benchNames returns the tools that a benchmark needs, as lists for Plan.Named: the right tools, and the tools whose description is
// mutated.
func benchNames(spec bench.Spec) [][]string {
	var names [][]string
	for _, intent := range spec.Intents {
		for _, name := range intent.Names {
			names = append(names, []string{name})
		}
	}
	for _, m := range spec.Mutations {
		names = append(names, []string{m.Name})
	}
	return names
}

func isMissingOrEmpty(block *yamlread.Map, key string) bool {
	v, ok := block.Value(key)
	return !ok || v.IsEmptyList()
}

// benchCatalog returns the catalog with which an entry is checked: inline, otherwise the tools of the snapshot, otherwise nil.
func benchCatalog(inline *catalog.Catalog, in judge.Context) *catalog.Catalog {
	if inline != nil || in.Snapshot == nil {
		return inline
	}
	return &catalog.Catalog{Tools: in.Snapshot, Hidden: in.Hidden}
}

// inlineCatalog returns the tools in the block; nil if the block names a file or a server.
func inlineCatalog(block *yamlread.Map) *catalog.Catalog {
	v, ok := block.Value("catalog")
	if !ok || v.Kind() == yamlread.TextKind {
		return nil
	}
	return bench.InlineCatalog(v)
}

// measureBench runs a benchmark on cat. If cat is nil, it uses the catalog of spec.
func measureBench(spec bench.Spec, cat *catalog.Catalog) judge.Measurement {
	if spec.Catalog == nil && cat == nil {
		return judge.Measurement{Err: "the server has no snapshot of its tools; give it a catalog:, or name one here"}
	}
	if tried := cmp.Or(cat, spec.Catalog); len(tried.Tools) == 0 {
		return judge.Measurement{Err: judge.ListsNoTools(tried)}
	}
	isOther := cat != nil && (spec.Catalog == nil || !slices.Equal(spec.Catalog.Tools, cat.Tools))
	if isOther {
		var err error
		if spec, err = spec.On(cat); err != nil {
			return judge.Measurement{Err: err.Error()}
		}
	}
	r := bench.Run(spec, nil)
	m := judge.Measurement{
		Values: map[string]judge.Value{
			benchAccuracyTarget: {Rat: r.Accuracy(), Unit: judge.Fraction},
			benchWilsonTarget:   judge.Ratio(int64(r.WilsonLow), lint.Whole, judge.Fraction),
		},
		Absent:  map[string]string{benchDropTarget: "there are no mutations; list some, or say mutations: auto"},
		Detail:  map[string]string{},
		Grounds: benchGrounds(r),
	}
	right := fmt.Sprintf("%d of %s", r.Correct, judge.CountOf(r.Intents, "intent"))
	m.Values[minAccuracy], m.Values[minWilsonLower] = m.Values[benchAccuracyTarget], m.Values[benchWilsonTarget]
	for target := range m.Values {
		m.Detail[target] = right
	}
	if drop, ok := r.MaxDrop(); ok {
		m.Values[benchDropTarget] = judge.Value{Rat: drop, Unit: judge.Fraction}
		m.Detail[benchDropTarget] = "over " + judge.CountOf(len(r.Effects), "mutation")
	}
	return m
}

func benchGrounds(r *bench.Result) judge.Grounds {
	g := judge.Grounds{Counts: map[string]int{"intents": r.Intents, "correct": r.Correct, "mutations": len(r.Effects)}}
	for _, c := range r.Confusions {
		g.Notes = append(g.Notes, judge.Note{Kind: judge.Confused, Subject: c.Query, Members: c.Gold, Text: c.Picked})
	}
	for _, effect := range r.Effects {
		if len(effect.Flipped) > 0 {
			g.Notes = append(g.Notes, judge.Note{
				Kind: judge.Mutated, Subject: effect.Tool, Text: string(effect.Mutation.Kind), Calls: len(effect.Flipped),
				Figure: judge.Value{Rat: r.AccuracyAfter(effect), Unit: judge.Fraction}, Drop: judge.Value{Rat: r.Drop(effect), Unit: judge.Fraction},
			})
		}
	}
	return g
}
