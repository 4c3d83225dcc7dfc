package check

import (
	"fmt"
	"testing"
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
