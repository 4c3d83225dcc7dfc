package compare_test

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
	"github.com/org/mcp-gates/internal/report/reporttest"
)

// saved returns the report as it comes back from a file.
func saved(t *testing.T, r *report.Report) *report.Report {
	t.Helper()
	var b bytes.Buffer
	if err := report.JSON(&b, r); err != nil {
		t.Fatalf("JSON: %v", err)
	}
	back, err := report.Read(&b)
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return back
}

func kindsOf(list []report.Regression) []string {
	var kinds []string
	for _, r := range list {
		kinds = append(kinds, strings.TrimSpace(r.Kind+" "+r.What))
	}
	return kinds
}

func TestRegressions(t *testing.T) {
	cat := reporttest.CatalogOf("search=96", "fetch=120")
	critical := reporttest.Finding("DESC-001", "critical", "fetch", "has no description")
	for _, test := range []struct {
		name       string
		base, head *report.Report
		want       []string
	}{
		{"the same", reporttest.Of(reporttest.Research("a", 1, 80, reporttest.Good)), reporttest.Of(reporttest.Research("a", 1, 80, reporttest.Good)), nil},
		{"pass to fail", reporttest.Of(reporttest.Research("a", 1, 80, reporttest.Good)), reporttest.Of(reporttest.Research("a", 1, 80, reporttest.NoFetch)), []string{"verdict"}},
		{"pass to skipped", reporttest.Of(reporttest.Named("a", 1)), reporttest.Of(reporttest.With(reporttest.Named("a", 1), reporttest.WithVerdict(judge.Skipped))), []string{"verdict", "weakened: " + report.NotJudged}},
		{"skipped to fail", reporttest.Of(reporttest.With(reporttest.Named("a", 1), reporttest.WithVerdict(judge.Skipped))), reporttest.Of(reporttest.With(reporttest.Named("a", 1), reporttest.WithVerdict(judge.Fail))), []string{"verdict"}},
		{"fail to error", reporttest.Of(reporttest.With(reporttest.Named("a", 1), reporttest.WithVerdict(judge.Fail))), reporttest.Of(reporttest.With(reporttest.Named("a", 1), reporttest.WithVerdict(judge.Error))), []string{"verdict"}},
		{"error to fail", reporttest.Of(reporttest.With(reporttest.Named("a", 1), reporttest.WithVerdict(judge.Error))), reporttest.Of(reporttest.With(reporttest.Named("a", 1), reporttest.WithVerdict(judge.Fail))), nil},
		{"a failing figure falls", reporttest.Of(reporttest.Research("a", 1, 80, reporttest.NoFetch)), reporttest.Of(reporttest.Research("a", 1, 80, reporttest.WithExec)), []string{"figure tool_selection.f1"}},
		{"a failing figure rises", reporttest.Of(reporttest.Research("a", 1, 80, reporttest.WithExec)), reporttest.Of(reporttest.Research("a", 1, 80, reporttest.NoFetch)), nil},
		{"a failing rate falls", reporttest.Of(reporttest.Floored("a", 1, 7, 10)), reporttest.Of(reporttest.Floored("a", 1, 6, 10)), []string{"figure min_selection_rate"}},
		{"a passing figure falls", reporttest.Of(reporttest.Research("a", 1, 50, reporttest.Good)), reporttest.Of(reporttest.Research("a", 1, 50, reporttest.NoFetch)), nil},
		{"a new case passes", reporttest.Of(), reporttest.Of(reporttest.Named("a", 1)), nil},
		{"a new case fails", reporttest.Of(), reporttest.Of(reporttest.With(reporttest.Named("a", 1), reporttest.WithVerdict(judge.Fail))), []string{"new_case"}},
		{"a case is gone", reporttest.Of(reporttest.Named("a", 1), reporttest.Named("b", 9)), reporttest.Of(reporttest.Named("a", 1)), []string{"weakened: " + report.CaseRemoved}},
		{"a case was gone before", reporttest.Of(reporttest.Named("a", 1), reporttest.With(reporttest.Named("b", 9), func(c *report.Case) { c.Removed = true })), reporttest.Of(reporttest.Named("a", 1)), nil},
		{"a suite has a mistake", reporttest.Of(reporttest.Named("a", 1), reporttest.Named("b", 9)), reporttest.Of(report.Problem{Path: "suites/tools.yml", Line: 3, Col: 1, Message: "unknown key"}), []string{"not_evaluated 2 cases"}},
		{"a new critical finding", reporttest.Of(cat), reporttest.Of(reporttest.Found(cat, critical)), []string{"critical DESC-001 fetch"}},
		{"a second critical finding like the first", reporttest.Of(reporttest.Found(cat, critical)), reporttest.Of(reporttest.Found(cat, critical, critical)), []string{"critical DESC-001 fetch"}},
		{"a new warning", reporttest.Of(cat), reporttest.Of(reporttest.Found(cat, reporttest.Finding("DESC-010", "warning", "fetch", "says nothing"))), nil},
		{"a finding is worded and placed anew", reporttest.Of(reporttest.Found(cat, critical)), reporttest.Of(reporttest.Found(cat, edited(critical, func(f *report.Finding) { f.Line, f.Message = 90, "lacks one" }))), nil},
		{"more surface tokens", reporttest.Of(cat), reporttest.Of(reporttest.CatalogOf("search=9600", "fetch=120")), nil},
		{"findings of a catalog that the base could not read", reporttest.Of(report.Problem{Path: "suites/tools.yml", Line: 3, Col: 1, Message: "unknown key"}), reporttest.Of(reporttest.Found(cat, critical)), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := compare.Reports(test.base, test.head, compare.Options{})
			kinds := kindsOf(got.Regressions)
			for _, w := range got.Weakened {
				kinds = append(kinds, "weakened: "+w.Kind)
			}
			if diff := cmp.Diff(test.want, kinds); diff != "" {
				t.Errorf("regressions: -want +got\n%s", diff)
			}
			back := compare.Reports(saved(t, test.base), saved(t, test.head), compare.Options{})
			if diff := cmp.Diff(kindsOf(got.Regressions), kindsOf(back.Regressions)); diff != "" {
				t.Errorf("of saved reports: -want +got\n%s", diff)
			}
		})
	}
}

