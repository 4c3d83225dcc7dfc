package describe

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/org/mcp-gates/internal/judge"
)

func block(g *judge.Gate) *jsonschema.Schema {
	s := object(keysOf(g.Keys, g)...)
	s.Required = slices.DeleteFunc(s.Required, func(key string) bool { return key == expectedTool })
	title, _, _ := strings.Cut(g.Doc, "\n")
	document(s, title)
	return s
}

// keysOf returns the keys of a gate's block, or of a map in it. The gate can be nil if none of the keys is an expect:.
func keysOf(keys []judge.Key, g *judge.Gate) []key {
	list := make([]key, len(keys))
	for i, k := range keys {
		list[i] = key{name: k.Name, doc: k.Doc, of: typeOf(k, g), required: k.Required}
		if k.Type == judge.TypeExpectations {
			list[i].byDefault = defaultOf(g)
		}
	}
	return list
}

// defaultOf returns the default expectations of a gate in the form of expect:; nil if there are none.
func defaultOf(g *judge.Gate) any {
	if len(g.Default) == 0 {
		return nil
	}
	list := make([]any, len(g.Default))
	for i, floor := range g.Default {
		op, digits, _ := strings.Cut(floor.Bound, " ")
		list[i] = map[string]any{floor.Target: map[string]any{op: json.Number(digits)}}
	}
	return list
}

// percentage matches a percentage as text, such as "95%".
const percentage = `^[-+]?[0-9.]+([eE][-+]?[0-9]+)?%$`

// typeOf describes the value of a key by its type: a type of package judge, or a choice of texts. It returns nil for any other
// type.
func typeOf(k judge.Key, g *judge.Gate) *jsonschema.Schema {
	switch k.Type {
	case judge.TypeText, judge.TypeRegexp:
		return text()
	case judge.TypeTexts:
		return texts()
	case judge.TypeBool:
		return boolean()
	case judge.TypeWhole:
		return wholeNumber(0)
	case judge.TypeWholes:
		return listOf(wholeNumber(0))
	case judge.TypeNumber:
		return number(0)
	case judge.TypeRate:
		return numberUpTo(1)
	case judge.TypeShare:
		return either(numberUpTo(1), matching(percentage))
	case judge.TypePercent:
		return either(numberUpTo(100), matching(percentage))
	case judge.TypeDuration:
		return matching(`^([0-9]{1,9}(\.[0-9]{1,9})?(h|ms|m|s)){1,4}$`)
	case judge.TypeExpectations:
		return listOf(ref(expectationsOf(g)))
	case judge.TypeCounts:
		return someOf(wholeNumber(0))
	case judge.TypeArguments:
		return mapOf(anyValue())
	case judge.TypeSeverities:
		return mapOf(choice("warning", "critical"))
	case judge.TypeCatalog:
		return either(text(), inlineTools(), inlineCatalog())
	}
	return typeOfMaps(k, g)
}

func someOf(value *jsonschema.Schema) *jsonschema.Schema {
	s := mapOf(value)
	s.MinProperties = jsonschema.Ptr(1)
	return s
}

func typeOfMaps(k judge.Key, g *judge.Gate) *jsonschema.Schema {
	inner := object(keysOf(k.Keys, g)...)
	switch k.Type {
	case judge.TypeMap:
		return inner
	case judge.TypeMaps:
		return listOf(inner)
	case judge.TypeClasses:
		return oneOrMore(inner)
	case judge.TypeMapsOrFile:
		return either(listOf(inner), object(keysOf(k.OfFile, g)...))
	case judge.TypeMutations:
		return either(auto(), listOf(inner))
	case judge.TypeAutoMapsFile:
		return either(auto(), listOf(inner), object(keysOf(k.OfFile, g)...))
	case judge.TypePatterns, judge.TypeSteps:
		return either(text(), listOf(either(text(), inner)))
	case judge.TypeFlowEnd:
		return either(text(), inner)
	}
	return choiceOf(k.Type)
}

func auto() *jsonschema.Schema {
	s := matching("^auto$")
	s.Examples = []any{"auto"}
	return s
}

// choiceOf describes one of the texts that a type such as "serial | parallel" lists; nil if the type lists none.
func choiceOf(choices string) *jsonschema.Schema {
	names := strings.Split(choices, " | ")
	if len(names) < 2 {
		return nil
	}
	return choice(names...)
}
