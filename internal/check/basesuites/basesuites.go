// Package basesuites judges a head's evidence by the suites of its base, because a change can weaken its suites in more ways
// than a list of settings can show.
//
// A case of the base judges the head's files beside the head's case ([Was.See]), or instead of it, so that it gives the verdict
// ([Judges]). In both, tools and servers that the change renames get the names that the base's gates know ([Names]).
// The package prepares the cases, and its callers judge them.
package basesuites

import (
	"slices"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// Entry is a case with its suite.
type Entry struct {
	Suite *suite.Suite
	*suite.Case
}

// Was is a case of the base with its result.
type Was struct {
	Entry
	Report *report.Case
}

// Pair is a case of the head with the case of the base that it is compared with.
type Pair struct {
	Entry
	Was *Was // nil if the base has no such case
}

// Differs reports whether the base's case is in another suite file, or the change edits the suite file or its included files.
func (p Pair) Differs() bool {
	return p.Was != nil && (p.Was.Suite.File != p.Suite.File || p.Was.Suite.SHA256 != p.Suite.SHA256)
}

// Lost returns the paths of the base's recordings that the head's case lacks, even under another path. It returns none if the
// head's case has new recordings with at least as many runs as these.
func (w *Was) Lost(now []report.Recording) []string {
	was := w.Report.Recordings
	gone, added := recordingsBut(was, now), recordingsBut(now, was)
	if CountRuns(added) >= CountRuns(gone) {
		return nil
	}
	return lists.Map(gone, func(r report.Recording) string { return r.Path })
}

// recordingsBut returns the recordings of a whose path and content are both absent from b.
func recordingsBut(a, b []report.Recording) []report.Recording {
	paths := lists.SetOf(b, func(r report.Recording) string { return r.Path })
	hashes := lists.SetOf(b, func(r report.Recording) report.Optional { return r.SHA256 })
	return slices.DeleteFunc(slices.Clone(a), func(r report.Recording) bool {
		hasSameBytes := r.SHA256 != "" && hashes[r.SHA256]
		return paths[r.Path] || hasSameBytes
	})
}

// CountRuns counts the runs of recordings. Copies of a recording count once.
func CountRuns(list []report.Recording) (n int) {
	known := map[report.Optional]bool{}
	for _, r := range list {
		if r.SHA256 == "" || !known[r.SHA256] {
			n += r.Runs
		}
		known[r.SHA256] = true
	}
	return n
}
