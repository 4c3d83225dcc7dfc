package catalog

import "github.com/go-json-experiment/json/jsontext"

// Snapshot returns the catalog of one server in the form of [Write], with the server's instructions if they are known.
func Snapshot(c *Catalog) []byte {
	said := ""
	if len(c.Instructions) > 0 {
		text, _ := jsontext.AppendQuote(nil, c.Instructions[0].Text) // invalid UTF-8 is replaced
		said = `,"instructions":` + string(text)
	}
	return write(c.All(), said)
}

// Write returns {"tools": [...]} with the tools sorted by name, indented by two spaces and with a final newline. Each
// tool keeps all fields, their order and their spelling; a tool without Raw gets the fields of [Tool].
func Write(tools []*Tool) []byte { return write(tools, "") }

func write(tools []*Tool, rest string) []byte {
	text := appendList([]byte(`{"tools":`), sorted(tools), (*Tool).appendJSON)
	// A value that is not JSON is not changed.
	text, _ = jsontext.AppendFormat(nil, append(append(text, rest...), '}'), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true), jsontext.WithIndent("  "))
	return append(text, '\n')
}

// JSON returns the tool as an object: as it was written or, without Raw, with the fields of [Tool]; tools that the
// program has made have no Raw.
func (t *Tool) JSON() jsontext.Value { return t.appendJSON(nil) }

func (t *Tool) appendJSON(text []byte) []byte {
	if len(t.Raw) > 0 {
		return append(text, t.Raw...)
	}
	return t.appendHashed(text)
}
