package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// expectOf reads the list of a test's expectations.
func expectOf(entries string) (RunExpect, source.Errors) {
	var errs source.Errors
	e := ReadRunExpect(yamlread.Parse("s.yml", []byte("expect:\n"+entries), &errs))
	return e, errs.Sorted()
}

// TestBoundsOfExpectations pins the longest message, the longest argument, and how much all arguments of a suite may hold.
func TestBoundsOfExpectations(t *testing.T) {
	text := func(n int) string { return strings.Repeat("x", n) }
	for _, test := range []struct{ name, entries, want string }{
		{"the longest message", "- {message: " + text(1000) + ", tool_names: {contains: x}}\n", ""},
		{"a longer one", "- {message: " + text(1001) + ", tool_names: {contains: x}}\n", `s.yml:2:13: "message" is 1001 bytes long, at most 1000 are read`},
		{"the longest argument", "- tool_names: {contains: " + text(1<<16-3) + "}\n", ""},
		{"a longer one", "- tool_names: {contains: " + text(1<<16-2) + "}\n", `s.yml:2:26: "contains" holds more than 65536 bytes`},
		{"the longest list of lists", "- {\"tool_calls[0].args\": {exact: {k: [1, " + text(1<<16-2-5-2-8-3) + "]}}}\n", ""},
		{"a longer one", "- {\"tool_calls[0].args\": {exact: {k: [1, " + text(1<<16-2-5-2-8-2) + "]}}}\n", `s.yml:2:34: "exact" holds more than 65536 bytes`},
		{"a schema of as many parts as there may be", "- {\"tool_calls[0].args\": {schema: {enum: [" + strings.Repeat("[], ", maxSchemaNodes-3) + "[]]}}}\n", ""},
		{"one more", "- {\"tool_calls[0].args\": {schema: {enum: [" + strings.Repeat("[], ", maxSchemaNodes-2) + "[]]}}}\n", fmt.Sprintf(`s.yml:2:35: "schema" must be a JSON Schema: it holds %d objects, lists and truth values, at most %d are read`, maxSchemaNodes+1, maxSchemaNodes)},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, errs := expectOf(test.entries)
			got := ""
			if len(errs) > 0 {
				got = errs[0].Error()
			}
			if got != test.want || len(errs) > 1 {
				t.Errorf("got %.200q (%d mistakes), want %q", got, len(errs), test.want)
			}
		})
	}
}

// TestBoundsOfOneSuite pins that all arguments together are bounded, and all schemas, each said once, at the first that is too much.
func TestBoundsOfOneSuite(t *testing.T) {
	const entries = "- tool_names: {contains: abc}\n- tool_names: {schema: {maxItems: 1}}\n- tool_names: {schema: {maxItems: 2}}\n"
	const bytes = 6 + 22 + 22
	for _, test := range []struct {
		name string
		used matcherUse
		want string
	}{
		{"as much as there may be", matcherUse{bytes: maxMatchers - bytes, nodes: maxSuiteNodes - 2}, ""},
		{"a byte more", matcherUse{bytes: maxMatchers - bytes + 1}, "s.yml:4:24: matchers hold more than 67108864 bytes altogether, aliases and inheritance followed"},
		{"far more", matcherUse{bytes: maxMatchers - 5}, "s.yml:2:26: matchers hold more than 67108864 bytes altogether, aliases and inheritance followed"},
		{"a schema more", matcherUse{nodes: maxSuiteNodes - 1}, "s.yml:4:24: schemas hold more than 100000 objects, lists and truth values altogether, which is all that is read in one suite"},
		{"schemas more", matcherUse{nodes: maxSuiteNodes}, "s.yml:3:24: schemas hold more than 100000 objects, lists and truth values altogether, which is all that is read in one suite"},
	} {
		var errs source.Errors
		root := yamlread.Parse("s.yml", []byte("expect:\n"+entries), &errs)
		*yamlread.Shared[matcherUse](root) = test.used
		ReadRunExpect(root)
		got := ""
		if errs = errs.Sorted(); len(errs) > 0 {
			got = errs[0].Error()
		}
		if got != test.want || len(errs) > 1 {
			t.Errorf("%s: got %q, want %q", test.name, errs, test.want)
		}
	}
}

