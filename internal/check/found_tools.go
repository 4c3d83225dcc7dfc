package check

import (
	"cmp"
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/trace"
)

func (c *checker) findTools(s selectedCase, e *evidence) {
	if len(s.ServerNames) > 0 { // without servers, the case names or contains a catalog
		c.findServerTools(s, e)
	}
	if len(e.refused)+len(e.broken) == 0 {
		e.trace = c.catalogTrace(s, e.catalog)
	}
}

func (c *checker) findServerTools(s selectedCase, e *evidence) {
	if len(s.Servers) < len(s.ServerNames) {
		undeclared := slices.IndexFunc(s.ServerNames, func(name string) bool { return s.Server(name) == nil })
		e.refused.Addf(s.Pos, "server %q is not declared in \"servers\"", s.ServerNames[undeclared])
		return
	}
	if len(s.Servers) == 1 {
		e.catalog = c.toolsOfServer(s, s.Servers[0], e.catalog, e)
		return
	}
	toolsOf := func(server *suite.Server) *catalog.Catalog { return c.toolsOfServer(s, server, server.Snapshot, e) }
	e.catalog = catalog.Merge(lists.Map(s.Servers, toolsOf)...)
}

// toolsOfServer returns the tools of a server: in a live run its current tools, in a replay the tools in its snapshot or in a
// recording. If it finds none, it notes the reason in e and returns nil.
func (c *checker) toolsOfServer(s selectedCase, server *suite.Server, snapshot *catalog.Catalog, e *evidence) *catalog.Catalog {
	cat := snapshot
	switch {
	case e.live && server.Startable():
		var err error
		if cat, err = c.live[s.Suite].Tools(c.ctx, server); err != nil {
			e.noteFailure(s, err)
			return nil
		}
		e.seen = append(e.seen, seenServers(s.Suite, []*suite.Server{server}, &trace.Header{Recorded: cat})...)
	case cat == nil:
		cat = c.recordedTools(s.Suite, server)
	}
	if cat == nil {
		e.refused.Addf(s.Pos, "the tools of server %q are not known: it has no snapshot, and no recording of this suite lists them; "+
			"give it \"catalog: PATH\" and run \"mcp-gates snapshot --server %s --update\"", server.Name, server.Name)
	}
	return cat
}

// catalogTrace returns a catalog as evidence: a trace with its tools and their tokens, but without runs.
func (c *checker) catalogTrace(s selectedCase, cat *catalog.Catalog) *trace.Trace {
	tr := &trace.Trace{Catalog: cat, Competing: c.competing(s)}
	if cat == nil || !needsTokens(s.Case) {
		return tr
	}
	tr.ToolTokens = make([]int64, len(cat.Tools))
	var sum int64
	for i, t := range cat.Tools {
		if !t.SchemaUnknown { // the gate reports why the figure is absent
			tr.ToolTokens[i] = int64(c.counts.Tool(t))
		}
		sum += tr.ToolTokens[i]
	}
	if cat.SchemasUnknown() == 0 {
		tr.Surface = trace.Known(sum)
	}
	if cat.KeepsInstructions() {
		tr.InstructionsTokens = trace.Known(0)
		for _, said := range cat.Instructions {
			tr.InstructionsTokens.N += int64(tokens.Counter{}.Text(said.Text))
		}
	}
	return tr
}

// recordedTools returns the tools of a server from the first recording of the suite that lists any, sorted by name; nil if none
// does. The recordings are read once.
func (c *checker) recordedTools(s *suite.Suite, server *suite.Server) *catalog.Catalog {
	find := sync.OnceValue(func() *catalog.Catalog { return c.findRecorded(s, server) })
	once, _ := c.recorded.LoadOrStore(server, find)
	return once.(func() *catalog.Catalog)()
}

func (c *checker) findRecorded(s *suite.Suite, server *suite.Server) *catalog.Catalog {
	for _, one := range s.Cases {
		if one.Kind != suite.AgentTest || !slices.Contains(one.ServerNames, server.Name) {
			continue
		}
		tr := c.read(caseOf(s, one)).trace // mistakes in the recording are reported for its own case
		if tr == nil || tr.Recorded == nil || hasOnlyName(&tr.Header, server.Name) {
			continue
		}
		if own := toolsOf(tr.Recorded.Without(tr.Distractors), server.Name); len(own.Tools) > 0 {
			return own
		}
	}
	return nil
}

// toolsOf returns the tools of one server, sorted by name.
func toolsOf(cat *catalog.Catalog, server string) *catalog.Catalog {
	var own []*catalog.Tool
	for _, t := range cat.All() {
		if t.Server == server {
			own = append(own, t)
		}
	}
	slices.SortStableFunc(own, func(a, b *catalog.Tool) int { return cmp.Compare(a.Name, b.Name) })
	return catalog.New("", own)
}
