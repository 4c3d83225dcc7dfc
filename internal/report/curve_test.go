package report_test

import (
	"fmt"
	"github.com/org/mcp-gates/internal/report/reporttest"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/org/mcp-gates/internal/thorough"
)

// curved returns a case that passes with a distractor curve of points {count, runs, accuracy, certified}; one of the
// count alone is a point at which no run finished.
func curved(name string, line int, points ...[]int) report.Case {
	c := reporttest.Named(name, line)
	g := judge.Result{Gate: "distractors", Line: line + 4, Verdict: judge.Pass}
	for _, p := range points {
		if len(p) == 1 {
			g.CurveAbsent = append(g.CurveAbsent, p[0])
			continue
		}
		g.Curve = append(g.Curve, judge.CurvePoint{Count: p[0], Runs: p[1], Accuracy: p[2], CertifiedLower: p[3]})
	}
	if n := len(g.Curve); n > 0 {
		g.Metrics = map[string]judge.Value{"distractors.accuracy": judge.Int(g.Curve[n-1].Accuracy, judge.Percent)}
	}
	c.Gates = []judge.Result{g}
	return c
}

func points(list ...[]int) [][]int { return list }

// fourPoints are those of a curve that falls, without a run at 16.
func fourPoints() [][]int {
	return points([]int{0, 10, 100, 74}, []int{4, 10, 97, 60}, []int{8, 10, 66, 22}, []int{32, 9, 0, 0}, []int{16})
}

func TestTextOfACurve(t *testing.T) {
	want := []string{
		"PASS suites/tools.yml:1: picks (accuracy 0%)",
		"  distractors  = accuracy, | certified      accuracy  certified  runs",
		"            0  [==================|======]      100%        74%    10",
		"            4  [===============|======== ]       97%        60%    10",
		"            8  [=====|==========         ]       66%        22%    10",
		"           16  no run finished",
		"           32  [|                        ]        0%         0%     9",
		"",
	}
	picks := curved("picks", 1, fourPoints()...)
	if got := renderText(t, reporttest.Of(picks), text.Options{}); !strings.Contains(got, strings.Join(want, "\n")) {
		t.Errorf("got\n%swant in it\n%s", got, strings.Join(want, "\n"))
	}
	picks.Verdict = judge.Fail
	want[0] = "suites/tools.yml:5: distractors PASS: accuracy 0%"
	if got := renderText(t, reporttest.Of(picks), text.Options{}); !strings.Contains(got, strings.Join(want, "\n")) {
		t.Errorf("of a case that another gate breaks, got\n%swant in it\n%s", got, strings.Join(want, "\n"))
	}
}

func TestTextOfManyCurves(t *testing.T) {
	var cases []any
	for i := range 15 {
		cases = append(cases, curved(fmt.Sprintf("case %d", i), i+1, fourPoints()...))
	}
	long := curved("long", 20)
	for i := range 30 {
		long.Gates[0].Curve = append(long.Gates[0].Curve, judge.CurvePoint{Count: i, Runs: 1, Accuracy: 100, CertifiedLower: 5})
	}
	for _, test := range []struct {
		name           string
		r              *report.Report
		all            bool
		curves, points int
		rest           string
	}{
		{"many", reporttest.Of(cases...), false, 10, 50, "and 5 more distractor curves (--verbose lists all)\n"},
		{"all of many", reporttest.Of(cases...), true, 15, 75, ""},
		{"long", reporttest.Of(long), false, 1, 20, "  and 10 more points (--verbose lists all)\n"},
		{"all of a long one", reporttest.Of(long), true, 1, 30, ""},
	} {
		got := renderText(t, test.r, text.Options{All: test.all})
		curves := strings.Count(got, "  distractors  = accuracy")
		drawn := strings.Count(got, "  [") + strings.Count(got, "no run finished")
		if curves != test.curves || drawn != test.points || !strings.Contains(got, test.rest) || test.rest == "" && strings.Contains(got, "and ") {
			t.Errorf("%s: got %d curves with %d points, want %d with %d and %q, in\n%s", test.name, curves, drawn, test.curves, test.points,
				test.rest, got)
		}
	}
}

// mermaidChart is the whole grammar of the charts that the program writes: what is not in it could be what Mermaid does
// not draw, or somebody else's text.
var mermaidChart = regexp.MustCompile("(?m)^```mermaid\n" + `%%\{init: [^\n]*\nxychart-beta\n` +
	`    x-axis "distractors" \[("-?\d+"(?:, "-?\d+")*)\]` + "\n" + `    y-axis "percent" 0 --> 100` + "\n" +
	`    bar \[([\d, ]+)\]` + "\n" + `    line \[([\d, ]+)\]` + "\n" + `(?:    line \[([\d, ]+)\]` + "\n)?```\n")

