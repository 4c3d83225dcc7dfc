package trace_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/trace"
)

// TestKeeps pins what a recording is known to say of the agent that it was made with, file by file.
func TestKeeps(t *testing.T) {
	const hash = `"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"`
	for header, want := range map[string][]string{
		``:                               nil,
		`"model": "m",`:                  {"model"},
		`"prompt_sha256": ` + hash + `,`: {"prompt"},
		`"agent": "codex", "agent_sha256": ` + hash + `, "agent_version": "1",`: {"agent"},
		`"system_prompt_sha256": ` + hash + `, "model": "m",`:                   {"model", "system_prompt"},
		`"catalog": {"web": {"tools": [{"name": "search"}]}},`:                  {"catalog", "servers"},
		`"catalog": {"web": {"tools": []}},`:                                    {"catalog"},
		`"catalog": {"": {"tools": [{"name": "search"}]}},`:                     {"catalog"},
	} {
		fsys := fstest.MapFS{"c.json": {Data: []byte(`{` + header + `"runs": [{"tool_calls": []}]}`)}}
		tr, errs := new(trace.Reader).Read(fsys, []string{"c.json"}, 0)
		if len(errs) > 0 {
			t.Fatal(errs.Err())
		}
		if diff := cmp.Diff(want, tr.Sources[0].Keeps); diff != "" {
			t.Errorf("%s: -want +got\n%s", header, diff)
		}
	}
}
