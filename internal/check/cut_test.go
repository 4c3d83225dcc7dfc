package check

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
)

const manySuite = `
agents:
  - name: many
    cassette: c.json
    equal_function_sets: {classes: [{name: search, members: [search]}]}
    tool_selection: {expected_tool: search, min_selection_rate: 1}
    expect: [{final_response: {contains: 'yes'}}, {tool_names: {contains: search}}]
`

// manyRuns returns n runs that do what is asked for, but for those that are bad.
func manyRuns(n int, bad func(i int) bool) string {
	var b strings.Builder
	b.WriteString("[")
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		if bad(i) {
			b.WriteString(`{"tool_calls":[{"name":"fetch"}],"final_response":"no"}`)
		} else {
			b.WriteString(`{"tool_calls":[{"name":"search"}],"final_response":"yes"}`)
		}
	}
	return b.String() + "]"
}

// few is what is kept of 60 runs and more in these tests.
var few = share{runs: 50, notes: 20, calls: 100, bytes: 1 << 20, called: 100, text: 1000}

// checkMany checks n runs, of which those from the bad one on are bad.
func checkMany(t *testing.T, n, bad int, kept share) *report.Report {
	t.Helper()
	fsys := workspace("mcp-gates.yml", manySuite, "c.json", manyRuns(n, func(i int) bool { return i >= bad }))
	return run(t, fsys, Options{Jobs: 1, Digests: true, Timelines: true, share: kept})
}

// TestCutRuns pins what a report leaves out of a case of more runs than it has room for: rows, and lists of runs. Figures,
// verdicts and counts are of all runs, and the first runs that fail are there.
func TestCutRuns(t *testing.T) {
	const n, bad, kept = 300, 290, 50
	c := checkMany(t, n, bad, few).Cases[0]
	if c.Verdict != judge.Fail || c.Runs.Scored != n || len(c.Rows) != kept || c.Cut == nil || c.Cut.Runs != n-kept {
		t.Fatalf("got %s, %+v, %d rows, %+v; want fail, %d runs, %d rows and the others counted", c.Verdict, c.Runs, len(c.Rows), c.Cut, n, kept)
	}
	if last := c.Rows[len(c.Rows)-1]; last.Run != n || last.Verdict != judge.Fail {
		t.Errorf("the last row is of run %d with %s, want the last run, which fails", last.Run, last.Verdict)
	}
	if got := len(c.ToolSelection.Runs); got != kept {
		t.Errorf("tool_selection has %d runs, want %d", got, kept)
	}
	notes := c.Gates[0].Of(judge.Matched)
	if got, want := len(notes[0].Runs)+notes[0].MoreRuns, bad; got != want || notes[0].MoreRuns != n-kept {
		t.Errorf("%d runs matched, %d of them only counted, want %d and %d", got, notes[0].MoreRuns, want, n-kept)
	}
	if got := c.Gates[0].Of(judge.Missed)[0]; len(got.Runs) != n-bad || got.MoreRuns != 0 {
		t.Errorf("missed in %d runs and %d more, want all %d of them", len(got.Runs), got.MoreRuns, n-bad)
	}
	isKept := func(run int) bool {
		return slices.ContainsFunc(c.Rows, func(r report.Row) bool { return r.Run == run })
	}
	for _, e := range c.Expect {
		if !isKept(e.Run) {
			t.Errorf("an expectation of run %d is listed, which has no row", e.Run)
		}
	}
	at := slices.IndexFunc(c.Gates[1].Assertions, func(a judge.Assertion) bool { return a.Breach != nil })
	if b := c.Gates[1].Assertions[at].Breach; len(b.Runs)+b.More != n-bad || len(b.Runs) == 0 || !isKept(b.Runs[0].Run) {
		t.Errorf("%d runs breach and %d more, of the first %+v; want %d with rows", len(b.Runs), b.More, b.Runs[:min(len(b.Runs), 1)], n-bad)
	}
	all := c.RunExpectations()
	want := report.CutExpect{Target: "final_response", Matcher: `contains "yes"`, Line: 7, Passed: bad, Failed: n - bad}
	if diff := cmp.Diff(want, all[0].CutExpect); diff != "" || len(all) != 2 || all[1].Passed != bad || all[1].Failed != n-bad || len(all[0].Broken) != n-bad {
		t.Errorf("expectations (-want +got): %s; %d broken ones are listed, want %d", diff, len(all[0].Broken), n-bad)
	}
}

