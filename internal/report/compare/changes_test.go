package compare_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/reporttest"
)

// changesIn writes a comparison, a line for each thing that differs.
func changesIn(c *report.Comparison) []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, p := range c.Cases {
		switch {
		case p.New:
			add("new %s", p.ID)
		case p.WasID != "":
			add("renamed %s from %s", p.ID, p.WasID)
		case p.Changed:
			add("changed %s", p.ID)
		}
		for _, d := range p.Others {
			add("figure %s %s, was %s", d.Name, d.Head, d.Base)
		}
		for _, name := range p.NewMissed {
			add("missed %s", name)
		}
		for _, name := range p.NewUnexpected {
			add("unexpected %s", name)
		}
		for _, name := range p.NewFailures {
			add("fails %s", name)
		}
	}
	for _, r := range c.Regressions {
		was := ""
		if r.Head != "" {
			was = fmt.Sprintf(", %s, was %q", r.Head, r.Base)
		}
		add("regression %s %s %s at %s:%d%s", r.Kind, r.Case, r.What, r.Path, r.Line, was)
	}
	for _, w := range c.Weakened {
		add("weakened %s", w.Kind)
	}
	for _, u := range c.Unjudged {
		add("unjudged %s: %s", u.Case, u.Reason)
	}
	for _, e := range c.Executable {
		add("executes %s, was %q", e.Head, e.Base)
	}
	for _, o := range c.Outdated {
		add("outdated %s", o.Name)
	}
	for _, i := range c.Instructions {
		add("instructions of %s in %s", i.Server, i.Path)
	}
	for _, one := range c.Cassettes {
		add("cassette %s %s", one.Kind, one.Path)
	}
	for _, m := range c.Scores {
		add("score %s %s, was %s", m.Figure, m.Head, m.Base)
	}
	for _, f := range c.Fixed {
		add("fixed %s", f.Rule)
	}
	if b, h := c.Totals[0].Surface, c.Totals[1].Surface; b != h {
		add("surface %v, was %v", h, b)
	}
	if b, h := c.Totals[0].F1, c.Totals[1].F1; b != nil || h != nil {
		add("F1 %s, was %s", percent(h), percent(b))
	}
	return lines
}

func percent(n *int) string {
	if n == nil {
		return "unknown"
	}
	return fmt.Sprint(*n)
}

