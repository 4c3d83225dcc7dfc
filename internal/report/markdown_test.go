package report_test

import (
	"bytes"
	"fmt"
	"github.com/org/mcp-gates/internal/report/reporttest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
)

func renderMarkdown(t testing.TB, r *report.Report, o markdown.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := markdown.Report(&b, r, o); err != nil {
		t.Fatalf("Markdown: %v", err)
	}
	return b.String()
}

// link is where places are on a server.
func link(path string, line int) string {
	if line == 0 {
		return "https://git.example/blob/0123/" + path
	}
	return fmt.Sprintf("https://git.example/blob/0123/%s#L%d", path, line)
}

func times(n int, run string) []string { return slices.Repeat([]string{run}, n) }

// situations are reports as pull requests bring them about.
var situations = []struct {
	name string
	make func() *report.Report
	opts markdown.Options
}{
	{"first-pull-request", func() *report.Report {
		return reporttest.Of(
			reporttest.Research("compare papers", 12, 80, reporttest.Good, reporttest.NoFetch, reporttest.WithExec),
			reporttest.Floored("weather selection", 40, 9, 10),
			reporttest.Found(reporttest.CatalogOf("search=96", "fetch=120"), reporttest.Finding("DESC-001", "critical", "fetch", "has no description"),
				reporttest.Finding("DESC-010", "warning", "search", "does not say what it returns")))
	}, markdown.Options{Options: tell.Options{NoBaseline: "the base has no suites"}}},
	{"all-pass", func() *report.Report {
		return reporttest.Of(reporttest.Research("compare papers", 12, 80, reporttest.Good), reporttest.CatalogOf("search=96"))
	}, markdown.Options{}},
	{"nothing-changed", func() *report.Report {
		same := func() *report.Report {
			return reporttest.Of(reporttest.Research("compare papers", 12, 80, reporttest.Good), reporttest.Floored("weather selection", 40, 9, 10), reporttest.CatalogOf("search=96"))
		}
		return compared(same(), same())
	}, markdown.Options{}},
	{"regression", func() *report.Report {
		base := reporttest.Of(reporttest.Research("compare papers", 12, 80, times(10, reporttest.Good)...), reporttest.Floored("weather selection", 40, 10, 10),
			reporttest.Floored("news lookup", 60, 9, 10), reporttest.Research("summarise page", 80, 80, times(5, reporttest.Good)...), reporttest.CatalogOf("search=96", "fetch=120"))
		head := reporttest.Of(reporttest.Research("compare papers", 12, 80, append(times(6, reporttest.Good), times(4, reporttest.WithExec)...)...), reporttest.Floored("weather selection", 40, 6, 10),
			reporttest.Floored("news lookup", 60, 9, 10), reporttest.Research("summarise page", 80, 80, times(5, reporttest.Good)...), reporttest.CatalogOf("search=96", "fetch=120"))
		return compared(base, head)
	}, markdown.Options{Link: link, SummaryURL: "https://git.example/actions/runs/1"}},
	{"failing-worse", func() *report.Report {
		return compared(reporttest.Of(reporttest.Floored("weather selection", 40, 6, 10)), reporttest.Of(reporttest.Floored("weather selection", 40, 4, 10)))
	}, markdown.Options{}},
	{"fixed", func() *report.Report {
		base := reporttest.Of(reporttest.Research("compare papers", 12, 80, reporttest.NoFetch, reporttest.NoFetch), reporttest.Floored("weather selection", 40, 2, 10))
		head := reporttest.Of(reporttest.Research("compare papers", 12, 80, reporttest.Good, reporttest.Good), reporttest.Floored("weather selection", 40, 10, 10))
		return compared(base, head)
	}, markdown.Options{}},
	{"new-renamed-removed", func() *report.Report {
		base := reporttest.Of(reporttest.Research("papers", 12, 80, reporttest.Good), reporttest.Floored("weather selection", 40, 9, 10), reporttest.Floored("dropped", 60, 9, 10))
		head := reporttest.Of(reporttest.With(reporttest.Research("papers", 12, 80, reporttest.Good), reporttest.RenamedTo("compare papers")), reporttest.Floored("weather selection", 40, 9, 10),
			reporttest.Floored("new and bad", 80, 3, 10), reporttest.Floored("new and good", 90, 10, 10))
		return compared(base, head)
	}, markdown.Options{}},
	{"weakened", func() *report.Report {
		base := reporttest.Of(reporttest.Research("compare papers", 12, 80, reporttest.Good, reporttest.WithExec), reporttest.Floored("weather selection", 40, 6, 10))
		head := reporttest.Of(
			reporttest.With(reporttest.Research("compare papers", 12, 60, reporttest.Good, reporttest.WithExec), reporttest.Set("runs", "2"), reporttest.Set("allow_run_errors", "1"),
				reporttest.Set(`equal_function_sets.classes["search"].members`, `["web.search","shell.exec"]`),
				reporttest.Set("equal_function_sets.expect.tool_selection.f1.when_absent", "skip")),
			reporttest.With(reporttest.Floored("weather selection", 40, 6, 10), func(c *report.Case) {
				c.Verdict, c.Gates = judge.Pass, nil
				c.Settings = c.Settings[:3]
			}, reporttest.Set("stale_catalog", "ignore"), reporttest.Set("cassette", `["a.json"]`)))
		return compared(base, head)
	}, markdown.Options{Link: link}},
	{"tool-surface", func() *report.Report {
		base := reporttest.Of(reporttest.Floored("weather selection", 40, 9, 10),
			reporttest.Found(reporttest.CatalogOf("search=96", "fetch=120", "crawl=7904"), reporttest.Finding("DESC-010", "warning", "fetch", "does not say what it returns")))
		head := reporttest.Of(reporttest.Floored("weather selection", 40, 9, 10),
			reporttest.Found(reporttest.CatalogOf("search=1296", "extract=84", "crawl=7904", "map|reduce=20"), reporttest.Finding("DESC-001", "critical", "extract", "has no description"),
				reporttest.Finding("SCH-002", "warning", "extract", "takes more than it declares")))
		return compared(base, head)
	}, markdown.Options{Link: link}},
	{"cassettes", func() *report.Report {
		recorded := func(name string, line int, rec report.Recording) report.Case {
			return reporttest.With(reporttest.Floored(name, line, 9, 10), func(c *report.Case) { c.Recordings = []report.Recording{rec} })
		}
		base := reporttest.Of(recorded("a", 1, report.Recording{Path: "c/a.json", SHA256: "aa", Runs: 10, Recorder: "mcp-gates 0.1.0", Hashed: true, Keeps: nil}), recorded("b", 20, report.Recording{Path: "c/b.json", SHA256: "bb", Runs: 10, Recorder: "mcp-gates 0.1.0", Hashed: true, Keeps: nil}),
			recorded("c", 40, report.Recording{Path: "c/c.json", SHA256: "cc", Runs: 10, Recorder: "", Hashed: false, Keeps: nil}))
		head := reporttest.Of(recorded("a", 1, report.Recording{Path: "c/a.json", SHA256: "a2", Runs: 5, Recorder: "mcp-gates 0.1.0", Hashed: true, Keeps: nil}), recorded("b", 20, report.Recording{Path: "c/b.json", SHA256: "b2", Runs: 10, Recorder: "", Hashed: false, Keeps: nil}),
			recorded("c", 40, report.Recording{Path: "c/moved.json", SHA256: "cc", Runs: 10, Recorder: "", Hashed: false, Keeps: nil}), recorded("d", 60, report.Recording{Path: "c/d.json", SHA256: "dd", Runs: 3, Recorder: "mcp-gates 0.1.0", Hashed: false, Keeps: nil}))
		return compared(base, head)
	}, markdown.Options{}},
	{"live", func() *report.Report {
		recorded := func(name string, line, selected int, recordings ...report.Recording) report.Case {
			return reporttest.With(reporttest.Floored(name, line, selected, 10), func(c *report.Case) { c.Recordings = recordings })
		}
		of := func(name, sha string) report.Recording {
			return report.Recording{Path: "c/" + name + ".json", SHA256: report.Optional(sha), Runs: 10, Recorder: "mcp-gates 0.1.0", Hashed: true, Keeps: nil}
		}
		base := reporttest.Of(recorded("written", 1, 10, of("written", "aa")), recorded("unchanged", 20, 10, of("unchanged", "bb")),
			recorded("only run", 40, 10, of("only-run", "cc")), recorded("gone", 60, 10, of("gone", "dd")))
		head := reporttest.Of(recorded("written", 1, 9, of("written", "a2")), recorded("unchanged", 20, 10, of("unchanged", "bb")),
			recorded("only run", 40, 6))
		head.Mode = report.Live
		return compared(base, head)
	}, markdown.Options{}},
	{"mistakes", func() *report.Report {
		base := reporttest.Of(reporttest.Research("compare papers", 12, 80, reporttest.Good), reporttest.Floored("weather selection", 40, 9, 10), report.Problem{Path: "suites/old.yml", Line: 2, Col: 3, Message: `unknown key "expct"`})
		head := reporttest.Of(reporttest.With(reporttest.Named("other", 5), func(c *report.Case) { c.Suite, c.ID, c.Verdict = "suites/b.yml", "suites/b.yml::other", judge.Error },
			func(c *report.Case) {
				c.Err = &judge.Problem{Message: "1 of 2 runs did not finish (run 2: 529 overloaded); record again", Path: "c.json", Line: 9, Exit: report.ExitUser, Run: 2}
				c.Rows = []report.Row{{Run: 1, Name: "other #1", Verdict: judge.Pass, Called: []string{"web.search"}}, {Run: 2, Name: "other #2", Verdict: judge.Error, Err: "529 overloaded"}}
			}),
			report.Problem{Path: "suites/tools.yml", Line: 12, Col: 5, Message: "\"runs\" must be a whole number of 1 or more, found \"1.0\""})
		head.Warnings = []report.Problem{{Path: "suites/b.yml", Line: 7, Col: 3, Message: "since the recording, catalogs/web.json has changed: added web.crawl"}}
		return compared(base, head)
	}, markdown.Options{}},
	{"curve-and-other-figures", func() *report.Report {
		make := func(accuracy, syntax int) report.Case {
			c := reporttest.Named("picks among many", 12)
			c.Gates = []judge.Result{
				{Gate: "distractors", Line: 16, Verdict: judge.Pass, Metrics: map[string]judge.Value{"distractors.accuracy": judge.Int(accuracy, judge.Percent)},
					Grounds: judge.Grounds{
						Notes: []judge.Note{{Kind: judge.Chosen, Subject: "distractor.convert_currency", Calls: 2, Runs: []int{3, 4}}},
						Curve: []judge.CurvePoint{{Count: 0, Runs: 10, Accuracy: 100, CertifiedLower: 74}, {Count: 16, Runs: 10, Accuracy: accuracy, CertifiedLower: 34}},
					}},
				{Gate: "orchestration", Line: 20, Verdict: judge.Pass, Metrics: map[string]judge.Value{"orchestration.syntax": judge.Int(syntax, judge.Percent)}},
			}
			return c
		}
		return compared(reporttest.Of(make(90, 100)), reporttest.Of(make(80, 98)))
	}, markdown.Options{}},
	{"run-tokens", func() *report.Report {
		using := func(name string, line int, t *report.Tokens) report.Case {
			return reporttest.With(reporttest.Floored(name, line, 9, 10), func(c *report.Case) { c.Tokens = t })
		}
		base := reporttest.Of(using("one run went wild", 1, &report.Tokens{Total: 15_000, Median: 1500, Max: 1520}), using("all grew", 20, &report.Tokens{Total: 15_000, Median: 1500, Max: 1520}),
			using("none counted any more", 40, &report.Tokens{Total: 15_000, Median: 1500, Max: 1520}), using("as before", 60, &report.Tokens{Total: 15_000, Median: 1500, Max: 1520}))
		head := reporttest.Of(using("one run went wild", 1, &report.Tokens{Total: 30_000, Median: 1500, Max: 12_520}), using("all grew", 20, &report.Tokens{Total: 30_000, Median: 3000, Max: 3040}),
			using("none counted any more", 40, nil), using("as before", 60, &report.Tokens{Total: 15_001, Median: 1500, Max: 1520}))
		return compared(base, head)
	}, markdown.Options{}},
	{"one-run", func() *report.Report {
		report := func() *report.Report {
			return reporttest.Of(reporttest.Research("compare papers", 12, 80, reporttest.Good, reporttest.WithExec), reporttest.Research("summarise page", 80, 80, reporttest.Good), selecting(same))
		}
		return compared(report(), report())
	}, markdown.Options{Run: 2}},
	{"matrix-of-two-suites", func() *report.Report {
		on := func(model, suite string, c report.Case) report.Case {
			return reporttest.With(c, func(c *report.Case) {
				c.Model, c.Suite, c.ID = report.Optional(model), suite, suite+"::"+c.Name+"::"+model
			})
		}
		base := reporttest.Of(on("claude-sonnet-4-5", "suites/a.yml", reporttest.Floored("weather selection", 40, 9, 10)), on("gpt-5", "suites/a.yml", reporttest.Floored("weather selection", 40, 9, 10)),
			on("gpt-5", "suites/b.yml", reporttest.Research("compare papers", 12, 80, reporttest.Good)))
		head := reporttest.Of(on("claude-sonnet-4-5", "suites/a.yml", reporttest.Floored("weather selection", 40, 9, 10)), on("gpt-5", "suites/a.yml", reporttest.Floored("weather selection", 40, 1, 10)),
			on("gpt-5", "suites/b.yml", reporttest.Research("compare papers", 12, 80, reporttest.WithExec)))
		return compared(base, head)
	}, markdown.Options{Link: link}},
	{"agents-that-are-no-model", func() *report.Report {
		return reporttest.Of(
			reporttest.With(reporttest.Research("compare papers", 12, 80, reporttest.Good, reporttest.WithExec), answeredBy(trace.ModelLexical)),
			reporttest.With(reporttest.Floored("weather selection", 40, 10, 10), answeredBy(trace.ModelScript)),
			reporttest.With(reporttest.Research("summarise page", 60, 80, reporttest.Good), answeredBy("gpt-5")))
	}, markdown.Options{}},
	{"expectations", func() *report.Report {
		c := reporttest.Named("compare papers", 12)
		c.Verdict = judge.Fail
		for run := 1; run <= 3; run++ {
			c.Expect = append(c.Expect, report.RunAssertion{Run: run, Assertion: judge.Assertion{Target: "final_response", Matcher: `contains "72 F"`, Actual: "a model's words", Verdict: judge.Fail, Line: 20}})
		}
		return reporttest.Of(c)
	}, markdown.Options{}},
	{"hostile", func() *report.Report {
		hostile := func(s string) string { return hostileNames[len(s)%len(hostileNames)] }
		return compared(fixture(same), fixture(hostile))
	}, markdown.Options{Link: link}},
}

