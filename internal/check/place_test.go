package check

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLinesByBase pins where a judgement by the base's suite stands in the head's file: on the same line of an entry that is
// unchanged, otherwise at the head's gate of that name, otherwise at the case.
func TestLinesByBase(t *testing.T) {
	const base = `agents:
  - name: a
    cassette: a.json
    equal_function_sets:
      classes: [{name: a, members: [search]}]
      expect:
        - tool_selection.f1: {">=": 10}
    expect:
      - tool_names: {contains: search}
`
	type lines struct{ Case, Gate, Assertion, Expect int }
	for _, test := range []struct {
		name, head string
		want       lines
	}{
		{"a line more above", "# more\n" + base, lines{3, 5, 8, 10}},
		{"a floor lowered", strings.Replace(base, "10", "5", 1), lines{2, 4, 4, 2}},
		{"an expectation added", base + "      - tool_names: {contains: fetch}\n", lines{2, 4, 4, 2}},
		{"a line more within", strings.Replace(base, "    equal", "\n    equal", 1), lines{2, 5, 5, 2}},
		{"the gate dropped", base[:strings.Index(base, "    equal")] + base[strings.Index(base, "    expect:\n      - tool_names"):], lines{2, 2, 2, 2}},
		{"the gate in another place", "agents:\n  - name: a\n    limits: {max_calls: 9}\n" + strings.TrimPrefix(base, "agents:\n  - name: a\n"), lines{2, 5, 5, 2}},
	} {
		files := map[string]string{"mcp-gates.yml": base, "a.json": `{"runs": [{"tool_calls": [{"name": "search"}]}, {"tool_calls": [{"name": "search"}]}]}`}
		head := fileEdit{"mcp-gates.yml": test.head}.of(files)
		share := shareOf(1)
		share.runs = 1 // so that the expectations on the second run are only counted
		r := judgedByBase(t, files, head, Options{share: share})
		c := &r.Cases[0]
		if len(c.Gates) == 0 || len(c.Expect) != 1 || c.Cut == nil || len(c.Cut.Expect) != 1 {
			t.Errorf("%s: got %s, want a gate, an expectation and a count", test.name, whyOf(r))
			continue
		}
		got := lines{c.Line, c.Gates[0].Line, c.Gates[0].Assertions[0].Line, c.Expect[0].Line}
		if diff := cmp.Diff(test.want, got); diff != "" || c.Cut.Expect[0].Line != got.Expect {
			t.Errorf("%s: the counted expectation is on line %d (-want +got):\n%s", test.name, c.Cut.Expect[0].Line, diff)
		}
	}
}

// TestSuitesOfBase pins which arguments are no problem if the head has no suite there, under the verdicts of the base's
// suites, and in which order the suites are checked.
func TestSuitesOfBase(t *testing.T) {
	const suite = "agents: [{name: a, cassette: ../c.json, expect: [{tool_names: {contains: search}}]}]\n"
	files := map[string]string{"a/mcp-gates.yml": suite, "b/mcp-gates.yml": suite, "c.json": `{"runs": [{"tool_calls": [{"name": "search"}]}]}`}
	head := fileEdit{"b/mcp-gates.yml": "", "c/mcp-gates.yml": suite}.of(files)
	for _, test := range []struct {
		suites  []string
		byBase  bool
		want    string // ids of the cases
		problem string // a part of the only problem; "" for none
	}{
		{[]string{"a/mcp-gates.yml"}, true, "a", ""},
		{[]string{"c/mcp-gates.yml", "b/mcp-gates.yml", "a/mcp-gates.yml", "c/mcp-gates.yml"}, true, "a c", ""},
		{[]string{"b/mcp-gates.yml"}, true, "b", ""},
		{[]string{"b/mcp-gates.yml", "a/mcp-gates.yml"}, false, "a", "b/mcp-gates.yml"},
		{[]string{"d/mcp-gates.yml", "b/mcp-gates.yml", "a/mcp-gates.yml"}, true, "a b", "d/mcp-gates.yml"},
	} {
		var baseSuites []string
		for _, file := range test.suites {
			if files[file] != "" {
				baseSuites = append(baseSuites, file)
			}
		}
		_, judge := RunBase(context.Background(), mapFS(files), Options{Digests: true, Suites: baseSuites})
		r := run(t, mapFS(head), Options{Digests: true, Suites: test.suites, BaseSuites: judge, ByBase: test.byBase})
		var got []string
		for i := range r.Cases {
			got = append(got, strings.TrimSuffix(r.Cases[i].Suite, "/mcp-gates.yml"))
		}
		if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%q: cases (-want +got):\n%s", test.suites, diff)
		}
		if ok := len(r.Problems) == 0; ok != (test.problem == "") || !ok && (len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Message, test.problem)) {
			t.Errorf("%q: got problems %v, want one with %q", test.suites, r.Problems, test.problem)
		}
	}
}

// TestLinesOfIncludedGates pins that gates, classes and expectations in an included file have the line of the test in a report, and
// that the error of such a gate has it, too.
func TestLinesOfIncludedGates(t *testing.T) {
	const included = "\n\n\n\n\ndefaults:\n  equal_function_sets: {classes: [{name: a, members: [search]}, {name: b, members: [fetch]}]}\n" +
		"  token_efficiency: {classes: [{name: a, members: [search]}], expect: [{token_efficiency.tokens_per_correct: {'<=': 9}}]}\n" +
		"  expect: [{tool_names: {contains: fetch}}]\n"
	r := run(t, workspace("mcp-gates.yml", "include: more.yml\nagents:\n  - {name: a, cassette: a.json}\n", "more.yml", included,
		"a.json", `[{"tool_calls": [{"name": "search"}]}]`), Options{})
	c := &r.Cases[0]
	if len(c.Gates) != 2 || len(c.Expect) != 1 || c.Gates[1].Err == nil {
		t.Fatalf("got %s, want two gates, of which the second has an error, and an expectation", asJSON(t, r))
	}
	for _, g := range c.Gates {
		if g.Line != 3 {
			t.Errorf("%s is on line %d, want 3", g.Gate, g.Line)
		}
		for _, a := range g.Assertions {
			if a.Line != 3 {
				t.Errorf("%s is on line %d, want 3", a.Target, a.Line)
			}
		}
		for _, n := range g.Notes {
			if n.Line != 0 && n.Line != 3 {
				t.Errorf("%s: the note %+v is on line %d, want 3", g.Gate, n, n.Line)
			}
		}
	}
	if e := c.Gates[1].Err; e.Path != "mcp-gates.yml" || e.Line != 3 || c.Expect[0].Line != 3 {
		t.Errorf("the error is at %s:%d and the expectation on line %d, want mcp-gates.yml:3 and 3", e.Path, e.Line, c.Expect[0].Line)
	}
}