// TestChanges pins what a comparison finds, of reports as checks make them and of saved ones.
func TestChanges(t *testing.T) {
	const a, b, c = "suites/tools.yml::a", "suites/tools.yml::b", "suites/tools.yml::c"
	named, with := reporttest.Named, reporttest.With
	in := func(suite string) func(*report.Case) {
		return func(c *report.Case) { c.Suite, c.ID = suite, suite+"::"+c.Name }
	}
	read := func(list ...report.Recording) func(*report.Case) { return func(c *report.Case) { c.Recordings = list } }
	on := func(model report.Optional) func(*report.Case) {
		return func(c *report.Case) { c.Model, c.ID = model, c.ID+"::"+string(model) }
	}
	skipped := func(c *report.Case) { c.Verdict, c.LeftOut = judge.Skipped, "nothing to evaluate" }
	quality := func(catalog string) func(*report.Case) {
		return func(c *report.Case) { c.Kind, c.Catalog, c.Cassettes, c.Recordings = "tool_quality", catalog, nil, nil }
	}
	counts := func(list ...map[string]int) func(*report.Case) {
		return func(c *report.Case) {
			for _, n := range list {
				c.Gates = append(c.Gates, judge.Result{Gate: fmt.Sprint("g", len(c.Gates)), Verdict: judge.Pass, Grounds: judge.Grounds{Counts: n}})
			}
		}
	}
	figures := func(gate string, list map[string]judge.Value) func(*report.Case) {
		return func(c *report.Case) {
			c.Gates = append(c.Gates, judge.Result{Gate: gate, Verdict: judge.Pass, Metrics: list})
		}
	}
	asserting := func(actual any, assertions ...string) report.Case {
		c := reporttest.Asserting("g", judge.Fail, assertions...)
		c.Gates[0].Assertions[0].Actual = actual
		return c
	}
	byBase := func(c *report.Case) {
		c.Base = &report.BaseJudgement{Case: a, Fault: "its catalog is broken"}
	}
	notes := func(cut map[string]int, list ...judge.Note) func(*report.Case) {
		return func(c *report.Case) {
			c.Gates = []judge.Result{{Gate: "equal_function_sets", Verdict: judge.Pass, Grounds: judge.Grounds{Notes: list, NotesCut: cut}}}
		}
	}
	missed, unexpected := judge.Note{Kind: judge.Missed, Subject: "search"}, judge.Note{Kind: judge.Unexpected, Subject: "web.rm"}
	mistake := func(suite string) report.Problem {
		return report.Problem{Path: suite, Line: 3, Col: 1, Message: "unknown key"}
	}
	edited := func(r *report.Report, edit func(*report.Report)) *report.Report {
		edit(r)
		return r
	}
	live := func(r *report.Report) { r.Mode = report.Live }
	instructed := func(path string, hashes ...string) report.Catalog {
		c := reporttest.CatalogOf("search=96")
		c.Path = path
		for i := 0; i < len(hashes); i += 2 {
			c.Instructions = append(c.Instructions, report.Instructions{Server: hashes[i], SHA256: hashes[i+1], Text: hashes[i+1]})
		}
		return c
	}
	ruled := func(rules ...report.ChangedRule) report.Catalog {
		c := reporttest.CatalogOf("search=96")
		c.Rules = append([]report.ChangedRule{}, rules...)
		return c
	}
	sized := func(path string, tokens report.Count) report.Catalog {
		return report.Catalog{Name: path, Path: path, SurfaceTokens: tokens}
	}
	found := func(edit func(*report.Catalog), rules ...string) report.Catalog {
		c := reporttest.CatalogOf("search=96")
		for _, rule := range rules {
			c.Findings = append(c.Findings, reporttest.Finding(rule, "warning", "search", "says nothing"))
		}
		edit(&c)
		return c
	}
	asIs := func(*report.Catalog) {}
	better := func(rules ...report.ChangedRule) func(*report.Catalog) {
		return func(c *report.Catalog) { c.MeanScore, c.Rules = "0.8000", append([]report.ChangedRule{}, rules...) }
	}
	runs := func(list ...report.Executable) *report.Report {
		return edited(reporttest.Of(), func(r *report.Report) { r.Executables = list })
	}
	other := report.Recording{Path: "other.json", SHA256: "cd", Runs: 3}
	unhashed := func(runs int) report.Recording { return report.Recording{Path: "a.json", Runs: runs} }
	for _, test := range []struct {
		name       string
		base, head *report.Report
		want       []string
	}{
		{"two cases of one name", reporttest.Of(named("a", 1), with(named("a", 5), reporttest.WithVerdict(judge.Fail))), reporttest.Of(named("a", 1), with(named("a", 5), reporttest.WithVerdict(judge.Fail))), nil},
		{"a case has another name", reporttest.Of(named("a", 1)), reporttest.Of(with(named("a", 1), reporttest.RenamedTo("b"))), []string{"renamed " + b + " from " + a}},
		{"two cases have the recording of one", reporttest.Of(named("a", 1)), reporttest.Of(with(named("a", 1), reporttest.RenamedTo("b")), with(named("a", 1), reporttest.RenamedTo("c"))),
			[]string{"renamed " + b + " from " + a, "new " + c}},
		{"a renamed case of two models, and now of another", reporttest.Of(with(named("a", 1), on("x")), with(named("a", 1), on("y"))), reporttest.Of(with(named("a", 1), reporttest.RenamedTo("b"), on("z"))),
			[]string{"renamed " + b + "::z from " + a + "::x", "weakened " + report.CaseRemoved}},
		{"a renamed case of three models", reporttest.Of(with(named("a", 1), on("x")), with(named("a", 1), on("y")), with(named("a", 1), on("z"))), reporttest.Of(with(named("a", 1), reporttest.RenamedTo("b"), on("y"))),
			[]string{"renamed " + b + "::y from " + a + "::y", "weakened " + report.CaseRemoved, "weakened " + report.CaseRemoved}},
		{"a check of a catalog in another suite", reporttest.Of(with(named("a", 1), quality("x.json"))), reporttest.Of(with(named("a", 1), in("moved.yml"), quality("y.json"))), []string{"renamed moved.yml::a from " + a}},
		{"a case is skipped as before", reporttest.Of(with(named("a", 1), skipped)), reporttest.Of(with(named("a", 1), skipped)), nil},
		{"a mistake takes out a case", reporttest.Of(named("a", 1)), reporttest.Of(mistake("suites/tools.yml")),
			[]string{"regression not_evaluated suites/tools.yml 1 case at suites/tools.yml:3"}},
		{"mistakes take out cases of two suites", reporttest.Of(with(named("a", 1), in("t.yml")), with(named("b", 1), in("s.yml")), with(named("c", 1), in("t.yml"))), reporttest.Of(mistake("t.yml"), mistake("s.yml")),
			[]string{"regression not_evaluated s.yml 1 case at s.yml:3", "regression not_evaluated t.yml 2 cases at t.yml:3"}},
		{"a case is gone from a suite with a mistake in another", reporttest.Of(named("a", 1), named("b", 9)), reporttest.Of(named("b", 9), mistake("suites/tools.yml")), []string{"weakened " + report.CaseRemoved, "cassette removed suites/cassettes/tools/a.json"}},
		{"recordings that nothing reads", reporttest.Of(named("a", 1)), reporttest.Of(with(named("a", 1), read())), []string{"cassette removed suites/cassettes/tools/a.json"}},
		{"recordings that live runs do not read", reporttest.Of(named("a", 1)), edited(reporttest.Of(with(named("a", 1), read())), live), nil},
		{"live runs that are recorded elsewhere", reporttest.Of(named("a", 1)), edited(reporttest.Of(with(named("a", 1), read(other))), live), []string{"cassette added other.json", "cassette removed suites/cassettes/tools/a.json"}},
		{"recordings of a skipped case", reporttest.Of(with(named("a", 1), skipped)), reporttest.Of(with(named("a", 1), skipped, read())), nil},
		{"recordings of live runs that another case reads", reporttest.Of(with(named("a", 1), read(other)), with(named("b", 1), read())), edited(reporttest.Of(with(named("a", 1), read()), with(named("b", 1), read(other))), live), nil},
		{"recordings without hashes", reporttest.Of(with(named("a", 1), read(unhashed(3)))), reporttest.Of(with(named("a", 1), read(unhashed(3)))), nil},
		{"fewer runs in recordings without hashes", reporttest.Of(with(named("a", 1), read(unhashed(3)))), reporttest.Of(with(named("a", 1), read(unhashed(2)))), []string{"cassette changed a.json"}},
		{"a recording whose hash only one side has", reporttest.Of(with(named("a", 1), read(unhashed(3)))), reporttest.Of(with(named("a", 1), read(report.Recording{Path: "a.json", SHA256: "ab", Runs: 3}))), nil},
		{"a copy of a recording", reporttest.Of(with(named("a", 1), read(other))), reporttest.Of(with(named("a", 1), read(other, report.Recording{Path: "copy.json", SHA256: "cd", Runs: 3}))), []string{"cassette added copy.json"}},
		{"figures without a column", reporttest.Of(with(named("a", 1), figures("stability", map[string]judge.Value{"stability.thrash": judge.Int(5, judge.Number)}))),
			reporttest.Of(with(named("a", 1), figures("stability", map[string]judge.Value{"stability.thrash": judge.Int(6, judge.Number)}))), []string{"changed " + a, "figure stability.thrash 6, was 5"}},
		{"figures that others show", reporttest.Of(with(named("a", 1), figures("g", map[string]judge.Value{"x[y]": judge.Int(5, judge.Number), "tool_selection.precision": judge.Int(5, judge.Number)}))),
			reporttest.Of(with(named("a", 1), figures("g", map[string]judge.Value{"x[y]": judge.Int(6, judge.Number), "tool_selection.precision": judge.Int(6, judge.Number)}))), nil},
		{"figures of what the change lost", reporttest.Of(with(named("a", 1), figures("findability", map[string]judge.Value{"findability.lost": judge.Int(5, judge.Number)}))),
			reporttest.Of(with(named("a", 1), figures("findability", map[string]judge.Value{"findability.lost": judge.Int(6, judge.Number)}))), nil},
		{"two expectations of a target", reporttest.Of(asserting(nil, "x pass >= 5", "x pass >= 6")), reporttest.Of(asserting([]string{"web.rm"}, "x fail >= 5", "x fail >= 6")),
			[]string{"fails x", "regression expectation " + a + ` x at suites/tools.yml:5, ["web.rm"], was "8"`, "regression expectation " + a + ` x at suites/tools.yml:6`}},
		{"an expectation of runs", reporttest.Of(reporttest.Expecting("exact 1", judge.Pass)), reporttest.Of(reporttest.Expecting("exact 1", judge.Fail)),
			[]string{"fails tool_names", "regression runs " + a + ` tool_names at suites/tools.yml:9, 1 of 1 run, was "0 of 1 run"`}},
		{"the base's suite cannot judge", reporttest.Of(named("a", 1)), reporttest.Of(with(named("a", 1), byBase)), []string{"unjudged " + a + ": its catalog is broken"}},
		{"the base's suite cannot judge, and the head's skips it", reporttest.Of(named("a", 1)), reporttest.Of(with(named("a", 1), byBase, reporttest.WithVerdict(judge.Skipped))), []string{"changed " + a, "regression verdict " + a + `  at suites/tools.yml:1, skipped, was "pass"`, "weakened " + report.NotJudged}},
		{"the base's suite cannot judge, and the head's does not", reporttest.Of(named("a", 1)), reporttest.Of(with(named("a", 1), byBase, skipped)), []string{"changed " + a, "weakened " + report.NotJudged}},
		{"a size that the head does not know", reporttest.Of(sized("a.json", 5), sized("b.json", 7)), reporttest.Of(sized("a.json", report.NotKnown), sized("b.json", 9)), []string{"surface 9, was 7"}},
		{"a catalog of another size, which is not known", reporttest.Of(sized("b.json", 7)), reporttest.Of(sized("a.json", report.NotKnown)), []string{"surface -1, was 7"}},
		{"findings that are fixed", reporttest.Of(found(asIs, "DESC-002", "DESC-012")), reporttest.Of(found(better())), []string{"score mean_score 0.8000, was 0.7916", "fixed DESC-002", "fixed DESC-012"}},
		{"a score that the base lacks", reporttest.Of(found(func(c *report.Catalog) { c.MeanScore = "" }, "DESC-002")), reporttest.Of(found(better())), []string{"fixed DESC-002"}},
		{"a score that is lost", reporttest.Of(found(asIs, "DESC-002")), reporttest.Of(found(func(c *report.Catalog) { c.MeanScore = "" })), []string{"fixed DESC-002"}},
		{"findings on schemas that are not known now", reporttest.Of(found(asIs, "DESC-002", "DESC-012")), reporttest.Of(found(func(c *report.Catalog) { c.Tools[0].SchemaUnknown = true })), []string{"fixed DESC-002"}},
		{"a rule of the score that is switched off", reporttest.Of(found(asIs, "DESC-012")), reporttest.Of(found(better(report.ChangedRule{Rule: "DESC-012", Severity: report.RuleOff}))), []string{"fixed DESC-012"}},
		{"new faults", reporttest.Of(with(named("a", 1), notes(nil))), reporttest.Of(with(named("a", 1), notes(nil, missed, unexpected))), []string{"missed search", "unexpected web.rm"}},
		{"faults of which the base left out some", reporttest.Of(with(named("a", 1), notes(map[string]int{judge.Missed: 1, judge.Unexpected: 1}))), reporttest.Of(with(named("a", 1), notes(nil, missed, unexpected))), nil},
		{"faults of which the base left out one kind", reporttest.Of(with(named("a", 1), notes(map[string]int{judge.Missed: 1, "of a later version": 1}))), reporttest.Of(with(named("a", 1), notes(nil, missed, unexpected))), []string{"unexpected web.rm"}},
		{"nothing to find", reporttest.Of(with(named("a", 1), counts(map[string]int{"tp": 0, "fp": 0, "fn": 0}))), reporttest.Of(with(named("a", 1), counts(map[string]int{"tp": 0, "fp": 0, "fn": 1}))), []string{"F1 0, was 100"}},
		{"one of two gates with counts", reporttest.Of(named("a", 1)), reporttest.Of(with(named("a", 1), counts(map[string]int{"tp": 1, "fp": 0, "fn": 0}, map[string]int{"tp": 0, "fp": 0, "fn": 1}))), []string{"F1 100, was unknown"}},
		{"code that describes tools", reporttest.Of(), edited(reporttest.Of(), func(r *report.Report) {
			r.Uncovered, r.Outdated = []report.Weakening{{Kind: report.SourceUncovered}}, []report.OutdatedTool{{Name: "search"}}
		}), []string{"weakened " + report.SourceUncovered, "outdated search"}},
		{"a rule is switched off", reporttest.Of(ruled()), reporttest.Of(ruled(report.ChangedRule{Rule: lint.Rules[0].ID, Severity: report.RuleOff})), []string{"weakened " + report.RuleDisabled}},
		{"instructions", reporttest.Of(instructed("a.json", "z", "1", "y", "1", "x", "1")), reporttest.Of(instructed("a.json", "z", "2", "y", "2", "x", "1")), []string{"instructions of y in a.json", "instructions of z in a.json"}},
		{"instructions in a catalog that has moved", reporttest.Of(instructed("a.json", "z", "1", "y", "1")), reporttest.Of(instructed("b.json", "z", "2", "y", "1")), []string{"instructions of z in b.json"}},
		{"another command", runs(report.Executable{Suite: "s.yml", Key: "agent.command", Of: "a", Words: "x"}), runs(report.Executable{Suite: "s.yml", Key: "agent.command", Of: "a", Words: "y"}), []string{`executes y, was "x"`}},
		{"a first command", runs(), runs(report.Executable{Suite: "s.yml", Key: "agent.command", Of: "a", Words: "y"}), []string{`executes y, was ""`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, changesIn(compare.Reports(test.base, test.head, compare.Options{}))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
