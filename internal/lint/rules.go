package lint

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
}

// Find returns the rule with the id.
func Find(id string) (*Rule, bool) {
	for _, rule := range Rules {
		if rule.ID == id {
			return rule, true
		}
	}
	return nil, false
}
