package staleness

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// editedRecordings returns a difference if recordings no longer have the catalog that they were written with. Recordings of one
// case have the same catalog and hash, so all of them are checked at once.
func (s *Staleness) editedRecordings() []Difference {
	sealed := slices.DeleteFunc(slices.Clone(s.Trace.Sources), func(from trace.Source) bool { return !from.Sealed })
	if len(sealed) == 0 || s.ownSHA256() == s.Trace.CatalogSHA256 {
		return nil
	}
	// Recordings of earlier versions include hidden tools in the hash.
	if whole := (&catalog.Catalog{Tools: s.own.All()}); len(s.own.Hidden) > 0 && whole.SHA256() == s.Trace.CatalogSHA256 {
		return nil
	}
	what := sealed[0].File
	if more := len(sealed) - 1; more > 0 {
		what += fmt.Sprintf(" (and %d more)", more)
	}
	return []Difference{s.newDifference("%s was edited after it was recorded: catalog_sha256 is of another catalog than the one in it; %s", what, Again(s.Case, s.Trace))}
}

// ownSHA256 returns the hash of own. If was has the same tools, it takes the hash of was, which is computed once for many cases.
func (s *Staleness) ownSHA256() string {
	if s.toolDiff != nil && catalog.SameTools(s.was, s.own) {
		return s.wasSHA256()
	}
	return s.own.SHA256()
}

// serverDifferences returns differences for servers that only the recording or only the case has. It leaves out a new server with
// a snapshot, because the comparison of the tools reports such a server.
func (s *Staleness) serverDifferences() (list []Difference) {
	if s.own == nil || len(s.ServerNames) == 0 {
		return nil
	}
	had := map[string]bool{}
	for _, t := range s.own.Tools {
		if t.Server == "" {
			return nil // the recording does not name its servers
		}
		had[t.Server] = true
	}
	for _, ref := range s.namedOnly {
		had[ref.Server] = true
	}
	for _, name := range slices.Sorted(maps.Keys(had)) {
		if !slices.Contains(s.ServerNames, name) {
			d := s.newDifference("the agent had the tools of server %q, which the test no longer has; %s", name, Again(s.Case, s.Trace))
			if s.State == report.Affected {
				d.state = s.State // if no other server has a snapshot, no other difference has this state
			}
			list = append(list, d)
		}
	}
	for _, server := range s.Servers {
		if !had[server.Name] && server.Snapshot == nil && !s.Live {
			list = append(list, s.newDifference("the agent had no tools of server %q, which the test has now; %s", server.Name, Again(s.Case, s.Trace)))
		}
	}
	return list
}

// goneTools returns differences for the tools that a run called and that their servers no longer have. It leaves out tools
// that the recorded catalog lacks: the model made them up. reported are the tools in list; nil if no catalog was recorded.
func (s *Staleness) goneTools() (list []Difference, reported []catalog.Ref) {
	for _, ref := range trace.Called(s.Trace.Runs) {
		if slices.ContainsFunc(s.distractors, ref.Matches) {
			continue
		}
		snapshot, gone := s.snapshotLacks(ref)
		if !gone {
			continue
		}
		if s.own == nil {
			list = append(list, s.newDifference("`%s` was called and is %s; %s if it is gone from there", ref.Name, whyNotOffered(s.Case, ref, snapshot), Again(s.Case, s.Trace)))
			continue
		}
		d := s.newDifference("`%s` was called and is %s; %s", ref.Name, whyNotOffered(s.Case, ref, snapshot), s.updateAdvice())
		list, reported = append(list, d.causing(report.Broken)), append(reported, ref)
	}
	return list, reported
}

// snapshotLacks reports whether a called tool is gone: the snapshots lack it, and would have it if the recorded catalog were still
// valid. It returns the file of the snapshot.
func (s *Staleness) snapshotLacks(ref catalog.Ref) (snapshot string, gone bool) {
	server := ref.Server
	if s.own != nil {
		tool, ok := s.Trace.Recorded.Lookup(ref)
		if !ok {
			return "", false
		}
		server = cmp.Or(server, tool.Server)
	}
	if server == "" {
		_, ok := s.Snapshots().Lookup(ref)
		return snapshotFiles(s.Servers), !ok && s.HasAllSnapshots()
	}
	if one := s.Server(server); one != nil && one.Snapshot != nil {
		_, ok := one.Snapshot.Lookup(catalog.Ref{Server: server, Name: ref.Name})
		return one.Snapshot.File, !ok
	}
	return "", false
}

// catalogDifference returns a difference if the recorded tools are not the tools of the snapshots. It leaves out the tools in
// reported, because other differences name them.
func (s *Staleness) catalogDifference(reported []catalog.Ref) []Difference {
	sha := s.Trace.CatalogSHA256
	allComparable := s.own == nil || len(s.comparableTools().Tools) == len(s.own.Tools)
	isWhole := s.HasAllSnapshots() && len(s.namedOnly) == 0 && allComparable
	if sha != "" && isWhole {
		if sha == s.Cache.todayHash(&s.Input) {
			return nil
		}
	} else if s.own == nil && s.State != report.Affected {
		return nil
	}
	said, next := "since the recording, "+snapshotFiles(s.Servers)+" has changed", ""
	if s.Live {
		said, next = "the servers' tools are not those of "+snapshotFiles(s.Servers), "; "+s.updateAdvice()
	}
	d := s.newDifference("%s", said+next)
	if s.own != nil || s.State == report.Affected {
		diff := s.content()
		isReported := func(ref catalog.Ref) bool { return slices.ContainsFunc(reported, ref.Matches) }
		diff.Added = slices.DeleteFunc(slices.Clone(diff.Added), isReported)
		diff.Removed = slices.DeleteFunc(slices.Clone(diff.Removed), isReported)
		diff.Hidden = slices.DeleteFunc(slices.Clone(diff.Hidden), isReported)
		if s.Live { // the recording is newer than the snapshot
			diff.Added, diff.Removed, diff.Hidden = slices.Concat(diff.Removed, diff.Hidden), diff.Added, nil
		}
		if diff.Empty() {
			return nil // already reported: a tool is gone, or the recording was edited
		}
		d = s.newDifference("%s: %s%s", said, describeDiff(diff), next)
	}
	if s.State == report.Affected || s.State == report.Fresh { // fresh: nothing that an agent reads has changed
		d.state = s.State
	}
	return []Difference{d}
}

