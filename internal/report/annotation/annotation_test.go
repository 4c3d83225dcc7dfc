package annotation

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/reporttest"
	"github.com/rogpeppe/go-internal/diff"
)

var update = flag.Bool("update", false, "write what comes out to testdata")

func plain(s string) string { return s }

// show writes annotations as a person reads them.
func show(list []Item) string {
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
	if got != string(want) {
		t.Errorf("%s (make update writes it):\n%s", file, diff.Diff("want", want, "got", []byte(got)))
	}
}

func TestAnnotations(t *testing.T) {
	got := Of(reporttest.Everything(plain), Options{})
	golden(t, "testdata/annotations.txt", show(got))
	if text := show(got); strings.Contains(text, "SECRET") {
		t.Errorf("a result of a call is printed:\n%s", text)
	}
}

// TestAnnotationsOfNotes pins the annotation of each kind of notes, and that the documentation lists it.
func TestAnnotationsOfNotes(t *testing.T) {
	docs, err := os.ReadFile("../../../docs/annotations.md")
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
			t.Errorf("docs/annotations.md does not list the annotation %q", kind.Title)
		}
	}
	got := ""
	for _, verdict := range []judge.Verdict{judge.Fail, judge.Pass} {
		got += show(Of(&report.Report{Cases: []report.Case{{
			Suite: "suites/a.yml", Name: "noted", Verdict: verdict, Runs: report.Runs{Recorded: 2, Scored: 2},
			Gates: []judge.Result{{Gate: "orchestration", Line: 7, Verdict: verdict, Grounds: judge.Grounds{Notes: notes}}},
			Rows:  []report.Row{{Run: 1, Called: []string{"web.search", "text"}}, {Run: 2}},
		}}}, Options{}))
	}
	golden(t, "testdata/notes.txt", got)
}

// TestAnnotationsNew pins that what the baseline has is left out, wherever it is there and however often.
func TestAnnotationsNew(t *testing.T) {
	head := reporttest.Everything(plain)
	all := Of(head, Options{})
	for name, test := range map[string]struct {
		options Options
		want    int
	}{
		"no baseline": {Options{}, len(all)},
		"the same":    {Options{Base: reporttest.Everything(plain)}, 0},
		"empty":       {Options{Base: &report.Report{}}, len(all)},
	} {
		if got := Of(head, test.options); len(got) != test.want {
			t.Errorf("%s: %d annotations, want %d:\n%s", name, len(got), test.want, show(got))
		}
	}
	base := reporttest.Everything(plain)
	moved := &base.Cases[0]
	moved.Line, moved.Gates[0].Line, moved.Gates[0].Notes[1].Line = 112, 120, 125
	moved.Gates[0].Notes[1].Runs = []int{4}
	base.Catalogs[0].Findings = base.Catalogs[0].Findings[1:]
	got := Of(head, Options{Base: base})
	if len(got) != 1 || got[0].Title != "DESC-006 search" {
		t.Errorf("annotations are\n%swant the finding that the base does not have", show(got))
	}
}

// TestAnnotationsOfBreakingChanges pins that what breaks callers is a failure where it fails the job, and has no place
// where its catalog is gone.
func TestAnnotationsOfBreakingChanges(t *testing.T) {
	for level, demand := range map[Level]string{Warning: report.FailOnWeakened, Failure: report.FailOnBreaking} {
		got := 0
		r := reporttest.Everything(plain)
		r.Refused = []report.Refusal{{Demand: demand, Exit: report.ExitFail}}
		for _, a := range Of(r, Options{}) {
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
	for _, a := range Of(reporttest.Everything(plain), Options{Folder: "sub/dir"}) {
		if a.Path != "" && !strings.HasPrefix(a.Path, "sub/dir/") {
			t.Errorf("path is %q, want it in sub/dir", a.Path)
		}
	}
}

func TestLimit(t *testing.T) {
	all := Of(reporttest.Everything(plain), Options{})
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

// TestAnnotationsSayWhatIsNoModel pins that nothing is annotated of a built-in agent that could be taken for a model's.
func TestAnnotationsSayWhatIsNoModel(t *testing.T) {
	head := reporttest.Everything(plain)
	for i := range head.Cases {
		head.Cases[i].ModelNote = "a lexical baseline,\nnot a model"
	}
	checked := 0
	for _, a := range Of(head, Options{}) {
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
	one := caseView{Case: &report.Case{}}
	if got, want := one.runs([]int{1, 2}, 7), "9 of 9 runs (1-2, and 7 more)"; got != want {
		t.Errorf("runs of which most are only counted = %q, want %q", got, want)
	}
	if got, want := one.runs(nil, 7), "7 of 7 runs (and 7 more)"; got != want {
		t.Errorf("runs that are only counted = %q, want %q", got, want)
	}
	if got, want := one.runs([]int{1}, 0), "the only run"; got != want {
		t.Errorf("runs of a case with one run = %q, want %q", got, want)
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
	got := Of(r, Options{})
	if len(got) != 3 || got[0].Title != "DESC-001 z" || got[0].Level != Warning {
		t.Errorf("got %+v, want the critical finding first, as a warning", got)
	}
	failing := *r
	failing.Cases = []report.Case{{Gates: []judge.Result{{Gate: qualityGate, Verdict: judge.Fail}}}}
	if got := Of(&failing, Options{Base: r}); len(got) != 0 {
		t.Errorf("got %+v as new, want nothing", got)
	}
}

// TestRefusalOfWhatIsGone holds that a case that was removed, with its suite or without, is not shown in a file: the refusal says it.
func TestRefusalOfWhatIsGone(t *testing.T) {
	r := &report.Report{
		Baseline: &report.Comparison{Weakened: []report.Weakening{{Kind: report.CaseRemoved, Suite: "suites/gone.yml", Name: "finds"}}},
		Refused:  []report.Refusal{{Demand: report.FailOnWeakened, Exit: report.ExitFail, Title: "weakened", Message: "finds was removed"}},
	}
	r.Conclude()
	var places, said []string
	for _, item := range Of(r, Options{}) {
		places, said = append(places, item.Path), append(said, item.Message)
	}
	if slices.Contains(places, "suites/gone.yml") || !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "finds was removed") }) {
		t.Errorf("got items at %q that say %q, want the refusal without a place", places, said)
	}
}
