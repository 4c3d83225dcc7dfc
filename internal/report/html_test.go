package report_test

import (
	"bytes"
	"fmt"
	"github.com/org/mcp-gates/internal/report/reporttest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/html"
	"github.com/org/mcp-gates/internal/thorough"
	nethtml "golang.org/x/net/html"
)

func renderHTML(t testing.TB, r *report.Report, o html.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := html.Report(&b, r, o); err != nil {
		t.Fatalf("HTML: %v", err)
	}
	return b.String()
}

// pageOf returns a page without its policy, style and script, which are the same in all.
func pageOf(t testing.TB, doc string) string {
	t.Helper()
	_, title, hasTitle := strings.Cut(doc, "<title>")
	title, _, _ = strings.Cut(title, "</title>")
	_, body, hasBody := strings.Cut(doc, "<body>\n")
	body, _, hasScript := strings.Cut(body, "<script>")
	if !hasTitle || !hasBody || !hasScript {
		t.Fatalf("the page lacks its title, body or script:\n%s", doc)
	}
	return "<title>" + title + "</title>\n" + body
}

// inHTML are the situations that pages show otherwise than each other.
var inHTML = []string{
	"first-pull-request", "nothing-changed", "regression", "new-renamed-removed", "weakened", "tool-surface", "cassettes", "live", "mistakes",
	"expectations", "curve-and-other-figures",
}

func TestHTML(t *testing.T) {
	for _, s := range situations {
		if !slices.Contains(inHTML, s.name) {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			got := renderHTML(t, s.make(), html.Options{})
			golden(t, s.name+".golden.html", pageOf(t, got))
			checkHTML(t, got, nil)
			if again := renderHTML(t, s.make(), html.Options{}); again != got {
				t.Errorf("rendered twice: %s", cmp.Diff(got, again))
			}
		})
	}
	got := renderHTML(t, fixture(same), html.Options{})
	golden(t, "everything.golden.html", pageOf(t, got))
	checkHTML(t, got, nil)
}

// TestHTMLOfOneRun pins that only a chosen run is shown, and that a case without it says so.
func TestHTMLOfOneRun(t *testing.T) {
	got := renderHTML(t, fixture(same), html.Options{Run: 2})
	for _, want := range []string{"<td>2<td><b class=pass>pass</b><td><ol class=calls><li class=ok>web.search<li>web.fetch</ol>", "no run 2: the case has 1 run"} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %s in it", pageOf(t, got), want)
		}
	}
	if strings.Contains(got, "<li class=no>shell.exec") {
		t.Error("run 1 is shown, too")
	}
}

// TestHTMLRunsThatWentAlike pins that they share a row, and that a note about one of them parts it from the others.
func TestHTMLRunsThatWentAlike(t *testing.T) {
	c := reporttest.Research("papers", 12, 80, append(times(60, reporttest.Good), reporttest.NoFetch, reporttest.Good, reporttest.NoFetch)...)
	c.Gates[0].Notes = append(c.Gates[0].Notes, judge.Note{Kind: judge.Invalid, Subject: "web.search", Calls: 1, Runs: []int{7}})
	got := pageOf(t, renderHTML(t, reporttest.Of(c), html.Options{}))
	for _, want := range []string{
		"<tr><td>1 to 6, 8 to 60, 62 <small>60 runs</small><td><ol class=calls><li>web.search<li>web.fetch</ol><td class=n>1,500 to 3,940\n",
		"<tr><td>7<td><ol class=calls><li class=no>web.search<li>web.fetch</ol><td class=n>1,740\n",
		"<tr><td>61, 63<td><ol class=calls><li>web.search</ol><td class=n>3,900 to 3,980\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant in it\n%s", got, want)
		}
	}
}

// TestHTMLRunsOfHostileNames pins that a name which holds the names of other tools has a row of its own.
func TestHTMLRunsOfHostileNames(t *testing.T) {
	c := reporttest.Research("papers", 12, 80, reporttest.Good, "web.search\x00web.fetch")
	c.Gates[0].Notes = nil
	got := pageOf(t, renderHTML(t, reporttest.Of(c), html.Options{}))
	for _, want := range []string{"<tr><td>1<td>", "<tr><td>2<td>"} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant in it\n%s", got, want)
		}
	}
}

// TestHTMLCurves pins that the charting library and its licence are in pages with a curve to draw, and in no other.
func TestHTMLCurves(t *testing.T) {
	for _, test := range []struct {
		name string
		c    report.Case
		want bool
	}{
		{"four points", curved("falls", 20, fourPoints()...), true},
		{"one point", curved("one", 60, []int{4, 10, 70, 39}, []int{8}), false},
		{"no curve", reporttest.Floored("weather", 1, 9, 10), false},
	} {
		got := renderHTML(t, reporttest.Of(test.c), html.Options{})
		if has := strings.Contains(got, "Copyright (c) 2022 Leon Sorokin") && strings.Contains(got, "<table class=curve"); has != test.want {
			t.Errorf("%s: the library is there: %t, want %t", test.name, has, test.want)
		}
		if has := strings.Contains(got, "var uPlot=function"); has != test.want {
			t.Errorf("%s: the code of the library is there: %t, want %t", test.name, has, test.want)
		}
	}
}

