package check

import (
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
)

// published is a suite on published runs: what the documentation of each gate says that it finds there.
const published = `defaults: {servers: [tau-airline], runs: 4}
agents:
  - name: tool_edges
    cassette: cassettes/tau-airline/airline-47.json
    tool_edges: {restricted: [cancel_reservation]}
  - name: trajectory
    cassette: cassettes/tau-airline/airline-34.json
    trajectory:
      mode: in_order
      steps: [update_reservation_flights, {tool: cancel_reservation, count: 2}]
  - name: golden_path
    cassette: cassettes/tau-airline/airline-20.json
    golden_path:
      steps: [get_reservation_details, search_direct_flight, update_reservation_flights]
      expect: [{golden_path.efficiency: {">=": 70}}]
  - name: limits
    cassette: cassettes/tau-airline/airline-13.json
    limits: {max_errors: 2, max_calls_by_tool: {update_reservation_flights: 2}}
`

// overlay is a file system with one file more.
type overlay struct {
	fs.FS
	more fstest.MapFS
}

func (o overlay) Open(name string) (fs.File, error) {
	if _, has := o.more[name]; has {
		return o.more.Open(name)
	}
	return o.FS.Open(name)
}

// TestGatesFind holds the documentation to what the gates find in published runs.
func TestGatesFind(t *testing.T) {
	const file = "suites/findings.yml"
	r := run(t, overlay{os.DirFS(dataFolder(t)), fstest.MapFS{file: {Data: []byte(published)}}}, Options{Suites: []string{file}})
	want := map[string][]string{ // figures, and runs that the evidence names
		"tool_edges":  {"edges.restricted_attempts 3", "tau-airline.cancel_reservation in [1,3,4]"},
		"trajectory":  {"trajectory.matched 75", "cancel_reservation in [3]"},
		"golden_path": {"golden_path.efficiency 60", "tau-airline.get_user_details in [2,4]", "tau-airline.transfer_to_human_agents in [2,3,4]", "tau-airline.update_reservation_flights in [2,4]"},
		"limits":      {"limits.errors 6"},
	}
	for _, c := range r.Cases {
		if c.Verdict != judge.Fail {
			t.Errorf("%s: %s (%+v), want fail", c.Name, c.Verdict, c.Err)
			continue
		}
		g := gateOf(t, c, c.Name)
		got := []string{g.Assertions[0].Target + " " + g.Metrics[g.Assertions[0].Target].Digits()}
		for _, n := range g.Notes {
			got = append(got, n.Subject+" in "+judge.CompactJSON(n.Runs))
		}
		if diff := cmp.Diff(want[c.Name], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
	}
	if len(r.Cases) != len(want) {
		t.Errorf("%d cases, want %d: %v", len(r.Cases), len(want), r.Problems)
	}
}
