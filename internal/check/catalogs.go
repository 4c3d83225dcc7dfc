package check

import (
	"cmp"
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/cost"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/org/mcp-gates/internal/trace"
)

// namedCatalog is a catalog that suites name.
type namedCatalog struct {
	*suite.Catalog
	byBase []suite.AppliedRules // rules of the base, which also make findings
}

// namedCatalogs returns the catalogs that the suites name, without repeats, by path. It includes the catalogs and rules of ofBase,
// the judging suites of the base.
func namedCatalogs(suites, ofBase []*suite.Suite) []*namedCatalog {
	own, known := joinedCatalogs(suites), map[string]*namedCatalog{}
	all := make([]*namedCatalog, len(own))
	for i, c := range own {
		all[i] = &namedCatalog{Catalog: c}
		known[c.Path] = all[i]
	}
	for _, c := range joinedCatalogs(ofBase) {
		if one := known[c.Path]; one != nil {
			one.byBase = c.Rules
			continue
		}
		all = append(all, &namedCatalog{Catalog: c})
	}
	slices.SortStableFunc(all, func(a, b *namedCatalog) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// joinedCatalogs returns the catalogs that the suites name, without repeats. A catalog has the rules of all entries that judge it,
// or, if no entry judges it, the rules of all suites that name it.
func joinedCatalogs(suites []*suite.Suite) []*suite.Catalog {
	byPath := map[string]*suite.Catalog{}
	var all []*suite.Catalog
	for _, s := range suites {
		for _, c := range s.Catalogs {
			first := byPath[c.Path]
			if first != nil && len(first.Source) == 0 {
				first.Source = c.Source
			}
			switch {
			case first == nil:
				one := *c
				byPath[c.Path] = &one
				all = append(all, &one)
			case c.Judged() == first.Judged():
				first.Rules = slices.Concat(first.Rules, c.Rules)
			case c.Judged():
				first.Rules = c.Rules
			}
		}
	}
	return all
}

func (c *checker) catalogReport(named *namedCatalog) report.Catalog {
	cat := named.Tools()
	configs := configsOf(named.Rules)
	out := report.NewCatalog(named.Name, named.Path, cat, lint.Check(cat, slices.Concat(configs, configsOf(named.byBase))...))
	out.Source = named.Source
	out.Rules = changedRules(cat, configs, named.Rules)
	for _, rules := range named.Rules {
		if rules.Case != "" {
			out.JudgedBy = append(out.JudgedBy, rules.Case)
		}
	}
	out.Tokenize(c.counts.Tool)
	for i, t := range cat.Tools {
		out.Tools[i].SHA256 = report.Optional(t.SHA256())
	}
	out.Instructions = report.NewInstructions(cat, out.Path, tokens.Counter{}.Text)
	if out.SurfaceTokens.IsKnown() {
		costs := report.NewCost(cost.Of(toolsearch.ServersOf(cat), c.counts.Tool))
		out.Cost = &costs
	}
	return out
}

func configsOf(applied []suite.AppliedRules) lint.Configs {
	return lists.Map(applied, func(rules suite.AppliedRules) lint.Config { return rules.Config })
}

// changedRules returns the rules that suites change for a catalog, with the position of the first change.
func changedRules(cat *catalog.Catalog, configs lint.Configs, applied []suite.AppliedRules) []report.ChangedRule {
	list := []report.ChangedRule{}
	var pos source.Pos
	changes := func(r suite.AppliedRules) bool { return r.Pos.Line > 0 }
	if first := slices.IndexFunc(applied, changes); first >= 0 {
		pos = applied[first].Pos
	}
	for _, change := range configs.Adaptations(cat) {
		one := report.ChangedRule{Rule: change.Rule.ID, Severity: report.RuleOff, Path: pos.File, Line: pos.Line}
		if change.Tool != nil {
			one.Tool = report.Optional(change.Tool.Ref().ID())
		}
		if change.Severity != lint.Pass {
			one.Severity = change.Severity.String()
		}
		list = append(list, one)
	}
	return list
}

// seenServer is a server without a snapshot, with its tools as seen in the runs of a case.
type seenServer struct {
	suite  *suite.Suite
	server *suite.Server
	tools  *catalog.Catalog
}

// seenServers returns the servers of a case that can be started and have no snapshot, with the tools that h lists. The report has
// no other source for these tools.
func seenServers(of *suite.Suite, servers []*suite.Server, h *trace.Header) (seen []seenServer) {
	if h.Recorded == nil {
		return nil
	}
	for _, server := range servers {
		if server.Snapshot == nil && server.Startable() && !hasOnlyName(h, server.Name) {
			seen = append(seen, seenServer{of, server, toolsOf(h.Recorded.Without(h.Distractors), server.Name)})
		}
	}
	return seen
}

// hasOnlyName reports whether the recording has only the name, and no definition, of a tool of the server.
func hasOnlyName(h *trace.Header, server string) bool {
	return slices.ContainsFunc(h.NamedOnly(), func(ref catalog.Ref) bool { return ref.Server == server || ref.Server == "" })
}

// firstSeen has, for each server, the index of the first evaluated case that saw its tools.
type firstSeen struct {
	mu sync.Mutex
	at map[*suite.Server]int
}

// dropSeen frees tools that the report does not use, after case i was evaluated. The report uses the tools of a server as the first
// case in order saw them, but cases end in any order.
func (c *checker) dropSeen(outcomes []outcome, i int) {
	c.seen.mu.Lock()
	defer c.seen.mu.Unlock()
	if c.seen.at == nil {
		c.seen.at = map[*suite.Server]int{}
	}
	drop := func(from int, server *suite.Server) {
		outcomes[from].seen = slices.DeleteFunc(outcomes[from].seen, func(s seenServer) bool { return s.server == server })
	}
	for _, seen := range slices.Clone(outcomes[i].seen) {
		first, known := c.seen.at[seen.server]
		switch {
		case known && first < i:
			drop(i, seen.server)
			continue
		case known:
			drop(first, seen.server)
		}
		c.seen.at[seen.server] = i
	}
}

// addSeen adds the catalogs of servers without a snapshot, each as the first case saw it. Tools and findings of such a catalog get
// the line that declares the server.
func (c *checker) addSeen(outcomes []outcome, r *report.Report) {
	known := map[*suite.Server]bool{}
	for i := range outcomes {
		for _, seen := range outcomes[i].seen {
			if known[seen.server] {
				continue
			}
			known[seen.server] = true
			named := &namedCatalog{Catalog: &suite.Catalog{
				Name: seen.server.Name, Path: seen.suite.File, Server: seen.server.Name, Catalog: seen.tools,
				Rules: []suite.AppliedRules{{Rules: seen.suite.Rules}},
			}}
			cat, line := c.catalogReport(named), seen.server.Pos.Line
			if seen.server.Pos.File != seen.suite.File {
				line = outcomes[i].Line // line of the first case, because the server is declared in an included file
			}
			for i := range cat.Tools {
				cat.Tools[i].Line = line
			}
			for i := range cat.Findings {
				cat.Findings[i].Line = line
			}
			r.Catalogs = append(r.Catalogs, cat)
		}
	}
}
