package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
)

func side(t *testing.T, file, text string) Side {
	t.Helper()
	cat, errs := catalog.Read(file, []byte(text))
	if len(errs) > 0 {
		t.Fatalf("%s: %v", text, errs.Err())
	}
	return Side{cat, lint.Check(cat, lint.Config{})}
}

// tools returns a catalog of tools, each given as NAME, DESCRIPTION and input schema.
func tools(list ...[3]string) string {
	objects := make([]string, len(list))
	for i, t := range list {
		objects[i] = fmt.Sprintf(`{"name": %q, "description": %q, "inputSchema": %s}`, t[0], t[1], t[2])
	}
	return `{"tools": [` + strings.Join(objects, ",\n") + `]}`
}

func describe(d Diff) []string {
	var lines []string
	addf := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, t := range d.Added {
		addf("added %s", t.Name)
	}
	for _, t := range d.Removed {
		addf("removed %s", t.Name)
	}
	for _, p := range d.Renamed {
		line := fmt.Sprintf("renamed %s to %s", p.Old.Name, p.New.Name)
		if len(p.Fields) > 0 {
			line += ": " + strings.Join(p.Fields, " ")
		}
		lines = append(lines, line)
	}
	for _, p := range d.Probable {
		addf("probably %s to %s", p.Old.Name, p.New.Name)
	}
	for _, c := range d.Changed {
		addf("changed %s: %s", c.New.Name, strings.Join(c.Fields, " "))
	}
	for _, b := range slices.Concat(d.Breaking, d.MayBreak) {
		addf("%s %s [%s] %s at %s", b.Kind, b.Tool.Name, b.Argument, b.Message, b.Pos)
	}
	return lines
}

