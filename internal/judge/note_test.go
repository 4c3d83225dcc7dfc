package judge

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

// TestKinds names what a row of Kinds lacks.
func TestKinds(t *testing.T) {
	for i, kind := range Kinds {
		if slices.ContainsFunc(Kinds[:i], func(k Kind) bool { return k.Name == kind.Name }) {
			t.Errorf("%s is listed twice", kind.Name)
		}
		if len(kind.Fields) == 0 {
			t.Errorf("%s has no fields for the JSON report", kind.Name)
		}
		if kind.Right {
			continue
		}
		if kind.Line == "" {
			t.Errorf("%s has no wording for a line", kind.Name)
		}
		if kind.Title == "" || len(kind.Message) == 0 || kind.Annotate == NotAnnotated {
			t.Errorf("%s has no wording for an annotation", kind.Name)
		}
		for _, wording := range append([]string{kind.Line, kind.Aside}, kind.Message...) {
			if said := saidOf(wording); strings.ContainsAny(said, "{}") {
				t.Errorf("%s: %q has a part that no note has: %s", kind.Name, wording, said)
			}
		}
	}
}

// saidOf fills in a wording with a note that has everything.
func saidOf(wording string) string {
	n := Note{Subject: "a", Text: "b", Members: []string{"c", "d"}, Runs: []int{1}, Calls: 2}
	same := func(s string) string { return s }
	return n.Say(wording, Words{
		Subject: func(n *Note) string { return n.Subject }, Name: same, Quote: same,
		List:    func(names []string) string { return strings.Join(names, "+") },
		Runs:    func([]int, int) string { return "run 1" },
		Instead: func(*Note) string { return "e" },
	})
}

func TestSay(t *testing.T) {
	for wording, want := range map[string]string{
		"":                               "",
		"no part":                        "no part",
		"{subject} {text} {quoted}":      "a b a",
		"{calls}, {picks}, {times}":      "2 calls, 2 picks, 2 times",
		"{members}; {either} in {runs}!": "c+d; c or d in run 1!",
		"called {instead}":               "called e",
		"of {nothing}":                   "of {nothing}",
	} {
		if got := saidOf(wording); got != want {
			t.Errorf("%q: got %q, want %q", wording, got, want)
		}
	}
	for _, wording := range []string{"x {members}", "x {either}", "x {instead}"} {
		words := Words{List: func(names []string) string { return strings.Join(names, "+") }}
		if got := (&Note{Subject: "a"}).Say(wording, words); got != "" {
			t.Errorf("%q with nothing to list: got %q, want nothing", wording, got)
		}
	}
}

// TestSaySteps pins what is said of the steps to a deferred tool.
func TestSaySteps(t *testing.T) {
	words := Words{Quote: strconv.Quote, List: func(names []string) string { return strings.Join(names, "+") }}
	for _, test := range []struct {
		note Note
		want string
	}{
		{Note{Runs: []int{1, 2}, Calls: 2, Queries: []string{"a b", "c"}, Members: []string{"x", "y"}}, `2 runs searched "a b", "c" and got x+y; called x+y`},
		{Note{Runs: []int{1}, Calls: 1, Queries: []string{""}}, `1 run searched "" and got nothing; called nothing`},
		{Note{Runs: []int{1}, MoreRuns: 1, Members: []string{"x"}}, "2 runs did not search, and loaded x by name; called x"},
		{Note{Runs: []int{1}}, "1 run did not search; called nothing"},
	} {
		if got := test.note.Say("{searched}; {called}", words); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.note, got, test.want)
		}
	}
}

// TestSayFields pins how a note's own fields are said.
func TestSayFields(t *testing.T) {
	words := Words{Name: strings.ToUpper, Quote: strconv.Quote}
	for _, test := range []struct {
		wording string
		note    Note
		want    string
	}{
		{"{text}", Note{}, "nothing"},
		{"{text}, {query}, {search}", Note{Text: "a", Search: "codex"}, `A, "a", CODEX`},
		{"{figure}", Note{Figure: Int(80, Percent)}, "80%"},
		{"{rank}", Note{}, "is in no result"},
		{"{rank}, was {was}", Note{Rank: 1, Was: 2}, "is 1st, was 2nd"},
		{"{rank}, was {was}", Note{Rank: 3, Was: 10}, "is 3rd, was 10th"},
		{"{rank}, was {was}", Note{Rank: 11, Was: 13}, "is 11th, was 13th"},
		{"{rank}, was {was}", Note{Rank: 21, Was: 112}, "is 21st, was 112th"},
		{"{rank}, was {was}", Note{Rank: 114, Was: 122}, "is 114th, was 122nd"},
		{"{times} at {position}", Note{Calls: 1, Call: 4}, "once at 4"},
		{"{times} for {intents}", Note{Calls: 3}, "3 times for 3 intents"},
		{"{found}", Note{Call: 2}, "found (rank 2)"},
		{"{found}", Note{Text: "loaded by name"}, "loaded by name"},
		{"{found}", Note{}, "there from the start"},
	} {
		if got := test.note.Say(test.wording, words); got != test.want {
			t.Errorf("%q of %+v: got %q, want %q", test.wording, test.note, got, test.want)
		}
	}
	if got := lists.FirstFive([]string{"a", "b", "c", "d", "e"}); got != "a, b, c, d, e" {
		t.Errorf("five names: got %q", got)
	}
	if got := lists.FirstFive([]string{"a", "b", "c", "d", "e", "f", "g"}); got != "a, b, c, d, e and 2 more" {
		t.Errorf("seven names: got %q", got)
	}
}

// A note that no rendering could show makes its gate an error.
func TestNoteOfUnknownKind(t *testing.T) {
	check := Check{Gate: &Gate{Name: "new"}, Plan: Plan{Measurer: Measure(func(*trace.Trace) Measurement {
		return Measurement{Grounds: Grounds{Notes: []Note{{Kind: "newest"}}}}
	})}}
	got := new(Work).Evaluate("x", []Check{check}, &trace.Trace{})[0]
	if want := `there is no kind of notes "newest"`; got.Verdict != Error || got.Err.Message != want || got.Notes != nil {
		t.Errorf("got %s, %+v, notes %v, want the error %q", got.Verdict, got.Err, got.Notes, want)
	}
}
