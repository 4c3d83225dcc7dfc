package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// Bounds on how much a message about broken evidence lists.
const (
	mostToldTools = 5
	mostToldLines = 5
)

// brokenDrift says what happened to the tools that a broken case needs, which lines to change, and what to record again.
func (r recorded) brokenDrift(st *standing) drift {
	var parts []string
	for _, t := range st.broken[:min(len(st.broken), mostToldTools)] {
		parts = append(parts, r.fate(st, t))
	}
	if more := len(st.broken) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more tools are gone", more))
	}
	renew := fmt.Sprintf("record `%s` again%s", r.DisplayName(), r.withCommand())
	switch r.renewedBy(r.trace) {
	case report.ByImport:
		renew = fmt.Sprintf("import a log of newer runs of `%s`", r.DisplayName())
	case report.ByLogs:
		renew = fmt.Sprintf("log newer runs of `%s`", r.DisplayName())
	}
	d := r.drift("%s; %s%s", strings.Join(parts, "; "), r.linesToChange(st), renew)
	d.state = report.Stale
	return d
}

// fate says what became of a tool.
func (r recorded) fate(st *standing, t staleTool) string {
	when := ""
	if st.Since == report.SinceChange && r.was != nil && t.member == "" {
		when = " in this change"
	}
	if t.kind == report.Renamed {
		return fmt.Sprintf("`%s` was renamed to `%s`%s (same arguments)", t.Name, t.now.Name, when)
	}
	if t.kind == report.Changed {
		return fmt.Sprintf("`%s` changed%s: %s", t.Name, when, saysLacked(t.lacks))
	}
	from := files(r.Servers)
	if server := r.serverOf(t.Server); server != nil && server.Snapshot != nil {
		from = server.Snapshot.File
	}
	if t.kind == report.Hidden {
		return fmt.Sprintf("`%s` was hidden from models in %s%s: its _meta.ui.visibility lacks \"model\"", t.Name, from, when)
	}
	said := fmt.Sprintf("`%s` was removed from %s%s", t.Name, from, when)
	if t.probably != nil {
		said += fmt.Sprintf(", probably it is `%s` now", t.probably.Name)
	}
	return said
}

// whereNot says why models are not offered a tool that snapshots lack, or have for apps alone.
func (s selectedCase) whereNot(ref catalog.Ref, snapshot string) string {
	if hiddenIn(s.snapshots())(ref) != nil {
		return "hidden from models in " + snapshot
	}
	return "not in " + snapshot
}

// placesToChange are the places where the gates name broken tools.
func (r recorded) placesToChange(st *standing) []report.Place {
	var places []report.Place
	for _, m := range r.Members {
		names := func(t staleTool) bool {
			return t.kind != report.Changed && (m.Name == t.Name || m.Name == t.ID())
		}
		if slices.ContainsFunc(st.broken, names) {
			places = append(places, report.Place{Path: m.Pos.File, Line: m.Pos.Line})
		}
	}
	slices.SortFunc(places, report.Place.Compare)
	return slices.Compact(places)
}

// linesToChange names the places where the gates name broken tools, to stand before the advice to record; "" for none.
func (r recorded) linesToChange(st *standing) string {
	places := r.placesToChange(st)
	if len(places) == 0 {
		return ""
	}
	var lines []string
	file := ""
	for _, at := range places[:min(len(places), mostToldLines)] {
		line := fmt.Sprintf(":%d", at.Line)
		if at.Path != file { // a suite and what it includes
			file, line = at.Path, at.Path+line
		}
		lines = append(lines, line)
	}
	if more := len(places) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("%d more lines", more))
	}
	last := len(lines) - 1
	list := lines[last]
	if last > 0 {
		list = strings.Join(lines[:last], ", ") + " and " + lines[last]
	}
	return "update " + list + ", then "
}