func edited(f report.Finding, edit func(*report.Finding)) report.Finding {
	edit(&f)
	return f
}

// A run that used more than any before is a change, even where the median is as it was.
func TestMaximumOfRunTokensIsAChange(t *testing.T) {
	using := func(most int64) *report.Report {
		return reporttest.Of(reporttest.With(reporttest.Floored("a", 1, 9, 10), func(c *report.Case) { c.Tokens = &report.Tokens{Total: 15_000, Median: 1500, Max: most} }))
	}
	got := compare.Reports(saved(t, using(1520)), saved(t, using(12_520)), compare.Options{})
	if !got.IsChanged() || !got.Cases[0].Changed {
		t.Errorf("got %+v, want a changed case", got.Cases[0])
	}
	want := []report.Delta{{Name: "run_tokens", Base: "1500", Head: "1500"}, {Name: "run_tokens_max", Base: "1520", Head: "12520"}}
	tokens := slices.DeleteFunc(got.Cases[0].Figures, func(d report.Delta) bool { return !strings.HasPrefix(d.Name, "run_tokens") })
	if diff := cmp.Diff(want, tokens); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if same := compare.Reports(using(1520), using(1520), compare.Options{}); same.IsChanged() {
		t.Errorf("got %+v of equal reports, want no change", same.Cases[0])
	}
}

