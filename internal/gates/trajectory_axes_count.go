package gates

import (
	"cmp"
	"fmt"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

type axesCount struct {
	gate  *trajectoryAxes
	roles map[*trace.Tool][]edgeRole
	work  judge.Work

	order, flow axisCount
	unkept      int // calls of consumers whose missing arguments decide whether an edge holds
	unreached   int
	broken      []brokenEdge // one for each edge, without runs if the edge held in all runs
}

// axisCount counts the edges of one axis.
type axisCount struct {
	edges, pairs, held int
	first              string // reason why the axis's first broken edge failed in its first run
}

// edgeRole is the role of a tool in an edge.
type edgeRole struct {
	edge               int
	producer, consumer bool
}

// brokenEdge has the runs in which an edge did not hold.
type brokenEdge struct {
	runs  runList
	first int    // number of the first run in which the edge did not hold
	why   string // why the edge did not hold in the run with the number first
}

// edgeState is the state of an edge in one run.
type edgeState struct {
	reached   bool    // a call of the consumer was made
	succeeded bool    // a call of the producer succeeded
	why       string  // reason why the edge fails; "" if it holds so far
	supply    *supply // values of the producer's results; nil until a consumer needs them
	producers []int   // successful calls whose results are not yet in the supply
}

func newAxesCount(t *trajectoryAxes) *axesCount {
	c := &axesCount{gate: t, roles: map[*trace.Tool][]edgeRole{}, broken: make([]brokenEdge, len(t.edges))}
	for _, edge := range t.edges {
		c.axis(&edge).edges++
	}
	return c
}

func (c *axesCount) axis(edge *axisEdge) *axisCount {
	if edge.flow {
		return &c.flow
	}
	return &c.order
}

func (c *axesCount) countRun(run *trace.Run) {
	states := make([]edgeState, len(c.gate.edges))
	for i := range run.Calls {
		call := &run.Calls[i]
		for _, role := range c.rolesOf(call.Tool) {
			state := &states[role.edge]
			if role.consumer {
				c.checkConsumer(run, i, role.edge, state)
			}
			if role.producer && !call.Failed {
				state.succeeded = true
				state.producers = append(state.producers, i)
			}
		}
	}
	for i := range states {
		c.countEdge(&c.gate.edges[i], &states[i], &c.broken[i], run.Number)
	}
}

func (c *axesCount) rolesOf(tool *trace.Tool) []edgeRole {
	return lists.Cached(c.roles, tool, func() (roles []edgeRole) {
		for i, edge := range c.gate.edges {
			role := edgeRole{i, edge.from.Names(tool.Ref), edge.to.Names(tool.Ref)}
			if role.producer || role.consumer {
				roles = append(roles, role)
			}
		}
		return roles
	})
}

// checkConsumer sets state.why if the edge fails at a call of its consumer. For an edge of order, only the consumer's first call
// counts.
func (c *axesCount) checkConsumer(run *trace.Run, at, index int, state *edgeState) {
	edge := &c.gate.edges[index]
	first := !state.reached
	state.reached = true
	switch {
	case edge.flow && state.why == "":
		state.why = c.missingReason(run, at, edge, state)
	case first && !state.succeeded:
		state.why = fmt.Sprintf("no successful call of %s before call %d", edge.fromTool, at+1)
	}
}

// missingReason returns the reason why no earlier result supplies the argument of a call; "" if one does.
func (c *axesCount) missingReason(run *trace.Run, at int, edge *axisEdge, state *edgeState) string {
	if run.Calls[at].Args == trace.ArgsUnknown {
		c.unkept++
		return ""
	}
	value, ok := edge.arg.Follow(argsOf(&run.Calls[at]).object)
	if !ok {
		return fmt.Sprintf("call %d has no argument %s", at+1, edge.argText)
	}
	if !state.succeeded {
		return fmt.Sprintf("no successful call of %s before call %d", edge.fromTool, at+1)
	}
	if state.supply == nil {
		state.supply = newSupply(&c.work)
	}
	for _, i := range state.producers {
		state.supply.addResult(run.Calls[i].Result(), edge.path, i+1)
	}
	state.producers = nil
	missing := state.supply.missingValue(value)
	if missing == "" {
		return ""
	}
	return fmt.Sprintf("call %d: %s is in no earlier result of %s", at+1, judge.Clip(missing), edge.fromTool) + state.supply.cutNote()
}

// countEdge counts an edge in a run: as unreached, held or broken.
func (c *axesCount) countEdge(edge *axisEdge, state *edgeState, broken *brokenEdge, run int) {
	if !state.reached {
		c.unreached++
		return
	}
	axis := c.axis(edge)
	axis.pairs++
	if state.why == "" {
		axis.held++
		return
	}
	broken.runs.add(run, len(c.broken))
	if broken.first == 0 || run < broken.first {
		broken.first, broken.why = run, state.why
	}
}

// notes returns notes on the edges that did not hold, in the order of the suite. It also sets axisCount.first.
func (c *axesCount) notes() []judge.Note {
	var notes []judge.Note
	for i, broken := range c.broken {
		if len(broken.runs.runs) == 0 {
			continue
		}
		edge := &c.gate.edges[i]
		first, why := fmt.Sprintf("in run %d, %s", broken.first, broken.why), broken.why
		axis := c.axis(edge)
		axis.first = cmp.Or(axis.first, fmt.Sprintf("; %s: %s", edge.text, first))
		if len(broken.runs.runs)+broken.runs.more > 1 {
			why = first
		}
		notes = append(notes, judge.Note{Kind: judge.Broken, Subject: edge.text, Line: edge.line, Text: why, Runs: sortedRuns(broken.runs.runs), MoreRuns: broken.runs.more})
	}
	return notes
}
