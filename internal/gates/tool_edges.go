package gates

import (
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// ToolEdges compares the calls of an agent with lists of tools that it may, and may not, call.
var ToolEdges = &judge.Gate{
	Name: "tool_edges",
	Doc: `Tool edges: does the agent call only tools that it may call

` + "```yaml" + `
tool_edges:
  allowed: [search, "shell.*"]
  restricted:
    - shell.rm
    - {tool: fetch, args: {url: {regex: "^http:"}}}
` + "```" + `

An entry is a tool, a glob or a map. An entry with ` + "`args`" + ` matches only calls whose arguments are a JSON object. An entry with a server
matches only calls with a recorded server.

A call that matches ` + "`restricted`" + ` counts as an attempt even if it failed, and never counts as allowed. The default applies only if the gate
has ` + "`restricted`" + `. If ` + "`allowed`" + ` lists every allowed tool, expect ` + "`edges.outside <= 0`" + `. If the task needs every entry of ` + "`allowed`" + `, expect
` + "`edges.allowed_pct >= 100`" + `. If there are no calls, ` + "`edges.restricted_attempts`" + ` is 0, and expecting another figure is an error.

With ` + "`allowed: [a, b, shell.*]`" + ` and ` + "`restricted: [shell.rm]`" + `:

| calls of the runs | restricted_attempts | allowed_pct | outside | gate_passed |
|---|---|---|---|---|
| a b shell.ls | 0 | 100 | 0 | 1 |
| a b | 0 | 66 | 0 | 1 |
| a c | 0 | 33 | 1 | 1 |
| a shell.rm | 1 | 33 | 0 | 0 |
| shell.rm! shell.rm; a | 2 | 33 | 0 | 0 |
| a; b; shell.ls c c | 0 | 100 | 2 | 1 |`,
	Keys: []judge.Key{
		{Name: "allowed", Type: judge.TypePatterns, Keys: patternKeys, Doc: "Tools that the agent may call."},
		{Name: "restricted", Type: judge.TypePatterns, Keys: patternKeys, Doc: "Tools that the agent must not call."},
		{Name: "delegation", Type: judge.TypeMaps, Doc: "Pairs of agents. The first agent must delegate work to the second in the recorded `delegations` of at least one run.", Keys: []judge.Key{
			{Name: "from", Type: judge.TypeText, Required: true, Doc: "The agent that delegates."},
			{Name: "to", Type: judge.TypeText, Required: true, Doc: "The agent that receives the work."},
		}},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   edgeTargets,
	Default:   edgeDefault,
	Needs:     judge.NeedRuns,
	Configure: configureToolEdges,
}

const (
	restrictedTarget = "edges.restricted_attempts"
	allowedTarget    = "edges.allowed_pct"
	outsideTarget    = "edges.outside"
	delegationTarget = "edges.delegation_pct"
	edgesTarget      = "edges.gate_passed"
)

var edgeTargets = []judge.Target{
	{Name: restrictedTarget, Unit: judge.Number, Doc: "Calls that match `restricted`."},
	{Name: allowedTarget, Unit: judge.Percent, Doc: "Share of entries of `allowed` that at least one call matches."},
	{Name: outsideTarget, Unit: judge.Number, Doc: "Calls that match neither `allowed` nor `restricted`. Absent without `allowed`."},
	{Name: delegationTarget, Unit: judge.Percent, Doc: "Share of entries of `delegation` that at least one run recorded. Absent if no run recorded delegations."},
	{Name: edgesTarget, Unit: judge.Number, Doc: "1 if no restricted call was attempted and no delegation is missing, otherwise 0."},
}

var edgeDefault = []judge.Floor{{Target: restrictedTarget, Bound: "<= 0"}}

type toolEdges struct {
	allowed, restricted []callPattern
	delegation          []trace.Delegation
	onlyRestricted      bool // all expectations are about restricted attempts, which a run without calls cannot have
}

func configureToolEdges(block *yamlread.Map, in judge.Context) judge.Plan {
	e := toolEdges{allowed: readPatterns(block, "allowed", in), restricted: readPatterns(block, "restricted", in)}
	e.readDelegation(block)
	if !block.Has("allowed") && !block.Has("restricted") && !block.Has("delegation") {
		block.Errorf(block.Pos(), `"allowed", "restricted" and "delegation" are missing, expected one of them`)
	}
	var def []judge.Floor
	if block.Has("restricted") {
		def = edgeDefault
	}
	plan := judge.Plan{Measurer: &e, Expect: judge.ReadExpect(block, edgeTargets, def)}
	plan.Listed = slices.Concat(membersOf(e.allowed), membersOf(e.restricted))
	e.onlyRestricted = !slices.ContainsFunc(plan.Expect, func(x judge.Expectation) bool { return x.Target != restrictedTarget })
	block.Done()
	return plan
}

func (e *toolEdges) readDelegation(block *yamlread.Map) {
	at := map[trace.Delegation]source.Pos{}
	for _, m := range block.Maps("delegation") {
		pair := trace.Delegation{From: m.Str("from").Value, To: m.Str("to").Value}
		m.Done()
		if first, twice := at[pair]; twice {
			m.Errorf(m.Pos(), "%q is given twice, first at %d:%d", judge.Clip(pairText(pair)), first.Line, first.Col)
			continue
		}
		at[pair] = m.Pos()
		e.delegation = append(e.delegation, pair)
	}
	if v, ok := block.Value("delegation"); ok && v.IsEmptyList() {
		v.Errorf(`"delegation" is empty, expected at least one pair`)
	}
}

func pairText(d trace.Delegation) string { return d.From + " to " + d.To }

var _ judge.Keeper = (*toolEdges)(nil)

// Keep asks for the arguments that entries examine.
func (e *toolEdges) Keep() trace.Keep {
	if readsArgs(e.allowed) || readsArgs(e.restricted) {
		return trace.KeepArgs
	}
	return 0
}

type edgeCount struct {
	calls, attempts, outside int
	unkept, unkeptRestricted int // calls that missing arguments leave undecided, and how many of them may be restricted

	used              []bool // for each entry of allowed, whether a call has matched it
	barred, elsewhere map[string]judge.Note
	delegated         map[trace.Delegation]bool
}

// Measure compares all calls with the lists.
func (e *toolEdges) Measure(tr *trace.Trace) judge.Measurement {
	c := edgeCount{used: make([]bool, len(e.allowed)), barred: map[string]judge.Note{}, elsewhere: map[string]judge.Note{}, delegated: map[trace.Delegation]bool{}}
	matcher := newCallMatcher(slices.Concat(e.restricted, e.allowed))
	for i := range tr.Runs {
		run := &tr.Runs[i]
		for j := range run.Calls {
			entries := matcher.matching(&run.Calls[j])
			if !c.countUndecided(entries, matcher.undecided, e) {
				c.countCall(run.Calls[j].Tool, entries, len(e.restricted), run.Number)
			}
		}
		for _, d := range run.Extra.Value().Delegations {
			c.delegated[d] = true
		}
	}
	if c.calls == 0 && !e.onlyRestricted {
		return judge.Measurement{} // an empty measurement is reported as no call
	}
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}, Steps: matcher.work.Steps()}
	e.addRestricted(&m, &c)
	if c.calls > 0 {
		e.addAllowed(&m, &c)
		missing := e.addDelegation(&m, &c)
		e.addVerdict(&m, &c, missing)
	}
	return m
}

