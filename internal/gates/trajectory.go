package gates

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Trajectory compares the calls of each run with a path of steps.
var Trajectory = &judge.Gate{
	Name: "trajectory",
	Doc: `Trajectory: did the agent take the expected steps

` + "```yaml" + `
trajectory:
  mode: in_order
  steps: [find_order, {tool: refund, args: {order: 17}}]
` + "```" + `

If the order of calls matters, begin with the mode ` + "`in_order`" + `.

M is the largest possible number of pairs of a call and a matching step, in any order. Each call or step is in at most one pair.

| mode | a run matches if |
|---|---|
| ` + "`strict`" + `, ` + "`exact`" + ` | the run has as many calls as steps, and call N matches step N |
| ` + "`in_order`" + `, ` + "`subsequence`" + ` | the run's calls include all steps in order; other calls are allowed |
| ` + "`unordered`" + ` | M equals the number of calls and the number of steps |
| ` + "`superset`" + ` | M equals the number of steps |
| ` + "`subset`" + ` | M equals the number of calls. A run without calls matches |

With ` + "`steps: [a, b, c]`" + `:

| calls of the run | strict | in_order | unordered | superset | subset | precision | recall | edit_distance |
|---|---|---|---|---|---|---|---|---|
| a b c | yes | yes | yes | yes | yes | 100 | 100 | 0 |
| a x b c | no | yes | no | yes | no | 75 | 100 | 1 |
| c b a | no | no | yes | yes | yes | 100 | 100 | 2 |
| a b | no | no | no | no | yes | 100 | 66 | 1 |
| a a b | no | no | no | no | no | 66 | 66 | 2 |
| b c a b c | no | yes | no | yes | no | 60 | 100 | 2 |`,
	Keys: []judge.Key{
		{Name: "mode", Type: "strict | exact | in_order | subsequence | unordered | superset | subset", Required: true, Doc: "The rule by which a run matches the steps."},
		{Name: "steps", Type: judge.TypeSteps, Required: true, Keys: stepKeys, Doc: "The expected calls, at most 1,000. A step with `count: N` counts as N calls."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   trajectoryTargets,
	Default:   trajectoryDefault,
	Needs:     judge.NeedRuns,
	Configure: configureTrajectory,
}

const (
	matchedTarget      = "trajectory.matched"
	precisionTarget    = "trajectory.precision"
	recallTarget       = "trajectory.recall"
	editDistanceTarget = "trajectory.edit_distance"
)

var trajectoryTargets = []judge.Target{
	{Name: matchedTarget, Unit: judge.Percent, Doc: "Share of runs that match."},
	{Name: precisionTarget, Unit: judge.Percent, Doc: "Share of calls of all runs that are paired with a step: M / calls."},
	{Name: recallTarget, Unit: judge.Percent, Doc: "Share of steps, counted for each run, that are paired with a call: M / steps."},
	{Name: editDistanceTarget, Unit: judge.Number, Doc: "The number of calls that must be added, removed or replaced until a run has exactly the steps in order, in any mode. The figure is the largest number of any run."},
}

var trajectoryDefault = []judge.Floor{{Target: matchedTarget, Bound: ">= 100"}}

type trajectory struct {
	mode  matchMode
	steps stepPath
}

func configureTrajectory(block *yamlread.Map, in judge.Context) judge.Plan {
	t := trajectory{mode: readMode(block), steps: readSteps(block, in)}
	if !block.Has("steps") {
		block.Errorf(block.Pos(), `"steps" is missing, expected a list of steps, each with tool or class`)
	}
	t.steps.optional = t.mode == subsetMode
	plan := judge.Plan{Measurer: &t, Expect: judge.ReadExpect(block, trajectoryTargets, trajectoryDefault)}
	t.steps.addNames(&plan, in)
	block.Done()
	return plan
}

// matchMode is the condition under which a run matches steps.
type matchMode string

const (
	strictMode    matchMode = "strict"
	inOrderMode   matchMode = "in_order"
	unorderedMode matchMode = "unordered"
	supersetMode  matchMode = "superset"
	subsetMode    matchMode = "subset"
)

// modes lists the modes and their other names.
var modes = map[string]matchMode{
	"strict": strictMode, "exact": strictMode, "in_order": inOrderMode, "subsequence": inOrderMode,
	"unordered": unorderedMode, "superset": supersetMode, "subset": subsetMode,
}

// readMode reads the required key mode. It refuses any_order, because other programs use it with two meanings.
func readMode(block *yamlread.Map) matchMode {
	const expected = "strict (or exact), in_order (or subsequence), unordered, superset or subset"
	if !block.Has("mode") {
		block.Errorf(block.Pos(), `"mode" is missing, expected %s`, expected)
		return ""
	}
	s, ok := block.OptStr("mode")
	mode, known := modes[s.Value]
	switch {
	case !ok || known:
	case strings.EqualFold(s.Value, "any_order"):
		block.Errorf(s.Pos, `"mode" %q has two meanings: write unordered where the calls are the steps and nothing else (as in agentevals), superset where other calls are allowed (as in Vertex AI)`, judge.Clip(s.Value))
	default:
		hint := source.DidYouMean(judge.Clip(s.Value), slices.Sorted(maps.Keys(modes)))
		block.Errorf(s.Pos, `"mode" must be %s, found %q%s`, expected, judge.Clip(s.Value), hint)
	}
	return mode
}

var _ judge.Keeper = (*trajectory)(nil)

// Keep asks for the arguments that steps examine.
func (t *trajectory) Keep() trace.Keep { return t.steps.keep() }

type trajectoryCount struct {
	runs, matched, calls, steps, paired int
	unkept                              int // calls whose missing arguments decide whether they match a step
	distance                            int // the greatest distance of a run
	strays                              strays
}

// Measure compares each run with the steps.
func (t *trajectory) Measure(tr *trace.Trace) judge.Measurement {
	c := trajectoryCount{strays: strays{}}
	matcher, work := newCallMatcher(t.steps.patterns), stepWork{}
	for i := range tr.Runs {
		run := &tr.Runs[i]
		t.countRun(&c, t.steps.walk(run, matcher, &work), run)
	}
	if c.calls == 0 {
		return judge.Measurement{} // an empty measurement is reported as no call
	}
	if problem := work.problem(); problem != "" {
		return judge.Measurement{Err: problem, Steps: matcher.work.Steps()}
	}
	m := c.measurement()
	if why := unkeptArgs(c.unkept, c.calls); why != "" {
		m = judge.Measurement{Absent: allAbsent(trajectoryTargets, why)}
	}
	m.Steps = matcher.work.Steps()
	return m
}

func (t *trajectory) countRun(c *trajectoryCount, w walk, run *trace.Run) {
	paired, left := w.pair()
	for _, isPaired := range paired {
		if isPaired {
			c.paired++
		}
	}
	c.runs++
	c.calls += len(w.calls)
	c.unkept += w.unkept
	c.steps += len(t.steps.order)
	c.distance = max(c.distance, w.distance())
	matches, stray := t.mode.match(w, paired, left)
	if matches {
		c.matched++
		return
	}
	c.strays.add(stray, w, run)
}

func (c *trajectoryCount) measurement() judge.Measurement {
	m := judge.Measurement{Values: map[string]judge.Value{
		matchedTarget:      share(c.matched, c.runs),
		precisionTarget:    share(c.paired, c.calls),
		recallTarget:       share(c.paired, c.steps),
		editDistanceTarget: judge.Int(c.distance, judge.Number),
	}}
	m.Counts = map[string]int{"runs": c.runs, "matched": c.matched, "calls": c.calls, "steps": c.steps, "paired": c.paired}
	m.Notes = c.strays.notes()
	m.Detail = map[string]string{
		matchedTarget:   fmt.Sprintf("%d of %s match", c.matched, judge.CountOf(c.runs, "run")) + firstStray(m.Notes),
		precisionTarget: fmt.Sprintf("%d of %s are steps", c.paired, judge.CountOf(c.calls, "call")),
		recallTarget:    fmt.Sprintf("%d of %s are taken", c.paired, judge.CountOf(c.steps, "step")),
	}
	return m
}
