package check

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// catalogReport returns the figures and findings of one catalog that a suite names.
func (c *checker) catalogReport(named *suite.Catalog) report.Catalog {
	cat := named.Tools()
	var configs lint.Configs
	for _, rules := range named.Rules {
		configs = append(configs, rules.Config)
	}
	out := report.NewCatalog(named.Name, named.Path, cat, lint.Check(cat, configs...))
	out.Source = named.Source
	out.Rules = changedRules(cat, configs, named.Rules)
	for _, rules := range named.Rules {
		if rules.Case != "" {
			out.JudgedBy = append(out.JudgedBy, rules.Case)
		}
	}
	for i, t := range cat.Tools {
		out.Tools[i].Tokens = c.counts.tool(t)
		out.Tools[i].SHA256 = contentHash(t)
		out.SurfaceTokens += int64(out.Tools[i].Tokens)
	}
	return out
}

// changedRules returns the rules that suites change for a catalog, with the first place that changes one.
func changedRules(cat *catalog.Catalog, configs lint.Configs, applied []suite.AppliedRules) []report.ChangedRule {
	list := []report.ChangedRule{}
	var pos source.Pos
	if at := slices.IndexFunc(applied, func(r suite.AppliedRules) bool { return r.Pos.Line > 0 }); at >= 0 {
		pos = applied[at].Pos
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
