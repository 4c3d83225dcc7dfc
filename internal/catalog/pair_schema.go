package catalog

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/jsonread"
)

// schemasAt says how a keyword of JSON Schema holds schemas.
type schemasAt int

const (
	asValue  schemasAt = iota + 1 // one, or a list
	byMember                      // by name
)

// holders are the keywords that hold schemas. The values of all others, such as of enum and default, are data.
var holders = map[string]schemasAt{
	"items": asValue, "prefixItems": asValue, "additionalItems": asValue, "unevaluatedItems": asValue, "contains": asValue,
	"additionalProperties": asValue, "unevaluatedProperties": asValue, "propertyNames": asValue,
	"allOf": asValue, "anyOf": asValue, "oneOf": asValue, "not": asValue, "if": asValue, "then": asValue, "else": asValue,
	"properties": byMember, "patternProperties": byMember, "$defs": byMember, "definitions": byMember,
	"dependentSchemas": byMember, "dependencies": byMember,
}

// bareSchema returns the RFC 8785 form of an input schema without the keywords title and description; arguments of these
// names stay.
func bareSchema(schema jsontext.Value) string {
	if len(schema) == 0 {
		return ""
	}
	w := bareWriter{r: jsonread.NewBytes(schema)}
	w.schema()
	return string(canonical(w.text))
}

// bareWriter copies a schema without its titles and descriptions.
type bareWriter struct {
	r    *jsonread.Reader
	text []byte
}

// schema copies a schema or a list of schemas. A boolean, and whatever else is not a schema, stays as it is.
func (w *bareWriter) schema() {
	switch w.r.Kind() {
	case '{':
		w.object(func(key string) {
			if key != "title" && key != "description" {
				w.keyword(key)
			}
		})
	case '[':
		w.text = append(w.text, '[')
		w.r.Array("the schemas", func(int) {
			w.text = comma(w.text)
			w.schema()
		})
		w.text = append(w.text, ']')
	default:
		w.text = append(w.text, w.r.Raw()...)
	}
}

func (w *bareWriter) keyword(key string) {
	w.name(key)
	switch {
	case holders[key] == asValue:
		w.schema()
	case holders[key] == byMember && w.r.Kind() == '{':
		w.object(func(name string) {
			w.name(name)
			w.schema()
		})
	default:
		w.text = append(w.text, w.r.Raw()...)
	}
}

// object copies the members that member writes.
func (w *bareWriter) object(member func(key string)) {
	w.text = append(w.text, '{')
	w.r.Object("the schema", member)
	w.text = append(w.text, '}')
}

func (w *bareWriter) name(key string) {
	w.text = append(quote(comma(w.text), key), ':')
}

// argumentNames returns the names of the outermost arguments of an input schema, ascending.
func argumentNames(schema jsontext.Value) []string {
	var names []string
	eachMember(schema, func(r *jsonread.Reader, key string) {
		if key == "properties" {
			members(r, func(name string) { names = append(names, name) })
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// hints returns the hints of a tool's annotations in RFC 8785 form; null is as good as absent.
func hints(annotations jsontext.Value) string {
	text := []byte{'{'}
	eachMember(annotations, func(r *jsonread.Reader, key string) {
		switch key {
		case "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint":
			if value := r.Raw(); value.Kind() != 'n' {
				text = append(append(quote(comma(text), key), ':'), value...)
			}
		}
	})
	return string(canonical(append(text, '}')))
}

// eachMember calls member with each key of an object, and not at all for a value that is none.
func eachMember(value jsontext.Value, member func(r *jsonread.Reader, key string)) {
	r := jsonread.NewBytes(value)
	members(r, func(key string) { member(r, key) })
}

func members(r *jsonread.Reader, member func(key string)) {
	if r.Kind() == '{' {
		r.Object("the value", member)
	}
}
