package gates

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Stability measures whether an agent makes progress within a run, or goes back and forth, repeats itself and uses ever more
// tokens.
var Stability = &judge.Gate{
	Name: "stability",
	Doc: `Stability: does a run move on

` + "```yaml" + `
stability:
  expect:
    - stability.loops: {">=": 100}
` + "```" + `

Use it for long tasks, where an agent can get lost although each call is right. In the first four figures, means over the runs rounded
down once, 100 is steady. Good runs have 80 or more in all four; the default finds only runs that are plainly lost. A run of fewer than
two calls has 100 in the first three.

| calls (! failed) | thrash | loops | progress |
|---|---|---|---|
| a(1), b(1), a(1), b(1) | 50 | 100 | 0 |
| a(1), b(1), a(2), b(2) | 75 | 100 | 100 |
| get(7)!, get(7)!, get(7)! | 100 | 33 | 0 |

In the second row a(2) brings a new value, b(2) does not. Turns of 100, 100, 150 and 250 tokens (f 200, s 400) have a growth of 80.`,
	Keys: []judge.Key{
		{Name: "window", Type: judge.TypeWhole, Doc: "How many earlier calls thrash looks at, 1 or more; by default 4."},
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
	{Name: thrashTarget, Unit: judge.Percent, Doc: "Share of calls that are not bad. A bad call goes back to a tool used within the `window` calls before, from another tool, with no argument value that earlier calls lacked."},
	{Name: loopsTarget, Unit: judge.Percent, Doc: "Share of calls before which no equal call failed, unless one has succeeded since."},
	{Name: progressTarget, Unit: judge.Percent, Doc: "Share of calls of the second half (of five, the last two) without an equal call before."},
	{Name: growthTarget, Unit: judge.Percent, Doc: "40 * (4f - s) / f, from 0 to 100, for f tokens in the first half of the turns and s in the last (of five, two each). 100 for one turn, and where f is 0. Turns are messages with recorded `tokens`; a reply without them leaves its run out."},
	{Name: driftFlagsTarget, Unit: judge.Number, Doc: "How many of these four are below 50."},
}

var stabilityDefault = []judge.Floor{{Target: driftFlagsTarget, Bound: "<= 0"}}

// defaultWindow is the number of earlier calls that thrash compares a call with.
const defaultWindow = 4

// stability is a stability block.
type stability struct{ window int }

func configureStability(block *yamlread.Map, _ judge.Context) judge.Plan {
	s := stability{window: block.Int("window", defaultWindow, 1)}
	plan := judge.Plan{Measurer: &s, Expect: judge.ReadExpect(block, stabilityTargets, stabilityDefault)}
	block.Done()
	return plan
}

// Measure computes the means over the runs.
func (s *stability) Measure(tr *trace.Trace) judge.Measurement {
	c := newStabilityCount(s.window)
	for i := range tr.Runs {
		c.run(&tr.Runs[i])
	}
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}}
	if c.unkept == 0 {
		m.Counts = map[string]int{"calls": c.calls, "thrashed": c.thrashed, "looped": c.looped, "redone": c.redone}
	}
	if c.calls == 0 {
		for _, target := range stabilityTargets {
			m.Absent[target.Name] = judge.NoCall
		}
		return m
	}
	why := unkeptArgs(c.unkept, c.calls)
	if why == "" {
		m.Notes = append(tallies(judge.Thrashed, c.backs), tallies(judge.Looped, c.loops)...)
		m.Notes = append(m.Notes, tallies(judge.Redone, c.repeats)...)
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
