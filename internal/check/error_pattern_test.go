package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// refusing is a suite whose test has a pattern of errors.
const refusing = `agents:
  - name: one
    cassette: one.json
    error_pattern: (?i)^error
    recovery: {max_retries: 1}
    orchestration: {}
    limits: {max_errors: 5}
`

const refused = `{"tool_calls": [
  {"name": "book", "args": {"seat": 1}, "result": "Error: taken"},
  {"name": "book", "args": {"seat": 2}, "result": "booked"},
  {"name": "pay", "args": {"seat": 2}, "result": "error: no money"}]}`

// TestErrorPatternOfATest finds errors for every gate, whatever else the gates ask of the recording.
func TestErrorPatternOfATest(t *testing.T) {
	for _, test := range []struct {
		pattern string
		want    int
	}{
		{"    error_pattern: (?i)^error\n", 2},
		{"    error_pattern: ^Error\n", 1},
		{"", 0},
	} {
		suite := strings.Replace(refusing, "    error_pattern: (?i)^error\n", test.pattern, 1)
		r := run(t, workspace("mcp-gates.yml", suite, "one.json", refused), Options{})
		got := map[string]int{}
		for _, g := range r.Cases[0].Gates {
			got[g.Gate] = g.Counts["errors"]
			if v, ok := g.Metrics["limits.errors"]; ok {
				got[g.Gate] = int(v.Rat.Num().Int64())
			}
		}
		want := map[string]int{"recovery": test.want, "orchestration": test.want, "limits": test.want}
		if diff := cmp.Diff(got, want); diff != "" {
			t.Errorf("%q (-got +want):\n%s", test.pattern, diff)
		}
	}
}

// TestSoftenedErrorPattern pins that a pattern which is removed or changed is reported, and a bound on retries, too.
func TestSoftenedErrorPattern(t *testing.T) {
	const pattern = "    error_pattern: (?i)^error\n"
	for _, test := range []struct {
		name, old, new string
		want           []string
	}{
		{"the pattern moves to defaults", "agents:\n", "defaults:\n  error_pattern: (?i)^error\nagents:\n", nil},
		{"no pattern", pattern, "", []string{"error_pattern: error pattern removed"}},
		{"another pattern", "(?i)^error", "^error", []string{"error_pattern: changed"}},
		{"more retries", "max_retries: 1", "max_retries: 2", []string{"recovery.max_retries: maximum raised"}},
		{"any retries", "max_retries: 1", "", []string{"recovery.max_retries: maximum removed"}},
		{"fewer errors", "max_retries: 1", "max_retries: 1, after: book", []string{"recovery.after: changed"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			head := strings.Replace(refusing, test.old, test.new, 1)
			got := toldOf(t, []string{"mcp-gates.yml", refusing, "one.json", refused}, []string{"mcp-gates.yml", head, "one.json", refused})
			if diff := cmp.Diff(append([]string{}, test.want...), got); diff != "" {
				t.Errorf("%s\n-want +got\n%s", head, diff)
			}
		})
	}
}
