package lint

import (
	"fmt"

	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/source"
)

var undeclaredRequired = &Rule{
	ID: "MCP-003", Severity: Critical, Reads: Schemas,
	Title: "the required list names an argument that properties lacks",
	Why: `An agent must fill an argument that nothing describes, often an argument that was renamed. If additional properties are forbidden, no
call can succeed. A branch of allOf, anyOf or oneOf may declare the argument.`,
	Bad:    `{"name": "get", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["uid"]}}`,
	Good:   `{"name": "get", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}}`,
	Source: "JSON Schema, validation vocabulary",
	Fix:    "derive required from the declared properties",
	Check: func(v *View, report Report) {
		left := maxSuggested
		v.eachSchema(func(i int, n *schema.Node) {
			path := v.path(i)
			for _, name := range v.undeclared(n) {
				report(Note{
					AtName:     true,
					Path:       append(path[:len(path):len(path)], name),
					Message:    fmt.Sprintf("%s requires %s, which properties lacks", placeOf(path), quoted(name)),
					Suggestion: declareAdvice(n, name, left > 0),
				})
				left--
			}
		})
	},
}

// Limits on the search for the argument that a wrong name may mean: each name is compared with each argument.
const (
	maxSuggested  = 100 // names of a tool
	maxComparable = 100 // arguments, and bytes of a name
)

// declareAdvice returns a suggestion for a required name without a property. search allows a search for a similar name.
func declareAdvice(n *schema.Node, name string, search bool) string {
	const advice = "declare it, or take it out of required"
	properties := n.Get("properties")
	if !search || !properties.IsObject() || len(name) > maxComparable {
		return advice
	}
	var keys []string
	for _, key := range properties.Keys[:min(len(properties.Keys), maxComparable)] {
		if len(key) <= maxComparable {
			keys = append(keys, key)
		}
	}
	if near, ok := source.Nearest(name, keys); ok {
		return "did you mean " + quotedName(near) + "? else " + advice
	}
	return advice
}

var brokenSchema = &Rule{
	ID: "MCP-004", Severity: Critical, Reads: Schemas,
	Title: "inputSchema is missing, is not of type object, or is not valid JSON Schema",
	Why: `The protocol demands {"type": "object"}. If one schema does not compile, model APIs refuse the whole request, with all tools. A
schema without $schema is read as draft 2020-12. Remote references are never loaded.`,
	Bad:    `{"name": "ping", "inputSchema": {"type": "object", "properties": {"host": {"type": "text"}}}}`,
	Good:   `{"name": "ping", "inputSchema": {"type": "object", "properties": {"host": {"type": "string"}}}}`,
	Source: "Model Context Protocol, tools; JSON Schema, core",
	Fix:    "let a schema library write inputSchema, and compile it in a test",
	Trial:  Trial{Found: 706, Judged: 100, Right: 100},
	Check: func(v *View, report Report) {
		if flaw := v.typeFlaw(); flaw != "" {
			report(Note{AtName: true, Message: flaw, Suggestion: `the least that is valid is "inputSchema": {"type": "object"}`})
			return
		}
		if flaw := compileFlaw(v.input, v.Tool.InputSchema); flaw != "" {
			report(Note{
				AtName:     true,
				Message:    flaw,
				Suggestion: `write it in draft 2020-12, or name its draft, such as "$schema": "http://json-schema.org/draft-07/schema#"`,
			})
		}
	},
}

func (v *View) typeFlaw() string {
	raw := v.Tool.InputSchema
	if len(raw) == 0 {
		return "inputSchema is missing"
	}
	if v.input == nil {
		found := schema.Decode(raw)
		if found == nil {
			return "inputSchema cannot be read as JSON"
		}
		return "inputSchema is " + describeValue(found) + ", expected an object"
	}
	t := v.input.Get("type")
	if t == nil {
		return `inputSchema has no type, expected "object"`
	}
	if !t.IsString() || t.Text != "object" {
		return "inputSchema has type " + describeValue(t) + `, expected "object"`
	}
	return ""
}

var emptyEnum = &Rule{
	ID: "MCP-005", Severity: Warning, Reads: Schemas,
	Title:  "an enum is empty",
	Why:    `No value is valid, so every call with the argument fails.`,
	Bad:    `{"name": "list", "inputSchema": {"type": "object", "properties": {"sort": {"type": "string", "enum": []}}}}`,
	Good:   `{"name": "list", "inputSchema": {"type": "object", "properties": {"sort": {"type": "string", "enum": ["asc", "desc"]}}}}`,
	Source: "JSON Schema, validation vocabulary",
	Fix:    "list the values, or leave the enum out",
	Check: func(v *View, report Report) {
		v.eachSchema(func(i int, n *schema.Node) {
			if enum := n.Get("enum"); enum.IsList() && len(enum.Items) == 0 {
				path := v.path(i)
				report(Note{
					AtName:     true,
					Path:       path,
					Message:    placeOf(path) + " has an empty enum, expected at least one value",
					Suggestion: "list the values, or leave the enum out",
				})
			}
		})
	},
}
