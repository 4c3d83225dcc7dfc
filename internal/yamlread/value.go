package yamlread

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/source"
)

// Kind is the kind of a value.
type Kind uint8

// The kinds of values.
const (
	NullKind Kind = iota
	TextKind
	NumberKind
	BoolKind
	ListKind
	MapKind

	// BrokenKind is the kind of a wrong value that Parse reported. Nothing more is reported about it.
	BrokenKind
)

// Value is any YAML value. Its readers report a wrong kind at the value's position.
type Value struct {
	doc  *document
	node *node
	at   place
	key  string // key of the value, or of the list that contains it
	item bool
}

// name returns the name of the value for messages.
func (v Value) name() string {
	if v.item {
		return fmt.Sprintf("an entry of %q", shorten(v.key))
	}
	return fmt.Sprintf("%q", shorten(v.key))
}

// Pos returns the position of the value; for a map in a list, that of its dash.
func (v Value) Pos() source.Pos { return v.doc.pos(v.at) }

// Kind returns the kind of the value.
func (v Value) Kind() Kind { return v.node.kind }

// Describe returns the value in the form of messages: a quoted text, a number, "a list", "a map" or "nothing".
func (v Value) Describe() string { return v.node.describe() }

// Errorf reports a mistake at the value, unless Parse already reported one.
func (v Value) Errorf(format string, args ...any) {
	if v.node.kind != BrokenKind {
		v.doc.errs.Addf(v.Pos(), format, args...)
	}
}

// Stopf reports a mistake at the value that concerns the whole file; see [Map.Stopf].
func (v Value) Stopf(format string, args ...any) { v.doc.stopf(v.Pos(), format, args...) }

// IsBroken reports whether the value, or a value in it, is wrong and was reported by Parse.
func (v Value) IsBroken() bool { return v.node.isBroken() }

func (n *node) isBroken() bool {
	return n.kind == BrokenKind || slices.ContainsFunc(n.entries, func(e entry) bool { return e.value.isBroken() })
}

// Text returns the characters of a scalar of any kind; [Map.Expand] does not apply.
func (v Value) Text() string { return v.node.text }

// Str returns the value as a text and whether it is one.
func (v Value) Str() (Str, bool) {
	if v.node.kind == TextKind {
		return Str{v.expandedText(), v.Pos()}, true
	}
	v.Errorf("%s must be text, found %s%s", v.name(), v.Describe(), v.node.quoteHint())
	return Str{Pos: v.Pos()}, false
}

func (v Value) expandedText() string {
	if v.doc.expand == nil || v.doc.isLiteral {
		return v.node.text
	}
	text, have := v.doc.expanded[v.node]
	if !have {
		mistakes := len(*v.doc.errs)
		text = v.doc.expand(v.node.text, v.Pos())
		if text != v.node.text && len(*v.doc.errs) == mistakes { // a text with mistakes is expanded again for each reader
			v.doc.expanded[v.node] = text
		}
	}
	return text
}

// Strs returns the value as a list of non-empty texts. A single text is a list of one.
func (v Value) Strs() []Str {
	if v.node.kind == TextKind {
		return v.appendNonEmpty(nil)
	}
	if v.node.kind != ListKind {
		v.Errorf("%s must be text or a list of texts, found %s", v.name(), v.Describe())
		return nil
	}
	var texts []Str
	for _, item := range v.List() {
		texts = item.appendNonEmpty(texts)
	}
	return texts
}

func (v Value) appendNonEmpty(to []Str) []Str {
	s, ok := v.Str()
	if ok && s.Value == "" {
		v.Errorf("%s must not be empty", v.name())
		ok = false
	}
	if !ok {
		return to
	}
	return append(to, s)
}

