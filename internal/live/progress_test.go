package live

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/suite"
)

// TestProgress pins that a run is heard of when it begins, after each reply and when it has ended.
func TestProgress(t *testing.T) {
	type step struct {
		Done, Planned int
		Counted       bool // some tokens
	}
	var got []step
	files := fstest.MapFS{"mcp-gates.yml": {Data: []byte(
		"agents: [{ name: hello, model: 'builtin:lexical', prompt: Say hello., runs: 2, distractors: { count: 1, source: { from: catalog } } }]\n")}}
	s, errs := suite.NewLoader(files).Load("mcp-gates.yml")
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	r := NewRunner(context.Background(), Options{
		Getenv: func(string) string { return "" }, FS: files, Jobs: 1,
		Progress: func(s Status) { got = append(got, step{s.Done, s.Planned, s.Tokens > 0}) },
	})
	ready, errs := r.Prepare(s, s.Cases)
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	if _, err := ready.Run(context.Background(), s.Cases[0]); err != nil {
		t.Fatal(err)
	}
	want := []step{{0, 2, false}, {0, 2, true}, {1, 2, true}, {1, 2, true}, {1, 2, true}, {2, 2, true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
}
