package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// checkStale notes where the recording is of something else than the suite now says.
func (k *caseCheck) checkStale(tr *trace.Trace) {
	k.checkPrompt(&tr.Header)
	k.checkPromise(&tr.Header)
	if k.StaleCatalog == suite.StaleIgnore {
		return
	}
	k.checkSealed(tr)
	k.checkServers(&tr.Header)
	k.checkOffered(&tr.Header)
	if k.snapshots() != nil {
		k.checkCatalog(&tr.Header, k.checkCalled(tr))
	}
}

// checkSealed notes recordings whose catalog is not the one that they were written with. Recordings of one case hold one
// catalog and one hash, so that all of them are checked at once.
func (k *caseCheck) checkSealed(tr *trace.Trace) {
	sealed := slices.DeleteFunc(slices.Clone(tr.Sources), func(from trace.Source) bool { return !from.Sealed })
	if len(sealed) == 0 || tr.Recorded.Without(k.distractors(&tr.Header)).SHA256() == tr.CatalogSHA256 {
		return
	}
	what := sealed[0].File
	if more := len(sealed) - 1; more > 0 {
		what += fmt.Sprintf(" (and %d more)", more)
	}
	k.drift(false, k.CassettePos, fmt.Sprintf("%s was edited after it was recorded: catalog_sha256 is of another catalog than the one in it; %s",
		what, k.again()))
}

// checkServers notes servers that the case had and has no more, and those that it has and had not. What a snapshot of
// such a one adds is noted with its tools.
func (k *caseCheck) checkServers(h *trace.Header) {
	if h.Recorded == nil || len(k.ServerNames) == 0 {
		return
	}
	had := map[string]bool{}
	for _, t := range h.Recorded.Without(k.distractors(h)).Tools {
		if t.Server == "" {
			return // the recording does not tell servers apart
		}
		had[t.Server] = true
	}
	for _, name := range slices.Sorted(maps.Keys(had)) {
		if !slices.Contains(k.ServerNames, name) {
			k.drift(false, k.CassettePos, fmt.Sprintf("the agent had the tools of server %q, which the test no longer has; %s", name, k.again()))
		}
	}
	for _, s := range k.Servers {
		if !had[s.Name] && s.Snapshot == nil && k.options.Live == nil {
			k.drift(false, k.CassettePos, fmt.Sprintf("the agent had no tools of server %q, which the test has now; %s", s.Name, k.again()))
		}
	}
}

// checkPrompt compares the texts and the model, as far as the recording says what they were. A suite that is only
// replayed need not state its prompt.
func (k *caseCheck) checkPrompt(h *trace.Header) {
	if k.HasPrompt && h.PromptSHA256 != "" && h.PromptSHA256 != trace.PromptSHA256(k.Recorded.Prompt) {
		k.refused.Addf(k.Pos, "the cassette was recorded for another prompt; %s", k.again())
	}
	knowsSystem := k.HasPrompt || k.HasSystemPrompt
	if knowsSystem && h.SystemPromptSHA256 != "" && h.SystemPromptSHA256 != trace.PromptSHA256(k.Recorded.SystemPrompt) {
		k.refused.Addf(k.Pos, "the cassette was recorded for another system prompt; %s", k.again())
	}
	if k.Model != "" && h.Model != "" && h.Model != k.Model {
		k.refused.Addf(k.Pos, "the cassette was recorded with model %q, the suite asks for %q; %s", h.Model, k.Model, k.again())
	}
}

// checkPromise warns about a prompt that names a recorded tool against its promise. The suite's reader has looked for
// the tools that the suite and its snapshots name.
func (k *caseCheck) checkPromise(h *trace.Header) {
	said := func(w *source.Error) bool { return w.Pos == k.PromptPos }
	if h.Recorded == nil || slices.ContainsFunc(k.suite.Warnings, said) {
		return
	}
	var names []string
	for _, t := range h.Recorded.Tools {
		names = append(names, t.Name)
	}
	if broken := k.BrokenPromise(names); broken != "" {
		k.out.warnings = append(k.out.warnings, problemAt(&source.Error{Pos: k.PromptPos, Msg: broken}))
	}
}

// again says what makes the recording fresh.
func (k *caseCheck) again() string {
	if k.isRecordable() {
		return `record again with "mcp-gates run --record"`
	}
	return "record again"
}

// isRecordable reports whether the suite says all that a live run of the case needs.
func (k *caseCheck) isRecordable() bool {
	return k.HasPrompt && k.Model != "" && len(k.Servers) > 0 && len(k.Servers) == len(k.ServerNames) &&
		!slices.ContainsFunc(k.Servers, func(s *suite.Server) bool { return !startable(s) })
}

