package check

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// standing is how the evidence of a case stands to the tools of today.
type standing struct {
	report.Freshness
	*toolDrift             // nil where nobody knows what the runs were offered
	broken     []staleTool // the tools that make it broken
	mentioned  []catalog.Ref
	lacking    []staleTool // those that make it affected and that require what recorded calls lack
}

// staleTool is a tool that differs.
type staleTool struct {
	catalog.Ref
	toolChange
	member  string           // the name by which a gate names it and which only the suite's reader found gone; "" otherwise
	lacks   []lackedArgument // required now, that calls lack
	like    catalog.Ref
	percent int // of like
}

// standing works out the state of a recorded case.
func (r recorded) standing() (st standing) {
	st.State, st.Tools = report.Unknown, []report.StaleTool{}
	was, exact := r.wasOffered()
	if was == nil && exact {
		st.State = report.Fresh
	}
	if was != nil {
		st.toolDrift = r.cache.drift(r.selectedCase, r.attributed(was), r.namedOnly)
		st.State = r.rate(&st, exact)
	}
	if lost := r.lostMembers(&st); len(lost) > 0 {
		st.State, st.broken = report.Stale, append(st.broken, lost...)
	}
	if st.State == report.Stale {
		st.Tools = nil
		for _, t := range st.broken {
			st.list(r, t)
		}
	}
	st.Since = r.since(&st)
	return st
}

// wasOffered returns the tools that the runs were offered: those that the recording holds, else the base's snapshots. Exact
// reports whether nothing else was offered; with no tools, that the recording's hash is the one of today's snapshots.
func (r recorded) wasOffered() (was *catalog.Catalog, exact bool) {
	if r.own != nil {
		return r.own, r.allSnapshots() && len(r.namedOnly) == 0
	}
	sha := r.trace.CatalogSHA256
	if sha != "" && r.allSnapshots() && sha == r.cache.today(r.selectedCase) {
		return nil, true
	}
	if r.was == nil {
		return nil, false
	}
	before := r.was.snapshotsOf(r.ServerNames)
	if before == nil {
		return nil, false
	}
	exact = sha != "" && sha == before.SHA256()
	if !exact && !sameRecordings(r.was.report.Recordings, r.recordings) {
		return nil, false
	}
	return before, exact && r.allSnapshots()
}

// snapshotsOf returns the snapshots that the base's suite has of servers; nil when it has none.
func (b *baseCase) snapshotsOf(servers []string) *catalog.Catalog {
	var cats []*catalog.Catalog
	for _, s := range b.suite.Servers {
		if slices.Contains(servers, s.Name) {
			cats = append(cats, s.Snapshot)
		}
	}
	return catalog.Merge(cats...)
}

// sameRecordings reports whether two cases have the same cassettes, byte for byte.
func sameRecordings(was, is []report.Recording) bool {
	same := func(a, b report.Recording) bool { return a.SHA256 != "" && a.SHA256 == b.SHA256 }
	return len(is) > 0 && slices.EqualFunc(was, is, same)
}

// rate returns the state by what differs, and lists the tools on which it rests.
func (r recorded) rate(st *standing, exact bool) report.FreshnessState {
	calls := r.calledKnown(st.known)
	st.mentioned = slices.Clone(calls)
	for _, m := range r.Members {
		st.mentioned = append(st.mentioned, st.known[m.Name]...)
	}
	dead := r.deadTools(st)
	var affected, touched []staleTool
	for _, ref := range st.order {
		t := staleTool{Ref: ref, toolChange: st.changed[ref]}
		gone := t.kind != report.Changed && !t.dropped
		switch {
		case gone && (slices.Contains(calls, ref) || slices.Contains(dead, ref)):
			st.broken = append(st.broken, t)
		case slices.Contains(st.mentioned, ref):
			if t.lacks = r.lacked(st, t); len(t.lacks) > 0 && r.judgesArguments() {
				st.broken = append(st.broken, t) // the calls would be refused today
				continue
			}
			if affected = append(affected, t); len(t.lacks) > 0 {
				st.lacking = append(st.lacking, t)
			}
		default:
			touched = append(touched, t)
		}
	}
	for i, t := range st.added {
		one := staleTool{Ref: t.Ref(), toolChange: toolChange{kind: report.Added, now: t}}
		if one.like, one.percent = st.closest(i); one.percent >= alikeAffects {
			affected = append(affected, one)
			continue
		}
		touched = append(touched, one)
	}
	return r.settle(st, exact, affected, touched)
}

