package compare

import (
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// Rules of the lists of tool_edges. Each entry is compared as a whole.

const (
	edgesRestricted = "tool_edges.restricted"
	edgesAllowed    = "tool_edges.allowed"
)

// restricted judges the tools that must not be called. A new entry takes its calls out of those outside the lists.
func (s settingChange) restricted() string {
	switch {
	case s.base.cut() || s.head.cut():
		return report.SettingChanged
	case len(without(s.base.set(), s.head.set())) > 0:
		return report.Unrestricted
	}
	return when(s.expectsOfEdges("edges.outside") && !s.expectsOfEdges("edges.restricted_attempts"), report.SettingChanged)
}

// allowed judges the tools that may be called. With an entry less, a greater share of the others may be called.
func (s settingChange) allowed() string {
	switch {
	case s.added() || s.removed(): // without the list its figures are absent, and expectations on them fail
		return ""
	case s.base.cut() || s.head.cut():
		return report.SettingChanged
	case len(without(s.head.set(), s.base.set())) > 0:
		return report.ToolAdded
	}
	return when(s.expectsOfEdges("edges.allowed_pct"), report.SettingChanged)
}

// expectsOfEdges reports whether the head expects something of a figure of tool_edges.
func (d *judgeDiff) expectsOfEdges(target string) bool {
	return len(d.after[gates.ToolEdges.Name+"."+judge.ExpectKey+"."+target]) > 0
}
