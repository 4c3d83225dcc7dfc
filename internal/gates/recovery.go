package gates

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Recovery measures what an agent does after an error.
var Recovery = &judge.Gate{
	Name: "recovery",
	Doc: `Recovery: what does the agent do after an error

` + "```yaml" + `
recovery:
  max_retries: 1
  expect:
    - recovery.gave_up: {"<=": 0}
` + "```" + `

If no run met one of the test's [faults](live.md#faults), the gate is an error. If no call failed, the default is skipped. If a server does not
set the error flag, give the test an ` + "`error_pattern`" + `. For tools that only read, expect ` + "`recovery.recovered >= 80`" + `.

| calls (! failed), class {get, fetch} | recovered | identical_retries | gave_up | alternatives |
|---|---|---|---|---|
| get(1)!, get(1)!, get(1)! | 0 | 2 | 1 | 0 |
| get(1)!, other(1), fetch(1) | 100 | 0 | 0 | 1 |
| get(1)!, get(1)!, get(2), other(3)! | 66 | 1 | 1 | 0 |`,
	Keys: []judge.Key{
		{Name: "after", Type: judge.TypeTexts, Doc: "Tools or kinds of faults. A failed call counts only if it calls one of these tools, or if its recorded `fault` is one of these kinds."},
		{Name: maxRetries, Type: judge.TypeWhole, Doc: "The highest accepted `recovery.identical_retries`."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   recoveryTargets,
	Default:   recoveryDefault,
	Needs:     judge.NeedRuns,
	Keep:      trace.KeepArgs,
	Configure: configureRecovery,
}

const (
	recoveredTarget    = "recovery.recovered"
	retriesTarget      = "recovery.identical_retries"
	gaveUpTarget       = "recovery.gave_up"
	alternativesTarget = "recovery.alternatives"

	maxRetries = "max_retries" // key of the bound on retriesTarget
)

var recoveryTargets = []judge.Target{
	{Name: recoveredTarget, Unit: judge.Percent, Doc: "Share of failed calls after which the same tool, or another tool of its class in the test, succeeds in the run. Absent if no call failed."},
	{Name: retriesTarget, Unit: judge.Number, Doc: "The largest number of consecutive calls of a run that each repeat the failed call just before."},
	{Name: gaveUpTarget, Unit: judge.Number, Doc: "Runs whose last call failed."},
	{Name: alternativesTarget, Unit: judge.Number, Doc: "Failed calls after which another tool of the class succeeded before the failed tool did. Absent without classes."},
}

var recoveryDefault = []judge.Floor{{Target: recoveredTarget, Bound: ">= 50"}}

type recovery struct {
	in     judge.Context
	after  judge.Members // entries of "after" that are tools
	faults []string      // entries of "after" that are faults
	all    bool          // all failed calls count, because the block has no key "after"
}

func configureRecovery(block *yamlread.Map, in judge.Context) judge.Plan {
	r := recovery{in: in, all: !block.Has("after")}
	plan := judge.Plan{Measurer: &r, Classes: in.TestClasses}
	if !r.all {
		plan.Members = r.readAfter(block)
	}
	plan.Expect = judge.ReadExpect(block, recoveryTargets, recoveryDefault)
	for i := range plan.Expect {
		if plan.Expect[i].Pos.Line == 0 { // the default
			plan.Expect[i].SkipAbsent = true
		}
	}
	if most, ok := block.Whole(maxRetries, 0); ok {
		plan.Expect = append(plan.Expect, judge.Expectation{
			Target: maxRetries, Pos: block.KeyPos(maxRetries), Matcher: judge.Bound("<=", new(big.Rat).SetInt64(int64(most))), ErrorAbsent: true,
		})
	}
	block.Done()
	return plan
}

func (r *recovery) readAfter(block *yamlread.Map) []judge.Member {
	entries := readMembers(block, "after")
	isFault := func(m judge.Member) bool { return slices.Contains(fault.Names(), m.Name) }
	for _, entry := range entries {
		if isFault(entry) {
			r.faults = append(r.faults, entry.Name)
		}
	}
	r.after = judge.NewMembers(memberNames(entries), r.in.Servers) // includes names of faults, because a tool can have such a name
	return slices.DeleteFunc(entries, isFault)
}

var _ judge.Keeper = (*recovery)(nil)

// Keep asks for the results if faults matter, because the faults of calls are kept with them.
func (r *recovery) Keep() trace.Keep {
	if len(r.faults) == 0 && len(r.in.Faults) == 0 {
		return 0
	}
	return trace.KeepResults
}

func (r *recovery) isCounted(call *trace.Call) bool {
	if !call.Failed || r.all {
		return call.Failed
	}
	hasFault := call.Detail != nil && slices.Contains(r.faults, call.Detail.Fault)
	return hasFault || r.after.Names(call.Tool.Ref)
}

// Measure computes the figures from the calls of all runs.
func (r *recovery) Measure(tr *trace.Trace) judge.Measurement {
	c := &recoveryCount{
		gate: r, scorer: newScorer(r.in.Classes, r.in.Servers), same: newSameCalls(),
		classes: make([]nextSuccess, len(r.in.Classes)), tools: map[*toolScore]nextSuccess{},
		unrecovered: map[string]judge.Note{}, retried: map[string]judge.Note{}, gaveUp: map[string]judge.Note{},
	}
	for i := range tr.Runs {
		c.countRun(&tr.Runs[i])
	}
	if unmet := r.unmetFaults(tr.Runs); unmet != "" {
		return judge.Measurement{Err: unmet}
	}
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}}
	m.Counts = map[string]int{"calls": c.calls, "errors": c.errors, "recovered": c.recovered}
	if c.unkept == 0 {
		m.Counts["retries"] = c.retries
	}
	if c.calls == 0 {
		m.Absent = allAbsent(recoveryTargets, judge.NoCall)
		return m
	}
	m.Notes = append(tallyNotes(judge.Unrecovered, c.unrecovered), tallyNotes(judge.Retried, c.retried)...)
	m.Notes = append(m.Notes, tallyNotes(judge.GaveUp, c.gaveUp)...)
	c.addFigures(&m)
	return m
}