// settle picks the state: the worst that holds. A difference is proven by what is known, and freshness only by all of it.
func (r recorded) settle(st *standing, exact bool, affected, touched []staleTool) report.FreshnessState {
	state, on := report.Fresh, []staleTool(nil)
	switch {
	case len(st.broken) > 0:
		return report.Stale
	case len(affected) > 0:
		state, on = report.Affected, affected
	case !exact:
		return report.Unknown
	case len(touched) > 0:
		state, on = report.Touched, touched
	}
	slices.SortStableFunc(on, func(a, b staleTool) int { return compareRefs(a.Ref, b.Ref) })
	for _, t := range on {
		st.list(r, t)
	}
	return state
}

// calledKnown returns the tools that the runs called, without distractors and those that a model made up.
func (r recorded) calledKnown(known nameIndex) (refs []catalog.Ref) {
	for _, call := range called(r.trace.Runs) {
		if !slices.ContainsFunc(r.distractors, call.Matches) {
			refs = append(refs, known.called(call)...)
		}
	}
	return refs
}

// deadTools returns the tools without which a gate cannot hold: it names them, and of one of its lists no tool is left.
func (r recorded) deadTools(st *standing) (refs []catalog.Ref) {
	for _, name := range r.deadNames(st.known, st.today) {
		refs = append(refs, st.known[name]...)
	}
	return refs
}

