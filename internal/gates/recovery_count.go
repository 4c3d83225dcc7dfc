package gates

import (
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

type recoveryCount struct {
	gate    *recovery
	scorer  *scorer // finds the classes of tools
	same    *sameCalls
	classes []nextSuccess // the nearest success of each class
	tools   map[*toolScore]nextSuccess

	runs, calls, errors, recovered, alternatives int
	retries, longest, abandoned                  int
	unkept                                       int // possible retries whose arguments were not recorded

	unrecovered, retried, gaveUp map[string]judge.Note
}

// nextSuccess is the nearest successful call after a call of the same run.
type nextSuccess struct {
	run  int // number of the run, counted from 1
	at   int // position of the successful call
	tool *toolScore
}

func (c *recoveryCount) countRun(run *trace.Run) {
	c.runs++
	c.calls += len(run.Calls)
	// The loop goes backwards, so that later successes in the run are known.
	for i := range slices.Backward(run.Calls) {
		call := &run.Calls[i]
		tool := c.scorer.findTool(call.Tool)
		switch {
		case !call.Failed:
			c.noteSuccess(tool, i)
		case c.gate.isCounted(call):
			c.countFailure(tool, run.Number)
		}
	}
	c.countRetries(run)
	if n := len(run.Calls); n > 0 && c.gate.isCounted(&run.Calls[n-1]) {
		c.abandoned++
		tally(c.gaveUp, c.scorer.findTool(run.Calls[n-1].Tool).id, run.Number)
	}
}

func (c *recoveryCount) noteSuccess(tool *toolScore, at int) {
	next := nextSuccess{c.runs, at, tool}
	c.tools[tool] = next
	for _, class := range tool.classes {
		c.classes[class] = next
	}
}

func (c *recoveryCount) countFailure(tool *toolScore, run int) {
	c.errors++
	first := c.tools[tool]
	for _, class := range tool.classes {
		next := c.classes[class]
		isEarlier := first.run != c.runs || next.at < first.at
		if next.run == c.runs && isEarlier {
			first = next
		}
	}
	if first.run != c.runs {
		tally(c.unrecovered, tool.id, run)
		return
	}
	c.recovered++
	if first.tool != tool {
		c.alternatives++
	}
}

// countRetries counts the calls that repeat a failed call just before them, and the longest series of such calls.
func (c *recoveryCount) countRetries(run *trace.Run) {
	inRow := 0
	for i := 1; i < len(run.Calls); i++ {
		before, call := &run.Calls[i-1], &run.Calls[i]
		if !c.gate.isCounted(before) || before.Tool.Ref != call.Tool.Ref {
			inRow = 0
			continue
		}
		if before.Args == trace.ArgsUnknown || call.Args == trace.ArgsUnknown {
			c.unkept++
			continue
		}
		if c.same.identityOf(before) != c.same.identityOf(call) {
			inRow = 0
			continue
		}
		inRow++
		c.retries++
		c.longest = max(c.longest, inRow)
		tally(c.retried, c.scorer.findTool(call.Tool).id, run.Number)
	}
}
