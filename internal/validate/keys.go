package validate

import (
	"bufio"
	"io"
	"io/fs"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/source"
)

// maxKeys bounds the keys that are examined, because a file is recognised by one of its first keys.
const maxKeys = 100

// jsonKeys returns the keys of the first object of a JSON file, or of the first object in its list, up to the first error.
func jsonKeys(fsys fs.FS, name string) []string {
	file, err := source.Open(fsys, name, source.MaxCassette)
	if err != nil {
		return nil // the reader reports the error
	}
	defer file.Close()
	in := bufio.NewReader(io.LimitReader(file, source.MaxCassette))
	if head, _ := in.Peek(len(source.ByteOrderMark)); string(head) == source.ByteOrderMark {
		_, _ = in.Discard(len(head)) // never fails: the bytes are in the buffer
	}
	return keysAtTop(jsontext.NewDecoder(in, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)))
}

// keysAtTop returns the keys of an object, or of the first object in a list, as far as the text is valid.
func keysAtTop(dec *jsontext.Decoder) []string {
	if dec.PeekKind() == '[' {
		if _, err := dec.ReadToken(); err != nil {
			return nil
		}
	}
	if dec.PeekKind() != '{' {
		return nil
	}
	var keys []string
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	for len(keys) < maxKeys && dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return keys
		}
		keys = append(keys, key.String())
		if dec.SkipValue() != nil {
			return keys
		}
	}
	return keys
}
