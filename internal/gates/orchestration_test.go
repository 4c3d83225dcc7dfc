package gates

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/trace"
)

func TestEfficiency(t *testing.T) {
	tests := []struct{ needed, calls, want int }{
		{2, 3, 67}, {1, 8, 13}, {199, 200, 99}, {200, 200, 100}, {3, 2, 100}, {0, 5, 0}, {5, 0, 0}, {0, 0, 0}, {1, 3, 33},
	}
	for _, test := range tests {
		if got := efficiency(test.needed, test.calls); got != test.want {
			t.Errorf("efficiency(%d, %d) = %d, want %d", test.needed, test.calls, got, test.want)
		}
	}
}

// TestArguments checks arguments of one call to a tool with the schema given.
func TestArguments(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)
	tests := []struct {
		name, schema, args string
		want               argumentCheck
	}{
		{"fits", `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":1}`, argsValid},
		{"1.0 is an integer", `{"properties":{"n":{"type":"integer"}}}`, `{"n":1.0}`, argsValid},
		{"wrong type", `{"properties":{"n":{"type":"integer"}}}`, `{"n":"1"}`, argsInvalid},
		{"missing", `{"required":["n"]}`, `{}`, argsInvalid},
		{"not declared", `{"additionalProperties":false}`, `{"n":1}`, argsInvalid},
		{"formats are not asserted", `{"properties":{"d":{"format":"date"}}}`, `{"d":"x"}`, argsValid},
		{"nor in draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"d":{"format":"date","type":"string"}}}`, `{"d":"x"}`, argsValid},
		{"draft 4", `{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"n":{"minimum":1,"exclusiveMinimum":true}}}`, `{"n":1}`, argsInvalid},
		{"local reference", `{"$defs":{"n":{"type":"integer"}},"properties":{"n":{"$ref":"#/$defs/n"}}}`, `{"n":"x"}`, argsInvalid},
		{"tree", `{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}`, `{"a":{"a":{"b":1}}}`, argsInvalid},
		{"pattern", `{"properties":{"s":{"pattern":"^a+$"}}}`, `{"s":"aab"}`, argsInvalid},
		{"pattern of names", `{"patternProperties":{"^x":{"type":"integer"}}}`, `{"xy":1}`, argsValid},
		{"enumeration", `{"properties":{"s":{"enum":["a",1]}}}`, `{"s":1.0}`, argsValid},
		{"truth value", `false`, `{}`, argsInvalid},
		{"name given twice: the last one counts", `{"properties":{"n":{"type":"integer"}}}`, `{"n":"x","n":1}`, argsValid},
		{"a number without end", `{"properties":{"n":{"type":"integer"}}}`, `{"n":1e999999999}`, argsInvalid},
		{"a limit without end", `{"properties":{"n":{"maximum":1e999999999}}}`, `{"n":1}`, argsUnchecked},
		{"no such type", `{"type":"thing"}`, `{}`, argsUnchecked},
		{"no schema", `"object"`, `{}`, argsUnchecked},
		{"another document", `{"$ref":"https://example.com/x.json"}`, `{}`, argsUnchecked},
		{"a file", `{"$ref":"file:///etc/passwd"}`, `{}`, argsUnchecked},
		{"a reference to nothing", `{"$ref":"#/$defs/n"}`, `{}`, argsUnchecked},
		{"a reference to itself", `{"$ref":"#"}`, `{}`, argsInvalid},
		{"a pattern that RE2 lacks", `{"properties":{"s":{"pattern":"(?=a)"}}}`, `{"s":"a"}`, argsUnchecked},
		{"a dynamic reference", `{"$dynamicAnchor":"a","properties":{"n":{"$dynamicRef":"#a"}}}`, `{}`, argsUnchecked},
		{"deep arguments", `{"properties":{"a":{"$ref":"#"}}}`, deep, argsUnchecked},
		{"keywords that mean nothing", `{"properties":` + deep + `}`, `{"a":1}`, argsValid},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := checkArgs(test.schema, test.args); got != test.want {
				t.Errorf("%s against %s: %d, want %d", test.args, test.schema, got, test.want)
			}
		})
	}
}