// content compares the recorded tools with the snapshots, in everything that the hash of a catalog covers.
func (s *Staleness) content() catalog.Diff {
	if s.toolDiff != nil && (s.own == nil || catalog.SameTools(s.was, s.own)) {
		return s.toolDiff.content()
	}
	return catalog.Compare(s.comparableTools(), withoutNamed(s.Snapshots(), s.namedOnly))
}

func (s *Staleness) updateAdvice() string {
	hasSeveralFiles := func(one *suite.Server) bool { return one.Snapshot != nil && one.Snapshot.Paths != nil }
	if slices.ContainsFunc(s.Servers, hasSeveralFiles) { // "mcp-gates snapshot" does not write a snapshot of several files
		return "write the files of " + snapshotFiles(s.Servers) + " again"
	}
	name := "NAME"
	if len(s.Servers) == 1 {
		name = s.Servers[0].Name
	}
	return fmt.Sprintf(`"mcp-gates snapshot --server %s --update" updates it`, name)
}

// unknownDifference returns the reason why it is unknown whether the recorded tools are still valid. The reason is never a warning.
// If the recording does not list its tools, there is a reason only if s.Demanded is set, so that a change cannot avoid FailOnStale
// by removing the list from the recording.
func (s *Staleness) unknownDifference() []Difference {
	if s.State != report.Unknown || s.own == nil && !s.Demanded {
		return nil
	}
	d := s.newDifference("the test names no server with a snapshot, so that nobody knows whether its recording still holds")
	if n := len(s.namedOnly); n > 0 {
		d = s.newDifference("the recording has the names of deferred tools only (%d), so that nobody knows whether it still holds", n)
	}
	for _, name := range s.ServerNames {
		if server := s.Server(name); server == nil || server.Snapshot == nil {
			d = s.newDifference("server %q has no snapshot, so that nobody knows whether the recording still holds", name)
		}
	}
	if s.own == nil {
		d = s.newDifference("the recording does not say which tools its runs were offered, which fail-on-stale asks for; %s", Again(s.Case, s.Trace))
	}
	d.state, d.alone = report.Unknown, true
	return []Difference{d}
}

// comparableTools returns the recorded tools whose servers have a snapshot.
func (s *Staleness) comparableTools() *catalog.Catalog {
	out := &catalog.Catalog{}
	if s.own == nil {
		return out
	}
	for _, t := range s.own.Tools {
		if server := s.Server(t.Server); server != nil && server.Snapshot != nil {
			out.Tools = append(out.Tools, t)
		}
	}
	return out
}

// spareMembers returns differences for tools that the gates name but do not need, and that are neither in the snapshots nor in the
// recording of this case.
func (s *Staleness) spareMembers() (list []Difference) {
	for _, name := range s.Lost {
		inBroken := func(t staleTool) bool { return t.member == name }
		if len(s.knownTools()[name]) > 0 || slices.ContainsFunc(s.broken, inBroken) {
			continue
		}
		list = append(list, s.newDifference("tool %q is %s", name, whyNotOffered(s.Case, catalog.Ref{Name: name}, snapshotFiles(s.Servers))))
	}
	return list
}

// notOffered returns differences for the tools that the gates name and that the agent was not offered, because no agent ever
// selects a misspelt tool. Package suite has already checked the tools of servers with a snapshot.
func (s *Staleness) notOffered() (list []Difference) {
	if s.own == nil || len(s.ServerNames) == 0 || s.HasAllSnapshots() {
		return nil
	}
	offered := map[string]bool{}
	for _, t := range s.Trace.Recorded.Tools {
		if t.Server == "" {
			return nil // the recording does not name its servers
		}
		offered[t.Name], offered[t.Server+"."+t.Name] = true, true
	}
	for _, ref := range s.Trace.Deferred {
		offered[ref.Name], offered[ref.ID()] = true, true
	}
	compared := 0
	for _, m := range s.Members {
		isBuiltin := len(judge.BuiltinsOf([]string{m.Name})) > 0
		if isBuiltin || offered[m.Name] || s.hasSnapshotFor(m.Name) {
			continue
		}
		hint := ""
		compared += len(offered)
		if compared <= maxCompared {
			hint = source.DidYouMean(m.Name, slices.Collect(maps.Keys(offered)))
		}
		list = append(list, Difference{Pos: m.Pos, Message: fmt.Sprintf("tool %q is not among those that the agent was offered%s", m.Name, hint)})
	}
	return list
}

// maxCompared bounds the number of names that are compared for the hints of a case.
const maxCompared = 50_000

// hasSnapshotFor reports whether a tool's name begins with a server that has a snapshot. The snapshot may lack the tool.
func (s *Staleness) hasSnapshotFor(tool string) bool {
	return slices.ContainsFunc(s.Servers, func(one *suite.Server) bool {
		return one.Snapshot != nil && strings.HasPrefix(tool, one.Name+".")
	})
}