// unmetFaults returns a message about the test's faults that no run met; "" if runs met all of them.
func (r *recovery) unmetFaults(runs []trace.Run) string {
	unmet := lists.Map(trace.Unmet(r.in.Faults, runs), func(f fault.Fault) string { return strconv.Quote(f.String()) })
	if len(unmet) == 0 {
		return ""
	}
	return "no run met the fault " + strings.Join(unmet, " or ") + ": nothing shows what the agent does then"
}

func (c *recoveryCount) addFigures(m *judge.Measurement) {
	if c.errors > 0 {
		m.Values[recoveredTarget] = share(c.recovered, c.errors)
		m.Detail[recoveredTarget] = fmt.Sprintf("%d of %d errors were recovered from", c.recovered, c.errors) + m.Among(judge.Unrecovered)
	} else {
		m.Absent[recoveredTarget] = c.gate.whyNoErrors()
	}
	retries := judge.Int(c.longest, judge.Number)
	m.Values[retriesTarget], m.Values[maxRetries] = retries, retries
	m.Detail[retriesTarget] = judge.CountOf(c.retries, "call") + " equal to the error just before" + m.Among(judge.Retried)
	m.Detail[maxRetries] = m.Detail[retriesTarget]
	setAbsent(m, unkeptArgs(c.unkept, c.calls), retriesTarget, maxRetries)
	m.Values[gaveUpTarget] = judge.Int(c.abandoned, judge.Number)
	m.Detail[gaveUpTarget] = fmt.Sprintf("of %s", judge.CountOf(c.runs, "run")) + m.Among(judge.GaveUp)
	if len(c.gate.in.Classes) == 0 {
		m.Absent[alternativesTarget] = "the test has no classes; give it classes, equal_function_sets or token_efficiency"
		return
	}
	m.Values[alternativesTarget] = judge.Int(c.alternatives, judge.Number)
	m.Detail[alternativesTarget] = fmt.Sprintf("of %s", judge.CountOf(c.errors, "error"))
}

func (r *recovery) whyNoErrors() string {
	if r.all {
		return `no call returned an error; where errors are plain text, give the test an "error_pattern"`
	}
	return `no call that "after" names returned an error; where errors are plain text, give the test an "error_pattern"`
}