// sharedWarnings returns the warnings about recordings and logs, those that say the same of several cases of a suite as one.
func sharedWarnings(outcomes []outcome) (list []report.Problem) {
	type cause struct{ suite, message string }
	var order []cause
	byCause := map[cause][]sharedWarning{}
	for i := range outcomes {
		for _, w := range outcomes[i].shared {
			key := cause{outcomes[i].Suite, w.message}
			if byCause[key] == nil {
				order = append(order, key)
			}
			byCause[key] = append(byCause[key], w)
		}
	}
	for _, key := range order {
		same := byCause[key]
		p := same[0].problem()
		if more := len(same) - 1; more > 0 {
			p.Message = fmt.Sprintf("%q and %d more: %s", same[0].name, more, key.message)
		}
		list = append(list, p)
	}
	return list
}

// describe names the tools that differ.
func describe(d catalog.Diff) string {
	var parts []string
	for _, kind := range []struct {
		verb string
		refs []catalog.Ref
	}{{"added", d.Added}, {"removed", d.Removed}, {"hid from models", d.Hidden}, {"changed", d.Changed}} {
		if len(kind.refs) > 0 {
			parts = append(parts, kind.verb+" "+names(kind.refs))
		}
	}
	return strings.Join(parts, "; ")
}

// names lists tools, the first few of them.
func names(refs []catalog.Ref) string {
	const most = 10
	var list []string
	for _, ref := range refs[:min(len(refs), most)] {
		list = append(list, ref.ID())
	}
	if more := len(refs) - most; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}

// files names the snapshots of servers.
func files(servers []*suite.Server) string {
	var paths []string
	for _, s := range servers {
		if s.Snapshot != nil && !slices.Contains(paths, s.Snapshot.File) {
			paths = append(paths, s.Snapshot.File)
		}
	}
	return strings.Join(paths, " and ")
}

// staleFaults compares the faults of the test with those that the recording was made under. A recording by hand need not list them
// where its calls show some.
func staleFaults(s selectedCase, t *trace.Trace) (errs source.Errors) {
	today := s.PlainFaults()
	isKept := t.KeepsFaults() || len(today) > 0 && !showsFaults(t)
	if isKept && !slices.Equal(today, t.Faults) {
		errs.Addf(s.Pos, "the cassette was recorded under %s, and the test has %s; %s", writtenFaults(t.Faults), writtenFaults(today), s.again(t))
	}
	return errs
}

// showsFaults reports whether a call of a run met a fault.
func showsFaults(t *trace.Trace) bool {
	met := func(c trace.Call) bool { return c.Detail != nil && c.Detail.Fault != "" }
	return slices.ContainsFunc(t.Runs, func(r trace.Run) bool { return slices.ContainsFunc(r.Calls, met) })
}

// unmetFaults warns about faults that no run met, because the case then shows nothing about them. Under the gate recovery that is an
// error, which says the same.
func (s selectedCase) unmetFaults(t *trace.Trace, j judgement) []report.Problem {
	isRecovery := func(c judge.Check) bool { return c.Gate == gates.Recovery }
	scored, _ := t.Split()
	if len(j.refused) > 0 || len(scored) == 0 || slices.ContainsFunc(s.Checks, isRecovery) {
		return nil
	}
	unmet := trace.Unmet(s.PlainFaults(), scored)
	if len(unmet) == 0 {
		return nil
	}
	first := s.Faults[slices.Index(s.PlainFaults(), unmet[0])]
	return []report.Problem{problemAt(&source.Error{Pos: first.Pos, Msg: fmt.Sprintf(
		"no run of %q met the fault %s: nothing shows what the agent does then", s.DisplayName(), strings.Join(quotedFaults(unmet, fault.Fault.String), " or "))})}
}

// writtenFaults returns faults in words, the first few of many.
func writtenFaults(faults []fault.Fault) string {
	if len(faults) == 0 {
		return "no faults"
	}
	return strings.Join(quotedFaults(faults, fault.Fault.Written), ", ")
}

// quotedFaults quotes the words of faults, the first few of many.
func quotedFaults(faults []fault.Fault, words func(fault.Fault) string) []string {
	const most = 3
	var parts []string
	for _, f := range faults[:min(len(faults), most)] {
		parts = append(parts, fmt.Sprintf("%.100q", words(f)))
	}
	if more := len(faults) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more faults", more))
	}
	return parts
}