// TestCutRunsDecide pins that runs which are only counted decide a verdict, a regression and the test of chance as others do, also in
// a report that was saved and read back.
func TestCutRunsDecide(t *testing.T) {
	const n = 300
	reports := map[string]*report.Report{}
	for name, bad := range map[string]int{"good": n, "base": 100, "head": 50} {
		var saved bytes.Buffer
		if err := report.JSON(&saved, checkMany(t, n, bad, few)); err != nil {
			t.Fatal(err)
		}
		r, err := report.Read(&saved)
		if err != nil {
			t.Fatal(err)
		}
		reports[name] = r
	}
	if got := reports["good"].Cases[0].Verdict; got != judge.Pass {
		t.Errorf("runs that all hold: got %s, want pass", got)
	}
	for _, test := range []struct{ base, head, want string }{
		{"base", "head", "200 of 300 runs -> 250 of 300 runs"},
		{"head", "base", ""},
		{"head", "head", ""},
	} {
		out := compare.Reports(reports[test.base], reports[test.head], compare.Options{})
		at := slices.IndexFunc(out.Regressions, func(r report.Regression) bool { return r.Kind == report.MoreRuns })
		got := ""
		if at >= 0 {
			got = fmt.Sprintf("%s -> %s", out.Regressions[at].Base, out.Regressions[at].Head)
		}
		if got != test.want {
			t.Errorf("%s to %s: got %q, want %q", test.base, test.head, got, test.want)
		}
	}
}

// TestCutChangesNoFigure pins that what a report leaves out changes no verdict, figure or count, and no test of chance.
func TestCutChangesNoFigure(t *testing.T) {
	for _, bad := range []int{0, 1, 150, 299, 300} {
		whole, cut := &checkMany(t, 300, bad, share{}).Cases[0], &checkMany(t, 300, bad, few).Cases[0]
		if cut.Cut == nil || whole.Cut != nil {
			t.Fatalf("got %+v and %+v, want one that is cut", whole.Cut, cut.Cut)
		}
		if whole.Verdict != cut.Verdict || whole.Runs != cut.Runs {
			t.Errorf("bad from %d: got %s %+v, want %s %+v", bad, cut.Verdict, cut.Runs, whole.Verdict, whole.Runs)
		}
		for i, g := range whole.Gates {
			got := cut.Gates[i]
			if diff := cmp.Diff(figuresOf(g), figuresOf(got)); diff != "" || got.Verdict != g.Verdict || got.Headline != g.Headline {
				t.Errorf("bad from %d, %s: %s %s (-want +got):\n%s", bad, g.Gate, got.Verdict, got.Headline, diff)
			}
		}
		sum := func(c *report.Case) (list []report.CutExpect) {
			for _, e := range c.RunExpectations() {
				list = append(list, e.CutExpect)
			}
			return list
		}
		if diff := cmp.Diff(sum(whole), sum(cut)); diff != "" {
			t.Errorf("bad from %d, expectations (-want +got):\n%s", bad, diff)
		}
	}
}

// figuresOf returns the figures and counts of a gate, as they are printed.
func figuresOf(g judge.Result) map[string]string {
	list := map[string]string{}
	for name, v := range g.Metrics {
		list[name] = v.Digits()
	}
	for name, n := range g.Counts {
		list[name] = fmt.Sprint(n)
	}
	for _, a := range g.Assertions {
		list["assertion "+a.Target] = string(a.Verdict) + a.Message
	}
	for _, n := range g.Notes {
		list["runs of "+n.Kind+n.Subject] = fmt.Sprint(len(n.Runs) + n.MoreRuns)
	}
	return list
}

const mostBytes = 50 << 20

