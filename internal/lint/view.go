package lint

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lexical"
)

// View is a tool prepared for the rules: decoded once, its texts trimmed of white space.
type View struct {
	Tool  *catalog.Tool
	Text  string // the description, trimmed
	Chars int    // of Text, in code points

	input       *node // inputSchema; nil when missing or no object
	annotations *node // nil when missing or no object
	hasOutput   bool  // there is an object outputSchema
	saysReturns bool  // a word of Text is about what is returned
	arguments   []argument
	places      []place        // the schemas within input
	stems       *lexical.Stems // nil, or shared with other catalogs
	searches    int            // how much [declaredSearch] may still look at
}

// argument is a property at the top level of the input schema.
type argument struct {
	name     string
	schema   *node
	text     string // its description, trimmed
	chars    int    // of text, in code points
	required bool
}

func newView(t *catalog.Tool) *View {
	v := &View{
		searches:    maxSearches,
		Tool:        t,
		Text:        strings.TrimSpace(t.Description),
		input:       decodeObject(t.InputSchema),
		annotations: decodeObject(t.Annotations),
		hasOutput:   bytes.HasPrefix(bytes.TrimSpace(t.OutputSchema), []byte("{")),
	}
	v.saysReturns = saysWhatReturns(v.Text)
	v.Chars = utf8.RuneCountInString(v.Text)
	v.arguments = v.readArguments()
	v.places = findPlaces(v.input)
	return v
}

func (v *View) readArguments() []argument {
	properties := v.input.get("properties")
	if !properties.isObject() {
		return nil
	}
	required := setOfNames(v.requiredNames())
	arguments := make([]argument, len(properties.keys))
	for i, name := range properties.keys {
		text := v.description(properties.items[i])
		arguments[i] = argument{name, properties.items[i], text, utf8.RuneCountInString(text), required[name]}
	}
	return arguments
}

func setOfNames(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// maxHops bounds how many references to references are followed.
const maxHops = 8

// description returns what a schema, or the local schema that it refers to, says about itself.
func (v *View) description(schema *node) string {
	for range maxHops {
		if d := schema.get("description"); d.isString() && strings.TrimSpace(d.text) != "" {
			return strings.TrimSpace(d.text)
		}
		ref := schema.get("$ref")
		if !ref.isString() {
			return ""
		}
		schema = v.input.at(ref.text)
	}
	return ""
}

// requiredNames returns the names in the input schema's required list, each once, in its order.
func (v *View) requiredNames() []string { return requiredOf(v.input) }

func requiredOf(schema *node) []string {
	var names []string
	seen := make(map[string]bool)
	for _, item := range schema.get("required").list() {
		if item.isString() && !seen[item.text] {
			seen[item.text] = true
			names = append(names, item.text)
		}
	}
	return names
}

// argumentName spells a path as a.b[].c. A name made to be endless is cut.
func argumentName(path []string) string {
	const longestArgument = 1000
	var b strings.Builder
	for i, key := range path {
		if b.Len()+len(key) > longestArgument {
			b.WriteString("…")
			break
		}
		if i > 0 && key != "[]" {
			b.WriteByte('.')
		}
		b.WriteString(key)
	}
	return b.String()
}
