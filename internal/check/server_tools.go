package check

import (
	"cmp"
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/suite"
)

// findTools gives a case that judges a server's tools those that the server has now, in a live run, and in a replay
// without a snapshot those of a recording.
func (k *caseCheck) findTools() {
	if len(k.ServerNames) == 0 {
		return // it names a catalog, or holds one
	}
	if len(k.Servers) == 0 {
		k.refused.Addf(k.Pos, "server %q is not declared in \"servers\"", k.ServerNames[0])
		return
	}
	server := k.Servers[0]
	cat := k.Catalog
	switch {
	case k.options.Live != nil && startable(server):
		var err error
		if cat, err = k.live[k.suite].Tools(k.ctx, server); err != nil {
			k.noteLive(err)
			return
		}
		k.noteSeen(cat, nil)
	case cat == nil:
		cat = k.recordedTools(k.suite, server)
	}
	if cat == nil {
		k.refused.Addf(k.Pos, "nothing tells which tools server %q has: it has no snapshot, and no recording of this suite lists them; "+
			"give it \"catalog: PATH\" and run \"mcp-gates snapshot --server %s --update\"", server.Name, server.Name)
		return
	}
	one := *k.Case // of the suite, which others read
	one.Catalog = cat
	k.Case = &one
}

// recordedTools returns the tools of a server as the first recording of the suite that lists any has them, sorted by
// name; nil when none does. It reads them once.
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
		k := &caseCheck{checker: c, selectedCase: selectedCase{suite: s, Case: one}}
		tr := k.read() // what is wrong with it is for that case to say
		if tr == nil || tr.Recorded == nil {
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
	own := &catalog.Catalog{}
	for _, t := range cat.Tools {
		if t.Server == server {
			own.Tools = append(own.Tools, t)
		}
	}
	slices.SortStableFunc(own.Tools, func(a, b *catalog.Tool) int { return cmp.Compare(a.Name, b.Name) })
	return own
}
