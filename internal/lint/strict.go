package lint

import (
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/lint/english"
	"github.com/org/mcp-gates/internal/schema"
)

// The SCH rules check only the input schema, property by property, also in nested objects and lists.

var noRequired = &Rule{
	ID: "SCH-001", Severity: Warning, Reads: Schemas,
	Title: "an object schema declares properties and has no required list",
	Why:   `Without the list, an agent does not know which arguments it may leave out. An empty list passes.`,
	Bad:   `{"name": "find", "inputSchema": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 200}}}}`,
	Good: `{"name": "find", "inputSchema": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 200}},
  "required": ["text"], "additionalProperties": false}}`,
	Source: "mcptest, tool schema lint",
	Fix:    "have the schema library write required, as an empty list if all arguments are optional",
	Trial:  Trial{Found: 126, Judged: 100, Right: 17},
	Check: func(v *View, report Report) {
		v.eachSchema(func(i int, n *schema.Node) {
			properties := n.Get("properties")
			if !properties.IsObject() || len(properties.Keys) == 0 || n.Has("required") {
				return
			}
			path := v.path(i)
			report(Note{
				AtName:     true,
				Path:       path,
				Message:    fmt.Sprintf("%s declares %s and has no required list", placeOf(path), countKeys(properties, "propert", "y", "ies")),
				Suggestion: v.requiredAdvice(properties),
			})
		})
	},
}

func placeOf(path []string) string {
	if len(path) == 0 {
		return "the input schema"
	}
	return quoted(ArgumentName(path))
}

func countKeys(n *schema.Node, stem, one, many string) string {
	if len(n.Keys) == 1 {
		return "1 " + stem + one
	}
	return fmt.Sprint(len(n.Keys), " ", stem, many)
}

// requiredAdvice returns a required list of the properties that every call must give according to their
// descriptions; without such properties, an empty list and a question.
func (v *View) requiredAdvice(properties *schema.Node) string {
	var names []string
	for i, name := range properties.Keys {
		if english.SaysRequired(v.description(properties.Items[i])) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return `which of them must every call give? if none, add "required": []`
	}
	return `add "required": ` + jsonList(names) + ", as their descriptions say"
}

var openObject = &Rule{
	ID: "SCH-002", Severity: Warning, Reads: Schemas,
	Title: "an object schema does not forbid additional properties",
	Why: "A misspelt or invented argument is silently ignored. With `additionalProperties: false`, the call fails, and the agent " +
		"can correct it. Strict modes of model APIs require this setting, too.",
	Bad:    `{"name": "ping", "inputSchema": {"type": "object", "properties": {}}}`,
	Good:   `{"name": "ping", "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}}`,
	Source: "mcptest, tool schema lint",
	Fix:    `have the schema library forbid other arguments (.strict() in Zod, extra="forbid" in Pydantic)`,
	Trial:  Trial{Found: 1134, Judged: 100, Right: 100},
	Check: func(v *View, report Report) {
		v.eachSchema(func(i int, n *schema.Node) {
			additional := n.Get("additionalProperties")
			if !n.DescribesObjects() || additional.Is('f') {
				return
			}
			path, found := v.path(i), "has no additionalProperties"
			if additional != nil {
				found = "has additionalProperties " + describeValue(additional)
			}
			report(Note{
				AtName:     true,
				Path:       path,
				Message:    fmt.Sprintf("%s %s, expected false", placeOf(path), found),
				Suggestion: `write "additionalProperties": false`,
			})
		})
	},
}

// typeKeywords are the keywords that type a property.
var typeKeywords = []string{"type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"}

var untypedProperty = &Rule{
	ID: "SCH-003", Severity: Critical, Reads: Schemas,
	Title: "a property has neither type nor enum",
	Why: "An agent has to guess the type. A property with `const`, `$ref`, `anyOf`, " +
		"`oneOf` or `allOf` passes.",
	Bad:    `{"name": "find", "inputSchema": {"type": "object", "properties": {"text": {"description": "Words to find"}}}}`,
	Good:   `{"name": "find", "inputSchema": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 200}}}}`,
	Source: "mcptest, tool schema lint",
	Fix:    "give every property a type",
	Trial:  Trial{Found: 2, Judged: 2, Right: 2},
	Check: func(v *View, report Report) {
		v.eachProperty(func(i int, p place) {
			// The schema false accepts no value, so there is nothing to guess.
			if p.schema.Is('f') || slices.ContainsFunc(typeKeywords, p.schema.Has) {
				return
			}
			path := v.path(i)
			report(Note{
				Path:       path,
				Message:    fmt.Sprintf("the property %s has neither type nor enum", placeOf(path)),
				Suggestion: "add to " + JSONText(p.key) + `: "type": "string", or what else it takes`,
			})
		})
	},
}

var unboundedProperty = &Rule{
	ID: "SCH-004", Severity: Warning, Reads: Schemas,
	Title: "a string has no maxLength, or an array no maxItems",
	Why: `A model that does not stop can fill an unbounded argument with thousands of tokens. A string with enum, const or format needs no
limit. If type is a list, each of its types is checked.`,
	Bad:    `{"name": "find", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}`,
	Good:   `{"name": "find", "inputSchema": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 200}}}}`,
	Source: "mcptest, tool schema lint",
	Fix:    "limit strings and arrays where the server does (.max() in Zod, max_length in Pydantic)",
	Trial:  Trial{Found: 2240, Judged: 100, Right: 100},
	Check: func(v *View, report Report) {
		v.eachPropertySchema(func(i int, n *schema.Node) {
			if n.HasType("string") && !n.Has("maxLength") && !n.Has("enum") && !n.Has("const") && !n.Has("format") {
				report(unbounded(v.path(i), `a string without "maxLength"`, `"maxLength": 200`))
			}
			if n.HasType("array") && !n.Has("maxItems") {
				report(unbounded(v.path(i), `an array without "maxItems"`, `"maxItems": 100`))
			}
		})
	},
}

func unbounded(path []string, found, limit string) Note {
	return Note{
		Path:       path,
		Message:    placeOf(path) + " is " + found,
		Suggestion: "add to " + JSONText(path[len(path)-1]) + ": " + limit + ", or what the server takes at most",
	}
}