// TestBoundsOfArguments pins what is refused as the expected value of one argument: a value that cannot be JSON, one that is too long, and
// one that is too much for the suite, which is reported once.
func TestBoundsOfArguments(t *testing.T) {
	for _, test := range []struct {
		name, value string
		used        int
		ok          bool
		want        string
	}{
		{"the longest text", strings.Repeat("x", 1<<16-3), 0, true, ""},
		{"a longer one", strings.Repeat("x", 1<<16-2), 0, false, `s.yml:1:4: "city" holds more than 65536 bytes`},
		{"a list that is not JSON", "[.inf]", 0, false, `s.yml:1:5: an entry of "a" must be a decimal number, found .inf`},
		{"as much as there may be", "Rome", maxMatchers - 7, true, ""},
		{"a byte more", "Rome", maxMatchers - 6, true, "s.yml:1:4: matchers hold more than 67108864 bytes altogether, aliases and inheritance followed"},
	} {
		var errs source.Errors
		root := yamlread.Parse("s.yml", []byte("a: "+test.value+"\n"), &errs)
		yamlread.Shared[matcherUse](root).bytes = test.used
		v, _ := root.Value("a")
		got, ok := ReadArgMatcher(v, "city")
		mistake := ""
		if len(errs) > 0 {
			mistake = errs[0].Error()
		}
		if ok != test.ok || mistake != test.want || len(errs) > 1 {
			t.Errorf("%s: got %t with the mistakes %.200q, want %t with %q", test.name, ok, mistake, test.ok, test.want)
		}
		if fits, _ := got.Match(test.value, &Work{}); fits != (ok && mistake == "") {
			t.Errorf("%s: the value fits: %t", test.name, fits)
		}
	}
}

// TestEqualSchemas pins that a schema counts once, however often a suite has it.
func TestEqualSchemas(t *testing.T) {
	var errs source.Errors
	root := yamlread.Parse("s.yml", []byte("expect:\n"+strings.Repeat("- tool_names: {schema: {maxItems: 1}}\n", 3)), &errs)
	use := yamlread.Shared[matcherUse](root)
	e := ReadRunExpect(root)
	if len(errs) > 0 || use.nodes != 1 || len(use.schemas) != 1 {
		t.Errorf("got %d parts in %d schemas, mistakes %v, want one", use.nodes, len(use.schemas), errs)
	}
	call := trace.Call{Tool: &trace.Tool{}}
	for i, got := range e.Judge(&trace.Run{Calls: []trace.Call{call, call}}) {
		if got.Verdict != Fail {
			t.Errorf("expectation %d on two calls is %s, want fail", i+1, got.Verdict)
		}
	}
}

// TestBoundsOfActuals pins how much of a run's value a report repeats.
func TestBoundsOfActuals(t *testing.T) {
	list := func(n, more int) []string {
		names := make([]string, n)
		for i := range names {
			names[i] = "x"
		}
		return append(names, strings.Repeat("y", more))
	}
	for _, test := range []struct {
		name   string
		actual any
		want   int // bytes of the JSON
		cut    bool
	}{
		{"a text", strings.Repeat("x", maxActual), maxActual + 2, false},
		{"a longer text", strings.Repeat("x", maxActual+1), maxActual + 2 + len("…"), true},
		{"a text cut within a character", strings.Repeat("é", maxActual), maxActual + 2 + len("…"), true},
		{"a text cut within the next character", "x" + strings.Repeat("é", maxActual), maxActual - 1 + 2 + len("…"), true},
		{"names", list(1023, 1), 4*1024 + 1, false},
		{"more names", list(1023, 2), 4*1023 + 1 + 3 + len("…"), true},
		{"a value", jsontext.Value("[" + strings.Repeat("1", maxActual-2) + "]"), maxActual, false},
		{"a longer value", jsontext.Value("[" + strings.Repeat("1", maxActual-1) + "]"), maxActual + 2 + len("…"), true},
	} {
		got := CompactJSON(clipActual(test.actual))
		if len(got) != test.want || strings.Contains(got, "…") != test.cut {
			t.Errorf("%s: %d bytes that end in %q, want %d", test.name, len(got), got[len(got)-10:], test.want)
		}
	}
}

