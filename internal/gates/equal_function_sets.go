package gates

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/stat"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// EqualFunctionSets scores which tools an agent picked: precision, recall and F1 over classes of tools that do the same
// job.
var EqualFunctionSets = &Gate{
	Name: "equal_function_sets",
	Doc: `Selection F1: did the agent pick tools that do the job

A class names tools that do the same job; calling any of them satisfies it. In each run the calls are walked in order.
A call that names a member of a class not yet satisfied satisfies it: a true positive (where it is a member of several
such classes, of the first one declared). A further call to a member of satisfied classes counts neither way. A call
that names a member of no class is a false positive, each time. A class that is never satisfied is a false negative.

The counts are summed over all runs before any percentage is taken, so that the order of runs does not matter:
precision = TP/(TP+FP), recall = TP/(TP+FN), F1 = 2TP/(2TP+FP+FN), in percent, rounded down. Precision is a figure over
calls: where classes are needed and no run called a tool it is absent, while recall and F1 are 0. With no class and no call
all three are 100, and with a call but no class recall is 0.

With ` + "`discovery: {name_free: true}`" + ` on the test, the default is ` + "`tool_selection.recall >= 50`" + `: an agent that was not told
which tools there are may look around.`,
	Keys: []Key{
		{Name: "classes", Type: TypeClasses, Required: true, Keys: classKeys, Doc: "What the task needs, each class once."},
		{Name: "expect", Type: TypeExpectations, Doc: "What is expected of the figures below."},
	},
	Targets:   selectionTargets,
	Default:   selectionDefault,
	Needs:     NeedRuns,
	Configure: configureEqualFunctionSets,
}

var selectionTargets = []Target{
	{"tool_selection.f1", Percent, "2TP/(2TP+FP+FN)."},
	{"tool_selection.precision", Percent, "Of the calls that count, those that satisfied a class: TP/(TP+FP)."},
	{"tool_selection.recall", Percent, "Of the classes, those that were satisfied: TP/(TP+FN)."},
}

var selectionDefault = []Floor{{"tool_selection.f1", ">= 50"}}

// nameFreeDefault stands in for the gate's default where the prompt names no tool.
var nameFreeDefault = []Floor{{"tool_selection.recall", ">= 50"}}

func configureEqualFunctionSets(block *yamlread.Map, in Context) Plan {
	def := selectionDefault
	if in.NameFree {
		def = nameFreeDefault
	}
	classes := ReadClasses(block)
	plan := Plan{
		Expect:   ReadExpect(block, selectionTargets, def),
		Members:  classMembers(classes),
		Named:    classNames(classes),
		Measurer: Measure(func(tr *trace.Trace) Measurement { return ScoreClasses(classes, in, tr.Runs).measurement() }),
	}
	block.Done()
	return plan
}

// Selection counts over runs which classes were satisfied.
type Selection struct {
	TP int // classes satisfied, once a run
	FP int // calls that name a member of no class
	FN int // classes not satisfied, once a run
	Grounds
}

// Precision returns TP/(TP+FP) in percent, rounded down.
func (s Selection) Precision() int { return s.percent(s.TP, s.TP+s.FP) }

// Recall returns TP/(TP+FN) in percent, rounded down.
func (s Selection) Recall() int { return s.percent(s.TP, s.TP+s.FN) }

// F1 returns 2TP/(2TP+FP+FN) in percent, rounded down. It is taken from the counts: from rounded precision and recall it
// would come out otherwise.
func (s Selection) F1() int { return s.percent(2*s.TP, 2*s.TP+s.FP+s.FN) }

func (s Selection) percent(part, whole int) int {
	switch {
	case s.TP+s.FP+s.FN == 0:
		return 100 // nothing was needed and nothing wrong was called
	case whole == 0:
		return 0
	}
	return stat.FloorPercent(int64(part), int64(whole))
}

func (s Selection) measurement() Measurement {
	detail := s.detail()
	m := Measurement{
		Values: map[string]Value{
			"tool_selection.f1":        Int(s.F1(), Percent),
			"tool_selection.precision": Int(s.Precision(), Percent),
			"tool_selection.recall":    Int(s.Recall(), Percent),
		},
		Detail: map[string]string{
			"tool_selection.f1": detail, "tool_selection.precision": detail, "tool_selection.recall": detail,
		},
		Grounds: s.Grounds,
	}
	if s.TP+s.FP == 0 && s.FN > 0 {
		delete(m.Values, "tool_selection.precision")
		m.Absent = map[string]string{"tool_selection.precision": noCall}
	}
	return m
}

// detail names what was missed and what was called instead.
func (s Selection) detail() string {
	var parts []string
	if missed := s.subjects(Missed); len(missed) > 0 {
		parts = append(parts, "missed "+firstFive(missed))
	}
	if unexpected := s.subjects(Unexpected); len(unexpected) > 0 {
		parts = append(parts, "unexpected "+firstFive(unexpected))
	}
	return strings.Join(parts, "; ")
}

// firstFive lists the first five names, and says how many more there are.
func firstFive(names []string) string {
	const shown = 5
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}
