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

// noteSeen notes what the case's servers advertised that can be started and have no snapshot: the report has no other
// word on their tools.
func (k *caseCheck) noteSeen(recorded *catalog.Catalog, distractors []catalog.Ref) {
	if recorded == nil {
		return
	}
	for _, s := range k.Servers {
		if s.Snapshot != nil || !startable(s) {
			continue
		}
		k.out.seen = append(k.out.seen, seenServer{k.suite, s, toolsOf(recorded.Without(distractors), s.Name)})
	}
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