// TestLongSettings pins that a setting of more than 4096 bytes is its beginning and its hash.
func TestLongSettings(t *testing.T) {
	if got := shortened(strings.Repeat("x", 4096)); got != strings.Repeat("x", 4096) {
		t.Errorf("a value of 4096 bytes is shortened to %q", got)
	}
	want := strings.Repeat("x", 200) + "… (4097 bytes, SHA-256 3e97197f4b8d46a893067c94ab15e195e3d97fb5f24eede5ef047b571240d92b)"
	if got := shortened(strings.Repeat("x", 4097)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestNamesInGates pins which tools a gate and an expectation name, and when a block cannot hold.
func TestNamesInGates(t *testing.T) {
	check := Check{Plan: Plan{Measurer: mentioning{}, Named: [][]string{{"b", "a"}, {"b"}, nil}}}
	if got := strings.Join(check.Names(), " "); got != "a b seen" {
		t.Errorf("the gate names %s, want a b seen", got)
	}
	for _, test := range []struct {
		gone string
		want bool
	}{{"", false}, {"a", false}, {"b", true}} {
		if got := check.Plan.Lacks(func(name string) bool { return name == test.gone }); got != test.want {
			t.Errorf("without %q: got %t, want %t", test.gone, got, test.want)
		}
	}
	e, errs := expectOf("- tool_names: {contains-all: [b, a]}\n- tool_calls[0].name: {exact: c}\n- final_response: {contains: d}\n- tool_names: {schema: {maxItems: 1}}\n- tool_names: {not_contains: b}\n")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if got := strings.Join(e.Names(), " "); got != "a b c" {
		t.Errorf("the expectations name %s, want a b c", got)
	}
	if got := strings.Join(e.NamesOf("tool_names"), " "); got != "b a b" {
		t.Errorf("tool_names names %s, want b a b", got)
	}
	if got := e.Pos(); got != (source.Pos{File: "s.yml", Line: 2, Col: 1}) {
		t.Errorf("the first is at %s, want s.yml:2:1", got)
	}
	if got := (RunExpect{}).Pos(); got != (source.Pos{}) {
		t.Errorf("without any: %s, want no place", got)
	}
	if got := strings.Join(e.Targets(), " "); got != "tool_names tool_calls[N].name final_response tool_names tool_names" {
		t.Errorf("targets are %s", got)
	}
	if list := e.Expectations(); len(list) != 5 || list[1].Target != "tool_calls[0].name" {
		t.Errorf("expectations are %+v", list)
	}
}

type mentioning struct{ Measurer }

func (mentioning) Mentions() []string { return []string{"seen", "a"} }

// TestFigures pins the order of a gate's figures: that of its targets, then others by name, without those of single classes.
func TestFigures(t *testing.T) {
	r := &Result{Metrics: map[string]Value{"z": {}, "a": {}, `c["x"]`: {}, "b": {}}}
	g := &Gate{Targets: []Target{{Name: "b", Unit: Number, Doc: ""}, {Name: "z", Unit: Number, Doc: ""}}}
	for _, test := range []struct {
		gate *Gate
		want string
	}{{g, "b z a"}, {nil, "a b z"}} {
		if got := strings.Join(test.gate.Figures(r), " "); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// TestListsNoTools pins that a catalog without a file is named, too.
func TestListsNoTools(t *testing.T) {
	got := ListsNoTools(&catalog.Catalog{})
	if want := "the tool catalog lists no tools, expected at least one"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSelects pins that a run is judged where no check leaves it out.
func TestSelects(t *testing.T) {
	checks := []Check{{Plan: Plan{Measurer: mentioning{}}}, {Plan: Plan{Measurer: allButFour{}}}}
	for number, want := range map[int]bool{3: true, 4: false} {
		if got := Selects(checks, &trace.Run{Number: number}); got != want {
			t.Errorf("run %d: got %t, want %t", number, got, want)
		}
	}
}