// checkCharts requires that all of a document's Mermaid is whole charts, and returns how many there are.
func checkCharts(t *testing.T, doc string) int {
	t.Helper()
	found := mermaidChart.FindAllStringSubmatch(doc, -1)
	if n := strings.Count(doc, "mermaid\n"); n != len(found) {
		t.Errorf("%d of %d charts are well formed in\n%s", len(found), n, doc)
	}
	for _, chart := range found {
		n := len(strings.Split(chart[1], ", "))
		for _, series := range chart[2:] {
			values := strings.Split(series, ", ")
			if series != "" && len(values) != n || n < 2 || n > 40 {
				t.Errorf("%d values for %d points in\n%s", len(values), n, chart[0])
			}
			for _, value := range values {
				if v, err := strconv.Atoi(value); series != "" && (err != nil || v < 0 || v > 100) {
					t.Errorf("the value %q is no percentage in\n%s", value, chart[0])
				}
			}
		}
	}
	return len(found)
}

func TestChartsInTheSummary(t *testing.T) {
	base := reporttest.Of(curved("same", 1, fourPoints()...), curved("falls", 20, []int{0, 10, 100, 74}, []int{8, 10, 96, 60}),
		curved("other points", 40, []int{0, 10, 100, 74}, []int{4, 10, 90, 60}))
	head := reporttest.Of(curved("same", 1, fourPoints()...), curved("falls", 20, []int{0, 10, 100, 74}, []int{8, 10, 50, 22}),
		curved("other points", 40, []int{0, 10, 100, 74}, []int{16, 10, 90, 60}, []int{4}), curved("one point", 60, []int{4, 10, 70, 39}),
		curved("no point", 80, []int{4}))
	got := renderMarkdown(t, compared(base, head), markdown.Options{})
	golden(t, "curves-in-the-summary.golden.md", got)
	checkMarkdown(t, got)
	if n := checkCharts(t, got); n != 3 {
		t.Errorf("got %d charts, want 3", n)
	}
}

// TestChartsAreOfTheWorst pins which of many curves are drawn, that the rest is counted, and that all are in the table.
func TestChartsAreOfTheWorst(t *testing.T) {
	var before, after []any
	for i := range 20 {
		before = append(before, curved(fmt.Sprintf("case %d", i), i+1, []int{0, 10, 100, 74}, []int{4, 10, 90, 60}))
		accuracy := []int{90, 85, 20, 70}[i%4] - i/4
		if i%4 == 2 { // low before, so that nothing fell
			before[i] = curved(fmt.Sprintf("case %d", i), i+1, []int{0, 10, 100, 74}, []int{4, 10, accuracy, 60})
		}
		after = append(after, curved(fmt.Sprintf("case %d", i), i+1, []int{0, 10, 100, 74}, []int{4, 10, accuracy, 60}))
	}
	got := renderMarkdown(t, compared(reporttest.Of(before...), reporttest.Of(after...)), markdown.Options{})
	var drawn []string
	for _, m := range regexp.MustCompile("(?m)^`(case \\d+)`\n\n```mermaid").FindAllStringSubmatch(got, -1) {
		drawn = append(drawn, m[1])
	}
	if diff := cmp.Diff([]string{"case 19", "case 15", "case 11", "case 7", "case 3"}, drawn); diff != "" {
		t.Errorf("drawn: -want +got\n%s", diff)
	}
	if want := "\n15 more curves are in the table alone.\n"; !strings.Contains(got, want) || strings.Count(got, "| `case ") < 40 {
		t.Errorf("got\n%s\nwant %q and all points in the table", got, want)
	}
}

// TestChartsOfASavedReport pins that a report with figures that no gate gives is drawn all the same, and nothing of it
// gets into a chart but numbers.
func TestChartsOfASavedReport(t *testing.T) {
	odd := curved("```\n```mermaid", 1, []int{-3, 0, 1 << 60, -5}, []int{math.MaxInt, -1, math.MinInt, 101}, []int{-3, 1, 1, 1})
	odd.ModelNote = "```\n%%{init: {}}%%"
	many := curved("many", 20)
	for i := range 41 {
		many.Gates[0].Curve = append(many.Gates[0].Curve, judge.CurvePoint{Count: i})
	}
	r := compared(reporttest.Of(curved(odd.Name, 1, []int{-3, 1, 1, 1})), reporttest.Of(odd, many))
	for _, limit := range []int{markdown.SummaryLimit, markdown.CommentLimit} {
		got := renderMarkdown(t, r, markdown.Options{Limit: limit})
		checkMarkdown(t, got)
		if n := checkCharts(t, got); n != 1 {
			t.Errorf("got %d charts, want the one of three points, in\n%s", n, got)
		}
	}
	renderText(t, r, text.Options{})
}

// TestChartsAreNeverCut pins that a document of any length has whole charts alone, and nothing left open.
func TestChartsAreNeverCut(t *testing.T) {
	var cases []any
	for i := range 30 {
		cases = append(cases, curved(fmt.Sprintf("case %d", i), i+1, fourPoints()...))
	}
	r := reporttest.Of(cases...)
	seen := map[int]bool{}
	for limit := 200; limit < 12_000; limit += thorough.Size(149, 37) {
		got := renderMarkdown(t, r, markdown.Options{Limit: limit})
		seen[checkCharts(t, got)] = true
		if strings.Count(got, "<details>") != strings.Count(got, "</details>") || strings.Count(got, "```")%2 != 0 {
			t.Errorf("limit %d: something is left open in\n%s", limit, got)
		}
		if t.Failed() {
			break
		}
	}
	if !seen[0] || !seen[5] {
		t.Errorf("got documents with %v charts, want some with none and some with all", seen)
	}
}
