package builtin

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Bounds of the arguments that are made up for one call.
const (
	maxMadeDepth  = 12
	maxMadeValues = 500
	maxMadeItems  = 16
	maxMadeText   = 1000     // characters
	maxMadeRead   = 16 << 20 // bytes of schemas, those read again included
)

// lexicalArgs returns a JSON object with the arguments that a schema requires, in its order. Each is what the schema
// fixes (const, default, the first of enum or of examples), else the next quoted text or number of the clause, by its
// type, else a plain value of its type within the schema's bounds. Patterns are not followed.
func lexicalArgs(schema []byte, clause string) string {
	f := &argumentFiller{root: schema}
	f.quoted, f.numbers = lexicalLiterals(clause)
	fields, _ := f.resolve(schema)
	return f.object(fields, 0)
}

// argumentFiller makes the arguments of one call.
type argumentFiller struct {
	root            []byte
	quoted, numbers []string // not used so far
	made            int      // values so far
	read            int      // bytes of schemas so far
}

// schemaFields are the keywords of a JSON Schema.
type schemaFields map[string]json.RawMessage

// value returns a value that fits a schema.
func (f *argumentFiller) value(schema []byte, depth int) string {
	f.made++
	fields, fixed := f.resolve(schema)
	if fixed != "" {
		return fixed
	}
	if depth >= maxMadeDepth || f.made > maxMadeValues {
		return "null"
	}
	switch fields.kind() {
	case "object":
		return f.object(fields, depth)
	case "array":
		return f.array(fields, depth)
	case "integer":
		return f.number(fields, true)
	case "number":
		return f.number(fields, false)
	case "boolean":
		return "false"
	case "null":
		return "null"
	}
	return f.text(fields)
}

// resolve returns the keywords of a schema, those behind references and alternatives included, and the value that it
// fixes, "" for none.
func (f *argumentFiller) resolve(schema []byte) (fields schemaFields, fixed string) {
	for range maxMadeDepth { // references can run in a circle
		next, ok := f.fields(schema)
		if !ok {
			break
		}
		for key, value := range next {
			if _, ok := fields[key]; !ok || key == "$ref" {
				if fields == nil {
					fields = schemaFields{}
				}
				fields[key] = value
			}
		}
		if fixed := next.fixed(); fixed != "" {
			return fields, fixed
		}
		if schema = f.follow(next); schema == nil {
			break
		}
	}
	return fields, ""
}

// fields returns the keywords of a schema, and whether it has some.
func (f *argumentFiller) fields(schema []byte) (fields schemaFields, ok bool) {
	if f.read += len(schema); f.read > maxMadeRead {
		return nil, false
	}
	err := json.Unmarshal(schema, &fields)
	return fields, err == nil
}

// follow returns the schema that another one leads to, or nil.
func (f *argumentFiller) follow(s schemaFields) []byte {
	var ref string
	if json.Unmarshal(s["$ref"], &ref) == nil {
		return f.local(ref)
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		var variants []json.RawMessage
		if json.Unmarshal(s[key], &variants) != nil {
			continue
		}
		for _, v := range variants {
			if variant, ok := f.fields(v); ok && variant.kind() != "null" {
				return v
			}
		}
	}
	return nil
}

