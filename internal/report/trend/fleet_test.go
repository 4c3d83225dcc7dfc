package trend

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
)

// TestLinesAreReadAgain pins that what a history writes is read as it was, whoever named its cases.
func TestLinesAreReadAgain(t *testing.T) {
	var first, second bytes.Buffer
	h := hostile()
	h.Points[1].Cases[0].Recordings = "newer"
	if err := h.JSONLines(&first); err != nil {
		t.Fatal(err)
	}
	var r Reader
	r.Read("a.jsonl", bytes.NewReader(first.Bytes()))
	if err := r.Errs.Err(); err != nil {
		t.Fatal(err)
	}
	if err := FleetOf(r.Lines).JSONLines(&second); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first.String(), second.String()); diff != "" {
		t.Errorf("-written +read and written\n%s", diff)
	}
}

// TestWrongLines pins that each mistake has its place.
func TestWrongLines(t *testing.T) {
	hash := strings.Repeat("a", 40)
	var r Reader
	r.Read("a.jsonl", strings.NewReader(strings.Join([]string{
		`{"repository":1}`,
		``,
		`{"repository":"a","commit":"x","date":"2026"}`,
		`{"repository":"a","commit":"` + hash + `","date":"2026-01-01T00:00:00Z","value":1e99999999,"verdict":"good","recorded":"now"}`,
		`[]`,
		`{"repository":"a","commit":"` + hash + `","date":"2026-02-30T00:00:00Z"}`,
		`{"repository":"a","commit":"` + hash + `","date":"2026-01-01T00:00:00Z","later":{"a":[1]},"value":null}`,
		`{"repository":"` + strings.Repeat("x", maxLine) + `"}`,
	}, "\n")))
	want := `a.jsonl:1:15: repository must be text, found 1
a.jsonl:3:1: commit must be the hash of a commit, found "x"
a.jsonl:3:1: date must be a date such as 2026-01-31T10:00:00Z, found "2026"
a.jsonl:4:109: value must be a number of at most 18 digits on each side of the point, found 1e99999999
a.jsonl:4:130: verdict must be one of pass, fail, error, skipped, found "good"
a.jsonl:4:148: recorded must be a date such as 2026-01-31T10:00:00Z, found "now"
a.jsonl:5:1: the line must be an object, found a list
a.jsonl:6:1: date must be a date such as 2026-01-31T10:00:00Z, found "2026-02-30T00:00:00Z"
a.jsonl:8:1: the line has more than 65536 bytes, expected a line of a history`
	if diff := cmp.Diff(want, strings.TrimSpace(r.Errs.Error())); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if len(r.Lines) != 1 {
		t.Errorf("%d lines were read, want 1", len(r.Lines))
	}
}

// TestFleet pins how figures changed by the days of the lines, and that a repository whose newest commit is a gap keeps the figures
// before it.
func TestFleet(t *testing.T) {
	point := func(sha, date string, rate int, verdict judge.Verdict, recordings string) *Point {
		return &Point{Commit: Commit{SHA: strings.Repeat(sha, 40), Date: date + "T10:00:00Z"}, Cases: []*Case{{ID: "a.yml::find", Suite: "a.yml", Verdict: verdict, Recordings: recordings,
			Figures: []Figure{{Gate: "tool_selection", Target: "tool_selection.rate", Value: judge.Int(rate, judge.Percent)}}}}}
	}
	h := &History{Repository: "desk", Points: []*Point{
		point("a", "2026-01-01", 90, judge.Pass, "one"), point("b", "2026-03-02", 80, judge.Pass, "two"), point("c", "2026-03-30", 40, judge.Fail, "two"),
		{Commit: Commit{SHA: strings.Repeat("d", 40), Date: "2026-04-01T10:00:00Z"}, Gap: "broken"},
	}}
	var lines []Line
	for _, one := range []*History{h, {Repository: "aside", Points: h.Points[3:]}} {
		lines = slices.AppendSeq(lines, one.Lines)
	}
	f := FleetOf(lines)
	got := append(append(f.Rows(true), f.FailingRows()...), f.GapRows()...)
	for i := range f.Members {
		got = append(got, f.Members[i].Row())
	}
	want := [][]string{
		{"desk", "a.yml::find", "tool_selection.rate", "40%", "−40%", "−50%"},
		{"desk", "a.yml::find", "fail"},
		{"aside", "broken"}, {"desk", "broken"},
		{"aside", "", "", "1", "0", "0", "–"},
		{"desk", "cccccccccc", "2026-03-30", "4", "1", "1", "2026-03-02"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got := f.Headline(); got != "2 repositories up to 2026-04-01: 1 case, 1 not passing" {
		t.Errorf("got %q", got)
	}
}

// TestDays pins the calendar.
func TestDays(t *testing.T) {
	for day := time.Date(1999, 12, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2030; day = day.AddDate(0, 0, 1) {
		next := day.AddDate(0, 0, 1)
		if got := dayOf(next.Format(time.RFC3339)) - dayOf(day.Format(time.RFC3339)); got != 1 {
			t.Fatalf("from %s to the day after it are %d days", day, got)
		}
	}
}

// FuzzReader holds that no line stops the program, and that each mistake has a place in the file.
func FuzzReader(f *testing.F) {
	f.Add([]byte(`{"repository":"a","commit":"` + strings.Repeat("a", 40) + `","date":"2026-02-30T00:00:00Z","catalog":"c","target":"tools","value":1}`))
	f.Add([]byte("{\"runs\":-1}\n\xff\n{\"holds\":0,\"holds\":1}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var r Reader
		r.Read("a.jsonl", bytes.NewReader(text))
		for _, err := range r.Errs {
			if err.Pos.File != "a.jsonl" || err.Pos.Line < 1 || err.Pos.Line > bytes.Count(text, []byte("\n"))+1 {
				t.Errorf("%v is not in the file", err)
			}
		}
		fleet := FleetOf(r.Lines)
		fleet.Rows(true)
	})
}
