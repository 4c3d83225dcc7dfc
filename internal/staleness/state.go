package staleness

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

func (s *Staleness) findState() {
	was, exact := s.offeredTools()
	if was == nil && exact {
		s.State = report.Fresh
	}
	if was != nil {
		s.toolDiff = s.Cache.sharedDiff(&s.Input, Attributed(s.Case, was), s.namedOnly)
		s.State = s.rateTools(exact)
	}
	if lost := s.lostMembers(); len(lost) > 0 {
		s.State, s.broken = report.Broken, append(s.broken, lost...)
	}
	if s.State == report.Broken {
		s.listTools(s.broken)
	}
	s.Since = s.sinceWhen()
}

// offeredTools returns the tools that the runs were offered: those of the recording, otherwise those of the base's snapshots;
// nil if they are unknown. exact means that nothing else was offered. If was is nil, exact means that the recording has the
// hash of the current snapshots.
func (s *Staleness) offeredTools() (was *catalog.Catalog, exact bool) {
	if s.own != nil {
		return s.own, s.HasAllSnapshots() && len(s.namedOnly) == 0
	}
	sha := s.Trace.CatalogSHA256
	if sha != "" && s.HasAllSnapshots() && sha == s.Cache.todayHash(&s.Input) {
		return nil, true
	}
	base := s.baseCase()
	if base == nil {
		return nil, false
	}
	before := base.Suite.Snapshots(s.ServerNames)
	if before == nil {
		return nil, false
	}
	exact = sha != "" && sha == before.SHA256()
	if !exact && !SameRecordings(base.Recordings, s.Recordings) {
		return nil, false
	}
	return before, exact && s.HasAllSnapshots()
}

// SameRecordings reports whether two cases have the same cassettes, byte for byte.
func SameRecordings(was, is []report.Recording) bool {
	same := func(a, b report.Recording) bool { return a.SHA256 != "" && a.SHA256 == b.SHA256 }
	return len(is) > 0 && slices.EqualFunc(was, is, same)
}

// rateTools returns the state of the evidence, which its most serious changed tool decides, and lists the tools that decide it.
// exact means that the runs were offered no tools beside the known ones.
func (s *Staleness) rateTools(exact bool) report.FreshnessState {
	calls := s.calledKnown()
	s.mentioned = slices.Clone(calls)
	for _, m := range s.Members {
		s.mentioned = append(s.mentioned, s.known[m.Name]...)
	}
	dead := s.deadTools()
	var affected, touched []staleTool
	for _, t := range s.changed {
		isGone := t.kind != report.Changed && !t.dropped
		isNeeded := slices.Contains(calls, t.Ref) || slices.Contains(dead, t.Ref)
		switch {
		case isGone && isNeeded:
			s.broken = append(s.broken, t)
		case slices.Contains(s.mentioned, t.Ref):
			t.lacks = s.lackedArguments(t)
			if len(t.lacks) > 0 && s.judgesArguments() {
				s.broken = append(s.broken, t) // the calls would be refused today
				continue
			}
			affected = append(affected, t)
			if len(t.lacks) > 0 {
				s.lacking = append(s.lacking, t)
			}
		default:
			touched = append(touched, t)
		}
	}
	for i, t := range s.added {
		like, percent := s.closest(i)
		added := staleTool{Ref: t.Ref(), kind: report.Added, now: t, like: like}
		if percent >= alikeAffects {
			affected = append(affected, added)
			continue
		}
		touched = append(touched, added)
	}
	return s.worstState(exact, affected, touched)
}

// worstState returns the worst state that applies, and lists the tools that cause it. A single known tool can prove a
// difference, but only all tools together prove freshness.
func (s *Staleness) worstState(exact bool, affected, touched []staleTool) report.FreshnessState {
	state, causes := report.Fresh, []staleTool(nil)
	switch {
	case len(s.broken) > 0:
		return report.Broken
	case len(affected) > 0:
		state, causes = report.Affected, affected
	case !exact:
		return report.Unknown
	case len(touched) > 0:
		state, causes = report.Touched, touched
	}
	slices.SortStableFunc(causes, compareTools)
	s.listTools(causes)
	return state
}

// calledKnown returns the tools that the runs called, without distractors and tools that the model made up.
func (s *Staleness) calledKnown() (refs []catalog.Ref) {
	for _, call := range trace.Called(s.Trace.Runs) {
		if !slices.ContainsFunc(s.distractors, call.Matches) {
			refs = append(refs, s.known.Called(call)...)
		}
	}
	return refs
}

// deadTools returns the tools because of which a gate cannot pass: the gate names them in a list, and no tool of that list
// exists any more.
func (s *Staleness) deadTools() (refs []catalog.Ref) {
	for _, name := range s.deadNames(s.known, s.today) {
		refs = append(refs, s.known[name]...)
	}
	return refs
}

