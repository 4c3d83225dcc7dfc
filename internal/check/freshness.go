package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	breaks  bool // it is an error unless the policy says otherwise
}

// freshness compares the evidence of a case with the suite and the snapshots of today. It returns why the evidence is
// refused, reasons that were known before included, and what the case's policy only warns about.
func freshness(s selectedCase, e evidence) (refused source.Errors, warnings []report.Problem) {
	refused = e.refused
	if s.Kind != suite.AgentTest || e.trace == nil {
		return refused, nil
	}
	refused = append(refused, stalePrompt(s, &e.trace.Header)...)
	warnings = brokenPromise(s, &e.trace.Header)
	if s.StaleCatalog == suite.StaleIgnore {
		return refused, warnings
	}
	for _, d := range drifts(s, e) {
		if s.StaleCatalog == suite.StaleFail || d.breaks && s.StaleCatalog == suite.StaleDefault {
			refused.Addf(d.pos, "%s", d.message)
			continue
		}
		message := fmt.Sprintf("%q: %s", s.DisplayName(), d.message)
		warnings = append(warnings, problemAt(&source.Error{Pos: d.pos, Msg: message}))
	}
	return refused, warnings
}

// drifts returns the differences in servers and tools.
func drifts(s selectedCase, e evidence) []drift {
	r := recorded{s, e.trace, e.live, s.distractors(&e.trace.Header), nil}
	if e.trace.Recorded != nil {
		r.own = e.trace.Recorded.Without(r.distractors)
	}
	list := slices.Concat(r.edited(), r.servers(), r.notOffered())
	if s.snapshots() == nil {
		return list
	}
	gone, reported := r.goneTools()
	return slices.Concat(list, gone, r.catalogs(reported))
}

// recorded is a recording of a case.
type recorded struct {
	selectedCase
	trace       *trace.Trace
	live        bool
	distractors []catalog.Ref
	own         *catalog.Catalog // the recorded tools without distractors; nil when no catalog was recorded
}

// drift returns a difference that is a warning by default.
func (r recorded) drift(format string, args ...any) drift {
	return drift{pos: r.CassettePos, message: fmt.Sprintf(format, args...)}
}

// edited returns recordings whose catalog is not the one that they were written with. Recordings of one case hold one
// catalog and one hash, so that all of them are checked at once.
func (r recorded) edited() []drift {
	sealed := slices.DeleteFunc(slices.Clone(r.trace.Sources), func(from trace.Source) bool { return !from.Sealed })
	if len(sealed) == 0 || r.own.SHA256() == r.trace.CatalogSHA256 {
		return nil
	}
	what := sealed[0].File
	if more := len(sealed) - 1; more > 0 {
		what += fmt.Sprintf(" (and %d more)", more)
	}
	return []drift{r.drift("%s was edited after it was recorded: catalog_sha256 is of another catalog than the one in it; %s", what, r.again())}
}

// servers returns the servers that only the recording or only the case has. A new server with a snapshot is left to the
// comparison of the tools.
func (r recorded) servers() (list []drift) {
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
	for _, name := range slices.Sorted(maps.Keys(had)) {
		if !slices.Contains(r.ServerNames, name) {
			list = append(list, r.drift("the agent had the tools of server %q, which the test no longer has; %s", name, r.again()))
		}
	}
	for _, server := range r.Servers {
		if !had[server.Name] && server.Snapshot == nil && !r.live {
			list = append(list, r.drift("the agent had no tools of server %q, which the test has now; %s", server.Name, r.again()))
		}
	}
	return list
}

// stalePrompt compares the prompts and the model with those that the recording names. A suite that is only replayed need
// not state its prompt.
func stalePrompt(s selectedCase, h *trace.Header) (errs source.Errors) {
	if s.HasPrompt && h.PromptSHA256 != "" && h.PromptSHA256 != trace.PromptSHA256(s.Recorded.Prompt) {
		errs.Addf(s.Pos, "the cassette was recorded for another prompt; %s", s.again())
	}
	knowsSystem := s.HasPrompt || s.HasSystemPrompt
	if knowsSystem && h.SystemPromptSHA256 != "" && h.SystemPromptSHA256 != trace.PromptSHA256(s.Recorded.SystemPrompt) {
		errs.Addf(s.Pos, "the cassette was recorded for another system prompt; %s", s.again())
	}
	if s.Model != "" && h.Model != "" && h.Model != s.Model {
		errs.Addf(s.Pos, "the cassette was recorded with model %q, the suite asks for %q; %s", h.Model, s.Model, s.again())
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
		d := r.drift("`%s` is gone from %s; %s", ref.Name, snapshot, r.again())
		switch {
		case r.own == nil:
			list = append(list, r.drift("`%s` was called and is not in %s; %s if it is gone from there", ref.Name, snapshot, r.again()))
			continue
		case r.live:
			d = r.drift("`%s` was called and is not in %s; %s", ref.Name, snapshot, r.update())
		}
		d.breaks = true
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
	slices.SortFunc(refs, func(a, b catalog.Ref) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Name, b.Name))
	})
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
func (r recorded) catalogs(reported []catalog.Ref) []drift {
	today, was := r.snapshots(), r.comparable()
	sha := r.trace.CatalogSHA256
	whole := r.allSnapshots() && (r.own == nil || len(was.Tools) == len(r.own.Tools))
	if sha != "" && whole {
		if sha == today.SHA256() {
			return nil
		}
	} else if r.own == nil {
		return nil
	}
	said, next := "since the recording, "+files(r.Servers)+" has changed", ""
	if r.live {
		said, next = "the servers' tools are not those of "+files(r.Servers), "; "+r.update()
	}
	if r.own != nil {
		diff := catalog.Compare(was, today)
		diff.Removed = slices.DeleteFunc(diff.Removed, func(ref catalog.Ref) bool { return slices.ContainsFunc(reported, ref.Matches) })
		if r.live { // the recording is newer than the snapshot
			diff.Added, diff.Removed = diff.Removed, diff.Added
		}
		if diff.Empty() {
			return nil // reported already: a tool is gone, or the recording was edited
		}
		said += ": " + describe(diff)
	}
	return []drift{r.drift("%s", said+next)}
}

// update says how to bring the snapshots in line with the servers of a live run.
func (r recorded) update() string {
	name := "NAME"
	if len(r.Servers) == 1 {
		name = r.Servers[0].Name
	}
	return fmt.Sprintf(`"mcp-gates snapshot --server %s --update" updates it`, name)
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

// describe names the tools that differ.
func describe(d catalog.Diff) string {
	var parts []string
	for _, kind := range []struct {
		verb string
		refs []catalog.Ref
	}{{"added", d.Added}, {"removed", d.Removed}, {"changed", d.Changed}} {
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
