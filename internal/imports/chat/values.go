package chat

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// content is a message's content as text; see [logs.Text].
type content struct {
	text              string
	hasAnthropicCalls bool // the parts include calls or results in the form of Anthropic's API
}

// UnmarshalJSON reads the content.
func (c *content) UnmarshalJSON(raw []byte) error {
	c.text = logs.Text(raw)
	c.hasAnthropicCalls = jsontext.Value(raw).Kind() == '[' && (bytes.Contains(raw, []byte(`"tool_use"`)) || bytes.Contains(raw, []byte(`"tool_result"`)))
	return nil
}

// list is a list whose objects are read one by one. Any other value is an empty list.
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

// object is an object. Any other value is an empty object.
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
