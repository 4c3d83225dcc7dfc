package builtin

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/schema"
)

// Bounds of the arguments that are made for one call.
const (
	maxMadeDepth  = 12
	maxMadeValues = 500
	maxMadeItems  = 16
	maxMadeText   = 1000     // characters
	maxMadeFixed  = 16 << 20 // bytes of values that schemas fix
)

// lexicalArgs returns a JSON object with the arguments that a schema requires, in the schema's order. An argument has the value
// that the schema gives: const, default, or the first of enum or of examples. If the schema gives none, the argument is the next
// quoted text or number of the clause, by its type. If the clause has none left, it is a plain value of its type within the
// schema's bounds. Patterns are ignored.
func lexicalArgs(raw []byte, clause string) string {
	f := &argumentFiller{root: schema.Decode(raw)}
	f.quoted, f.numbers = lexicalLiterals(clause)
	s, _ := f.resolve(f.root)
	return f.makeObject(s, 0)
}

// argumentFiller makes the arguments of one call.
type argumentFiller struct {
	root            *schema.Node
	quoted, numbers []string // unused so far
	madeValues      int      // values so far
	fixedBytes      int      // bytes of values that schemas fix, so far
}

// resolved is a schema, followed by the schemas of its references and alternatives.
type resolved []*schema.Node

// get returns the value of a keyword in the first schema that has it, or nil.
func (s resolved) get(keyword string) *schema.Node {
	for _, n := range s {
		if value := n.Get(keyword); value != nil {
			return value
		}
	}
	return nil
}

func (f *argumentFiller) makeValue(n *schema.Node, depth int) string {
	f.madeValues++
	s, fixed := f.resolve(n)
	if fixed != nil {
		return f.fixedText(fixed)
	}
	if depth >= maxMadeDepth || f.madeValues > maxMadeValues {
		return "null"
	}
	switch s.kind() {
	case "object":
		return f.makeObject(s, depth)
	case "array":
		return f.makeArray(s, depth)
	case "integer":
		return f.makeNumber(s, true)
	case "number":
		return f.makeNumber(s, false)
	case "boolean":
		return "false"
	case "null":
		return "null"
	}
	return f.makeText(s)
}

// fixedText returns a value from a schema as JSON; null after such values have reached their total bound.
func (f *argumentFiller) fixedText(fixed *schema.Node) string {
	if f.fixedBytes > maxMadeFixed {
		return "null"
	}
	text := fixed.AppendJSON(nil)
	f.fixedBytes += len(text)
	return string(text)
}

func (f *argumentFiller) resolve(n *schema.Node) (s resolved, fixed *schema.Node) {
	for range maxMadeDepth { // references can form a circle
		s = append(s, n)
		if fixed := fixedValue(n); fixed != nil {
			return s, fixed
		}
		if n = f.follow(n); n == nil {
			break
		}
	}
	return s, nil
}

func (f *argumentFiller) follow(n *schema.Node) *schema.Node {
	if n.Get("$ref").IsString() {
		return n.Referred(f.root)
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, variant := range n.Get(keyword).List() {
			if variant.IsObject() && (resolved{variant}).kind() != "null" {
				return variant
			}
		}
	}
	return nil
}

// fixedValue returns the value that a schema itself gives, or nil.
func fixedValue(n *schema.Node) *schema.Node {
	if value := n.Get("const"); value != nil {
		return value
	}
	if value := n.Get("default"); value != nil && !value.Is('n') {
		return value
	}
	for _, keyword := range []string{"enum", "examples"} {
		if values := n.Get(keyword).List(); len(values) > 0 {
			return values[0]
		}
	}
	return nil
}

// kind returns the type that a schema requires; if it allows several, the first that is not null.
func (s resolved) kind() string {
	named := s.get("type")
	switch {
	case named.IsString():
		return named.Text
	case named.IsList():
		for _, item := range named.Items {
			if item.IsString() && item.Text != "null" {
				return item.Text
			}
		}
		return "null"
	case s.get("properties") != nil || s.get("required") != nil:
		return "object"
	case s.get("items") != nil:
		return "array"
	}
	return ""
}

func (f *argumentFiller) makeObject(s resolved, depth int) string {
	required := s.get("required").List()
	if slices.ContainsFunc(required, func(n *schema.Node) bool { return !n.IsString() }) {
		return "{}" // a list that cannot be read requires nothing
	}
	var b strings.Builder
	isDone := map[string]bool{}
	for _, name := range required {
		if f.madeValues > maxMadeValues {
			break
		}
		if isDone[name.Text] {
			continue
		}
		if len(isDone) > 0 {
			b.WriteByte(',')
		}
		isDone[name.Text] = true
		b.WriteString(quoteJSON(name.Text) + ":" + f.makeValue(s.get("properties").Get(name.Text), depth+1))
	}
	return "{" + b.String() + "}"
}

func (f *argumentFiller) makeArray(s resolved, depth int) string {
	minItems, maxItems := s.wholeNumber("minItems", 0), s.wholeNumber("maxItems", maxMadeItems)
	n := min(minItems, maxItems, maxMadeItems)
	inner := s.get("items")
	if inner != nil && maxItems > 0 {
		n = max(n, 1) // an empty list would give no information
	}
	items := make([]string, n)
	for i := range items {
		items[i] = f.makeValue(inner, depth+1)
	}
	return "[" + strings.Join(items, ",") + "]"
}

// plainText maps each named format to a value.
var plainText = map[string]string{
	"date": "2026-01-01", "date-time": "2026-01-01T00:00:00Z", "time": "00:00:00Z", "duration": "P1D",
	"email": "user@example.com", "uri": "https://example.com/", "url": "https://example.com/",
	"uuid": "00000000-0000-4000-8000-000000000000", "hostname": "example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
}

func (f *argumentFiller) makeText(s resolved) string {
	if len(f.quoted) > 0 {
		text := f.quoted[0]
		f.quoted = f.quoted[1:]
		return quoteJSON(text)
	}
	text := "text"
	if format := s.get("format"); format.IsString() {
		text = cmp.Or(plainText[format.Text], text)
	}
	if minLength := min(s.wholeNumber("minLength", 0), maxMadeText); len(text) < minLength {
		text += strings.Repeat("x", minLength-len(text))
	}
	return quoteJSON(text[:min(len(text), s.wholeNumber("maxLength", len(text)))])
}

// wholeNumber returns the value of a keyword as a whole number, at most 1<<30. If the keyword is missing or its value is below 0,
// it returns defaultValue.
func (s resolved) wholeNumber(keyword string, defaultValue int) int {
	n, ok := s.number(keyword)
	if !ok || n < 0 {
		return defaultValue
	}
	return int(min(n, 1<<30))
}

func (s resolved) number(keyword string) (float64, bool) {
	value := s.get(keyword)
	if !value.Is('0') {
		return 0, false
	}
	n, err := strconv.ParseFloat(value.Text, 64)
	return n, err == nil
}

// makeNumber returns the next number of the clause, or, if isWhole is set, its next whole number. If there is none, it returns a
// number near 1 within the schema's bounds.
func (f *argumentFiller) makeNumber(s resolved, isWhole bool) string {
	for i, literal := range f.numbers {
		if !isWhole || !strings.Contains(literal, ".") {
			f.numbers = slices.Delete(slices.Clone(f.numbers), i, i+1)
			return plainNumber(literal)
		}
	}
	return strconv.FormatFloat(s.numberNear1(isWhole), 'f', -1, 64)
}

// plainNumber returns a literal in JSON's spelling, without leading zeros.
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
		return `""` // encoding a text cannot fail
	}
	return string(quoted)
}