func TestRenames(t *testing.T) {
	moved := func(c *report.Case) {
		c.Cassettes = []string{"elsewhere.json"}
		c.Recordings = []report.Recording{{Path: "elsewhere.json", SHA256: c.Recordings[0].SHA256, Runs: 10}}
	}
	onModel := func(m report.Optional) func(*report.Case) {
		return func(c *report.Case) { c.Model, c.ID = m, c.ID+"::"+string(m) }
	}
	for _, test := range []struct {
		name       string
		base, head []any
		was        string // of the head's last case
	}{
		{"by path", []any{reporttest.Named("a", 1)}, []any{reporttest.With(reporttest.Named("a", 1), reporttest.RenamedTo("b"))}, "suites/tools.yml::a"},
		{"by bytes", []any{reporttest.Named("a", 1)}, []any{reporttest.With(reporttest.Named("a", 1), reporttest.RenamedTo("b"), moved)}, "suites/tools.yml::a"},
		{"not when the old one is there", []any{reporttest.Named("a", 1)}, []any{reporttest.Named("a", 1), reporttest.With(reporttest.Named("a", 1), reporttest.RenamedTo("b"))}, ""},
		{"not without evidence", []any{reporttest.With(reporttest.Named("a", 1), func(c *report.Case) { c.Cassettes, c.Recordings = nil, nil })},
			[]any{reporttest.With(reporttest.Named("a", 1), reporttest.RenamedTo("b"), func(c *report.Case) { c.Cassettes, c.Recordings = nil, nil })}, ""},
		{"the same model first", []any{reporttest.With(reporttest.Named("a", 1), onModel("x")), reporttest.With(reporttest.Named("a", 1), onModel("y"))},
			[]any{reporttest.With(reporttest.Named("a", 1), reporttest.RenamedTo("b"), onModel("y"))}, "suites/tools.yml::a::y"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := compare.Reports(reporttest.Of(test.base...), reporttest.Of(test.head...), compare.Options{})
			if was := string(got.Cases[len(got.Cases)-1].WasID); was != test.was {
				t.Errorf("the case was %q, want %q", was, test.was)
			}
			if renames := len(test.base) + 1 - len(got.Removed); test.was != "" && len(got.Cassettes) > 0 {
				t.Errorf("%d renames, but cassettes changed: %v", renames, got.Cassettes)
			}
		})
	}
}

