// Package basesuites shows a head's evidence to the suites of its base: a change can soften its suites in more ways than a list of
// settings can hold, so that those of the base judge, too.
//
// The suites are the base's, and the files are the head's. A case of the base stands beside the head's ([Was.See]), or gives the
// verdict in its place ([Judges]). In both, tools and servers that the change renames have the names that the base's gates know
// ([Names]). Nothing is judged here.
package basesuites

import (
	"slices"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// Entry is a case, and the suite that it is in.
type Entry struct {
	Suite *suite.Suite
	*suite.Case
}

// Was is a case of the base, and what its check came to.
type Was struct {
	Entry
	Report *report.Case
}

// Pair is a case of the head, and the base's that it is compared with; nil for none.
type Pair struct {
	Entry
	Was *Was
}

// Differs reports whether the base's case stands in another suite file, or in one that reads otherwise, what it includes being a part
// of it.
func (p Pair) Differs() bool {
	return p.Was != nil && (p.Was.Suite.File != p.Suite.File || p.Was.Suite.SHA256 != p.Suite.SHA256)
}

// Lost returns the paths of the base's recordings that the head's case has neither at their path nor elsewhere; none where new
// recordings in their place have as many runs.
func (w *Was) Lost(now []report.Recording) (paths []string) {
	was := w.Report.Recordings
	gone := recordingsBut(was, now)
	if CountRuns(recordingsBut(now, was)) >= CountRuns(gone) {
		return nil
	}
	for _, r := range gone {
		paths = append(paths, r.Path)
	}
	return paths
}

// recordingsBut returns the recordings of a that b has neither at their path nor by their bytes.
func recordingsBut(a, b []report.Recording) []report.Recording {
	known := map[string]bool{}
	for _, r := range b {
		known["path "+r.Path], known["bytes "+string(r.SHA256)] = true, r.SHA256 != ""
	}
	return slices.DeleteFunc(slices.Clone(a), func(r report.Recording) bool {
		return known["path "+r.Path] || r.SHA256 != "" && known["bytes "+string(r.SHA256)]
	})
}

// CountRuns counts the runs of recordings. A copy of a recording adds none.
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
