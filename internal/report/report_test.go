package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"github.com/org/mcp-gates/internal/report/reporttest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/text"
)

var update = flag.Bool("update", false, "write the golden files anew")

func same(s string) string { return s }

// golden compares got with the golden file name, or writes it when -update is given.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got\n%s", name, diff)
	}
}

func renderText(t *testing.T, r *report.Report, o text.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := text.Report(&b, r, o); err != nil {
		t.Fatalf("Text: %v", err)
	}
	return b.String()
}

func renderJSON(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.JSON(&b, r); err != nil {
		t.Fatalf("JSON: %v", err)
	}
	return b.String()
}

func renderFailures(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := text.Failures(&b, r, text.Options{}); err != nil {
		t.Fatalf("Failures: %v", err)
	}
	return b.String()
}

func TestRenderings(t *testing.T) {
	golden(t, "everything.txt", renderText(t, fixture(same), text.Options{}))
	golden(t, "everything.all.txt", renderText(t, fixture(same), text.Options{All: true, Values: true}))
	golden(t, "everything.run.txt", renderText(t, fixture(same), text.Options{Run: 2, Values: true}))
	golden(t, "everything.failures.txt", renderFailures(t, compared(reporttest.Of(), fixture(same))))
	golden(t, "everything.json", renderJSON(t, fixture(same)))
}

func TestColorOnlyPaints(t *testing.T) {
	colored := renderText(t, fixture(same), text.Options{Color: true})
	if !strings.HasPrefix(colored, "\x1b[1;31mERROR\x1b[0m: ") {
		t.Errorf("got %q, want the verdict painted first", colored[:40])
	}
	plain := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(colored, "")
	if diff := cmp.Diff(renderText(t, fixture(same), text.Options{}), plain); diff != "" {
		t.Errorf("colours change more than colour: -want +got\n%s", diff)
	}
}

func TestTextOfFewAndMany(t *testing.T) {
	for _, test := range []struct {
		name  string
		cases int
		all   bool
		want  string
		lines int
	}{
		{"none", 0, false, "ERROR: nothing was checked\n", 3},
		{"one", 1, false, "PASS: 1 case passed\n", 5},
		{"many are counted", 50, false, "\nPASS 50 cases (--verbose lists them)\n", 5},
		{"many are listed when asked for", 50, true, "\nPASS s.yml:1: one\n", 54},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &report.Report{}
			for range test.cases {
				r.Cases = append(r.Cases, report.Case{Suite: "s.yml", Name: "one", Line: 1, Verdict: judge.Pass})
			}
			r.Conclude()
			got := renderText(t, r, text.Options{All: test.all})
			if !strings.Contains(got, test.want) || strings.Count(got, "\n") != test.lines {
				t.Errorf("got %d lines:\n%swant %d lines with %q", strings.Count(got, "\n"), got, test.lines, test.want)
			}
		})
	}
}

// TestValues pins that text shows what a run answered or gave as arguments only where it is asked for.
func TestValues(t *testing.T) {
	r := &report.Report{Cases: []report.Case{{Suite: "s.yml", Name: "one", Line: 1, Verdict: judge.Fail, Expect: []report.RunAssertion{{
		Run: 3, Assertion: judge.Assertion{
			Target: "final_response", Matcher: `contains "rain"`, Actual: "secret", Verdict: judge.Fail, Line: 9,
			Message: `final_response is "secret", expected contains "rain"`,
		},
	}}}}}
	r.Conclude()
	if got := renderText(t, r, text.Options{Values: true}); !strings.Contains(got, "secret") {
		t.Errorf("a text for oneself lacks what was found:\n%s", got)
	}
	const want = `  s.yml:9: final_response does not hold in run 3: expected contains "rain"`
	if got := renderText(t, r, text.Options{}); strings.Contains(got, "secret") || !strings.Contains(got, want) {
		t.Errorf("got:\n%swant the line %q and nothing of what was found", got, want)
	}
	if r.Cases[0].Expect[0].Message == "" || strings.Contains(r.Cases[0].Expect[0].Message, "is not") {
		t.Error("the report was changed by writing it")
	}
}

func TestReadIsTheInverseOfJSON(t *testing.T) {
	want := renderJSON(t, fixture(same))
	r, err := report.Read(strings.NewReader(want))
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	if diff := cmp.Diff(want, renderJSON(t, r)); diff != "" {
		t.Errorf("read and written again: -want +got\n%s", diff)
	}
	if diff := cmp.Diff(renderText(t, fixture(same), text.Options{}), renderText(t, r, text.Options{})); diff != "" {
		t.Errorf("text of the report read: -want +got\n%s", diff)
	}
}

