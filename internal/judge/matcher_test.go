package judge

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/yamlread"
)

// matcherOf reads a matcher as a suite spells it, for a target that can be anything.
func matcherOf(t *testing.T, yaml string) (Matcher, source.Errors) {
	t.Helper()
	var errs source.Errors
	v, ok := yamlread.Parse("m.yaml", []byte("m: "+yaml+"\n"), &errs).Value("m")
	if !ok {
		t.Fatalf("%s cannot be parsed: %v", yaml, errs)
	}
	m, _ := readMatcher(v, "it", anyKind)
	return m, errs
}

func TestMatch(t *testing.T) {
	third := Ratio(1, 3, TokensPerCorrect)
	tests := []struct {
		matcher string
		actual  any
		want    bool
	}{
		{`{">=": 50}`, Int(50, Percent), true},
		{`{">=": 50.0000000001}`, Int(50, Percent), false},
		{`{">": 50}`, Int(50, Percent), false},
		{`{"<": 50}`, Int(49, Percent), true},
		{`{"<=": 50}`, Int(51, Percent), false},
		{`{"==": 0.70}`, Ratio(7000, 10000, Score), true},
		{`{"==": 0.3333333333333333333333333333}`, third, false},
		{`{">": 0.3333333333333333333333333333}`, third, true},
		{`{"!=": 1}`, Int(1, Number), false},
		{`{">=": 1, "<=": 3}`, Int(4, Number), false},
		{`{">=": 1}`, "2", false},
		{`{">=": 1}`, jsontext.Value("1e0"), true},
		{`{">=": 1}`, jsontext.Value("1e999999999"), false},
		{`{">=": 1}`, nil, false},
		{`{exact: 1}`, jsontext.Value("1.0"), true},
		{`{exact: "1"}`, jsontext.Value("1"), false},
		{`{exact: null}`, nil, true},
		{`{exact: false}`, jsontext.Value("null"), false},
		{`{exact: {a: [1, {b: x}]}}`, jsontext.Value(`{"a":[1.0,{"b":"x"}]}`), true},
		{`{exact: {a: 1}}`, jsontext.Value(`{"a":1,"b":2}`), false},
		{`{exact: [1, 2]}`, jsontext.Value(`[2,1]`), false},
		{`{exact: x}`, jsontext.Value(`["x"]`), false},
		{`{exact: 1}`, jsontext.Value(`[1e999999999]`), false},
		{`{contains: b}`, "abc", true},
		{`{contains: ""}`, "", true},
		{`{contains: b}`, []string{"abc"}, false},
		{`{contains: 1}`, jsontext.Value("[1.0]"), true},
		{`{contains: 1}`, "1", false},
		{`{contains: x}`, jsontext.Value(`{"x":1}`), false},
		{`{icontains: "STRASSE é"}`, "die Strasse É", true},
		{`{icontains: B}`, []string{"b"}, true},
		{`{contains-all: [a, c]}`, "abc", true},
		{`{contains-all: [a, d]}`, "abc", false},
		{`{contains-all: [a, 1]}`, jsontext.Value(`[1,"a"]`), true},
		{`{regex: "^b"}`, []string{"abc", "bc"}, true},
		{`{regex: "^z"}`, []string{"abc", "bc"}, false},
		{`{regex: ""}`, jsontext.Value("[1]"), false}, // which holds no text
		{`{regex: ""}`, jsontext.Value(`[1,""]`), true},
		{`{regex: ""}`, jsontext.Value(`{"":""}`), false},
		{`{not_regex: ""}`, jsontext.Value("[1]"), true},
		{`{regex: "^b"}`, "abc", false},
		{`{regex: "1"}`, jsontext.Value("1"), false},
		{`{not_contains: d}`, "abc", true},
		{`{not_contains: b}`, "abc", false},
		{`{not_contains: b}`, []string{"abc"}, true},
		{`{not_contains: abc}`, []string{"abc"}, false},
		{`{not_contains: 1}`, jsontext.Value("[1.0]"), false},
		{`{not_contains: 1}`, "2", false}, // text is not compared with a number
		{`{not_contains: x}`, jsontext.Value(`{"y":1}`), false},
		{`{not_contains: 1}`, jsontext.Value(`[1e999999999]`), false},
		{`{not_contains: x}`, nil, false},
		{`{not_regex: "^b"}`, "abc", true},
		{`{not_regex: "^b"}`, []string{"abc", "bc"}, false},
		{`{not_regex: "^d"}`, []string{"abc", "bc"}, true},
		{`{not_regex: "2"}`, jsontext.Value("1"), false},
		{`{not_one_of: [a, 1]}`, "b", true},
		{`{not_one_of: [a, 1]}`, "a", false},
		{`{not_one_of: [a, 1]}`, jsontext.Value("1.0"), false},
		{`{not_one_of: [a, 1]}`, jsontext.Value("2"), true},
		{`{not_one_of: [a, 1]}`, []string{"b", "a"}, false},
		{`{not_one_of: [a, 1]}`, []string{"b"}, true},
		{`{not_one_of: [[a]]}`, []string{"a"}, false},
		{`{not_one_of: [null]}`, nil, false},
		{`{schema: true}`, "x", true},
		{`{schema: {}}`, "x", true},
		{`{schema: {not: {}}}`, "x", false},
		{`{schema: {minimum: 0.70}}`, Ratio(7000, 10000, Score), true},
		{`{schema: {exclusiveMinimum: 0.70}}`, Ratio(7000, 10000, Score), false},
		{`{schema: {minimum: 5}}`, "x", false}, // the same as the operator
		{`{schema: {minimum: 5, type: [integer, string]}}`, "x", true},
		{`{schema: {type: integer}}`, Int(50, Percent), true},
		{`{schema: {type: integer}}`, third, false},
		{`{schema: {$schema: "http://json-schema.org/draft-04/schema#", minimum: 5, exclusiveMinimum: true}}`, Int(5, Number), false},
		{`{schema: {$schema: "http://json-schema.org/draft-04/schema#", minimum: 5, exclusiveMinimum: true}}`, Int(6, Number), true},
		{`{schema: {$schema: "http://json-schema.org/draft-06/schema#", contains: {const: 1}}}`, jsontext.Value("[2]"), false},
		{`{schema: {$schema: "http://json-schema.org/draft-07/schema#", items: [{type: string}]}}`, jsontext.Value("[2]"), false},
		{`{schema: {$schema: "https://json-schema.org/draft/2019-09/schema", dependentRequired: {a: [b]}}}`, jsontext.Value(`{"a":1}`), false},
		{`{schema: {$schema: "https://json-schema.org/draft/2020-12/schema", prefixItems: [{type: string}]}}`, jsontext.Value("[2]"), false},
		{`{schema: {$defs: {a: {type: string}}, items: {$ref: "#/$defs/a"}}}`, jsontext.Value(`["x", 1]`), false},
	}
	for _, test := range tests {
		m, errs := matcherOf(t, test.matcher)
		if len(errs) > 0 {
			t.Errorf("%s: %v", test.matcher, errs)
			continue
		}
		if got, why := m.Match(test.actual, &Work{}); got != test.want {
			t.Errorf("%s on %s: %t (%s), want %t", test.matcher, ActualText(test.actual), got, why, test.want)
		}
	}
	if ok, why := (Matcher{}).Match("x", &Work{}); ok || why != "nothing is expected" {
		t.Errorf("the zero Matcher: %t, %q", ok, why)
	}
	none, _ := matcherOf(t, `{not_regex: b}`)
	if ok, _ := none.Match("a", &Work{spent: maxWork}); ok {
		t.Error("not_regex matches a text that it did not compare")
	}
}

