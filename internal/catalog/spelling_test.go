package catalog

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSpellings pins that a tool in the spelling of another program is the tool that a server sends: the same text, so that tokens,
// findings and hashes are the same, and places in the file as it is.
func TestSpellings(t *testing.T) {
	const schema = `{"type": "object", "properties": {"q": {"type": "string"}}}`
	const wire = `{"name":"a","description":"Finds.","inputSchema":` + schema + `}`
	for _, test := range []struct{ name, text, want string }{
		{"Anthropic", `[{"name": "a", "description": "Finds.", "input_schema": ` + schema + `, "cache_control": {"type": "ephemeral"}}]`, wire},
		{"OpenAI Responses", `[{"type": "function", "name": "a", "parameters": ` + schema + `, "strict": true, "description": "Finds."}]`, wire},
		{"OpenAI chat completions", `[{"type": "function", "function": {"name": "a", "description": "Finds.", "parameters": ` + schema + `}}]`, wire},
		{"function first", `{"tools": [{"function": {"description": "Finds.", "parameters": ` + schema + `, "name": "a"}, "type": "function"}]}`, wire},
		{"fastmcp inspect", `{"server": {"name": "s"}, "tools": [{"key": "a", "name": "a", "description": "Finds.", "input_schema": ` + schema +
			`, "output_schema": {"type": "object"}, "annotations": {"readOnlyHint": true}, "tags": null, "title": "A", "meta": {}}], "prompts": []}`,
			wire[:len(wire)-1] + `,"outputSchema":{"type": "object"},"annotations":{"readOnlyHint": true},"title":"A"}`},
		{"all spellings at once", `[{"name": "a", "parameters": {}, "input_schema": {"x": 1}, "inputSchema": ` + schema + `, "description": "Finds."}]`,
			`{"name": "a", "parameters": {}, "input_schema": {"x": 1}, "inputSchema": ` + schema + `, "description": "Finds."}`},
		{"two spellings", `[{"name": "a", "parameters": {}, "input_schema": ` + schema + `, "description": "Finds."}]`, wire},
		{"one tool alone", `{"name": "a", "description": "Finds.", "inputSchema": ` + schema + `}`, `{"name": "a", "description": "Finds.", "inputSchema": ` + schema + `}`},
		{"one function alone", `{"type": "function", "function": {"name": "a", "description": "Finds.", "parameters": ` + schema + `}}`, wire},
		{"a property named parameters", `[{"name": "a", "description": "Finds.", "parameters": []}]`, `{"name": "a", "description": "Finds.", "parameters": []}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			cat := read(t, test.text)
			if len(cat.Tools) != 1 {
				t.Fatalf("%d tools", len(cat.Tools))
			}
			got := cat.Tools[0]
			if diff := cmp.Diff(test.want, string(got.JSON())); diff != "" {
				t.Errorf("the tool (-want +got):\n%s", diff)
			}
			if at := got.ArgumentPos("q"); len(got.InputSchema) > 0 && test.text[at.Col-1:at.Col+2] != `"q"` {
				t.Errorf("the argument is at %s, where the file has %q", at, test.text[at.Col-1:])
			}
		})
	}
}
