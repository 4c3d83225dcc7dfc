package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// drift is a difference between a recording and what the suite and the snapshots are today.
type drift struct {
	pos     source.Pos
	message string
	state   report.FreshnessState // that it makes of the case: Stale or Affected are errors sooner than any other
	partial bool                  // it is an error under fail only where nothing else is
}

// freshness compares the evidence of a case with the suite and the snapshots of today. It notes why the evidence is refused,
// what the case's policy only warns about, and the state of the evidence.
func (c *checker) freshness(s selectedCase, e *evidence, out *outcome) {
	if s.Kind != suite.AgentTest {
		c.refuseOutdated(s, e)
		return
	}
	if !e.live {
		out.Freshness = unknownStanding()
	}
	if e.trace == nil {
		return
	}
	e.refused = append(e.refused, stalePrompt(s, e.trace)...)
	e.refused = append(e.refused, staleFaults(s, e.trace)...)
	e.refused = append(e.refused, c.staleVersion(s, e.trace)...)
	out.warnings = append(out.warnings, brokenPromise(s, &e.trace.Header)...)
	r := recorded{
		selectedCase: s, trace: e.trace, live: e.live, distractors: s.distractors(&e.trace.Header),
		recordings: e.recordings, cache: &c.drifts, judge: c.options.Judge, demanded: c.options.FailOnStale == suite.StaleFail,
		argued: sync.OnceValue(c.argued(s, e)),
	}
	if r.own = offeredTools(e.trace, r.distractors); r.own != nil {
		r.namedOnly = e.trace.NamedOnly()
	}
	var st standing
	var outdated []drift
	if !e.live {
		st = r.standing()
		outdated = r.addOutdated(&st, c.outdated)
		st.Lines = r.placesToChange(&st)
		out.Freshness = &st.Freshness
	}
	policy := s.StaleCatalog.AtLeast(c.options.FailOnStale)
	if refusesOutdated(policy) { // otherwise the comparison with the base says it
		for _, d := range outdated {
			e.refused.Addf(d.pos, "%s", d.message)
		}
	}
	if policy == suite.StaleIgnore {
		return
	}
	refused := len(e.refused)
	for _, d := range r.drifts(&st) {
		if d.refuses(policy) && (!d.partial || len(e.refused) == refused) {
			e.refused.Addf(d.pos, "%s", d.message)
		} else if !d.partial {
			out.shared = append(out.shared, sharedWarning{d, s.DisplayName()})
		}
	}
}

// refuses reports whether a policy makes the difference an error.
func (d drift) refuses(policy suite.StalePolicy) bool {
	switch policy {
	case suite.StaleFail:
		return d.state != report.Fresh
	case suite.StaleAffected:
		return d.state == report.Stale || d.state == report.Affected
	case suite.StaleDefault:
		return d.state == report.Stale
	}
	return false
}

// drifts returns the differences in servers and tools.
func (r recorded) drifts(st *standing) []drift {
	list := slices.Concat(r.edited(st), r.servers(st), r.notOffered())
	if r.live {
		if st.broken = r.lostMembers(st); len(st.broken) > 0 {
			list = append(list, r.brokenDrift(st)) // under a policy that only warns
		}
		if r.snapshots() == nil {
			return list
		}
		gone, reported := r.goneTools()
		return slices.Concat(list, gone, r.catalogs(st, reported))
	}
	var reported []catalog.Ref
	if st.State == report.Stale {
		list = append(list, r.brokenDrift(st))
		for _, t := range st.broken {
			reported = append(reported, t.Ref)
			if t.now != nil {
				reported = append(reported, t.now.Ref())
			}
		}
	} else if r.own == nil && r.snapshots() != nil {
		gone, _ := r.goneTools() // which the model may have made up
		list = append(list, gone...)
	}
	if r.snapshots() != nil {
		list = append(list, r.catalogs(st, reported)...)
	}
	return slices.Concat(list, r.lackingCalls(st), r.spareMembers(st), r.undecided(st))
}

// recorded is a recording of a case.
type recorded struct {
	selectedCase
	trace       *trace.Trace
	live        bool
	distractors []catalog.Ref
	own         *catalog.Catalog // the recorded tools without distractors; nil when no catalog was recorded
	namedOnly   []catalog.Ref    // deferred tools that own lacks; nil when no catalog was recorded
	recordings  []report.Recording
	cache       *driftCache
	judge       *Judge             // of the base; nil for none
	demanded    bool               // the tools that runs were offered must be known
	argued      func() []trace.Run // the runs with arguments; nil where they are live
}

// drift returns a difference that is a warning by default.
func (r recorded) drift(format string, args ...any) drift {
	return drift{pos: r.CassettePos, message: fmt.Sprintf(format, args...), state: report.Touched}
}

