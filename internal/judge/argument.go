package judge

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/yamlread"
)

// ArgPath is the path to a value in the arguments of a call. It begins with an argument's name, and its steps lead into the
// value, as in filters[0].name or ["odd.key"].
type ArgPath struct{ steps []step }

// ParseArgPath parses a path; ok is false if the text is not a path.
func ParseArgPath(text string) (ArgPath, bool) {
	if !strings.HasPrefix(text, "[") {
		text = "." + text
	}
	steps, ok := parseSteps(text)
	beginsWithName := len(steps) > 0 && steps[0].index < 0
	return ArgPath{steps}, ok && beginsWithName
}

// Argument returns the name of the argument that the path begins with.
func (p ArgPath) Argument() string { return p.steps[0].key }

// Follow returns the value that the path leads to in decoded arguments, and whether there is one.
func (p ArgPath) Follow(args map[string]any) (any, bool) {
	var value any = args
	for _, s := range p.steps {
		var ok bool
		if value, ok = s.enter(value); !ok {
			return nil, false
		}
	}
	return value, true
}

// ReadArgMatcher reads the expectation on the argument called name: a matcher, or a value that the argument must equal. It reads
// every map as a matcher, so that it reports a misspelt matcher; to expect an object, a suite writes {exact: {...}}. Mistakes are
// reported at their places in the suite.
func ReadArgMatcher(v yamlread.Value, name string) (Matcher, bool) {
	if v.Kind() == yamlread.MapKind {
		return readMatcher(v, name, anyKind)
	}
	plain, ok := v.JSON()
	if !ok {
		return Matcher{}, false
	}
	if jsonSize(plain) > maxMatcher {
		v.Errorf("%q holds more than %d bytes", name, maxMatcher)
		return Matcher{}, false
	}
	if !yamlread.Shared[matcherUse](v).spend(v, jsonSize(plain)) {
		return Matcher{}, true // reported already
	}
	out, _ := readExact(v, plain)
	out.text = CompactJSON(plain)
	return out, true
}

// CanonicalJSON returns JSON in which equal values have one spelling: no white space, keys sorted, and numbers by their value.
// JSON with a number that is too long to compute with stays as it is.
func CanonicalJSON(raw jsontext.Value) string {
	if len(raw) == 0 {
		return ""
	}
	value, ok := DecodeJSON(raw)
	if !ok {
		return string(raw)
	}
	return string(appendCanonical(nil, value))
}

func appendCanonical(to []byte, value any) []byte {
	switch v := value.(type) {
	case json.Number:
		return append(to, canonicalNumber(v.String())...)
	case string:
		return strconv.AppendQuote(to, v)
	case bool:
		return strconv.AppendBool(to, v)
	case []any:
		to = append(to, '[')
		for _, item := range v {
			to = append(appendCanonical(to, item), ',')
		}
		return append(to, ']')
	case map[string]any:
		to = append(to, '{')
		for _, key := range slices.Sorted(maps.Keys(v)) {
			to = append(strconv.AppendQuote(to, key), ':')
			to = append(appendCanonical(to, v[key]), ',')
		}
		return append(to, '}')
	}
	return append(to, "null"...)
}

// canonicalNumber returns a whole number in its shortest form, and any other number as a fraction in its lowest terms.
func canonicalNumber(digits string) string {
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	r, ok := parseDecimal(digits)
	if !ok {
		return digits
	}
	return r.RatString()
}

// All returns the values to which the path leads in a decoded value. At a list, a key leads into every item, so that a path can
// leave out the index.
func (p ArgPath) All(value any) []any {
	found := []any{value}
	for _, s := range p.steps {
		var next []any
		for _, v := range found {
			next = s.appendAll(next, v)
		}
		found = next
	}
	return found
}

func (s step) appendAll(to []any, value any) []any {
	if list, ok := value.([]any); ok && s.index < 0 {
		for _, item := range list {
			to = s.appendAll(to, item)
		}
		return to
	}
	if inner, ok := s.enter(value); ok {
		to = append(to, inner)
	}
	return to
}