// drift notes a difference between the recording and today's snapshots: an error where it breaks the case by default or
// the policy says so, else a warning.
func (k *caseCheck) drift(breaks bool, pos source.Pos, message string) {
	if k.StaleCatalog == suite.StaleFail || breaks && k.StaleCatalog == suite.StaleDefault {
		k.refused.Addf(pos, "%s", message)
		return
	}
	message = fmt.Sprintf("%q: %s", k.DisplayName(), message)
	k.out.warnings = append(k.out.warnings, problemAt(&source.Error{Pos: pos, Msg: message}))
}

// distractors returns the tools that the recording was padded with: those that it lists, else those that the gates add.
func (k *caseCheck) distractors(h *trace.Header) []catalog.Ref {
	if h.Distractors != nil {
		return h.Distractors
	}
	real := k.snapshots()
	if real == nil {
		return nil
	}
	var refs []catalog.Ref
	for _, t := range k.injected(real) {
		refs = append(refs, t.Ref())
	}
	return refs
}

// checkCalled notes each tool that a run called and that its server no longer has, and returns those that the recorded
// catalog lists. What it does not list was invented by the model; where no catalog was recorded it may have been.
func (k *caseCheck) checkCalled(tr *trace.Trace) (reported []catalog.Ref) {
	distractors := k.distractors(&tr.Header)
	for _, ref := range called(tr.Runs) {
		if slices.ContainsFunc(distractors, ref.Matches) {
			continue
		}
		snapshot, gone := k.gone(tr.Recorded, ref)
		if !gone {
			continue
		}
		if tr.Recorded == nil {
			k.drift(false, k.CassettePos, fmt.Sprintf("`%s` was called and is not in %s; %s if it is gone from there",
				ref.Name, snapshot, k.again()))
			continue
		}
		if k.options.Live != nil {
			k.drift(true, k.CassettePos, fmt.Sprintf("`%s` was called and is not in %s; %s", ref.Name, snapshot, k.anew()))
		} else {
			k.drift(true, k.CassettePos, fmt.Sprintf("`%s` is gone from %s; %s", ref.Name, snapshot, k.again()))
		}
		reported = append(reported, ref)
	}
	return reported
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

// gone reports whether the snapshots lack a tool that was called, though they would have it if the recorded catalog
// still held, and names the snapshot.
func (k *caseCheck) gone(recorded *catalog.Catalog, ref catalog.Ref) (snapshot string, gone bool) {
	server := ref.Server
	if recorded != nil {
		tool, ok := recorded.Lookup(ref)
		if !ok {
			return "", false
		}
		server = cmp.Or(server, tool.Server)
	}
	if server == "" {
		today := k.snapshots()
		_, ok := today.Lookup(ref)
		return files(k.Servers), !ok && k.allSnapshots()
	}
	for _, s := range k.Servers {
		if s.Name == server && s.Snapshot != nil {
			_, ok := s.Snapshot.Lookup(catalog.Ref{Server: server, Name: ref.Name})
			return files([]*suite.Server{s}), !ok
		}
	}
	return "", false
}

// checkCatalog notes any other difference between the recorded catalog and the snapshots than the tools reported.
func (k *caseCheck) checkCatalog(h *trace.Header, reported []catalog.Ref) {
	today := k.snapshots()
	recorded := k.comparable(h)
	whole := k.allSnapshots() && (h.Recorded == nil || len(recorded.Tools) == len(h.Recorded.Without(k.distractors(h)).Tools))
	if h.CatalogSHA256 != "" && whole {
		if h.CatalogSHA256 == today.SHA256() {
			return
		}
	} else if h.Recorded == nil {
		return
	}
	said, next := "since the recording, "+files(k.Servers)+" has changed", ""
	if k.options.Live != nil {
		said, next = "the servers' tools are not those of "+files(k.Servers), "; "+k.anew()
	}
	if h.Recorded != nil {
		diff := catalog.Compare(recorded, today)
		diff.Removed = slices.DeleteFunc(diff.Removed, func(ref catalog.Ref) bool { return slices.ContainsFunc(reported, ref.Matches) })
		if k.options.Live != nil { // what was recorded a moment ago is newer than the snapshot
			diff.Added, diff.Removed = diff.Removed, diff.Added
		}
		if diff.Empty() {
			return // told already: a tool is gone, or the recording was edited
		}
		said += ": " + describe(diff)
	}
	k.drift(false, k.CassettePos, said+next)
}

// anew says what brings the snapshots in line with the servers that a live run has asked.
func (k *caseCheck) anew() string {
	name := "NAME"
	if len(k.Servers) == 1 {
		name = k.Servers[0].Name
	}
	return fmt.Sprintf(`"mcp-gates snapshot --server %s --update" writes it anew`, name)
}

// comparable returns the recorded tools of the servers that have a snapshot, distractors left out.
func (k *caseCheck) comparable(h *trace.Header) *catalog.Catalog {
	out := &catalog.Catalog{}
	if h.Recorded == nil {
		return out
	}
	for _, t := range h.Recorded.Without(k.distractors(h)).Tools {
		if slices.ContainsFunc(k.Servers, func(s *suite.Server) bool { return s.Name == t.Server && s.Snapshot != nil }) {
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