// bigReport has as many cases as given, each with ten runs that went four ways, every tenth with a curve, every twentieth failing
// and with timelines, and a catalog of 60 tools, compared with a base in which all picked right.
func bigReport(cases int) *report.Report {
	make := func(rate int, run string, tokens int) *report.Report {
		var parts []any
		for i := range cases {
			name := fmt.Sprintf("case %d with a name of some length", i)
			switch {
			case i%10 == 9:
				parts = append(parts, curved(name, 10*i+1, fourPoints()...))
			case i%2 == 0:
				floor := 80
				if i%20 == 0 {
					floor = 95
				}
				parts = append(parts, timed(reporttest.Research(name, 10*i+1, floor, append(times(6, reporttest.Good), reporttest.NoFetch, run, "web.crawl web.fetch", reporttest.Good)...)))
			default:
				parts = append(parts, reporttest.Floored(name, 10*i+1, rate, 10))
			}
		}
		var tools []string
		for i := range 60 {
			tools = append(tools, fmt.Sprintf("tool_%d=%d", i, 40+i+tokens))
		}
		parts = append(parts, reporttest.Found(reporttest.CatalogOf(tools...), reporttest.Finding("DESC-010", "warning", "tool_3", "does not say what it returns")))
		return reporttest.Of(parts...)
	}
	return compared(make(10, reporttest.Good, 0), make(8, reporttest.WithExec, 5))
}

// timed adds timelines to a case: each run called its tools three times, and the first call failed.
func timed(c report.Case) report.Case {
	if !c.Verdict.Broken() {
		return c
	}
	for i := range c.Rows {
		line := report.Timeline{Runs: []int{c.Rows[i].Run}}
		for range 3 {
			for _, tool := range c.Rows[i].Called {
				line.Calls = append(line.Calls, report.TimelineCall{Tool: tool, Failed: len(line.Calls) == 0, MS: ms(int64(100 + i)), MostMS: ms(4000)})
			}
		}
		if last := len(c.Timelines) - 1; last >= 0 && slices.Equal(c.Rows[i].Called, c.Rows[i-1].Called) {
			c.Timelines[last].Runs = append(c.Timelines[last].Runs, c.Rows[i].Run)
			continue
		}
		c.Timelines = append(c.Timelines, line)
	}
	return c
}

// TestHTMLTimelines pins that a tool that was called again is there again, and what a call can have beside it; that runs beyond
// the bounds of timelines show each tool once, and say so.
func TestHTMLTimelines(t *testing.T) {
	c := reporttest.Research("papers", 12, 80, reporttest.Good, reporttest.Good, reporttest.NoFetch)
	c.Timelines = []report.Timeline{
		{Runs: []int{1, 2}, More: 2, Calls: []report.TimelineCall{
			{Tool: "web.search", Failed: true, MS: ms(90), MostMS: ms(1200)}, {Tool: "web.search", MS: ms(0)}, {Tool: "web.fetch", Agent: "<helper>"},
		}},
	}
	got := pageOf(t, renderHTML(t, reporttest.Of(c), html.Options{}))
	for _, want := range []string{
		"<th>Calls, in order",
		"<td>1, 2<td><ol class=calls><li>web.search <small>failed, 90 to 1,200 ms</small><li>web.search <small>0 ms</small>" +
			"<li>web.fetch <small>by &lt;helper&gt;</small><li>and 2 more</ol>",
		"<td>3<td><ol class=calls><li>web.search</ol> <small>each tool once</small>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant in it\n%s", got, want)
		}
	}
}

// TestHTMLManyTimelines pins that the first timelines are there where the page has no room for all, and that the others are counted.
func TestHTMLManyTimelines(t *testing.T) {
	const most = 600_000
	var cases []any
	for i := range 300 {
		c := reporttest.Research(fmt.Sprintf("case %d", i), i+1, 95, times(9, reporttest.NoFetch)...)
		for run := range 9 {
			line := report.Timeline{Runs: []int{run + 1}}
			for range 60 {
				line.Calls = append(line.Calls, report.TimelineCall{Tool: "web.search", MS: ms(int64(run))})
			}
			c.Timelines = append(c.Timelines, line)
		}
		cases = append(cases, c)
	}
	got := renderHTML(t, reporttest.Of(cases...), html.Options{})
	if lines := strings.Count(got, "<li>and 20 more</ol>"); lines != 7 || len(got) > most {
		t.Errorf("got %d timelines in %d bytes, want the first 7 in %d at most", lines, len(got), most)
	}
	if want := "and 2,693 more timelines, for which the page has no room"; strings.Count(got, want) != 1 {
		t.Errorf("want once: %s", want)
	}
	one := renderHTML(t, reporttest.Of(cases...), html.Options{Run: 9})
	if lines := strings.Count(one, "<li>and 20 more</ol>"); lines != 7 || !strings.Contains(one, "and 293 more timelines,") {
		t.Errorf("of run 9: got %d timelines, want the first 7, and 293 left out", lines)
	}
}

