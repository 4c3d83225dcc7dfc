package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// answeredBy makes a case one of an agent that is built in.
func answeredBy(model string) func(*Case) {
	return func(c *Case) {
		c.Model, c.ID = Optional(model), c.ID+"::"+model
		c.ModelNote, c.TokenNote = Optional(trace.ModelNote(model)), Optional(trace.TokenNote(model))
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

// TestTextSaysWhatIsNoModel pins that no case of a built-in agent is told or counted without saying so.
func TestTextSaysWhatIsNoModel(t *testing.T) {
	of := func(model string) func(Case) Case { return func(c Case) Case { return with(c, answeredBy(model)) } }
	for _, test := range []struct {
		name  string
		cases []Case
		want  []string
	}{
		{"passes", []Case{of(trace.ModelLexical)(research("a", 1, 80, good))}, []string{
			"PASS suites/tools.yml:1: a (builtin:lexical, " + lexical + ") (f1 100%",
			"\nthe tokens of 1 case are " + counted + "\n",
		}},
		{"passes, told by the lines of its gate", []Case{of(trace.ModelScript)(floored("a", 1, 9, 10))}, []string{
			"PASS suites/tools.yml:1: a (builtin:script, " + scripted + ") (", "\ntool-selection floor [PASS] a: ",
		}},
		{"fails", []Case{of(trace.ModelLexical)(research("a", 1, 80, withExec))}, []string{
			"FAIL suites/tools.yml:1: a (builtin:lexical, " + lexical + ")\n",
		}},
		{"without a model's name", []Case{with(research("a", 1, 80, good), answeredBy(trace.ModelLexical), func(c *Case) { c.Model = "" })}, []string{
			": a (" + lexical + ") (f1",
		}},
		{"too many to list", append(many(41, of(trace.ModelLexical)), many(2, of(trace.ModelScript))...), []string{
			"PASS 43 cases (--verbose lists them)\nthe agent of 41 cases is " + lexical + "\nthe agent of 2 cases is " + scripted + "\n",
			"\nthe tokens of 41 cases are " + counted + "\n",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &Report{Cases: test.cases}
			r.Conclude()
			got := renderText(t, r, TextOptions{})
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("got\n%s\nwant %q in it", got, want)
				}
			}
		})
	}
}

func many(n int, edit func(Case) Case) []Case {
	var cases []Case
	for range n {
		cases = append(cases, edit(research("a", 1, 80, good)))
	}
	return cases
}

// TestNothingIsSaidOfModels pins that a report of models alone has not a word more.
func TestNothingIsSaidOfModels(t *testing.T) {
	r := reportOf(with(research("a", 1, 80, good), answeredBy("gpt-5")), research("b", 20, 80, withExec))
	said := renderText(t, r, TextOptions{}) + renderMarkdown(t, r, MarkdownOptions{})
	for _, word := range []string{"agent of", "tokens of", "not a model", "cl100k"} {
		if strings.Contains(said, word) {
			t.Errorf("got %q in\n%s", word, said)
		}
	}
}

func TestComparisonSaysWhatIsNoModel(t *testing.T) {
	r := compared(reportOf(named("a", 1)), reportOf(with(research("a", 1, 80, good), answeredBy(trace.ModelLexical))))
	var b bytes.Buffer
	if err := ComparisonText(&b, r, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if want := "the agent of 1 case is " + lexical + "\nthe tokens of 1 case are " + counted + "\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("got\n%s\nwant it to end in\n%s", b.String(), want)
	}
}

// TestManyNotes pins that a saved report with a note of its own for each case does not fill the screen.
func TestManyNotes(t *testing.T) {
	r := &Report{}
	for i := range 100 {
		r.Cases = append(r.Cases, Case{Verdict: judge.Pass, ModelNote: Optional(strings.Repeat("x", i+1))})
	}
	if got := r.notes(modelNote); len(got) != mostNotes || got[0] != (noted{"x", 1}) {
		t.Errorf("got %v, want the first %d", got, mostNotes)
	}
}
