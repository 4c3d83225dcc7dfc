package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Fixed bugs: the runs at one point of a curve were charged with the distractors of its greatest point, of which they
// were offered none or a few.
func TestSurfaceIsOfWhatTheRunsWereOffered(t *testing.T) {
	const suite = `
agents:
  - name: x
    server: s
    cassette: c.json
    distractors: {count: %d, source: {from: catalog}%s}
    token_efficiency: {classes: [{name: a, members: [a]}]}
`
	const recording = `{"cassette": 1,
  "catalog": {"s": {"tools": [{"name": "a"}]}, "distractor": {"tools": [{"name": "b"}, {"name": "c", "description": "one two"}]}},
  "distractors": [{"server": "distractor", "name": "b"}, {"server": "distractor", "name": "c"}],
  "runs": [%s]}`
	at := func(n int) string { return fmt.Sprintf(`{"tool_calls": [{"name": "a"}], "distractors": %d}`, n) }
	const unknown = `{"tool_calls": [{"name": "a"}]}`
	const curve = ", curve: [0, 1, 2]"
	for _, test := range []struct {
		name  string
		count int
		curve string
		runs  string
		want  string
	}{
		{"none", 0, curve, at(0) + "," + at(1) + "," + at(2), "1"},
		{"one", 1, curve, at(0) + "," + at(1) + "," + at(2), "2"},
		{"all", 2, curve, at(0) + "," + at(1) + "," + at(2), "5"},
		{"not said", 2, curve, at(0) + "," + unknown, "5"},
		{"without a curve", 1, "", at(1), "2"},
		{"the most of several", 1, "", at(1) + "," + at(2), "5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := run(t, workspace("mcp-gates.yml", fmt.Sprintf(suite, test.count, test.curve), "c.json", fmt.Sprintf(recording, test.runs)), Options{})
			got := ""
			for _, g := range r.Cases[0].Gates {
				if v, ok := g.Metrics["token_efficiency.tool_surface_tokens"]; ok {
					got = v.Rat.RatString()
				}
			}
			if got != test.want {
				t.Errorf("tool_surface_tokens is %q, want %s: %s", got, test.want, asJSON(t, r))
			}
		})
	}
}

// TestServersOfARecording pins what a replay says where a case and its recording speak of different servers or tools: each
// difference once, and nothing where the recording cannot tell.
func TestServersOfARecording(t *testing.T) {
	const suite = `
servers:
  s: {command: [s]}
  other: {command: [other]%s}
agents:
  - {name: x, servers: [s, other], cassette: c.json, equal_function_sets: {classes: [{name: a, members: [%s]}]}}
`
	const recording = `{"cassette": 1, "catalog": %s, %s "runs": [{"tool_calls": [{"name": "a"}]}]}`
	const one = `{"s": {"tools": [{"name": "a"}]}}`
	const both = `{"s": {"tools": [{"name": "a"}]}, "other": {"tools": [{"name": "b"}]}}`
	const padded = `{"s": {"tools": [{"name": "a"}]}, "other": {"tools": [{"name": "b"}]}, "distractor": {"tools": [{"name": "c"}]}}`
	const snapshot = ", catalog: other.json"
	const hadNone = `"x": the agent had no tools of server "other", which the test has now; record again`
	const changed = `"x": since the recording, other.json has changed: added other.b`
	for _, test := range []struct {
		name, snapshot, members, catalog, more string
		want                                   []string
	}{
		{"the same", "", "a", both, "", nil},
		{"one more", "", "a", one, "", []string{hadNone}},
		{"one more with a snapshot", snapshot, "a", one, "", []string{changed}},
		{"a tool of a snapshot", snapshot, "a, other.b", one, "", []string{changed}},
		{"a tool that nobody has", "", "a, zzz", both, "", []string{`"x": tool "zzz" is not among those that the agent was offered`}},
		{"servers not told apart", "", "a, zzz", `{"": {"tools": [{"name": "a"}]}}`, "", nil},
		{"distractors", "", "a", padded, `"distractors": [{"server": "distractor", "name": "c"}],`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := run(t, workspace("mcp-gates.yml", fmt.Sprintf(suite, test.snapshot, test.members),
				"c.json", fmt.Sprintf(recording, test.catalog, test.more), "other.json", `{"tools": [{"name": "b"}]}`), Options{})
			var got []string
			for _, w := range r.Warnings {
				got = append(got, w.Message)
			}
			if diff := cmp.Diff(test.want, got); diff != "" || len(r.Problems) > 0 {
				t.Errorf("warnings (-want +got):\n%s\nproblems: %v", diff, r.Problems)
			}
		})
	}
}

// TestHintsAreBounded pins that many misspelt tools do not cost a comparison with each tool that was offered: a suite
// with as many lines as it may have would take minutes.
func TestHintsAreBounded(t *testing.T) {
	const tools = 1000
	var offered, members []string
	for i := range tools {
		offered = append(offered, fmt.Sprintf(`{"name": "tool_%04d"}`, i))
		members = append(members, fmt.Sprintf("tool_%04dx", i))
	}
	suite := "agents:\n  - {name: x, cassette: c.json, servers: [s], equal_function_sets: {classes: [{name: a, members: [" +
		strings.Join(members, ", ") + "]}]}}\nservers: {s: {command: [s]}}\n"
	cassette := `{"cassette": 1, "catalog": {"s": {"tools": [` + strings.Join(offered, ", ") + `]}}, "runs": [{"tool_calls": []}]}`
	r := run(t, workspace("mcp-gates.yml", suite, "c.json", cassette), Options{})
	hints := 0
	for _, w := range r.Warnings {
		if strings.Contains(w.Message, "did you mean") {
			hints++
		}
	}
	const compared = 50_000 // names, for the hints of a case
	if want := compared / tools / 2; len(r.Warnings) != tools || hints != want {
		t.Errorf("got %d warnings, %d with a hint; want %d, %d with a hint", len(r.Warnings), hints, tools, want)
	}
}
