package lint

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/jsonread"
)

// node is a decoded JSON value that keeps the order of an object's keys, so that findings come in the order of the
// file. Of a key that is written twice the last value counts, at the place of the first. The nil node stands for a
// missing value; every method may be called on it.
type node struct {
	kind  jsontext.Kind
	text  string // a string's characters; the spelling of a number
	keys  []string
	items []*node // of an object or list
	index map[string]int
}

// indexFrom is the number of keys from which an object is looked up by a map: searching one that an attacker has made
// long, once for each of as many names, would take hours.
const indexFrom = 12

// decode returns the value, or nil when it is missing or cannot be read.
func decode(raw jsontext.Value) *node {
	if len(raw) == 0 {
		return nil
	}
	r := jsonread.NewBytes(raw)
	n := read(r)
	if !r.Clean() {
		return nil
	}
	return n
}

// decodeObject returns the value if it is an object, else nil.
func decodeObject(raw jsontext.Value) *node {
	if n := decode(raw); n.isObject() {
		return n
	}
	return nil
}

func read(r *jsonread.Reader) *node {
	n := &node{kind: r.Kind()}
	switch n.kind {
	case '{':
		r.Object("value", func(key string) { n.put(key, read(r)) })
	case '[':
		r.Array("value", func(int) { n.items = append(n.items, read(r)) })
	case '"':
		n.text, _ = r.String("value")
	case '0':
		n.text, _ = r.Number("value")
	default:
		r.Skip()
	}
	return n
}

func (n *node) put(key string, value *node) {
	if i, ok := n.find(key); ok {
		n.items[i] = value
		return
	}
	n.keys, n.items = append(n.keys, key), append(n.items, value)
	if n.index != nil {
		n.index[key] = len(n.keys) - 1
		return
	}
	if len(n.keys) < indexFrom {
		return
	}
	n.index = make(map[string]int, 2*indexFrom)
	for i, key := range n.keys {
		n.index[key] = i
	}
}

func (n *node) find(key string) (int, bool) {
	if n.index != nil {
		i, ok := n.index[key]
		return i, ok
	}
	for i, k := range n.keys {
		if k == key {
			return i, true
		}
	}
	return 0, false
}

// get returns the value of an object's key, or nil.
func (n *node) get(key string) *node {
	if !n.isObject() {
		return nil
	}
	if i, ok := n.find(key); ok {
		return n.items[i]
	}
	return nil
}

func (n *node) has(key string) bool { return n.get(key) != nil }

func (n *node) is(kind jsontext.Kind) bool { return n != nil && n.kind == kind }
func (n *node) isObject() bool             { return n.is('{') }
func (n *node) isList() bool               { return n.is('[') }
func (n *node) isString() bool             { return n.is('"') }
func (n *node) isBool() bool               { return n.is('t') || n.is('f') }

// list returns the items of a list, or nil.
func (n *node) list() []*node {
	if !n.isList() {
		return nil
	}
	return n.items
}

// blank reports whether the value says nothing: missing, null, or an empty list, object or string.
func (n *node) blank() bool {
	return n == nil || n.kind == 'n' || (n.kind != '0' && !n.isBool() && n.text == "" && len(n.items) == 0)
}

// hasType reports whether a schema names the type, alone or in a list.
func (n *node) hasType(name string) bool {
	t := n.get("type")
	if t.isString() {
		return t.text == name
	}
	for _, item := range t.list() {
		if item.isString() && item.text == name {
			return true
		}
	}
	return false
}

// isObjectSchema reports whether a schema describes objects: it has type object, or has properties.
func (n *node) isObjectSchema() bool { return n.hasType("object") || n.get("properties").isObject() }

// at resolves a local reference such as #/$defs/Point below the root n; nil when it is remote, an anchor, or leads
// nowhere.
func (n *node) at(ref string) *node {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil
	}
	if pointer == "" {
		return n
	}
	if pointer[0] != '/' {
		return nil
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		n = n.child(unescapePointer(token))
	}
	return n
}

func (n *node) child(token string) *node {
	if !n.isList() {
		return n.get(token)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(n.items) {
		return nil
	}
	return n.items[i]
}

// spelled returns how a JSON value is written in a description: a string by its characters, others by their JSON text;
// "" for an object or list, which no description mentions.
func (n *node) spelled() string {
	switch n.kind {
	case 't':
		return "true"
	case 'f':
		return "false"
	case 'n':
		return "null"
	}
	return n.text
}

// unescapePointer undoes the escapes of one token of a JSON pointer in a URI fragment (RFC 6901, sections 3 and 6).
func unescapePointer(token string) string {
	return pointerEscapes.Replace(unescapePercent(token))
}

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")

func unescapePercent(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if code, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(code))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
