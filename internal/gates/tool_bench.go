package gates

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// ToolBench measures how well a lexical selector finds the right tool by the catalog's names and descriptions, and how
// much of that hangs on each description.
var ToolBench = &Gate{
	Name: "tool_bench",
	Doc: `Description benchmark: do the descriptions lead to the right tool

A top-level list of benchmarks. A selector that needs no model (BM25 over the words of names and descriptions) picks a
tool for each intent: what a user might ask, and the tools that are right for it. Then each mutation spoils one
description, and the intents are tried again: how far the accuracy drops says how much selection leans on it. The
selector is a stand-in, and a fair one where the tools compete by their words; it says nothing about what a certain model
would do. The same benchmark runs by itself as ` + "`mcp-gates bench`" + `.`,
	Keys: []Key{
		{Name: "name", Type: TypeText, Required: true, Doc: "The name of the case."},
		{Name: "tags", Type: TypeTexts, Doc: "Words to select cases by."},
		{Name: "server", Type: TypeText, Doc: "The server whose tools are tried: live, as it advertises them, else by its `catalog:`, else as a recording of the suite has them. Either this, `catalog` or `catalog_path`."},
		{Name: "catalog", Type: TypeCatalog, Doc: "The path of a catalog, or its tools in place."},
		{Name: "catalog_path", Type: TypeText, Doc: "The path of a catalog."},
		{Name: "intents", Type: TypeMaps, Required: true, Doc: "What users ask.", Keys: []Key{
			{Name: "query", Type: TypeText, Required: true, Doc: "The request, in the user's words."},
			{Name: "gold", Type: TypeTexts, Required: true, Doc: "The right tool, as `name` or `server.name`; of several, any."},
		}},
		{Name: "mutations", Type: TypeMutations, Doc: "What to try on the descriptions; `auto` tries `blank` and `genericize` on every tool.", Keys: []Key{
			{Name: "tool", Type: TypeText, Required: true, Doc: "The tool."},
			{Name: "kind", Type: "blank | genericize | truncate | drop_keyword", Required: true, Doc: "What to do to its description."},
			{Name: "chars", Type: TypeWhole, Doc: "Of `truncate`: how many characters to keep."},
			{Name: "word", Type: TypeText, Doc: "Of `drop_keyword`: the word to take out."},
		}},
		{Name: minAccuracy, Type: TypeRate, Doc: "The least accuracy."},
		{Name: minWilsonLower, Type: TypeRate, Doc: "The least lower end of the accuracy's 95 % interval."},
		{Name: "expect", Type: TypeExpectations, Doc: "What is expected of the figures below. This, `min_accuracy` or `min_wilson_lower` is required."},
	},
	Targets:   benchTargets,
	Configure: configureToolBench,
}

const (
	benchAccuracyTarget = "bench.accuracy"
	benchWilsonTarget   = "bench.wilson_lower"
	benchDropTarget     = "bench.max_drop"
)

var benchTargets = []Target{
	{benchAccuracyTarget, Fraction, "The share of intents for which a right tool is picked."},
	{benchWilsonTarget, Fraction, "The lower end of the accuracy's 95 % Wilson interval."},
	{benchDropTarget, Fraction, "The largest drop of the accuracy by a mutation. Absent without mutations."},
}

// The conditions of the block that are judged like expectations, under the keys' names. They are no targets.
const (
	minAccuracy    = "min_accuracy"
	minWilsonLower = "min_wilson_lower"
)

// configureToolBench reads an entry of tool_bench:, but for the keys that say what it is called and which catalog it is
// about.
func configureToolBench(block *yamlread.Map, in Context) Plan {
	inline := inlineCatalog(block)
	spec := bench.ReadBlock(block, benchCatalog(inline, in))
	var expect []Expectation
	require := func(key string, least *big.Rat) {
		if least != nil {
			expect = append(expect, Expectation{Target: key, Pos: block.KeyPos(key), Matcher: Bound(">=", least), ErrorAbsent: true})
		}
	}
	require(minAccuracy, spec.MinAccuracy)
	require(minWilsonLower, spec.MinWilsonLower)
	expect = append(expect, ReadExpect(block, benchTargets, nil)...)
	if !block.Has(minAccuracy) && !block.Has(minWilsonLower) && emptyList(block, "expect") {
		block.Errorf(block.Pos(), `nothing is expected, expected one of "expect", %q and %q`, minAccuracy, minWilsonLower)
	}
	return Plan{
		Expect:   expect,
		Measurer: &toolBench{spec, inline},
		Named:    benchNames(spec),
	}
}

