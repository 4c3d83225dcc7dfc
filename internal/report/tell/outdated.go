package tell

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// maxOutdatedTools bounds the number of outdated tools that are listed for one snapshot.
const maxOutdatedTools = 10

// oldSnapshot is a snapshot that is older than the code, with the cases that depend on it.
type oldSnapshot struct {
	path  string
	tools []report.OutdatedTool
	lost  []int // cases that cannot be judged, because they must not depend on an old snapshot
	older []int // cases that are judged by runs with the differing tools
}

// oldSnapshots returns the snapshots that are older than the code, with the cases that depend on them.
func (s *Story) oldSnapshots() []oldSnapshot {
	if s.compared == nil {
		return nil
	}
	var list []oldSnapshot
	for _, path := range s.compared.OutdatedSnapshots() {
		one := oldSnapshot{path: path}
		for _, o := range s.compared.Outdated {
			if o.Path == path {
				one.tools = append(one.tools, o)
			}
		}
		for i := range s.report.Cases {
			c := &s.report.Cases[i]
			isRefused := c.Err != nil && strings.Contains(c.Err.Message, report.OlderThanCode)
			switch {
			case isRefused && (c.Catalog == path || restsOn(c, path)):
				one.lost = append(one.lost, i)
			case restsOn(c, path):
				one.older = append(one.older, i)
			}
		}
		list = append(list, one)
	}
	return list
}

// restsOn reports whether the runs of a case have a tool whose snapshot, at path, is older than the code.
func restsOn(c *report.Case, path string) bool {
	return c.Freshness != nil && slices.ContainsFunc(c.Freshness.Tools, func(t report.StaleTool) bool {
		return t.Change == report.Outdated && t.Path == path
	})
}

// item returns an item on the tools of the snapshot that the code describes differently, with the consequences.
func (o *oldSnapshot) item(s *Story) Item {
	first := &o.tools[0]
	item := Item{Kind: OldSnapshot, Mark: Warned, Path: first.Source.Path, Line: first.Source.Line, Case: -1, Do: o.advice(s)}
	item.Text = say(name(o.path), " "+report.OlderThanCode)
	if n := len(o.lost); n > 0 {
		item.Mark = Failed
		item.Text = say(item.Text, ": "+Count(n, "case")+" cannot be judged")
	}
	for i := range o.tools[:min(len(o.tools), maxOutdatedTools)] {
		t := &o.tools[i]
		item.Facts = append(item.Facts, Fact{Path: t.Source.Path, Line: t.Source.Line, Case: -1, Text: OutdatedTool(t)})
	}
	if more := len(o.tools) - maxOutdatedTools; more > 0 {
		item.Facts = append(item.Facts, Fact{Case: -1, Text: say("and " + Count(more, "more tool"))})
	}
	for _, i := range o.lost {
		c := &s.report.Cases[i]
		item.Facts = append(item.Facts, Fact{Path: c.Suite, Line: c.Line, Case: i, Text: CaseName(c)})
	}
	if len(o.older) > 0 {
		cases := listLine(len(o.older), maxNamedCases, func(k int) any { return CaseName(&s.report.Cases[o.older[k]]) })
		item.Facts = append(item.Facts, Fact{Case: -1, Text: say("recorded before: ", cases)})
	}
	return item
}

// OutdatedTool returns a line on how the code differs from the snapshot of a tool.
func OutdatedTool(t *report.OutdatedTool) Line {
	at := place(t.Source.Path, t.Source.Line)
	if t.What == report.WhatName {
		return say(place(t.Path, t.Line), " has ", name(t.Name), ", ", at, " does not")
	}
	return say(place(t.Path, t.Line), " says ", Span{Style: Quote, Text: t.Says}, " of ", name(t.Name), ", ", at, " does not")
}

// advice returns the command that writes the snapshot, and what to record after that.
func (o *oldSnapshot) advice(s *Story) Line {
	do := UpdateOf(&o.tools[0])
	cases := slices.Concat(o.older, o.lost)
	isRecorded := func(i int) bool { return s.report.Cases[i].Freshness != nil }
	if !slices.ContainsFunc(cases, isRecorded) {
		return say(do, ".")
	}
	return say(do, ", then ", advice(s.renewalOfRuns(cases...).clause), ".")
}

// UpdateOf returns advice to write the snapshot of a tool again, with the command if there is one, without a full stop.
func UpdateOf(t *report.OutdatedTool) Line {
	if t.Update == "" {
		return say("Write the snapshot again from the server")
	}
	return say("Write the snapshot again: ", name(string(t.Update)))
}
