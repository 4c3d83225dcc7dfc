package gates

import (
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/stat"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// EqualFunctionSets scores which tools an agent picked: precision, recall and F1 over classes of tools that do the same
// job.
var EqualFunctionSets = &judge.Gate{
	Name: "equal_function_sets",
	Doc: `Selection F1: did the agent pick tools that do the job

` + "```yaml" + `
equal_function_sets:
  classes:
    - {name: lookup, members: [search, docs.find]}
` + "```" + `

The gate counts the calls of each run in order:

| call to | counts as |
|---|---|
| a tool of a class that no earlier call satisfied | one true positive (TP). The call satisfies this class. If the tool has several such classes, the call satisfies the first declared class |
| a tool whose classes are all satisfied | nothing |
| a tool of no class | one false positive (FP) for each call |

A class that no call of the run satisfies is a false negative (FN). If there are no calls, precision is absent, and recall and F1 are 0.

If the test has ` + "`discovery: {name_free: true}`" + `, the default is ` + "`tool_selection.recall >= 50`" + `.`,
	Keys: []judge.Key{
		{Name: "classes", Type: judge.TypeClasses, Keys: classKeys, Doc: "The classes that the task needs. Required unless the test has `classes:`."},
		judge.MaxDropKey(selectionF1),
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   selectionTargets,
	Default:   selectionDefault,
	Needs:     judge.NeedRuns,
	Configure: configureEqualFunctionSets,
}

// selectionF1 is the target of the harmonic mean of precision and recall.
const selectionF1 = "tool_selection.f1"

var selectionTargets = []judge.Target{
	{Name: selectionF1, Unit: judge.Percent, Doc: "2TP/(2TP+FP+FN)."},
	{Name: "tool_selection.precision", Unit: judge.Percent, Doc: "TP/(TP+FP)."},
	{Name: "tool_selection.recall", Unit: judge.Percent, Doc: "TP/(TP+FN)."},
}

var selectionDefault = []judge.Floor{{Target: "tool_selection.f1", Bound: ">= 50"}}

// nameFreeDefault is the gate's default for a prompt that names no tool.
var nameFreeDefault = []judge.Floor{{Target: "tool_selection.recall", Bound: ">= 50"}}

func configureEqualFunctionSets(block *yamlread.Map, in judge.Context) judge.Plan {
	def := selectionDefault
	if in.NameFree {
		def = nameFreeDefault
	}
	classes, ofTest := ownOrTestClasses(block, in)
	plan := judge.Plan{
		MaxDrop:  judge.ReadMaxDrop(block, selectionF1),
		Classes:  ofTest,
		Expect:   judge.ReadExpect(block, selectionTargets, def),
		Members:  classMembers(classes),
		Named:    classNames(classes),
		Sought:   judge.SoughtClasses(classes),
		Servers:  in.Servers,
		Measurer: judge.Measure(func(tr *trace.Trace) judge.Measurement { return scoreClasses(classes, in, tr.Runs).measurement() }),
	}
	block.Done()
	return plan
}

// selection counts the satisfied classes over runs.
type selection struct {
	TP int // satisfied classes, each counted once for each run
	FP int // calls to tools that belong to no class
	FN int // classes that were not satisfied, each counted once for each run
	judge.Grounds
}

// precision returns TP/(TP+FP) in percent, rounded down.
func (s selection) precision() int { return s.percent(s.TP, s.TP+s.FP) }

// recall returns TP/(TP+FN) in percent, rounded down.
func (s selection) recall() int { return s.percent(s.TP, s.TP+s.FN) }

// f1 returns 2TP/(2TP+FP+FN) in percent, rounded down. It is computed from the counts, because rounded precision and recall
// would give another result.
func (s selection) f1() int { return s.percent(2*s.TP, 2*s.TP+s.FP+s.FN) }

func (s selection) percent(part, whole int) int {
	switch {
	case s.TP+s.FP+s.FN == 0:
		return 100 // no class was needed, and no call was wrong
	case whole == 0:
		return 0
	}
	return stat.FloorPercent(int64(part), int64(whole))
}

func (s selection) measurement() judge.Measurement {
	detail := s.detail()
	m := judge.Measurement{
		Values: map[string]judge.Value{
			"tool_selection.f1":        judge.Int(s.f1(), judge.Percent),
			"tool_selection.precision": judge.Int(s.precision(), judge.Percent),
			"tool_selection.recall":    judge.Int(s.recall(), judge.Percent),
		},
		Detail: map[string]string{
			"tool_selection.f1": detail, "tool_selection.precision": detail, "tool_selection.recall": detail,
		},
		Grounds: s.Grounds,
	}
	if s.TP+s.FP == 0 {
		delete(m.Values, "tool_selection.precision")
		m.Absent = map[string]string{"tool_selection.precision": judge.NoCall}
	}
	return m
}

func (s selection) detail() string {
	var parts []string
	if missed := s.Subjects(judge.Missed); len(missed) > 0 {
		parts = append(parts, "missed "+lists.FirstFive(missed))
	}
	if unexpected := s.Subjects(judge.Unexpected); len(unexpected) > 0 {
		parts = append(parts, "unexpected "+lists.FirstFive(unexpected))
	}
	return strings.Join(parts, "; ")
}