func checkArgs(schema, args string) argumentCheck {
	m := newMeter(1)
	doc, ok := decodeJSON(jsontext.Value(schema))
	if !ok {
		return argsUnchecked
	}
	compiled, err := m.compile(doc)
	if err != nil {
		return argsUnchecked
	}
	return m.check(compiled, jsontext.Value(args))
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
			if got := checkArgs(test.schema, test.args); got != argsUnchecked {
				t.Errorf("%d, want %d: too much work", got, argsUnchecked)
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

// TestOneCallTakesLittle leaves the work for other calls alone when one call would take it all.
func TestOneCallTakesLittle(t *testing.T) {
	m := newMeter(1)
	doc, _ := decodeJSON(jsontext.Value(`{"properties":{"a":{"items":{"type":"string"}}}}`))
	schema, err := m.compile(doc)
	if err != nil {
		t.Fatal(err)
	}
	before := m.total
	args := `{"a":[` + strings.Repeat(`"",`, 200_000) + `""]}`
	if got := m.check(schema, jsontext.Value(args)); got != argsUnchecked || before-m.total > 2*workPerCall {
		t.Errorf("a call with 200000 items: %d for %d of work, want %d for about %d", got, before-m.total, argsUnchecked, workPerCall)
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

// TestExhausted leaves the figure out when there was not enough work for all calls.
func TestExhausted(t *testing.T) {
	call := trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Name: "get"}}, Args: trace.ArgsObject, Detail: &trace.Detail{Args: jsontext.Value(`{"a":1}`)}}
	c := orchestrationCount{meter: &meter{}}
	doc, _ := decodeJSON(jsontext.Value(`{"type":"object"}`))
	schema, err := newMeter(1).compile(doc)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.check(&call, &calledTool{schema: schema}); got != argsUnchecked || !c.meter.exhausted() {
		t.Errorf("check without work left: %d, want %d", got, argsUnchecked)
	}
	m := Measurement{Values: map[string]Value{}, Absent: map[string]string{}, Detail: map[string]string{}}
	c.addCatalog(&m)
	if m.Absent[schemaValidTarget] == "" {
		t.Errorf("the figure is %v, want it absent", m.Values[schemaValidTarget])
	}
}

// TestRecovery gives each call as TOOL or TOOL! (an error), and wants how many errors were made good.
func TestRecovery(t *testing.T) {
	classes := []Class{{Name: "search", Members: []string{"a.search", "b.search"}}, {Name: "both", Members: []string{"a.search", "fetch"}}}
	tests := []struct {
		runs              []string
		errors, recovered int
	}{
		{[]string{"a.search! a.search"}, 1, 1},
		{[]string{"a.search a.search!"}, 1, 0},
		{[]string{"a.search! b.search"}, 1, 1},
		{[]string{"a.search! c.fetch"}, 1, 1},
		{[]string{"b.search! c.fetch"}, 1, 0},
		{[]string{"a.search! a.search! a.search"}, 2, 2},
		{[]string{"a.search! a.search a.search!"}, 2, 1},
		{[]string{"a.search!", "a.search"}, 1, 0},
		{[]string{"c.other! d.other"}, 1, 0},
		{[]string{"c.other! d.other c.other"}, 1, 1},
		{[]string{"a.search! b.search!"}, 2, 0},
		{[]string{""}, 0, 0},
	}
	for _, test := range tests {
		tr := &trace.Trace{}
		for i, calls := range test.runs {
			run := trace.Run{Number: i + 1}
			for _, word := range strings.Fields(calls) {
				id, failed := strings.CutSuffix(word, "!")
				server, name, _ := strings.Cut(id, ".")
				run.Calls = append(run.Calls, trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Server: server, Name: name}}, Failed: failed})
			}
			tr.Runs = append(tr.Runs, run)
		}
		o := orchestration{in: Context{Servers: []string{"a", "b", "c", "d"}, Classes: classes}}
		m := o.Measure(tr)
		if m.Counts["errors"] != test.errors || m.Counts["recovered"] != test.recovered {
			t.Errorf("%q: %d of %d errors recovered, want %d of %d", test.runs, m.Counts["recovered"], m.Counts["errors"], test.recovered, test.errors)
		}
	}
}

