package reporttest

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/stat"
)

// Of returns a report of the cases and catalogs given.
func Of(parts ...any) *report.Report {
	r := &report.Report{Version: report.Version, Tool: report.Tool{Name: "mcp-gates", Version: "0.0.0-test"}, Mode: "replay"}
	for _, part := range parts {
		switch p := part.(type) {
		case report.Case:
			r.Cases = append(r.Cases, p)
		case report.Catalog:
			r.Catalogs = append(r.Catalogs, p)
		case report.Problem:
			r.Problems = append(r.Problems, p)
		}
	}
	r.Conclude()
	return r
}

// With returns the case changed by edits.
func With(c report.Case, edits ...func(*report.Case)) report.Case {
	for _, edit := range edits {
		edit(&c)
	}
	return c
}

// Named returns a case without gates.
func Named(name string, line int) report.Case {
	return report.Case{
		ID: "suites/tools.yml::" + name, Suite: "suites/tools.yml", Name: name, Line: line, Verdict: judge.Pass,
		Cassettes:  []string{"suites/cassettes/tools/" + name + ".json"},
		Recordings: []report.Recording{{Path: "suites/cassettes/tools/" + name + ".json", SHA256: report.Optional(strings.Repeat(name[:1], 64)), Runs: 10, Recorder: "mcp-gates 0.1.0", Hashed: true, Keeps: nil}},
		Settings:   []report.Setting{{Key: "allow_run_errors", Value: "0", Line: line}, {Key: "runs", Value: "10", Line: line + 1}, {Key: "stale_catalog", Value: "default", Line: line}},
	}
}

// Research returns a case with one gate of two classes, fetch and search, over runs that made the given calls. The case expects
// an F1 of at least floor.
func Research(name string, line, floor int, runs ...string) report.Case {
	c := Named(name, line)
	g := judge.Result{Gate: "equal_function_sets", Line: line + 4}
	tp := 0
	var missed []int
	unexpected := judge.Note{Kind: judge.Unexpected}
	for i, run := range runs {
		called := strings.Fields(run)
		n := int64(1500 + 40*i)
		c.Rows = append(c.Rows, report.Row{Run: i + 1, Name: fmt.Sprintf("%s #%d", name, i+1), Verdict: judge.Pass, Called: called, Tokens: &n})
		fetched := false
		for _, tool := range called {
			switch tool {
			case "web.search":
				tp++
			case "web.fetch":
				tp++
				fetched = true
			default:
				unexpected.Subject = tool
				unexpected.Calls++
				unexpected.Runs = append(unexpected.Runs, i+1)
			}
		}
		if !fetched {
			missed = append(missed, i+1)
		}
	}
	g.Counts = map[string]int{"tp": tp, "fp": unexpected.Calls, "fn": len(missed)}
	f1 := judge.Int(stat.FloorPercent(int64(2*tp), int64(2*tp+unexpected.Calls+len(missed))), judge.Percent)
	g.Metrics = map[string]judge.Value{
		"tool_selection.f1":        f1,
		"tool_selection.precision": judge.Int(stat.FloorPercent(int64(tp), int64(tp+unexpected.Calls)), judge.Percent),
		"tool_selection.recall":    judge.Int(stat.FloorPercent(int64(tp), int64(tp+len(missed))), judge.Percent),
	}
	if missed != nil {
		g.Notes = append(g.Notes, judge.Note{
			Kind: judge.Missed, Subject: "fetch", Runs: missed, Line: line + 7, Members: []string{"web.fetch", "http.get"},
		})
	}
	if unexpected.Calls > 0 {
		g.Notes = append(g.Notes, unexpected)
	}
	bound := judge.Int(floor, judge.Percent)
	a := judge.Assertion{Target: "tool_selection.f1", Matcher: fmt.Sprintf(">= %d", floor), Actual: f1, Verdict: judge.Pass, Line: line + 9}
	if f1.Cmp(bound) < 0 {
		a.Verdict, a.Message = judge.Fail, fmt.Sprintf("tool_selection.f1 is %s, expected >= %d", f1.Format(), floor)
	}
	g.Assertions, g.Verdict = []judge.Assertion{a}, a.Verdict
	c.Gates, c.Verdict = append(c.Gates, g), a.Verdict
	c.Runs = report.Runs{Recorded: len(runs), Scored: len(runs), Errors: 0}
	c.Tokens = &report.Tokens{Total: int64(1500 * len(runs)), Median: 1500, Max: 1500 + 40*int64(len(runs)-1)}
	c.Settings = append(c.Settings,
		report.Setting{Key: "equal_function_sets", Value: judge.GatePresent, Line: line + 4},
		report.Setting{Key: `equal_function_sets.classes["fetch"].members`, Value: `["http.get","web.fetch"]`, Line: line + 7},
		report.Setting{Key: `equal_function_sets.classes["search"].members`, Value: `["web.search"]`, Line: line + 6},
		report.Setting{Key: "equal_function_sets.expect.tool_selection.f1", Value: a.Matcher, Line: line + 9})
	return c
}

