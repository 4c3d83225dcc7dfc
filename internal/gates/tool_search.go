package gates

import (
	"math/big"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/yamlread"
)

// ToolSearch measures whether the searches of runs find deferred tools, and whether the runs pick from the results.
var ToolSearch = &judge.Gate{
	Name: "tool_search",
	Doc: `Tool search: does a search find the tool, and is it picked

` + "```yaml" + `
tool_search:
  expected_tool: close_ticket
  max_searches: 2
` + "```" + `

Use this gate for clients that [defer tools](cassettes.md#deferred-tools).

A run finds a class if one of these holds for a tool of the class:

- a search returned the tool
- the run loaded the tool by name, which is not a search
- the model was offered the tool from the start

A run picks the class if it then calls a tool of the class. If runs searched, each gate that scores picks reports whether a missed tool was
not found or not picked.

If the runs have neither a search nor a load by name, all figures are absent. A figure is also absent if the recording lacks the values that
the figure is computed from.

In this table, the classes w and v have one tool each. ` + "`?a,w`" + ` is a search that returned a and w, ` + "`?`" + ` is a search that returned nothing, and
` + "`=w`" + ` is a load of w by name:

| calls of the runs | found | picked | rank | searches | empty | unused_pct |
|---|---|---|---|---|---|---|
| ?a,w,v w v | 100 | 100 | 3 | 1 | 0 | 33 |
| ?w ?v w v; ?a a | 50 | 100 | 1 | 2 | 0 | 0 |
| ? ?w,a =v w | 100 | 0 | 1 | 2 | 1 | 66 |
| w v ?w,v; ?v,w w v | 100 | 50 | 2 | 1 | 0 | 0 |
| ?; ? w v | 0 | none | none | 1 | 2 | none |
| w v | none | none | none | none | none | none |`,
	Keys: []judge.Key{
		{Name: "classes", Type: judge.TypeClasses, Keys: classKeys, Doc: "The classes that the task needs. Required unless the gate has `expected_tool` or the test has `classes:`."},
		{Name: "expected_tool", Type: judge.TypeTexts, Doc: "Instead of `classes`: the right tool, or alternatives."},
		{Name: maxSearches, Type: judge.TypeWhole, Doc: "The most searches per run."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   searchTargets,
	Default:   searchDefault,
	Needs:     judge.NeedRuns,
	Configure: configureToolSearch,
}

const (
	foundTarget        = "tool_search.found"
	pickedTarget       = "tool_search.picked"
	rankTarget         = "tool_search.rank"
	searchesTarget     = "tool_search.searches"
	emptyTarget        = "tool_search.empty"
	loadedTokensTarget = "tool_search.loaded_tokens"
	unusedTarget       = "tool_search.unused_pct"
	upfrontTarget      = "tool_search.upfront_tokens"

	maxSearches = "max_searches"
)

var searchTargets = []judge.Target{
	{Name: foundTarget, Unit: judge.Percent, Doc: "Share of runs that find every class."},
	{Name: pickedTarget, Unit: judge.Percent, Doc: "Runs that pick every class, as a share of the runs that find every class."},
	{Name: rankTarget, Unit: judge.Number, Doc: "The worst rank of any class in any run. The rank of a class is the position of its first tool in the first search that returned a tool of the class."},
	{Name: searchesTarget, Unit: judge.Number, Doc: "The most searches in any run."},
	{Name: emptyTarget, Unit: judge.Number, Doc: "Searches that returned nothing, in all runs."},
	{Name: loadedTokensTarget, Unit: judge.Tokens, Doc: "The tokens of the servers' tools that a run found or loaded, with each tool counted once. The figure is the largest number of any run."},
	{Name: unusedTarget, Unit: judge.Percent, Doc: "Share of found or loaded tools that the run never called, summed over runs."},
	{Name: upfrontTarget, Unit: judge.Tokens, Doc: "The tokens that the model is given before the first search: the tools that are not deferred, the list of deferred tools, and the search tool."},
}

var searchDefault = []judge.Floor{{Target: foundTarget, Bound: ">= 50"}}

type toolSearch struct {
	sought  []judge.Sought
	servers []string
}

// ReadsSearches marks the gate as one that reads calls that search for tools.
func (*toolSearch) ReadsSearches() {}

var _ judge.Searcher = (*toolSearch)(nil)

func configureToolSearch(block *yamlread.Map, in judge.Context) judge.Plan {
	plan := judge.Plan{Servers: in.Servers}
	switch {
	case block.Has("expected_tool"):
		if block.Has("classes") {
			block.Errorf(block.KeyPos("expected_tool"), `"expected_tool" stands beside "classes", expected one of them`)
			_ = ReadClasses(block)
		}
		plan.Members = readMembers(block, "expected_tool")
		tools := memberNames(plan.Members)
		plan.Named, plan.Sought = [][]string{tools}, soughtTools(block.KeyPos("expected_tool"), tools)
	case !block.Has("classes") && len(in.TestClasses) == 0:
		block.Errorf(block.Pos(), `"expected_tool" is missing, expected the name of a tool, or "classes"`)
	default:
		classes, ofTest := ownOrTestClasses(block, in)
		plan.Classes, plan.Members, plan.Named, plan.Sought = ofTest, classMembers(classes), classNames(classes), judge.SoughtClasses(classes)
	}
	if n, ok := block.Whole(maxSearches, 0); ok {
		most := judge.Bound("<=", new(big.Rat).SetInt64(int64(n)))
		plan.Expect = append(plan.Expect, judge.Expectation{Target: searchesTarget, Pos: block.KeyPos(maxSearches), Matcher: most, OfKey: true})
	}
	plan.Expect = append(plan.Expect, judge.ReadExpect(block, searchTargets, searchDefault)...)
	block.Done()
	plan.Measurer = &toolSearch{plan.Sought, in.Servers}
	return plan
}
