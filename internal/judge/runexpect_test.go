package judge

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

func readRunExpect(t *testing.T, yaml string) (RunExpect, source.Errors) {
	t.Helper()
	var errs source.Errors
	e := ReadRunExpect(yamlread.Parse("t.yaml", []byte(yaml), &errs))
	return e, errs
}

func TestRunExpectKeepsWhatItReads(t *testing.T) {
	tests := []struct {
		yaml   string
		keep   trace.Keep
		tokens bool
		empty  bool
	}{
		{"runs: 1", 0, false, true},
		{"expect: []", 0, false, true},
		{"expect: {}", 0, false, true},
		{"expect: [{tool_names: {contains: x}}]", 0, false, false},
		{"expect: [{'tool_calls[0].name': {exact: x}}]", 0, false, false},
		{"expect: [{'tool_calls[0].args': {exact: {}}}]", trace.KeepArgs, false, false},
		{"expect: [{'tool_calls[0].args.a[1]': {exact: 1}}, {final_response: {contains: x}}]", trace.KeepArgs | trace.KeepAnswers, false, false},
		{"expect: [{'conversation.turns[2].role': {exact: user}}]", trace.KeepTurns, false, false},
		{"expect: {max_duration_ms: 5}", 0, false, false},
		{"expect: {max_response_tokens: 5}", trace.KeepAnswers, true, false},
	}
	for _, test := range tests {
		e, errs := readRunExpect(t, test.yaml)
		if len(errs) > 0 {
			t.Errorf("%s: %v", test.yaml, errs)
		}
		if e.Keep() != test.keep || e.NeedsTokens() != test.tokens || e.Empty() != test.empty {
			t.Errorf("%s: keep %b, tokens %t, empty %t, want %b, %t, %t", test.yaml, e.Keep(), e.NeedsTokens(), e.Empty(), test.keep, test.tokens, test.empty)
		}
	}
}

func TestRunPaths(t *testing.T) {
	tests := []struct {
		name string
		want []step // nil: no such target
	}{
		{"tool_calls[12].args.a", []step{{"a", -1}}},
		{"tool_calls[0].args.a.b[3].c", []step{{"a", -1}, {"b", -1}, {"", 3}, {"c", -1}}},
		{"tool_calls[0].args[\"a.b\"]", []step{{"a.b", -1}}},
		{`tool_calls[0].args["a\"]b"].c`, []step{{`a"]b`, -1}, {"c", -1}}},
		{"tool_calls[0].args.with space.é", []step{{"with space", -1}, {"é", -1}}},
		{"tool_calls[0].args..a", nil},
		{"tool_calls[0].args.a[", nil},
		{"tool_calls[0].args.a[01]", nil},
		{"tool_calls[0].args.a[-1]", nil},
		{"tool_calls[99999999999].args.a", nil},
		{"tool_calls.args.a", nil},
		{"tool_calls[0]args.a", nil},
	}
	for _, test := range tests {
		got, ok := parseRunPath(test.name)
		if ok != (test.want != nil) || !slices.Equal(got.steps, test.want) && ok {
			t.Errorf("%s: steps %v, %t, want %v", test.name, got.steps, ok, test.want)
		}
	}
}

func TestRunExpectOnOddArguments(t *testing.T) {
	tests := []struct {
		call trace.Call
		want string // part of the message; "" for a match
	}{
		{trace.Call{Args: trace.ArgsObject, Detail: &trace.Detail{Args: jsontext.Value(`{"a":{"b":1}}`)}}, ""},
		{trace.Call{Args: trace.ArgsEmpty}, `no "a"`},
		{trace.Call{Args: trace.ArgsMalformed}, "not a JSON object"},
		{trace.Call{Args: trace.ArgsObject, Detail: &trace.Detail{Args: jsontext.Value(`{"a":1e999999999}`)}}, "too long"},
		{trace.Call{Args: trace.ArgsObject, Detail: &trace.Detail{Args: jsontext.Value(`{"a":[1]}`)}}, `no "b"`},
	}
	e, _ := readRunExpect(t, "expect: [{'tool_calls[0].args.a.b': {exact: 1}}]")
	for _, test := range tests {
		test.call.Tool = &trace.Tool{Ref: catalog.Ref{Name: "x"}}
		got := e.Judge(&trace.Run{Number: 3, Calls: []trace.Call{test.call}})[0]
		if got.Verdict == Pass != (test.want == "") || !strings.Contains(got.Message, test.want) {
			t.Errorf("arguments %+v: %s %q, want %q", test.call, got.Verdict, got.Message, test.want)
		}
	}
}

func TestLongActualsAreCut(t *testing.T) {
	e, _ := readRunExpect(t, "expect: [{final_response: {contains: needle}}, {tool_names: {contains: x}}]")
	run := &trace.Run{FinalResponse: strings.Repeat("é", 1<<20) + "needle", HasFinal: true}
	for range 10_000 {
		run.Calls = append(run.Calls, trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Name: "name"}}})
	}
	got := e.Judge(run)
	text, _ := got[0].Actual.(string)
	if got[0].Verdict != Pass || len(text) > maxActual+len("…") || !utf8.ValidString(text) {
		t.Errorf("the response is kept with %d bytes, verdict %s", len(text), got[0].Verdict)
	}
	names, _ := got[1].Actual.([]string)
	if len(names) == 0 || len(names) > maxActual || names[len(names)-1] != "…" || len(got[1].Message) > 1000 {
		t.Errorf("%d names are kept, and a message of %d bytes", len(names), len(got[1].Message))
	}
}

// FuzzExpect reads what a suite may hold and judges it: no panic, and every mistake has a place in the file.
func FuzzExpect(f *testing.F) {
	for _, seed := range []string{
		"expect: [{tool_names: {contains: x}}]", "expect: {assertions: [{target: final_response, matcher: {regex: a+}}]}",
		"expect: [{'tool_calls[0].args.a': {schema: {$ref: '#'}}}]", "expect: [{'tool_calls[0].args.a': {schema: {$id: a, $defs: {b: {$id: a}}}}}]",
		"expect: [{conversation.tokens.total: {'>=': .inf, '<': null}}]", "expect: [*a]", "expect: !!binary x", "expect: [{target: 7, matcher: []}]",
		"expect: [{? [a] : b}]", "expect: &x [*x]", "expect: [{tool_names: {exact: 2020-01-01}}]", "",
	} {
		f.Add([]byte(seed))
	}
	run := &trace.Run{Number: 1, HasFinal: true, FinalResponse: "aaa", Calls: []trace.Call{{
		Tool: &trace.Tool{}, Args: trace.ArgsObject, Detail: &trace.Detail{Args: jsontext.Value(`{"a":[1,{"b":null}],"c":"d"}`)},
	}}}
	f.Fuzz(func(t *testing.T, yaml []byte) {
		var errs source.Errors
		m := yamlread.Parse("t.yaml", yaml, &errs)
		e := ReadRunExpect(m)
		for _, a := range e.Judge(run) {
			if a.Verdict == Fail && a.Message == "" {
				t.Errorf("%s: a failure without a message: %+v", yaml, a)
			}
		}
		ReadExpect(m, []Target{{Name: "g.rate", Unit: Percent, Doc: ""}, {Name: `g["NAME"].n[K]`, Unit: Number, Doc: ""}}, []Floor{{Target: "g.rate", Bound: ">= 50"}})
		for _, err := range errs {
			if err.Pos.File != "t.yaml" || err.Pos.Line < 1 || err.Pos.Col < 1 {
				t.Errorf("%s: %v has no place", yaml, err)
			}
		}
	})
}
