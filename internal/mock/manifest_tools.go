package mock

import (
	"slices"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

func (r *reader) readTool(m *yamlread.Map) {
	name := r.uniqueName(m, "tool", "name")
	var listed tree
	listed.set("name", textTree(name))
	copyOptional(&listed, m, "title", "title")
	copyOptional(&listed, m, "description", "description")
	schema := objectSchema()
	if given, ok := readFreeMap(m, "input_schema", "inputSchema"); ok {
		schema = given
	}
	listed.set("inputSchema", schema)
	if output, ok := readFreeMap(m, "output_schema", "outputSchema"); ok {
		listed.set("outputSchema", output)
	}
	if hints := m.Map("annotations"); hints != nil {
		listed.set("annotations", readAnnotations(hints))
	}
	if meta, ok := readFreeMap(m, "_meta"); ok {
		listed.set("_meta", meta)
	}
	t := &tool{name: name, raw: listed.toJSON(), responses: readResponses(m, declaredArguments(schema))}
	m.Done()
	r.definition.tools = append(r.definition.tools, t)
}

func objectSchema() tree {
	var schema tree
	schema.set("type", textTree("object"))
	return schema
}

// readFreeMap reads a map with free keys, under a key with one of these spellings.
func readFreeMap(m *yamlread.Map, keys ...string) (tree, bool) {
	key, ok := m.OneOf(keys...)
	if !ok {
		return tree{}, false
	}
	v, _ := m.Value(key)
	if _, ok := v.Map(); !ok {
		return tree{}, false
	}
	return readTree(v), true
}

func readAnnotations(m *yamlread.Map) tree {
	hints := tree{kind: yamlread.MapKind}
	copyOptional(&hints, m, "title", "title")
	for _, key := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
		if !m.Has(key) {
			continue
		}
		m.Bool(key, false)
		v, _ := m.Value(key)
		hints.set(key, readTree(v))
	}
	m.Done()
	return hints
}

// declaredArguments returns the arguments that a schema declares, or nil if it allows others or does not declare them as
// properties.
func declaredArguments(schema tree) arguments {
	properties, ok := schema.get("properties")
	if !ok || properties.kind != yamlread.MapKind {
		return nil
	}
	for _, key := range []string{"patternProperties", "allOf", "anyOf", "oneOf", "$ref", "if"} {
		if _, ok := schema.get(key); ok {
			return nil
		}
	}
	if others, ok := schema.get("additionalProperties"); ok && others.text != "false" {
		return nil
	}
	return append(arguments{}, properties.keys...)
}

// readResponses reads the answers of a tool: those with conditions, and after them the answer to all other arguments.
func readResponses(m *yamlread.Map, known arguments) []response {
	var list []response
	var last *yamlread.Map // the response after which no other can apply
	for _, child := range m.Maps("responses") {
		checkReached(child, child.Pos(), last)
		r := response{when: readConditions(child, known)}
		r.read(child, known)
		if last == nil && !child.Has("when") {
			last = child
		}
		list = append(list, r)
	}
	if only := m.Map("response"); only != nil {
		checkReached(only, m.KeyPos("response"), last)
		var r response
		r.read(only, known)
		list = append(list, r)
	}
	return list
}

func checkReached(m *yamlread.Map, pos source.Pos, last *yamlread.Map) {
	if last != nil {
		m.Errorf(pos, `never answers, because the response at %d:%d has no "when"`, last.Pos().Line, last.Pos().Col)
	}
}

func readConditions(m *yamlread.Map, known arguments) tree {
	v, ok := m.Value("when")
	if !ok {
		return tree{}
	}
	when, ok := v.Map()
	if !ok {
		return tree{}
	}
	for _, e := range when.Entries() {
		if known != nil && !slices.Contains(known, e.Key.Value) {
			m.Errorf(e.Key.Pos, "%q is not an argument%s", clip(e.Key.Value), known.hint(e.Key.Value))
		}
	}
	return readTree(v)
}

func (r *response) read(m *yamlread.Map, known arguments) {
	blocks := tree{kind: yamlread.ListKind}
	given, hasContent := m.Value("content")
	if hasContent {
		blocks = readContent(given, known)
	}
	r.result.set("content", blocks)
	key, hasStructure := m.OneOf("structured_content", "structuredContent")
	if hasStructure {
		structured, _ := readFreeMap(m, key)
		v, _ := m.Value(key)
		known.checkVariables(v, structured)
		r.result.set("structuredContent", structured)
	}
	if !hasContent && !hasStructure {
		m.Errorf(m.Pos(), `"content" is missing`)
	}
	if key, ok := m.OneOf("is_error", "isError"); ok {
		r.isError = m.Bool(key, false)
	}
	m.Done()
}