func TestMarkdown(t *testing.T) {
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			s.opts.Limit = markdown.CommentLimit
			got := renderMarkdown(t, s.make(), s.opts)
			golden(t, s.name+".golden.md", got)
			if again := renderMarkdown(t, s.make(), s.opts); again != got {
				t.Errorf("rendered twice: %s", cmp.Diff(got, again))
			}
		})
	}
}

func TestMarkdownFits(t *testing.T) {
	thorough.Unraced(t, "it takes four seconds, on one goroutine")
	cases, catalogs := 1000, 600
	if thorough.Asked() {
		cases, catalogs = 2500, 1500
	}
	make := func(selected int) *report.Report {
		var parts []any
		for i := range cases {
			parts = append(parts, reporttest.Floored(fmt.Sprintf("case %d with a name of some length", i), 10*i+1, selected, 10))
		}
		for i := range catalogs {
			parts = append(parts, reporttest.Found(reporttest.CatalogOf(fmt.Sprintf("tool_%d=%d", i, i+selected)), reporttest.Finding(fmt.Sprintf("DESC-%d", i+selected), "warning", "x", "is wrong")))
		}
		return reporttest.Of(parts...)
	}
	r := compared(make(9), make(6))
	for _, limit := range []int{markdown.SummaryLimit, markdown.CommentLimit, 5000, 1500} {
		got := renderMarkdown(t, r, markdown.Options{Limit: limit, SummaryURL: "https://git.example/1"})
		if len(got) > limit {
			t.Errorf("limit %d: got %d bytes", limit, len(got))
		}
		if len(got) < limit/3 && limit > markdown.CommentLimit {
			t.Errorf("limit %d: got %d bytes only, want more of what there is", limit, len(got))
		}
		if verdict := fmt.Sprintf("### ❌ %d of %d cases failed", cases, cases); !strings.HasPrefix(got, verdict) {
			t.Errorf("limit %d: got %.80q, want the verdict first", limit, got)
		}
		if !strings.Contains(got, "more") {
			t.Errorf("limit %d: what was left out is not counted", limit)
		}
		if strings.Count(got, "<details>") != strings.Count(got, "</details>") {
			t.Errorf("limit %d: a fold is left open", limit)
		}
	}
}

