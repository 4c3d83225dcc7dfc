package report

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

// StaleCause is a changed tool, with the cases whose evidence it makes affected or broken.
type StaleCause struct {
	State FreshnessState // Affected or Broken
	Since Optional       // see Freshness; the same for all cases
	Tool  StaleTool
	Cases []*Case // cases in the report's order
}

// CountFreshness returns the number of cases in a state.
func (r *Report) CountFreshness(state FreshnessState) int {
	return lists.Count(r.Cases, func(c Case) bool { return c.Freshness != nil && c.Freshness.State == state })
}

// StaleCauses returns the tools that make cases affected or broken, without repeats. Tools that break cases come first, then
// tools that this change modified, then those with the most cases; the rest is ordered by server and tool.
func (r *Report) StaleCauses() []StaleCause {
	type key struct {
		state FreshnessState
		since Optional
		tool  StaleTool
	}
	at := map[key]int{}
	var causes []StaleCause
	for i := range r.Cases {
		f := r.Cases[i].Freshness
		if f == nil || f.State != Affected && f.State != Broken {
			continue
		}
		for _, tool := range f.Tools {
			cause := lists.ElementFor(&causes, at, key{f.State, f.Since, tool}, StaleCause{State: f.State, Since: f.Since, Tool: tool})
			cause.Cases = append(cause.Cases, &r.Cases[i])
		}
	}
	slices.SortStableFunc(causes, compareCauses)
	return causes
}

func compareCauses(a, b StaleCause) int {
	rank := func(c StaleCause) int {
		n := 0
		if c.State == Affected {
			n += 2
		}
		if c.Since == SinceBase {
			n++
		}
		return n
	}
	return cmp.Or(rank(a)-rank(b), len(b.Cases)-len(a.Cases),
		cmp.Compare(a.Tool.Server, b.Tool.Server), cmp.Compare(a.Tool.Name, b.Tool.Name))
}

// id returns the tool's qualified id, or its name if the server is unknown.
func (t StaleTool) id() string {
	if t.Server == "" {
		return t.Name
	}
	return t.Server + "." + t.Name
}

// Says returns the cause in one line, such as "27 cases use tickets.create_ticket, whose description changed". Using a tool
// means that the case calls it, or that its gates name it. show writes an untrusted text.
func (c StaleCause) Says(show func(string) string) string {
	name := show(c.Tool.id())
	who := judge.CountOf(len(c.Cases), "case") + " use "
	if len(c.Cases) == 1 {
		who = "1 case uses "
	}
	switch c.Tool.Change {
	case Renamed:
		return who + name + ", which was renamed to " + show(string(c.Tool.Now))
	case Removed:
		return who + name + ", which was removed"
	case Hidden:
		return who + name + ", which is hidden from models now"
	case Added:
		return who + show(string(c.Tool.Like)) + ", and the new " + name + " looks like it"
	}
	text := who + name + ", whose " + c.Tool.changed(show) + " changed"
	if c.Tool.Lacks != "" {
		text += ": recorded calls lack " + show(string(c.Tool.Lacks)) + ", required now"
	}
	return text
}

// changed returns the words for the part of a tool that changed. show writes an unknown part, which only a saved report can
// have.
func (t StaleTool) changed(show func(string) string) string {
	switch t.What {
	case "":
		return WhatDescription
	case WhatDescription, WhatSchema, WhatBoth:
		return string(t.What)
	}
	return show(string(t.What))
}
