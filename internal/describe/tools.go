package describe

import "github.com/google/jsonschema-go/jsonschema"

// catalog describes the tools of servers, in each of the shapes that are read. Tools keep every field.
func catalog() *jsonschema.Schema {
	tools := key{name: "tools", doc: "The tools, as `tools/list` has them.", of: listOf(ref("tool"))}
	s := open(
		tools,
		key{name: "result", doc: "The result of a JSON-RPC response.", of: oneServer()},
		key{name: "servers", doc: "Several servers, by name.", of: mapOf(oneServer())},
	)
	s = either(s, listOf(ref("tool")))
	s.Title = "A catalog of mcp-gates: what an MCP server advertises"
	s.If = &jsonschema.Schema{Type: "object"}
	s.Then = &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Required: []string{"tools"}}, {Required: []string{"result"}}, {Required: []string{"servers"}}}}
	s.Defs = map[string]*jsonschema.Schema{"tool": tool()}
	return s
}

func oneServer() *jsonschema.Schema {
	return open(key{name: "tools", doc: "The tools.", of: listOf(ref("tool")), required: true})
}

// tool describes a tool as a server advertises it. Servers send odd schemas, which rules judge and no reader refuses.
func tool() *jsonschema.Schema {
	return open(
		key{name: "name", doc: "The name that agents call.", of: text(), required: true},
		key{name: "title", doc: "The name for people.", of: anyValue()},
		key{name: "description", doc: "What the tool is for.", of: either(anyText(), null())},
		key{name: "inputSchema", doc: "The JSON Schema of the arguments.", of: anyValue()},
		key{name: "outputSchema", doc: "The JSON Schema of the structured content.", of: anyValue()},
		key{name: "annotations", doc: "Hints on what a call does.", of: anyValue()},
		key{name: "server", doc: "The server that has the tool, in a flat list of several servers' tools.", of: anyValue()},
	)
}

func inlineTools() *jsonschema.Schema { return listOf(tool()) }

func inlineCatalog() *jsonschema.Schema {
	return object(
		key{name: "tools", doc: "The tools.", of: inlineTools(), required: true},
		key{name: "nextCursor", doc: "Skipped: of a result of `tools/list` that is pasted as it is.", of: anyValue()},
		key{name: "_meta", doc: "Skipped, likewise.", of: anyValue()},
	)
}
