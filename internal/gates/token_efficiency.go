package gates

import (
	"math/big"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// TokenEfficiency relates the number of right picks of an agent to the cost of its tools.
var TokenEfficiency = &judge.Gate{
	Name: "token_efficiency",
	Doc: `Token efficiency: how much does a correct selection cost

` + "```yaml" + `
token_efficiency:
  expect:
    - token_efficiency.tokens_per_correct: {"<=": 900}
` + "```" + `

Calls are scored as in [` + "`equal_function_sets`" + `](#equal_function_sets). The tool surface is the number of [surface
tokens](catalogs.md#surface-tokens) of all tools in a request, including distractors. It is computed from the cassette's catalog, otherwise
from the servers' snapshots. If both are missing, the gate is an error.

If tools were deferred, the tool surface is the largest number of [surface tokens of a run](cassettes.md#deferred-tools).

The cost of a run is its recorded cost, otherwise its tokens at the prices in ` + "`pricing:`" + `. The cost of unfinished runs counts, too. Reports
grade F1: A from 90 %, B from 80 %, C from 70 %, D from 60 %, otherwise F.`,
	Keys: []judge.Key{
		{Name: "classes", Type: judge.TypeClasses, Keys: classKeys, Doc: "The classes that the task needs. Required unless the test has `classes:`."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   efficiencyTargets,
	Default:   efficiencyDefault,
	Needs:     judge.NeedRuns | judge.NeedCatalog | judge.NeedTokens,
	Configure: configureTokenEfficiency,
}

const (
	tokenF1Target          = "token_efficiency.f1"
	surfaceTarget          = "token_efficiency.tool_surface_tokens"
	currentSurfaceTarget   = "token_efficiency.current_surface_tokens"
	correctTarget          = "token_efficiency.correct_selections"
	costTarget             = "token_efficiency.cost"
	tokensPerCorrectTarget = "token_efficiency.tokens_per_correct"
	costPerCorrectTarget   = "token_efficiency.cost_per_correct"
)

var efficiencyTargets = []judge.Target{
	{Name: tokenF1Target, Unit: judge.Percent, Doc: "F1 over the classes."},
	{Name: surfaceTarget, Unit: judge.Tokens, Doc: "The tool surface of the judged runs."},
	{Name: currentSurfaceTarget, Unit: judge.Tokens, Doc: "The tool surface of today's snapshots of the same servers. An expectation on this figure is an error if the snapshots have no tool."},
	{Name: correctTarget, Unit: judge.Number, Doc: "The number of satisfied classes, summed over runs."},
	{Name: costTarget, Unit: judge.Dollars, Doc: "The sum of the runs' known costs. Absent for a built-in agent."},
	{Name: tokensPerCorrectTarget, Unit: judge.TokensPerCorrect, Doc: "tool_surface_tokens / correct_selections. Absent if correct_selections is 0."},
	{Name: costPerCorrectTarget, Unit: judge.DollarsPerCorrect, Doc: "cost / correct_selections. Absent if correct_selections is 0."},
}

var efficiencyDefault = []judge.Floor{{Target: tokenF1Target, Bound: ">= 50"}}

func configureTokenEfficiency(block *yamlread.Map, in judge.Context) judge.Plan {
	classes, ofTest := ownOrTestClasses(block, in)
	expect := judge.ReadExpect(block, efficiencyTargets, efficiencyDefault)
	asksCurrent := slices.ContainsFunc(expect, func(e judge.Expectation) bool { return e.Target == currentSurfaceTarget })
	plan := judge.Plan{
		Classes: ofTest,
		Members: classMembers(classes),
		Named:   classNames(classes),
		Sought:  judge.SoughtClasses(classes),
		Servers: in.Servers,
		Expect:  expect,
		Measurer: judge.Measure(func(tr *trace.Trace) judge.Measurement {
			m := measureEfficiency(scoreClasses(classes, in, tr.Runs), tr)
			if asksCurrent && tr.CurrentSurface == trace.Known(0) {
				m.Err = "the snapshots of the servers list no tools, expected at least one"
			}
			return m
		}),
	}
	block.Done()
	return plan
}

func measureEfficiency(s selection, tr *trace.Trace) judge.Measurement {
	f1 := s.f1()
	m := judge.Measurement{
		Values: map[string]judge.Value{
			tokenF1Target: judge.Int(f1, judge.Percent),
			correctTarget: judge.Int(s.TP, judge.Number),
		},
		Absent:  map[string]string{},
		Detail:  map[string]string{tokenF1Target: s.detail(), correctTarget: s.detail()},
		Grounds: s.Grounds,
	}
	m.Grade = grade(f1)
	if tr.Surface.Known {
		m.Values[surfaceTarget] = judge.Ratio(tr.Surface.N, 1, judge.Tokens)
	} else {
		m.Absent[surfaceTarget] = unknownSurface(tr)
	}
	switch {
	case !tr.CurrentSurface.Known:
		m.Absent[currentSurfaceTarget] = "the servers have no snapshot; give them a catalog:"
	case tr.CurrentSurface.N > 0: // at 0, the figure is missing, which is an error if the suite expects it
		m.Values[currentSurfaceTarget] = judge.Ratio(tr.CurrentSurface.N, 1, judge.Tokens)
	}
	addPerCorrect(&m, s.TP, tr)
	return m
}

// addPerCorrect adds the cost in dollars, and the costs in tokens and dollars per right pick. correct is the number of right picks.
func addPerCorrect(m *judge.Measurement, correct int, tr *trace.Trace) {
	const nothingRight = "no class was satisfied, so there is nothing to divide by"
	switch {
	case !tr.Surface.Known:
		m.Absent[tokensPerCorrectTarget] = unknownSurface(tr)
	case correct > 0:
		m.Values[tokensPerCorrectTarget] = judge.Ratio(tr.Surface.N, int64(correct), judge.TokensPerCorrect)
	default:
		m.Absent[tokensPerCorrectTarget] = nothingRight
	}
	cost := totalCost(tr)
	switch {
	case !cost.Known:
		why := "no run has a cost; record it, or list the model under pricing: and record input and output tokens"
		if note := trace.ModelNote(tr.Model); note != "" {
			why = "the agent is " + note + ", and costs nothing"
		}
		m.Absent[costTarget], m.Absent[costPerCorrectTarget] = why, why
		return
	case correct > 0:
		m.Values[costPerCorrectTarget] = dollars(cost.N, int64(correct), judge.DollarsPerCorrect)
	default:
		m.Absent[costPerCorrectTarget] = nothingRight
	}
	m.Values[costTarget] = dollars(cost.N, 1, judge.Dollars)
	m.Detail[costTarget] = "over " + judge.CountOf(len(tr.Runs), "run")
}

// unknownSurface returns the reason why the number of tokens in front of the model is not known.
func unknownSurface(tr *trace.Trace) string {
	why := "the recording does not show what the model saw"
	if tr.Deferral != nil && tr.Deferral.Why != "" {
		why = tr.Deferral.Why
	}
	return "tools were deferred, and " + why
}

// totalCost returns the known cost of the runs, in micro-dollars.
func totalCost(tr *trace.Trace) trace.Count {
	sum := tr.FailedCost
	for i := range tr.Runs {
		if cost := tr.Runs[i].Cost; cost.Known {
			sum = trace.Known(sum.N + cost.N)
		}
	}
	return sum
}

// dollars returns micro/parts micro-dollars as a figure in dollars.
func dollars(micro, parts int64, unit judge.Unit) judge.Value {
	const million = 1_000_000
	return judge.Value{Rat: new(big.Rat).Quo(big.NewRat(micro, million), new(big.Rat).SetInt64(parts)), Unit: unit}
}

func grade(f1 int) string {
	switch {
	case f1 >= 90:
		return "A"
	case f1 >= 80:
		return "B"
	case f1 >= 70:
		return "C"
	case f1 >= 60:
		return "D"
	}
	return "F"
}
