package lint

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/lint/english"
	"github.com/org/mcp-gates/internal/schema"
)

var noExample = &Rule{
	ID: "DESC-009", Severity: Warning, Smell: MissingExamples, Reads: Schemas,
	Title: "a tool with a non-trivial input schema gives no example",
	Why: "An example shows formats, units and how arguments belong together. A schema is trivial if it has no properties, or " +
		"only one optional string without enum, const, format or pattern. These are examples: `examples` of the tool or " +
		"the schema; `examples` or `example` of an argument; a `default` of an argument, unless it is null. An empty list is not " +
		"an example. Words that introduce an example in a description of the tool or an argument count, too (e.g., for example, " +
		"for instance, such as, example, 例如, 例えば).",
	Bad: `{"name": "get_weather", "description": "Gets the weather of a city.", "inputSchema": {"type": "object",
  "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}}`,
	Good: `{"name": "get_weather", "description": "Gets the weather of a city.", "inputSchema": {"type": "object",
  "properties": {"city": {"type": "string", "examples": ["Paris, France"]}, "days": {"type": "integer"}}}}`,
	Source: "mcptest, description quality; Anthropic, advanced tool use",
	Fix:    "give one example of each argument that has a format; keep the examples of shared arguments in one place",
	Trial:  Trial{Found: 688, Judged: 100, Right: 48},
	Check: func(v *View, report Report) {
		if v.isTrivial() || v.hasExample() {
			return
		}
		report(Note{
			AtName:     true,
			Message:    fmt.Sprintf("%s and no example of any", counted(len(v.arguments), "argument")),
			Suggestion: exampleAdvice(v.arguments),
		})
	},
}

// isTrivial reports whether the input needs no example: it has no argument, or only one, an optional plain string.
func (v *View) isTrivial() bool {
	if len(v.arguments) == 0 {
		return true
	}
	return len(v.arguments) == 1 && !v.arguments[0].required && isPlainString(v.arguments[0].schema)
}

func isPlainString(node *schema.Node) bool {
	t := node.Get("type")
	if !t.IsString() || t.Text != "string" {
		return false
	}
	return !node.Has("enum") && !node.Has("const") && !node.Has("format") && !node.Has("pattern")
}

func (v *View) hasExample() bool {
	if !v.input.Get("examples").IsBlank() || toolExamples(v.Tool.Raw) || english.GivesExample(v.Text) {
		return true
	}
	return slices.ContainsFunc(v.arguments, func(a argument) bool {
		return english.GivesExample(a.text) || !a.schema.Get("examples").IsBlank() ||
			isGiven(a.schema.Get("example")) || isGiven(a.schema.Get("default"))
	})
}

func isGiven(n *schema.Node) bool { return n != nil && !n.Is('n') }

// toolExamples reports whether the tool object has examples of its own. It decodes the object only if the text may
// contain them.
func toolExamples(raw []byte) bool {
	if !bytes.Contains(raw, []byte("examples")) && !bytes.Contains(raw, []byte(`\u`)) {
		return false
	}
	return !schema.DecodeObject(raw).Get("examples").IsBlank()
}

// exampleAdvice returns an example for the argument that needs one most: the first required argument, otherwise the first.
func exampleAdvice(arguments []argument) string {
	firstRequired := slices.IndexFunc(arguments, func(a argument) bool { return a.required })
	chosen := arguments[max(firstRequired, 0)]
	return fmt.Sprintf(`add to %s: "examples": [%s]`, JSONText(chosen.name), exampleValue(chosen.schema))
}

func exampleValue(node *schema.Node) string {
	if values := enumOf(node); len(values) > 0 && node.HasType("string") {
		return JSONText(values[0])
	}
	switch {
	case node.HasType("integer"), node.HasType("number"):
		return "10"
	case node.HasType("boolean"):
		return "true"
	case node.HasType("array"):
		return `["…"]`
	case node.HasType("object"):
		return `{"…": "…"}`
	}
	return `"…"`
}