func TestMatcherString(t *testing.T) {
	tests := []struct{ matcher, want string }{
		{`{">=": 80}`, ">= 80"},
		{`{">=": 0.70}`, ">= 0.7"},
		{`{">=": 8e1}`, ">= 80"},
		{`{"<": 3, ">=": 1}`, "< 3 and >= 1"},
		{`{schema: {minimum: 80}}`, ">= 80"},
		{`{schema: {maximum: 90, exclusiveMinimum: 80.50}}`, "> 80.5 and <= 90"},
		{`{schema: {minimum: 80, type: integer}}`, `schema {"minimum":80,"type":"integer"}`},
		{`{schema: {}}`, "schema {}"},
		{`{contains: fetch}`, `contains "fetch"`},
		{`{contains: "<&>"}`, `contains "<&>"`},
		{`{contains-all: [a, 1]}`, `contains-all ["a",1]`},
		{`{exact: {b: 1.50, a: null}}`, `exact {"a":null,"b":1.5}`},
	}
	for _, test := range tests {
		m, errs := matcherOf(t, test.matcher)
		if got := m.String(); got != test.want || len(errs) > 0 {
			t.Errorf("%s is printed %s, want %s (%v)", test.matcher, got, test.want, errs)
		}
	}
}

// TestUnknownMatcher pins that a matcher is never taken for its opposite.
func TestUnknownMatcher(t *testing.T) {
	all := ", expected one of >=, >,"
	tests := []struct{ word, want string }{
		{"contain", `, did you mean "contains"?`},
		{"not_contain", `, did you mean "not_contains"?`},
		{"not-contains", `, did you mean "not_contains"?`},
		{"notregex", `, did you mean "not_regex"?`},
		{"!contains", all},
		{"not-contains-all", `, did you mean "not_contains"?`},
		{"not_exact", all},
		{"=", `, did you mean "=="?`},
		{"=>", `, did you mean ">="?`},
		{"=<", `, did you mean "<="?`},
		{"<>", `, did you mean "!="?`},
		{"~", all},
	}
	for _, test := range tests {
		_, errs := matcherOf(t, fmt.Sprintf("{%q: x}", test.word))
		if want := fmt.Sprintf("unknown matcher %q%s", test.word, test.want); len(errs) != 1 || !strings.HasPrefix(errs[0].Msg, want) {
			t.Errorf("%s: mistakes %v, want %q", test.word, errs, want)
		}
	}
}

