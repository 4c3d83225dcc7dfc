package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// plain is a pattern that costs a visit.
type plain struct{ *regexp.Regexp }

func (plain) Work(string) int { return 1 }

func plainPattern(text string) (Pattern, error) {
	re, err := regexp.Compile(text)
	return plain{re}, err
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%.100s: %v", text, err)
	}
	return v
}

func compiled(t *testing.T, text string) *Compiled {
	t.Helper()
	c, err := Compile(decoded(t, text), plainPattern)
	if err != nil {
		t.Fatalf("%.100s: %v", text, err)
	}
	return c
}

func TestCompileMistakes(t *testing.T) {
	tests := []struct{ schema, want string }{
		{`{"type":"thing"}`, "type: got string, want array"},
		{`{"properties":{"a":{"minLength":-1}}}`, "properties.a.minLength: minimum: got -1, want 0"},
		{`{"$ref":"https://example.com/x.json"}`, "remote https://example.com/x.json"},
		{`{"$ref":"file:///etc/passwd"}`, "remote file:///etc/passwd"},
		{`{"$ref":"#/$defs/none"}`, "not found"},
		{`{"pattern":"("}`, "regex"},
		{`{"$id":"#a","$anchor":"b","properties":{"a":{"$id":"x","$ref":"y"}}}`, ""},
	}
	for _, test := range tests {
		_, err := Compile(decoded(t, test.schema), plainPattern)
		if err == nil || !strings.Contains(told(err), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.schema, err, test.want)
		}
	}
}

// told returns an error by what users of the package ask about it.
func told(err error) string {
	if url, ok := Remote(err); ok {
		return "remote " + url
	}
	var flaws []string
	for _, f := range Flaws(err) {
		flaws = append(flaws, strings.Join(f.Path, ".")+": "+f.Problem)
	}
	if len(flaws) > 0 {
		return slices.Min(flaws)
	}
	return Problem(err)
}

// TestFormats pins that no draft asserts formats.
func TestFormats(t *testing.T) {
	for _, draft := range []string{"http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"} {
		for format := range strings.FieldsSeq(formats + " regex unknown") {
			c := compiled(t, fmt.Sprintf(`{"$schema":%q,"properties":{"a":{"format":%q}}}`, draft, format))
			if err := c.Validate(map[string]any{"a": "(\n"}); err != nil {
				t.Errorf("%s, %s: %v", draft, format, err)
			}
		}
	}
}

// TestWork pins how visits are counted: as if none were cut short.
func TestWork(t *testing.T) {
	tests := []struct {
		schema, value string
		want          int
	}{
		{`{}`, `1`, 1},
		{`{"type":"object"}`, `{}`, 1},
		{`{"properties":{"a":{},"b":{}}}`, `{"a":1}`, 3},
		{`{"properties":{"a":{}}}`, `{"a":1,"b":2,"c":3}`, 5},
		{`{"additionalProperties":{}}`, `{"a":1,"b":2}`, 5},
		{`{"patternProperties":{"a":{},"b":{}}}`, `{"a":1}`, 6},
		{`{"propertyNames":{"pattern":"a"}}`, `{"a":1}`, 4},
		{`{"items":{}}`, `[1,2,3]`, 7},
		{`{"prefixItems":[{},{}]}`, `[1,2,3]`, 6},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"additionalItems":{}}`, `[1,2]`, 6},
		{`{"anyOf":[{},{}],"not":{},"if":{},"then":{},"else":{}}`, `1`, 7},
		{`{"enum":[1,2,[3]],"required":["a"]}`, `1`, 7},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#"}}}`, `1`, 3},
		{`{"properties":{"a":{"$ref":"#"}}}`, `{"a":{"a":{}}}`, 8},
		{`{"dependentSchemas":{"a":{},"b":{}}}`, `{"a":1}`, 4},
		{`{"pattern":"x"}`, `"y"`, 2},
	}
	for _, test := range tests {
		if got := compiled(t, test.schema).Work(decoded(t, test.value), 1000); got != test.want {
			t.Errorf("%s of %s: got %d, want %d", test.schema, test.value, got, test.want)
		}
	}
}

// TestWorkOfDoubling pins what takes 2^60 visits without a bound: the count ends at its limit, and does so at once.
func TestWorkOfDoubling(t *testing.T) {
	var defs strings.Builder
	for i := range 60 {
		fmt.Fprintf(&defs, `"a%d":{"anyOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	tests := []struct{ schema, value string }{
		{`{"$defs":{` + defs.String() + `"a60":{"type":"string"}},"$ref":"#/$defs/a0"}`, `{}`},
		{`{"properties":{"a":{"$ref":"#"}},"allOf":[{"properties":{"a":{"$ref":"#"}}}]}`,
			strings.Repeat(`{"a":`, 50) + "{}" + strings.Repeat("}", 50)},
		{`{"items":{"items":{}}}`, `[` + strings.Repeat("[1],", 5000) + `[]]`},
	}
	const limit = 10_000
	for _, test := range tests {
		if got := compiled(t, test.schema).Work(decoded(t, test.value), limit); got != limit+1 {
			t.Errorf("%.60s: got %d, want %d", test.schema, got, limit+1)
		}
	}
}
