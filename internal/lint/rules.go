package lint

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
)

// Rules is the table of rules, in the order of reports and documentation.
var Rules = []*Rule{
	tooShort,             // DESC-001
	tooLong,              // DESC-002
	repeatsName,          // DESC-003
	noVerb,               // DESC-004
	positional,           // DESC-005
	undocumentedArgument, // DESC-006
	unmentionedEnum,      // DESC-007
	argumentOutgrowsTool, // DESC-008
	noExample,            // DESC-009
	noReturn,             // DESC-010
	invalidHint,          // DESC-011
	noAnnotations,        // DESC-012
	valuesInProse,        // DESC-013

	noRequired,        // SCH-001
	openObject,        // SCH-002
	untypedProperty,   // SCH-003
	unboundedProperty, // SCH-004

	unusualName,        // MCP-001
	duplicateName,      // MCP-002
	undeclaredRequired, // MCP-003
	brokenSchema,       // MCP-004
	emptyEnum,          // MCP-005
	unhintedMutation,   // MCP-006
	clientLimit,        // MCP-007
	twinDescriptions,   // MCP-008
	unsearchedText,     // MCP-009
}

// Find returns the rule with the id, and whether there is one.
func Find(id string) (*Rule, bool) {
	for _, rule := range Rules {
		if rule.ID == id {
			return rule, true
		}
	}
	return nil, false
}

// IDs returns the ids of [Rules], in order.
func IDs() []string {
	return lists.Map(Rules, func(rule *Rule) string { return rule.ID })
}

// Explain returns the documentation of a rule as Markdown, with a heading of the third level.
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
	if PresetRecommended.has(rule) {
		b.WriteString(" Preset: `recommended`.")
	}
	fmt.Fprintf(&b, " Source: %s.\n\n%s\n\nOnce for all tools: %s.\n\n", rule.Source, rule.reason(), rule.Fix)
	fmt.Fprintf(&b, "Found:\n```json\n%s\n```\nNot found:\n```json\n%s\n```\n", cutLine(rule.Bad), rule.Good)
	return b.String(), true
}

// cutLine returns an example for a page, shortened if necessary, because the length of an example may be its flaw.
func cutLine(example string) string {
	const longest = 800
	if len(example) <= longest {
		return example
	}
	return example[:longest] + " …"
}

func (r *Rule) reason() string { return strings.ReplaceAll(r.Why, "\n", " ") }
