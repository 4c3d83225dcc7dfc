package check_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/report"
)

func TestWhatReportsAreComparedBy(t *testing.T) {
	fsys := fstest.MapFS{
		"mcp-gates.yml": {Data: []byte("servers: {w: {catalog: w.json}}\nagents:\n  - {name: a, cassette: c/*.json, orchestration: {}}\n")},
		"w.json":        {Data: []byte(`{"tools": [{"name": "x"}]}`)},
		"c/1.json":      {Data: []byte(`[{"tool_calls": []}, {"tool_calls": []}]`)},
		"c/2.json":      {Data: []byte(`{"recorder": "mcp-gates 0.1.0", "runs": [{"tool_calls": []}]}`)},
	}
	r := check.Run(t.Context(), fsys, check.Options{Digests: true})
	want := []report.Recording{
		{Path: "c/1.json", Runs: 2},
		{Path: "c/2.json", Runs: 1, Recorder: "mcp-gates 0.1.0"},
	}
	want[0].SHA256, want[1].SHA256 = r.Cases[0].Recordings[0].SHA256, r.Cases[0].Recordings[1].SHA256
	if diff := cmp.Diff(want, r.Cases[0].Recordings); diff != "" {
		t.Errorf("recordings: -want +got\n%s", diff)
	}
	if len(want[0].SHA256) != 64 || want[0].SHA256 == want[1].SHA256 {
		t.Errorf("got hashes %q and %q, want two of 64 digits", want[0].SHA256, want[1].SHA256)
	}
	if len(r.Cases[0].Settings) == 0 || len(r.Catalogs[0].Tools[0].SHA256) != 64 {
		t.Errorf("got settings %v and tools %v, want some, with hashes", r.Cases[0].Settings, r.Catalogs[0].Tools)
	}
	if cheap := check.Run(t.Context(), fsys, check.Options{}); cheap.Cases[0].Recordings[0].SHA256 != "" {
		t.Error("cassettes are hashed though nobody asked")
	}
}
