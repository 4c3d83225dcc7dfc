package describe

import "github.com/google/jsonschema-go/jsonschema"

// The names of definitions about manifests.
const (
	contentDef = "content"
)

// manifest describes a server of mcp-gates mock. [mock.ReadManifest] reads it.
func manifest() *jsonschema.Schema {
	s := object(schemaKey(), key{name: "mock_server", doc: "The server.", of: mockServer(), required: true})
	s.Title = "A manifest of mcp-gates mock"
	s.Defs = map[string]*jsonschema.Schema{contentDef: content()}
	return s
}

func mockServer() *jsonschema.Schema {
	return object(
		key{name: "name", doc: "Name of the server.", of: line(), byDefault: "mock"},
		key{name: "version", doc: "Its version, as text.", of: line(), byDefault: "1.0.0"},
		key{name: "instructions", doc: "Instructions for clients when they connect.", of: anyText()},
		key{name: "page_size", doc: "Tools, resources or prompts on a page of their list; by default all.", of: wholeNumber(1)},
		key{name: "tools", doc: "The tools, in the order in which they are listed.", of: listOf(mockTool())},
		key{name: "resources", doc: "The resources.", of: listOf(mockResource())},
		key{name: "prompts", doc: "The prompts.", of: listOf(mockPrompt())},
	)
}

func spelled(ours, theirs, doc string, of *jsonschema.Schema) []key {
	return []key{{name: ours, doc: doc, of: of}, {name: theirs, doc: "The protocol's name of `" + ours + "`.", of: of}}
}

func titled(what string) []key {
	return []key{
		{name: "title", doc: "Name for people.", of: anyText()},
		{name: "description", doc: what, of: anyText()},
	}
}

func mockTool() *jsonschema.Schema {
	hints := []key{{name: "title", doc: "Name for people.", of: anyText()}}
	for _, hint := range []struct{ name, doc string }{
		{"readOnlyHint", "A call changes nothing."},
		{"destructiveHint", "A call can destroy something."},
		{"idempotentHint", "A second call with the same arguments changes nothing more."},
		{"openWorldHint", "A call reaches something outside, such as the web."},
	} {
		hints = append(hints, key{name: hint.name, doc: hint.doc, of: boolean()})
	}
	keys := append([]key{{name: "name", doc: "The name, which no other tool has.", of: line(), required: true}}, titled("What the tool is for.")...)
	keys = append(keys, spelled("input_schema", "inputSchema", "JSON Schema of the arguments; by default `{type: object}`.", mapOf(anyValue()))...)
	keys = append(keys, spelled("output_schema", "outputSchema", "JSON Schema of the structured content.", mapOf(anyValue()))...)
	return object(append(keys,
		key{name: "annotations", doc: "Hints on what a call does.", of: object(hints...)},
		key{name: "_meta", doc: "Any map.", of: mapOf(anyValue())},
		key{name: "responses", doc: "Responses, tried in turn.", of: listOf(response(true))},
		key{name: "response", doc: "The response where none of `responses` matches.", of: response(false)},
	)...)
}

func response(conditions bool) *jsonschema.Schema {
	var keys []key
	if conditions {
		keys = append(keys, key{name: "when", doc: "Arguments that the response is for; without it, for all.", of: mapOf(anyValue())})
	}
	keys = append(keys, key{name: "content", doc: "List of content: texts, or maps with a type. One text is a list of one.", of: either(anyText(), listOf(ref(contentDef)))})
	keys = append(keys, spelled("structured_content", "structuredContent", "A map that goes with the content.", mapOf(anyValue()))...)
	return object(append(keys, spelled("is_error", "isError", "The model is to see the answer as an error.", boolean())...)...)
}

func content() *jsonschema.Schema {
	kind := key{name: "type", doc: "The type of the block.", of: choice("text", "image", "audio", "resource_link", "resource"), byDefault: "text"}
	data := key{name: "data", doc: "The bytes, in base64.", of: text(), required: true}
	mime := spelled("mime_type", "mimeType", "The type of the bytes.", anyText())
	binary := object(append([]key{kind, data}, mime...)...)
	embedded := append([]key{{name: "uri", doc: "Its address.", of: text(), required: true}}, append(spelled("mime_type", "mimeType", "Its type.", anyText()), textOrBlob()...)...)
	link := append([]key{kind, {name: "uri", doc: "Its address.", of: text(), required: true}, {name: "name", doc: "Its name.", of: text(), required: true}}, titled("What it is.")...)
	link = append(link, mime...)
	byType := object(kind, key{name: "text", doc: "The text.", of: anyText(), required: true})
	for _, one := range []struct {
		kinds []any
		then  *jsonschema.Schema
	}{
		{[]any{"image", "audio"}, binary},
		{[]any{"resource_link"}, object(link...)},
		{[]any{"resource"}, object(kind, key{name: "resource", doc: "The resource.", of: object(embedded...), required: true})},
	} {
		byType = &jsonschema.Schema{If: ofType(one.kinds), Then: one.then, Else: byType}
	}
	return &jsonschema.Schema{Types: []string{"string", "object"}, If: &jsonschema.Schema{Type: "object"}, Then: byType}
}

func ofType(kinds []any) *jsonschema.Schema {
	return &jsonschema.Schema{Required: []string{"type"}, Properties: map[string]*jsonschema.Schema{"type": {Enum: kinds}}}
}

func textOrBlob() []key {
	return []key{
		{name: "text", doc: "Its content as text.", of: anyText()},
		{name: "blob", doc: "Its content as bytes, in base64; one of `text` and `blob` is required.", of: text()},
	}
}

func mockResource() *jsonschema.Schema {
	keys := append([]key{
		{name: "uri", doc: "An absolute address, which no other resource has.", of: text(), required: true},
		{name: "name", doc: "The name.", of: text(), required: true},
	}, titled("What the resource is.")...)
	keys = append(keys, spelled("mime_type", "mimeType", "Type of its content.", anyText())...)
	return object(append(keys, textOrBlob()...)...)
}

func mockPrompt() *jsonschema.Schema {
	argument := append([]key{{name: "name", doc: "The name.", of: text(), required: true}}, titled("What it is.")...)
	argument = append(argument, key{name: "required", doc: "The argument must be given.", of: boolean(), byDefault: false})
	message := object(
		key{name: "role", doc: "Who says it.", of: choice("user", "assistant"), required: true},
		key{name: "content", doc: "A text, or a map with a type.", of: ref(contentDef), required: true},
	)
	keys := append([]key{{name: "name", doc: "The name, which no other prompt has.", of: line(), required: true}}, titled("What the prompt is for.")...)
	return object(append(keys,
		key{name: "arguments", doc: "Its arguments.", of: listOf(object(argument...))},
		key{name: "messages", doc: "Its messages.", of: listOf(message), required: true},
	)...)
}