func TestCompareTools(t *testing.T) {
	const none = `{}`
	tests := []struct {
		name, old, new string
		want           []string
	}{
		{"the same in another order",
			tools([3]string{"a", "A.", `{"type": "object", "required": []}`}, [3]string{"b", "B.", none}),
			tools([3]string{"b", "B.", none}, [3]string{"a", "A.", `{ "required":[], "type":"object"}`}), nil},
		{"added and removed", tools([3]string{"a", "A.", none}), tools([3]string{"b", "B.", none}),
			[]string{"added b", "removed a", `tool_removed a [] tool "a" is gone at old.json:1:21`}},
		{"renamed", tools([3]string{"a", "Finds it.", `{"type": "object"}`}), tools([3]string{"b", "Finds it.", `{"type":"object"}`}),
			[]string{"renamed a to b", `tool_renamed a [] tool "a" is called "b" now at old.json:1:21`}},
		{"renamed and described otherwise",
			`[{"name": "find", "description": "Finds old tickets.", "inputSchema": {"properties": {"q": {"description": "Words"}}}, "outputSchema": {}}]`,
			`[{"name": "search", "description": "It finds old tickets.", "inputSchema": {"properties": {"q": {"description": "All words"}}}, "annotations": {"title": "T"}}]`,
			[]string{"renamed find to search: description inputSchema outputSchema annotations",
				`tool_renamed find [] tool "find" is called "search" now at old.json:1:11`}},
		{"probably two made one",
			tools([3]string{"get_issue", "Get details of an issue.", `{"properties": {"id": {}}}`}, [3]string{"get_comments", "Get comments of an issue.", `{"properties": {"id": {}}}`}),
			tools([3]string{"issue_read", "Get details or comments of an issue.", `{"properties": {"id": {}, "what": {}}}`}),
			[]string{"added issue_read", "removed get_comments", "removed get_issue", "probably get_comments to issue_read", "probably get_issue to issue_read",
				`tool_removed get_comments [] tool "get_comments" is gone, probably now "issue_read" at old.json:2:10`,
				`tool_removed get_issue [] tool "get_issue" is gone, probably now "issue_read" at old.json:1:21`}},
		{"opposites are not renamed", tools([3]string{"lock", "Change the state of a thread.", none}), tools([3]string{"unlock", "Change the state of a thread.", none}),
			[]string{"added unlock", "removed lock", `tool_removed lock [] tool "lock" is gone at old.json:1:21`}},
		{"not renamed: another schema", tools([3]string{"a", "Finds it.", `{}`}), tools([3]string{"b", "Finds it.", `{"type":"object"}`}),
			[]string{"added b", "removed a", `tool_removed a [] tool "a" is gone at old.json:1:21`}},
		{"not renamed: nothing to know it by", tools([3]string{"a", "", none}), tools([3]string{"b", "", none}),
			[]string{"added b", "removed a", `tool_removed a [] tool "a" is gone at old.json:1:21`}},
		{"two of three twins renamed",
			tools([3]string{"a", "T.", none}, [3]string{"b", "T.", none}, [3]string{"c", "T.", none}),
			tools([3]string{"x", "T.", none}, [3]string{"y", "T.", none}),
			[]string{"removed c", "renamed a to x", "renamed b to y", "probably c to x", `tool_renamed a [] tool "a" is called "x" now at old.json:1:21`,
				`tool_renamed b [] tool "b" is called "y" now at old.json:2:10`, `tool_removed c [] tool "c" is gone, probably now "x" at old.json:3:10`}},
		{"described otherwise",
			`[{"name": "a", "description": "A.", "annotations": {"readOnlyHint": true}}]`,
			`[{"name": "a", "description": "B.", "outputSchema": {"type": "object"}}]`,
			[]string{"changed a: description outputSchema annotations"}},
		{"the same name on other servers", `[{"name": "a", "server": "x"}]`, `[{"name": "a", "server": "y"}]`,
			[]string{"added a", "removed a", `tool_removed a [] tool "a" is gone at old.json:1:11`}},
		{"the second of two of a name described otherwise", `[{"name": "a", "description": "A."}, {"name": "a", "description": "B."}]`,
			`[{"name": "a", "description": "A."}, {"name": "a", "description": "C."}]`, []string{"changed a: description"}},
		{"a name twice on one server", `[{"name": "a"}, {"name": "a"}]`, `[{"name": "a"}]`, []string{"changed a: "}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := describe(Compare(side(t, "old.json", test.old), side(t, "new.json", test.new)))
			if !slices.Equal(got, test.want) {
				t.Errorf("old  %s\nnew  %s\ngot  %q\nwant %q", test.old, test.new, got, test.want)
			}
		})
	}
}

