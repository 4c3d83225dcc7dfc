package annotation

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/report"
)

// levelOf returns Failure for the items of a demand that refuses the change, otherwise Warning.
func (c *collector) levelOf(demand string) Level {
	if c.report.Refuses(demand) {
		return Failure
	}
	return Warning
}

// refusalRules maps each demand to the rule of its items.
var refusalRules = map[string]string{report.FailOnWeakened: Weakened, report.FailOnBreaking: BreaksCallers, report.CheckSnapshots: StaleEvidence, report.MaxDrop: Dropped}

// RefusalRule returns the rule of the items that explain a refusal.
func RefusalRule(r report.Refusal) string { return cmp.Or(refusalRules[r.Demand], NotEvaluated) }

// addRefusals adds an item without a place for each refusal that no other item explains: it is unknown whether the demand is met,
// or the reason has no line.
func (c *collector) addRefusals() {
	for _, r := range c.report.Refused {
		rule := RefusalRule(r)
		if r.Exit == report.ExitFail && c.hasFailure(func(a Item) bool { return a.Rule == rule }) {
			continue
		}
		c.add(refused, Item{Rule: rule, Level: Failure, Title: r.Title, Message: lines(r.Message)}, r.Demand)
	}
}

// addUnchecked adds a failure with the headline of the report if the verdict is not a pass and no other failure shows the reason,
// for example because nothing was checked. Its place is the suite of the first case.
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
