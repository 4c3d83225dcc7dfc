package spans

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

// attributes are the attributes of a span, an event or a resource: a list of keys with OTLP's typed values, a plain object, or
// a list in the form of the SDK for Go.
type attributes []attribute

type attribute struct {
	key string
	raw jsontext.Value
}

// UnmarshalJSON reads the attributes. A value other than a list or an object has no attributes.
func (a *attributes) UnmarshalJSON(raw []byte) error {
	*a = nil
	logs.Members(raw, func(key string, value jsontext.Value) { *a = append(*a, attribute{key, value}) })
	for _, element := range logs.ElementsOf(raw) {
		if element.Kind() != '{' {
			continue
		}
		var one struct {
			Key   word           `json:"key"`
			GoKey word           `json:"Key"`
			Value jsontext.Value `json:"value,case:ignore"`
		}
		_ = json.Unmarshal(element, &one, logs.Lenient) // no error: every value fits
		if one.GoKey != "" {
			var typed struct{ Value jsontext.Value }
			_ = json.Unmarshal(one.Value, &typed, logs.Lenient) // if the value is not an object, typed stays empty
			one.Key, one.Value = one.GoKey, typed.Value
		}
		*a = append(*a, attribute{string(one.Key), one.Value})
	}
	return nil
}

// get returns the value of the first key that exists, as plain JSON; nil if no key exists.
func (a attributes) get(keys ...string) jsontext.Value {
	for _, key := range keys {
		for i := range a {
			if a[i].key == key {
				if value := untyped(a[i].raw, 0); !isNothing(value) {
					return value
				}
			}
		}
	}
	return nil
}

func (a attributes) text(keys ...string) string {
	value := a.get(keys...)
	if value.Kind() == '"' {
		return logs.Unquote(value)
	}
	return logs.CompactText(value)
}

func (a attributes) count(keys ...string) trace.Count {
	var n logs.Number
	_ = n.UnmarshalJSON(a.get(keys...)) // never fails
	return n.Count
}

// maxTyped bounds the depth of typed values, because each level is decoded again.
const maxTyped = 64

// untyped returns the plain value of a typed value of OTLP. Other values are unchanged.
func untyped(raw jsontext.Value, depth int) jsontext.Value {
	if raw.Kind() != '{' || depth > maxTyped {
		return raw
	}
	var typed struct {
		String *jsontext.Value `json:"stringValue"`
		Bool   *jsontext.Value `json:"boolValue"`
		Int    *jsontext.Value `json:"intValue"`
		Double *jsontext.Value `json:"doubleValue"`
		Bytes  *jsontext.Value `json:"bytesValue"`
		Array  *struct {
			Values []jsontext.Value `json:"values"`
		} `json:"arrayValue"`
		Map *struct {
			Values attributes `json:"values"`
		} `json:"kvlistValue"`
	}
	if json.Unmarshal(raw, &typed, logs.Lenient) != nil {
		return raw
	}
	switch {
	case typed.String != nil:
		return *typed.String
	case typed.Int != nil:
		return unquotedNumber(*typed.Int)
	case typed.Bool != nil:
		return *typed.Bool
	case typed.Double != nil:
		return *typed.Double
	case typed.Bytes != nil:
		return *typed.Bytes
	case typed.Array != nil:
		return untypedList(typed.Array.Values, depth+1)
	case typed.Map != nil:
		return typed.Map.Values.json(depth + 1)
	case string(raw) == "{}":
		return nil // an empty value of OTLP
	}
	return raw
}

// unquotedNumber returns a number that OTLP writes as text, because numbers in JSON are not always exact to 64 bits.
func unquotedNumber(raw jsontext.Value) jsontext.Value {
	if raw.Kind() == '"' {
		if n, err := strconv.ParseInt(logs.Unquote(raw), 10, 64); err == nil {
			return strconv.AppendInt(nil, n, 10) // removes forms such as "+7" and "007", which are not JSON
		}
	}
	return raw
}

func untypedList(values []jsontext.Value, depth int) jsontext.Value {
	text := []byte{'['}
	for i, value := range values {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, orNull(untyped(value, depth))...)
	}
	return append(text, ']')
}

func (a attributes) json(depth int) jsontext.Value {
	text := []byte{'{'}
	for i, one := range a {
		if i > 0 {
			text = append(text, ',')
		}
		text, _ = jsontext.AppendQuote(text, strings.ToValidUTF8(one.key, "\uFFFD"))
		text = append(append(text, ':'), orNull(untyped(one.raw, depth))...)
	}
	return append(text, '}')
}

func orNull(raw jsontext.Value) jsontext.Value {
	if len(raw) == 0 {
		return jsontext.Value("null")
	}
	return raw
}

// maxSteps bounds the number of parts of an indexed key, such as prompt.0.tool_calls.0.name.
const maxSteps = 12

// indexed returns the list that indexed keys describe: llm.input_messages.0.message.role and so on; nil if there are none.
func (a attributes) indexed(prefix string) jsontext.Value {
	var tree keyTree
	for _, one := range a {
		rest, ok := strings.CutPrefix(one.key, prefix)
		if !ok {
			continue
		}
		steps := strings.SplitN(rest, ".", maxSteps)
		if _, err := strconv.ParseUint(steps[0], 10, 32); err == nil {
			tree.set(steps, untyped(one.raw, 0))
		}
	}
	if len(tree.keys) == 0 {
		return nil
	}
	return tree.json()
}

// keyTree is a part of the tree that keys with dots describe.
type keyTree struct {
	value jsontext.Value
	keys  []string
	below map[string]*keyTree
}

// set sets the value at the end of a path of steps.
func (b *keyTree) set(steps []string, value jsontext.Value) {
	for _, step := range steps {
		if b.below == nil {
			b.below = map[string]*keyTree{}
		}
		next := b.below[step]
		if next == nil {
			next = &keyTree{}
			b.below[step] = next
			b.keys = append(b.keys, step)
		}
		b = next
	}
	b.value = value
}

// json returns the tree as a list if its keys are numbers, otherwise as an object.
func (b *keyTree) json() jsontext.Value {
	if len(b.keys) == 0 {
		return orNull(b.value)
	}
	number := func(key string) uint64 { n, _ := strconv.ParseUint(key, 10, 32); return n }
	isList := !slices.ContainsFunc(b.keys, func(key string) bool { return number(key) == 0 && key != "0" })
	if isList {
		slices.SortStableFunc(b.keys, func(x, y string) int { return cmp.Compare(number(x), number(y)) })
		return untypedList(lists.Map(b.keys, func(key string) jsontext.Value { return b.below[key].json() }), maxTyped+1)
	}
	object := make(attributes, len(b.keys))
	for i, key := range b.keys {
		object[i] = attribute{key, b.below[key].json()}
	}
	return object.json(maxTyped + 1)
}