func TestBreaking(t *testing.T) {
	properties := func(p string) string { return `{"type": "object", "properties": {` + p + `}}` }
	const point = `{"properties": {"x": {}, "y": {"type": "string"}}, "required": ["y"]}`
	twoPoints := func(p string) string { return properties(`"from": ` + p + `, "to": ` + p) }
	onePoint := func(p string) string {
		return `{"properties": {"from": {"$ref": "#/$defs/P"}, "to": {"$ref": "#/$defs/P"}}, "$defs": {"P": ` + p + `}}`
	}
	requiring := func(p, names string) string { return `{"properties": {` + p + `}, "required": [` + names + `]}` }
	tests := []struct {
		name, old, new string
		want           []string // kind, argument and message
	}{
		{"nothing", properties(`"a": {"type": "string"}`), properties(`"a": {"type": "string", "title": "A", "default": "x"}`), nil},
		{"argument removed", properties(`"a": {"type": "object", "properties": {"b": {}}}`), properties(``),
			[]string{"argument_removed a is gone"}},
		{"inner argument removed", properties(`"a": {"type": "array", "items": {"properties": {"b": {}}}}`),
			properties(`"a": {"type": "array", "items": {"properties": {"c": {}}}}`), []string{"argument_removed a[].b is gone"}},
		{"optional argument added", properties(``), properties(`"a": {"type": "string"}`), nil},
		{"required argument added", properties(``), requiring(`"a": {"type": "string"}`, `"a"`),
			[]string{"newly_required a is new and required"}},
		{"required argument added where there was no schema", `null`, requiring(`"a": {}`, `"a"`),
			[]string{"newly_required a is new and required"}},
		{"the schema is gone", requiring(`"a": {}, "b": {}`, `"a"`), `null`, []string{"argument_removed a is gone", "argument_removed b is gone"}},
		{"a new optional object with required members", properties(``),
			properties(`"a": {"properties": {"b": {}}, "required": ["b"]}`), nil},
		{"newly required", properties(`"a": {}`), requiring(`"a": {}`, `"a"`), []string{"newly_required a is required now"}},
		{"no longer required", requiring(`"a": {}`, `"a"`), properties(`"a": {}`), nil},
		{"type changed, members not told", properties(`"a": {"type": "object", "properties": {"b": {}}}`), properties(`"a": {"type": "string"}`),
			[]string{"type_changed a was object and is string now"}},
		{"type narrowed", properties(`"a": {"type": ["string", "null"]}`), properties(`"a": {"type": "string"}`),
			[]string{"type_changed a was null or string and is string now"}},
		{"type widened", properties(`"a": {"type": "string"}`), properties(`"a": {"type": ["string", "null"]}`), nil},
		{"integer widened to number", properties(`"a": {"type": "integer"}`), properties(`"a": {"type": "number"}`), nil},
		{"number narrowed to integer", properties(`"a": {"type": "number"}`), properties(`"a": {"type": "integer"}`),
			[]string{"type_changed a was number and is integer now"}},
		{"type given where none was", properties(`"a": {}`), properties(`"a": {"type": "string"}`), []string{"type_changed a must be string now"}},
		{"type taken away", properties(`"a": {"type": "string"}`), properties(`"a": {}`), nil},
		{"branches count as types", properties(`"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}`),
			properties(`"a": {"type": ["null", "string"]}`), nil},
		{"a branch less", properties(`"a": {"anyOf": [{"type": "string"}, {"oneOf": [{"type": "null"}]}]}`), properties(`"a": {"type": "string"}`),
			[]string{"type_changed a was null or string and is string now"}},
		{"a branch without a type", properties(`"a": {"anyOf": [{"type": "string"}, {}]}`), properties(`"a": {"type": "string"}`),
			[]string{"type_changed a must be string now"}},
		{"items' type changed", properties(`"a": {"items": {"type": "string"}}`), properties(`"a": {"items": {"type": "number"}}`),
			[]string{"type_changed a[] was string and is number now"}},
		{"value dropped", properties(`"a": {"enum": ["x", "y", 1, null]}`), properties(`"a": {"enum": ["y", null, "z"]}`),
			[]string{`enum_value_dropped a does not take "x", 1 any more`}},
		{"value added", properties(`"a": {"enum": ["x"]}`), properties(`"a": {"enum": ["y", "x"]}`), nil},
		{"numbers spelled otherwise", properties(`"a": {"enum": [1, {"b": 2, "c": [3]}]}`), properties(`"a": {"enum": [1.0, {"c": [3.0], "b": 2}]}`), nil},
		{"values listed where any would do", properties(`"a": {"type": "string"}`), properties(`"a": {"type": "string", "enum": ["x"]}`),
			[]string{`enum_value_dropped a takes only "x" now`}},
		{"list of values given up", properties(`"a": {"enum": ["x"]}`), properties(`"a": {"type": "string"}`), nil},
		{"list of numbers given up", properties(`"a": {"enum": [1, 2, null]}`), properties(`"a": {"type": ["integer", "null"]}`), nil},
		{"list of values of several types given up", properties(`"a": {"enum": ["x", true, [], {}, 1.5]}`), properties(`"a": {"type": "string"}`),
			[]string{"enum_value_dropped a does not take 1.5, [], true, {} any more"}},
		{"list of values of another type", properties(`"a": {"enum": ["x"]}`), properties(`"a": {"type": "integer"}`),
			[]string{"type_changed a was string and is integer now"}},
		{"enum narrowed to one", properties(`"a": {"enum": ["x", "y"]}`), properties(`"a": {"const": "x"}`),
			[]string{`enum_value_dropped a does not take "y" any more`}},
		{"behind a reference", `{"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string", "enum": ["x", "y"]}}}`,
			properties(`"a": {"type": "string", "enum": ["x"]}`), []string{`enum_value_dropped a does not take "y" any more`}},
		{"members behind a reference", `{"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "object", "properties": {"b": {}}}}}`,
			`{"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "object", "properties": {"c": {}}, "required": ["c"]}}}`,
			[]string{"argument_removed a.b is gone", "newly_required a.c is new and required"}},
		{"one schema for two where there were two", twoPoints(point), onePoint(point), nil},
		{"two schemas where there was one for two", onePoint(point), twoPoints(point), nil},
		{"a schema for two changes", onePoint(point), onePoint(`{"properties": {"y": {}, "z": {}}, "required": ["y", "z"]}`),
			[]string{"argument_removed from.x is gone", "newly_required from.z is new and required", "argument_removed to.x is gone",
				"newly_required to.z is new and required"}},
		{"a schema within itself", `{"properties": {"v": {}, "next": {"$ref": "#"}}}`,
			`{"properties": {"v": {}, "next": {"properties": {"v": {}, "next": {"$ref": "#"}, "w": {}}}}}`, nil},
		{"a schema within itself, written out before", `{"properties": {"v": {}, "next": {"properties": {"v": {}, "next": {}}}}}`,
			`{"properties": {"v": {}, "next": {"$ref": "#"}}, "required": ["v"]}`,
			[]string{"newly_required v is required now", "newly_required next.v is required now", "newly_required next.next.v is new and required"}},
		{"required beside a reference", `{"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"properties": {"b": {}}}}}`,
			`{"properties": {"a": {"$ref": "#/$defs/A", "required": ["b"]}}, "$defs": {"A": {"properties": {"b": {}}}}}`,
			[]string{"newly_required a.b is required now"}},
		{"names with dots are no paths", properties(`"a.b": {}`), properties(`"a": {"properties": {"b": {}}}`), []string{"argument_removed a.b is gone"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := Compare(side(t, "old.json", tools([3]string{"t", "T.", test.old})), side(t, "new.json", tools([3]string{"t", "T.", test.new})))
			var got []string
			for _, b := range d.Breaking {
				got = append(got, fmt.Sprintf("%s %s %s", b.Kind, b.Argument, b.Message))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("old  %s\nnew  %s\ngot  %q\nwant %q", test.old, test.new, got, test.want)
			}
		})
	}
}

