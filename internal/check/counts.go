package check

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/stat"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/trace"
)

// Counts caches the token counts of tools, because many cassettes have the same tools. It is safe for concurrent use.
type Counts struct {
	known sync.Map // maps the hash of what is counted to an int
}

// Tool returns the surface tokens of a tool.
func (c *Counts) Tool(t *catalog.Tool) int {
	key := sha256.Sum256(fmt.Appendf(nil, "%q %q %s", t.Name, t.Description, t.InputSchema))
	if n, ok := c.known.Load(key); ok {
		return n.(int)
	}
	n := tokens.Counter{}.Tool(t)
	c.known.Store(key, n)
	return n
}

func (c *Counts) surface(cat *catalog.Catalog) int64 {
	var sum int64
	for _, t := range cat.Tools {
		sum += int64(c.Tool(t))
	}
	return sum
}

// sumTokens summarizes the tokens of the runs that have them; nil if none has.
func sumTokens(runs []trace.Run) *report.Tokens {
	var known []int64
	for i := range runs {
		if n := runs[i].Tokens(); n.Known {
			known = append(known, n.N)
		}
	}
	if len(known) == 0 {
		return nil
	}
	t := &report.Tokens{Median: stat.Median(known), Max: slices.Max(known)}
	for _, n := range known {
		t.Total += n
	}
	return t
}

// sumCost returns the cost in dollars of the runs that have a cost, with six decimals; "" if none has.
func sumCost(runs []trace.Run) report.Optional {
	sum := costOf(runs)
	if !sum.Known {
		return ""
	}
	const micro = 1_000_000
	return report.Optional(fmt.Sprintf("%d.%06d", sum.N/micro, sum.N%micro))
}

// costOf sums up the known costs of runs, in micro-dollars; unknown if none is known.
func costOf(runs []trace.Run) (sum trace.Count) {
	for i := range runs {
		if c := runs[i].Cost; c.Known {
			sum = trace.Known(sum.N + c.N)
		}
	}
	return sum
}

// withCosts returns the runs with their costs. If a cost was not recorded, it is computed from the suite's price of the model.
// Runs of a built-in agent have no cost, because the recorded 0 dollars would look like the cost of a model.
func withCosts(s selectedCase, tr *trace.Trace) []trace.Run {
	price, ok := s.Suite.Pricing[s.Model]
	builtin := trace.ModelNote(cmp.Or(tr.Model, s.Model)) != ""
	if !ok && !builtin {
		return tr.Runs
	}
	runs := slices.Clone(tr.Runs) // a copy, because the base's suite may have other prices
	for i := range runs {
		switch run := &runs[i]; {
		case builtin:
			run.Cost = trace.Count{}
		case !run.Cost.Known && run.Input.Known && run.Output.Known:
			run.Cost = model.RoundHalfUp(price.Of(run.Input.N, run.Output.N))
		}
	}
	return runs
}
