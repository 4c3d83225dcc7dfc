package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/html"
	"github.com/org/mcp-gates/internal/report/reporttest"
	"github.com/org/mcp-gates/internal/report/trend"
	"github.com/org/mcp-gates/internal/thorough"
)

func renderTrend(t testing.TB, h *trend.History) string {
	t.Helper()
	var b bytes.Buffer
	if err := html.Trend(&b, h); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// manyCommits is a history in which the figures of each case move in every third commit, and a catalog's in each.
func manyCommits(commits, cases int, name string) *trend.History {
	h := &trend.History{Repository: name, Looked: commits}
	for i := range commits {
		p := &trend.Point{Commit: trend.Commit{SHA: fmt.Sprintf("%040x", i*7919), Author: name, Subject: name + " in the search of tickets, and mend its words", Date: fmt.Sprintf("20%02d-%02d-%02dT00:00:00Z", 20+i/336, 1+i/28%12, 1+i%28)}}
		for k := range cases {
			rate, verdict := 70+(i/3*(k+3))%31, judge.Pass
			if rate < 80 {
				verdict = judge.Fail
			}
			p.Cases = append(p.Cases, &trend.Case{Suite: "a.yml", ID: fmt.Sprintf("a.yml::%d%s", k, name), Name: fmt.Sprintf("%s case %d of some length", name, k), Verdict: verdict, Runs: 10,
				Figures: []trend.Figure{{Target: "tokens.max", Value: judge.Int(1000+i/3*(k+1)%977, judge.Tokens)}, {Gate: "tool_selection", Target: "tool_selection.rate", Value: judge.Int(rate, judge.Percent), Matcher: ">= 80", Verdict: verdict}}})
		}
		p.Catalogs = []*trend.Catalog{{Name: name, Path: name + ".json", Figures: []trend.Figure{{Target: "surface_tokens", Value: judge.Int(5000+13*i, judge.Tokens)}, {Target: "tools", Value: judge.Int(9, judge.Number)}}}}
		h.Points = append(h.Points, p)
	}
	return h
}

// withParents gives the commits with the biggest steps a comparison with their parents.
func withParents(h *trend.History, r func() *report.Report) *trend.History {
	h.Compared = map[string]trend.Comparison{}
	_, turns := h.Moved()
	for i, turn := range turns[:min(len(turns), trend.MostCompared)] {
		one := trend.Comparison{Report: r()}
		if i == 1 {
			one = trend.Comparison{Why: trend.NoParent}
		}
		h.Compared[h.Points[turn.Point].SHA] = one
	}
	return h
}

// toolSurface is a report in which tools and findings are new.
func toolSurface() *report.Report {
	for _, s := range situations {
		if s.name == "tool-surface" {
			return s.make()
		}
	}
	return nil
}

// TestTrendPage pins the page of a small history, and that it has the same bytes twice.
func TestTrendPage(t *testing.T) {
	make := func() *trend.History {
		return withParents(manyCommits(8, 2, "Ann"), toolSurface)
	}
	got := renderTrend(t, make())
	golden(t, "history.golden.html", pageOf(t, got))
	checkHTML(t, got, nil)
	if renderTrend(t, make()) != got {
		t.Error("the page is another one when it is written again")
	}
	empty := renderTrend(t, &trend.History{Repository: "desk", Looked: 3})
	if !strings.Contains(empty, "none of 3 commits changes a file that is read") || strings.Contains(empty, "var uPlot=function") {
		t.Errorf("got %s", pageOf(t, empty))
	}
}

// TestTrendPageIsSmall pins that a page of 1,000 commits with 100 cases stays below 2 MB, with whole comparisons in it.
func TestTrendPageIsSmall(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	h := withParents(manyCommits(1000, 100, "Ann"), func() *report.Report { return bigReport(100) })
	got := renderTrend(t, h)
	if len(got) > 2<<20 {
		t.Errorf("the page has %d bytes, want 2 MB at most", len(got))
	}
	t.Logf("%d bytes", len(got))
	checkHTML(t, renderTrend(t, manyCommits(300, 2, "Ann")), nil)
	for _, want := range []string{"295 figures moved, and 7 others did not, which the page leaves out", "commits with smaller steps are not compared here"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not say %q: %s", want, pageOf(t, got)[:400])
		}
	}
}

// TestTrendPageIsHarmless pins that names, subjects and authors of attackers are text of the page.
func TestTrendPageIsHarmless(t *testing.T) {
	for _, text := range append(hostileInHTML, "::error::x", "##[error]x", "a.yml,b 1:2") {
		h := manyCommits(3, 1, text)
		h.Points = append(h.Points, &trend.Point{Commit: h.Points[0].Commit, Gap: text})
		c := reporttest.Floored(text, 1, 9, 10)
		c.ID = text
		h = withParents(h, func() *report.Report {
			r := reporttest.Of(c)
			r.Baseline = &report.Comparison{New: []report.Finding{{Rule: text, Tool: text, Message: text, Severity: text}}, Tools: []report.ToolChange{{Name: text, Kind: text}}}
			return r
		})
		names := []string{text}
		if ownID.MatchString(text) {
			names = nil // an id of the page's own has it
		}
		checkHTML(t, renderTrend(t, h), names)
	}
}

// TestFleetPageIsHarmless pins that what anybody writes into lines is text of the page, and that a big fleet has its rows folded.
func TestFleetPageIsHarmless(t *testing.T) {
	for _, text := range hostileInHTML {
		value, runs := json.Number("12.5"), 3
		lines := []trend.Line{
			{Repository: text, Commit: text, Date: "2026-01-01T00:00:00Z", Case: report.Optional(text), Gate: report.Optional(text), Target: report.Optional(text), Value: &value, Runs: &runs, Verdict: report.Optional(text)},
			{Repository: text, Commit: text, Date: "2026-02-01T00:00:00Z", Reason: report.Optional(text)},
		}
		var b bytes.Buffer
		if err := html.Fleet(&b, trend.FleetOf(lines)); err != nil {
			t.Fatal(err)
		}
		names := []string{text}
		if ownID.MatchString(text) {
			names = nil // an id of the page's own has it
		}
		checkHTML(t, b.String(), names)
	}
}