// TestCutBytes pins that a case of long texts keeps fewer runs, and that one of usual size keeps all.
func TestCutBytes(t *testing.T) {
	thorough.Unraced(t, "it takes ten seconds, with goroutines that smaller cases have, too")
	names := make([]string, 3000)
	for i := range names {
		names[i] = fmt.Sprintf(`{"name":"%s%d"}`, strings.Repeat("x", 990), i)
	}
	src := "defaults: {cassette: c.json, equal_function_sets: {classes: [{name: search, members: [search]}]}}\nagents:\n"
	for i := range 50 {
		src += fmt.Sprintf("  - {name: t%d}\n", i)
	}
	r := run(t, workspace("mcp-gates.yml", src, "c.json", `[{"tool_calls":[`+strings.Join(names, ",")+`]}]`), Options{Jobs: 2, share: share{runs: 50, notes: 2000, calls: 100, bytes: mostBytes / 50, called: 1000, text: 1000}})
	for i := range r.Cases {
		out := outcome{Case: r.Cases[i]}
		if size := out.estimatedSize(); size > mostBytes/50 {
			t.Fatalf("case %d keeps %d bytes, want at most %d", i, size, mostBytes/50)
		}
		if g := r.Cases[i].Gates[0]; len(g.Of(judge.Unexpected))+g.NotesCut[judge.Unexpected] != len(names) {
			t.Errorf("%d notes, and %d more; want %d altogether", len(g.Of(judge.Unexpected)), g.NotesCut[judge.Unexpected], len(names))
		}
		if row := r.Cases[i].Rows[0]; len(row.Called)+row.More != len(names) {
			t.Errorf("%d tools called, and %d more; want %d altogether", len(row.Called), row.More, len(names))
		}
	}
	usual := run(t, workspace("mcp-gates.yml", manySuite, "c.json", manyRuns(1000, func(i int) bool { return i%2 > 0 })), Options{})
	if c := usual.Cases[0]; c.Cut != nil || len(c.Rows) != 1000 || len(c.Expect) != 2000 {
		t.Errorf("a thousand runs: got %d rows, %d expectations, %+v; want all", len(c.Rows), len(c.Expect), c.Cut)
	}
}

// What is left out is let go of: cases that keep ten notes each would otherwise hold all that they had.
func TestCutNotesAreLetGo(t *testing.T) {
	all := make([]judge.Note, 1000)
	var g judge.Result
	g.Notes = all
	limitGate(&g, nil, share{notes: 10})
	if len(g.Notes) != 10 || &g.Notes[0] == &all[0] {
		t.Errorf("%d notes are kept, and in the list of all: %v; want 10 in a list of their own", len(g.Notes), &g.Notes[0] == &all[0])
	}
}

// TestBehindFailures pins that the runs behind a failing gate are those of its wrong notes, whatever notes precede them.
func TestBehindFailures(t *testing.T) {
	var g judge.Result
	g.Verdict = judge.Fail
	g.Notes = []judge.Note{{Kind: judge.Matched, Runs: []int{1}}, {Kind: judge.Unexpected, Runs: []int{2, 3, 4}}}
	var out outcome
	out.Gates = []judge.Result{g}
	if got := slices.Sorted(maps.Keys(out.behindFailures(2))); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("got runs %v, want 2 and 3", got)
	}
}

// TestShownRunIsKept pins that the run that the user asks for is kept beside the others.
func TestShownRunIsKept(t *testing.T) {
	runs := make([]trace.Run, 9)
	for i := range runs {
		runs[i].Number = i + 1
	}
	kept := (&outcome{}).chooseRuns(runs, judgement{}, 2, 7)
	if got, want := slices.Sorted(maps.Keys(kept)), []int{1, 2, 7}; !slices.Equal(got, want) {
		t.Errorf("got runs %v, want %v", got, want)
	}
}

