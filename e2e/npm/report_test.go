package npm

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// report runs the suites of the workspace and returns the JSON report as values.
func (w *world) report(args ...string) map[string]any {
	w.Helper()
	text, _ := w.run(0, append([]string{"run", "--format", "json"}, args...)...)
	for _, path := range []string{w.dir, w.home, filepath.Dir(program), w.installed} {
		if strings.Contains(text, path) {
			w.Errorf("the report of mcp-gates run %s holds the path %s:\n%s", strings.Join(args, " "), path, text)
		}
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var report map[string]any
	if err := decoder.Decode(&report); err != nil {
		w.Fatal(err)
	}
	return report
}

// sameEvidence fails the test if two reports differ in anything but how they came about: whether cases were run or
// replayed, and from which files.
func (w *world) sameEvidence(what string, got, want map[string]any) {
	w.Helper()
	if diff := cmp.Diff(evidence(want), evidence(got)); diff != "" {
		w.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// evidence returns a report without the keys that tell how it came about.
func evidence(report map[string]any) map[string]any {
	bare := unreplayed(report)
	for i, c := range bare["cases"].([]any) {
		bare["cases"].([]any)[i] = without(c.(map[string]any), "cassettes", "recordings")
	}
	return bare
}

// unreplayed returns a report without the keys that only a replay has, or has otherwise.
func unreplayed(report map[string]any) map[string]any {
	bare := without(report, "mode")
	var cases []any
	for _, c := range report["cases"].([]any) {
		cases = append(cases, without(c.(map[string]any), "freshness"))
	}
	bare["cases"] = cases
	return bare
}

func without(m map[string]any, keys ...string) map[string]any {
	bare := map[string]any{}
	for key, value := range m {
		bare[key] = value
	}
	for _, key := range keys {
		delete(bare, key)
	}
	return bare
}

// liveRecordReplay runs the workspace's suites live, records them twice and replays them, and returns the replay's
// report. All of them must come to the same, and the second recording must leave the files of the first alone.
func (w *world) liveRecordReplay() map[string]any {
	w.Helper()
	live := w.report("--live")
	recorded := w.report("--record")
	first := w.cassettes()
	w.sameEvidence("a recording differs from a live run", recorded, live)
	w.sameEvidence("a second recording differs from the first", w.report("--record"), recorded)
	if diff := cmp.Diff(first, w.cassettes()); diff != "" || len(first) == 0 {
		w.Errorf("recording again changed cassettes, of which there are %d (-first +second):\n%s", len(first), diff)
	}
	replayed := w.report()
	w.sameEvidence("the replay differs from the live run", replayed, live)
	if diff := cmp.Diff(unreplayed(recorded), unreplayed(replayed)); diff != "" {
		w.Errorf("the replay differs from the recording in more than \"mode\" and \"freshness\" (-recorded +replayed):\n%s", diff)
	}
	return replayed
}

// cassettes returns the texts of the workspace's cassettes by path.
func (w *world) cassettes() map[string]string {
	w.Helper()
	names, err := filepath.Glob(filepath.Join(w.dir, "cassettes", "*", "*.json"))
	if err != nil {
		w.Fatal(err)
	}
	texts := map[string]string{}
	for _, name := range names {
		texts[name] = read(w.T, name)
	}
	return texts
}