// naiveOrchestration counts as the rules are worded, call by call.
func naiveOrchestration(o orchestration, tr *trace.Trace) map[string]int {
	counts := map[string]int{"calls": 0, "errors": 0, "recovered": 0, "well_formed": 0, "with_args": 0}
	for _, run := range tr.Runs {
		for i, call := range run.Calls {
			counts["calls"]++
			tool, listed := tr.Catalog.Lookup(call.Tool.Ref)
			if call.Args == trace.ArgsObject || call.Args == trace.ArgsEmpty && listed && !strings.Contains(string(tool.InputSchema), `"properties":{"`) {
				counts["with_args"]++
			}
			if call.Args != trace.ArgsMalformed && call.Tool.Name != "" {
				counts["well_formed"]++
			}
			if !call.Failed {
				continue
			}
			counts["errors"]++
			if slices.ContainsFunc(run.Calls[i+1:], func(later trace.Call) bool {
				return !later.Failed && equivalent(o, call.Tool.Ref, later.Tool.Ref)
			}) {
				counts["recovered"]++
			}
		}
	}
	return counts
}

func equivalent(o orchestration, a, b catalog.Ref) bool {
	return a == b || slices.ContainsFunc(o.in.Classes, func(class Class) bool {
		members := NewMembers(class.Members, o.in.Servers)
		return members.Names(a) && members.Names(b)
	})
}

var someSchemas = []string{
	"", "null", `{}`, `{"type":"object","properties":{"a":{"type":"integer"}}}`, `{"properties":{"a":{}},"required":["a"]}`, `[]`, `{"type":7}`,
}

// orchestrationCase makes a catalog, classes and runs of few names, so that they overlap.
func orchestrationCase(r *rand.Rand) (orchestration, *trace.Trace) {
	classes, in, runs := scoringCase(r)
	in.Classes = classes
	tr := &trace.Trace{Runs: runs}
	if r.IntN(4) > 0 {
		tr.Catalog = &catalog.Catalog{}
		for _, id := range []string{"a x", "a.b y", " z", "c x"} {
			server, name, _ := strings.Cut(id, " ")
			schema := jsontext.Value(someSchemas[r.IntN(len(someSchemas))])
			tr.Catalog.Tools = append(tr.Catalog.Tools, &catalog.Tool{Server: server, Name: name, InputSchema: schema})
		}
	}
	for i := range runs {
		for j := range runs[i].Calls {
			call := &runs[i].Calls[j]
			call.Failed, call.Args = r.IntN(3) == 0, trace.ArgsState(r.IntN(3))
			if call.Args == trace.ArgsObject && r.IntN(5) > 0 {
				call.Detail = &trace.Detail{Args: jsontext.Value([]string{`{"a":1}`, `{"a":"1"}`, `{"b":1}`}[r.IntN(3)])}
			}
		}
	}
	return orchestration{in: in}, tr
}

func FuzzOrchestration(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		o, tr := orchestrationCase(r)
		got := o.Measure(tr)
		want := naiveOrchestration(o, tr)
		for name, count := range want {
			if got.Counts[name] != count {
				t.Errorf("%s is %d, want %d", name, got.Counts[name], count)
			}
		}
		checkPercents(t, got)
		for _, target := range orchestrationTargets {
			_, defined := got.Values[target.Name]
			if _, absent := got.Absent[target.Name]; defined == absent {
				t.Errorf("%s is defined: %v, and absent: %v", target.Name, defined, absent)
			}
		}
		shuffle(r, tr.Runs)
		if diff := cmp.Diff(got, o.Measure(tr), compareValues); diff != "" {
			t.Errorf("the order of runs matters (-recorded +shuffled):\n%s", diff)
		}
	})
}

// FuzzArguments looks for schemas and arguments that make the check panic or last.
func FuzzArguments(f *testing.F) {
	for _, schema := range someSchemas {
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
