package judge

import (
	"slices"
	"strings"
)

// KeysSchema returns the JSON Schema of a gate's block, or of a map of keys in it. Unknown keys are refused.
func KeysSchema(keys []Key) map[string]any {
	properties := map[string]any{}
	required := []any{}
	for _, key := range keys {
		schema := typeSchema(key)
		schema["description"] = key.Doc
		properties[key.Name] = schema
		if key.Required {
			required = append(required, key.Name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// percentPattern is that of the texts which say a percentage.
const percentPattern = `^[-+]?[0-9.]+([eE][-+]?[0-9]+)?%$`

// typeSchema returns the JSON Schema of a key's value, or nil for an unknown type.
func typeSchema(key Key) map[string]any {
	text := map[string]any{"type": "string", "minLength": 1}
	whole := map[string]any{"type": "integer", "minimum": 0}
	switch key.Type {
	case TypeText, TypeRegexp:
		return text
	case TypeTexts:
		return map[string]any{"anyOf": []any{text, listOf(text)}}
	case TypeBool:
		return map[string]any{"type": "boolean"}
	case TypeWhole:
		return whole
	case TypeWholes:
		return listOf(whole)
	case TypeNumber:
		return map[string]any{"type": "number", "minimum": 0}
	case TypeRate:
		return map[string]any{"type": "number", "minimum": 0, "maximum": 1}
	case TypeShare:
		return map[string]any{"type": []any{"number", "string"}, "minimum": 0, "maximum": 1, "pattern": percentPattern}
	case TypePercent:
		return map[string]any{"type": []any{"number", "string"}, "minimum": 0, "maximum": 100, "pattern": percentPattern}
	case TypeClasses:
		list := listOf(KeysSchema(key.Keys))
		list["minItems"], list["maxItems"] = 1, key.Max
		return list
	case TypeExpectations:
		return listOf(expectationSchema())
	case TypeMap:
		return KeysSchema(key.Keys)
	case TypeMaps:
		return listOf(KeysSchema(key.Keys))
	case TypeMutations:
		return map[string]any{"anyOf": []any{map[string]any{"enum": []any{"auto"}}, listOf(KeysSchema(key.Keys))}}
	case TypeCatalog:
		return map[string]any{"anyOf": []any{text, map[string]any{"type": []any{"object", "array"}}}}
	case TypeSeverities:
		return map[string]any{"type": "object", "additionalProperties": choiceSchema("warning | critical")}
	}
	return choiceSchema(key.Type)
}

func choiceSchema(choices string) map[string]any {
	names := strings.Split(choices, " | ")
	if len(names) < 2 || slices.Contains(names, "") {
		return nil
	}
	enum := make([]any, len(names))
	for i, name := range names {
		enum[i] = name
	}
	return map[string]any{"enum": enum}
}

func listOf(items map[string]any) map[string]any {
	return map[string]any{"type": "array", "items": items}
}

// expectationSchema accepts both spellings of an expectation. The targets themselves are left to the program, which
// knows those with parameters and says which one is near.
func expectationSchema() map[string]any {
	matcher := matcherSchema()
	message := map[string]any{"type": "string", "maxLength": maxMessage}
	whenAbsent := map[string]any{"enum": []any{"skip"}}
	return map[string]any{
		"type": "object",
		"properties": map[string]any{
			"target": map[string]any{"type": "string", "minLength": 1}, "matcher": matcher,
			"message": message, "when_absent": whenAbsent,
		},
		"additionalProperties": matcher,
		"minProperties":        1,
	}
}

func matcherSchema() map[string]any {
	arguments := map[string]any{
		"exact":        map[string]any{},
		"contains":     map[string]any{},
		"icontains":    map[string]any{"type": "string"},
		"contains-all": map[string]any{"type": "array", "minItems": 1},
		"regex":        map[string]any{"type": "string", "maxLength": maxRegex},
		"schema":       map[string]any{"type": []any{"object", "boolean"}},
	}
	for _, op := range operatorNames {
		arguments[op] = map[string]any{"type": []any{"number", "string"}, "pattern": percentPattern}
	}
	return map[string]any{"type": "object", "properties": arguments, "additionalProperties": false, "minProperties": 1}
}

// ExpectSchema returns the JSON Schema of a test's own expect:, in both forms.
func ExpectSchema() map[string]any {
	list := listOf(expectationSchema())
	long := map[string]any{"assertions": list}
	for _, limit := range runLimits {
		long[limit.name] = map[string]any{"type": "integer", "minimum": 0, "description": limit.doc}
	}
	return map[string]any{"anyOf": []any{
		list, map[string]any{"type": "object", "properties": long, "additionalProperties": false},
	}}
}