// deadNames returns the names of the lists of which no tool is left, as the gates write them.
func (s selectedCase) deadNames(known, today nameIndex) (names []string) {
	all := s.allSnapshots()
	lives := func(name string) bool { return len(today[name]) > 0 || len(known[name]) == 0 && !all }
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
		for _, m := range check.Plan.Members { // such as a tool to imitate
			if !grouped[m.Name] && !lives(m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// lostMembers returns the tools that the gates name and need, that the suite's reader found gone, and that the recording
// of this case does not explain.
func (r recorded) lostMembers(st *standing) (lost []staleTool) {
	if len(r.Lost) == 0 {
		return nil
	}
	var known nameIndex
	if st.toolDrift != nil {
		known = st.known
	}
	dead, hidden := r.deadNames(known, indexOf(r.snapshots())), hiddenIn(r.snapshots())
	for _, name := range r.Lost {
		if len(known[name]) == 0 && slices.Contains(dead, name) {
			ref := catalog.Ref{Name: name}
			lost = append(lost, staleTool{Ref: ref, toolChange: goneFrom(hidden, ref), member: name})
		}
	}
	return lost
}

// spareMembers returns warnings about tools that the gates name and do not need, that are gone from the snapshots, and that
// the recording of this case does not explain.
func (r recorded) spareMembers(st *standing) (list []drift) {
	for _, name := range r.Lost {
		inBroken := func(t staleTool) bool { return t.member == name }
		if st.toolDrift != nil && len(st.known[name]) > 0 || slices.ContainsFunc(st.broken, inBroken) {
			continue
		}
		list = append(list, r.drift("tool %q is %s", name, r.whereNot(catalog.Ref{Name: name}, files(r.Servers))))
	}
	return list
}

// closest returns the tool that matters to the case and that an added tool looks like most.
func (st *standing) closest(added int) (catalog.Ref, int) {
	for _, other := range st.alike()[added] {
		if slices.Contains(st.mentioned, other.Ref) {
			return other.Ref, other.percent
		}
	}
	return catalog.Ref{}, 0
}

// mostStale bounds the tools that are listed for a case.
const mostStale = 50

// list adds a tool to those on which the state rests.
func (st *standing) list(r recorded, t staleTool) {
	if len(st.Tools) == mostStale {
		return
	}
	one := report.StaleTool{Server: t.Server, Name: t.Name, Change: t.kind, What: report.Optional(t.what), Like: report.Optional(t.like.Name)}
	if t.kind == report.Renamed {
		one.Now = report.Optional(t.now.Name)
	}
	for i, lacked := range t.lacks[:min(len(t.lacks), mostLacked)] {
		if i > 0 {
			one.Lacks += ", "
		}
		one.Lacks += report.Optional(lacked.name)
	}
	if server := r.serverOf(t.Server); server != nil && server.Snapshot != nil {
		one.Path = server.Snapshot.File
	}
	if t.now != nil {
		one.Line = t.now.Pos.Line
	}
	st.Tools = append(st.Tools, one)
}

// since says whether this change brought about what the state rests on, or the base has it already.
func (r recorded) since(st *standing) report.Optional {
	if r.judge == nil || len(st.Tools) == 0 {
		return ""
	}
	if r.was == nil || !sameRecordings(r.was.report.Recordings, r.recordings) {
		return report.SinceChange
	}
	before, now := r.was.snapshotsOf(r.ServerNames), r.snapshots()
	for _, t := range st.Tools {
		for _, name := range []string{t.Name, string(t.Now)} {
			ref := catalog.Ref{Server: t.Server, Name: name}
			old, _ := before.Lookup(ref)
			is, _ := now.Lookup(ref)
			if name != "" && (before == nil || !readsTheSame(old, is)) {
				return report.SinceChange
			}
		}
	}
	return report.SinceBase
}

func compareRefs(a, b catalog.Ref) int {
	return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Name, b.Name))
}

// unknownStanding returns the state of a case whose recording could not be read.
func unknownStanding() *report.Freshness {
	return &report.Freshness{State: report.Unknown, Tools: []report.StaleTool{}}
}

// offeredTools returns the recorded tools without the distractors; nil when no catalog was recorded.
func offeredTools(tr *trace.Trace, distractors []catalog.Ref) *catalog.Catalog {
	if tr.Recorded == nil {
		return nil
	}
	return tr.Recorded.Without(distractors)
}

// undecided returns why nobody knows whether the recorded tools still hold. It is never a warning. A suite that is strict need not
// have recordings that say which tools there were; a floor that no suite can lower takes none without, because whoever can cut
// them out would lower it.
func (r recorded) undecided(st *standing) []drift {
	if st.State != report.Unknown || r.own == nil && !r.demanded {
		return nil
	}
	if r.own == nil {
		d := r.drift("the recording does not say which tools its runs were offered, which fail-on-stale asks for; %s", r.again(r.trace))
		d.state, d.partial = report.Unknown, true
		return []drift{d}
	}
	d := r.drift("the test names no server with a snapshot, so that nobody knows whether its recording still holds")
	if n := len(r.namedOnly); n > 0 {
		d = r.drift("the recording has the names of deferred tools only (%d), so that nobody knows whether it still holds", n)
	}
	for _, name := range r.ServerNames {
		if server := r.serverOf(name); server == nil || server.Snapshot == nil {
			d = r.drift("server %q has no snapshot, so that nobody knows whether the recording still holds", name)
		}
	}
	d.state, d.partial = report.Unknown, true
	return []drift{d}
}

// comparable returns the recorded tools of the servers that have a snapshot, distractors left out.
func (r recorded) comparable() *catalog.Catalog {
	out := &catalog.Catalog{}
	if r.own == nil {
		return out
	}
	for _, t := range r.own.Tools {
		if slices.ContainsFunc(r.Servers, func(s *suite.Server) bool { return s.Name == t.Server && s.Snapshot != nil }) {
			out.Tools = append(out.Tools, t)
		}
	}
	return out
}