func TestWeakenings(t *testing.T) {
	const f1 = "equal_function_sets.expect.tool_selection.f1"
	for _, test := range []struct{ key, base, head, want string }{
		{f1, ">= 80", ">= 60", report.BoundLowered},
		{f1, ">= 80", "> 80", ""},
		{f1, "> 80", ">= 80", report.BoundLowered},
		{f1, ">= 60", ">= 80", ""},
		{f1, ">= 80", "", report.AssertionRemoved},
		{f1, "", ">= 80", ""},
		{f1, "== 100", ">= 100", report.BoundRaised},
		{f1, ">= 10 and <= 20", ">= 10", report.BoundRaised},
		{f1, ">= 10", ">= 10 and <= 20", ""},
		{f1, "!= 3", "!= 4", report.SettingChanged},
		{f1, ">= 80", `exact 3`, report.BoundLowered},
		{f1, ">= 80", `exact 81`, ""},
		{f1, "exact 81", ">= 80", report.BoundLowered},
		{f1, ">= 80 and != 90", ">= 80", report.SettingChanged},
		{f1, ">= 80", ">= 80 and != 90", ""},
		{f1, "!= 90", ">= 91", ""},
		{"distractors.expect.distractors.chose_distractor", "<= 0", "<= 2", report.BoundRaised},
		{"expect.tool_calls[0].args.city", `exact "Rome"`, `exact "Paris"`, report.SettingChanged},
		{"expect.tool_names", `contains "fetch"`, "", report.AssertionRemoved},
		{"expect.max_duration_ms", "<= 100", "<= 200", report.BoundRaised},
		{"runs", "10", "5", report.FewerRuns},
		{"runs", "5", "10", ""},
		{"allow_run_errors", "0", "1", report.MoreErrorsAllowed},
		{"allow_run_errors", "1", "0", ""},
		{"stale_catalog", "default", "warn", report.StaleAllowed},
		{"stale_catalog", "fail", "default", report.StaleAllowed},
		{"stale_catalog", "fail", "affected", report.StaleAllowed},
		{"stale_catalog", "affected", "default", report.StaleAllowed},
		{"stale_catalog", "default", "affected", ""},
		{"stale_catalog", "warn", "fail", ""},
		{"cassette", `["a.json"]`, `["b.json"]`, report.SettingChanged},
		{"pricing.input", "3000000", "1", report.PriceLowered},
		{"pricing.input", "1/3", "1/2", ""},
		{`servers["web"].catalog`, "a.json", "b.json", report.SettingChanged},
		{"tool_selection.min_selection_rate", "0.8", "0.5", report.LowerMinimum},
		{"tool_selection.min_certified_rate", "60", "", report.MinimumRemoved},
		{"tool_selection.min_certified_rate", "", "60", ""},
		{"tool_selection.min_pass_hat.k", "3", "1", report.LowerMinimum},
		{"tool_selection.max_total_tokens", "2000", "4000", report.HigherMaximum},
		{"tool_selection.max_total_tokens", "2000", "", report.MaximumRemoved},
		{"tool_selection.max_total_tokens", "", "2000", ""},
		{"tool_selection.expected_tool", "a", `["b","a"]`, report.ToolAdded},
		{"tool_selection.expected_tool", `["a","b"]`, "a", ""},
		{"tool_selection.expected_tool", "a", `["a"]`, ""},
		{`equal_function_sets.classes["x"].members`, `["a"]`, `["a","b"]`, report.ToolAdded},
		{`equal_function_sets.classes["x"].members`, `["a","b"]`, `["b","a"]`, ""},
		{`equal_function_sets.classes["x"].members`, `["a","b"]`, `["b"]`, ""},
		{`equal_function_sets.classes["x"].members`, "", `["b"]`, report.ClassAdded},
		{`equal_function_sets.classes["x"].members`, `["b"]`, "", report.ClassRemoved},
		{`equal_function_sets.classes["a.expect.b"].members`, "", `["b"]`, report.ClassAdded},
		{`equal_function_sets.classes["a.min_b\"]"].members`, "", `["b"]`, report.ClassAdded},
		{"equal_function_sets.classes[\"x\"].members", `["cut of`, `["cut off`, report.SettingChanged},
		{"distractors.count", "8", "4", report.FewerDistractors},
		{"distractors.correct", `["a"]`, `["a","b"]`, report.ToolAdded},
		{"distractors.correct", `["a"]`, "", report.NothingCorrect},
		{"distractors.correct", "", `["a"]`, report.ToolAdded},
		{"distractors.source.from", "catalog", "near_duplicate", report.SettingChanged},
		{"orchestration.error_pattern", "(?i)^error", "", report.PatternRemoved},
		{"orchestration.error_pattern", "[a-z]", "[b-z]", report.SettingChanged},
		{`faults["hang of s.min_a"].times`, "2", "1", report.FaultMilder},
		{`faults["hang of s.a"].times`, "1", "2", ""},
		{`faults["hang of s.a"].times`, "", "1", ""},
		{`faults["hang of s.a"].times`, "1", "", report.FaultRemoved},
		{`faults["hang of s.a"].delay_ms`, "5000", "4999", report.FaultMilder},
		{`faults["hang of s.a"].delay_ms`, "5000", "6000", ""},
		{`faults["hang of s.a"].delay_ms`, "5000", "", ""},
		{"tool_quality.rules.disable", `["DESC-001"]`, `["DESC-001","DESC-002"]`, report.RuleDisabled},
		{"tool_quality.rules.disable", `["DESC-001"]`, "", ""},
		{"tool_quality.rules.disable", "", `["DESC-001"]`, report.RuleDisabled},
		{"tool_quality.rules.ignore", `[{"reason":"a","rule":"DESC-001"}]`, `[{"reason":"b","rule":"DESC-001"}]`, ""},
		{"tool_quality.rules.ignore", `[]`, `[{"reason":"b","rule":"DESC-001"}]`, report.RuleIgnored},
		{`tool_quality.rules.severity["DESC-001"]`, "critical", "warning", report.SeverityLowered},
		{`tool_quality.rules.severity["DESC-001"]`, "critical", "", ""},
		{`tool_quality.rules.severity["DESC-006"]`, "critical", "", report.SeverityLowered},
		{`tool_quality.rules.severity["DESC-001"]`, "", "critical", ""},
		{`tool_quality.rules.severity["DESC-001"]`, "", "warning", report.SeverityLowered},
		{`tool_quality.rules.severity["DESC-999"]`, "", "warning", report.SettingChanged},
		{"some_gate.new_key", "1", "2", report.SettingChanged},
		{"some_gate.new_key", "", "2", report.SettingChanged},
		{"some_gate.new_key", "2", "", report.SettingChanged},
		{"tool_selection", judge.GatePresent, "", report.GateRemoved},
		{"tool_selection", "", judge.GatePresent, ""},
	} {
		name := fmt.Sprintf("%s %q to %q", test.key, test.base, test.head)
		base := reporttest.With(reporttest.Named("a", 1), reporttest.Set("runs", ""), reporttest.Set("runs", "3"), reporttest.Set(test.key, test.base))
		head := reporttest.With(reporttest.Named("a", 1), reporttest.Set("runs", ""), reporttest.Set("runs", "3"), reporttest.Set(test.key, test.head))
		if test.key == "cassette" {
			head.Recordings = []report.Recording{{Path: "b.json", SHA256: "other"}}
		}
		got := ""
		for _, w := range weakened(base, head, false) {
			got += w.Kind
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// A gate that is new or gone is reported once, not key by key.
func TestWeakeningOfWholeGates(t *testing.T) {
	with1, without1 := reporttest.Floored("a", 1, 9, 10), reporttest.With(reporttest.Floored("a", 1, 9, 10), func(c *report.Case) { c.Settings = c.Settings[:3] })
	if got := weakened(without1, with1, false); got != nil {
		t.Errorf("a gate that was added: got %v", got)
	}
	got := weakened(with1, without1, false)
	if len(got) != 1 || got[0].Kind != report.GateRemoved || got[0].Key != "tool_selection" {
		t.Errorf("a gate that was removed: got %v", got)
	}
}

func TestTools(t *testing.T) {
	base := reporttest.CatalogOf("search=96", "fetch=120", "same=5")
	moved := reporttest.CatalogOf("same=5", "search=200", "added=300")
	moved.Path = "catalogs/moved.json"
	want := []report.ToolChange{
		{Kind: report.Added, Server: "web", Name: "added", Path: "catalogs/moved.json", Line: 24, Base: 0, Head: 300},
		{Kind: report.Changed, Server: "web", Name: "search", Path: "catalogs/moved.json", Line: 14, Base: 96, Head: 200},
		{Kind: report.Removed, Server: "web", Name: "fetch", Path: "catalogs/web.json", Line: 0, Base: 120, Head: 0},
	}
	if diff := cmp.Diff(want, compare.Reports(reporttest.Of(base), reporttest.Of(moved), compare.Options{}).Tools); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestFisherInComparison(t *testing.T) {
	got := compare.Reports(reporttest.Of(reporttest.Floored("a", 1, 10, 10)), reporttest.Of(reporttest.Floored("a", 1, 6, 10)), compare.Options{}).Cases[0].Figure(report.FigureSelectionRate)
	want := report.Delta{Name: report.FigureSelectionRate, Base: "100", Head: "60", P: "0.0867", Runs: &[2]int{10, 10}, Needed: 13}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if said := got.Significance(); said != "not distinguishable with 10 and 10 runs (p = 0.09); 13 runs a side would tell" {
		t.Errorf("got %q", said)
	}
}

// A case that the comparison lacks, or every one where there is none, has a pair of its own figures and faults.
func TestPairs(t *testing.T) {
	head := reporttest.Of(reporttest.Floored("a", 1, 6, 10), reporttest.Research("b", 9, 80, reporttest.WithExec))
	alone := compare.Pairs(head)
	if len(alone) != 2 || alone[0].ID != head.Cases[0].ID || alone[0].Base != "" || alone[1].Figure("f1").Head == "" || len(alone[1].NewUnexpected) != 1 || len(alone[1].NewFailures) != 1 {
		t.Errorf("without a comparison: %+v, want the figures and faults of both", alone)
	}
	head.Baseline = compare.Reports(reporttest.Of(reporttest.Floored("a", 1, 9, 10)), head, compare.Options{})
	head.Baseline.Cases = head.Baseline.Cases[:1]
	both := compare.Pairs(head)
	if diff := cmp.Diff(head.Baseline.Cases[0], both[0]); diff != "" {
		t.Errorf("the pair of the comparison: -want +got\n%s", diff)
	}
	if diff := cmp.Diff(alone[1], both[1]); diff != "" {
		t.Errorf("the pair that it lacks: -want +got\n%s", diff)
	}
}