// local returns the schema that a reference within the same document names, or nil.
func (f *argumentFiller) local(ref string) []byte {
	pointer, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	at := f.root
	for _, part := range strings.Split(pointer, "/") {
		fields, ok := f.fields(at)
		if !ok {
			return nil
		}
		at = fields[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
	}
	return at
}

// fixed returns the value that a schema itself gives, "" for none.
func (s schemaFields) fixed() string {
	if v := s["const"]; v != nil {
		return string(v)
	}
	if v := s["default"]; v != nil && string(v) != "null" {
		return string(v)
	}
	for _, key := range []string{"enum", "examples"} {
		var values []json.RawMessage
		if json.Unmarshal(s[key], &values) == nil && len(values) > 0 {
			return string(values[0])
		}
	}
	return ""
}

// kind returns the type that a schema asks for, the first but null where it allows several.
func (s schemaFields) kind() string {
	var one string
	if json.Unmarshal(s["type"], &one) == nil {
		return one
	}
	var several []string
	if json.Unmarshal(s["type"], &several) == nil {
		several = slices.DeleteFunc(several, func(kind string) bool { return kind == "null" })
		if len(several) > 0 {
			return several[0]
		}
		return "null"
	}
	switch {
	case s["properties"] != nil || s["required"] != nil:
		return "object"
	case s["items"] != nil:
		return "array"
	}
	return ""
}

func (f *argumentFiller) object(s schemaFields, depth int) string {
	var required []string
	var properties map[string]json.RawMessage
	if json.Unmarshal(s["required"], &required) != nil || json.Unmarshal(s["properties"], &properties) != nil && s["properties"] != nil {
		return "{}" // what cannot be read asks for nothing
	}
	var b strings.Builder
	done := map[string]bool{}
	for _, name := range required {
		if done[name] || f.made > maxMadeValues {
			continue
		}
		if len(done) > 0 {
			b.WriteByte(',')
		}
		done[name] = true
		b.WriteString(quoteJSON(name) + ":" + f.value(properties[name], depth+1))
	}
	return "{" + b.String() + "}"
}

func (f *argumentFiller) array(s schemaFields, depth int) string {
	least, most := s.whole("minItems", 0), s.whole("maxItems", maxMadeItems)
	n := min(least, most, maxMadeItems)
	if s["items"] != nil && most > 0 {
		n = max(n, 1) // an empty list says nothing
	}
	items := make([]string, n)
	for i := range items {
		items[i] = f.value(s["items"], depth+1)
	}
	return "[" + strings.Join(items, ",") + "]"
}

// plainText has a value for each format that names one.
var plainText = map[string]string{
	"date": "2026-01-01", "date-time": "2026-01-01T00:00:00Z", "time": "00:00:00Z", "duration": "P1D",
	"email": "user@example.com", "uri": "https://example.com/", "url": "https://example.com/",
	"uuid": "00000000-0000-4000-8000-000000000000", "hostname": "example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
}

func (f *argumentFiller) text(s schemaFields) string {
	if len(f.quoted) > 0 {
		text := f.quoted[0]
		f.quoted = f.quoted[1:]
		return quoteJSON(text)
	}
	var format string
	_ = json.Unmarshal(s["format"], &format) // one that is no text names none
	text, ok := plainText[format]
	if !ok {
		text = "text"
	}
	if least := min(s.whole("minLength", 0), maxMadeText); len(text) < least {
		text += strings.Repeat("x", least-len(text))
	}
	return quoteJSON(text[:min(len(text), s.whole("maxLength", len(text)))])
}

// whole returns a keyword's whole number of 0 or more, or def.
func (s schemaFields) whole(key string, def int) int {
	n, ok := s.float(key)
	if !ok || n < 0 {
		return def
	}
	return int(min(n, 1<<30))
}

func (s schemaFields) float(key string) (float64, bool) {
	var n *float64
	if s[key] == nil || json.Unmarshal(s[key], &n) != nil || n == nil {
		return 0, false
	}
	return *n, true
}

// number returns the clause's next number of the kind, else one near 1 within the bounds.
func (f *argumentFiller) number(s schemaFields, whole bool) string {
	for i, literal := range f.numbers {
		if !whole || !strings.Contains(literal, ".") {
			f.numbers = slices.Delete(slices.Clone(f.numbers), i, i+1)
			return plainNumber(literal)
		}
	}
	return strconv.FormatFloat(s.near1(whole), 'f', -1, 64)
}

// plainNumber returns a literal as JSON has it, without leading zeros.
func plainNumber(literal string) string {
	n, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return "0"
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func quoteJSON(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return `""` // no text fails
	}
	return string(quoted)
}
