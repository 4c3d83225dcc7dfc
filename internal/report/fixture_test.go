package report_test

import (
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

// fixture returns a report with one of everything. name makes every text that comes from users' files, so that a test
// can put anything there.
func fixture(name func(string) string) *report.Report {
	tokens := int64(1520)
	r := &report.Report{
		Version: report.Version,
		Tool:    report.Tool{Name: "mcp-gates", Version: "0.0.0-test"},
		Mode:    "replay",
		Problems: []report.Problem{
			{Path: name("suites/b.yml"), Line: 3, Col: 5, Message: name(`unknown key "expct", did you mean "expect"?`)},
			{Path: name("suites/cassettes/a/third.json"), Line: 2, Col: 1, Message: name("is not valid JSON: the file ends in the middle of a value (byte 17)")},
		},
		Warnings: []report.Problem{{Path: name("suites/a.yml"), Line: 40, Col: 3, Message: name("since the recording, catalogs/web.json has changed: added web.crawl")}},
		Cases: []report.Case{
			failing(name, &tokens), passing(name, &tokens), selecting(name),
			{
				ID: name("suites/a.yml::third"), Suite: name("suites/a.yml"), Name: name("third"), Line: 60, Verdict: judge.Error,
				Err: &judge.Problem{
					Message: name("is not valid JSON: the file ends in the middle of a value (byte 17)"),
					Path:    name("suites/cassettes/a/third.json"), Line: 2, Exit: report.ExitUser,
				},
			},
			{
				ID: name("suites/a.yml::fourth"), Suite: name("suites/a.yml"), Name: name("fourth"), Line: 70, Verdict: judge.Error,
				Err:  &judge.Problem{Message: name("1 of 2 runs did not finish (run 2: 529 overloaded); record again"), Path: name("c.json"), Line: 9, Exit: report.ExitUser, Run: 2},
				Runs: report.Runs{Recorded: 2, Scored: 1, Errors: 1},
				Gates: []judge.Result{{
					Gate: "token_efficiency", Line: 72, Verdict: judge.Error,
					Err: &judge.Problem{Message: name("there is no tool catalog"), Path: name("suites/a.yml"), Line: 72, Exit: report.ExitUser},
				}},
				Rows: []report.Row{
					{Run: 1, Name: name("fourth #1"), Verdict: judge.Pass, Called: []string{name("web.search")}},
					{Run: 2, Name: name("fourth #2"), Verdict: judge.Error, Err: report.Optional(name("529 overloaded"))},
				},
			},
		},
		Catalogs: []report.Catalog{{
			Name: name("web"), Path: name("catalogs/web.json"), SurfaceTokens: 96, MinScore: "0.5833", MeanScore: "0.7916",
			Counts: report.FindingCounts{Critical: 1, Warning: 4},
			Smells: map[string]int{"missing_examples": 2, "brittle": 1},
			Tools:  []report.CatalogTool{{Server: name("web"), Name: name("search"), Tokens: 96, Score: "0.5833", Line: 4}},
			Findings: []report.Finding{{
				Rule: "DESC-006", Severity: "critical", Server: name("web"), Tool: name("search"), Argument: report.Optional(name("q")),
				Message: name("has no description"), Suggestion: name("describe it"), Path: name("catalogs/web.json"), Line: 6,
			}},
		}},
	}
	r.Conclude()
	return r
}

// failing returns a case that misses a class, calls something unexpected and breaks an expectation.
func failing(name func(string) string, tokens *int64) report.Case {
	f1 := judge.Int(50, judge.Percent)
	return report.Case{
		ID: name("suites/a.yml::research::gpt-5"), Suite: name("suites/a.yml"), Name: name("research"), Model: report.Optional(name("gpt-5")),
		Line: 12, Verdict: judge.Fail, Cassettes: []string{name("suites/cassettes/a/research.json")},
		Runs: report.Runs{Recorded: 2, Scored: 2, Errors: 0}, Tokens: &report.Tokens{Total: 3040, Median: 1520, Max: 1520}, CostUSD: "0.005100",
		Gates: []judge.Result{{
			Gate: "equal_function_sets", Line: 20, Verdict: judge.Fail,
			Metrics: map[string]judge.Value{"tool_selection.f1": f1, "tool_selection.precision": f1, "tool_selection.recall": f1},
			Assertions: []judge.Assertion{{
				Target: "tool_selection.f1", Matcher: ">= 80", Actual: f1, Verdict: judge.Fail, Line: 28,
				Message: name("tool_selection.f1 is 50%, expected >= 80"),
			}, {Target: "tool_selection.recall", Matcher: ">= 50", Actual: f1, Verdict: judge.Pass, Line: 29}},
			Grounds: judge.Grounds{
				Counts: map[string]int{"tp": 1, "fp": 1, "fn": 1},
				Notes: []judge.Note{
					{Kind: judge.Matched, Subject: name("search"), Text: name("web.search"), Runs: []int{1, 2}},
					{Kind: judge.Missed, Subject: name("fetch"), Runs: []int{1}, Line: 25},
					{Kind: judge.Unexpected, Subject: name("shell.exec"), Calls: 1, Runs: []int{1}},
				},
			},
		}},
		Expect: []report.RunAssertion{
			{Run: 1, Assertion: judge.Assertion{
				Target: "tool_names", Matcher: `contains "fetch"`, Actual: []any{name("web.search")}, Verdict: judge.Fail, Line: 31,
			}},
			{Run: 2, Assertion: judge.Assertion{Target: "final_response", Matcher: `contains "x"`, Verdict: judge.Skipped, Line: 32}},
		},
		Rows: []report.Row{
			{Run: 1, Name: name("research #1"), Verdict: judge.Fail, Called: []string{name("web.search"), name("shell.exec")}, Tokens: tokens},
			{Run: 2, Name: name("research #2"), Verdict: judge.Pass, Called: []string{name("web.search"), name("web.fetch")}, Tokens: tokens},
		},
		Timelines: []report.Timeline{
			{Runs: []int{1}, Calls: []report.TimelineCall{
				{Tool: name("web.search"), Arguments: []string{name("query"), name("page")}, MoreArguments: 2, Failed: true, MS: ms(1200), MostMS: ms(3400)},
				{Tool: name("web.search"), Arguments: []string{name("query")}, MS: ms(0)},
				{Tool: name("shell.exec"), Agent: report.Optional(name("helper"))},
			}, More: 7},
			{Runs: []int{2}, Calls: []report.TimelineCall{{Tool: name("web.search")}, {Tool: name("web.fetch")}}},
		},
	}
}

func ms(n int64) *int64 { return &n }

func passing(name func(string) string, tokens *int64) report.Case {
	return report.Case{
		ID: name("suites/a.yml::lookup"), Suite: name("suites/a.yml"), Name: name("lookup"), Line: 40, Verdict: judge.Pass,
		Runs: report.Runs{Recorded: 1, Scored: 1, Errors: 0}, Tokens: &report.Tokens{Total: 1520, Median: 1520, Max: 1520},
		Gates: []judge.Result{{
			Gate: "token_efficiency", Line: 44, Verdict: judge.Pass,
			Metrics: map[string]judge.Value{
				"token_efficiency.f1":   judge.Int(100, judge.Percent),
				"token_efficiency.cost": judge.Ratio(51, 10000, judge.Dollars),
			},
			Assertions: []judge.Assertion{{
				Target: "token_efficiency.cost_per_correct", Matcher: "<= 1", Verdict: judge.Skipped, Line: 46,
				Message: name("token_efficiency.cost_per_correct is absent: no cost was recorded"),
			}},
			Grounds: judge.Grounds{Grade: "A"},
		}},
		Rows: []report.Row{{Run: 1, Name: name("lookup #1"), Verdict: judge.Pass, Called: []string{name("web.search")}, Tokens: tokens}},
	}
}

func selecting(name func(string) string) report.Case {
	yes, no, within, few, many := true, false, 50, int64(90), int64(900)
	weather := []string{name("get_weather")}
	return report.Case{
		ID: name("suites/a.yml::weather::builtin:lexical"), Suite: name("suites/a.yml"), Name: name("weather"), Line: 50, Verdict: judge.Pass,
		Model: report.Optional(name(trace.ModelLexical)), ModelNote: report.Optional(name(trace.ModelNote(trace.ModelLexical))),
		Runs: report.Runs{Recorded: 10, Scored: 10, Errors: 0}, Tokens: &report.Tokens{Total: 900, Median: 90, Max: 90}, TokenNote: report.Optional(name(trace.TokenNote(trace.ModelLexical))),
		Gates: []judge.Result{{
			Gate: "tool_selection", Line: 54, Verdict: judge.Pass,
			Metrics:  map[string]judge.Value{"tool_selection.rate": judge.Int(90, judge.Percent)},
			Grounds:  judge.Grounds{PassHat: []int8{90, 80}},
			Headline: "tool-selection floor [PASS] " + name("weather") + ": selection 9/10 (90%), pass^1 90%",
		}},
		Rows: []report.Row{
			{Run: 1, Name: name("weather #1"), Verdict: judge.Pass, Called: weather, Tokens: &few, RowSelection: &report.RowSelection{Selected: true, OverBudget: &no}},
			{Run: 2, Name: name("weather #2"), Verdict: judge.Pass, Called: weather, Tokens: &many, RowSelection: &report.RowSelection{Selected: true, OverBudget: &yes}},
			{Run: 3, Name: name("weather #3"), Verdict: judge.Pass, Called: []string{}, RowSelection: &report.RowSelection{Selected: false}},
		},
		ToolSelection: &judge.SelectionEvidence{
			Expected: weather, Rate: 90, Within: &within, PassHat: []int8{90, 80}, Tokens: &judge.SelectionTokens{Median: 90, Max: 900},
			Runs: []judge.SelectionRun{
				{Run: 1, Selected: true, OverBudget: &no, Tokens: &few, Called: weather},
				{Run: 2, Selected: true, OverBudget: &yes, Tokens: &many, Called: weather},
				{Run: 3, Called: []string{}},
			},
		},
	}
}
