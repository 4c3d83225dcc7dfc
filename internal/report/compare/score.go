package compare

import (
	"slices"

	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
)

// compareScores lists the scores of catalogs that a rule moved: scores that rose while a rule of the score has fewer findings, or
// fell while a rule has more. Other changes of a score, such as by a longer sentence or by one more tool that is described like the
// others, are neither better nor worse.
func (c *comparer) compareScores() {
	for _, pair := range report.PairCatalogs(c.before, c.after) {
		for _, m := range scoreMoves(pair) {
			hasRisen := m.Base < m.Head // the texts sort like the numbers
			m.Rules = rulesThatMoved(pair, hasRisen)
			if len(m.Rules) > 0 {
				c.out.Scores = append(c.out.Scores, m)
			}
		}
	}
}

// scoreMoves returns the scores that differ. They have one digit before the point, so that their texts sort like the numbers.
func scoreMoves(p report.CatalogPair) []report.ScoreMove {
	list := []report.ScoreMove{
		{Figure: report.FigureMeanScore, Base: p.Base.MeanScore, Head: p.Head.MeanScore},
		{Figure: report.FigureMinScore, Base: p.Base.MinScore, Head: p.Head.MinScore},
	}
	for i := range list {
		list[i].Name, list[i].Path = p.Head.Name, p.Head.Path
	}
	return slices.DeleteFunc(list, func(m report.ScoreMove) bool { return m.Base == m.Head || m.Base == "" || m.Head == "" })
}

// rulesThatMoved returns the rules that explain the move of a score: rules with fewer findings than in the base if the score has
// risen, otherwise rules with more findings. A rule that a suite switches off is left out, because it has fewer findings for that
// reason.
func rulesThatMoved(p report.CatalogPair, hasRisen bool) []report.RuleMove {
	before, after := findingsByRule(p.Base), findingsByRule(p.Head)
	var list []report.RuleMove
	for _, rule := range lint.Rules {
		b, h := before[rule.ID], after[rule.ID]
		explains := hasRisen && h < b || !hasRisen && h > b
		if rule.Scored && explains && !switchesOff(p, rule.ID) {
			list = append(list, report.RuleMove{Rule: rule.ID, Base: b, Head: h})
		}
	}
	return list
}

func switchesOff(p report.CatalogPair, rule string) bool {
	return slices.ContainsFunc(slices.Concat(p.Base.Rules, p.Head.Rules), func(r report.ChangedRule) bool {
		return r.Rule == rule && r.Severity == report.RuleOff
	})
}

func findingsByRule(c *report.Catalog) map[string]int {
	n := map[string]int{}
	for _, f := range c.Findings {
		if f.IsReal() {
			n[f.Rule]++
		}
	}
	return n
}

func (c *comparer) withoutUnexplainedScores(head *report.Case, moved []report.Delta) []report.Delta {
	return slices.DeleteFunc(moved, func(d report.Delta) bool {
		if d.Name != report.FigureMeanScore && d.Name != report.FigureMinScore {
			return false
		}
		return !slices.ContainsFunc(c.out.Scores, func(m report.ScoreMove) bool {
			return m.Figure == d.Name && (m.Path == head.Catalog || head.Catalog == "")
		})
	})
}