func TestMatcherLimits(t *testing.T) {
	deep := strings.Repeat("{allOf: [", 200) + "true" + strings.Repeat("]}", 200)
	wide := "[" + strings.Repeat("{}, ", maxSchemaNodes) + "{}]"
	tests := []struct{ matcher, want string }{
		{`{regex: "` + strings.Repeat("a", maxRegex+1) + `"}`, "at most 1000"},
		{`{regex: "a{1000}{1000}"}`, "regular expression"},
		{`{exact: "` + strings.Repeat("a", maxMatcher) + `"}`, "more than 65536 bytes"},
		{`{exact: ["` + strings.Repeat(`a", "`, maxMatcher/4) + `"]}`, "more than 65536 bytes"},
		{`{schema: {anyOf: ` + wide + `}}`, "at most 5000"},
		{`{schema: {$dynamicRef: "#a"}}`, "not supported"},
		{`{schema: {$ref: "file:///etc/passwd"}}`, "another document"},
		{`{schema: {$ref: "other.json"}}`, "another document"},
		{`{schema: {$ref: "#/nowhere"}}`, "JSON Schema"},
		{`{schema: {pattern: "("}}`, "JSON Schema"},
		{`{schema: {multipleOf: 0}}`, "JSON Schema"},
		{`{schema: 7}`, "JSON Schema"},
	}
	for _, test := range tests {
		_, errs := matcherOf(t, test.matcher)
		if len(errs) != 1 || !strings.Contains(errs[0].Msg, test.want) {
			t.Errorf("%.60s: mistakes %.300v, want one with %q", test.matcher, errs, test.want)
		}
	}
	if _, errs := matcherOf(t, `{schema: `+deep+`}`); len(errs) > 0 {
		t.Errorf("a deep schema: %v, want none", errs)
	}
}

// TestSchemaWorkIsBounded compares with a schema whose references double at each step, and must come back at once.
func TestSchemaWorkIsBounded(t *testing.T) {
	var defs strings.Builder
	for i := range 40 {
		fmt.Fprintf(&defs, `d%d: {allOf: [{$ref: "#/$defs/d%d"}, {$ref: "#/$defs/d%d"}]}, `, i, i+1, i+1)
	}
	m, errs := matcherOf(t, `{schema: {$ref: "#/$defs/d0", $defs: {`+defs.String()+`d40: {type: string}}}}`)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if ok, why := m.Match("x", &Work{}); ok || why != "comparing takes too much work" {
		t.Errorf("match is %t (%s), want too much work", ok, why)
	}
}

// TestListWorkIsBounded compares a long list with each of many values, and must come back soon.
func TestListWorkIsBounded(t *testing.T) {
	thorough.Unraced(t, "it takes ten seconds, on one goroutine")
	long := make([]any, 2_000_000)
	for i := range long {
		long[i] = json.Number("7")
	}
	values := "[" + strings.Repeat("7, ", 6000) + "7]"
	for _, matcher := range []string{"{contains-all: " + strings.ReplaceAll(values, "7", "8") + "}", "{not_one_of: " + strings.ReplaceAll(values, "7", "8") + "}"} {
		m, errs := matcherOf(t, matcher)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		if ok, _ := m.Match(long, &Work{spent: maxWork - 1<<32}); ok {
			t.Errorf("%.20s matches", matcher)
		}
	}
}

