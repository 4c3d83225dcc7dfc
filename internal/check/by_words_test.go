package check

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/report"
)

// TestByWords pins that the ranking by words is reported in full only where it is asked for, and that a tool which its prompt no longer
// leads to is noted all the same. The tools that are correct among distractors are not right for the prompt.
func TestByWords(t *testing.T) {
	const runs = `[{"tool_calls": [{"name": "find_flight", "server": "trips"}]}]`
	suite := `
servers: {trips: {catalog: trips.json}}
agents:
  - {name: flies, servers: [trips], cassette: c.json, prompt: book the cheapest flight, tool_selection: {expected_tool: find_flight, min_selection_rate: 1},
     distractors: {count: 2, source: {from: catalog}, correct: [trips.list_stays]}}
`
	tools := `{"tools": [{"name": "find_flight", "description": "Find the cheapest flight to book."}, {"name": "list_stays", "description": "List rooms."}]}`
	worse := strings.NewReplacer("Find the cheapest flight to book.", "Does it.", "List rooms.", "Book the cheapest flight and rooms.").Replace(tools)
	_, judge := RunBase(context.Background(), workspace("mcp-gates.yml", suite, "trips.json", tools, "c.json", runs), Options{Digests: true})
	head := workspace("mcp-gates.yml", suite, "trips.json", worse, "c.json", runs)
	r := run(t, head, Options{BaseSuites: judge})
	if r.Cases[0].ByWords == nil || r.Cases[0].ByWords.First != "trips.list_stays" || r.Words != nil {
		t.Errorf("got %+v and rows %+v, want list_stays first, and no rows", r.Cases[0].ByWords, r.Words)
	}
	want := []report.WordsRow{{
		ID: "mcp-gates.yml::flies", First: "trips.list_stays", Before: "trips.find_flight", WasRight: true, Gone: r.Cases[0].ByWords.Gone,
	}}
	if diff := cmp.Diff(want, run(t, head, Options{BaseSuites: judge, ByWords: true}).Words); diff != "" || len(want[0].Gone) == 0 {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// TestByWordsOrder pins that the rows are in the order of the cases, whichever tools these have.
func TestByWordsOrder(t *testing.T) {
	suite := "servers: {trips: {catalog: trips.json}, rails: {catalog: rails.json}}\nagents:\n"
	for _, agent := range []string{"name: a, servers: [trips]", "name: b, servers: [rails]", "name: c, servers: [trips]"} {
		suite += "  - {" + agent + ", cassette: c.json, prompt: find, tool_selection: {expected_tool: find, min_selection_rate: 1}}\n"
	}
	const tools = `{"tools": [{"name": "find"}]}`
	r := run(t, workspace("mcp-gates.yml", suite, "trips.json", tools, "rails.json", tools, "c.json", `[{"tool_calls": [{"name": "find"}]}]`), Options{ByWords: true})
	var got []string
	for _, row := range r.Words {
		got = append(got, row.ID)
	}
	if want := "mcp-gates.yml::a mcp-gates.yml::b mcp-gates.yml::c"; strings.Join(got, " ") != want {
		t.Errorf("got rows of %q, want %s", got, want)
	}
}

// TestCasesByWords pins which cases have a row: those with a prompt and a right tool, if the tools of their servers are known.
func TestCasesByWords(t *testing.T) {
	suite := "servers: {trips: {catalog: trips.json}, rails: {}}\nagents:\n"
	for _, agent := range []string{
		"name: all, servers: [trips], prompt: find a flight, tool_selection: {expected_tool: find, min_selection_rate: 1}",
		"name: no prompt, servers: [trips], tool_selection: {expected_tool: find, min_selection_rate: 1}",
		"name: no right tool, servers: [trips], prompt: find a flight, limits: {max_calls: 9}",
		"name: no tools, servers: [rails], prompt: find a flight, tool_selection: {expected_tool: find, min_selection_rate: 1}",
		"name: other words, servers: [trips], prompt: xyz, tool_selection: {expected_tool: find, min_selection_rate: 1}",
	} {
		suite += "  - {" + agent + ", cassette: c.json}\n"
	}
	suite += "tool_quality: [{name: q, server: trips, expect: [{warning_count: {'<=': 99}}]}]\n"
	r := run(t, workspace("mcp-gates.yml", suite, "trips.json", `{"tools": [{"name": "find", "description": "Find a flight."}]}`,
		"c.json", `[{"tool_calls": [{"name": "find"}]}]`), Options{ByWords: true})
	want := []report.WordsRow{
		{Index: 0, ID: "mcp-gates.yml::all", First: "trips.find", Right: true},
		{Index: 4, ID: "mcp-gates.yml::other words"},
	}
	if diff := cmp.Diff(want, r.Words); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// TestTokensAreCountedForGates pins that tools of recordings are counted only where a gate needs it.
func TestTokensAreCountedForGates(t *testing.T) {
	for gate, want := range map[string]bool{"limits: {max_calls: 1}": false, "token_efficiency: {classes: [{name: a, members: [get]}]}": true} {
		suite := "agents:\n  - {name: a, cassette: c.json, " + gate + "}\n"
		fsys := workspace("mcp-gates.yml", suite, "c.json", `{"catalog": {"x": {"tools": [{"name": "get"}]}}, "runs": [{"tool_calls": [{"name": "get", "server": "x"}]}]}`)
		c, counted := newChecker(context.Background(), fsys, Options{}), false
		if r, _ := c.run(); r.Cases[0].Err != nil {
			t.Fatalf("%s: %s", gate, r.Cases[0].Err.Message)
		}
		c.counts.known.Range(func(any, any) bool { counted = true; return false })
		if counted != want {
			t.Errorf("%s: tokens are counted: %t, want %t", gate, counted, want)
		}
	}
}