// Which findings are new is known only where something was compared.
func TestMarkdownMoreFindings(t *testing.T) {
	var findings []report.Finding
	for i := range 6 {
		findings = append(findings, reporttest.Finding(fmt.Sprintf("DESC-%d", i), "warning", "x", "is wrong"))
	}
	head := func() *report.Report {
		return reporttest.Of(reporttest.Found(reporttest.CatalogOf("x=1"), findings...))
	}
	for _, test := range []struct {
		name, want string
		r          *report.Report
	}{
		{"nothing compared", "<summary>2 more findings</summary>", head()},
		{"compared", "<summary>6 new findings, none fixed</summary>", compared(reporttest.Of(reporttest.Found(reporttest.CatalogOf("x=1"))), head())},
	} {
		if got := renderMarkdown(t, test.r, markdown.Options{}); !strings.Contains(got, test.want) {
			t.Errorf("%s: got\n%s\nwant %s in it", test.name, got, test.want)
		}
	}
}

func BenchmarkMarkdownComment(b *testing.B) {
	var parts []any
	for i := range 1000 {
		parts = append(parts, reporttest.Research(fmt.Sprintf("case %d", i), 10*i+1, 80, times(10, reporttest.WithExec)...))
	}
	r := compared(reporttest.Of(parts...), reporttest.Of(parts...))
	for b.Loop() {
		renderMarkdown(b, r, markdown.Options{Limit: markdown.CommentLimit})
	}
}
