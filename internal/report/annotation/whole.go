package annotation

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/report"
)

// levelOf returns the level of the items that a demand is about: a failure if the demand refuses the change, otherwise a warning.
func (c *collector) levelOf(demand string) Level {
	if c.report.Refuses(demand) {
		return Failure
	}
	return Warning
}

// refusalRules are the rules of what the demands are about.
var refusalRules = map[string]string{report.FailOnWeakened: Weakened, report.FailOnBreaking: BreaksCallers, report.CheckSnapshots: StaleEvidence, report.MaxDrop: Dropped}

// RefusalRule returns the rule of the items that a refusal is about.
func RefusalRule(r report.Refusal) string { return cmp.Or(refusalRules[r.Demand], NotEvaluated) }

// addRefusals says why the change is refused where no place does: nobody knows, or what counts has no line.
func (c *collector) addRefusals() {
	for _, r := range c.report.Refused {
		rule := RefusalRule(r)
		if r.Exit == report.ExitFail && c.hasFailure(func(a Item) bool { return a.Rule == rule }) {
			continue
		}
		c.add(refused, Item{Rule: rule, Level: Failure, Title: r.Title, Message: lines(r.Message)}, r.Demand)
	}
}

// addUnchecked adds a failure with the headline of the report where the verdict is not a pass and no other failure shows why: nothing
// was checked, for example. It is in the suite of the first case.
func (c *collector) addUnchecked() {
	if !c.report.Verdict.Broken() || c.hasFailure(func(a Item) bool { return a.Rule != Weakened && a.Rule != BreaksCallers }) {
		return
	}
	suite := ""
	if len(c.report.Cases) > 0 {
		suite = c.report.Cases[0].Suite
	}
	c.add(unchecked, Item{Rule: NotEvaluated, Path: suite, Level: Failure, Message: lines(c.story.Headline.Text())}, suite)
}

func (c *collector) hasFailure(is func(Item) bool) bool {
	return slices.ContainsFunc(c.list, func(s sortable) bool { return s.Level == Failure && is(s.Item) })
}
