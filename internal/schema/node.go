package schema

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/jsonread"
)

// Node is a decoded JSON value that keeps the order of an object's keys, so that findings are in the order of the file. If a
// key is repeated, its last value takes the position of the first. The nil node is a missing value; every method may be called
// on it.
type Node struct {
	Kind  jsontext.Kind
	KeyAt int32    // offset of an object member's key, in bytes from the beginning of the decoded text
	Text  string   // the characters of a string, or the spelling of a number
	Keys  []string // keys of an object
	Items []*Node  // items of a list, or values of an object
	index map[string]int
}

// indexFrom is the least number of keys for which an object has an index. Without an index, looking up each key of a hostile object
// with very many keys would take hours.
const indexFrom = 12

// Decode decodes a JSON value. It returns nil if raw is empty or cannot be read.
func Decode(raw jsontext.Value) *Node {
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

// DecodeObject decodes a JSON object. It returns nil for any other value.
func DecodeObject(raw jsontext.Value) *Node { return Decode(raw).Object() }

// Object returns n if it is an object, otherwise nil.
func (n *Node) Object() *Node {
	if n.IsObject() {
		return n
	}
	return nil
}

func read(r *jsonread.Reader) *Node {
	n := &Node{Kind: r.Kind()}
	switch n.Kind {
	case '{':
		r.Object("value", func(key string) {
			at := int32(r.KeyOffset())
			value := read(r)
			value.KeyAt = at
			n.put(key, value)
		})
	case '[':
		r.Array("value", func(int) { n.Items = append(n.Items, read(r)) })
	case '"':
		n.Text, _ = r.String("value")
	case '0':
		n.Text, _ = r.Number("value")
	default:
		r.Skip()
	}
	return n
}

func (n *Node) put(key string, value *Node) {
	if i, ok := n.Find(key); ok {
		n.Items[i] = value
		return
	}
	n.Keys, n.Items = append(n.Keys, key), append(n.Items, value)
	if n.index != nil {
		n.index[key] = len(n.Keys) - 1
		return
	}
	if len(n.Keys) < indexFrom {
		return
	}
	n.index = make(map[string]int, 2*indexFrom)
	for i, key := range n.Keys {
		n.index[key] = i
	}
}

// Find returns the index of a key of an object.
func (n *Node) Find(key string) (int, bool) {
	if n.index != nil {
		i, ok := n.index[key]
		return i, ok
	}
	for i, k := range n.Keys {
		if k == key {
			return i, true
		}
	}
	return 0, false
}

// Get returns the value of an object's key, or nil.
func (n *Node) Get(key string) *Node {
	if !n.IsObject() {
		return nil
	}
	if i, ok := n.Find(key); ok {
		return n.Items[i]
	}
	return nil
}

// Has reports whether an object has a key.
func (n *Node) Has(key string) bool { return n.Get(key) != nil }

// Is reports whether the value is of a kind, in the spelling of jsontext.
func (n *Node) Is(kind jsontext.Kind) bool { return n != nil && n.Kind == kind }

// IsObject reports whether the value is an object.
func (n *Node) IsObject() bool { return n.Is('{') }

// IsList reports whether the value is a list.
func (n *Node) IsList() bool { return n.Is('[') }

// IsString reports whether the value is a string.
func (n *Node) IsString() bool { return n.Is('"') }

// IsBool reports whether the value is true or false.
func (n *Node) IsBool() bool { return n.Is('t') || n.Is('f') }

// List returns the items of a list, or nil.
func (n *Node) List() []*Node {
	if !n.IsList() {
		return nil
	}
	return n.Items
}

// IsBlank reports whether the value is empty: missing, null, or an empty list, object or string.
func (n *Node) IsBlank() bool {
	return n == nil || n.Kind == 'n' || (n.Kind != '0' && !n.IsBool() && n.Text == "" && len(n.Items) == 0)
}

// HasType reports whether a schema names the type, alone or in a list.
func (n *Node) HasType(name string) bool {
	t := n.Get("type")
	if t.IsString() {
		return t.Text == name
	}
	for _, item := range t.List() {
		if item.IsString() && item.Text == name {
			return true
		}
	}
	return false
}

// DescribesObjects reports whether a schema describes objects: it has type object, or has properties.
func (n *Node) DescribesObjects() bool { return n.HasType("object") || n.Get("properties").IsObject() }

// Required returns the names that a schema requires, in order and without repeats.
func (n *Node) Required() []string {
	var names []string
	seen := make(map[string]bool)
	for _, item := range n.Get("required").List() {
		if item.IsString() && !seen[item.Text] {
			seen[item.Text] = true
			names = append(names, item.Text)
		}
	}
	return names
}

// Items is the name that [Node.Below] gives to the items of a list.
const Items = "[]"

// Below calls visit with the schemas directly below a schema: first the schema of each property, then the schema of a list's items,
// or the schemas of a tuple's items. It skips schemas of items that are not objects.
func (n *Node) Below(visit func(name string, inner *Node, isItems bool)) {
	if properties := n.Get("properties"); properties.IsObject() {
		for i, name := range properties.Keys {
			visit(name, properties.Items[i], false)
		}
	}
	items := n.Get("items")
	for _, item := range append([]*Node{items}, items.List()...) {
		if item.IsObject() {
			visit(Items, item, true)
		}
	}
}

// maxHops bounds how many references are followed one after another.
const maxHops = 8

// Chain returns a schema, the schema below root that it refers to, and so on, without repeats.
func (n *Node) Chain(root *Node) []*Node {
	chain := []*Node{n}
	for range maxHops {
		next := n.Referred(root)
		if !next.IsObject() || slices.Contains(chain, next) {
			break
		}
		chain, n = append(chain, next), next
	}
	return chain
}

// Referred returns the schema below root that a schema refers to; nil if it has no reference, or a broken one.
func (n *Node) Referred(root *Node) *Node {
	if ref := n.Get("$ref"); ref.IsString() {
		return root.At(ref.Text)
	}
	return nil
}

// At resolves a local reference such as #/$defs/Point below the root n. It returns nil if the reference is remote, an anchor or
// broken.
func (n *Node) At(ref string) *Node {
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
		if n = n.child(unescapePointer(token)); n == nil {
			return nil
		}
	}
	return n
}

