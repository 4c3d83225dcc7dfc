package report

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

// ScoreMove is a score of a catalog that rules moved. A score that moved without a change of findings has no ScoreMove, because
// scores also count characters, and more characters are not better.
type ScoreMove struct {
	Name   string     `json:"name"` // name of the head's catalog
	Path   string     `json:"path"`
	Figure string     `json:"figure"` // FigureMeanScore or FigureMinScore
	Base   Optional   `json:"base"`
	Head   Optional   `json:"head"`
	Rules  []RuleMove `json:"rules"` // moves in the order of the rules
}

// RuleMove is a rule that has more or fewer findings in a catalog than in the base.
type RuleMove struct {
	Rule string `json:"rule"`
	Base int    `json:"base"` // number of findings
	Head int    `json:"head"`
}

// ScoreOf returns the move of a score of a catalog of the head; nil if no rule moved it. The comparison may be nil.
func (c *Comparison) ScoreOf(one *Catalog, figure string) *ScoreMove {
	if c == nil {
		return nil
	}
	return lists.Find(c.Scores, func(m *ScoreMove) bool { return m.Path == one.Path && m.Name == one.Name && m.Figure == figure })
}

// Why returns a text with the rules and their numbers of findings in base and head. name writes the name of a rule.
func (m *ScoreMove) Why(name func(string) string) string {
	const most = 3
	moved := func(r RuleMove) string { return fmt.Sprintf("%s %d → %d", name(r.Rule), r.Base, r.Head) }
	return strings.Join(lists.First(m.Rules, most, moved, judge.CountOf(len(m.Rules)-most, "more rule")), ", ")
}
