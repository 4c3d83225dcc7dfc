package annotate

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

var update = flag.Bool("update", false, "write what comes out to testdata")

// fixture returns a report with one of everything that is annotated. name makes every text that comes from users' files.
func fixture(name func(string) string) *report.Report {
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
		Cases: []report.Case{
			research(name, f1), floors(name),
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
				Gates: []judge.Result{{Gate: qualityGate, Line: 92, Verdict: judge.Fail, Assertions: []judge.Assertion{{
					Target: "descriptions.critical", Matcher: "<= 0", Actual: judge.Int(1, judge.Number), Verdict: judge.Fail, Line: 93,
					Message: name("descriptions.critical is 1, expected <= 0"),
				}}}},
			},
		},
		Catalogs: []report.Catalog{{
			Name: name("web"), Path: name("catalogs/web.json"), SurfaceTokens: 96,
			Counts: report.FindingCounts{Critical: 1, Warning: 1},
			Tools:  fixtureTools(name, "search", "get_weather", "fine"),
			Findings: []report.Finding{
				{Rule: "DESC-006", Severity: "critical", Server: name("web"), Tool: name("search"), Argument: report.Optional(name("q")),
					Message: name("has no description"), Suggestion: name("describe it"), Path: name("catalogs/web.json"), Line: 6},
				{Rule: "DESC-010", Severity: "warning", Server: name("web"), Tool: name("get_weather"),
					Message: name("the description has no example"), Suggestion: name("add one"), Path: name("catalogs/web.json"), Line: 9},
				{Rule: "DESC-000", Severity: "pass", Server: name("web"), Tool: name("fine"), Path: name("catalogs/web.json"), Line: 12},
			},
		}},
	}
	changed := report.StaleTool{Server: name("web"), Name: name("search"), Change: report.Changed, Path: name("catalogs/web.json"), Line: 5}
	removed := report.StaleTool{Server: name("web"), Name: name("fetch"), Change: report.Removed, Path: name("catalogs/web.json")}
	r.Cases[0].Freshness = &report.Freshness{State: report.Stale, Since: report.SinceChange, Tools: []report.StaleTool{removed, changed}}
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
	}}
	r.Conclude()
	return r
}

func fixtureTools(name func(string) string, names ...string) []report.CatalogTool {
	var tools []report.CatalogTool
	for _, n := range names {
		tool := &catalog.Tool{Server: name("web"), Name: name(n)}
		tools = append(tools, report.CatalogTool{Server: tool.Server, Name: tool.Name, Tool: tool})
	}
	return tools
}

// research is a case that misses classes, calls something unexpected and breaks expectations on single runs.
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
			Gate: "tool_selection", Line: 54, Verdict: judge.Fail,
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
			Headline: "tool-selection floor [FAIL] " + name("weather") + ": selection 7/10 (70%), pass^k 70%",
		}},
	}
}

func plain(s string) string { return s }

// show writes annotations as a person reads them.
func show(list []Annotation) string {
	var b strings.Builder
	for _, a := range list {
		fmt.Fprintf(&b, "%s %s:%d: %s\n\t%s\n", a.Level, a.Path, a.Line, a.Title, strings.ReplaceAll(a.Message, "\n", "\n\t"))
	}
	return b.String()
}

// golden compares text with a file, or writes it there.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func TestAnnotations(t *testing.T) {
	got := Annotations(fixture(plain), AnnotationOptions{})
	golden(t, "testdata/annotations.txt", show(got))
	if text := show(got); strings.Contains(text, "SECRET") {
		t.Errorf("a result of a call is printed:\n%s", text)
	}
}

// TestAnnotationsOfNotes pins the annotation of each kind of notes, and that the documentation lists it.
func TestAnnotationsOfNotes(t *testing.T) {
	docs, err := os.ReadFile("../../docs/action.md")
	if err != nil {
		t.Fatal(err)
	}
	var notes []judge.Note
	for i, kind := range judge.Kinds {
		notes = append(notes, judge.Note{
			Kind: kind.Name, Subject: "subject", Runs: []int{1, 2}, Calls: i + 1, Text: "text", Members: []string{"one", "another"},
			Figure: judge.Ratio(1, 2, judge.Fraction),
		})
		if kind.Title != "" && !strings.Contains(string(docs), "| `"+kind.Title+": ") {
			t.Errorf("docs/action.md does not list the annotation %q", kind.Title)
		}
	}
	got := ""
	for _, verdict := range []judge.Verdict{judge.Fail, judge.Pass} {
		got += show(Annotations(&report.Report{Cases: []report.Case{{
			Suite: "suites/a.yml", Name: "noted", Verdict: verdict, Runs: report.Runs{Recorded: 2, Scored: 2},
			Gates: []judge.Result{{Gate: "orchestration", Line: 7, Verdict: verdict, Grounds: judge.Grounds{Notes: notes}}},
			Rows:  []report.Row{{Run: 1, Called: []string{"web.search", "text"}}, {Run: 2}},
		}}}, AnnotationOptions{}))
	}
	golden(t, "testdata/notes.txt", got)
}

