package judge

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// TestArguments checks arguments of one call to a tool with the schema given.
func TestArguments(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	deep := nested(100)
	tests := []struct {
		name, schema, args string
		want               ArgumentCheck
	}{
		{"fits", `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":1}`, ArgsValid},
		{"1.0 is an integer", `{"properties":{"n":{"type":"integer"}}}`, `{"n":1.0}`, ArgsValid},
		{"wrong type", `{"properties":{"n":{"type":"integer"}}}`, `{"n":"1"}`, ArgsInvalid},
		{"missing", `{"required":["n"]}`, `{}`, ArgsInvalid},
		{"not declared", `{"additionalProperties":false}`, `{"n":1}`, ArgsInvalid},
		{"formats are not asserted", `{"properties":{"d":{"format":"date"}}}`, `{"d":"x"}`, ArgsValid},
		{"nor in draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"d":{"format":"date","type":"string"}}}`, `{"d":"x"}`, ArgsValid},
		{"draft 4", `{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"n":{"minimum":1,"exclusiveMinimum":true}}}`, `{"n":1}`, ArgsInvalid},
		{"local reference", `{"$defs":{"n":{"type":"integer"}},"properties":{"n":{"$ref":"#/$defs/n"}}}`, `{"n":"x"}`, ArgsInvalid},
		{"tree", `{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}`, `{"a":{"a":{"b":1}}}`, ArgsInvalid},
		{"pattern", `{"properties":{"s":{"pattern":"^a+$"}}}`, `{"s":"aab"}`, ArgsInvalid},
		{"pattern of names", `{"patternProperties":{"^x":{"type":"integer"}}}`, `{"xy":1}`, ArgsValid},
		{"enumeration", `{"properties":{"s":{"enum":["a",1]}}}`, `{"s":1.0}`, ArgsValid},
		{"truth value", `false`, `{}`, ArgsInvalid},
		{"name given twice: the last one counts", `{"properties":{"n":{"type":"integer"}}}`, `{"n":"x","n":1}`, ArgsValid},
		{"a number without end", `{"properties":{"n":{"type":"integer"}}}`, `{"n":1e999999999}`, ArgsInvalid},
		{"a limit without end", `{"properties":{"n":{"maximum":1e999999999}}}`, `{"n":1}`, ArgsUnchecked},
		{"no such type", `{"type":"thing"}`, `{}`, ArgsUnchecked},
		{"no schema", `"object"`, `{}`, ArgsUnchecked},
		{"another document", `{"$ref":"https://example.com/x.json"}`, `{}`, ArgsUnchecked},
		{"a file", `{"$ref":"file:///etc/passwd"}`, `{}`, ArgsUnchecked},
		{"a reference to nothing", `{"$ref":"#/$defs/n"}`, `{}`, ArgsUnchecked},
		{"a reference to itself", `{"$ref":"#"}`, `{}`, ArgsInvalid},
		{"a pattern that RE2 lacks", `{"properties":{"s":{"pattern":"(?=a)"}}}`, `{"s":"a"}`, ArgsUnchecked},
		{"a dynamic reference", `{"$dynamicAnchor":"a","properties":{"n":{"$dynamicRef":"#a"}}}`, `{}`, ArgsUnchecked},
		{"deep arguments", `{"properties":{"a":{"$ref":"#"}}}`, deep, ArgsUnchecked},
		{"arguments as deep as they may be", `{"properties":{"a":{"$ref":"#"}}}`, nested(63), ArgsValid},
		{"a level more", `{"properties":{"a":{"$ref":"#"}}}`, nested(64), ArgsUnchecked},
		{"keywords that mean nothing", `{"properties":` + deep + `}`, `{"a":1}`, ArgsValid},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := checkArgs(test.schema, test.args); got != test.want {
				t.Errorf("%s against %s: %d, want %d", test.args, test.schema, got, test.want)
			}
		})
	}
}

func checkArgs(schema, args string) ArgumentCheck {
	m := NewMeter(1)
	doc, ok := DecodeJSON(jsontext.Value(schema))
	if !ok {
		return ArgsUnchecked
	}
	compiled, err := m.Compile(doc)
	if err != nil {
		return ArgsUnchecked
	}
	return m.Check(compiled, jsontext.Value(args))
}

