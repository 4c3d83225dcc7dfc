package suite_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/suite"
)

func TestSettingsOfCases(t *testing.T) {
	const text = `servers:
  web: {catalog: web.json}
pricing: {m: {input: 3, output: 1.5}}
defaults:
  runs: 5
  stale_catalog: warn
  orchestration: {}
agents:
  - name: one
    model: m
    servers: [web]
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
		{"allow_run_errors", "2", 12},
		{"cassette", `["cassettes/s/one.json"]`, 9},
		{"expect.tool_names", `contains "x"`, 14},
		{"expect.tool_names", `contains "y"`, 15},
		{"expect.tool_names.when_absent", "skip", 15},
		{"orchestration", "present", 7},
		{"orchestration.expect.orchestration.error_recovery", ">= 50", 7},
		{"orchestration.expect.orchestration.syntax", ">= 100", 7},
		{"pricing.input", "3000000", 3},
		{"pricing.output", "1500000", 3},
		{"runs", "5", 5},
		{`servers["web"].catalog`, "web.json", 2},
		{"stale_catalog", "warn", 6},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
