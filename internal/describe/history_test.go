package describe_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/trend"
	"github.com/org/mcp-gates/internal/schema"
)

// TestHistoryLines holds the lines of a history to their schema, with and without each of their values.
func TestHistoryLines(t *testing.T) {
	text, err := parsed(t, "history").MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	doc, _ := judge.DecodeJSON(text)
	s, err := judge.NewMeter(0).Compile(doc)
	if err != nil {
		t.Fatal(err)
	}
	figures := []trend.Figure{{Target: "tools", Value: judge.Int(3, judge.Number)}, {Gate: "g", Target: "t", Value: judge.Ratio(1, 2, judge.Score), Matcher: ">= 0.5", Verdict: judge.Pass}}
	commit := trend.Commit{SHA: strings.Repeat("a", 40), Date: "2026-01-01T00:00:00Z"}
	h := &trend.History{Repository: "r", Points: []*trend.Point{
		{Commit: commit, Gap: "not in the clone"},
		{Commit: commit, Problems: []report.Problem{{Path: "a.yml", Line: 1, Col: 1, Message: "a mistake"}},
			Cases:    []*trend.Case{{Suite: "a.yml", ID: "a.yml::a", Verdict: judge.Error, Reason: "no cassette"}, {Suite: "a.yml", ID: "a.yml::b", Model: "m", Verdict: judge.Pass, Runs: 1, Figures: figures}},
			Catalogs: []*trend.Catalog{{Name: "c", Path: "c.json", Figures: figures}}},
	}}
	var lines bytes.Buffer
	if err := h.JSONLines(&lines); err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range bytes.Lines(lines.Bytes()) {
		value, ok := judge.DecodeJSON(line)
		for _, flaw := range schema.Flaws(s.Validate(value)) {
			t.Errorf("%s: %v: %s", line, flaw.Path, flaw.Problem)
		}
		if n++; !ok {
			t.Errorf("%s is not JSON", line)
		}
	}
	if n != 7 {
		t.Errorf("%d lines, want 7", n)
	}
}
