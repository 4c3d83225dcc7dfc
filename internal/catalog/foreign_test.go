package catalog

import (
	"strings"
	"testing"
)

// TestForeignShapes pins that files of other kinds are refused, with what was found and what writes a catalog, and that tools which say no
// more of a schema than a foreign key that is none are read.
func TestForeignShapes(t *testing.T) {
	const snapshot = `; "mcp-gates snapshot" writes the tools of a server`
	tests := []struct{ name, file, text, want string }{
		{"a function beside a name", "c.json", `[{"type": "function", "function": {"name": "a"}, "name": "b"}]`,
			`c.json:1:35: tool 1 has a "function" beside its "name", expected one of them`},
		{"a function without a name", "c.json", `[{"type": "function", "function": {"parameters": {}}}]`, `c.json:1:2: tool 1 has no "name"`},
		{"another key", "c.json", `{"tools": [{"name": "a", "args": {"properties": {"b": {}}}}]}`,
			`c.json:1:34: tool 1 has its input schema under "args", expected "inputSchema", as MCP's tools/list has it` + snapshot},
		{"a manifest without tools", "manifest.json", `{"manifest_version": "0.3", "name": "x", "tools_generated": true}`,
			`manifest.json:1:1: the catalog is a manifest, by its "manifest_version", that lists no tools` + snapshot},
		{"a manifest whose tools are no list", "manifest.json", `{"dxt_version": "0.1", "tools": {"a": {}}}`, `manifest.json:1:33: "tools" must be a list`},
		{"a server of the registry", "server.json", `{"name": "io.x/y", "description": "D", "packages": [{"name": "z"}]}`,
			`server.json:1:1: the catalog has no tools, found "name", "description", "packages", expected an object with "tools", "result" or "servers"` + snapshot},
		{"an extension", "gemini-extension.json", `{"name": "x", "version": "1", "mcpServers": {"x": {"command": "y"}}}`, `found "name", "version", "mcpServers"`},
		{"glama.json", "glama.json", `{"$schema": "https://glama.ai/mcp/schemas/server.json", "maintainers": ["m"]}`, `found "$schema", "maintainers"`},
		{"package.json", "package.json", `{"name": "x", "version": "1", "scripts": {}, "dependencies": {}, "bin": {}, "type": "module"}`, `"bin" and 1 more, expected`},
		{"smithery.yaml", "smithery.yaml", "startCommand:\n  type: stdio\n", `smithery.yaml:1:1: is YAML, which holds no tools, expected JSON` + snapshot},
		{"a list under another key", "c.json", `{"functions": [{"name": "a"}]}`, `has no tools, found "functions", expected`},

		{"beside inputSchema", "c.json", `[{"name": "a", "inputSchema": {}, "parameters": {"type": "object"}}]`, ""},
		{"no schema at all", "c.json", `[{"name": "a", "description": "A.", "extra": {"x": 1}}]`, ""},
		{"metadata", "c.json", `[{"name": "a", "_meta": {"properties": {}}, "outputSchema": {"type": "object"}, "annotations": {}}]`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cat, errs := Read(test.file, []byte(test.text))
			got := ""
			if len(errs) > 0 {
				got = errs.Err().Error()
			}
			if !strings.Contains(got, test.want) || (test.want == "") != (got == "") || (cat == nil) != (got != "") {
				t.Errorf("%s\ngot  %s\nwant %s", test.text, got, test.want)
			}
		})
	}
}
