package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/org/mcp-gates/internal/schema"
)

// narrowed returns what is told of an argument a that becomes another, "may:" before what may break callers.
func narrowed(t *testing.T, old, now string) []string {
	t.Helper()
	document := func(a string) *schema.Node {
		n := schema.Decode([]byte(`{"type": "object", "properties": {"a": ` + a + `}, "$defs": {"text": {"type": "string"}, "tree": {"properties": {"in": {"$ref": "#/$defs/tree"}}}}}`))
		if n == nil {
			t.Fatalf("%.100s is not JSON", a)
		}
		return n
	}
	w := newNarrowing(document(old), document(now))
	w.run()
	var list []string
	for _, b := range w.found {
		line := strings.TrimSpace(b.Argument + " " + b.Message)
		if b.May {
			line = "may: " + line
		}
		list = append(list, line)
	}
	return list
}

// keywordTests are changes of an argument a by keyword, each with what is told of it, and with an honest neighbour.
var keywordTests = map[string][]struct{ old, now, want string }{
	"type": {
		{`{"type": ["string", "null"]}`, `{"type": "string"}`, `a was null or string and is string now`},
		{`{"type": "string"}`, `{"type": ["string"]}`, ``},
		{`{"type": "integer"}`, `{"type": ["number", "null"]}`, ``},
		{`{"type": "string"}`, `{"not": {"type": "integer"}}`, ``},
		{`{"type": "boolean"}`, `{"enum": [true]}`, `a does not take false any more`},
		{`{"type": "boolean"}`, `{"enum": [true, false]}`, ``},
		{`{"type": "string"}`, `false`, `a takes no value any more`},
		{`{"type": "string"}`, `{"not": {}}`, `a takes no value any more`},
		{`{}`, `{"allOf": [{}, {"not": true}]}`, `a takes no value any more`},
		{`false`, `{"type": "string"}`, ``},
	},
	"enum": {
		{`{"enum": ["x", "y"]}`, `{"enum": ["y"]}`, `a does not take "x" any more`},
		{`{"enum": ["x", "y"]}`, `{"enum": ["z", "y", "x"]}`, ``},
		{`{"type": "string"}`, `{"enum": ["x"]}`, `a takes only "x" now`},
		{`{"enum": ["x", "long"]}`, `{"type": "string", "maxLength": 2}`, `a does not take "long" any more`},
		{`{"enum": ["x"]}`, `{"oneOf": [{"const": "x", "title": "X"}, {"const": "y"}]}`, ``},
		{`{"oneOf": [{"const": "x"}, {"const": "y"}]}`, `{"enum": ["y", "x"]}`, ``},
		{`{"oneOf": [{"const": "x"}, {"const": "y"}]}`, `{"enum": ["y"]}`, `a does not take "x" any more`},
	},
	"const": {
		{`{"const": "x"}`, `{"enum": ["x", "y"]}`, ``},
		{`{"const": 1}`, `{"const": 1.0}`, ``},
		{`{"const": "x"}`, `{"const": "y"}`, `a does not take "x" any more`},
	},
	"minimum": {
		{`{"type": "integer"}`, `{"type": "integer", "minimum": 1}`, `a must be at least 1 now`},
		{`{"minimum": 1}`, `{"minimum": 2}`, `a must be at least 2 now, and was 1`},
		{`{"minimum": 2}`, `{"minimum": 1.0}`, ``},
		{`{"type": "integer", "exclusiveMinimum": 0}`, `{"type": "integer", "minimum": 1}`, ``},
		{`{"type": "string"}`, `{"type": "string", "minimum": 1}`, ``},
	},
	"exclusiveMinimum": {{`{"minimum": 1}`, `{"exclusiveMinimum": 1}`, `a must be more than 1 now`}, {`{"exclusiveMinimum": 1}`, `{"minimum": 1}`, ``}},
	"maximum": {
		{`{"maximum": 10}`, `{"maximum": 9}`, `a must be at most 9 now, and was 10`},
		{`{"maximum": 10}`, `{"maximum": 1e1}`, ``},
		{`{"maximum": 10}`, `{"maximum": 11}`, ``},
		{`{"maximum": 1e999999999}`, `{"maximum": 1e999999998}`, `may: a has another maximum now`},
		{`{"maximum": 1e999999999, "title": "A"}`, `{"maximum": 1e999999999}`, ``},
	},
	"exclusiveMaximum": {{`{"type": "number"}`, `{"type": "number", "exclusiveMaximum": 5}`, `a must be less than 5 now`}, {`{"exclusiveMaximum": 5}`, `{"exclusiveMaximum": 6}`, ``}},
	"multipleOf": {
		{`{"type": "number"}`, `{"type": "number", "multipleOf": 0.5}`, `a must be a multiple of 0.5 now`},
		{`{"multipleOf": 4}`, `{"multipleOf": 2}`, ``}, {`{"type": "integer"}`, `{"type": "integer", "multipleOf": 0.5}`, ``},
		{`{"multipleOf": 2}`, `{"multipleOf": 4}`, `a must be a multiple of 4 now`},
	},
	"minLength": {{`{"type": "string"}`, `{"type": "string", "minLength": 1}`, `a must have 1 or more characters now`}, {`{"type": "string"}`, `{"type": "string", "minLength": 0}`, ``}},
	"maxLength": {{`{"type": "string"}`, `{"type": "string", "maxLength": 5}`, `a must have at most 5 characters now`}, {`{"maxLength": 5}`, `{"maxLength": 6}`, ``}},
	"pattern": {
		{`{"type": "string"}`, `{"type": "string", "pattern": "^a"}`, `a must match "^a" now`},
		{`{"pattern": "^a"}`, `{"pattern": "^b"}`, `may: a must match another pattern now, "^b"`},
		{`{"type": "string"}`, `{"type": "string", "pattern": ".*"}`, ``}, {`{"pattern": "^a"}`, `{"pattern": "^a", "title": "A"}`, ``},
	},
	"format":      {{`{"type": "string"}`, `{"type": "string", "format": "date"}`, `may: a has the format "date" now`}, {`{"format": "date"}`, `{}`, ``}},
	"minItems":    {{`{"type": "array"}`, `{"type": "array", "minItems": 1}`, `a must have 1 or more items now`}, {`{"minItems": 2}`, `{"minItems": 1}`, ``}},
	"maxItems":    {{`{"type": "array"}`, `{"type": "array", "maxItems": 9}`, `a must have at most 9 items now`}, {`{"maxItems": 8}`, `{"maxItems": 9}`, ``}},
	"uniqueItems": {{`{"type": "array"}`, `{"type": "array", "uniqueItems": true}`, `a must have no item twice now`}, {`{"type": "array"}`, `{"type": "array", "uniqueItems": false}`, ``}},
	"contains": {
		{`{"type": "array"}`, `{"type": "array", "contains": {"const": 1}}`, `a must have certain items now, by contains`},
		{`{"contains": {"const": 1}}`, `{"contains": {"const": 2}}`, `may: a must have certain items now, by contains`},
		{`{"contains": {"const": 1}}`, `{"contains": {"type": "integer"}}`, ``},
	},
	"minContains": {{`{"contains": {"const": 1}}`, `{"contains": {"const": 1}, "minContains": 2}`, `may: a must have certain items now, by contains`}, {`{"contains": {"const": 1}, "minContains": 2}`, `{"contains": {"const": 1}}`, ``}},
	"maxContains": {{`{"type": "array"}`, `{"type": "array", "contains": {}, "minContains": 0, "maxContains": 3}`, `a must have no more than so many of certain items now, by maxContains`},
		{`{"contains": {"const": 1}, "maxContains": 3}`, `{"contains": {"const": 1}, "maxContains": 4}`, ``}},
	"minProperties": {{`{"type": "object"}`, `{"type": "object", "minProperties": 1}`, `a must have 1 or more members now`},
		{`{"type": "object", "properties": {"b": {}}, "required": ["b"]}`, `{"type": "object", "properties": {"b": {}}, "required": ["b"], "minProperties": 1}`, ``}},
	"maxProperties": {{`{"type": "object"}`, `{"type": "object", "maxProperties": 3}`, `a must have at most 3 members now`}, {`{"maxProperties": 3}`, `{"maxProperties": 4}`, ``}},
	"items": {
		{`{"type": "array"}`, `{"type": "array", "items": {"type": "string"}}`, `a[] must be string now`},
		{`{"type": "array", "items": {"type": "string"}}`, `{"type": "array", "items": {"type": "string", "title": "B"}}`, ``},
		{`{"type": "array"}`, `{"type": "array", "items": false}`, `a takes fewer items now`},
	},
	"prefixItems":      {{`{"prefixItems": [{}, {"type": "string"}]}`, `{"prefixItems": [{}, {"type": "integer"}]}`, `a[] was string and is integer now`}, {`{"items": {"type": "string"}}`, `{"prefixItems": [{"type": "string"}]}`, ``}},
	"additionalItems":  {{`{}`, `{"additionalItems": false}`, `may: a has another additionalItems now, which its draft does not have`}, {`{"additionalItems": false}`, `{"additionalItems": false, "title": "A"}`, ``}},
	"unevaluatedItems": {{`{"type": "array"}`, `{"type": "array", "unevaluatedItems": false}`, `may: a may take fewer items now`}, {`{"type": "array", "items": {}}`, `{"type": "array", "items": {"title": "B"}, "unevaluatedItems": false}`, ``}},
	"properties": {
		{`{"properties": {"b": {"properties": {"c": {"type": "string"}}}}}`, `{"properties": {"b": {"properties": {"c": {"type": "string", "maxLength": 9}}}}}`, `a.b.c must have at most 9 characters now`},
		{`{"properties": {"b": {}, "c": {}}}`, `{"properties": {"b": {}, "c": false}}`, `a.c takes no value any more`},
		{`{"properties": {"b": {}}}`, `{"properties": {"b": {}, "c": {"type": "string"}}}`, ``},
		{`{"properties": {"b": {}}, "additionalProperties": true}`, `{"properties": {"b": {}, "c": {"type": "string"}}, "additionalProperties": true}`, `may: a.c must be string now`},
		{`{"properties": {"b": {"type": "string"}}}`, `{"additionalProperties": {"type": "string"}}`, ``},
	},
	"patternProperties": {
		{`{"patternProperties": {"^x": {"type": "string"}}}`, `{"patternProperties": {"^x": {"type": "integer"}}}`, `a.^x was string and is integer now`},
		{`{"properties": {"x1": {"type": "string"}}}`, `{"properties": {"x1": {"type": "string"}}, "patternProperties": {"^x": {"maxLength": 3}}}`, `a.x1 must have at most 3 characters now`},
		{`{"type": "object"}`, `{"type": "object", "patternProperties": {"^x": {"type": "string"}}}`, `may: a.^x must be string now`},
		{`{"properties": {"x1": {}}}`, `{"properties": {"x1": {}}, "patternProperties": {"^x": {}}}`, ``},
	},
	"additionalProperties": {
		{`{"properties": {"b": {}}, "additionalProperties": true}`, `{"properties": {"b": {}}, "additionalProperties": false}`, `a takes no other members now`},
		{`{"additionalProperties": {"type": "string"}}`, `{"additionalProperties": {"type": "string", "maxLength": 3}}`, `a.* must have at most 3 characters now`},
		{`{"properties": {"b": {}}}`, `{"properties": {"b": {}}, "additionalProperties": false}`, ``},
		{`{"type": "object"}`, `{"type": "object", "additionalProperties": {"type": "string"}}`, `a.* must be string now`},
	},
	"unevaluatedProperties": {
		{`{"properties": {"b": {}}, "additionalProperties": {}}`, `{"properties": {"b": {}}, "unevaluatedProperties": false}`, `may: a may take less of other members now`},
		{`{"properties": {"b": {}}}`, `{"properties": {"b": {}}, "unevaluatedProperties": false}`, ``},
	},
	"required": {
		{`{"properties": {"b": {}}}`, `{"properties": {"b": {}}, "required": ["b"]}`, `a.b is required now`},
		{`{"required": ["b", "c"]}`, `{"required": ["c"]}`, ``}, {`{"required": ["b", "c"]}`, `{"required": ["c", "b"]}`, ``},
	},
	"propertyNames": {
		{`{"properties": {"long": {}}}`, `{"properties": {"long": {}}, "propertyNames": {"maxLength": 3}}`, `a.long takes no value any more`},
		{`{"additionalProperties": {}}`, `{"additionalProperties": {}, "propertyNames": {"pattern": "^a"}}`, `a takes fewer names of members now`},
		{`{"properties": {"b": {}}}`, `{"properties": {"b": {}}, "propertyNames": {"maxLength": 3}}`, ``},
	},
	"dependentRequired": {
		{`{"properties": {"b": {}, "c": {}}}`, `{"properties": {"b": {}, "c": {}}, "dependentRequired": {"b": ["c"]}}`, `a.b needs "c" beside it now`},
		{`{"properties": {"b": {}, "c": {}}, "required": ["c"]}`, `{"properties": {"b": {}, "c": {}}, "required": ["c"], "dependentRequired": {"b": ["c"]}}`, ``},
		{`{"properties": {"b": {}}}`, `{"properties": {"b": {}, "c": {}}, "dependentRequired": {"c": ["b"]}}`, ``},
	},
	"dependentSchemas": {{`{"properties": {"b": {}, "c": {}}}`, `{"properties": {"b": {}, "c": {}}, "dependentSchemas": {"b": {"required": ["c"]}}}`, `a.b takes less of what stands beside it now`},
		{`{"properties": {"b": {}}, "required": ["b"]}`, `{"properties": {"b": {}}, "required": ["b"], "dependentSchemas": {"b": {"required": ["b"]}}}`, ``}},
	"dependencies": {{`{"properties": {"b": {}}}`, `{"properties": {"b": {}}, "dependencies": {"b": ["c"]}}`, `a.b needs "c" beside it now`},
		{`{"dependencies": {"b": ["c"]}}`, `{"dependencies": {"b": ["c"]}, "title": "A"}`, ``}},
	"allOf": {
		{`{"type": "string"}`, `{"allOf": [{"type": "integer"}]}`, `a was string and is integer now`},
		{`{"type": "string", "maxLength": 3}`, `{"allOf": [{"maxLength": 3}, {"type": "string"}]}`, ``},
	},
	"anyOf": {
		{`{"type": "string"}`, `{"anyOf": [{"type": "string"}, {"type": "null"}]}`, ``},
		{`{"anyOf": [{"type": "string"}, {"type": "null"}]}`, `{"anyOf": [{"type": "null"}, {"type": "string"}]}`, ``},
		{`{"anyOf": [{"type": "string"}, {"type": "null"}]}`, `{"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]}`, `a must have at most 3 characters now`},
		{`{"properties": {"b": {}, "c": {}}}`, `{"properties": {"b": {}, "c": {}}, "anyOf": [{"required": ["b"]}, {"required": ["c"]}]}`, `a needs "b" or "c" now`},
		{`{"type": "string"}`, `{"type": "string", "anyOf": [{"pattern": "^a"}, {"maxLength": 3}]}`, `a must fit a branch of anyOf now, and may not`},
		{`{"anyOf": [{"pattern": "^a"}, {"maxLength": 3}]}`, `{"anyOf": [{"pattern": "^b"}, {"maxLength": 4}]}`, `may: a must fit a branch of anyOf now, and may not`},
	},
	"oneOf": {
		{`{"oneOf": [{"properties": {"k": {"const": 1}, "b": {}}, "required": ["k"], "type": "object"}, {"properties": {"k": {"const": 2}}, "required": ["k"], "type": "object"}]}`,
			`{"oneOf": [{"properties": {"k": {"const": 1}, "b": {"type": "string"}}, "required": ["k"], "type": "object"}, {"properties": {"k": {"const": 2}}, "required": ["k"], "type": "object"}]}`, `a.b must be string now`},
		{`{"anyOf": [{"type": "string"}, {"type": "null"}]}`, `{"oneOf": [{"type": "string"}, {"type": "null"}]}`, ``},
		{`{"type": "string"}`, `{"oneOf": [{"type": "string"}, {}]}`, `may: a may fit more than one branch of oneOf now`},
	},
	"not": {
		{`{"type": "object"}`, `{"type": "object", "not": {"required": ["b"]}}`, `a must not fit "not" now`},
		{`{"type": "string"}`, `{"type": "string", "not": {"enum": ["x"]}}`, `a does not take "x" any more`},
		{`{"not": {"type": ["string", "null"]}}`, `{"not": {"type": "string"}}`, ``},
		{`{"type": "object", "not": {"required": ["b"]}}`, `{"type": "object", "not": {"required": ["b", "c"]}}`, ``},
	},
	"if": {
		{`{"type": "object"}`, `{"type": "object", "if": {"required": ["b"]}, "then": {"required": ["c"]}}`, `a must fit "if", "then" and "else" now`},
		{`{"type": "object", "if": {"required": ["b"]}, "then": {"required": ["c"]}}`, `{"type": "object", "if": {"required": ["b"]}, "then": {"required": ["d"]}}`, `may: a must fit "if", "then" and "else" now`},
		{`{"type": "object", "if": {"required": ["b"]}, "then": {"required": ["c", "d"]}}`, `{"type": "object", "if": {"required": ["b"]}, "then": {"required": ["d"]}}`, ``},
	},
	"then": {{`{"if": {}}`, `{"if": {}, "title": "A"}`, ``}, {`{"type": "object", "if": {"maxProperties": 2}}`, `{"type": "object", "if": {"maxProperties": 2}, "then": {"required": ["b"]}}`, `may: a must fit "if", "then" and "else" now`}},
	"else": {{`{"else": false}`, `{"else": false, "title": "A"}`, ``}, {`{"type": "object", "if": {"maxProperties": 2}}`, `{"type": "object", "if": {"maxProperties": 2}, "else": {"required": ["b"]}}`, `may: a must fit "if", "then" and "else" now`}},
	"$ref": {
		{`{"type": "string"}`, `{"$ref": "#/$defs/text"}`, ``}, {`{"$ref": "#/$defs/text"}`, `{"type": "string"}`, ``},
		{`{"type": "integer"}`, `{"$ref": "#/$defs/text"}`, `a was integer and is string now`},
		{`{"type": "string"}`, `{"$ref": "https://example.com/x"}`, `may: a is what "https://example.com/x" takes now, which is not known`},
		{`{"$ref": "https://example.com/x"}`, `{"$ref": "https://example.com/x", "title": "A"}`, ``},
		{`{"$ref": "#/$defs/tree"}`, `{"$ref": "#/$defs/tree", "title": "A"}`, ``},
	},
	"$dynamicRef":   {{`{}`, `{"$dynamicRef": "#x"}`, `may: a is what "#x" takes now, which is not known`}, {`{"$dynamicRef": "#x"}`, `{}`, ``}},
	"$recursiveRef": {{`{}`, `{"$recursiveRef": "#"}`, `may: a has another $recursiveRef now, which its draft does not have`}, {`{"$recursiveRef": "#"}`, `{}`, ``}},
}

