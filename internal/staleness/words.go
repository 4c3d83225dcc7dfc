package staleness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// These are bounds on the lists in a message about broken evidence.
const (
	maxToldTools = 5
	maxToldLines = 5
)

// brokenTools returns a difference that describes the changes of the tools that a broken case needs, the lines to change, and
// how to make the evidence fresh.
func (s *Staleness) brokenTools() Difference {
	parts := lists.First(s.broken, maxToldTools, s.toolChange, fmt.Sprintf("%d more tools are gone", len(s.broken)-maxToldTools))
	renew := fmt.Sprintf("record `%s` again%s", s.DisplayName(), withCommand(s.Case))
	switch RenewedBy(s.Case, s.Trace) {
	case report.ByImport:
		renew = fmt.Sprintf("import a log of newer runs of `%s`", s.DisplayName())
	case report.ByLogs:
		renew = fmt.Sprintf("log newer runs of `%s`", s.DisplayName())
	}
	return s.newDifference("%s; %s%s", strings.Join(parts, "; "), s.linesToChange(), renew).causing(report.Broken)
}

func (s *Staleness) toolChange(t staleTool) string {
	when := ""
	if s.Since == report.SinceChange && s.baseCase() != nil && t.member == "" {
		when = " in this change"
	}
	if t.kind == report.Renamed {
		return fmt.Sprintf("`%s` was renamed to `%s`%s (same arguments)", t.Name, t.now.Name, when)
	}
	if t.kind == report.Changed {
		return fmt.Sprintf("`%s` changed%s: %s", t.Name, when, saysLacked(t.lacks))
	}
	file := snapshotFiles(s.Servers)
	if server := s.Server(t.Server); server != nil && server.Snapshot != nil {
		file = server.Snapshot.File
	}
	if t.kind == report.Hidden {
		return fmt.Sprintf("`%s` was hidden from models in %s%s: its _meta.ui.visibility lacks \"model\"", t.Name, file, when)
	}
	text := fmt.Sprintf("`%s` was removed from %s%s", t.Name, file, when)
	if t.probably != nil {
		text += fmt.Sprintf(", probably it is `%s` now", t.probably.Name)
	}
	return text
}

func whyNotOffered(c *suite.Case, ref catalog.Ref, snapshot string) string {
	if c.Snapshots().FindHidden(ref) != nil {
		return "hidden from models in " + snapshot
	}
	return "not in " + snapshot
}

func (s *Staleness) placesToChange() []report.Place {
	var places []report.Place
	for _, m := range s.Members {
		names := func(t staleTool) bool {
			return t.kind != report.Changed && (m.Name == t.Name || m.Name == t.ID())
		}
		if slices.ContainsFunc(s.broken, names) {
			places = append(places, report.Place{Path: m.Pos.File, Line: m.Pos.Line})
		}
	}
	slices.SortFunc(places, report.Place.Compare)
	return slices.Compact(places)
}

// linesToChange returns advice to update the lines where gates name broken tools; "" if there are none.
func (s *Staleness) linesToChange() string {
	places := s.placesToChange()
	if len(places) == 0 {
		return ""
	}
	file := ""
	line := func(at report.Place) string {
		if at.Path == file {
			return fmt.Sprintf(":%d", at.Line)
		}
		file = at.Path // places can be in the suite and in included files
		return fmt.Sprintf("%s:%d", at.Path, at.Line)
	}
	lines := lists.First(places, maxToldLines, line, fmt.Sprintf("%d more lines", len(places)-maxToldLines))
	return "update " + lists.InSentence(lines, "and") + ", then "
}

func describeDiff(d catalog.Diff) string {
	var parts []string
	for _, kind := range []struct {
		verb string
		refs []catalog.Ref
	}{{"added", d.Added}, {"removed", d.Removed}, {"hid from models", d.Hidden}, {"changed", d.Changed}} {
		if len(kind.refs) > 0 {
			parts = append(parts, kind.verb+" "+idList(kind.refs))
		}
	}
	return strings.Join(parts, "; ")
}

func idList(refs []catalog.Ref) string {
	const most = 10
	return strings.Join(lists.First(refs, most, catalog.Ref.ID, fmt.Sprintf("%d more", len(refs)-most)), ", ")
}

func snapshotFiles(servers []*suite.Server) string {
	var paths []string
	for _, s := range servers {
		if s.Snapshot != nil && !slices.Contains(paths, s.Snapshot.File) {
			paths = append(paths, s.Snapshot.File)
		}
	}
	return strings.Join(paths, " and ")
}

// SaysOutdated describes the difference between the code and a snapshot, with advice.
func SaysOutdated(o *report.OutdatedTool) string {
	at := o.Source.Path
	if o.Source.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, o.Source.Line)
	}
	said := fmt.Sprintf("%s:%d %s: it says %q of `%s`, %s does not", o.Path, o.Line, report.OlderThanCode, o.Says, o.Name, at)
	if o.What == report.WhatName {
		said = fmt.Sprintf("%s:%d %s: it has `%s`, %s does not", o.Path, o.Line, report.OlderThanCode, o.Name, at)
	}
	if o.Update != "" {
		said += fmt.Sprintf("; %q writes it", string(o.Update))
	}
	return said
}

// Again returns advice for making the evidence of a case fresh; tr may be nil.
func Again(c *suite.Case, tr *trace.Trace) string {
	switch RenewedBy(c, tr) {
	case report.ByLogs:
		return `choose other runs with "where"`
	case report.ByImport:
		return "import the log again, or a newer one"
	}
	return "record again" + withCommand(c)
}

// RenewedBy returns the way in which the evidence of a case is renewed; "" means by recording. tr is nil if there is no evidence.
func RenewedBy(c *suite.Case, tr *trace.Trace) report.Optional {
	switch {
	case c.Log != nil:
		return report.ByLogs
	case tr != nil && tr.IsImported():
		return report.ByImport
	}
	return ""
}

// withCommand returns text that names the command for recording a case; "" if the case cannot be recorded.
func withCommand(c *suite.Case) string {
	if c.IsRecordable() {
		return ` with "mcp-gates run --record"`
	}
	return ""
}
