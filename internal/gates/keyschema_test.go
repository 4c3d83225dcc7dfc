package gates

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/org/mcp-gates/internal/judge"
)

// TestBlocksFitTheirSchema validates the blocks of all examples without mistakes against the schema made from the keys.
func TestBlocksFitTheirSchema(t *testing.T) {
	for _, e := range readExamples(t) {
		checks, _ := e.checks(t)
		if len(e.mistakes) > 0 {
			continue
		}
		for _, check := range checks {
			fits(t, e, check.Gate.Name, keysSchema(check.Gate.Keys))
		}
		if e.test.Has("expect") {
			fits(t, e, "expect", expectSchema())
		}
	}
}

func fits(t *testing.T, e *example, key string, doc map[string]any) {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	decoded, _ := judge.DecodeJSON(text)
	schema, err := judge.NewMeter(0).Compile(decoded)
	if err != nil {
		t.Fatalf("the schema of %s: %v", key, err)
	}
	v, _ := e.test.Value(key)
	block, _ := v.JSON()
	if err := schema.Validate(block); err != nil {
		t.Errorf("%s: %s does not fit its schema: %s", e.file, key, err)
	}
}

// keysSchema returns the JSON Schema of a gate's block, or of a map of keys in it. Unknown keys are refused.
func keysSchema(keys []judge.Key) map[string]any {
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
func typeSchema(key judge.Key) map[string]any {
	text := map[string]any{"type": "string", "minLength": 1}
	whole := map[string]any{"type": "integer", "minimum": 0}
	switch key.Type {
	case judge.TypeText, judge.TypeRegexp:
		return text
	case judge.TypeTexts:
		return map[string]any{"anyOf": []any{text, listOf(text)}}
	case judge.TypeBool:
		return map[string]any{"type": "boolean"}
	case judge.TypeWhole:
		return whole
	case judge.TypeWholes:
		return listOf(whole)
	case judge.TypeNumber:
		return map[string]any{"type": "number", "minimum": 0}
	case judge.TypeRate:
		return map[string]any{"type": "number", "minimum": 0, "maximum": 1}
	case judge.TypeShare:
		return map[string]any{"type": []any{"number", "string"}, "minimum": 0, "maximum": 1, "pattern": percentPattern}
	case judge.TypePercent:
		return map[string]any{"type": []any{"number", "string"}, "minimum": 0, "maximum": 100, "pattern": percentPattern}
	case judge.TypeClasses:
		list := listOf(keysSchema(key.Keys))
		list["minItems"], list["maxItems"] = 1, maxClasses
		return list
	case judge.TypeExpectations:
		return listOf(expectationSchema())
	case judge.TypeMap:
		return keysSchema(key.Keys)
	case judge.TypeMaps:
		return listOf(keysSchema(key.Keys))
	case judge.TypeMutations:
		return map[string]any{"anyOf": []any{map[string]any{"enum": []any{"auto"}}, listOf(keysSchema(key.Keys))}}
	case judge.TypeCatalog:
		return map[string]any{"anyOf": []any{text, map[string]any{"type": []any{"object", "array"}}}}
	case judge.TypePatterns, judge.TypeSteps:
		item := map[string]any{"anyOf": []any{text, keysSchema(key.Keys)}}
		return map[string]any{"anyOf": []any{text, listOf(item)}}
	case judge.TypeCounts:
		return map[string]any{"type": "object", "additionalProperties": whole, "minProperties": 1}
	case judge.TypeDuration:
		return map[string]any{"type": "string", "pattern": `^([0-9]{1,9}(\.[0-9]{1,9})?(h|ms|m|s)){1,4}$`}
	case judge.TypeFlowEnd:
		return map[string]any{"anyOf": []any{text, keysSchema(key.Keys)}}
	case judge.TypeArguments:
		return map[string]any{"type": "object"}
	case judge.TypeSeverities:
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
	message := map[string]any{"type": "string", "maxLength": 1000}
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
		"regex":        map[string]any{"type": "string", "maxLength": 1000},
		"schema":       map[string]any{"type": []any{"object", "boolean"}},
	}
	for _, op := range []string{">=", ">", "<=", "<", "==", "!="} {
		arguments[op] = map[string]any{"type": []any{"number", "string"}, "pattern": percentPattern}
	}
	return map[string]any{"type": "object", "properties": arguments, "additionalProperties": false, "minProperties": 1}
}

// expectSchema returns the JSON Schema of a test's own expect:, in both forms.
func expectSchema() map[string]any {
	list := listOf(expectationSchema())
	long := map[string]any{"assertions": list}
	for _, limit := range []string{"max_duration_ms", "max_response_tokens"} {
		long[limit] = map[string]any{"type": "integer", "minimum": 0}
	}
	return map[string]any{"anyOf": []any{
		list, map[string]any{"type": "object", "properties": long, "additionalProperties": false},
	}}
}