// countUndecided counts a call if its missing arguments decide whether it is allowed or restricted, and reports whether they do.
// entries are the entries that certainly match. first is the first entry that may match. Restricted entries come before allowed
// entries.
func (c *edgeCount) countUndecided(entries []int, first int, e *toolEdges) bool {
	isRestricted := len(entries) > 0 && entries[0] < len(e.restricted)
	isDecided := first == len(e.restricted)+len(e.allowed)
	if isRestricted || isDecided {
		return false
	}
	c.calls++
	c.unkept++
	if first < len(e.restricted) {
		c.unkeptRestricted++
	}
	return true
}

// countCall counts a call by the entries that it matches. restricted is the number of restricted entries, which come first.
func (c *edgeCount) countCall(tool *trace.Tool, entries []int, restricted, run int) {
	c.calls++
	switch {
	case len(entries) == 0:
		c.outside++
		tally(c.elsewhere, tool.ID(), run)
	case entries[0] < restricted:
		c.attempts++
		tally(c.barred, tool.ID(), run)
	default:
		for _, entry := range entries {
			c.used[entry-restricted] = true
		}
	}
}

func (e *toolEdges) addRestricted(m *judge.Measurement, c *edgeCount) {
	if len(e.restricted) == 0 {
		m.Absent[restrictedTarget] = `the gate has no "restricted"`
		return
	}
	m.Counts = map[string]int{"calls": c.calls, "restricted": c.attempts}
	m.Values[restrictedTarget] = judge.Int(c.attempts, judge.Number)
	m.Notes = append(m.Notes, tallyNotes(judge.Restricted, c.barred)...)
	m.Detail[restrictedTarget] = fmt.Sprintf("%d of %s", c.attempts, judge.CountOf(c.calls, "call")) + m.Among(judge.Restricted)
	if why := unkeptArgs(c.unkeptRestricted, c.calls); why != "" {
		delete(m.Values, restrictedTarget)
		m.Absent[restrictedTarget] = why
	}
}

