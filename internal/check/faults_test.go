package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/trace"
)

// faulty is a suite whose test has faults, and faultyRuns a recording that met them.
const (
	faulty = `agents:
  - name: one
    cassette: one.json
    prompt: Book a seat.
    faults:
      - {tool: book, kind: hang, times: 2, delay: 10s}
      - {tool: pay, kind: error}
    recovery: {}
`
	faultyRuns = `"runs": [{"tool_calls": [
  {"name": "book", "args": {"seat": 1}, "is_error": true, "fault": "hang"},
  {"name": "book", "args": {"seat": 1}, "result": "booked"},
  {"name": "pay", "args": {"seat": 1}, "is_error": true, "fault": "error"},
  {"name": "pay", "args": {"seat": 1}, "result": "paid"}]}]}`
	faultyHeader = `"faults": [{"tool": "book", "kind": "hang", "times": 2, "delay_ms": 10000}, {"tool": "pay", "kind": "error", "times": 1}], `
)

// TestStaleFaults pins which recordings the faults of a test refuse.
func TestStaleFaults(t *testing.T) {
	hash := `"prompt_sha256": "` + trace.PromptSHA256("Book a seat.") + `", `
	const none = "    faults: []\n"
	block := faulty[strings.Index(faulty, "    faults:"):strings.Index(faulty, "    recovery:")]
	const recorded = `"hang of book (times 2, delay 10000 ms)", "error of pay (times 1)"`
	for _, test := range []struct {
		name, faults, header string
		want                 string
	}{
		{"the same faults", block, hash + faultyHeader, ""},
		{"a recording from before, and no faults", none, hash, ""},
		{"no word of faults, by hand", block, "", ""},
		{"the same in other words", strings.Replace(strings.Replace(block, "10s", "10000ms", 1), "kind: error", "kind: error, times: 1", 1), hash + faultyHeader, ""},
		{"a recording from before", block, hash, "the cassette was recorded under no faults, and the test has " + recorded},
		{"faults taken out", none, hash + faultyHeader, "the cassette was recorded under " + recorded + ", and the test has no faults"},
		{"another order", "    faults: [{tool: pay, kind: error}, {tool: book, kind: hang, times: 2, delay: 10s}]\n", faultyHeader,
			"the cassette was recorded under " + recorded + `, and the test has "error of pay (times 1)", "hang of book (times 2, delay 10000 ms)"`},
		{"many", "    faults: [{kind: error}, {kind: error}, {kind: error}, {kind: error}, {kind: error}]\n", hash,
			`the cassette was recorded under no faults, and the test has "error (times 1)", "error (times 1)", "error (times 1)", 2 more faults`},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(faulty, block, test.faults, 1)
			r := run(t, workspace("mcp-gates.yml", text, "one.json", `{`+test.header+faultyRuns), Options{})
			got := ""
			if err := r.Cases[0].Err; err != nil {
				got, _, _ = strings.Cut(err.Message, "; record again")
			}
			if diff := cmp.Diff(got, test.want); diff != "" {
				t.Errorf("(-got +want):\n%s", diff)
			}
		})
	}
}

// TestSoftenedFaults pins that a fault which is taken out or made milder is reported, also where the runs were recorded again.
func TestSoftenedFaults(t *testing.T) {
	for _, test := range []struct {
		name, old, new string
		want           []string
	}{
		{"nothing", "", "", nil},
		{"more calls, and longer", "times: 2, delay: 10s", "times: 3, delay: 11s", nil},
		{"another fault", "    recovery", "      - {kind: slow}\n    recovery", nil},
		{"another fault before the others", "    faults:\n", "    faults:\n      - {kind: slow}\n", []string{`faults: changed`}},
		{"another order", "{tool: book, kind: hang, times: 2, delay: 10s}\n      - {tool: pay, kind: error}", "{tool: pay, kind: error}\n      - {tool: book, kind: hang, times: 2, delay: 10s}", []string{`faults: changed`}},
		{"one less", "      - {tool: pay, kind: error}\n    recovery", "    recovery", []string{`faults["error of pay"].times: fault removed`}},
		{"fewer calls", "times: 2", "times: 1", []string{`faults["hang of book"].times: fault made milder`}},
		{"shorter", "10s", "9s", []string{`faults["hang of book"].delay_ms: fault made milder`}},
		{"another kind", "kind: hang", "kind: slow", []string{`faults: changed`, `faults["hang of book"].times: fault removed`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			head := strings.Replace(faulty, test.old, test.new, 1)
			runs := `{` + faultyRuns
			got := toldOf(t, []string{"mcp-gates.yml", faulty, "one.json", runs}, []string{"mcp-gates.yml", head, "one.json", runs})
			if diff := cmp.Diff(got, append([]string{}, test.want...)); diff != "" {
				t.Errorf("%s\n(-got +want):\n%s", head, diff)
			}
		})
	}
}

// TestNoSignOfFaults pins that a recording in which nothing shows the faults of its test is refused, whichever gate judges it.
func TestNoSignOfFaults(t *testing.T) {
	text := strings.Replace(faulty, "recovery: {}", "limits: {max_calls: 9}", 1)
	for runs, isRefused := range map[string]bool{
		faultyRuns: false,
		`"runs": [{"tool_calls": [{"name": "book", "args": {"seat": 1}, "result": "booked"}]}]}`: true,
	} {
		r := run(t, workspace("mcp-gates.yml", text, "one.json", `{`+runs), Options{})
		const refusal = "the cassette was recorded under no faults, and the test has "
		if err := r.Cases[0].Err; (err != nil && strings.HasPrefix(err.Message, refusal)) != isRefused {
			t.Errorf("%s: got %+v, want a refusal: %v", runs, err, isRefused)
		}
	}
}