// A schema that had the key would be taken for one whose branches were looked at, and nothing that it takes would be told.
func TestSpentCannotBeWritten(t *testing.T) {
	if n := schema.Decode([]byte(`{"` + comparedOneOf + `": [false]}`)); n != nil && n.Has(comparedOneOf) {
		t.Errorf("a schema has the key %q", comparedOneOf)
	}
}

func TestKeywords(t *testing.T) {
	for key := range keywords {
		tests := keywordTests[key]
		told := func(test struct{ old, now, want string }) bool { return test.want != "" }
		if !slices.ContainsFunc(tests, told) || !slices.ContainsFunc(tests, func(test struct{ old, now, want string }) bool { return !told(test) }) {
			t.Errorf("%s: give it a test of what is told, and one of an honest change", key)
		}
	}
	for key, tests := range keywordTests {
		for _, test := range tests {
			if got := strings.Join(narrowed(t, test.old, test.now), "; "); got != test.want {
				t.Errorf("%s\nold  %s\nnew  %s\ngot  %s\nwant %s", key, test.old, test.now, got, test.want)
			}
		}
	}
}

// TestHostileSchemas pins that schemas made to take time, or to hide what they refuse, are compared in bounds, and never pass as
// compared where they are not.
func TestHostileSchemas(t *testing.T) {
	deep := func(last string) string {
		const levels = 90
		return strings.Repeat(`{"properties": {"b": `, levels) + last + strings.Repeat(`}}`, levels)
	}
	doubling := func(keyword, last string) string {
		var defs strings.Builder
		for i := range 40 {
			fmt.Fprintf(&defs, `"d%d": {"%s": [{"$ref": "#/properties/a/$defs/d%d"}, {"$ref": "#/properties/a/$defs/d%d", "minLength": 0}]},`, i, keyword, i+1, i+1)
		}
		return `{"$ref": "#/properties/a/$defs/d0", "$defs": {` + defs.String() + `"d40": ` + last + `}}`
	}
	wide := func(last string) string {
		var branches []string
		for i := range 12 {
			branches = append(branches, fmt.Sprintf(`{"anyOf": [{"minLength": %d}, {"pattern": "%d"}]}`, i, i))
		}
		return `{"type": "string", "allOf": [` + strings.Join(append(branches, last), ",") + `]}`
	}
	tests := []struct{ name, old, now, want string }{
		{"deep", deep(`{}`), deep(`{"type": "string"}`), "too large"},
		{"deep and the same", deep(`{}`), deep(`{}`), ""},
		{"allOf twice each", doubling("allOf", `{"type": "string"}`), doubling("allOf", `{"type": "integer"}`), "was string and is integer now"},
		{"anyOf twice each", doubling("anyOf", `{"type": "string", "maxLength": 3}`), doubling("anyOf", `{"type": "string", "maxLength": 2}`), "a"},
		{"branches of branches", wide(`{}`), wide(`{"maxLength": 3}`), "at most 3 characters"},
		{"itself", `{"$ref": "#/properties/a"}`, `{"$ref": "#/properties/a", "minLength": 0}`, "refers to itself"},
		{"a ring", `{"type": "string"}`, `{"$ref": "#/properties/a/$defs/x", "$defs": {"x": {"$ref": "#/properties/a/$defs/y"}, "y": {"$ref": "#/properties/a/$defs/x"}}}`, "refers to itself"},
		{"a ring through branches", `{"type": "string"}`, `{"anyOf": [{"$ref": "#/properties/a"}]}`, "refers to itself"},
		{"an identifier within", `{"type": "string"}`, `{"$id": "http://x/y", "$ref": "#/$defs/text"}`, "not known"},
		{"a pattern that Go does not know", `{"properties": {"b": {}}}`, `{"properties": {"b": {}}, "patternProperties": {"(?=b)": {"type": "string"}}}`, "may: a.b must be string now"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			got := strings.Join(narrowed(t, test.old, test.now), "; ")
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it took %s", took)
			}
			if !strings.Contains(got, test.want) || test.want == "" && got != "" {
				t.Errorf("got %.300s, want %q in it", got, test.want)
			}
		})
	}
}
