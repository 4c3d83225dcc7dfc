package imports

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Bounds on what is kept of a log's own keys.
const (
	maxNotes     = 40
	maxNoteKey   = 80  // bytes
	maxNoteValue = 500 // bytes
)

// note adds a value to metadata. A key or a value that is too long is left out, and what goes beyond the number of keys.
func note(metadata map[string]string, key, value string) map[string]string {
	if value == "" || len(metadata) >= maxNotes || len(key) > maxNoteKey || len(value) > maxNoteValue || !utf8.ValidString(key) {
		return metadata
	}
	if metadata == nil {
		metadata = map[string]string{}
	}
	metadata[key] = value
	return metadata
}

// scalar returns a text, a number or a truth value as text; ok is false for another value.
func scalar(raw jsontext.Value) (text string, ok bool) {
	switch raw.Kind() {
	case '"':
		return unquote(raw), true
	case '0', 't', 'f':
		return string(raw), true
	}
	return "", false
}

// scalarText returns what scalar does; "" for another value.
func scalarText(raw jsontext.Value) string {
	text, _ := scalar(raw)
	return text
}

// anyText is a text in a log. A number or a truth value is its text, and another value is the empty one: neither makes a
// record unreadable.
type anyText string

// UnmarshalJSONFrom reads the text.
func (w *anyText) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	text, _ := scalar(raw)
	*w = anyText(text)
	return nil
}

// content is a message's content as text; see [Text].
type content struct {
	text  string
	given bool // there is something, also where it is empty
	calls bool // there are calls or results among the parts, as Anthropic's API has them
}

// UnmarshalJSONFrom reads the content.
func (c *content) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	c.text, c.given = Text(raw), raw.Kind() != 'n'
	c.calls = raw.Kind() == '[' && (bytes.Contains(raw, []byte(`"tool_use"`)) || bytes.Contains(raw, []byte(`"tool_result"`)))
	return nil
}

// either is a text, or another value. Long texts are read once, and not kept as JSON beside.
type either struct {
	text  string
	other jsontext.Value // nil for a text
	given bool
}

// UnmarshalJSONFrom reads the value.
func (e *either) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	*e = either{given: true}
	if raw.Kind() == '"' {
		e.text = unquote(raw)
	} else {
		e.other = raw.Clone()
	}
	return nil
}

// content returns the text of a message's content; see [Text].
func (e *either) content() string {
	if e.other == nil {
		return e.text
	}
	return Text(e.other)
}

// json returns a text as it is, and another value as JSON.
func (e *either) json() string {
	if e.other == nil {
		return e.text
	}
	return compactText(e.other)
}

// list is a list of values, each of which is read on its own. Another value is an empty list.
type list[T any] []T

// UnmarshalJSONFrom reads the list.
func (l *list[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*l = nil
	if dec.PeekKind() != '[' {
		return dec.SkipValue()
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		if dec.PeekKind() != '{' {
			if err := dec.SkipValue(); err != nil {
				return err
			}
			continue
		}
		var one T
		if err := json.UnmarshalDecode(dec, &one); err != nil {
			return err
		}
		*l = append(*l, one)
	}
	_, err := dec.ReadToken()
	return err
}

// object is an object; another value is an empty one.
type object[T any] struct {
	value T
	given bool
}

// UnmarshalJSONFrom reads the object.
func (o *object[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	o.given = true
	return json.UnmarshalDecode(dec, &o.value)
}

// members calls each for the members of an object, in order.
func members(raw jsontext.Value, each func(key string, value jsontext.Value)) {
	if raw.Kind() != '{' {
		return
	}
	dec := jsontext.NewDecoder(strings.NewReader(string(raw)), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	_, _ = dec.ReadToken()
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return
		}
		name := key.String()
		value, err := dec.ReadValue()
		if err != nil {
			return
		}
		each(name, value.Clone())
	}
}