// TestAnnotationsNew pins that what the baseline has is left out, wherever it stands there and however often.
func TestAnnotationsNew(t *testing.T) {
	head := fixture(plain)
	all := Annotations(head, AnnotationOptions{Which: AnnotateAll})
	for name, test := range map[string]struct {
		options AnnotationOptions
		want    int
	}{
		"none":        {AnnotationOptions{Which: AnnotateNone}, 0},
		"no baseline": {AnnotationOptions{Which: AnnotateNew}, len(all)},
		"the same":    {AnnotationOptions{Which: AnnotateNew, Base: fixture(plain)}, 0},
		"all":         {AnnotationOptions{Which: AnnotateAll, Base: fixture(plain)}, len(all)},
		"empty":       {AnnotationOptions{Which: AnnotateNew, Base: &report.Report{}}, len(all)},
	} {
		if got := Annotations(head, test.options); len(got) != test.want {
			t.Errorf("%s: %d annotations, want %d:\n%s", name, len(got), test.want, show(got))
		}
	}
	base := fixture(plain)
	moved := &base.Cases[0]
	moved.Line, moved.Gates[0].Line, moved.Gates[0].Notes[1].Line = 112, 120, 125
	moved.Gates[0].Notes[1].Runs = []int{4}
	base.Catalogs[0].Findings = base.Catalogs[0].Findings[1:]
	got := Annotations(head, AnnotationOptions{Which: AnnotateNew, Base: base})
	if len(got) != 1 || got[0].Title != "DESC-006 search" {
		t.Errorf("annotations are\n%swant the finding that the base does not have", show(got))
	}
}

// TestAnnotationsOfBreakingChanges pins that what breaks callers is a failure where it fails the job, and has no place
// where its catalog is gone.
func TestAnnotationsOfBreakingChanges(t *testing.T) {
	for level, options := range map[Level]AnnotationOptions{Warning: {Strict: true}, Failure: {Breaks: true}} {
		got := 0
		for _, a := range Annotations(fixture(plain), options) {
			if !strings.HasPrefix(a.Title, "breaks callers: ") {
				continue
			}
			got++
			if a.Level != level || a.Path != "catalogs/web.json" || a.Line == 0 {
				t.Errorf("got %+v, want level %s and a line of the catalog", a, level)
			}
		}
		if got != 2 {
			t.Errorf("got %d annotations of breaking changes, want 2", got)
		}
	}
}

func TestAnnotationsFolder(t *testing.T) {
	for _, a := range Annotations(fixture(plain), AnnotationOptions{Folder: "sub/dir"}) {
		if a.Path != "" && !strings.HasPrefix(a.Path, "sub/dir/") {
			t.Errorf("path is %q, want it in sub/dir", a.Path)
		}
	}
}

func TestLimit(t *testing.T) {
	all := Annotations(fixture(plain), AnnotationOptions{})
	for most := range len(all) + 2 {
		shown, rest := Limit(all, most)
		left := 0
		for _, n := range rest {
			left += n
		}
		if len(shown) != min(most, len(all)) || left != len(all)-len(shown) {
			t.Errorf("Limit(%d) shows %d and leaves %v of %d", most, len(shown), rest, len(all))
		}
	}
}

// FuzzAnnotations holds that hostile texts in every field stay texts, in commands and for the API.
// TestAnnotationsSayWhatIsNoModel pins that nothing is annotated of a built-in agent that could be taken for a model's.
func TestAnnotationsSayWhatIsNoModel(t *testing.T) {
	head := fixture(plain)
	for i := range head.Cases {
		head.Cases[i].ModelNote = "a lexical baseline,\nnot a model"
	}
	checked := 0
	for _, a := range Annotations(head, AnnotationOptions{}) {
		if a.Path != "suites/a.yml" && a.Path != "c/fourth.json" || a.Level == Warning {
			continue // of no case
		}
		checked++
		if !strings.HasSuffix(a.Message, "\nthe agent is a lexical baseline,\\x0anot a model") {
			t.Errorf("%s: got %q, want it to say what the agent is", a.Title, a.Message)
		}
	}
	if checked < 10 {
		t.Errorf("checked %d annotations, want at least 10", checked)
	}
}

