package suite_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

func TestSettingsOfCases(t *testing.T) {
	const text = `servers:
  web: {catalog: web.json}
  other: {}
pricing: {m: {input: 3, output: 1.5}}
defaults:
  runs: 5
  stale_catalog: warn
  orchestration: {}
agents:
  - name: one
    model: m
    servers: [web]
    prompt: Where is x?
    distractors: {count: 0, source: {from: catalog}, correct: [web.x, next.x, x], expect: [{distractors.accuracy: {">=": 2}}]}
    allow_run_errors: 2
    expect:
      - tool_names: {contains: x}
      - tool_names: {contains: y}
        when_absent: skip
`
	fsys := fstest.MapFS{"s.yml": {Data: []byte(text)}, "web.json": {Data: []byte(`{"tools": [{"name": "x"}]}`)}}
	loader := suite.NewLoader(fsys)
	loader.Settings = true
	s, errs := loader.Load("s.yml")
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	type row struct {
		key, value string
		line       int
	}
	var got []row
	for _, s := range s.Cases[0].Settings {
		got = append(got, row{s.Key, s.Value, s.Line})
	}
	want := []row{
		{"allow_run_errors", "2", 15},
		{"cassette", `["cassettes/s/one.json"]`, 10},
		{"distractors", "present", 14},
		{"distractors.correct", `["web.x","next.x","x"]`, 14},
		{"distractors.count", "0", 14},
		{"distractors.expect.distractors.accuracy", ">= 2", 14},
		{"distractors.source.from", "catalog", 14},
		{"expect.tool_names", `contains "x"`, 17},
		{"expect.tool_names", `contains "y"`, 18},
		{"expect.tool_names.when_absent", "skip", 18},
		{`members["next.x"]`, "a tool of any server", 14},
		{`members["web.x"]`, "the tool of a declared server", 14},
		{"model", "m", 11},
		{"orchestration", "present", 8},
		{"orchestration.expect.orchestration.error_recovery", ">= 50", 8},
		{"orchestration.expect.orchestration.syntax", ">= 100", 8},
		{"pricing.input", "3000000", 4},
		{"pricing.output", "1500000", 4},
		{"prompt", "SHA-256 " + trace.PromptSHA256("Where is x?"), 13},
		{"runs", "5", 6},
		{"servers", `["web"]`, 12},
		{"servers without catalog", `["other"]`, 3},
		{`servers["web"].catalog`, "web.json", 2},
		{"stale_catalog", "warn", 7},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