func (n *Node) child(token string) *Node {
	if !n.IsList() {
		return n.Get(token)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
}

// Members returns the values of an object or list.
func (n *Node) Members() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// Spelled returns the spelling of a JSON value in a description: a string's characters, or the JSON text of another value; ""
// for an object or list, which descriptions do not mention.
func (n *Node) Spelled() string {
	switch n.Kind {
	case 't':
		return "true"
	case 'f':
		return "false"
	case 'n':
		return "null"
	}
	return n.Text
}

// AppendJSON appends the value as JSON without white space. It appends nothing for the nil node.
func (n *Node) AppendJSON(to []byte) []byte {
	switch {
	case n == nil:
		return to
	case n.IsString():
		return appendQuoted(to, n.Text)
	case !n.IsObject() && !n.IsList():
		return append(to, n.Spelled()...)
	}
	to = append(to, byte(n.Kind))
	for i, member := range n.Items {
		if i > 0 {
			to = append(to, ',')
		}
		if n.IsObject() {
			to = append(appendQuoted(to, n.Keys[i]), ':')
		}
		to = member.AppendJSON(to)
	}
	return append(to, byte(n.Kind)+2) // ] and } are two characters after [ and {
}

func appendQuoted(to []byte, text string) []byte {
	to, _ = jsontext.AppendQuote(to, text) // the text was decoded, so it is UTF-8
	return to
}

// unescapePointer removes the escapes from a token of a JSON pointer in a URI fragment (RFC 6901, sections 3 and 6).
func unescapePointer(token string) string {
	if plain, err := url.PathUnescape(token); err == nil {
		token = plain
	}
	return pointerEscapes.Replace(token)
}

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")