// TestBreakingEndless compares schemas that spell out more arguments than can be looked at: what was not looked at is not
// told.
func TestBreakingEndless(t *testing.T) {
	endless := func(last string) string {
		var b strings.Builder
		b.WriteString(`{"properties": {"r": {"$ref": "#/$defs/d0"}}, "$defs": {`)
		const deep = 25
		for i := range deep {
			fmt.Fprintf(&b, `"d%d": {"properties": {"a": {"$ref": "#/$defs/d%d"}, "b": {"$ref": "#/$defs/d%d"}}},`, i, i+1, i+1)
		}
		fmt.Fprintf(&b, `"d%d": %s}}`, deep, last)
		return tools([3]string{"t", "T.", b.String()})
	}
	start := time.Now()
	there := Compare(side(t, "old.json", endless(`{"type": "string"}`)), side(t, "new.json", endless(`{"type": "string", "enum": ["x"]}`)))
	for _, b := range there.Breaking {
		if b.Kind != ValueDropped {
			t.Errorf("got %s %s %s, want nothing but values dropped", b.Kind, b.Argument, b.Message)
		}
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("the comparison took %s", took)
	}
}

// TestCompareFindings pins that findings are told apart by rule, tool and argument: not by line, and not by the name of a
// tool that was only renamed.
func TestCompareFindings(t *testing.T) {
	const good = `{"type": "object", "properties": {"q": {"type": "string", "maxLength": 9, "description": "Words", "examples": ["x"]}}, "required": ["q"], "additionalProperties": false}`
	bad := strings.Replace(good, `"maxLength": 9, "description": "Words", `, "", 1)
	old := tools([3]string{"find", "Finds notes that hold the words. Returns a list.", bad}, [3]string{"stay", "short", good})
	now := tools([3]string{"stay", "short", good}, [3]string{"other", "Searches the archive of notes.", good},
		[3]string{"search", "Finds notes that hold the words. Returns a list.", bad})
	fixed := strings.Replace(now, bad, good, 1)
	list := func(findings []lint.Finding) (lines []string) {
		for _, f := range findings {
			lines = append(lines, f.Rule+" "+f.Tool.Name+" "+f.Argument)
		}
		return lines
	}
	d := Compare(side(t, "old.json", old), side(t, "new.json", now))
	if got, want := list(d.New), []string{"DESC-010 other ", "DESC-012 other "}; !slices.Equal(got, want) {
		t.Errorf("new findings: got %q, want %q", got, want)
	}
	if d.Fixed != nil {
		t.Errorf("fixed findings %v, want none: find is called search now", list(d.Fixed))
	}
	d = Compare(side(t, "old.json", now), side(t, "new.json", fixed))
	if got, want := list(d.Fixed), []string{"DESC-006 search q", "SCH-004 search q"}; !slices.Equal(got, want) || d.New != nil {
		t.Errorf("fixed findings: got %q, want %q; new %v, want none", got, want, list(d.New))
	}
	if same := side(t, "old.json", old); !ptr(Compare(same, side(t, "new.json", old))).Empty() {
		t.Errorf("a catalog differs from itself: %s", old)
	}
}