// Floored returns a case with a selection floor of 80 % over n runs. selected is the number of runs that chose the expected
// tool.
func Floored(name string, line, selected, n int) report.Case {
	c := Named(name, line)
	rate := judge.Int(stat.FloorPercent(int64(selected), int64(n)), judge.Percent)
	g := judge.Result{
		Gate: "tool_selection", Line: line + 4, Verdict: judge.Pass,
		Metrics:  map[string]judge.Value{"tool_selection.rate": rate, "tool_selection.within_budget_rate": rate},
		Headline: fmt.Sprintf("tool-selection floor [PASS] %s: selection %d/%d (%s), pass^1 %s", name, selected, n, rate.Format(), rate.Format()),
	}
	g.Counts = map[string]int{"runs": n, "selected": selected, "within_budget": selected}
	a := judge.Assertion{
		Target: "min_selection_rate", Matcher: ">= 0.8", Actual: judge.Ratio(int64(selected), int64(n), judge.Fraction), Verdict: judge.Pass, Line: line + 5,
	}
	if 10*selected < 8*n {
		a.Verdict, g.Verdict, c.Verdict = judge.Fail, judge.Fail, judge.Fail
		a.Breach = &judge.Breach{
			Case: name, Figure: "selection rate " + rate.Format(), Bound: "80%", Of: fmt.Sprintf("%d of %d runs selected `get_weather`", selected, n),
		}
	}
	g.Assertions = []judge.Assertion{a}
	c.Gates, c.Runs = []judge.Result{g}, report.Runs{Recorded: n, Scored: n, Errors: 0}
	c.Settings = append(c.Settings,
		report.Setting{Key: "tool_selection", Value: judge.GatePresent, Line: line + 4},
		report.Setting{Key: "tool_selection.expected_tool", Value: `["get_weather"]`, Line: line + 5},
		report.Setting{Key: "tool_selection.min_selection_rate", Value: "0.8", Line: line + 5})
	return c
}

// CatalogOf returns a catalog of server web. Each of its tools is given as NAME=TOKENS.
func CatalogOf(tools ...string) report.Catalog {
	c := report.Catalog{Name: "web", Path: "catalogs/web.json", MinScore: "0.5833", MeanScore: "0.7916"}
	for i, spec := range tools {
		name, digits, _ := strings.Cut(spec, "=")
		tokens := 0
		fmt.Sscan(digits, &tokens)
		c.Tools = append(c.Tools, report.CatalogTool{Server: "web", Name: name, Tokens: report.Count(tokens), Score: "0.5833", Line: 4 + 10*i, SHA256: report.Optional(spec)})
		c.SurfaceTokens += report.Count(tokens)
	}
	return c
}

// Finding returns a finding about a tool of server web.
func Finding(rule, severity, tool, message string) report.Finding {
	return report.Finding{Rule: rule, Severity: severity, Server: "web", Tool: tool, Message: message, Path: "catalogs/web.json", Line: 6}
}

// Found returns the catalog with findings.
func Found(c report.Catalog, findings ...report.Finding) report.Catalog {
	c.Findings = findings
	for _, f := range findings {
		if f.Severity == "critical" {
			c.Counts.Critical++
		} else {
			c.Counts.Warning++
		}
	}
	return c
}

// Set replaces a setting of a case, or removes it when the value is "".
func Set(key, value string) func(*report.Case) {
	return func(c *report.Case) {
		var list []report.Setting
		done := false
		for _, s := range c.Settings {
			if s.Key == key {
				done = true
				s.Value = value
			}
			if s.Value != "" {
				list = append(list, s)
			}
		}
		if !done && value != "" {
			list = append(list, report.Setting{Key: key, Value: value, Line: c.Line + 3})
		}
		c.Settings = list
	}
}

func RenamedTo(name string) func(*report.Case) {
	return func(c *report.Case) { c.Name, c.ID = name, "suites/tools.yml::"+name }
}

// WithVerdict gives a case a verdict.
func WithVerdict(v judge.Verdict) func(*report.Case) { return func(c *report.Case) { c.Verdict = v } }

// Asserting returns a failing case with one gate. Each of its assertions is given as TARGET VERDICT MATCHER.
func Asserting(gate string, verdict judge.Verdict, assertions ...string) report.Case {
	c := With(Named("a", 1), WithVerdict(verdict))
	g := judge.Result{Gate: gate, Verdict: verdict}
	for i, spec := range assertions {
		part := strings.SplitN(spec, " ", 3)
		a := judge.Assertion{Target: part[0], Verdict: judge.Verdict(part[1]), Matcher: part[2], Line: 5 + i}
		if a.Verdict == judge.Pass {
			a.Actual = judge.Int(8, judge.Number)
		}
		g.Assertions = append(g.Assertions, a)
	}
	c.Gates = []judge.Result{g}
	return c
}

// Expecting returns a failing case with an expectation on tool_names. runs has its verdict in each run.
func Expecting(matcher string, runs ...judge.Verdict) report.Case {
	c := With(Named("a", 1), WithVerdict(judge.Fail))
	for i, v := range runs {
		c.Expect = append(c.Expect, report.RunAssertion{Run: i + 1, Assertion: judge.Assertion{Target: "tool_names", Matcher: matcher, Verdict: v, Line: 9}})
	}
	return c
}

// The calls that the runs of [Research] make.
const (
	Good     = "web.search web.fetch"
	NoFetch  = "web.search"
	WithExec = "web.search shell.exec"
)