// TestHTMLFolds pins that a page has some hundred cases at once, whatever their number, and the others in comments, from which each comes
// back as it would be.
func TestHTMLFolds(t *testing.T) {
	thorough.Unraced(t, "it takes two seconds, on one goroutine")
	got := renderHTML(t, bigReport(1000), html.Options{})
	root, err := nethtml.Parse(strings.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	atOnce, inComments := map[string]int{}, 0
	for n := range root.Descendants() {
		switch {
		case n.Type == nethtml.CommentNode && (n.Parent.Data == "tbody" || attributeOf(n.Parent, "class") == "cards"):
			inComments++
		case n.Type == nethtml.CommentNode:
			t.Errorf("a comment is in %s, where the script does not look", n.Parent.Data)
		case n.Data == "details":
			atOnce["cases"]++
		}
	}
	if atOnce["cases"] > 400 || inComments < 8 || strings.Count(unfolded(got), "<details class=case") != 1000 {
		t.Errorf("got %d cases at once, %d comments and %d cases in all, want 400, 8 and 1000", atOnce["cases"], inComments, strings.Count(unfolded(got), "<details class=case"))
	}
	if !strings.Contains(got, "<noscript><p class=dim>and 800 more, which this page shows with its script alone") {
		t.Error("without its script the page does not say how much it lacks")
	}
}

// TestHTMLSize holds a page of 300 cases to 600 KB, and to one length for many runs of the same kind.
func TestHTMLSize(t *testing.T) {
	const most = 600_000
	got := renderHTML(t, bigReport(300), html.Options{})
	if len(got) > most {
		t.Errorf("a page of 300 cases has %d bytes, want %d at most", len(got), most)
	}
	t.Logf("300 cases: %d bytes", len(got))
	checkHTML(t, got, nil)
	many := renderHTML(t, reporttest.Of(reporttest.Research("papers", 12, 80, times(thorough.Size(2_000, 20_000), reporttest.Good)...)), html.Options{})
	if few := renderHTML(t, reporttest.Of(reporttest.Research("papers", 12, 80, times(2, reporttest.Good)...)), html.Options{}); len(many) > len(few)+1000 {
		t.Errorf("a case of many runs that went alike takes %d bytes, want about the %d of two runs", len(many), len(few))
	}
}

// loads are what makes a browser ask for something else than the page.
var loads = regexp.MustCompile(`(?i)\bsrc\s*=|\bsrcset\s*=|href\s*=\s*["']?[^#"'\]]|url\(|@import|\bfetch\(|XMLHttpRequest|\bimport\(|sendBeacon|WebSocket|new Image|<(link|iframe|object|embed|img|base|form)\b`)

// TestHTMLLoadsNothing looks for it in the whole page: style, script and library.
func TestHTMLLoadsNothing(t *testing.T) {
	doc := renderHTML(t, bigReport(30), html.Options{})
	if !strings.Contains(doc, "var uPlot=function") {
		t.Fatal("the page lacks the library")
	}
	if at := loads.FindStringIndex(doc); at != nil {
		t.Errorf("the page has %q", doc[max(0, at[0]-80):min(len(doc), at[1]+80)])
	}
	if i := strings.IndexFunc(doc, func(r rune) bool { return r < ' ' && r != '\n' }); i >= 0 {
		t.Errorf("the page has the control character %q", doc[i])
	}
}

// TestHTMLLibrary holds the documentation and the script that fetches the library to the version that is here.
func TestHTMLLibrary(t *testing.T) {
	read := func(path string) string {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	banner := regexp.MustCompile(`^/\*! https://github\.com/leeoniya/uPlot \(v([\d.]+)\) \*/`).FindStringSubmatch(read("html/uplot/uPlot.iife.min.js"))
	if banner == nil {
		t.Fatal("the library does not begin with its version")
	}
	for path, want := range map[string]string{"html/uplot/fetch": "\nversion=" + banner[1] + "\n", "../../docs/dependencies.md": "\n| uplot " + banner[1] + " |"} {
		if !strings.Contains(read(path), want) {
			t.Errorf("%s lacks %q", path, want)
		}
	}
}

// TestHTMLOfManyCases holds a page of more cases than are shown to its first rows, and counts the others.
func TestHTMLOfManyCases(t *testing.T) {
	var cases []any
	for i := range 5100 {
		cases = append(cases, reporttest.With(reporttest.Named(fmt.Sprintf("case %d", i), i+1), func(c *report.Case) { c.Verdict = judge.Fail }))
	}
	got := renderHTML(t, reporttest.Of(cases...), html.Options{})
	if rows, cards, left := strings.Count(got, "<tr><td>"), strings.Count(got, "<details"), strings.Count(got, "and 100 more,"); rows != 5000 || cards != 5000 || left != 2 {
		t.Errorf("%d rows, %d cases in detail, %d times counted what is left, want 5000, 5000 and 2", rows, cards, left)
	}
}

func BenchmarkHTML(b *testing.B) {
	r := bigReport(300)
	for b.Loop() {
		renderHTML(b, r, html.Options{})
	}
}
