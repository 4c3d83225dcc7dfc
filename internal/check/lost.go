package check

import (
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/staleness"
	"github.com/org/mcp-gates/internal/suite"
)

// hadTool reports whether a tool that the gates of a case name was offered when the case was recorded, or is in the base's
// snapshots.
func (c *checker) hadTool(s *suite.Suite, one *suite.Case, tool string) bool {
	return c.options.BaseSuites.hadTool(one.ServerNames, tool) || c.recordedHad(caseOf(s, one), tool)
}

// recordedHad reports whether the recording of a case has a tool, which is named as in suites.
func (c *checker) recordedHad(s selectedCase, tool string) bool {
	if s.Kind != suite.AgentTest {
		return false
	}
	tr := c.read(s).trace
	if tr == nil || tr.Recorded == nil {
		return false
	}
	return len(catalog.IndexOf(staleness.Attributed(s.Case, tr.Recorded.Without(tr.Distractors)))[tool]) > 0
}

// hadTool reports whether the base's snapshots of the servers have a tool, which is named as in suites. If b is nil, it returns
// false.
func (b *BaseSuites) hadTool(servers []string, tool string) bool {
	if b == nil {
		return false
	}
	has := func(server *suite.Server) bool {
		return slices.Contains(servers, server.Name) && server.Snapshot != nil && len(b.index(server)[tool]) > 0
	}
	return slices.ContainsFunc(b.suites(), func(s *suite.Suite) bool { return slices.ContainsFunc(s.Servers, has) })
}

// suites returns the base's suites that have a case, without repeats.
func (b *BaseSuites) suites() []*suite.Suite {
	b.once.Do(func() {
		for i := range b.report.Cases {
			if s := b.cases[&b.report.Cases[i]].Suite; !slices.Contains(b.read, s) {
				b.read = append(b.read, s)
			}
		}
	})
	return b.read
}

// index returns the tools of a server of the base by their names in suites.
func (b *BaseSuites) index(server *suite.Server) catalog.Index {
	find := sync.OnceValue(func() catalog.Index { return catalog.IndexOf(server.Snapshot) })
	once, _ := b.indexes.LoadOrStore(server, find)
	return once.(func() catalog.Index)()
}
