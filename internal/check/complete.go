package check

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/staleness"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// completeTrace adds to a trace the data that come from the suite: the tools in the servers' snapshots, with the injected
// distractors if no catalog was recorded, and token counts if a gate needs them.
func (c *checker) completeTrace(s selectedCase, tr *trace.Trace) {
	snapshots := s.Snapshots()
	tr.Current = snapshots
	tr.BuiltinsApart = s.keepsApart(tr)
	if tr.Catalog == nil && snapshots != nil {
		tr.Catalog = catalog.Merge(snapshots, &catalog.Catalog{Tools: staleness.Injected(s.Case, snapshots)})
	}
	if tr.Deferred != nil {
		c.countDeferred(s, tr)
	}
	if !gatesNeedTokens(s.Case) {
		return
	}
	if tr.Catalog != nil && tr.Deferred == nil {
		tr.Surface = trace.Known(c.counts.surface(s.offeredTools(tr)))
	}
	if snapshots != nil && s.HasAllSnapshots() {
		tr.CurrentSurface = trace.Known(c.counts.surface(snapshots))
	}
}

// offeredTools returns the tools that the judged runs were offered. A recording of a curve lists all distractors, but most of its
// runs were offered fewer.
func (s selectedCase) offeredTools(tr *trace.Trace) *catalog.Catalog {
	distractors := staleness.Distractors(s.Case, &tr.Header)
	mostOffered := int64(0)
	for i := range tr.Runs {
		run := &tr.Runs[i]
		if run.Error != "" || !s.selects(run) {
			continue
		}
		if !run.Offered.Known {
			return tr.Catalog
		}
		mostOffered = max(mostOffered, run.Offered.N)
	}
	notOffered := distractors[min(mostOffered, int64(len(distractors))):]
	return tr.Catalog.Without(notOffered)
}

func needsTokens(c *suite.Case) bool { return c.Expect.NeedsTokens() || gatesNeedTokens(c) }

func gatesNeedTokens(c *suite.Case) bool {
	return slices.ContainsFunc(c.Checks, func(check judge.Check) bool { return check.Gate.Needs&judge.NeedTokens != 0 })
}