// edited returns recordings whose catalog is not the one that they were written with. Recordings of one case hold one
// catalog and one hash, so that all of them are checked at once.
func (r recorded) edited(st *standing) []drift {
	sealed := slices.DeleteFunc(slices.Clone(r.trace.Sources), func(from trace.Source) bool { return !from.Sealed })
	if len(sealed) == 0 || r.ownSHA256(st) == r.trace.CatalogSHA256 {
		return nil
	}
	// Recordings of earlier versions count the tools that no model is offered.
	if whole := (&catalog.Catalog{Tools: r.own.All()}); len(r.own.Hidden) > 0 && whole.SHA256() == r.trace.CatalogSHA256 {
		return nil
	}
	what := sealed[0].File
	if more := len(sealed) - 1; more > 0 {
		what += fmt.Sprintf(" (and %d more)", more)
	}
	return []drift{r.drift("%s was edited after it was recorded: catalog_sha256 is of another catalog than the one in it; %s", what, r.again(r.trace))}
}

// ownSHA256 returns the hash of the recorded tools.
func (r recorded) ownSHA256(st *standing) string {
	if st.toolDrift != nil && sameTools(st.was, r.own) {
		return st.sha256()
	}
	return r.own.SHA256()
}

// servers returns the servers that only the recording or only the case has. A new server with a snapshot is left to the
// comparison of the tools.
func (r recorded) servers(st *standing) (list []drift) {
	if r.own == nil || len(r.ServerNames) == 0 {
		return nil
	}
	had := map[string]bool{}
	for _, t := range r.own.Tools {
		if t.Server == "" {
			return nil // the recording does not name its servers
		}
		had[t.Server] = true
	}
	for _, ref := range r.namedOnly {
		had[ref.Server] = true
	}
	for _, name := range slices.Sorted(maps.Keys(had)) {
		if !slices.Contains(r.ServerNames, name) {
			d := r.drift("the agent had the tools of server %q, which the test no longer has; %s", name, r.again(r.trace))
			if st.State == report.Affected {
				d.state = st.State // without a snapshot of any other server nothing else says so
			}
			list = append(list, d)
		}
	}
	for _, server := range r.Servers {
		if !had[server.Name] && server.Snapshot == nil && !r.live {
			list = append(list, r.drift("the agent had no tools of server %q, which the test has now; %s", server.Name, r.again(r.trace)))
		}
	}
	return list
}

// stalePrompt compares the prompts, the agent and the model with those that the recording names. A suite that is only replayed need
// not state its prompt.
func stalePrompt(s selectedCase, h *trace.Trace) (errs source.Errors) {
	again := s.again(h)
	if s.HasPrompt && h.PromptSHA256 != "" && h.PromptSHA256 != trace.PromptSHA256(s.Recorded.Prompt) {
		errs.Addf(s.Pos, "the cassette was recorded for another prompt; %s", again)
	}
	knowsSystem := s.HasPrompt && s.Agent == nil && !h.IsImported() || s.HasSystemPrompt // another agent brings its own
	isOther := h.SystemPromptSHA256 != "" && h.SystemPromptSHA256 != trace.PromptSHA256(s.Recorded.SystemPrompt)
	switch {
	case knowsSystem && isOther && h.IsImported():
		errs.Addf(s.Pos, "the imported runs had another system prompt; take it out of the test, or import a log of runs that had it")
	case knowsSystem && isOther:
		errs.Addf(s.Pos, "the cassette was recorded for another system prompt; %s", again)
	}
	switch {
	case s.Agent != nil && h.AgentSHA256 != "" && h.AgentSHA256 != s.Agent.SHA256():
		errs.Addf(s.Pos, "the cassette was recorded with another agent, %.100q, or with other settings of it; %s", h.Agent, again)
	case s.Agent == nil && h.AgentSHA256 != "":
		errs.Addf(s.Pos, "the cassette was recorded with agent %.100q, and the test has none; %s", h.Agent, again)
	}
	if s.Model != "" && h.Model != "" && h.Model != s.Model {
		errs.Addf(s.Pos, "the cassette was recorded with model %q, the suite asks for %q; %s", h.Model, s.Model, again)
	}
	return errs
}

// staleVersion compares the version of the program that made the recording with today's, where that is asked for.
func (c *checker) staleVersion(s selectedCase, h *trace.Trace) (errs source.Errors) {
	if c.options.AgentVersion == nil || h.AgentVersion == "" {
		return nil
	}
	version, err := c.options.AgentVersion(c.ctx, s.suite, s.Case)
	switch {
	case err != nil:
		errs.Addf(s.Pos, "find the agent's version: %s", err)
	case version != "" && version != h.AgentVersion:
		errs.Addf(s.Pos, "the cassette was recorded with agent %.100q, which is %q now; %s", h.AgentVersion, version, s.again(h))
	}
	return errs
}

// brokenPromise warns about a prompt that names a recorded tool against its promise. The suite's reader has looked for
// the tools that the suite and its snapshots name.
func brokenPromise(s selectedCase, h *trace.Header) []report.Problem {
	said := func(w *source.Error) bool { return w.Pos == s.PromptPos }
	if h.Recorded == nil || slices.ContainsFunc(s.suite.Warnings, said) {
		return nil
	}
	var names []string
	for _, t := range h.Recorded.Tools {
		names = append(names, t.Name)
	}
	broken := s.BrokenPromise(names)
	if broken == "" {
		return nil
	}
	return []report.Problem{problemAt(&source.Error{Pos: s.PromptPos, Msg: broken})}
}