func ptr[T any](v T) *T { return &v }

// FuzzCompare requires that a catalog does not differ from itself, whatever is in its schemas, and that what is added one
// way is removed the other way.
func FuzzCompare(f *testing.F) {
	f.Add(`{"properties": {"a": {"$ref": "#"}}}`, `{"properties": {"a": {"items": [{"enum": [null]}]}}, "required": ["a", 1]}`)
	f.Add(`{"anyOf": [{"anyOf": [{}]}], "enum": {}, "type": [1, "object"]}`, `true`)
	f.Fuzz(func(t *testing.T, one, two string) {
		a, errs := catalog.Read("a.json", []byte(`[{"name": "t", "description": "T.", "inputSchema": `+one+`}, {"name": "u"}]`))
		b, more := catalog.Read("b.json", []byte(`[{"name": "t", "description": "T.", "inputSchema": `+two+`}]`))
		if len(errs)+len(more) > 0 {
			return
		}
		if d := Compare(Side{a, lint.Check(a, lint.Config{})}, Side{a, lint.Check(a, lint.Config{})}); !d.Empty() || len(d.Breaking) > 0 {
			t.Errorf("schema %s: a catalog differs from itself: %v", one, describe(d))
		}
		there := Compare(Side{Catalog: a}, Side{Catalog: b})
		back := Compare(Side{Catalog: b}, Side{Catalog: a})
		if len(there.Removed) != len(back.Added) || len(there.Added) != len(back.Removed) || len(there.Changed) != len(back.Changed) {
			t.Errorf("schemas %s and %s: there %v, back %v", one, two, describe(there), describe(back))
		}
	})
}

// Empty reports whether nothing differs.
func (d *Diff) Empty() bool {
	return len(d.Added)+len(d.Removed)+len(d.Renamed)+len(d.Changed)+len(d.New)+len(d.Fixed) == 0
}
