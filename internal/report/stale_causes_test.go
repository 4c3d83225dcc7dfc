package report_test

import (
	"slices"
	"testing"

	"github.com/org/mcp-gates/internal/report"
)

// TestStaleCauses holds that many cases of one cause are one line: broken ones first, then those of this change, then the
// cause with the most cases.
func TestStaleCauses(t *testing.T) {
	create := report.StaleTool{Server: "tickets", Name: "create_ticket", Change: report.Changed, What: report.WhatDescription}
	export := report.StaleTool{Server: "tickets", Name: "export", Change: report.Changed, What: report.WhatBoth}
	search := report.StaleTool{Server: "tickets", Name: "search", Change: report.Renamed, Now: "find"}
	gone := report.StaleTool{Name: "close", Change: report.Removed}
	twin := report.StaleTool{Server: "tickets", Name: "query", Change: report.Added, Like: "search"}
	with := func(state report.FreshnessState, since report.Optional, tools ...report.StaleTool) report.Case {
		return report.Case{Freshness: &report.Freshness{State: state, Since: since, Tools: tools}}
	}
	r := &report.Report{Cases: []report.Case{
		{}, with(report.Fresh, ""), with(report.Touched, report.SinceChange, export),
		with(report.Affected, report.SinceChange, create), with(report.Affected, report.SinceBase, export, twin),
		with(report.Affected, report.SinceChange, create), with(report.Broken, report.SinceBase, gone),
		with(report.Broken, report.SinceChange, search), with(report.Unknown, ""),
	}}
	want := []string{
		"1 case uses tickets.search, which was renamed to find",
		"1 case uses close, which was removed",
		"2 cases use tickets.create_ticket, whose description changed",
		"1 case uses tickets.export, whose description and input schema changed",
		"1 case uses search, and the new tickets.query looks like it",
	}
	var got []string
	for _, cause := range r.StaleCauses() {
		got = append(got, cause.Says(func(s string) string { return s }))
	}
	if !slices.Equal(got, want) {
		t.Errorf("causes %q, want %q", got, want)
	}
	if affected, broken := r.CountFreshness(report.Affected), r.CountFreshness(report.Broken); affected != 3 || broken != 2 {
		t.Errorf("%d affected and %d broken cases, want 3 and 2", affected, broken)
	}
}

// TestStaleCauseOfASavedReport holds that a text that no version of the program writes is shown as a text of others.
func TestStaleCauseOfASavedReport(t *testing.T) {
	cause := report.StaleCause{Tool: report.StaleTool{Name: "export", Change: "other", What: "<b>"}, Cases: []*report.Case{{}}}
	got := cause.Says(func(s string) string { return "`" + s + "`" })
	if want := "1 case uses `export`, whose `<b>` changed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
