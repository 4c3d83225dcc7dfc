package schema

import (
	"bytes"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// Values decodes JSON to the types of schemas and validated values: nil, bool, string, json.Number, []any or map[string]any. It
// reads one value, at most 10,000 deep, and ignores the rest. If a key is repeated, its last value counts, and each invalid
// UTF-8 byte becomes U+FFFD.
func Values(raw []byte) (any, error) {
	return value(jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)))
}

func value(d *jsontext.Decoder) (any, error) {
	token, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{':
		return object(d)
	case '[':
		return list(d)
	case '"':
		return token.String(), nil
	case '0':
		return json.Number(token.String()), nil
	case 't', 'f':
		return token.Bool(), nil
	}
	return nil, nil
}

func object(d *jsontext.Decoder) (any, error) {
	members := map[string]any{}
	for d.PeekKind() != '}' {
		key, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name := key.String() // copied before the next token replaces it
		if members[name], err = value(d); err != nil {
			return nil, err
		}
	}
	_, err := d.ReadToken()
	return members, err
}

func list(d *jsontext.Decoder) (any, error) {
	items := []any{}
	for d.PeekKind() != ']' {
		item, err := value(d)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := d.ReadToken()
	return items, err
}