// List returns the items of a list, and reports any other value.
func (v Value) List() []Value {
	if v.node.kind != ListKind {
		v.Errorf("%s must be a list, found %s", v.name(), v.Describe())
		return nil
	}
	items := make([]Value, len(v.node.entries))
	for i, e := range v.node.entries {
		items[i] = Value{doc: v.doc, node: e.value, at: e.valueAt, key: v.key, item: true}
		if e.value.kind == MapKind {
			items[i].at = e.keyAt
		}
	}
	return items
}

// IsEmptyList reports whether the value is a list without items.
func (v Value) IsEmptyList() bool { return v.node.kind == ListKind && len(v.node.entries) == 0 }

// Map returns the value as a map and whether it is one.
func (v Value) Map() (*Map, bool) {
	if v.node.kind != MapKind {
		v.Errorf("%s must be a map, found %s", v.name(), v.Describe())
		return nil, false
	}
	if m := v.doc.over[v.node]; m != nil {
		return m, true
	}
	return &Map{doc: v.doc, node: v.node, at: v.at, asked: &askedKeys{}}, true
}

func (v Value) truth() (b, ok bool) {
	if v.node.kind != BoolKind {
		return false, false
	}
	switch v.node.text {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	return false, false
}

// decimal matches numbers that every version of YAML reads in the same way: with a leading zero a number is octal in one
// version and decimal in the next. The exponent is bounded because exact arithmetic on an exponent of a billion never ends.
var decimal = regexp.MustCompile(`^[-+]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][-+]?\d{1,2})?$`)

// maxDigits bounds the length of a number.
const maxDigits = 80

// Rat returns the exact value of a decimal number, and whether the value is one. It reports nothing.
func (v Value) Rat() (*big.Rat, bool) {
	if v.node.kind != NumberKind || len(v.node.text) > maxDigits || !decimal.MatchString(v.node.text) {
		return nil, false
	}
	return new(big.Rat).SetString(v.node.text)
}

// Percentage returns the number before the % of a text such as 80%, and whether the value is such a text. It reports nothing.
func (v Value) Percentage() (*big.Rat, bool) {
	digits, ok := strings.CutSuffix(v.node.text, "%")
	if !ok || v.node.kind != TextKind || len(digits) > maxDigits || !decimal.MatchString(digits) {
		return nil, false
	}
	return new(big.Rat).SetString(digits)
}

// JSON returns the value in the types of decoded JSON: nil, bool, string, json.Number, []any or map[string]any. It reports
// numbers that JSON lacks, such as .nan.
func (v Value) JSON() (any, bool) {
	switch v.node.kind {
	case NullKind:
		return nil, true
	case TextKind:
		return v.expandedText(), true
	case BoolKind:
		b, ok := v.truth()
		if !ok {
			v.Errorf("%s must be true or false, found %s", v.name(), v.Describe())
		}
		return b, ok
	case NumberKind:
		return v.jsonNumber()
	case ListKind:
		return v.jsonList()
	case MapKind:
		return v.jsonMap()
	}
	return nil, false
}

func (v Value) jsonNumber() (any, bool) {
	r, ok := v.Rat()
	if !ok {
		v.Errorf("%s must be a decimal number, found %s", v.name(), v.Describe())
		return nil, false
	}
	if r.IsInt() {
		return json.Number(r.Num().String()), true
	}
	// The digits after the point that the decimal needs: at most 75 + 99.
	n, _ := r.FloatPrec()
	return json.Number(r.FloatString(n)), true
}

func (v Value) jsonList() (any, bool) {
	list, ok := make([]any, 0, len(v.node.entries)), true
	for _, item := range v.List() {
		value, good := item.JSON()
		list, ok = append(list, value), ok && good
	}
	return list, ok
}

func (v Value) jsonMap() (any, bool) {
	object, ok := make(map[string]any, len(v.node.entries)), true
	for _, e := range v.node.entries {
		value, good := Value{doc: v.doc, node: e.value, at: e.valueAt, key: e.key}.JSON()
		object[e.key], ok = value, ok && good
	}
	return object, ok
}
