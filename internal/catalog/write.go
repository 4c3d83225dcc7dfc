package catalog

import "github.com/go-json-experiment/json/jsontext"

// Snapshot returns the catalog of one server as [Write] does, with its instructions where they are known.
func Snapshot(c *Catalog) []byte {
	said := ""
	if len(c.Instructions) > 0 {
		text, _ := jsontext.AppendQuote(nil, c.Instructions[0].Text) // invalid UTF-8 is replaced
		said = `,"instructions":` + string(text)
	}
	return write(c.All(), said)
}

// Write returns {"tools": [...]} with the tools sorted by name, indented by two spaces and with a final newline. Each
// tool keeps every field, their order and their spelling; one without Raw gets the fields of [Tool].
func Write(tools []*Tool) []byte { return write(tools, "") }

func write(tools []*Tool, rest string) []byte {
	text := appendList([]byte(`{"tools":`), sorted(tools), (*Tool).raw)
	// A value that is not JSON comes back as it is.
	text, _ = jsontext.AppendFormat(nil, append(append(text, rest...), '}'), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true), jsontext.WithIndent("  "))
	return append(text, '\n')
}

// JSON returns the tool as an object: as it was written, or with the fields of [Tool] where Raw is not there, such as
// for a tool that the program has made.
func (t *Tool) JSON() jsontext.Value { return t.raw(nil) }

func (t *Tool) raw(text []byte) []byte {
	if len(t.Raw) > 0 {
		return append(text, t.Raw...)
	}
	return t.compose(text)
}