// toolBench is an entry of tool_bench:.
type toolBench struct {
	spec   bench.Spec
	inline *catalog.Catalog // the tools that stand in it; nil when it names a file or a server
}

// Catalog returns the tools that stand in the entry.
func (b *toolBench) Catalog() *catalog.Catalog { return b.inline }

// Measure runs the benchmark on the catalog that was found for it.
func (b *toolBench) Measure(tr *trace.Trace) Measurement { return measureBench(b.spec, tr.Catalog) }

var _ Holder = (*toolBench)(nil)

// benchNames returns the tools that a benchmark cannot do without: each right one, and each that a mutation spoils.
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

// emptyList reports whether the key is not given or holds an empty list.
func emptyList(block *yamlread.Map, key string) bool {
	v, ok := block.Value(key)
	return !ok || v.Kind() == yamlread.ListKind && len(v.List()) == 0
}

// benchCatalog returns the catalog that an entry is checked against: its tools in place, otherwise those that the suite
// has read for it. It is nil where neither is there.
func benchCatalog(inline *catalog.Catalog, in Context) *catalog.Catalog {
	if inline != nil || in.Snapshot == nil {
		return inline
	}
	return &catalog.Catalog{Tools: in.Snapshot}
}

// inlineCatalog returns the tools that stand in the block; nil when it names a file or a server.
func inlineCatalog(block *yamlread.Map) *catalog.Catalog {
	v, ok := block.Value("catalog")
	if !ok || v.Kind() == yamlread.TextKind {
		return nil
	}
	return bench.InlineCatalog(v)
}

// measureBench runs a benchmark on cat, the evidence that was found for it; nil where the block holds the tools.
func measureBench(spec bench.Spec, cat *catalog.Catalog) Measurement {
	if spec.Catalog == nil && cat == nil {
		return Measurement{Err: "the server has no snapshot of its tools; give it a catalog:, or name one here"}
	}
	if tried := cmp.Or(cat, spec.Catalog); len(tried.Tools) == 0 {
		return Measurement{Err: listsNoTools(tried)}
	}
	if cat != nil && (spec.Catalog == nil || !slices.Equal(spec.Catalog.Tools, cat.Tools)) {
		var err error
		if spec, err = spec.On(cat); err != nil {
			return Measurement{Err: err.Error()}
		}
	}
	r := bench.Run(spec, nil)
	m := Measurement{
		Values: map[string]Value{
			benchAccuracyTarget: {r.Accuracy(), Fraction},
			benchWilsonTarget:   Ratio(int64(r.WilsonLow), lint.Whole, Fraction),
		},
		Absent:  map[string]string{benchDropTarget: "there are no mutations; list some, or say mutations: auto"},
		Detail:  map[string]string{},
		Grounds: benchGrounds(r),
	}
	right := fmt.Sprintf("%d of %s", r.Correct, countOf(r.Intents, "intent"))
	m.Values[minAccuracy], m.Values[minWilsonLower] = m.Values[benchAccuracyTarget], m.Values[benchWilsonTarget]
	for target := range m.Values {
		m.Detail[target] = right
	}
	if drop, ok := r.MaxDrop(); ok {
		m.Values[benchDropTarget] = Value{drop, Fraction}
		m.Detail[benchDropTarget] = "over " + countOf(len(r.Effects), "mutation")
	}
	return m
}

// benchGrounds lists the wrong picks, and the mutations that changed a pick.
func benchGrounds(r *bench.Result) Grounds {
	g := Grounds{Counts: map[string]int{"intents": r.Intents, "correct": r.Correct, "mutations": len(r.Effects)}}
	for _, c := range r.Confusions {
		g.Notes = append(g.Notes, Note{Kind: Confused, Subject: c.Query, Members: c.Gold, Text: c.Picked})
	}
	for _, effect := range r.Effects {
		if len(effect.Flipped) > 0 {
			g.Notes = append(g.Notes, Note{
				Kind: Mutated, Subject: effect.Tool, Text: string(effect.Mutation.Kind), Calls: len(effect.Flipped),
				Figure: Value{r.AccuracyAfter(effect), Fraction}, Drop: Value{r.Drop(effect), Fraction},
			})
		}
	}
	return g
}