// TestAddExpectations pins that a report lists expectations of runs while there is room for their bytes, and counts the others.
func TestAddExpectations(t *testing.T) {
	one := []judge.Assertion{{Target: "response", Matcher: "contains", Verdict: judge.Fail, Message: "lacks yes"}, {Target: "calls", Matcher: "<=", Verdict: judge.Pass}}
	room := runRoom{all: 10, broken: 10, bytes: 3*(sizeOf(one[0])+sizeOf(one[1])) + 1}
	j := judgement{rowVerdicts: map[int]judge.Verdict{}}
	for i := range 5 {
		j.addExpectations(i+1, one, &room)
	}
	if len(j.expect) != 6 || j.expect[5].Run != 3 || room.all != 7 || room.broken != 7 || room.bytes != 1 || len(j.rowVerdicts) != 5 {
		t.Errorf("got %d expectations, room %+v, and verdicts of %d runs; want those of 3 runs, and verdicts of 5", len(j.expect), room, len(j.rowVerdicts))
	}
}

// TestBrokenRunsAreListed pins that a broken run takes the bytes of runs that pass, the last of them first, and only if it then fits.
func TestBrokenRunsAreListed(t *testing.T) {
	of := func(v judge.Verdict, message string) []judge.Assertion {
		return []judge.Assertion{{Target: "response", Verdict: v, Message: message}, {Target: "calls", Verdict: judge.Pass}}
	}
	pass, fail := of(judge.Pass, "   "), of(judge.Fail, "no.")
	room := runRoom{all: 10, broken: 10, bytes: 3 * (sizeOf(pass[0]) + sizeOf(pass[1]))}
	j := judgement{rowVerdicts: map[int]judge.Verdict{}}
	for i, one := range [][]judge.Assertion{pass, pass, fail, fail, of(judge.Fail, strings.Repeat("x", 300)), pass, fail, fail} {
		j.addExpectations(i+1, one, &room)
	}
	j.removeDropped()
	var listed []int
	for _, e := range j.expect {
		listed = append(listed, e.Run)
	}
	if want := []int{3, 3, 4, 4, 7, 7}; !slices.Equal(listed, want) {
		t.Errorf("got expectations of the runs %v, want %v", listed, want)
	}
	var passed, failed int
	for _, e := range j.counted.list {
		passed, failed = passed+e.Passed, failed+e.Failed
	}
	if passed != 8 || failed != 2 {
		t.Errorf("counted %d that pass and %d that fail, want 8 and 2", passed, failed)
	}
}

// TestLeastShare pins that a case which is too large keeps one run, and not none.
func TestLeastShare(t *testing.T) {
	c := checkMany(t, 60, 5, share{runs: 50, notes: 20, calls: 100, bytes: 1, called: 100, text: 1000}).Cases[0]
	if len(c.Rows) != 1 || c.Rows[0].Run != 6 || c.Cut == nil || c.Cut.Runs != 59 {
		t.Errorf("got rows %+v and cut %+v, want the first bad run alone", c.Rows, c.Cut)
	}
	for _, cases := range []int{-1, 0, 1} {
		if got := shareOf(cases); got != shareOf(1) {
			t.Errorf("of %d cases: %+v, want all", cases, got)
		}
	}
	want := share{runs: 10, notes: 20, calls: 20, bytes: 4 << 10, called: 1000, text: 10_000}
	if got := shareOf(1 << 20); got != want {
		t.Errorf("of many cases: %+v, want %+v", got, want)
	}
}

// TestLessOfShares pins that each step halves what a case keeps, but for its bytes, down to one of each and a short text.
func TestLessOfShares(t *testing.T) {
	for _, test := range []struct{ share, want share }{
		{share{9, 8, 7, 6, 5, 900}, share{4, 4, 3, 6, 2, 450}},
		{share{2, 2, 2, 2, 2, 402}, share{1, 1, 1, 2, 1, 201}},
		{share{1, 1, 1, 1, 1, 399}, share{1, 1, 1, 1, 1, 200}},
	} {
		if got := test.share.halved(); got != test.want {
			t.Errorf("less than %+v: %+v, want %+v", test.share, got, test.want)
		}
	}
}

