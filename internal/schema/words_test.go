package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// wordsOf returns what is wrong with a value under a schema, or with the schema itself where it does not compile.
func wordsOf(t *testing.T, schema, value string) string {
	t.Helper()
	c, err := Compile(decoded(t, schema), plainPattern)
	if err == nil {
		err = c.Validate(decoded(t, value))
	}
	if err == nil {
		return ""
	}
	flaws := Flaws(err)
	if len(flaws) == 0 {
		return Problem(err)
	}
	var words []string
	for _, f := range flaws {
		words = append(words, strings.Join(f.Path, ".")+": "+f.Problem)
	}
	slices.Sort(words)
	return strings.Join(words, "; ")
}

// TestWordsOfValues pins the words for each kind of error of a value, and how they show numbers: without commas, and as the
// nearest number of 64 bits.
func TestWordsOfValues(t *testing.T) {
	const draft7 = `"$schema":"http://json-schema.org/draft-07/schema#",`
	long := strings.Repeat("x", 1500)
	many := "[" + strings.Repeat("1,", 1499) + "1]"
	var items, members []string
	for i := range 1500 {
		items = append(items, strconv.Itoa(i))
		members = append(members, fmt.Sprintf(`"%d":0`, i))
	}
	tests := []struct{ schema, value, want string }{
		{`false`, `1`, ": false schema"},
		{`{"type":"integer"}`, `"1"`, ": got string, want integer"},
		{`{"type":["object","null"]}`, `1.5`, ": got number, want null or object"},
		{`{"properties":{"a":{"items":{"type":"string"}}}}`, `{"a":["",true]}`, "a.1: got boolean, want string"},
		{`{"const":1500.5}`, `1`, ": value must be 1500.5"},
		{`{"const":"it's \"%d\" é\n"}`, `1`, `: value must be 'it\'s "%d" é\n'`},
		{`{"const":[1]}`, `1`, ": 'const' failed"},
		{`{"const":null}`, `1`, ": value must be <nil>"},
		{`{"enum":[1e21]}`, `1`, ": value must be 1e21"},
		{`{"enum":["a",1500,1500.50,true,null]}`, `1`, ": value must be one of 'a', 1500, 1500.50, true, <nil>"},
		{`{"enum":["a",{}]}`, `1`, ": 'enum' failed"},
		{`{"required":["a"]}`, `{}`, ": missing property 'a'"},
		{`{"required":["a","b%s"]}`, `{}`, ": missing properties 'a', 'b%s'"},
		{`{"dependentRequired":{"a":["b","c"]}}`, `{"a":1}`, ": properties 'b', 'c' required, if 'a' exists"},
		{`{` + draft7 + `"dependencies":{"a":["b"]}}`, `{"a":1}`, ": properties 'b' required, if 'a' exists"},
		{`{"properties":{"a":{}},"additionalProperties":false}`, `{"a":1,"b":1}`, ": additional properties 'b' not allowed"},
		{`{"unevaluatedProperties":false}`, `{"b":1}`, "b: false schema"},
		{`{"propertyNames":{"maxLength":1}}`, `{"bb":1}`, ": maxLength: got 2, want 1"},
		{`{"propertyNames":false}`, `{"bb":1}`, ": false schema"},
		{`{"minProperties":2000}`, `{"a":1}`, ": minProperties: got 1, want 2000"},
		{`{"maxProperties":0}`, "{" + strings.Join(members, ",") + "}", ": maxProperties: got 1500, want 0"},
		{`{"minItems":2000}`, many, ": minItems: got 1500, want 2000"},
		{`{"maxItems":1000}`, many, ": maxItems: got 1500, want 1000"},
		{`{"uniqueItems":true}`, `[1,2,1.0]`, ": items at 0 and 2 are equal"},
		{`{"uniqueItems":true}`, "[" + strings.Join(items, ",") + ",1400]", ": items at 1400 and 1500 are equal"},
		{`{"prefixItems":[true],"items":false}`, `[1,2]`, "1: false schema"},
		{`{` + draft7 + `"items":[true],"additionalItems":false}`, many, ": last 1499 additionalItem(s) not allowed"},
		{`{"contains":false}`, `[]`, ": no items match contains schema"},
		{`{"contains":{"const":2}}`, `[1]`, "0: value must be 2"},
		{`{"contains":{},"minContains":1000}`, `[]`, ": min 1000 items required to match contains schema, but none matched"},
		{`{"contains":{},"minContains":1000}`, `[1,1]`, ": min 1000 items required to match contains schema, but matched 2 items at 0 1"},
		{`{"contains":{},"maxContains":1}`, `[1,1]`, ": max 1 items required to match contains schema, but matched 2 items at 0 1"},
		{`{"contains":{},"maxContains":1000}`, "[" + strings.Join(items, ",") + "]",
			": max 1000 items required to match contains schema, but matched 1500 items at " + strings.Join(items, " ")},
		{`{"minLength":2000}`, `"` + long + `"`, ": minLength: got 1500, want 2000"},
		{`{"maxLength":1000}`, `"` + long + `"`, ": maxLength: got 1500, want 1000"},
		{`{"pattern":"^[a-z]'$"}`, `"A\""`, `: 'A"' does not match pattern '^[a-z]\'$'`},
		{`{"minimum":1500.5}`, `1500`, ": minimum: got 1500, want 1500.5"},
		{`{"maximum":1500.5}`, `12345678.25`, ": maximum: got 1.234567825e+07, want 1500.5"},
		{`{"maximum":1e20}`, `1e21`, ": maximum: got 1e+21, want 1e+20"},
		{`{"maximum":123456789012345678901234567890}`, `1234567890123456789012345678901`, ": maximum: got 1.2345678901234568e+30, want 1.2345678901234568e+29"},
		{`{"minimum":0.1234567890123456789}`, `-0.5`, ": minimum: got -0.5, want 0.12345678901234568"},
		{`{"maximum":1}`, `1e400`, ": maximum: got +Inf, want 1"},
		{`{"minimum":1}`, `1e-400`, ": minimum: got 0, want 1"},
		{`{"exclusiveMinimum":1000}`, `1000.0`, ": exclusiveMinimum: got 1000, want 1000"},
		{`{"exclusiveMaximum":1000000}`, `1000000`, ": exclusiveMaximum: got 1e+06, want 1e+06"},
		{`{"multipleOf":0.01}`, `1500.005`, ": multipleOf: got 1500.005, want 0.01"},
		{`{"multipleOf":1000}`, `1` + strings.Repeat("0", 30) + `1`, ": multipleOf: got 1e+31, want 1000"},
		{`{"not":{}}`, `1`, ": 'not' failed"},
		{`{"allOf":[{"type":"string"},{"minimum":5}]}`, `1`, ": got number, want string; : minimum: got 1, want 5"},
		{`{"anyOf":[{"type":"string"},{"minimum":5}]}`, `1`, ": got number, want string; : minimum: got 1, want 5"},
		{`{"oneOf":[{"type":"string"},{"minimum":5}]}`, `1`, ": got number, want string; : minimum: got 1, want 5"},
		{`{"oneOf":[{"type":"string"},{},{}]}`, `1`, ": 'oneOf' failed, subschemas 1, 2 matched"},
		{`{"oneOf":[` + strings.Repeat("false,", 1000) + `true,true]}`, `1`, ": 'oneOf' failed, subschemas 1000, 1001 matched"},
		{`{"if":{},"then":{"type":"string"}}`, `1`, ": got number, want string"},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}`, `1`, ": got number, want string"},
		{`{"$ref":"#"}`, `1`, `: both /$ref and  resolve to "schema:///#" causing reference cycle`},
		{`{"format":"ipv4"}`, `"x"`, ""},
		{`{"contentEncoding":"base64","contentMediaType":"application/json"}`, `"%"`, ""},
	}
	for _, test := range tests {
		if got := wordsOf(t, test.schema, test.value); got != test.want {
			t.Errorf("%.100s of %.100s:\n got %q\nwant %q", test.schema, test.value, got, test.want)
		}
	}
}

// TestWordsOfSchemas pins the words for what is wrong with a schema itself. Its draft's own schema asserts formats.
func TestWordsOfSchemas(t *testing.T) {
	const draft4 = `"$schema":"http://json-schema.org/draft-04/schema#",`
	tests := []struct{ schema, want string }{
		{`[]`, ": got array, want boolean or object"},
		{`{"minLength":-1500.5}`, "minLength: got number, want integer"},
		{`{"minLength":-1500}`, "minLength: minimum: got -1500, want 0"},
		{`{"multipleOf":0}`, "multipleOf: exclusiveMinimum: got 0, want 0"},
		{`{` + draft4 + `"multipleOf":0}`, "multipleOf: exclusiveMinimum: got 0, want 0"},
		{`{` + draft4 + `"required":[]}`, "required: minItems: got 0, want 1"},
		{`{` + draft4 + `"exclusiveMinimum":true}`, ": properties 'minimum' required, if 'exclusiveMinimum' exists"},
		{`{"allOf":[]}`, "allOf: minItems: got 0, want 1"},
		{`{"required":["a","a"]}`, "required: items at 0 and 1 are equal"},
		{`{"type":"thing"}`, "type: got string, want array; " +
			"type: value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'"},
		{`{"$id":"a#b"}`, "$id: 'a#b' does not match pattern '^[^#]*#?$'"},
		{`{"$anchor":"1"}`, "$anchor: '1' does not match pattern '^[A-Za-z_][-A-Za-z0-9._]*$'"},
		{`{"$ref":"%"}`, `$ref: '%' is not valid uri-reference: parse "%": invalid URL escape "%"`},
		{`{"$ref":"http://[fe80::1%25eth0]/"}`, "$ref: 'http://[fe80::1%25eth0]/' is not valid uri-reference: " +
			"invalid ipv6 address: zone id is not a part of ipv6 address"},
		{`{"pattern":"("}`, "pattern: '(' is not valid regex: error parsing regexp: missing closing ): `(`"},
		{`{"patternProperties":{"(":{}}}`, ": '(' is not valid regex: error parsing regexp: missing closing ): `(`"},
		{`{"$ref":"#/$defs/none"}`, `json-pointer in "#/$defs/none" not found`},
		{`{"$ref":"#none"}`, `anchor in "#none" not found in schema ""`},
		{`{"$ref":"https://example.com/x.json"}`, `failing loading "https://example.com/x.json": nothing is loaded`},
		{`{"$schema":"1 2"}`, `failing loading "1 2": nothing is loaded`},
		{`{"$id":"http://[1.2.3.4]/"}`, `error in parsing id at "#"`},
		{`{"$anchor":"a","$defs":{"b":{"$anchor":"a"}}}`, `duplicate anchor "a" in "" at "" and "/$defs/b"`},
	}
	for _, test := range tests {
		if got := wordsOf(t, test.schema, `{}`); got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.schema, got, test.want)
		}
	}
}
