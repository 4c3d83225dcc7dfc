package catalog

import "github.com/go-json-experiment/json/jsontext"

// Write returns {"tools": [...]} with the tools sorted by name, indented by two spaces and with a final newline. Each
// tool keeps every field, their order and their spelling; one without Raw gets the fields of [Tool].
func Write(tools []*Tool) []byte {
	text := appendList([]byte(`{"tools":`), sorted(tools), (*Tool).raw)
	// A value that is not JSON comes back as it is.
	text, _ = jsontext.AppendFormat(nil, append(text, '}'), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true), jsontext.WithIndent("  "))
	return append(text, '\n')
}

// JSON returns the tool as an object: as it was written, or with the fields of [Tool] where Raw is not there, such as
// for a tool that the program has made.
func (t *Tool) JSON() jsontext.Value { return t.raw(nil) }

// raw appends the tool as it was advertised.
func (t *Tool) raw(text []byte) []byte {
	if len(t.Raw) > 0 {
		return append(text, t.Raw...)
	}
	return t.compose(text)
}