func (s *Staleness) deadNames(known, today catalog.Index) (names []string) {
	lives := func(name string) bool {
		isUnknown := len(known[name]) == 0 && !s.HasAllSnapshots()
		return len(today[name]) > 0 || isUnknown
	}
	for _, check := range s.Checks {
		grouped := map[string]bool{}
		for _, list := range check.Plan.Named {
			for _, name := range list {
				grouped[name] = true
			}
			if !slices.ContainsFunc(list, lives) {
				names = append(names, list...)
			}
		}
		for _, m := range check.Plan.Members { // names that need not be called, such as tools to imitate
			if !grouped[m.Name] && !lives(m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

func (s *Staleness) knownTools() catalog.Index {
	if s.toolDiff == nil {
		return nil
	}
	return s.known
}

// lostMembers returns the tools that the gates need, that package suite found missing in the snapshots, and that the recording
// of this case does not have either.
func (s *Staleness) lostMembers() (lost []staleTool) {
	if len(s.Lost) == 0 {
		return nil
	}
	known, snapshots := s.knownTools(), s.Snapshots()
	dead := s.deadNames(known, catalog.IndexOf(snapshots))
	for _, name := range s.Lost {
		if len(known[name]) == 0 && slices.Contains(dead, name) {
			one := goneFrom(snapshots, catalog.Ref{Name: name})
			one.member = name
			lost = append(lost, one)
		}
	}
	return lost
}

func (s *Staleness) closest(added int) (name string, percent int) {
	for _, other := range s.alike()[added] {
		if slices.Contains(s.mentioned, other.Ref) {
			return other.Name, other.percent
		}
	}
	return "", 0
}

// maxStaleTools bounds the number of tools that are listed for a case.
const maxStaleTools = 50

// listTools sets the tools that the report lists.
func (s *Staleness) listTools(tools []staleTool) {
	s.Tools = lists.Map(tools[:min(len(tools), maxStaleTools)], s.reportTool)
}

func (s *Staleness) reportTool(t staleTool) report.StaleTool {
	one := report.StaleTool{Server: t.Server, Name: t.Name, Change: t.kind, What: report.Optional(t.what), Like: report.Optional(t.like)}
	if t.kind == report.Renamed {
		one.Now = report.Optional(t.now.Name)
	}
	lacks := lists.Map(t.lacks[:min(len(t.lacks), maxLackedArguments)], func(one lackedArgument) string { return one.name })
	one.Lacks = report.Optional(strings.Join(lacks, ", "))
	if server := s.Server(t.Server); server != nil && server.Snapshot != nil {
		one.Path = server.Snapshot.File
	}
	if t.now != nil {
		one.Path, one.Line = cmp.Or(t.now.Pos.File, one.Path), t.now.Pos.Line
	}
	return one
}

// sinceWhen returns SinceChange if this change caused the state, SinceBase if the state is older, and "" if that is unknown.
func (s *Staleness) sinceWhen() report.Optional {
	if s.Base == nil || len(s.Tools) == 0 {
		return ""
	}
	base := s.baseCase()
	if base == nil || !SameRecordings(base.Recordings, s.Recordings) {
		return report.SinceChange
	}
	before, now := base.Suite.Snapshots(s.ServerNames), s.Snapshots()
	for _, t := range s.Tools {
		for _, name := range []string{t.Name, string(t.Now)} {
			ref := catalog.Ref{Server: t.Server, Name: name}
			old, _ := before.Lookup(ref)
			is, _ := now.Lookup(ref)
			if name != "" && (before == nil || !catalog.ReadsTheSame(old, is)) {
				return report.SinceChange
			}
		}
	}
	return report.SinceBase
}

// addOutdated makes the evidence affected if runs called, or gates name, a tool whose snapshot is older than the code.
func (s *Staleness) addOutdated() {
	var tools []report.StaleTool
	calls := trace.Called(s.Trace.Runs)
	for _, o := range s.Outdated {
		ref, server := catalog.Ref{Name: o.Name}, serverWith(s.Case, &o)
		if server == nil {
			continue
		}
		ref.Server = server.Name
		isNamed := slices.ContainsFunc(s.Members, func(m judge.Member) bool { return m.Name == ref.Name || m.Name == ref.ID() })
		isDistractor := slices.ContainsFunc(s.distractors, ref.Matches)
		isCalled := !isDistractor && slices.ContainsFunc(calls, func(call catalog.Ref) bool { return ref.Matches(call) })
		if !isNamed && !isCalled {
			continue
		}
		tools = append(tools, report.StaleTool{
			Server: ref.Server, Name: ref.Name, Change: report.Outdated, What: report.Optional(o.What), Path: o.Path, Line: o.Line,
		})
		s.outdated = append(s.outdated, Difference{Pos: s.CassettePos, Message: SaysOutdated(&o), state: report.Affected})
	}
	if len(tools) == 0 || s.State == report.Broken {
		return
	}
	if s.State != report.Affected {
		s.State, s.Tools = report.Affected, nil
	}
	s.Since = report.SinceChange
	room := max(0, maxStaleTools-len(s.Tools))
	s.Tools = append(s.Tools, tools[:min(len(tools), room)]...)
}

// serverWith returns the server of a case whose snapshot has an outdated tool; nil if there is none. If several servers share the
// snapshot, it prefers the one that o names.
func serverWith(c *suite.Case, o *report.OutdatedTool) (found *suite.Server) {
	for _, server := range c.Servers {
		hasSnapshot := server.Snapshot != nil && server.Snapshot.File == o.Path
		if hasSnapshot && (found == nil || server.Name == o.Server) {
			found = server
		}
	}
	return found
}
