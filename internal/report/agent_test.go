package report_test

import (
	"bytes"
	"github.com/org/mcp-gates/internal/report/reporttest"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/org/mcp-gates/internal/trace"
)

// answeredBy makes a case one of an agent that is built in.
func answeredBy(model string) func(*report.Case) {
	return func(c *report.Case) {
		c.Model, c.ID = report.Optional(model), c.ID+"::"+model
		c.ModelNote, c.TokenNote = report.Optional(trace.ModelNote(model)), report.Optional(trace.TokenNote(model))
		if model == trace.ModelScript {
			c.Tokens = nil
		}
	}
}

const (
	lexical  = "a lexical baseline, not a model"
	scripted = "played from a script, not a model"
	counted  = "cl100k counts of what a model would have read and written"
)

// TestTextSaysWhatIsNoModel pins that cases of a built-in agent are not shown or counted without saying so: once, at the end.
func TestTextSaysWhatIsNoModel(t *testing.T) {
	of := func(model string) func(report.Case) report.Case {
		return func(c report.Case) report.Case { return reporttest.With(c, answeredBy(model)) }
	}
	for _, test := range []struct {
		name  string
		cases []report.Case
		want  []string
	}{
		{"passes", []report.Case{of(trace.ModelLexical)(reporttest.Research("a", 1, 80, reporttest.Good))}, []string{
			"PASS suites/tools.yml:1: a (builtin:lexical) (f1 100%",
			"\nThe agent of 1 case is " + lexical + ".\nThe tokens of 1 case are " + counted + ".\n",
		}},
		{"passes, told by the lines of its gate", []report.Case{of(trace.ModelScript)(reporttest.Floored("a", 1, 9, 10))}, []string{
			"\ntool-selection floor [PASS] a: ", "\nThe agent of 1 case is " + scripted + ".\n",
		}},
		{"fails", []report.Case{of(trace.ModelLexical)(reporttest.Research("a", 1, 80, reporttest.WithExec))}, []string{
			"FAIL suites/tools.yml:1: a (builtin:lexical)\n", "\nThe agent of 1 case is " + lexical + ".\n",
		}},
		{"without a model's name", []report.Case{reporttest.With(reporttest.Research("a", 1, 80, reporttest.Good), answeredBy(trace.ModelLexical), func(c *report.Case) { c.Model = "" })}, []string{
			": a (f1", "\nThe agent of 1 case is " + lexical + ".\n",
		}},
		{"too many to list", append(many(41, of(trace.ModelLexical)), many(2, of(trace.ModelScript))...), []string{
			"\nThe agent of 41 of 43 cases is " + lexical + ".\nThe agent of 2 of 43 cases is " + scripted + ".\n",
			"\nThe tokens of 41 of 43 cases are " + counted + ".\n",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &report.Report{Cases: test.cases}
			r.Conclude()
			got := renderText(t, r, text.Options{})
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("got\n%s\nwant %q in it", got, want)
				}
			}
		})
	}
}

func many(n int, edit func(report.Case) report.Case) []report.Case {
	var cases []report.Case
	for range n {
		cases = append(cases, edit(reporttest.Research("a", 1, 80, reporttest.Good)))
	}
	return cases
}

// TestNothingIsSaidOfModels pins that a report of models alone has not a word more.
func TestNothingIsSaidOfModels(t *testing.T) {
	r := reporttest.Of(reporttest.With(reporttest.Research("a", 1, 80, reporttest.Good), answeredBy("gpt-5")), reporttest.Research("b", 20, 80, reporttest.WithExec))
	said := renderText(t, r, text.Options{}) + renderMarkdown(t, r, markdown.Options{})
	for _, word := range []string{"The agent of", "The tokens of", "not a model", "cl100k"} {
		if strings.Contains(said, word) {
			t.Errorf("got %q in\n%s", word, said)
		}
	}
}

func TestComparisonSaysWhatIsNoModel(t *testing.T) {
	r := compared(reporttest.Of(reporttest.Named("a", 1)), reporttest.Of(reporttest.With(reporttest.Research("a", 1, 80, reporttest.Good), answeredBy(trace.ModelLexical))))
	var b bytes.Buffer
	if err := text.Comparison(&b, r, text.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "The agent of 1 case is " + lexical + ".\nThe tokens of 1 case are " + counted + ".\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("got\n%s\nwant it to end in\n%s", b.String(), want)
	}
}

// TestManyNotes pins that a saved report with a note of its own for each case does not fill the screen.
func TestManyNotes(t *testing.T) {
	r := &report.Report{}
	for i := range 100 {
		r.Cases = append(r.Cases, report.Case{Verdict: judge.Pass, ModelNote: report.Optional(strings.Repeat("x", i+1))})
	}
	if got := r.Notes(report.ModelNote); len(got) != 4 || got[0] != (report.Noted{Note: "x", Cases: 1}) {
		t.Errorf("got %v, want the first 4", got)
	}
}
