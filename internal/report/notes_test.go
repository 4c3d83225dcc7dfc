package report

import (
	"slices"
	"testing"

	"github.com/org/mcp-gates/internal/gates"
)

// notes has one of each kind.
var notes = []gates.Note{
	{Kind: gates.Matched, Subject: "search", Text: "web.search", Runs: []int{1, 2}},
	{Kind: gates.Missed, Subject: "fetch", Runs: []int{2}, Line: 25, Members: []string{"web.fetch", "http.get"}},
	{Kind: gates.Unexpected, Subject: "shell.exec", Calls: 4, Runs: []int{1, 2}},
	{Kind: gates.Chosen, Subject: "distractor.find_recipes", Calls: 1, Runs: []int{1}},
	{Kind: gates.Unrecovered, Subject: "web.crawl", Calls: 2, Runs: []int{2}},
	{Kind: gates.Invalid, Subject: "web.search", Calls: 1, Runs: []int{1}},
	{Kind: gates.Hallucinated, Subject: "web.serach", Calls: 1, Runs: []int{1}},
	{Kind: gates.Confused, Subject: "how warm is it", Text: "get_time", Members: []string{"get_weather", "get_climate"}},
	{Kind: gates.Confused, Subject: "brrr", Members: []string{"get_weather"}},
	{Kind: gates.Mutated, Subject: "get_weather", Text: "blank", Calls: 3, Figure: gates.Ratio(1, 2, gates.Fraction), Drop: gates.Ratio(1, 4, gates.Fraction)},
}

// TestEveryKindOfNotes pins how each rendering shows each kind.
func TestEveryKindOfNotes(t *testing.T) {
	for _, kind := range gates.Kinds {
		if !slices.ContainsFunc(notes, func(n gates.Note) bool { return n.Kind == kind.Name }) {
			t.Errorf("no note of kind %s is shown; add one, and run go test -update", kind.Name)
		}
	}
	noted := with(named("noted", 12), func(c *Case) {
		c.Verdict = gates.Fail
		c.Gates = []gates.Result{{Gate: "orchestration", Line: 20, Verdict: gates.Fail, Grounds: gates.Grounds{Notes: notes}}}
	})
	r := compared(reportOf(with(named("noted", 12))), reportOf(noted))
	golden(t, "notes.txt", renderText(t, r, TextOptions{}))
	golden(t, "notes.md", renderMarkdown(t, r, MarkdownOptions{}))
	golden(t, "notes.json", renderJSON(t, r))
}