// compact is a JSON text without blanks between its parts.
func compact(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A report that was saved before cases had tool_selection, and rows selected and over_budget, gains nothing by being read.
func TestReadOfAnOlderReport(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("testdata", "before_selection.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := string(file)
	r, err := report.Read(strings.NewReader(want))
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	if diff := cmp.Diff(compact(t, want), compact(t, renderJSON(t, r))); diff != "" {
		t.Errorf("read and written again: -want +got\n%s", diff)
	}
	today := fixture(same)
	for i := range today.Cases {
		today.Cases[i].Timelines = nil // which such a report does not have either
		for j := range today.Cases[i].Gates {
			g := &today.Cases[i].Gates[j]
			g.Headline = strings.Replace(g.Headline, "pass^1", "pass^k", 1) // a line is printed as it was saved
		}
	}
	if diff := cmp.Diff(renderText(t, today, text.Options{}), renderText(t, r, text.Options{})); diff != "" {
		t.Errorf("text: -want that of today's +got\n%s", diff)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"nothing", ``, "is not a report"},
		{"no object", `[]`, "is not a report"},
		{"another version", `{"report": 2}`, "version 2, expected version 1"},
		{"no version", `{}`, "version 0, expected version 1"},
		{"wrong type", `{"report": 1, "cases": [{"line": "x"}]}`, `"/cases/0/line"`},
		{"cut off", `{"report": 1, "cases": [`, "is not a report"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := report.Read(strings.NewReader(test.in))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Read(%q): got %v, want an error with %q", test.in, err, test.want)
			}
		})
	}
}

func TestVerdictAndExitStatus(t *testing.T) {
	user := report.Case{Verdict: judge.Error, Err: &judge.Problem{Exit: report.ExitUser}}
	world := report.Case{Verdict: judge.Error, Gates: []judge.Result{{Err: &judge.Problem{Exit: report.ExitWorld}}}}
	pass, fail, skipped := report.Case{Verdict: judge.Pass}, report.Case{Verdict: judge.Fail}, report.Case{Verdict: judge.Skipped}
	for _, test := range []struct {
		name     string
		cases    []report.Case
		problems int
		verdict  judge.Verdict
		exit     int
	}{
		{"nothing", nil, 0, judge.Error, report.ExitUser},
		{"all passed", []report.Case{pass, pass}, 0, judge.Pass, report.ExitPass},
		{"one skipped", []report.Case{pass, skipped}, 0, judge.Pass, report.ExitPass},
		{"all skipped", []report.Case{skipped}, 0, judge.Error, report.ExitUser},
		{"one failed", []report.Case{pass, fail}, 0, judge.Fail, report.ExitFail},
		{"passed, and a mistake", []report.Case{pass}, 1, judge.Error, report.ExitUser},
		{"user over failed", []report.Case{fail, user}, 0, judge.Error, report.ExitUser},
		{"world over user", []report.Case{world, user}, 1, judge.Error, report.ExitWorld},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &report.Report{Cases: test.cases, Problems: make([]report.Problem, test.problems)}
			r.Conclude()
			if r.Verdict != test.verdict || r.ExitStatus() != test.exit {
				t.Errorf("got %s, exit %d, want %s, exit %d", r.Verdict, r.ExitStatus(), test.verdict, test.exit)
			}
		})
	}
}

func TestConcludeSortsAndDropsDoubles(t *testing.T) {
	r := &report.Report{Problems: []report.Problem{{Path: "b", Line: 1, Col: 1, Message: "x"}, {Path: "a", Line: 2, Col: 1, Message: "x"}, {Path: "a", Line: 1, Col: 2, Message: "x"}, {Path: "b", Line: 1, Col: 1, Message: "x"}}}
	r.Conclude()
	want := []report.Problem{{Path: "a", Line: 1, Col: 2, Message: "x"}, {Path: "a", Line: 2, Col: 1, Message: "x"}, {Path: "b", Line: 1, Col: 1, Message: "x"}}
	if diff := cmp.Diff(want, r.Problems); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestSafe(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"plain text", "plain text"},
		{"Grüße, 東京 🌤", "Grüße, 東京 🌤"},
		{"line\nbreak\ttab\r", `line\x0abreak\x09tab\x0d`},
		{"\x1b[31mred\x1b]0;title\a", `\x1b[31mred\x1b]0;title\x07`},
		{"c1 \u009b31m", `c1 \u009b31m`},
		{"\u202egnp.exe\u2066", `\u202egnp.exe\u2066`},
		{"zero\u200bwidth\ufeff", `zero\u200bwidth\ufeff`},
		{"lines\u2028\u2029", `lines\u2028\u2029`},
		{"tag\U000e0041", `tag\U000e0041`},
		{"filler\u3164\u115f", `filler\u3164\u115f`},
		{"bad \xff utf-8", `bad \xff utf-8`},
		{"\ufffd as written", "\ufffd as written"},
		{"::error::x", `\x3a:error::x`},
		{"  ::add-mask::e", `  \x3a:add-mask::e`},
		{"a ::b::", "a ::b::"},
		{"x ##[add-path]/tmp", `x #\x23[add-path]/tmp`},
		{"###[##[", `##\x23[#\x23[`},
		{strings.Repeat("x", 2001), strings.Repeat("x", 2000) + "…"},
	} {
		if got := report.Safe(test.in); got != test.want {
			t.Errorf("Safe(%q): got %q, want %q", test.in, got, test.want)
		}
	}
}

