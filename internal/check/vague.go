package check

import (
	"slices"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// maxVague bounds the number of cases of a check that are judged a second time, with vague descriptions.
const maxVague = 1000

// selectForVague selects the cases that are also judged with vague descriptions: the first cases that judge catalogs. Suites and
// cases of the base are excluded, because the change cannot improve them.
func (c *checker) selectForVague(selected []selectedCase) {
	if c.isBase || c.options.Recall != nil {
		return
	}
	asked := 0
	for i := range selected {
		s := &selected[i]
		byBase := s.judgedAs != nil || s.removed
		s.asksVague = asked < maxVague && !byBase && judgesDescriptions(s.Case)
		if s.asksVague {
			asked++
		}
	}
}

func judgesDescriptions(c *suite.Case) bool { return c.Kind != suite.AgentTest && c.LeftOut == nil }

// passesVaguely reports whether a case that passes would also pass if each description were replaced by one vague sentence. It
// uses the tools that the case was judged by, without reading or starting anything. Token counts stay those of today, because
// they do not depend on the wording.
func passesVaguely(s selectedCase, e evidence, j judgement) bool {
	hasTools := e.trace != nil && e.trace.Catalog != nil && len(e.trace.Catalog.Tools) > 0
	if !s.asksVague || j.verdict != judge.Pass || !hasTools {
		return false
	}
	tr := *e.trace
	tr.Catalog = bench.Vaguely(tr.Catalog)
	checks := slices.Clone(s.Checks)
	for i := range checks {
		checks[i].Plan = gates.WithoutMutations(checks[i].Plan)
	}
	vague := judgement{verdict: judge.Error}
	vague.setGates(new(judge.Work).Evaluate(s.DisplayName(), checks, &tr))
	return vague.verdict == judge.Pass
}

// vagueWarnings returns a warning for each suite whose cases all pass with vague descriptions. It counts only cases that judge
// descriptions, because recorded and live runs do not depend on today's descriptions.
func vagueWarnings(selected []selectedCase, outcomes []outcome) (list []report.Problem) {
	passing := map[*suite.Suite]int{}
	for i, s := range selected {
		if outcomes[i].vague {
			passing[s.Suite]++
		}
	}
	for _, s := range selected {
		n := passing[s.Suite]
		if n == 0 || !judgesDescriptions(s.Case) {
			continue
		}
		passing[s.Suite] = 0 // a suite has one warning, at its first case
		if n == lists.Count(s.Suite.Cases, judgesDescriptions) {
			list = append(list, problemAt(&source.Error{Pos: s.Pos, Msg: tell.NothingDepends(n)}))
		}
	}
	return list
}
