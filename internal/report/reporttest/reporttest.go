// Package reporttest is for tests: a report with one of everything that is annotated.
package reporttest

import (
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// Everything returns a report with one of everything that is annotated. name makes every text that comes from users' files.
func Everything(name func(string) string) *report.Report {
	f1 := judge.Int(50, judge.Percent)
	r := &report.Report{
		Version: report.Version,
		Tool:    report.Tool{Name: "mcp-gates", Version: "test"},
		Mode:    "replay",
		Problems: []report.Problem{
			{Path: name("suites/b.yml"), Line: 3, Col: 5, Message: name(`unknown key "expct", did you mean "expect"?`)},
			{Path: name("c/third.json"), Line: 2, Col: 1, Message: name("is not valid JSON")},
			{Message: name("no suite has a case, so nothing was checked")},
		},
		Warnings: []report.Problem{
			{Path: name("suites/a.yml"), Line: 40, Col: 3, Message: name("since the recording, catalogs/web.json has changed")},
		},
		Cases: append([]report.Case{research(name, f1), floors(name)}, others(name)...),
		Catalogs: []report.Catalog{{
			Name: name("web"), Path: name("catalogs/web.json"), SurfaceTokens: 96,
			Counts: report.FindingCounts{Critical: 1, Warning: 1},
			Tools:  Tools(name, "search", "get_weather", "fine"),
			Findings: []report.Finding{
				{Rule: "DESC-006", Severity: "critical", Server: name("web"), Tool: name("search"), Argument: report.Optional(name("q")),
					Message: name("has no description"), Suggestion: name("describe it"), Path: name("catalogs/web.json"), Line: 6},
				{Rule: "DESC-010", Severity: "warning", Server: name("web"), Tool: name("get_weather"),
					Message: name("the description has no example"), Suggestion: name("add one"), Path: name("catalogs/web.json"), Line: 9},
				{Rule: "DESC-000", Severity: "pass", Server: name("web"), Tool: name("fine"), Path: name("catalogs/web.json"), Line: 12},
			},
		}},
	}
	addChanges(r, name)
	r.Conclude()
	return r
}

// Tools returns tools of the server web.
func Tools(name func(string) string, names ...string) []report.CatalogTool {
	var tools []report.CatalogTool
	for _, n := range names {
		tool := &catalog.Tool{Server: name("web"), Name: name(n)}
		tools = append(tools, report.CatalogTool{Server: tool.Server, Name: tool.Name, Tool: tool})
	}
	return tools
}

func research(name func(string) string, f1 judge.Value) report.Case {
	gate := func(kind string, line int, verdict judge.Verdict) judge.Result {
		return judge.Result{
			Gate: kind, Line: line, Verdict: verdict, Metrics: map[string]judge.Value{"tool_selection.f1": f1},
			Grounds: judge.Grounds{Notes: []judge.Note{
				{Kind: judge.Matched, Subject: name("search"), Text: name("web.search"), Runs: []int{1, 2, 3, 5}},
				{Kind: judge.Missed, Subject: name("fetch"), Runs: []int{1, 2, 3, 5}, Line: 25, Members: []string{name("web.fetch"), name("http.get")}},
				{Kind: judge.Unexpected, Subject: name("shell.exec"), Calls: 4, Runs: []int{1, 3, 5}},
			}},
		}
	}
	failing := gate("equal_function_sets", 20, judge.Fail)
	failing.Assertions = []judge.Assertion{
		{Target: "tool_selection.f1", Matcher: ">= 80", Actual: f1, Verdict: judge.Fail, Line: 28, Message: name("tool_selection.f1 is 50%, expected >= 80")},
		{Target: "tool_selection.recall", Matcher: ">= 50", Actual: f1, Verdict: judge.Pass, Line: 29},
		{Target: "tool_selection.precision", Matcher: ">= 50", Verdict: judge.Skipped, Line: 30},
	}
	c := report.Case{
		ID: name("suites/a.yml::research::gpt-5"), Suite: name("suites/a.yml"), Name: name("research"), Model: report.Optional(name("gpt-5")),
		Line: 12, Verdict: judge.Fail, Runs: report.Runs{Recorded: 5, Scored: 5},
		Gates: []judge.Result{failing, gate("token_efficiency", 20, judge.Pass)},
	}
	for run := 1; run <= 5; run++ {
		row := report.Row{Run: run, Verdict: judge.Pass, Called: []string{name("web.search")}}
		if run%2 == 1 {
			row.Called = append(row.Called, name("shell.exec"))
			c.Expect = append(c.Expect, report.RunAssertion{Run: run, Assertion: judge.Assertion{
				Target: "final_response", Matcher: name(`contains "x"`), Actual: "SECRET", Verdict: judge.Fail, Line: 31,
				Message: `final_response is "SECRET", expected contains "x"`,
			}})
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

func floors(name func(string) string) report.Case {
	return report.Case{
		ID: name("suites/a.yml::weather"), Suite: name("suites/a.yml"), Name: name("weather"), Line: 50, Verdict: judge.Fail,
		Runs: report.Runs{Recorded: 10, Scored: 10},
		Gates: []judge.Result{{
			Gate: "tool_selection", Line: 54, Verdict: judge.Fail, MaxDrop: &judge.MaxDrop{Target: "tool_selection.rate", Most: 10},
			Metrics: map[string]judge.Value{"tool_selection.rate": judge.Int(70, judge.Percent)},
			Assertions: []judge.Assertion{
				{
					Target: "min_selection_rate", Matcher: ">= 0.9", Verdict: judge.Fail, Line: 56, Message: "not said",
					Breach: &judge.Breach{
						Case: name("weather"), Figure: "selection rate 70%", Bound: "90%", Of: "7 of 10 runs selected `get_weather`",
						Runs: []judge.BreachRun{{Run: 4, Did: "did not select `get_weather`, called " + name("search")}},
					},
				},
				{
					Target: "max_total_tokens", Matcher: "<= 100", Verdict: judge.Fail, Line: 57, Message: "not said",
					Breach: &judge.Breach{
						Case: name("weather"), Figure: "worst run 120 tokens", Bound: "100-token", Of: "1 of 10 runs", Budget: true,
						Runs: []judge.BreachRun{{Run: 2, Did: "120 tokens, over budget"}},
					},
				},
			},
			Headline: "tool-selection floor [FAIL] " + name("weather") + ": selection 7/10 (70%), pass^1 70%",
		}},
	}
}

func addChanges(r *report.Report, name func(string) string) {
	changed := report.StaleTool{Server: name("web"), Name: name("search"), Change: report.Changed, Path: name("catalogs/web.json"), Line: 5}
	removed := report.StaleTool{Server: name("web"), Name: name("fetch"), Change: report.Removed, Path: name("catalogs/web.json")}
	r.Cases[0].Freshness = &report.Freshness{State: report.Broken, Since: report.SinceChange, Tools: []report.StaleTool{removed, changed}}
	r.Cases[1].Freshness = &report.Freshness{State: report.Affected, Since: report.SinceChange, Tools: []report.StaleTool{changed}}
	r.Cases[2].Freshness = &report.Freshness{State: report.Affected, Since: report.SinceBase, Tools: []report.StaleTool{removed}}
	r.Baseline = &report.Comparison{Weakened: []report.Weakening{
		{Kind: report.InEffect, Suite: name("suites/a.yml"), Name: name("padded"), Model: report.Optional(name("m")), Line: 80, Base: "fail", Head: "pass",
			Reason: name("distractors.accuracy is 50, expected >= 80"), Settings: []string{name("distractors.expect.distractors.accuracy")}},
		{Kind: report.CaseRemoved, Suite: name("suites/a.yml"), Name: name("gone")},
	}, Breaking: []report.Breaking{
		{Kind: change.NewlyRequired, Server: name("web"), Tool: name("search"), Argument: report.Optional(name("q")),
			Message: name("is required now"), Path: name("catalogs/web.json"), Line: 7},
		{Kind: change.ToolRemoved, Server: name("web"), Tool: name("fetch"), Message: name("tool is gone"), Path: name("catalogs/web.json"), Line: 1},
		{Kind: change.ToolRemoved, Server: name("web"), Tool: name("lost"), Message: name("tool is gone"), Path: name("catalogs/deleted.json")},
	}, Outdated: []report.OutdatedTool{
		{Server: name("web"), Name: name("search"), What: report.WhatDescription, Says: name("Search the web."), Path: name("catalogs/web.json"), Line: 5,
			Source: report.Place{Path: name("src/server.js"), Line: 31}, Update: report.Optional(name("mcp-gates snapshot --server web --update"))},
		{Server: name("web"), Name: name("fetch"), What: report.WhatName, Says: name("fetch"), Path: name("catalogs/web.json"), Line: 9,
			Source: report.Place{Path: name("src/gone.js")}},
	}, Cases: []report.Pair{
		{ID: name("suites/a.yml::weather"), Base: judge.Fail, Drops: []report.Drop{{Target: "tool_selection.rate", Base: "90", Head: "70", Most: 10}}},
	}}
}

func others(name func(string) string) []report.Case {
	return []report.Case{
		{
			Suite: name("suites/a.yml"), Name: name("third"), Line: 60, Verdict: judge.Error,
			Err: &judge.Problem{Message: name("is not valid JSON"), Path: name("c/third.json"), Line: 2, Exit: 2},
		},
		{
			Suite: name("suites/a.yml"), Name: name("fourth"), Line: 70, Verdict: judge.Error,
			Err: &judge.Problem{Message: name("1 of 2 runs did not finish"), Path: name("c/fourth.json"), Line: 9, Exit: 2},
			Gates: []judge.Result{{
				Gate: "token_efficiency", Line: 72, Verdict: judge.Error,
				Err: &judge.Problem{Message: name("there is no tool catalog"), Path: name("suites/a.yml"), Line: 72, Exit: 2},
			}},
		},
		{
			Suite: name("suites/a.yml"), Name: name("padded"), Line: 80, Verdict: judge.Pass, Runs: report.Runs{Recorded: 2, Scored: 2},
			Gates: []judge.Result{{
				Gate: "distractors", Line: 82, Verdict: judge.Pass,
				Grounds: judge.Grounds{Notes: []judge.Note{{Kind: judge.Chosen, Subject: name("hr.payroll"), Calls: 2, Runs: []int{2}}}},
			}},
		},
		{
			Suite: name("suites/a.yml"), Name: name("descriptions"), Line: 90, Verdict: judge.Fail,
			Gates: []judge.Result{{Gate: "tool_quality", Line: 92, Verdict: judge.Fail, Assertions: []judge.Assertion{{
				Target: "descriptions.critical", Matcher: "<= 0", Actual: judge.Int(1, judge.Number), Verdict: judge.Fail, Line: 93,
				Message: name("descriptions.critical is 1, expected <= 0"),
			}}}},
		},
	}
}
