package check

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/stat"
	"github.com/org/mcp-gates/internal/trace"
)

// sumTokens sums up the tokens of the runs that have them; nil when none has.
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

// sumCost returns the cost in dollars of the runs that have one, with six decimals; nothing when none has.
func sumCost(runs []trace.Run) report.Optional {
	var sum trace.Count
	for i := range runs {
		if c := runs[i].Cost; c.Known {
			sum = trace.Known(sum.N + c.N)
		}
	}
	if !sum.Known {
		return ""
	}
	const micro = 1_000_000
	return report.Optional(fmt.Sprintf("%d.%06d", sum.N/micro, sum.N%micro))
}

// price works out the cost of the runs for which none was recorded, where the suite prices the model. A built-in agent has
// none: the 0 dollars that are recorded for it say nothing about what a model would cost.
func (k *caseCheck) price(tr *trace.Trace) {
	price, ok := k.suite.Pricing[k.Model]
	builtin := trace.ModelNote(cmp.Or(tr.Model, k.Model)) != ""
	if !ok && !builtin {
		return
	}
	if k.judged != nil { // by the base's suite, too, whose prices may differ
		tr.Runs = slices.Clone(tr.Runs)
	}
	for i := range tr.Runs {
		switch run := &tr.Runs[i]; {
		case builtin:
			run.Cost = trace.Count{}
		case !run.Cost.Known && run.Input.Known && run.Output.Known:
			run.Cost = model.RoundHalfUp(price.Of(run.Input.N, run.Output.N))
		}
	}
}
