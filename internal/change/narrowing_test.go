package change

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/thorough"
)

// random makes schemas and values of few parts, so that a value often fits a schema, and often does not.
type random struct{ *rand.Rand }

func pick[T any](r random, list ...T) T { return list[r.IntN(len(list))] }

func (r random) value(depth int) any {
	switch n := r.IntN(10); {
	case n < 2:
		return pick(r, json.Number("-1"), "0", "1", "1.5", "2", "3", "4", "6")
	case n < 5:
		return pick(r, "", "a", "ab", "abc", "b", "x1")
	case n == 5:
		return pick[any](r, nil, true, false)
	case n < 8 || depth == 0:
		list := []any{}
		for range r.IntN(4) {
			if depth > 0 {
				list = append(list, r.value(depth-1))
			}
		}
		return list
	}
	return r.object(depth)
}

func (r random) object(depth int) any {
	object := map[string]any{}
	for range r.IntN(4) {
		if depth > 0 {
			object[r.name()] = r.value(depth - 1)
		}
	}
	return object
}

func (r random) name() string { return pick(r, "a", "b", "c", "x1") }

func (r random) list(depth int) []any {
	list := []any{r.schema(depth - 1)}
	for r.IntN(3) > 0 {
		list = append(list, r.schema(depth-1))
	}
	return list
}

func (r random) byName(name func() string, of func() any) map[string]any {
	m := map[string]any{}
	for range 1 + r.IntN(3) {
		m[name()] = of()
	}
	return m
}

var testKeywords = []string{
	"type", "type", "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
	"pattern", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "minProperties", "maxProperties",
	"items", "prefixItems", "additionalItems", "unevaluatedItems", "properties", "properties", "properties", "patternProperties",
	"additionalProperties", "unevaluatedProperties", "required", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies",
	"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref", "title",
}

// schema makes a schema, one in some of which is a boolean.
func (r random) schema(depth int) any {
	if depth <= 0 || r.IntN(12) == 0 {
		return pick[any](r, true, false, map[string]any{}, map[string]any{"type": r.typeName()}, map[string]any{"type": r.typeName()})
	}
	s := map[string]any{}
	for range 1 + r.IntN(3) {
		r.add(s, depth)
	}
	return s
}

func (r random) typeName() string {
	return pick(r, "string", "string", "integer", "number", "object", "array", "boolean", "null")
}

func (r random) add(s map[string]any, depth int) {
	key := pick(r, testKeywords...)
	inner := func() any { return r.schema(depth - 1) }
	number := func() any { return json.Number(pick(r, "0", "1", "2", "3")) }
	names := func() any { return []any{r.name(), r.name() + "z"}[:1] }
	switch key {
	case "type":
		s[key] = pick[any](r, r.typeName(), r.typeName(), []any{r.typeName(), "null"}[:1+r.IntN(2)])
		if list, ok := s[key].([]any); ok && len(list) == 2 && list[0] == list[1] {
			s[key] = "null"
		}
	case "enum":
		s[key] = []any{r.value(1), []any{r.value(1), "z"}}
	case "const":
		s[key] = r.value(1)
	case "pattern":
		s[key] = pick(r, "^a", "b", "^[a-z]+$", "c$", "")
	case "uniqueItems":
		s[key] = r.IntN(3) > 0
	case "multipleOf":
		s[key] = json.Number(pick(r, "1", "2", "3", "0.5", "4"))
	case "properties", "dependentSchemas":
		s[key] = r.byName(r.name, inner)
	case "patternProperties":
		s[key] = r.byName(func() string { return pick(r, "^a", "b", "^[a-z]$", "[")[:] }, inner)
		delete(s[key].(map[string]any), "[")
	case "required":
		s[key] = names()
	case "dependentRequired":
		s[key] = r.byName(r.name, names)
	case "dependencies":
		s[key] = r.byName(r.name, func() any { return pick(r, names(), inner()) })
	case "prefixItems", "allOf", "anyOf", "oneOf":
		s[key] = r.list(depth)
	case "items":
		s[key] = inner()
	case "$ref":
		s[key] = pick(r, "#/$defs/A", "#/$defs/B", "#", "#/$defs/A")
	case "title":
		s[key] = "T"
	case "contains", "additionalItems", "unevaluatedItems", "additionalProperties", "unevaluatedProperties", "propertyNames", "not", "if", "then", "else":
		s[key] = inner()
	default:
		s[key] = number()
	}
}

// root makes an input schema with definitions.
func (r random) root(old bool) map[string]any {
	s := map[string]any{"type": "object", "properties": r.byName(r.name, func() any { return r.schema(3) })}
	if r.IntN(3) == 0 {
		r.add(s, 2)
	}
	s["$defs"] = map[string]any{"A": r.schema(2), "B": r.schema(2)}
	if old && r.IntN(3) == 0 {
		s["$schema"] = "http://json-schema.org/draft-07/schema#"
		r.tuples(s)
	}
	return s
}

// tuples makes lists of items of some.
func (r random) tuples(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			inner := v[key]
			if r.tuples(inner); key == "items" && r.IntN(2) == 0 {
				v[key] = []any{inner}
			}
		}
	case []any:
		for _, inner := range v {
			r.tuples(inner)
		}
	}
}

