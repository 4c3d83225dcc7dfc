package lint

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/lint/english"
	"github.com/org/mcp-gates/internal/schema"
)

// hints are the four hints of the protocol's tool annotations.
var hints = []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}

var invalidHint = &Rule{
	ID: "DESC-011", Severity: Warning, Smell: InvalidAnnotation, Reads: Schemas,
	Title: "an annotation hint is not a boolean",
	Why: `Clients decide by the hints whether to ask the user before a call. Some clients read a string, a number or null as true, some as
false, and some as an error.`,
	Bad:    `{"name": "get_weather", "description": "Gets the weather of a city.", "annotations": {"readOnlyHint": "true"}}`,
	Good:   `{"name": "get_weather", "description": "Gets the weather of a city.", "annotations": {"readOnlyHint": true}}`,
	Source: "mcptest, description quality; Model Context Protocol, ToolAnnotations",
	Fix:    "write the hints as booleans or leave them out, never as null",
	Scored: true,
	Trial:  Trial{Found: 25, Judged: 25, Right: 25},
	Check: func(v *View, report Report) {
		for _, hint := range hints {
			value := v.annotations.Get(hint)
			if value == nil || value.IsBool() {
				continue
			}
			report(Note{
				AtName:     true,
				Message:    fmt.Sprintf("the hint %q is %s, expected true or false", hint, describeValue(value)),
				Suggestion: fmt.Sprintf("write %q: %t, or leave it out", hint, strings.EqualFold(value.Text, "true") || value.Text == "1"),
			})
		}
	},
}

// describeValue returns a value for a message: a short value as written, an object or a list by its kind.
func describeValue(n *schema.Node) string {
	switch n.Kind {
	case '{':
		return "an object"
	case '[':
		if len(n.Items) == 0 {
			return "an empty list"
		}
		return "a list"
	case '"':
		return quoted(n.Text)
	}
	return Shortened(n.Spelled())
}

var noAnnotations = &Rule{
	ID: "DESC-012", Severity: Warning, Smell: MissingAnnotations, Reads: Schemas,
	Title:  "the tool has no annotations object",
	Why:    `Without annotations, a client must assume that every call changes or destroys something. An empty object passes; null does not.`,
	Bad:    `{"name": "get_weather", "description": "Gets the weather of a city.", "annotations": null}`,
	Good:   `{"name": "get_weather", "description": "Gets the weather of a city.", "annotations": {"readOnlyHint": true}}`,
	Source: "mcptest, description quality; Model Context Protocol, ToolAnnotations",
	Fix:    "declare annotations where tools are registered: readOnlyHint for tools that only read, destructiveHint for the rest",
	Scored: true,
	Trial:  Trial{Found: 1497, Judged: 100, Right: 100},
	Check: func(v *View, report Report) {
		if v.annotations != nil {
			return
		}
		message := "has no annotations object"
		if raw := strings.TrimSpace(string(v.Tool.Annotations)); raw != "" {
			message = fmt.Sprintf("annotations is %s, expected an object", Shortened(raw))
		}
		report(Note{AtName: true, Message: message, Suggestion: "add " + annotationsFor(v.Tool.Name)})
	},
}

func annotationsFor(name string) string {
	first := ""
	if words := english.NameWords(name); len(words) > 0 {
		first = words[0]
	}
	switch {
	case isDestructive(first):
		return `"annotations": {"readOnlyHint": false, "destructiveHint": true}`
	case isMutating(first):
		return `"annotations": {"readOnlyHint": false, "destructiveHint": false}, with destructiveHint true if a call can undo or overwrite something`
	}
	return `"annotations": {"readOnlyHint": true}, or false if a call changes something`
}
