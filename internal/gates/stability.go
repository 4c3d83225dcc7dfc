package gates

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Stability measures whether an agent makes progress within a run, or goes back and forth, repeats itself and uses ever more
// tokens.
var Stability = &judge.Gate{
	Name: "stability",
	Doc: `Stability: does a run make progress

` + "```yaml" + `
stability:
  expect:
    - stability.loops: {">=": 100}
` + "```" + `

` + "`thrash`" + `, ` + "`loops`" + `, ` + "`progress`" + ` and ` + "`growth`" + ` are means over the runs. Only the mean is rounded: down. 100 is the best value, and good runs have 80 or more in
each figure. The default fails only very bad runs. A run of fewer than two calls has 100 in ` + "`thrash`" + `, ` + "`loops`" + ` and ` + "`progress`" + `.

| calls (! failed) | thrash | loops | progress |
|---|---|---|---|
| a(1), b(1), a(1), b(1) | 50 | 100 | 0 |
| a(1), b(1), a(2), b(2) | 75 | 100 | 100 |
| get(7)!, get(7)!, get(7)! | 100 | 33 | 0 |`,
	Keys: []judge.Key{
		{Name: "window", Type: judge.TypeWhole, Doc: "The number of earlier calls that `stability.thrash` looks at, 1 or more. Default: 4."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   stabilityTargets,
	Default:   stabilityDefault,
	Needs:     judge.NeedRuns,
	Keep:      trace.KeepArgs | trace.KeepUsage,
	Configure: configureStability,
}

const (
	thrashTarget     = "stability.thrash"
	loopsTarget      = "stability.loops"
	progressTarget   = "stability.progress"
	growthTarget     = "stability.growth"
	driftFlagsTarget = "stability.drift_flags"
)

var stabilityTargets = []judge.Target{
	{Name: thrashTarget, Unit: judge.Percent, Doc: "Share of calls that are not bad. A bad call follows a call of another tool, calls a tool of the last `window` calls again, and has no new argument value."},
	{Name: loopsTarget, Unit: judge.Percent, Doc: "Share of calls that do not repeat a failure. A call repeats a failure if an equal earlier call failed and no equal call has succeeded since."},
	{Name: progressTarget, Unit: judge.Percent, Doc: "Share of calls in the second half of the run (with five calls, the last two) that equal no earlier call."},
	{Name: growthTarget, Unit: judge.Percent, Doc: "40 * (4f - s) / f, but at least 0 and at most 100. f is the number of tokens in the first half of the turns, and s the number in the last half. With five turns, each half has two turns. If there is one turn or f is 0, the value is 100. Turns are messages with recorded `tokens`. A run is left out if one of its replies has no `tokens`."},
	{Name: driftFlagsTarget, Unit: judge.Number, Doc: "The number of figures among `thrash`, `loops`, `progress` and `growth` that are below 50."},
}

var stabilityDefault = []judge.Floor{{Target: driftFlagsTarget, Bound: "<= 0"}}

// defaultWindow is the number of earlier calls with which the figure thrash compares a call.
const defaultWindow = 4

type stability struct{ window int }

func configureStability(block *yamlread.Map, _ judge.Context) judge.Plan {
	s := stability{window: block.Int("window", defaultWindow, 1)}
	plan := judge.Plan{Measurer: &s, Expect: judge.ReadExpect(block, stabilityTargets, stabilityDefault)}
	block.Done()
	return plan
}

// Measure computes the means over the runs.
func (s *stability) Measure(tr *trace.Trace) judge.Measurement {
	c := &stabilityCount{
		window: s.window, same: newSameCalls(), ids: map[catalog.Ref]string{},
		backs: map[string]judge.Note{}, loops: map[string]judge.Note{}, repeats: map[string]judge.Note{},
	}
	for i := range tr.Runs {
		c.countRun(&tr.Runs[i])
	}
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}}
	if c.unkept == 0 {
		m.Counts = map[string]int{"calls": c.calls, "thrashed": c.thrashed, "looped": c.looped, "redone": c.redone}
	}
	if c.calls == 0 {
		m.Absent = allAbsent(stabilityTargets, judge.NoCall)
		return m
	}
	why := unkeptArgs(c.unkept, c.calls)
	if why == "" {
		m.Notes = append(tallyNotes(judge.Thrashed, c.backs), tallyNotes(judge.Looped, c.loops)...)
		m.Notes = append(m.Notes, tallyNotes(judge.Redone, c.repeats)...)
	}
	c.addFigures(&m)
	setAbsent(&m, why, thrashTarget, loopsTarget, progressTarget, driftFlagsTarget)
	return m
}

func (c *stabilityCount) addFigures(m *judge.Measurement) {
	const low = 50
	var flags []string
	for _, figure := range []struct {
		target string
		mean   *exactMean
		among  string
	}{
		{thrashTarget, &c.thrash, m.Among(judge.Thrashed)}, {loopsTarget, &c.loop, m.Among(judge.Looped)},
		{progressTarget, &c.progress, m.Among(judge.Redone)}, {growthTarget, &c.growth, ""},
	} {
		if figure.mean.runs == 0 {
			m.Absent[figure.target] = `no run has tokens for each turn; record them as "tokens" in the turns of "conversation"`
			continue
		}
		percent := figure.mean.floor()
		m.Values[figure.target] = judge.Int(percent, judge.Percent)
		m.Detail[figure.target] = figure.mean.worst() + figure.among
		if percent < low {
			flags = append(flags, fmt.Sprintf("%s %d%%", figure.target, percent))
		}
	}
	m.Values[driftFlagsTarget] = judge.Int(len(flags), judge.Number)
	m.Detail[driftFlagsTarget] = strings.Join(flags, ", ")
}