// TestSizes pins that each text and each entry of what is cut adds to the size of a case: what does not would not be bounded.
func TestSizes(t *testing.T) {
	const more = 1000
	long := strings.Repeat("x", more)
	note := func(notes ...judge.Note) report.Case {
		var g judge.Result
		g.Notes = notes
		return report.Case{Gates: []judge.Result{g}}
	}
	expect := func(a judge.Assertion) report.Case {
		return report.Case{Expect: []report.RunAssertion{{Assertion: a}}}
	}
	call := func(c report.TimelineCall) report.Case {
		return report.Case{Timelines: []report.Timeline{{Calls: []report.TimelineCall{c}}}}
	}
	breach := judge.Assertion{Breach: &judge.Breach{Runs: []judge.BreachRun{{Did: long}}}}
	for name, c := range map[string]report.Case{
		"rows": {Rows: make([]report.Row, 10)}, "error of a row": {Rows: []report.Row{{Err: report.Optional(long)}}},
		"tools of a row": {Rows: []report.Row{{Called: []string{long}}}}, "notes": note(make([]judge.Note, 10)...),
		"subject of a note": note(judge.Note{Subject: long}), "text of a note": note(judge.Note{Text: long}), "runs of a note": note(judge.Note{Runs: make([]int, more/8)}),
		"breach": {Gates: []judge.Result{{Assertions: []judge.Assertion{breach}}}}, "expectations": {Expect: make([]report.RunAssertion, 10)},
		"target": expect(judge.Assertion{Target: long}), "matcher": expect(judge.Assertion{Matcher: long}), "message": expect(judge.Assertion{Message: long}),
		"text": expect(judge.Assertion{Actual: long}), "texts": expect(judge.Assertion{Actual: []string{"a", long}}), "JSON": expect(judge.Assertion{Actual: jsontext.Value(long)}),
		"calls": {Timelines: []report.Timeline{{Calls: make([]report.TimelineCall, 12)}}}, "tool of a call": call(report.TimelineCall{Tool: long}),
		"agent of a call": call(report.TimelineCall{Agent: report.Optional(long)}), "arguments of a call": call(report.TimelineCall{Arguments: []string{long}}),
	} {
		one, two := outcome{Case: c}, outcome{Case: c}
		two.Rows, two.Gates = slices.Concat(c.Rows, slices.Clone(c.Rows)), slices.Concat(c.Gates, c.Gates)
		two.Expect, two.Timelines = slices.Concat(c.Expect, c.Expect), slices.Concat(c.Timelines, c.Timelines)
		if size := one.estimatedSize(); size < more || two.estimatedSize() < size {
			t.Errorf("%s: the size is %d, and twice as many %d; want %d or more", name, size, two.estimatedSize(), more)
		}
	}
}

// TestRowsShareLists pins that rows of runs which called the same tools share one list: a case can have a hundred thousand of them.
func TestRowsShareLists(t *testing.T) {
	rows := checkMany(t, 60, 30, share{}).Cases[0].Rows
	if &rows[0].Called[0] != &rows[1].Called[0] || &rows[0].Called[0] == &rows[59].Called[0] {
		t.Errorf("rows of %v, %v and %v do not share lists as their calls are the same", rows[0].Called, rows[1].Called, rows[59].Called)
	}
}

// TestCutExpectations pins that expectations of runs that a report leaves out are counted, each once.
func TestCutExpectations(t *testing.T) {
	var left tally
	for _, verdict := range []judge.Verdict{judge.Pass, judge.Fail, judge.Pass, judge.Error} {
		left.add(&judge.Assertion{Target: "tool_names", Matcher: `contains "x"`, Verdict: verdict, Line: 3})
	}
	left.add(&judge.Assertion{Target: "tool_names", Matcher: `contains "x"`, Verdict: judge.Skipped, Line: 4})
	var got []string
	for _, e := range left.list {
		got = append(got, fmt.Sprintf("line %d: %d passed, %d failed, %d errors, %d skipped", e.Line, e.Passed, e.Failed, e.Errors, e.Skipped))
	}
	want := []string{"line 3: 2 passed, 1 failed, 1 errors, 0 skipped", "line 4: 0 passed, 0 failed, 0 errors, 1 skipped"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
