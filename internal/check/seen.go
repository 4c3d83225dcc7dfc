package check

import (
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// seenServer is a server without a snapshot, and its tools as the runs of a case saw them.
type seenServer struct {
	suite  *suite.Suite
	server *suite.Server
	tools  *catalog.Catalog
}

// seenServers returns the case's servers that can be started and have no snapshot: the report learns of their tools
// here alone.
func seenServers(s selectedCase, recorded *catalog.Catalog, distractors []catalog.Ref) (seen []seenServer) {
	if recorded == nil {
		return nil
	}
	for _, server := range s.Servers {
		if server.Snapshot == nil && startable(server) {
			seen = append(seen, seenServer{s.suite, server, toolsOf(recorded.Without(distractors), server.Name)})
		}
	}
	return seen
}

// addSeen adds the catalogs of servers without a snapshot, each as the first case saw it. They stand where the server
// is declared.
func (c *checker) addSeen(outcomes []outcome, r *report.Report) {
	known := map[*suite.Server]bool{}
	for i := range outcomes {
		for _, seen := range outcomes[i].seen {
			if known[seen.server] {
				continue
			}
			known[seen.server] = true
			named := &suite.Catalog{
				Name: seen.server.Name, Path: seen.suite.File, Server: seen.server.Name, Catalog: seen.tools,
				Rules: []suite.AppliedRules{{Rules: seen.suite.Rules}},
			}
			one := c.catalogReport(named)
			for i := range one.Tools {
				one.Tools[i].Line = seen.server.Pos.Line
			}
			for i := range one.Findings {
				one.Findings[i].Line = seen.server.Pos.Line
			}
			r.Catalogs = append(r.Catalogs, one)
		}
	}
}