// TestHostileSchemas checks arguments against schemas that would take for ever without a bound on the work.
func TestHostileSchemas(t *testing.T) {
	var doubling strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubling, `"a%d":{"anyOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	defs := `{"$defs":{` + doubling.String() + `"a60":{"type":"string"}},`
	numbers := make([]string, 1500)
	for i := range numbers {
		numbers[i] = fmt.Sprint(i)
	}
	list := strings.Join(numbers, ",")
	tests := []struct{ name, schema, args string }{
		{"doubling", defs + `"$ref":"#/$defs/a0"}`, `{}`},
		{"doubling under not", defs + `"not":{"$ref":"#/$defs/a0"}}`, `{}`},
		{"doubling in the arguments", `{"properties":{"a":{"$ref":"#"}},"allOf":[{"properties":{"a":{"$ref":"#"}}}]}`,
			strings.Repeat(`{"a":`, 50) + "{}" + strings.Repeat("}", 50)},
		{"a long enumeration for every item", `{"properties":{"a":{"items":{"enum":[` + list + `]}}}}`,
			`{"a":[` + strings.Repeat("-1,", 20_000) + `-1]}`},
		{"many long patterns", `{"properties":{` + strings.TrimSuffix(manyPatterns(2000), ",") + `}}`, `{}`},
		{"a long pattern and a long text", `{"properties":{"a":{"pattern":"^(a?){999}b$"}}}`, `{"a":"` + strings.Repeat("a", 1_000_000) + `"}`},
		{"many schemas", `{"properties":{` + strings.TrimSuffix(manyProperties(20_000), ",") + `}}`, `{}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			if got := checkArgs(test.schema, test.args); got != ArgsUnchecked {
				t.Errorf("%d, want %d: too much work", got, ArgsUnchecked)
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

// TestWorkOfTraces pins the work that a trace may take, which grows with its calls.
func TestWorkOfTraces(t *testing.T) {
	for calls, most := range map[int]int{0: 50_000_000, 3: 50_000_600} {
		m := NewMeter(calls)
		if !m.spend(most) || m.Exhausted() {
			t.Errorf("%d calls: %d of work is too much", calls, most)
		}
		if m.spend(1) || !m.Exhausted() {
			t.Errorf("%d calls: more than %d of work is not too much", calls, most)
		}
	}
}

// TestOneCallTakesLittle leaves the work for other calls alone when one call would take it all.
func TestOneCallTakesLittle(t *testing.T) {
	m := NewMeter(1)
	doc, _ := DecodeJSON(jsontext.Value(`{"properties":{"a":{"items":{"type":"string"}}}}`))
	schema, err := m.Compile(doc)
	if err != nil {
		t.Fatal(err)
	}
	before := m.total
	args := `{"a":[` + strings.Repeat(`"",`, 200_000) + `""]}`
	if got := m.Check(schema, jsontext.Value(args)); got != ArgsUnchecked || before-m.total > 2*maxWorkOfCall {
		t.Errorf("a call with 200000 items: %d for %d of work, want %d for about %d", got, before-m.total, ArgsUnchecked, maxWorkOfCall)
	}
}

func manyPatterns(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"p%d":{"pattern":"(x%d){999}"},`, i, i)
	}
	return b.String()
}

func manyProperties(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"p%d":{},`, i)
	}
	return b.String()
}

// FuzzArguments looks for schemas and arguments that make the check panic or last.
func FuzzArguments(f *testing.F) {
	for _, schema := range []string{
		"", "null", `{}`, `{"type":"object","properties":{"a":{"type":"integer"}}}`, `{"properties":{"a":{}},"required":["a"]}`, `[]`, `{"type":7}`,
	} {
		f.Add(schema, `{"a":1}`)
	}
	f.Add(`{"$id":"#a","$anchor":"b","properties":{"a":{"$id":"x","$ref":"y"}}}`, `{"a":[1,{"b":null}]}`)
	f.Add(`{"$schema":"http://json-schema.org/draft-04/schema#","id":"a:b","dependencies":{"a":["b"],"b":{"$ref":"#"}}}`, `{"a":1e400}`)
	f.Add(`{"items":[{"$ref":"#"}],"unevaluatedProperties":false,"if":{},"then":false,"propertyNames":{"pattern":"a*"}}`, `{"a":1}`)
	f.Fuzz(func(t *testing.T, schema, args string) {
		if !jsontext.Value(schema).IsValid(jsontext.AllowDuplicateNames(true)) || !jsontext.Value(args).IsValid(jsontext.AllowDuplicateNames(true)) {
			return
		}
		start := time.Now()
		first := checkArgs(schema, args)
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("took %s", took)
		}
		if second := checkArgs(schema, args); first != second {
			t.Errorf("%s against %s: first %d, then %d", args, schema, first, second)
		}
	})
}