// TestWorkOfComparisons pins the steps of comparing with several values: for each value that is compared, the bytes of the text and one,
// or 32 for each byte of a list and one.
func TestWorkOfComparisons(t *testing.T) {
	for _, test := range []struct {
		matcher string
		actual  any
		want    int64
	}{
		{"{contains-all: [a, b]}", "abc", 2 * 4},
		{"{contains-all: [a, z, b]}", "abc", 2 * 4}, // z is lacking
		{"{contains-all: [a, b]}", []string{"a", "b"}, 2 * (32*(2+2*4) + 1)},
		{"{not_one_of: [x, y]}", "abc", 2 * 4},
		{"{not_one_of: [x, a, y]}", []string{"a"}, 2 * (32*(2+4) + 1)},
		{"{contains-all: [1]}", jsontext.Value(`[1,{"k":true}]`), 32*(2+8+2+1+4+8) + 1},
	} {
		m, errs := matcherOf(t, test.matcher)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		var work Work
		if m.Match(test.actual, &work); work.Steps() != test.want {
			t.Errorf("%s on %s: %d steps, want %d", test.matcher, ActualText(test.actual), work.Steps(), test.want)
		}
	}
}

// TestDepthOfSchemas pins how deep a value may be nested that a schema is compared with.
func TestDepthOfSchemas(t *testing.T) {
	m, errs := matcherOf(t, "{schema: {type: array}}")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for depth, want := range map[int]string{64: "", 65: "it is nested more than 64 deep"} {
		if ok, why := m.Match(jsontext.Value(strings.Repeat("[", depth)+strings.Repeat("]", depth)), &Work{}); ok != (want == "") || why != want {
			t.Errorf("%d lists: got %t, %q, want %q", depth, ok, why, want)
		}
	}
}

func TestSchemaMismatchIsTheSameEveryTime(t *testing.T) {
	m, errs := matcherOf(t, `{schema: {properties: {a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string}}}}`)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	_, first := m.Match(jsontext.Value(`{"a":1,"b":2,"c":3,"d":4}`), &Work{})
	for range 50 {
		if _, again := m.Match(jsontext.Value(`{"d":4,"a":1,"b":2,"c":3}`), &Work{}); again != first {
			t.Fatalf("the reason is %q, was %q", again, first)
		}
	}
}

func TestClip(t *testing.T) {
	if got := Clip(strings.Repeat("é", 200)); got != strings.Repeat("é", 200) {
		t.Errorf("200 characters are cut to %q", got)
	}
	if got, want := Clip(strings.Repeat("é", 100_000)), strings.Repeat("é", 200)+"…"; got != want {
		t.Errorf("a long text is cut to %q, want %q", got, want)
	}
}

// TestLongNumbers pins that a number of more digits than exact arithmetic is for is refused by every matcher that computes, with the
// reason, and that a number of usual length is not.
func TestLongNumbers(t *testing.T) {
	digits := func(n int) string { return strings.Repeat("7", n) }
	for _, matcher := range []string{
		`{schema: {multipleOf: 0.01}}`, `{schema: {minimum: 1, type: number}}`, `{schema: {maximum: 1, type: number}}`, `{schema: {const: 1}}`,
		`{schema: {enum: [1, 2]}}`, `{schema: {exclusiveMinimum: 1}}`, `{">=": 1}`, `{"==": 1}`, `{exact: 1}`,
	} {
		m, errs := matcherOf(t, matcher)
		if len(errs) > 0 {
			t.Fatalf("%s: %v", matcher, errs)
		}
		for _, number := range []string{digits(1_000_000), "7." + digits(1_000_000), "-" + digits(maxDigits), "1e1000000000", "1e-1000000000"} {
			if ok, why := m.Match(jsontext.Value(number), &Work{}); ok || why != numberTooLong {
				t.Errorf("%s on %.20s of %d bytes: got %v, %q, want a mismatch because %s", matcher, number, len(number), ok, why, numberTooLong)
			}
		}
		for _, number := range []string{digits(maxDigits), "1e300", "0.01"} {
			if _, why := m.Match(jsontext.Value(number), &Work{}); why == numberTooLong {
				t.Errorf("%s on %.20s of %d bytes is refused as too long", matcher, number, len(number))
			}
		}
	}
	for _, doc := range []string{`{schema: {multipleOf: 1e1000000000}}`, `{schema: {multipleOf: 0.` + digits(1_000_000) + `}}`,
		`{schema: {minimum: ` + digits(1_000_000) + `, type: number}}`} {
		if _, errs := matcherOf(t, doc); len(errs) == 0 || errs[0].Pos.Line != 1 || errs[0].Pos.Col == 0 {
			t.Errorf("%.60s: got %v, want a mistake with its place", doc, errs)
		}
	}
}
