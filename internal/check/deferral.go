package check

import (
	"fmt"

	"github.com/org/mcp-gates/internal/agents"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/trace"
)

// countDeferred counts what the runs of a case had in front of the model, and the surface of the judged ones: the largest.
func (c *checker) countDeferred(s selectedCase, tr *trace.Trace) {
	offered := tr.Catalog
	if offered == nil {
		offered = &catalog.Catalog{}
	} else {
		offered = s.offered(tr)
	}
	tr.Surface = trace.Count{}
	d := &trace.Deferral{Tools: map[catalog.Ref]int64{}}
	for _, t := range offered.Tools {
		d.Tools[t.Ref()] = int64(c.counts.tool(t))
	}
	d.Upfront, d.Why = c.upfront(tr, offered, d.Tools)
	tr.Deferral = d
	for i := range tr.Runs {
		run := &tr.Runs[i]
		if run.Error != "" || !s.selects(run) {
			continue
		}
		n, why := d.Surface(run)
		if !n.Known {
			tr.Surface, d.Why = n, why
			return
		}
		tr.Surface = trace.Known(max(tr.Surface.N, n.N))
	}
}

// upfront counts what was in front of the model before any search, and sets the tokens of the eager tools, which count there, to 0.
func (c *checker) upfront(tr *trace.Trace, offered *catalog.Catalog, counted map[catalog.Ref]int64) (trace.Count, string) {
	client := tr.Client()
	preset := agents.Find(client)
	switch {
	case client == "":
		return trace.Count{}, "the recording does not say which client deferred the tools, so nobody knows how it lists them and what its search tool is"
	case preset == nil || preset.Deferral == nil:
		return trace.Count{}, fmt.Sprintf("the recording does not show what %.80q puts in front of the model instead of deferred tools, such as its search tool", client)
	}
	deferred, why := deferredBy(preset.Deferral, tr, offered)
	if why != "" {
		return trace.Count{}, why
	}
	text, unknown := preset.Deferral.List(deferred, noInstructions)
	if unknown != "" {
		return trace.Count{}, fmt.Sprintf("%s lists the instructions of server %.80q, which are not recorded", client, unknown)
	}
	sum := preset.Deferral.SearchTool + int64(tokens.Counter{}.Text(text))
	isDeferred := map[catalog.Ref]bool{}
	for _, ref := range deferred {
		isDeferred[ref] = true
	}
	for ref, n := range counted {
		if !isDeferred[ref] {
			sum += n
			counted[ref] = 0
		}
	}
	return trace.Known(sum), ""
}

// deferredBy returns the tools that the client deferred, or why nobody knows them.
func deferredBy(by *agents.Deferral, tr *trace.Trace, offered *catalog.Catalog) (deferred []catalog.Ref, why string) {
	// The log of a client lists them all, where it lists the tools in front of the model, too, or one that no search returned.
	listsAll := tr.Agent == "" && tr.Recorded != nil || hasUnloaded(tr)
	switch {
	case by.All && len(offered.Tools) == 0:
		return nil, "the recording does not list the deferred tools, and the servers have no snapshot"
	case by.All:
	case listsAll && tr.Recorded == nil && hasEager(tr, offered):
		return nil, "the recording does not list the tools that were in front of the model from the start"
	case listsAll:
		return tr.Deferred, ""
	case tr.Agent == "" || tr.Recorded == nil:
		return nil, "the recording does not list the deferred tools"
	}
	for _, t := range offered.Tools {
		if by.IsEager == nil || !by.IsEager(t) {
			deferred = append(deferred, t.Ref())
		}
	}
	return deferred, ""
}

// noInstructions are the instructions of servers, which nobody knows yet.
func noInstructions(string) (text string, known bool) { return "", false }

// hasUnloaded reports whether a tool is deferred that no search returned.
func hasUnloaded(tr *trace.Trace) bool {
	returned := map[catalog.Ref]bool{}
	for i := range tr.Runs {
		for j := range tr.Runs[i].Calls {
			if search := tr.Runs[i].Calls[j].Search(); search != nil {
				for _, ref := range search.Tools {
					returned[ref] = true
				}
			}
		}
	}
	for _, ref := range tr.Deferred {
		if !returned[ref] {
			return true
		}
	}
	return false
}

// hasEager reports whether a tool is not deferred.
func hasEager(tr *trace.Trace, offered *catalog.Catalog) bool {
	isDeferred := map[catalog.Ref]bool{}
	for _, ref := range tr.Deferred {
		isDeferred[ref] = true
	}
	for _, t := range offered.Tools {
		if !isDeferred[t.Ref()] {
			return true
		}
	}
	return false
}
