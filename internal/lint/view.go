package lint

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/agents"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lint/english"
	"github.com/org/mcp-gates/internal/schema"
)

// View is a tool prepared for the rules: decoded once, its texts without white space around them.
type View struct {
	Tool  *catalog.Tool
	Text  string // the description, trimmed
	Chars int    // length of Text in code points
	Width int    // width of Text, see [width]

	clients     []*agents.Naming // clients whose limits and names the tool must respect
	input       *schema.Node     // inputSchema; nil if missing or not an object
	annotations *schema.Node     // nil if missing or not an object
	hasOutput   bool             // outputSchema is an object
	saysReturns bool             // a word of Text is about the result
	arguments   []argument
	places      []place            // the schemas within input
	stems       *lexical.Stems     // nil, or shared with other catalogs
	words       english.Vocabulary // vocabulary of Text; nil before the first use
	searches    int                // number of schemas and properties that [declaredSearch] may still visit
}

// argument is a property at the top level of the input schema.
type argument struct {
	name     string
	schema   *schema.Node
	text     string // its description, trimmed
	width    int    // width of text, see [width]
	required bool
}

func newView(t *catalog.Tool) *View {
	v := &View{
		searches:    maxSearches,
		Tool:        t,
		Text:        strings.TrimSpace(t.Description),
		input:       t.Input().Object(),
		annotations: schema.DecodeObject(t.Annotations),
		hasOutput:   bytes.HasPrefix(bytes.TrimSpace(t.OutputSchema), []byte("{")),
	}
	v.saysReturns = saysWhatReturns(v.Text)
	v.Chars, v.Width = utf8.RuneCountInString(v.Text), width(v.Text)
	v.arguments = v.readArguments()
	v.places = findPlaces(v.input)
	return v
}

func (v *View) readArguments() []argument {
	properties := v.input.Get("properties")
	if !properties.IsObject() {
		return nil
	}
	required := setOfNames(v.input.Required())
	arguments := make([]argument, len(properties.Keys))
	for i, name := range properties.Keys {
		text := v.description(properties.Items[i])
		arguments[i] = argument{name, properties.Items[i], text, width(text), required[name]}
	}
	return arguments
}

func (v *View) vocabulary() english.Vocabulary {
	if v.words == nil {
		v.words = english.NewVocabulary(v.Text)
	}
	return v.words
}

func setOfNames(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// description returns the description of a schema, or of the local schema to which it refers.
func (v *View) description(node *schema.Node) string {
	for _, node := range node.Chain(v.input) {
		if d := node.Get("description"); d.IsString() && strings.TrimSpace(d.Text) != "" {
			return strings.TrimSpace(d.Text)
		}
	}
	return ""
}

// ArgumentName spells a path as a.b[].c. An overlong name is cut.
func ArgumentName(path []string) string {
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