func FuzzAnnotations(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1000 {
			return // the limits are tested with the check run
		}
		hostile := func(plain string) string { return s + plain + s }
		list := atSource(fixture(hostile), hostile, AnnotationOptions{})
		var log bytes.Buffer
		c := NewCommands(&log)
		rest := c.Annotate(list)
		issued := len(list)
		for _, n := range rest {
			issued -= n
		}
		if got, _ := readLog(log.String()); len(got) != issued {
			t.Errorf("text %q: the runner reads %d commands, want %d", s, len(got), issued)
		}
		for _, a := range list {
			checkShown(t, "title", a.Title)
			checkShown(t, "message", a.Message)
			api := a.forAPI()
			checkShown(t, "path", api.GetPath())
			if api.GetMessage() == "" || len(api.GetTitle()) > maxTitle || aboveBMP(api.GetPath()+api.GetTitle()+api.GetMessage()) {
				t.Errorf("text %q: GitHub would refuse %v", s, api)
			}
		}
	})
}

// TestCommandLimits pins that the worst ten of each level are shown, warnings of our own first, and the rest counted.
func TestCommandLimits(t *testing.T) {
	var log bytes.Buffer
	c := NewCommands(&log)
	c.Warn("of our own")
	var list []Annotation
	for _, level := range levels {
		for i := range 14 {
			list = append(list, Annotation{Path: "a.yml", Line: i + 1, Level: level, Message: strings.Repeat("x", 5000)})
		}
	}
	rest := c.Annotate(list)
	want := map[Level]int{Failure: 4, Warning: 5, Notice: 4}
	if diff := cmp.Diff(want, rest); diff != "" {
		t.Error(diff)
	}
	commands, plain := readLog(log.String())
	byName := map[string]int{}
	for _, command := range commands {
		byName[command.Name]++
		if len(command.Data) > 4096 {
			t.Errorf("a message has %d bytes", len(command.Data))
		}
	}
	if diff := cmp.Diff(map[string]int{"error": 10, "warning": 10, "notice": 10}, byName); diff != "" {
		t.Error(diff)
	}
	if want := "4 failures, 5 warnings, 4 notices more: see the job summary"; len(plain) != 1 || plain[0] != want {
		t.Errorf("plain lines are %q, want %q", plain, want)
	}
	c.Warn("late")
	if got := log.String(); !strings.HasSuffix(got, "\nwarning: late\n") {
		t.Errorf("an eleventh warning is written as %q", got[len(got)-30:])
	}
}

func TestRanges(t *testing.T) {
	var odd []int
	for i := range 30 {
		odd = append(odd, 2*i+1)
	}
	for want, numbers := range map[string][]int{
		"": nil, "4": {4}, "1-3": {1, 2, 3}, "1-2, 4, 6-9": {1, 2, 4, 6, 7, 8, 9},
		"1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, …": odd,
	} {
		if got := ranges(numbers); got != want {
			t.Errorf("ranges(%v) = %q, want %q", numbers, got, want)
		}
	}
	if got, want := firstFew([]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}), "a, b, c, d, e, f, g, h and 2 more"; got != want {
		t.Errorf("firstFew = %q, want %q", got, want)
	}
}

// TestCriticalFindingsFirst pins that a critical finding comes before warnings of any kind where no gate fails for it,
// and that it is the same finding where one does.
func TestCriticalFindingsFirst(t *testing.T) {
	r := &report.Report{
		Warnings: []report.Problem{{Path: "a.yml", Line: 1, Message: "stale"}},
		Catalogs: []report.Catalog{{Findings: []report.Finding{
			{Rule: "DESC-010", Severity: "warning", Tool: "a", Path: "c.json", Line: 1},
			{Rule: "DESC-001", Severity: "critical", Tool: "z", Path: "c.json", Line: 9},
		}}},
	}
	got := Annotations(r, AnnotationOptions{})
	if len(got) != 3 || got[0].Title != "DESC-001 z" || got[0].Level != Warning {
		t.Errorf("got %+v, want the critical finding first, as a warning", got)
	}
	failing := *r
	failing.Cases = []report.Case{{Gates: []judge.Result{{Gate: qualityGate, Verdict: judge.Fail}}}}
	if got := Annotations(&failing, AnnotationOptions{Which: AnnotateNew, Base: r}); len(got) != 0 {
		t.Errorf("got %+v as new, want nothing", got)
	}
}
