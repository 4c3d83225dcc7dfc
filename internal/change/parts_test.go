package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
)

// partLines writes parts as ASPECT ARGUMENT: BASE -> HEAD, with the changed words of a description.
func partLines(parts []Part) []string {
	var lines []string
	for _, p := range parts {
		line := strings.Join(strings.Fields(string(p.Aspect)+" "+p.Argument+" "+p.Keyword), " ")
		if p.Base != "" || p.Head != "" {
			line += fmt.Sprintf(": %s -> %s", p.Base, p.Head)
		}
		if len(p.Gains)+len(p.Loses) > 0 {
			line += fmt.Sprintf(" (gains %s, loses %s)", p.Gains, p.Loses)
		}
		for _, d := range p.Diff {
			line += fmt.Sprintf(" (%s %s)", d.Change, d.Text)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestParts(t *testing.T) {
	const city = `{"type": "object", "properties": {"city": {"type": "string"}}}`
	for _, test := range []struct {
		name, before, after string // members of the tool
		want                []string
	}{
		{"nothing", `"inputSchema": ` + city, `"inputSchema": ` + city, nil},
		{"description", `"description": "Find a ticket."`, `"description": "Find tickets."`, []string{
			"description: Find a ticket. -> Find tickets. (same Find) (removed a ticket.) (added tickets.)"}},
		{"white space alone", `"description": "Find a ticket."`, `"description": "Find  a ticket."`, []string{
			"description: Find a ticket. -> Find a ticket."}},
		{"argument added", `"inputSchema": ` + city, `"inputSchema": {"type": "object", "properties": {"city": {"type": "string"}, "day": {}}, "required": ["day"]}`, []string{
			"argument added day:  -> required"}},
		{"argument removed", `"inputSchema": ` + city, `"inputSchema": {"type": "object", "properties": {}}`, []string{
			"argument removed city: optional -> "}},
		{"aspects of an argument", `"inputSchema": {"properties": {"a": {"type": "string", "enum": ["x", "y"], "default": "x", "description": "A b."}}}`,
			`"inputSchema": {"properties": {"a": {"type": ["string", "null"], "enum": ["x"], "default": "y", "description": "A c."}}, "required": ["a"]}`, []string{
				"required a: optional -> required", "type a: string -> null or string", `enum a: ["x", "y"] -> ["x"] (gains [], loses ["y"])`, `default a: "x" -> "y"`,
				"description a: A b. -> A c. (same A) (removed b.) (added c.)"}},
		{"within an argument", `"inputSchema": {"properties": {"a": {"properties": {"b": {"type": "string"}}}}}`,
			`"inputSchema": {"properties": {"a": {"properties": {"b": {"type": "integer"}}}}}`, []string{"type a.b: string -> integer"}},
		{"the schema beside its arguments", `"inputSchema": ` + city, `"inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "additionalProperties": false}`, []string{"keyword additionalProperties:  -> false"}},
		{"a branch and a bound", `"inputSchema": {"properties": {"a": {"maxLength": 9}}, "anyOf": [{"required": ["a"]}]}`,
			`"inputSchema": {"properties": {"a": {"maxLength": 5, "pattern": "^hunter2"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}`, []string{
				`keyword anyOf: [{"required":["a"]}] -> [{"required":["a"]},{"required":["b"]}] (gains [{"required":["b"]}], loses [])`,
				"keyword a maxLength: 9 -> 5", `keyword a pattern:  -> "^***"`}},
		{"output and annotations", `"annotations": {"readOnlyHint": true}`, `"outputSchema": {"type": "object"}`, []string{"outputSchema", `annotations: {"readOnlyHint":true} -> `}},
		{"a title", `"title": "Find hunter2"`, `"title": "Search"`, []string{"title: Find *** -> Search"}},
		{"a title that is no text", `"title": null`, `"title": ["a"]`, []string{`title: null -> ["a"]`}},
		{"as a task", `"title": "t"`, `"title": "t", "execution": {"taskSupport": "required"}`, []string{`execution:  -> {"taskSupport":"required"}`}},
		{"icons and _meta", `"icons": [{"src": "a.png"}], "_meta": {"a": 1}`, `"icons": [{"src": "b.png"}], "_meta": {"a": 2}`, []string{"icons", "_meta"}},
		{"order and spelling", `"title": "a", "_meta": {"a": 1, "b": 2.0}`, `"_meta": {"b": 2, "a": 1}, "title": "\u0061"`, nil},
		{"a field that no client knows", `"x-order": 1`, `"x-order": 2`, nil},
		{"a secret", `"description": "Use hunter2."`, `"description": "Use hunter3."`, []string{"description: Use ***. -> Use hunter3. (same Use) (removed ***.) (added hunter3.)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tool := func(members string) *catalog.Tool {
				cat, errs := catalog.Read("c.json", []byte(`[{"name": "t", `+members+`}]`))
				if len(errs) > 0 {
					t.Fatal(errs.Err())
				}
				return cat.Tools[0]
			}
			redact := func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }
			got := Pair{tool(test.before), tool(test.after)}.Parts(redact)
			if got := partLines(got); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}
