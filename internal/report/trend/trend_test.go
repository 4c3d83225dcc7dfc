package trend

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// hostile is a history whose texts are an attacker's.
func hostile() *History {
	const name = "=HYPERLINK(\"x\") ::error::x ##[error]y \x1b[31m\u202e <img src=x onerror=alert(1)> `|`"
	point := func(i int, rate int, verdict judge.Verdict) *Point {
		return &Point{
			Commit: Commit{SHA: strings.Repeat(string(rune('a'+i)), 40), Author: name, Subject: name, Date: "2026-01-0" + string(rune('1'+i)) + "T00:00:00Z"},
			Cases: []*Case{{Suite: "a.yml", ID: "a.yml::" + name, Name: name, Model: name, Verdict: verdict, Runs: 10,
				Figures: []Figure{{Gate: "tool_selection", Target: "tool_selection.rate", Value: judge.Int(rate, judge.Percent), Matcher: ">= 80", Verdict: verdict}}}},
			Catalogs: []*Catalog{{Name: name, Path: name, Figures: []Figure{{Target: "surface_tokens", Value: judge.Int(1000*(i+1), judge.Tokens)}, {Target: "critical", Value: judge.Int(i, judge.Number)}}}},
		}
	}
	gap := &Point{Commit: Commit{SHA: strings.Repeat("f", 40), Subject: name, Date: "2026-01-09T00:00:00Z"}, Gap: name}
	broken := &Point{Commit: gap.Commit, Problems: []report.Problem{{Path: name, Line: 1, Col: 2, Message: name}}}
	return &History{Repository: name, Points: []*Point{point(0, 100, judge.Pass), point(1, 90, judge.Pass), point(2, 40, judge.Fail), gap, broken}, Looked: 9}
}

// TestLinesAreHarmless pins that nobody who writes a name or a subject has a terminal, a runner or a spreadsheet act on it.
func TestLinesAreHarmless(t *testing.T) {
	var lines, table bytes.Buffer
	h := hostile()
	if err := h.JSONLines(&lines); err != nil {
		t.Fatal(err)
	}
	if err := h.CSV(&table); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{lines.String(), table.String()} {
		if strings.ContainsAny(text, "\x1b\u202e") || strings.Contains(text, "##[") || strings.Contains(text, "\n::") {
			t.Errorf("a terminal or a runner would act on %q", text)
		}
	}
	rows, err := csv.NewReader(&table).ReadAll()
	if err != nil || len(rows) != 1+3*3+2 {
		t.Fatalf("%d rows, %v, want a header and 11", len(rows), err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if strings.HasPrefix(cell, "=") {
				t.Errorf("a spreadsheet would compute %q", cell)
			}
		}
	}
}

// TestMoved pins the order of steps, and what counts as one.
func TestMoved(t *testing.T) {
	moves, turns := hostile().Moved()
	var got []string
	for _, m := range moves {
		got = append(got, m.Label()+" "+Change(m.First, m.Last)+" "+m.Sparkline(10))
	}
	want := []string{
		"verdict pass → fail (10 runs) ██▁  ",
		"tool_selection.rate 100% → 40% (10 runs) █▇▁  ",
		"critical 0 → 2 ▁▅█  ",
		"surface_tokens 1,000 → 3,000 ▁▅█  ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	got = nil
	for _, turn := range turns {
		for _, s := range turn.Steps {
			got = append(got, s.Label()+" "+Change(s.From, s.To))
		}
	}
	want = []string{
		"verdict pass → fail (10 runs)", "tool_selection.rate 90% → 40% (10 runs)", "surface_tokens 2,000 → 3,000", "critical 1 → 2",
		"surface_tokens 1,000 → 2,000", "tool_selection.rate 100% → 90% (10 runs)", "critical 0 → 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestSparkline pins that a curve of many commits ends with the last one, and that a flat one is in the middle.
func TestSparkline(t *testing.T) {
	s := &Series{}
	for i := range 100 {
		s.Values = append(s.Values, &Value{Figure: judge.Int(i, judge.Number)})
	}
	if got := s.Sparkline(8); got != "▁▂▃▄▅▆▇█" {
		t.Errorf("got %q", got)
	}
	flat := &Series{Values: []*Value{{Figure: judge.Int(7, judge.Number)}, nil, {Figure: judge.Int(7, judge.Number)}}}
	if got := flat.Sparkline(8); got != "▅ ▅" {
		t.Errorf("got %q", got)
	}
}
