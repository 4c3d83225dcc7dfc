package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/agents"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/org/mcp-gates/internal/trace"
)

// countDeferred counts the tokens of tools that the model saw, in a recording whose client deferred tools. It sets tr.Surface to
// the largest surface of a judged run, or to unknown if the surface of one of these runs is unknown.
func (c *checker) countDeferred(s selectedCase, tr *trace.Trace) {
	offered := &catalog.Catalog{}
	if tr.Catalog != nil {
		offered = s.offeredTools(tr)
	}
	tr.Surface = trace.Count{}
	d := &trace.Deferral{Eager: map[catalog.Ref]bool{}, Tools: map[catalog.Ref]int64{}}
	for _, t := range offered.Tools {
		d.Tools[t.Ref()] = int64(c.counts.Tool(t))
	}
	c.countUpfront(d, tr, offered)
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

// countUpfront counts the tokens that the model saw before any search, and finds the tools that it saw.
func (c *checker) countUpfront(d *trace.Deferral, tr *trace.Trace, offered *catalog.Catalog) {
	if simulated, ok := searchOf(tr); ok {
		d.Upfront = trace.Known(int64(tokens.Counter{}.Tool(simulated.SearchTool())))
		for _, t := range offered.Tools {
			if simulated.IsEager(t) {
				d.Eager[t.Ref()] = true
				d.Upfront.N += d.Tools[t.Ref()]
			}
		}
		return
	}
	client := tr.Client()
	preset := agents.Find(client)
	if preset == nil || preset.Deferral == nil {
		d.Why = unknownClient(client)
		if tr.Agent == "" && tr.Recorded != nil && len(tr.Deferred) > 0 {
			d.Eager = eagerOf(tr.Recorded, tr.Deferred)
		}
		return
	}
	deferral := preset.Deferral
	deferred, why := deferredBy(deferral, tr, offered)
	if d.Why = why; why != "" {
		return
	}
	d.Eager = eagerOf(offered, deferred)
	text, unknown := deferral.List(deferred, func(server string) (string, bool) {
		said, known := tr.Current.InstructionsOf(server)
		return said.Text, known
	})
	if text == "" { // unknown can be "", because a server's name can be empty
		d.Why = fmt.Sprintf("%s lists the instructions of server %.80q, which are not recorded", client, unknown)
		return
	}
	d.Upfront = trace.Known(deferral.SearchTool + int64(tokens.Counter{}.Text(text)))
	for ref := range d.Eager {
		d.Upfront.N += d.Tools[ref]
	}
}

func searchOf(tr *trace.Trace) (client *toolsearch.Client, ok bool) {
	name, _, _ := strings.Cut(tr.DeferredBy, ",")
	client = toolsearch.Named(name)
	return client, client != nil && tr.Agent == ""
}

func unknownClient(client string) string {
	if client == "" {
		return "the recording does not say which client deferred the tools, so nobody knows how it lists them and what its search tool is"
	}
	return fmt.Sprintf("the recording does not show what %.80q puts in front of the model instead of deferred tools, such as its search tool", client)
}

// deferredBy returns the tools that a client with this kind of deferral deferred, or the reason why they are unknown.
func deferredBy(deferral *agents.Deferral, tr *trace.Trace, offered *catalog.Catalog) (deferred []catalog.Ref, why string) {
	// The log of a client lists all deferred tools if it also lists the tools that the model saw, or a tool that no search
	// returned.
	listsAll := tr.Agent == "" && tr.Recorded != nil || hasUnloaded(tr)
	switch {
	case deferral.All && len(offered.Tools) == 0:
		return nil, "the recording does not list the deferred tools, and the servers have no snapshot"
	case deferral.All:
	case listsAll && tr.Recorded == nil && len(eagerOf(offered, tr.Deferred)) > 0:
		return nil, "the recording does not list the tools that were in front of the model from the start"
	case listsAll:
		return tr.Deferred, ""
	case tr.Agent == "" || tr.Recorded == nil:
		return nil, "the recording does not list the deferred tools"
	}
	for _, t := range offered.Tools {
		if deferral.IsEager == nil || !deferral.IsEager(t) {
			deferred = append(deferred, t.Ref())
		}
	}
	return deferred, ""
}

func eagerOf(cat *catalog.Catalog, deferred []catalog.Ref) map[catalog.Ref]bool {
	eager := lists.SetOf(cat.Tools, (*catalog.Tool).Ref)
	for _, ref := range deferred {
		delete(eager, ref)
	}
	return eager
}

// hasUnloaded reports whether the recording has a deferred tool that no search returned.
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
	return slices.ContainsFunc(tr.Deferred, func(ref catalog.Ref) bool { return !returned[ref] })
}
