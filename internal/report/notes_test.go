package report_test

import (
	"github.com/org/mcp-gates/internal/report/reporttest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/html"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/text"
)

// notes has one of each kind.
var notes = []judge.Note{
	{Kind: judge.Matched, Subject: "search", Text: "web.search", Runs: []int{1, 2}},
	{Kind: judge.Missed, Subject: "fetch", Runs: []int{2}, Line: 25, Members: []string{"web.fetch", "http.get"}},
	{Kind: judge.NotFound, Subject: "fetch", Runs: []int{2}, Line: 25, Calls: 2, Queries: []string{"get a page", `"quoted"`}, Members: []string{"search", "crawl"}},
	{Kind: judge.NotFound, Subject: "fetch", Runs: []int{1}, Line: 25},
	{Kind: judge.NotFound, Subject: "fetch", Runs: []int{1}, Line: 25, Members: []string{"crawl"}},
	{Kind: judge.NotPicked, Subject: "fetch", Runs: []int{1, 2}, Line: 25, Call: 2, Text: "found (rank 2)", Members: []string{"crawl"}},
	{Kind: judge.NotPicked, Subject: "fetch", Runs: []int{1}, Line: 25, Text: "loaded by name"},
	{Kind: judge.Unexpected, Subject: "shell.exec", Calls: 4, Runs: []int{1, 2}},
	{Kind: judge.Chosen, Subject: "distractor.find_recipes", Calls: 1, Runs: []int{1}},
	{Kind: judge.Unrecovered, Subject: "web.crawl", Calls: 2, Runs: []int{2}},
	{Kind: judge.Invalid, Subject: "web.search", Calls: 1, Runs: []int{1}},
	{Kind: judge.Hallucinated, Subject: "web.serach", Calls: 1, Runs: []int{1}},
	{Kind: judge.Restricted, Subject: "shell.exec", Calls: 2, Runs: []int{1, 2}},
	{Kind: judge.Outside, Subject: "web.crawl", Calls: 1, Runs: []int{2}},
	{Kind: judge.Undelegated, Subject: "planner to writer"},
	{Kind: judge.Strayed, Subject: "web.fetch", Call: 2, Text: "shell.exec", Runs: []int{1}},
	{Kind: judge.Strayed, Subject: "no further call", Call: 4, Text: "web.fetch", Runs: []int{2}},
	{Kind: judge.Wasted, Subject: "web.crawl", Calls: 3, Runs: []int{1, 2}},
	{Kind: judge.Repeated, Subject: "web.search", Calls: 1, Runs: []int{2}},
	{Kind: judge.Backtracked, Subject: "web.search", Calls: 2, Runs: []int{1, 2}},
	{Kind: judge.Confused, Subject: "how warm is it", Text: "get_time", Members: []string{"get_weather", "get_climate"}},
	{Kind: judge.Confused, Subject: "brrr", Members: []string{"get_weather"}},
	{Kind: judge.Mutated, Subject: "get_weather", Text: "blank", Calls: 3, Figure: judge.Ratio(1, 2, judge.Fraction), Drop: judge.Ratio(1, 4, judge.Fraction)},
	{Kind: judge.Thrashed, Subject: "web.search", Calls: 2, Runs: []int{1}},
	{Kind: judge.Looped, Subject: "web.fetch", Calls: 3, Runs: []int{1, 2}},
	{Kind: judge.Redone, Subject: "web.fetch", Calls: 1, Runs: []int{2}},
	{Kind: judge.Retried, Subject: "web.crawl", Calls: 1, Runs: []int{2}},
	{Kind: judge.GaveUp, Subject: "web.crawl", Calls: 1, Runs: []int{2}},
	{Kind: judge.Broken, Subject: "web.search to web.fetch.args.url", Line: 27, Runs: []int{1, 2}, Text: `run 1: call 2: "x" is in no earlier result of web.search`},
	{Kind: judge.Unproven, Subject: "I have sent the report", Text: "send", Calls: 2, Runs: []int{1, 2}},
	{Kind: judge.Unclaimed, Subject: "web.post", Calls: 1, Runs: []int{1}},
	{Kind: judge.NotFoundNow, Subject: "desk.close_ticket", Text: "close ticket", Search: "codex", Was: 1, Rank: 9, Calls: 2, Members: []string{"desk.archive_ticket", "desk.list_tickets"}, Path: "catalogs/desk.json", Line: 7},
	{Kind: judge.NotFoundNow, Subject: "desk.tag", Text: "label case", Search: "codex", Was: 2, Calls: 1},
	{Kind: judge.Unfound, Subject: "desk.merge", Text: "join cases", Search: "claude-code", Rank: 6, Calls: 3, Members: []string{"desk.tag"}, Path: "catalogs/desk.json", Line: 9},
	{Kind: judge.Sank, Subject: "desk.refund", Text: "give money back", Search: "codex", Was: 1, Rank: 3, Calls: 1, Path: "catalogs/desk.json", Line: 11},
	{Kind: judge.Mismatched, Subject: "12", Text: "I have sent 12 reports", Calls: 1, Runs: []int{2}},
}

// TestEveryKindOfNotes pins how each rendering shows each kind.
func TestEveryKindOfNotes(t *testing.T) {
	docs, err := os.ReadFile("../../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range judge.Kinds {
		if !strings.Contains(string(docs), "`"+kind.Name+"`") {
			t.Errorf("docs/report.md has no row for the kind of notes %q", kind.Name)
		}
	}
	for _, kind := range judge.Kinds {
		if !slices.ContainsFunc(notes, func(n judge.Note) bool { return n.Kind == kind.Name }) {
			t.Errorf("no note of kind %s is shown; add one, and run go test -update", kind.Name)
		}
	}
	noted := reporttest.With(reporttest.Named("noted", 12), func(c *report.Case) {
		c.Verdict = judge.Fail
		c.Gates = []judge.Result{{Gate: "orchestration", Line: 20, Verdict: judge.Fail, Grounds: judge.Grounds{Notes: notes}}}
	})
	r := compared(reporttest.Of(reporttest.With(reporttest.Named("noted", 12))), reporttest.Of(noted))
	golden(t, "notes.txt", renderText(t, r, text.Options{}))
	golden(t, "notes.md", renderMarkdown(t, r, markdown.Options{}))
	golden(t, "notes.html", pageOf(t, renderHTML(t, r, html.Options{})))
	golden(t, "notes.json", renderJSON(t, r))
}