// changed returns a copy of a schema with a part of it made otherwise.
func (r random) changed(v any, depth int) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, inner := range v {
			out[key] = inner
		}
		keys := slices.Sorted(maps.Keys(v))
		switch n := r.IntN(8); {
		case n == 0 && len(keys) > 0:
			if key := pick(r, keys...); key != "$schema" && key != "$defs" {
				delete(out, key)
			}
		case n == 1:
			extra := map[string]any{}
			if r.add(extra, 2); depth > 0 {
				for key, inner := range extra {
					out[key] = inner
				}
			}
		case n == 2:
			return map[string]any{pick(r, "anyOf", "allOf", "oneOf"): []any{v, r.schema(1)}[:1+r.IntN(2)]}
		case len(keys) > 0:
			if key := pick(r, keys...); key != "$schema" && key != "type" {
				out[key] = r.changed(v[key], depth+1)
			}
		}
		return out
	case []any:
		if len(v) == 0 {
			return v
		}
		out := append([]any{}, v...)
		i := r.IntN(len(v))
		out[i] = r.changed(v[i], depth+1)
		return out
	case json.Number:
		return json.Number(pick(r, "0", "1", "2", "3", "4"))
	case bool:
		return !v
	case string:
		return v
	}
	return v
}

type plainPattern struct{ *regexp.Regexp }

func (plainPattern) Work(string) int { return 1 }

func compilePlain(text string) (schema.Pattern, error) {
	re, err := regexp.Compile(text)
	return plainPattern{re}, err
}

// judged compiles a schema; nil when it is not one.
func judged(t *testing.T, s any) (*schema.Compiled, *schema.Node) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := schema.Values(text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := schema.Compile(doc, compilePlain)
	if err != nil {
		return nil, nil
	}
	return c, schema.Decode(text)
}

// TestNarrowing holds what is told to the validator: where a value was valid and is not now, something is told. Where it is told
// as what breaks, there mostly is such a value.
func TestNarrowing(t *testing.T) {
	const perPair = 200
	r := random{rand.New(rand.NewPCG(1, 2))}
	counted, witnessed := 0, 0
	for range thorough.Size(500, 5000) {
		old := r.root(true)
		now := any(old)
		for range 1 + r.IntN(3) {
			now = r.changed(now, 0)
		}
		if r.IntN(10) == 0 {
			now = r.root(false)
		}
		before, oldNode := judged(t, old)
		after, nowNode := judged(t, now)
		if before == nil || after == nil {
			continue
		}
		w := newNarrowing(oldNode, nowNode)
		w.anyNames = true
		w.run()
		breaks := slices.ContainsFunc(w.found, func(b Break) bool { return !b.May })
		if breaks {
			counted++
		}
		witness := r.refused(before, after, perPair)
		switch {
		case witness == nil:
		case len(w.found) == 0:
			t.Fatalf("old  %s\nnew  %s\nvalue %s was valid and is not now, and nothing is told", text(old), text(now), text(witness))
		case breaks:
			witnessed++
		}
	}
	if witnessed*2 < counted || counted == 0 {
		t.Errorf("of %d pairs whose change is counted, %d have a value that is refused now", counted, witnessed)
	}
}

// refused looks for a value that one schema takes and another does not.
func (r random) refused(before, after *schema.Compiled, tries int) any {
	const work = 10_000
	for range tries {
		v := r.object(3)
		if before.Work(v, work) <= work && after.Work(v, work) <= work && before.Validate(v) == nil && after.Validate(v) != nil {
			return v
		}
	}
	return nil
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(b)
}

// TestHonestChanges pins that next to nothing is told, and as good as nothing counted, where a schema says the same in another order, and with other descriptions.
func TestHonestChanges(t *testing.T) {
	const rounds = 5000
	r := random{rand.New(rand.NewPCG(3, 4))}
	tried, doubtful, counted := 0, 0, 0
	for range thorough.Cases(rounds) {
		old := r.root(true)
		now := r.described(old, true)
		before, oldNode := judged(t, old)
		if before == nil {
			continue
		}
		_, nowNode := judged(t, now)
		w := newNarrowing(oldNode, nowNode)
		w.run()
		if slices.ContainsFunc(w.found, func(b Break) bool { return !b.May }) {
			t.Logf("old  %s\nnew  %s\ngot  %+v", text(old), text(now), w.found)
			counted++
		}
		if tried++; len(w.found) > 0 {
			doubtful++
		}
	}
	if counted*500 > tried {
		t.Errorf("%d of %d honest changes are counted, want at most one of 500", counted, tried)
	}
	if doubtful*5 > tried { // these schemas are stranger than those of any tool
		t.Errorf("%d of %d honest changes are told as what may break callers, want at most one of 5", doubtful, tried)
	}
}

// described returns a schema with descriptions, and with lists in another order where order makes no difference.
func (r random) described(v any, isSchema bool) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	for key, inner := range m {
		list, isList := inner.([]any)
		switch byName := strings.HasPrefix(key, "$d") || strings.Contains(key, "roperties") && key[0] == 'p' || key == "dependentSchemas" || key == "dependencies"; {
		case isSchema && (key == "anyOf" || key == "oneOf" || key == "allOf") && isList:
			var schemas []any
			for _, one := range slices.Backward(list) {
				schemas = append(schemas, r.described(one, true))
			}
			inner = schemas
		case isSchema && (key == "enum" || key == "required" || key == "type") && isList:
			inner = slices.Clone(list)
			slices.Reverse(inner.([]any))
		case isSchema && key != "const" && key != "enum" && key != "dependentRequired":
			inner = r.described(inner, !byName)
		case !isSchema:
			inner = r.described(inner, true)
		}
		out[key] = inner
	}
	if isSchema {
		out["description"] = "D"
	}
	return out
}