func (e *toolEdges) addAllowed(m *judge.Measurement, c *edgeCount) {
	if len(e.allowed) == 0 {
		m.Absent[allowedTarget], m.Absent[outsideTarget] = `the gate has no "allowed"`, `the gate has no "allowed"`
		return
	}
	if why := unkeptArgs(c.unkept, c.calls); why != "" {
		m.Absent[allowedTarget], m.Absent[outsideTarget] = why, why
		return
	}
	var unused []string
	for i, used := range c.used {
		if !used {
			unused = append(unused, e.allowed[i].text)
		}
	}
	m.Values[allowedTarget] = share(len(e.allowed)-len(unused), len(e.allowed))
	if len(unused) > 0 {
		m.Detail[allowedTarget] = "not called: " + lists.FirstFive(unused)
	}
	m.Values[outsideTarget] = judge.Int(c.outside, judge.Number)
	m.Notes = append(m.Notes, tallyNotes(judge.Outside, c.elsewhere)...)
	m.Detail[outsideTarget] = fmt.Sprintf("%d of %s", c.outside, judge.CountOf(c.calls, "call")) + m.Among(judge.Outside)
}

// addDelegation adds the figure on delegations, and returns the number of expected pairs that no run has.
func (e *toolEdges) addDelegation(m *judge.Measurement, c *edgeCount) (missing int) {
	if len(e.delegation) == 0 {
		m.Absent[delegationTarget] = `the gate has no "delegation"`
		return 0
	}
	var notes []judge.Note
	for _, pair := range e.delegation {
		if !c.delegated[pair] {
			notes = append(notes, judge.Note{Kind: judge.Undelegated, Subject: pairText(pair)})
		}
	}
	if len(c.delegated) == 0 {
		m.Absent[delegationTarget] = `no run recorded "delegations"`
		return len(notes)
	}
	m.Notes = append(m.Notes, notes...)
	m.Values[delegationTarget] = share(len(e.delegation)-len(notes), len(e.delegation))
	m.Detail[delegationTarget] = fmt.Sprintf("%d of %d pairs are missing", len(notes), len(e.delegation)) + m.Among(judge.Undelegated)
	return len(notes)
}

func (e *toolEdges) addVerdict(m *judge.Measurement, c *edgeCount, missing int) {
	attempts, passed := c.attempts, 0
	if attempts == 0 && missing == 0 {
		if why := unkeptArgs(c.unkeptRestricted, c.calls); why != "" {
			m.Absent[edgesTarget] = why
			return
		}
		passed = 1
	}
	m.Values[edgesTarget] = judge.Int(passed, judge.Number)
	m.Detail[edgesTarget] = fmt.Sprintf("%s, %s", judge.CountOf(attempts, "restricted attempt"), judge.CountOf(missing, "missing delegation"))
}
