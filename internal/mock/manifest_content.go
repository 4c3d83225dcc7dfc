package mock

import (
	"encoding/base64"

	"github.com/org/mcp-gates/internal/yamlread"
)

// readContent reads a list of blocks; a single text counts as a list with one block.
func readContent(v yamlread.Value, known arguments) tree {
	list := tree{kind: yamlread.ListKind}
	if v.Kind() == yamlread.TextKind {
		list.items = []tree{readBlock(v, known)}
		return list
	}
	for _, item := range v.List() {
		list.items = append(list.items, readBlock(item, known))
	}
	return list
}

// readBlock reads a block of content in the protocol's form: a text, or a map with a type.
func readBlock(v yamlread.Value, known arguments) tree {
	var out tree
	switch v.Kind() {
	case yamlread.TextKind:
		text, _ := v.Str()
		out.set("type", textTree("text"))
		out.set("text", textTree(text.Value))
	case yamlread.MapKind:
		m, _ := v.Map()
		out = readTypedBlock(m)
		m.Done()
	default:
		v.Errorf("content must be text or a map with a type, found %s", v.Describe())
	}
	known.checkVariables(v, out)
	return out
}

func readTypedBlock(m *yamlread.Map) tree {
	kind := "text"
	if m.Has("type") {
		kind = oneWord(m, "type", "text", "image", "audio", "resource_link", "resource")
	}
	var out tree
	out.set("type", textTree(kind))
	switch kind {
	case "text":
		out.set("text", textTree(requiredText(m, "text")))
	case "image", "audio":
		data, _ := base64Text(m, "data")
		out.set("data", textTree(data))
		out.set("mimeType", textTree(requiredText(m, mimeType...)))
	case "resource_link":
		out.set("uri", textTree(m.Str("uri").Value))
		out.set("name", textTree(m.Str("name").Value))
		copyOptional(&out, m, "title", "title")
		copyOptional(&out, m, "description", "description")
		copyOptional(&out, m, "mimeType", mimeType...)
	case "resource":
		out.set("resource", readEmbedded(m))
	case "":
		m.Entries() // the keys of a block without a known type are not known either
	}
	return out
}

func readEmbedded(parent *yamlread.Map) tree {
	var out tree
	m := parent.Map("resource")
	if m == nil {
		if !parent.Has("resource") {
			parent.Errorf(parent.Pos(), `"resource" is missing`)
		}
		return out
	}
	out.set("uri", textTree(m.Str("uri").Value))
	copyOptional(&out, m, "mimeType", mimeType...)
	text, blob := textOrBlob(m)
	if m.Has("blob") {
		out.set("blob", textTree(base64.StdEncoding.EncodeToString(blob)))
	} else {
		out.set("text", textTree(text))
	}
	m.Done()
	return out
}

func textOrBlob(m *yamlread.Map) (text string, blob []byte) {
	switch key, ok := m.OneOf("text", "blob"); {
	case !ok:
		m.Errorf(m.Pos(), `"text" and "blob" are missing, expected one of them`)
	case key == "blob":
		_, blob = base64Text(m, "blob")
	default:
		s, _ := m.OptStr("text")
		text = s.Value
	}
	return text, blob
}

// base64Text reads the required base64 text of key, and returns the text and the decoded bytes.
func base64Text(m *yamlread.Map, key string) (string, []byte) {
	s := m.Str(key)
	data, err := base64.StdEncoding.DecodeString(s.Value)
	if err != nil {
		m.Errorf(s.Pos, "%q must be base64, found %q", key, clip(s.Value))
	}
	return s.Value, data
}

// requiredText reads the text of a key, in one of its spellings. The key must exist, but the text may be empty.
func requiredText(m *yamlread.Map, keys ...string) string {
	key, ok := m.OneOf(keys...)
	if !ok {
		m.Errorf(m.Pos(), "%q is missing", keys[0])
		return ""
	}
	s, _ := m.OptStr(key)
	return s.Value
}

// copyOptional copies the text of an optional key to the protocol's name for it.
func copyOptional(to *tree, m *yamlread.Map, name string, keys ...string) {
	if key, ok := m.OneOf(keys...); ok {
		s, _ := m.OptStr(key)
		to.set(name, textTree(s.Value))
	}
}
