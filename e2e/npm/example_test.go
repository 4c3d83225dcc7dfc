package npm

import (
	"maps"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var times = regexp.MustCompile(`"(?:duration_ms|recorded_at|recorder)": [^\n]+`)

// TestExample runs the example with a server from npm live. Its catalog and its recordings are to be what they would be
// if they were made today, but for times and the version of the recorder, which a release raises.
func TestExample(t *testing.T) {
	t.Parallel()
	const example = "../../examples/live-npm"
	w := newWorld(t, example)
	w.asNpmProject()
	catalog, cassettes := w.read("catalogs/files.json"), w.cassettes()
	replayed := w.report()
	w.run(0, "snapshot", "--server", "files", "--update", "mcp-gates.yml")
	w.sameEvidence("a live run differs from the recordings", w.report("--record"), replayed)
	w.run(1, "run", "--record", "failing.yml")
	if diff := cmp.Diff(catalog, w.read("catalogs/files.json")); diff != "" {
		t.Errorf("the catalog is not what the server advertises (-committed +today):\n%s", diff)
	}
	recorded := w.cassettes()
	for _, texts := range []map[string]string{cassettes, recorded} {
		for name, text := range maps.Clone(texts) {
			texts[name] = times.ReplaceAllString(text, "")
		}
	}
	if diff := cmp.Diff(cassettes, recorded); diff != "" || len(cassettes) == 0 {
		t.Errorf("%d recordings are not what would be recorded (-committed +today):\n%s", len(cassettes), diff)
	}
}
