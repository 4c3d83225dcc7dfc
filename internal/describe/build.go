package describe

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

type key struct {
	name      string
	doc       string // Markdown
	of        *jsonschema.Schema
	required  bool
	byDefault any // the default value; nil if the documentation describes the default
	examples  []any
}

func (k key) schema() *jsonschema.Schema {
	s := k.of.CloneSchemas()
	document(s, k.doc)
	if k.byDefault != nil {
		s.Default = asJSON(k.byDefault)
	}
	s.Examples = append(s.Examples, k.examples...)
	return s
}

// document adds documentation to a schema, as plain text and, if links or code are lost in it, as Markdown.
func document(s *jsonschema.Schema, doc string) {
	markdown := withoutLocalLinks(doc)
	s.Description = plain(markdown)
	if markdown != s.Description {
		s.Extra = map[string]any{"markdownDescription": markdown} // VS Code and the YAML language server read this key
	}
}

var (
	localLink = regexp.MustCompile(`\[([^\]]*)\]\((?:#|[a-z_./-]+\.md)[^)]*\)`)
	anyLink   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// withoutLocalLinks returns Markdown without links to other parts of the documentation, because an editor cannot follow them.
// Their texts stay.
func withoutLocalLinks(markdown string) string { return localLink.ReplaceAllString(markdown, "$1") }

func plain(markdown string) string {
	return strings.ReplaceAll(anyLink.ReplaceAllString(markdown, "$1"), "`", "")
}

func asJSON(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		return nil // unreachable: the tables hold texts, numbers, truth values, lists and maps
	}
	return text
}

// extension matches further keys that a map with fixed keys may have. Readers skip them.
const extension = "^x-"

func object(keys ...key) *jsonschema.Schema {
	s := open(keys...)
	s.AdditionalProperties = noValue()
	s.PatternProperties = map[string]*jsonschema.Schema{extension: {}}
	return s
}

// open describes a map that has these keys and perhaps others.
func open(keys ...key) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, k := range keys {
		s.Properties[k.name] = k.schema()
		s.PropertyOrder = append(s.PropertyOrder, k.name)
		if k.required {
			s.Required = append(s.Required, k.name)
		}
	}
	return s
}

// noValue returns the schema that no value fits. In JSON it is false.
func noValue() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

func anyValue() *jsonschema.Schema { return &jsonschema.Schema{} }

func ref(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/" + name} }

func text() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", MinLength: jsonschema.Ptr(1)}
}

func anyText() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }

// matching describes a text that a regular expression matches. The expression must have the same meaning in RE2 and in JavaScript.
func matching(pattern string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: pattern}
}

func choice(texts ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, one := range texts {
		s.Enum = append(s.Enum, one)
	}
	return s
}

func boolean() *jsonschema.Schema { return &jsonschema.Schema{Type: "boolean"} }

func wholeNumber(least float64) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: &least}
}

func number(least float64) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "number", Minimum: &least}
}

func numberUpTo(most float64) *jsonschema.Schema {
	s := number(0)
	s.Maximum = &most
	return s
}

func listOf(item *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: item}
}

func oneOrMore(item *jsonschema.Schema) *jsonschema.Schema {
	s := listOf(item)
	s.MinItems = jsonschema.Ptr(1)
	return s
}

func texts() *jsonschema.Schema { return either(text(), listOf(text())) }

func mapOf(value *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", AdditionalProperties: value}
}

func null() *jsonschema.Schema { return &jsonschema.Schema{Type: "null"} }

// either describes a value of one of several types, each with its own rules. Editors show better messages for one schema of
// several types than for several schemas.
func either(first *jsonschema.Schema, others ...*jsonschema.Schema) *jsonschema.Schema {
	s := first.CloneSchemas()
	if s.Type != "" {
		s.Types, s.Type = []string{s.Type}, ""
	}
	for _, other := range others {
		s.Types = append(s.Types, other.Type)
		switch other.Type {
		case "array":
			s.Items, s.MinItems, s.MaxItems = other.Items, other.MinItems, other.MaxItems
		case "object":
			s.Properties, s.PropertyOrder, s.Required = other.Properties, other.PropertyOrder, other.Required
			s.PatternProperties, s.AdditionalProperties = other.PatternProperties, other.AdditionalProperties
			s.PropertyNames, s.MinProperties, s.AnyOf = other.PropertyNames, other.MinProperties, other.AnyOf
			s.If, s.Then, s.Else = other.If, other.Then, other.Else
		case "string":
			s.MinLength, s.MaxLength, s.Pattern = other.MinLength, other.MaxLength, other.Pattern
		case "number", "integer":
			s.Minimum, s.Maximum = other.Minimum, other.Maximum
		}
	}
	return s
}