// distractors returns the tools that the recording was padded with: those that it lists, else those that the gates add.
func (s selectedCase) distractors(h *trace.Header) []catalog.Ref {
	if h.Distractors != nil {
		return h.Distractors
	}
	real := s.snapshots()
	if real == nil {
		return nil
	}
	var refs []catalog.Ref
	for _, t := range s.injected(real) {
		refs = append(refs, t.Ref())
	}
	return refs
}

// goneTools returns the tools that a run called and that their servers no longer have, and those of them that the
// recorded catalog lists. Others were invented by the model; where no catalog was recorded nobody knows.
func (r recorded) goneTools() (list []drift, reported []catalog.Ref) {
	for _, ref := range called(r.trace.Runs) {
		if slices.ContainsFunc(r.distractors, ref.Matches) {
			continue
		}
		snapshot, gone := r.gone(ref)
		if !gone {
			continue
		}
		if r.own == nil {
			list = append(list, r.drift("`%s` was called and is %s; %s if it is gone from there", ref.Name, r.whereNot(ref, snapshot), r.again(r.trace)))
			continue
		}
		d := r.drift("`%s` was called and is %s; %s", ref.Name, r.whereNot(ref, snapshot), r.update())
		d.state = report.Stale
		list, reported = append(list, d), append(reported, ref)
	}
	return list, reported
}

// called returns the tools that the runs called, sorted.
func called(runs []trace.Run) []catalog.Ref {
	seen := map[*trace.Tool]bool{}
	var refs []catalog.Ref
	for i := range runs {
		for _, call := range runs[i].Calls {
			if !seen[call.Tool] {
				seen[call.Tool] = true
				refs = append(refs, call.Tool.Ref)
			}
		}
	}
	slices.SortStableFunc(refs, compareRefs)
	return slices.Compact(refs)
}

// gone reports whether the snapshots lack a tool that was called and that they would have if the recorded catalog still
// held. It names the snapshot.
func (r recorded) gone(ref catalog.Ref) (snapshot string, gone bool) {
	server := ref.Server
	if r.own != nil {
		tool, ok := r.trace.Recorded.Lookup(ref)
		if !ok {
			return "", false
		}
		server = cmp.Or(server, tool.Server)
	}
	if server == "" {
		_, ok := r.snapshots().Lookup(ref)
		return files(r.Servers), !ok && r.allSnapshots()
	}
	for _, s := range r.Servers {
		if s.Name == server && s.Snapshot != nil {
			_, ok := s.Snapshot.Lookup(catalog.Ref{Server: server, Name: ref.Name})
			return files([]*suite.Server{s}), !ok
		}
	}
	return "", false
}

// catalogs returns any other difference between the recorded catalog and the snapshots than the tools reported.
func (r recorded) catalogs(st *standing, reported []catalog.Ref) []drift {
	sha := r.trace.CatalogSHA256
	whole := r.allSnapshots() && len(r.namedOnly) == 0 && (r.own == nil || len(r.comparable().Tools) == len(r.own.Tools))
	if sha != "" && whole {
		if sha == r.cache.today(r.selectedCase) {
			return nil
		}
	} else if r.own == nil && st.State != report.Affected {
		return nil
	}
	said, next := "since the recording, "+files(r.Servers)+" has changed", ""
	if r.live {
		said, next = "the servers' tools are not those of "+files(r.Servers), "; "+r.update()
	}
	d := r.drift("%s", said+next)
	if r.own != nil || st.State == report.Affected {
		diff := r.content(st)
		isReported := func(ref catalog.Ref) bool { return slices.ContainsFunc(reported, ref.Matches) }
		diff.Added = slices.DeleteFunc(slices.Clone(diff.Added), isReported)
		diff.Removed = slices.DeleteFunc(slices.Clone(diff.Removed), isReported)
		diff.Hidden = slices.DeleteFunc(slices.Clone(diff.Hidden), isReported)
		if r.live { // the recording is newer than the snapshot
			diff.Added, diff.Removed, diff.Hidden = slices.Concat(diff.Removed, diff.Hidden), diff.Added, nil
		}
		if diff.Empty() {
			return nil // reported already: a tool is gone, or the recording was edited
		}
		d = r.drift("%s: %s%s", said, describe(diff), next)
	}
	if st.State == report.Affected || st.State == report.Fresh { // fresh: in nothing that an agent reads
		d.state = st.State
	}
	return []drift{d}
}

// content compares the recorded tools with the snapshots in everything that hashes are of.
func (r recorded) content(st *standing) catalog.Diff {
	if st.toolDrift != nil && (r.own == nil || sameTools(st.was, r.own)) {
		return st.toolDrift.content()
	}
	return catalog.Compare(r.comparable(), withoutNamed(r.snapshots(), r.namedOnly))
}

// update says how to bring the snapshots in line with the servers of a live run.
func (r recorded) update() string {
	name := "NAME"
	if len(r.Servers) == 1 {
		name = r.Servers[0].Name
	}
	return fmt.Sprintf(`"mcp-gates snapshot --server %s --update" updates it`, name)
}
