package logs

import (
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds on a log's own keys in [Run.Metadata].
const (
	maxMetadata      = 40
	maxMetadataKey   = 80  // bytes
	maxMetadataValue = 500 // bytes
)

// AddMetadata adds a value to metadata. It drops a key or a value that is too long, and keys beyond the maximum number.
func AddMetadata(metadata map[string]string, key, value string) map[string]string {
	if value == "" || len(metadata) >= maxMetadata || len(key) > maxMetadataKey || len(value) > maxMetadataValue || !utf8.ValidString(key) {
		return metadata
	}
	if metadata == nil {
		metadata = map[string]string{}
	}
	metadata[key] = value
	return metadata
}

// Scalar returns a text, a number or a truth value as text; ok is false for another value.
func Scalar(raw jsontext.Value) (text string, ok bool) {
	switch raw.Kind() {
	case '"':
		return Unquote(raw), true
	case '0', 't', 'f':
		return string(raw), true
	}
	return "", false
}

// AnyText is a text in a log. A number or a truth value becomes its JSON text, and any other value becomes "", so that no value
// makes a record unreadable.
type AnyText string

// UnmarshalJSON reads the text.
func (w *AnyText) UnmarshalJSON(raw []byte) error {
	text, _ := Scalar(raw)
	*w = AnyText(text)
	return nil
}

// Either is a text or another value. A text is not kept as JSON as well, because texts can be long.
type Either struct {
	text  string
	Other jsontext.Value // nil for a text
	given bool           // the log has the value
}

// UnmarshalJSON reads the value.
func (e *Either) UnmarshalJSON(raw []byte) error {
	*e = Either{given: true}
	if jsontext.Value(raw).Kind() == '"' {
		e.text = Unquote(raw)
	} else {
		e.Other = jsontext.Value(raw).Clone()
	}
	return nil
}

// Content returns the text of a message's content; see [Text].
func (e *Either) Content() string {
	if e.Other == nil {
		return e.text
	}
	return Text(e.Other)
}

// JSON returns a text unchanged, and any other value as JSON.
func (e *Either) JSON() string {
	if e.Other == nil {
		return e.text
	}
	return CompactText(e.Other)
}