func FuzzSafe(f *testing.F) {
	f.Add("\x1b[2J\u202e\n\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := report.Safe(s)
		if !utf8.ValidString(got) || strings.IndexFunc(got, acts) >= 0 {
			t.Errorf("Safe(%q) = %q, which a terminal acts on", s, got)
		}
		if len([]rune(got)) > 10*2000+1 {
			t.Errorf("Safe of %d bytes has %d characters", len(s), len([]rune(got)))
		}
	})
}

// acts reports whether a terminal acts on r rather than showing it.
func acts(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
}

// Whatever names and messages hold, the text report has the same lines, and the JSON report is read back.
func FuzzRenderings(f *testing.F) {
	f.Add("\x1b[2K\rPASS: all fine\n")
	f.Add("\u202e\u0000\xff")
	render := func(t *testing.T, r *report.Report) string {
		return renderText(t, r, text.Options{}) + renderText(t, r, text.Options{All: true, Values: true}) + renderText(t, r, text.Options{Run: 2, Values: true}) + renderFailures(t, r)
	}
	lines := 0
	f.Fuzz(func(t *testing.T, s string) {
		if lines == 0 {
			lines = strings.Count(render(t, fixture(same)), "\n")
		}
		r := fixture(func(name string) string { return name + s })
		got := render(t, r)
		if strings.Count(got, "\n") != lines || strings.IndexFunc(got, func(r rune) bool { return r != '\n' && acts(r) }) >= 0 {
			t.Errorf("with %q in every name, want %d lines of plain text, got\n%q", s, lines, got)
		}
		written := renderJSON(t, r)
		back, err := report.Read(strings.NewReader(written))
		if err != nil {
			t.Fatalf("with %q in every name: %v", s, err)
		}
		if again := renderJSON(t, back); again != written {
			t.Errorf("with %q in every name: -want +got\n%s", s, cmp.Diff(written, again))
		}
	})
}

// Any file is read or refused, and what is read can be written.
func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := report.JSON(&b, fixture(same)); err != nil {
		f.Fatal(err)
	}
	f.Add(b.String())
	f.Add(`{"report": 1, "cases": [{"gates": [{"metrics": {"x": 1e99}, "assertions": [{"actual": [1, {"a": null}]}]}]}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		r, err := report.Read(strings.NewReader(s))
		if err != nil {
			return
		}
		renderText(t, r, text.Options{All: true, Values: true})
		renderText(t, r, text.Options{Run: 1})
		renderFailures(t, r)
		written := renderJSON(t, r)
		if _, err := report.Read(strings.NewReader(written)); err != nil {
			t.Errorf("%v in what was written of %q:\n%s", err, s, written)
		}
	})
}

func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		runs []int
		more int
		want string
	}{
		{[]int{3}, 0, "run 3"},
		{[]int{1, 2}, 0, "runs 1, 2"},
		{[]int{1, 2}, 7, "runs 1, 2, and 7 more"},
		{[]int{1}, 1, "runs 1, and 1 more"},
		{nil, 7, "7 runs"},
		{[]int{1, 2, 3, 4, 7, 9, 10}, 0, "runs 1 to 4, 7, 9, 10"},
		{[]int{1, 3, 5, 7, 9, 11, 13, 15, 17, 19}, 0, "runs 1, 3, 5, 7, 9, 11, 13, 15, …"},
	} {
		if got := report.Numbers(test.runs, test.more); got != test.want {
			t.Errorf("numbers(%v): got %q, want %q", test.runs, got, test.want)
		}
	}
}

// TestActualTextHasNoSecrets pins that a value which a run had is shown without what has the shape of a secret, before it is cut: a
// recording by hand was never redacted.
func TestActualTextHasNoSecrets(t *testing.T) {
	key := "sk-ant-api03-" + strings.Repeat("aB3", 31) + "AA"
	for _, value := range []any{key, []string{"a", key}, jsontext.Value(`{"password": "hunter2hunter2", "q": "` + key + `"}`), strings.Repeat("x ", 90) + key} {
		got := report.ActualText(value)
		if strings.Contains(got, "sk-ant") || strings.Contains(got, "hunter2") {
			t.Errorf("got %s", got)
		}
	}
	if got := report.ActualText("password reset"); got != `"password reset"` {
		t.Errorf("got %s", got)
	}
}
