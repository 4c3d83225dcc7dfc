package gates

import (
	"fmt"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// GoldenPath measures how many calls runs make beyond those of the shortest way.
var GoldenPath = &judge.Gate{
	Name: "golden_path",
	Doc: `Golden path: how many calls does the agent waste

` + "```yaml" + `
golden_path:
  steps: [search, book, pay]
  expect:
    - golden_path.efficiency: {">=": 75}
` + "```" + `

` + "`steps`" + ` is the shortest way to the goal. A run reaches the goal if its calls include all steps in order; other calls are allowed. If the
order does not matter, set ` + "`calls`" + ` instead. With ` + "`calls`" + `, only ` + "`efficiency`" + ` has a default. An efficiency of 75 allows one extra call for
every three needed calls. Agents that poll or retry need extra calls.

With ` + "`steps: [a, b, c]`" + `:

| calls of the runs | reached | efficiency | wasted | repeats | backtracks |
|---|---|---|---|---|---|
| a x b c | 100 | 75 | 1 | 0 | 0 |
| a a b c | 100 | 75 | 1 | 1 | 0 |
| a b a b c | 100 | 60 | 2 | 0 | 2 |
| a b | 0 | none | 0 | 0 | 0 |
| b a c; a b c | 50 | 100 | 1 | 0 | 0 |
| a b c; a x x b x c | 100 | 66 | 3 | 1 | 1 |

With ` + "`calls: 2`" + `, the runs ` + "`a b a; c`" + ` have an efficiency of 75, because three of the four calls were needed.`,
	Keys: []judge.Key{
		{Name: "steps", Type: judge.TypeSteps, Keys: stepKeys, Doc: "The shortest way, at most 1,000 steps."},
		{Name: "calls", Type: judge.TypeWhole, Doc: "Instead of `steps`: the number of calls that the task needs, 1 or more."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   goldenTargets,
	Default:   goldenDefault,
	Needs:     judge.NeedRuns,
	Keep:      trace.KeepArgs,
	Configure: configureGoldenPath,
}

const (
	reachedTarget    = "golden_path.reached"
	goldenTarget     = "golden_path.efficiency"
	wastedTarget     = "golden_path.wasted"
	repeatsTarget    = "golden_path.repeats"
	backtracksTarget = "golden_path.backtracks"
)

var goldenTargets = []judge.Target{
	{Name: reachedTarget, Unit: judge.Percent, Doc: "Share of runs that reach the goal. Absent with `calls`."},
	{Name: goldenTarget, Unit: judge.Percent, Doc: "Steps / calls, over the runs that reach the goal. With `calls: N`, the sum of min(N, calls of the run) / the sum of calls, over all runs."},
	{Name: wastedTarget, Unit: judge.Number, Doc: "Calls outside the longest common subsequence of calls and steps. Absent with `calls`."},
	{Name: repeatsTarget, Unit: judge.Number, Doc: "Calls that equal the call just before."},
	{Name: backtracksTarget, Unit: judge.Number, Doc: "Calls that equal an earlier call, but not the call just before."},
}

var goldenDefault = []judge.Floor{{Target: reachedTarget, Bound: ">= 100"}, {Target: goldenTarget, Bound: ">= 50"}}

type goldenPath struct {
	steps  stepPath
	needed int // calls that a run needs: the number of steps, or the value of the key calls
}

func configureGoldenPath(block *yamlread.Map, in judge.Context) judge.Plan {
	var g goldenPath
	def := goldenDefault
	switch key, ok := block.OneOf("steps", "calls"); {
	case !ok:
		block.Errorf(block.Pos(), `"steps" and "calls" are missing, expected one of them`)
	case key == "calls":
		g.needed, def = block.Int("calls", 1, 1), goldenDefault[1:]
	default:
		g.steps = readSteps(block, in)
		g.needed = len(g.steps.order)
	}
	plan := judge.Plan{Measurer: &g, Expect: judge.ReadExpect(block, goldenTargets, def)}
	g.steps.addNames(&plan, in)
	block.Done()
	return plan
}

type goldenCount struct {
	runs, calls        int
	unkept, unkeptSame int // calls whose missing arguments could change the figures on steps, and those on equal calls
	reached            int
	goalCalls, needed  int // number of calls in the runs that reach the goal, and how many of these calls were needed
	wasted             map[string]judge.Note
	repeated, returned map[string]judge.Note
	strays             strays
	same               *sameCalls
}

// Measure compares every run with the shortest way.
func (g *goldenPath) Measure(tr *trace.Trace) judge.Measurement {
	c := goldenCount{
		wasted: map[string]judge.Note{}, repeated: map[string]judge.Note{}, returned: map[string]judge.Note{}, strays: strays{}, same: newSameCalls(),
	}
	matcher, work := newCallMatcher(g.steps.patterns), stepWork{}
	for i := range tr.Runs {
		run := &tr.Runs[i]
		c.runs++
		c.calls += len(run.Calls)
		c.countRepeats(run)
		if len(g.steps.order) > 0 {
			g.countSteps(&c, g.steps.walk(run, matcher, &work), run)
			continue
		}
		c.goalCalls += len(run.Calls)
		c.needed += min(g.needed, len(run.Calls))
	}
	if c.calls == 0 {
		return judge.Measurement{} // an empty measurement is reported as no call
	}
	if problem := work.problem(); problem != "" {
		return judge.Measurement{Err: problem, Steps: matcher.work.Steps()}
	}
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}, Steps: matcher.work.Steps()}
	m.Counts = map[string]int{"runs": c.runs, "calls": c.calls, "reached": c.reached}
	g.addSteps(&m, &c)
	g.addEfficiency(&m, &c)
	c.addRepeats(&m)
	return m
}

func (g *goldenPath) countSteps(c *goldenCount, w walk, run *trace.Run) {
	c.unkept += w.unkept
	for i, kept := range w.common() {
		if !kept {
			tally(c.wasted, run.Calls[i].Tool.ID(), run.Number)
		}
	}
	matches, stray := inOrderMode.match(w, nil, nil) // only modes without an order use pairs
	if !matches {
		c.strays.add(stray, w, run)
		return
	}
	c.reached++
	c.goalCalls += len(run.Calls)
	c.needed += g.needed
}

// countRepeats counts the calls of a run that equal the call just before, or an earlier one.
func (c *goldenCount) countRepeats(run *trace.Run) {
	again, last := calledAgain(run.Calls), map[*callIdentity]int{}
	for i := range run.Calls {
		call := &run.Calls[i]
		if !again[call.Tool.Ref] {
			continue
		}
		if call.Args == trace.ArgsUnknown {
			c.unkeptSame++ // makes the figures on equal calls absent
		}
		same := c.same.identityOf(call)
		earlier, hasEarlier := last[same]
		switch {
		case !hasEarlier:
		case earlier == i-1:
			tally(c.repeated, call.Tool.ID(), run.Number)
		default:
			tally(c.returned, call.Tool.ID(), run.Number)
		}
		last[same] = i
	}
}

func (g *goldenPath) addSteps(m *judge.Measurement, c *goldenCount) {
	if len(g.steps.order) == 0 {
		const why = `the gate has "calls" instead of "steps"`
		m.Absent[reachedTarget], m.Absent[wastedTarget] = why, why
		return
	}
	if why := unkeptArgs(c.unkept, c.calls); why != "" {
		m.Absent[reachedTarget], m.Absent[wastedTarget] = why, why
		return
	}
	strays := c.strays.notes()
	m.Values[reachedTarget] = share(c.reached, c.runs)
	m.Detail[reachedTarget] = fmt.Sprintf("%d of %s reach the goal", c.reached, judge.CountOf(c.runs, "run")) + firstStray(strays)
	m.Notes = append(strays, tallyNotes(judge.Wasted, c.wasted)...)
	addTallied(m, wastedTarget, judge.Wasted, c.calls)
}

func (g *goldenPath) addEfficiency(m *judge.Measurement, c *goldenCount) {
	if why := unkeptArgs(c.unkept, c.calls); why != "" {
		m.Absent[goldenTarget] = why
		return
	}
	if c.goalCalls == 0 {
		m.Absent[goldenTarget] = "no run reaches the goal"
		return
	}
	m.Values[goldenTarget] = share(c.needed, c.goalCalls)
	m.Detail[goldenTarget] = fmt.Sprintf("%s, of which %d were needed", judge.CountOf(c.goalCalls, "call"), c.needed)
}

func (c *goldenCount) addRepeats(m *judge.Measurement) {
	if why := unkeptArgs(c.unkeptSame, c.calls); why != "" {
		m.Absent[repeatsTarget], m.Absent[backtracksTarget] = why, why
		return
	}
	m.Notes = append(m.Notes, tallyNotes(judge.Repeated, c.repeated)...)
	m.Notes = append(m.Notes, tallyNotes(judge.Backtracked, c.returned)...)
	addTallied(m, repeatsTarget, judge.Repeated, c.calls)
	addTallied(m, backtracksTarget, judge.Backtracked, c.calls)
}

// addTallied adds the number of calls in the notes of a kind as a figure. calls is the number of all calls.
func addTallied(m *judge.Measurement, target, kind string, calls int) {
	n := lists.Sum(m.Of(kind), func(note judge.Note) int { return note.Calls })
	m.Values[target] = judge.Int(n, judge.Number)
	m.Detail[target] = fmt.Sprintf("%d of %s", n, judge.CountOf(calls, "call")) + m.Among(kind)
}
