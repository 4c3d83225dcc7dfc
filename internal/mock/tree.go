package mock

import (
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/yamlread"
)

// tree is a JSON value that keeps the order of its keys.
type tree struct {
	kind  yamlread.Kind
	text  string   // a text, or the JSON text of null, true, false or a number
	keys  []string // keys of a map, in order
	items []tree   // items of a list, or the values of keys
}

func readTree(v yamlread.Value) tree {
	t := tree{kind: v.Kind()}
	switch t.kind {
	case yamlread.MapKind:
		m, _ := v.Map()
		for _, e := range m.Entries() {
			t.set(e.Key.Value, readTree(e.Value))
		}
	case yamlread.ListKind:
		for _, item := range v.List() {
			t.items = append(t.items, readTree(item))
		}
	default:
		t.text = scalar(v)
	}
	return t
}

func scalar(v yamlread.Value) string {
	value, _ := v.JSON()
	switch value := value.(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	case bool:
		if value {
			return "true"
		}
		return "false"
	}
	return "null"
}

func textTree(text string) tree { return tree{kind: yamlread.TextKind, text: text} }

func (t *tree) set(key string, value tree) {
	t.kind = yamlread.MapKind
	t.keys = append(t.keys, key)
	t.items = append(t.items, value)
}

func (t tree) get(key string) (tree, bool) {
	for i, k := range t.keys {
		if k == key {
			return t.items[i], true
		}
	}
	return tree{}, false
}

// eachText calls f with every text in t except keys.
func (t tree) eachText(f func(text string)) {
	if t.kind == yamlread.TextKind {
		f(t.text)
	}
	for _, item := range t.items {
		item.eachText(f)
	}
}

// appendTo appends t as JSON. expand rewrites every text in t except keys.
func (t tree) appendTo(to []byte, expand func(string) string) []byte {
	switch t.kind {
	case yamlread.MapKind:
		to = append(to, '{')
		for i, item := range t.items {
			to = item.appendTo(append(appendQuoted(appendComma(to, i), t.keys[i]), ':'), expand)
		}
		return append(to, '}')
	case yamlread.ListKind:
		to = append(to, '[')
		for i, item := range t.items {
			to = item.appendTo(appendComma(to, i), expand)
		}
		return append(to, ']')
	case yamlread.TextKind:
		return appendQuoted(to, expand(t.text))
	}
	return append(to, t.text...)
}

func (t tree) toJSON() jsontext.Value {
	return t.appendTo(nil, func(text string) string { return text })
}

// appendComma appends the comma before item i: none before the first.
func appendComma(to []byte, i int) []byte {
	if i == 0 {
		return to
	}
	return append(to, ',')
}

func appendQuoted(to []byte, text string) []byte {
	to, _ = jsontext.AppendQuote(to, strings.ToValidUTF8(text, "\uFFFD"))
	return to
}
