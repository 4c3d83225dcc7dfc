package mock

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/yamlread"
)

// decodeObject decodes the arguments of a call: an object, or an empty text.
func decodeObject(raw []byte) (object map[string]any, ok bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return map[string]any{}, true
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	err := decoder.Decode(&object)
	return object, err == nil && object != nil
}

// matches reports whether actual fits t: a map needs only the keys of t, at any depth; a list needs exactly the items
// of t; a number needs the same value, in any spelling; any other value must be equal.
func (t tree) matches(actual any) bool {
	switch actual := actual.(type) {
	case map[string]any:
		return t.kind == yamlread.MapKind && t.matchesObject(actual)
	case []any:
		same := func(item tree, value any) bool { return item.matches(value) }
		return t.kind == yamlread.ListKind && slices.EqualFunc(t.items, actual, same)
	case string:
		return t.kind == yamlread.TextKind && t.text == actual
	case json.Number:
		return t.kind == yamlread.NumberKind && sameNumber(t.text, actual.String())
	case bool:
		return t.kind == yamlread.BoolKind && t.text == strconv.FormatBool(actual)
	}
	return t.kind == yamlread.NullKind
}

func (t tree) matchesObject(actual map[string]any) bool {
	for i, key := range t.keys {
		if value, ok := actual[key]; !ok || !t.items[i].matches(value) {
			return false
		}
	}
	return true
}

func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	if !isComparable(a) || !isComparable(b) {
		return false
	}
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}

// isComparable reports whether exact arithmetic can handle a number: with an exponent of a billion it would never end.
func isComparable(number string) bool {
	const longest, longestExponent = 80, len("e-99")
	exponentAt := strings.IndexAny(number, "eE")
	return len(number) <= longest && (exponentAt < 0 || len(number)-exponentAt <= longestExponent)
}

// lookup returns the value at path: keys and, in lists, numbers from 0, separated by dots. A key may contain dots.
func lookup(value any, path string) (any, bool) {
	first, rest, hasRest := strings.Cut(path, ".")
	switch value := value.(type) {
	case map[string]any:
		if found, ok := value[path]; ok {
			return found, true
		}
		inner, ok := value[first]
		if !ok || !hasRest {
			return nil, false
		}
		return lookup(inner, rest)
	case []any:
		i, err := strconv.Atoi(first)
		if err != nil || i < 0 || i >= len(value) {
			return nil, false
		}
		if !hasRest {
			return value[i], true
		}
		return lookup(value[i], rest)
	}
	return nil, false
}
