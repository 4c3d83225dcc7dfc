package judge

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// TestBrokenResults pins that a result which a report cannot hold is an error of reading it, and not one without what is broken.
func TestBrokenResults(t *testing.T) {
	for _, bad := range []string{"5", `{"gate": 5}`, `{"metrics": {"a": {}}}`, `{"line": "x"}`, `{"lines": 5}`, `{"curve": 5}`} {
		var r Result
		if err := json.Unmarshal([]byte(bad), &r); err == nil {
			t.Errorf("%s is read as %+v", bad, r)
		}
	}
}

// TestSingleEntries pins that lists and maps of one entry are in a report, and empty ones are not.
func TestSingleEntries(t *testing.T) {
	var r Result
	if text, err := json.Marshal(&r, json.Deterministic(true)); err != nil || strings.Contains(string(text), `"counts"`) || strings.Contains(string(text), `"notes_cut"`) {
		t.Errorf("a result of nothing is written as %s (%v)", text, err)
	}
	r.Counts, r.NotesCut, r.PassHat, r.Curve = map[string]int{"runs": 1}, map[string]int{Missed: 1}, make([]int8, 1), make([]CurvePoint, 1)
	text, err := json.Marshal(&r, json.Deterministic(true))
	var back Result
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || len(back.Counts) != 1 || len(back.NotesCut) != 1 || len(back.PassHat) != 1 || len(back.Curve) != 1 {
		t.Errorf("%s is read as %+v (%v)", text, back, err)
	}
}
