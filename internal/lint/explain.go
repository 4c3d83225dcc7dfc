package lint

import (
	"fmt"
	"strings"
)

// Explain returns the documentation of a rule as Markdown, headed at the third level.
func Explain(id string) (string, bool) {
	rule, ok := Find(id)
	if !ok {
		return "", false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "### %s: %s\n\n", rule.ID, rule.Title)
	fmt.Fprintf(&b, "Severity: %s.", rule.Severity)
	if rule.Smell != "" {
		fmt.Fprintf(&b, " Smell: `%s`.", rule.Smell)
	}
	fmt.Fprintf(&b, " Source: %s.\n\n%s\n\n", rule.Source, strings.ReplaceAll(rule.Why, "\n", " "))
	fmt.Fprintf(&b, "Found:\n```json\n%s\n```\nNot found:\n```json\n%s\n```\n", rule.Bad, rule.Good)
	return b.String(), true
}
