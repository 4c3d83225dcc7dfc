package report_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/reporttest"
	"github.com/org/mcp-gates/internal/report/text"
)

// saved returns the report as it comes back from a file.
func saved(t *testing.T, r *report.Report) *report.Report {
	t.Helper()
	back, err := report.Read(strings.NewReader(renderJSON(t, r)))
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return back
}

// A comparison that was saved before there was a maximum has the median alone.
func TestMedianOfAnOlderComparison(t *testing.T) {
	using := func(median int64) *report.Report {
		return reporttest.Of(reporttest.With(reporttest.Floored("a", 1, 9, 10), func(c *report.Case) { c.Tokens = &report.Tokens{Total: 15_000, Median: median, Max: 1520} }))
	}
	r := compared(using(1500), using(1400))
	p := &r.Baseline.Cases[0]
	p.Figures = slices.DeleteFunc(p.Figures, func(d report.Delta) bool { return d.Name == report.FigureRunTokensMax })
	back := saved(t, r)
	if got, want := renderMarkdown(t, back, markdown.Options{}), "| **1,500 → 1,400** (−100) /<br>– |"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant %q in it", got, want)
	}
	if got, want := renderText(t, back, text.Options{}), ": run tokens (median) 1,500 → 1,400 (−100)\n"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant %q in it", got, want)
	}
}

// A report with its comparison is read back as it was, and everything is told alike however often it is told.
func TestComparisonIsSaved(t *testing.T) {
	for _, s := range situations {
		r := s.make()
		back := saved(t, r)
		if diff := cmp.Diff(renderJSON(t, r), renderJSON(t, back)); diff != "" {
			t.Errorf("%s: -want +got\n%s", s.name, diff)
		}
		if diff := cmp.Diff(renderMarkdown(t, r, s.opts), renderMarkdown(t, back, s.opts)); diff != "" {
			t.Errorf("%s: Markdown of the saved report: -want +got\n%s", s.name, diff)
		}
		if diff := cmp.Diff(renderJSON(t, r), renderJSON(t, s.make())); diff != "" {
			t.Errorf("%s: compared twice: %s", s.name, diff)
		}
	}
}

func TestComparisonText(t *testing.T) {
	var b bytes.Buffer
	for _, s := range situations {
		if r := s.make(); r.Baseline != nil {
			fmt.Fprintf(&b, "== %s\n", s.name)
			if err := text.Comparison(&b, r, text.Options{Values: true}); err != nil {
				t.Fatal(err)
			}
		}
	}
	golden(t, "comparisons.txt", b.String())
	if strings.ContainsFunc(b.String(), func(r rune) bool { return r < ' ' && r != '\n' }) {
		t.Error("a control character is printed")
	}
}

func TestChanged(t *testing.T) {
	one := func() *report.Report {
		return reporttest.Of(reporttest.Research("a", 1, 80, reporttest.Good), reporttest.CatalogOf("search=96"))
	}
	if compare.Reports(one(), one(), compare.Options{}).IsChanged() {
		t.Error("equal reports are said to differ")
	}
	names := []string{}
	for _, s := range situations {
		if r := s.make(); r.Baseline != nil && !r.Baseline.IsChanged() {
			names = append(names, s.name)
		}
	}
	if !slices.Equal(names, []string{"nothing-changed", "one-run"}) {
		t.Errorf("without a change: %v", names)
	}
}

// What is new about a case that failed before is said at the case.
func TestNewFaultsAreMarked(t *testing.T) {
	for _, test := range []struct {
		base, head report.Case
		want       string
	}{
		{reporttest.Expecting("exact []", judge.Fail, judge.Pass), reporttest.Expecting("exact []", judge.Fail, judge.Fail), "tool_names does not hold in runs 1, 2, before in 1 of 2 runs: expected exact []"},
		{reporttest.Asserting("g", judge.Fail, "x fail >= 5", "y pass >= 5"), reporttest.Asserting("g", judge.Fail, "x fail >= 5", "y fail >= 5"), "y is absent, expected >= 5 (new)"},
	} {
		r := compared(reporttest.Of(test.base), reporttest.Of(test.head))
		var b strings.Builder
		if err := text.Comparison(&b, r, text.Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), ": "+test.want+"\n") {
			t.Errorf("got\n%s\nwant a line %q", b.String(), test.want)
		}
	}
}
