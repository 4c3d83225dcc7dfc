package gates

import (
	"fmt"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/stat"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Orchestration diagnoses how an agent works with the tools that it picks.
var Orchestration = &judge.Gate{
	Name: "orchestration",
	Doc: `Orchestration: are the agent's calls valid and efficient

` + "```yaml" + `
orchestration:
  error_pattern: (?i)^error
  expect:
    - orchestration.schema_valid: {">=": 95}
` + "```" + `

The gate uses the test's classes, otherwise the classes of the test's ` + "`equal_function_sets`" + `, otherwise those of its ` + "`token_efficiency`" + `.
Absent or empty arguments count as ` + "`{}`" + `. If there are no calls, ` + "`efficiency`" + ` is 0.

` + "`schema_valid`" + ` and ` + "`hallucinated`" + ` use the recorded catalog. If the recording has no catalog, they use the servers' snapshots and leave out
calls to declared servers without a snapshot. A tool without a schema accepts any object, and ` + "`format`" + ` is not checked. A call is left out if
its tool's schema does not compile or takes too much work to check: if it has dynamic references, patterns that RE2 does not support, or
more than 5,000 nodes.`,
	Keys: []judge.Key{
		{Name: "error_pattern", Type: judge.TypeRegexp, Doc: "A call whose result matches this [RE2](https://github.com/google/re2/wiki/Syntax) expression also counts as failed."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   orchestrationTargets,
	Default:   orchestrationDefault,
	Needs:     judge.NeedRuns,
	Keep:      trace.KeepArgs,
	Configure: configureOrchestration,
}

// SchemaValid is the target of the figure on arguments that fit the tools' schemas.
const SchemaValid = "orchestration.schema_valid"

const (
	discoveryTarget        = "orchestration.discovery"
	parameterizationTarget = "orchestration.parameterization"
	syntaxTarget           = "orchestration.syntax"
	errorRecoveryTarget    = "orchestration.error_recovery"
	efficiencyTarget       = "orchestration.efficiency"
	schemaValidTarget      = SchemaValid
	hallucinatedTarget     = "orchestration.hallucinated"
)

var orchestrationTargets = []judge.Target{
	{Name: discoveryTarget, Unit: judge.Percent, Doc: "The `tool_selection.recall` of `equal_function_sets`. Absent without classes."},
	{Name: parameterizationTarget, Unit: judge.Percent, Doc: "Share of calls that have arguments, or whose tool's schema is known and has no properties."},
	{Name: syntaxTarget, Unit: judge.Percent, Doc: "Share of calls that have a tool name and a JSON object as arguments."},
	{Name: errorRecoveryTarget, Unit: judge.Percent, Doc: "Share of failed calls after which the same tool, or another tool of its class, succeeds in the run. 100 if no call failed."},
	{Name: efficiencyTarget, Unit: judge.Percent, Doc: "100 * classes * runs / calls, at most 100. A value below 100 is never rounded up to 100. Absent without classes."},
	{Name: schemaValidTarget, Unit: judge.Percent, Doc: "Share of calls to tools of the catalog whose arguments the tool's `inputSchema` accepts."},
	{Name: hallucinatedTarget, Unit: judge.Number, Doc: "Calls to tools that are not in the catalog."},
}

var orchestrationDefault = []judge.Floor{{Target: syntaxTarget, Bound: ">= 100"}, {Target: errorRecoveryTarget, Bound: ">= 50"}}

type orchestration struct {
	in           judge.Context
	errorPattern *judge.Pattern // value of the key "error_pattern"; nil without the key
}

func configureOrchestration(block *yamlread.Map, in judge.Context) judge.Plan {
	o := orchestration{in: in, errorPattern: judge.ReadErrorPattern(block)}
	plan := judge.Plan{Measurer: &o, Classes: in.TestClasses, Expect: judge.ReadExpect(block, orchestrationTargets, orchestrationDefault)}
	block.Done()
	return plan
}

var _ judge.Keeper = (*orchestration)(nil)

// Keep asks for the results if the block has a pattern to match them with.
func (o *orchestration) Keep() trace.Keep {
	if o.errorPattern == nil {
		return 0
	}
	return trace.KeepResults
}

// Measure computes the figures from the calls of all runs.
func (o *orchestration) Measure(tr *trace.Trace) judge.Measurement {
	c := newOrchestrationCount(o, tr)
	for i := range tr.Runs {
		c.countRun(&tr.Runs[i])
	}
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}, Steps: c.meter.Steps()}
	m.Counts = map[string]int{
		"calls": c.calls, "errors": c.errors, "recovered": c.recovered, "well_formed": c.wellFormed, "with_args": c.withArgs,
	}
	c.addCalls(&m)
	c.addClasses(&m, len(o.in.Classes), len(tr.Runs))
	if tr.Catalog == nil {
		why := "no tool catalog is known: the cassette holds none and the servers have no snapshot; " + tr.Renewal() + ", or give the servers a catalog:"
		m.Absent[schemaValidTarget], m.Absent[hallucinatedTarget] = why, why
		return m
	}
	c.addCatalog(&m)
	return m
}

// share returns part as a percentage of whole, rounded down. whole must not be 0.
func share(part, whole int) judge.Value {
	return judge.Int(stat.FloorPercent(int64(part), int64(whole)), judge.Percent)
}

func (c *orchestrationCount) addCalls(m *judge.Measurement) {
	if c.calls == 0 {
		m.Absent[parameterizationTarget], m.Absent[syntaxTarget], m.Absent[errorRecoveryTarget] = judge.NoCall, judge.NoCall, judge.NoCall
		return
	}
	c.addArguments(m)
	m.Values[errorRecoveryTarget] = judge.Int(100, judge.Percent)
	if c.errors > 0 {
		m.Values[errorRecoveryTarget] = share(c.recovered, c.errors)
	}
	m.Notes = append(m.Notes, tallyNotes(judge.Unrecovered, c.unrecovered)...)
	m.Detail[errorRecoveryTarget] = fmt.Sprintf("%d of %d errors were recovered from", c.recovered, c.errors) + m.Among(judge.Unrecovered)
}

func (c *orchestrationCount) addArguments(m *judge.Measurement) {
	if why := unkeptArgs(c.unknownArgs, c.calls); why != "" {
		m.Absent[parameterizationTarget], m.Absent[syntaxTarget] = why, why
		return
	}
	m.Values[parameterizationTarget] = share(c.withArgs, c.calls)
	m.Detail[parameterizationTarget] = fmt.Sprintf("%d of %d calls have arguments", c.withArgs, c.calls)
	m.Values[syntaxTarget] = share(c.wellFormed, c.calls)
	m.Detail[syntaxTarget] = fmt.Sprintf("%d of %d calls are well formed", c.wellFormed, c.calls)
}

func (c *orchestrationCount) addClasses(m *judge.Measurement, classes, runs int) {
	if classes == 0 {
		const why = "the test has no classes; give it classes:, equal_function_sets or token_efficiency"
		m.Absent[discoveryTarget], m.Absent[efficiencyTarget] = why, why
		return
	}
	m.Values[efficiencyTarget] = judge.Int(efficiency(classes*runs, c.calls), judge.Percent)
	m.Detail[efficiencyTarget] = fmt.Sprintf("%d calls, where %d classes in %d runs need %d", c.calls, classes, runs, classes*runs)
	selection := c.scorer.selection()
	m.Values[discoveryTarget] = judge.Int(selection.recall(), judge.Percent)
	m.Detail[discoveryTarget] = selection.detail()
}

func efficiency(needed, calls int) int {
	if calls == 0 {
		return 0
	}
	return min(100, stat.RoundPercent(int64(needed), int64(calls)))
}

func (c *orchestrationCount) addCatalog(m *judge.Measurement) {
	m.Notes = append(m.Notes, tallyNotes(judge.Hallucinated, c.invented)...)
	m.Values[hallucinatedTarget] = judge.Int(c.unknown, judge.Number)
	m.Detail[hallucinatedTarget] = fmt.Sprintf("%d of %d calls", c.unknown, c.calls) + m.Among(judge.Hallucinated)
	switch checked := c.valid + c.refused; {
	case c.calls == 0:
		m.Absent[schemaValidTarget] = judge.NoCall
	case c.unknownArgs > 0:
		m.Absent[schemaValidTarget] = unkeptArgs(c.unknownArgs, c.calls)
	case c.listed == 0:
		m.Absent[schemaValidTarget] = fmt.Sprintf("none of the %s is to a tool of the catalog", judge.CountOf(c.calls, "call"))
	case c.meter.Exhausted():
		m.Absent[schemaValidTarget] = "checking the arguments against the tools' schemas takes too much work"
	case checked == 0:
		m.Absent[schemaValidTarget] = fmt.Sprintf("none of the %d calls to tools of the catalog can be checked: their schemas do not compile, or take too much work to check", c.listed)
	default:
		m.Counts["schema_checked"], m.Counts["schema_valid"] = checked, c.valid
		m.Notes = append(m.Notes, tallyNotes(judge.Invalid, c.invalid)...)
		m.Values[schemaValidTarget] = share(c.valid, checked)
		m.Detail[schemaValidTarget] = fmt.Sprintf("%d of %d calls fit their tool's schema", c.valid, checked) + m.Among(judge.Invalid)
	}
}
