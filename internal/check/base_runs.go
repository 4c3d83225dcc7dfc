package check

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"reflect"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/staleness"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// noteLost notes the recordings that the change takes from its case, and that fail by the base's suite.
func (b *baseCase) noteLost(out *outcome, e evidence) {
	if e.live || e.trace == nil || b.Kind != suite.AgentTest || !b.IsJudged() {
		return
	}
	lost := b.lost(e.recordings)
	if b.report.Verdict != judge.Fail || out.Verdict.Broken() {
		lost = slices.DeleteFunc(lost, func(path string) bool { return !b.fails(path) })
	}
	if len(lost) == 0 {
		return
	}
	if out.Base == nil {
		out.Base = &report.BaseJudgement{Case: b.report.ID, Verdict: out.Verdict}
	}
	out.Base.Lost = lost
}

// lost returns the paths of the base's recordings that the head's case has neither at their path nor elsewhere; none where new
// recordings in their place have as many runs.
func (b *baseCase) lost(now []report.Recording) (paths []string) {
	was := b.report.Recordings
	gone := recordingsBut(was, now)
	if runsIn(recordingsBut(now, was)) >= runsIn(gone) {
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

// runsIn counts the runs of recordings. A copy of a recording adds none.
func runsIn(list []report.Recording) (n int) {
	known := map[report.Optional]bool{}
	for _, r := range list {
		if r.SHA256 == "" || !known[r.SHA256] {
			n += r.Runs
		}
		known[r.SHA256] = true
	}
	return n
}

// fails reports whether the runs of one recording alone fail by the base's suite.
func (b *baseCase) fails(path string) bool {
	one := *b.Case
	one.Cassettes, one.Runs = []string{path}, 1
	s := selectedCase{suite: b.suite, Case: &one}
	e := b.checker.read(s)
	if e.trace == nil {
		return false
	}
	j := b.checker.judge(s, assessment{evidence: e})
	return j.verdict == judge.Fail || j.run > 0 && one.AllowRunErrors == 0
}

// maxComparedRuns bounds, in bytes, the recordings whose runs are compared with those of others: all of them are in memory at once.
const maxComparedRuns = 32 << 20

// sameRuns reports whether the head's recordings are other files that hold the runs of the base's, such as the log that a
// cassette was imported from, and the gates see the same of them.
func (b *baseCase) sameRuns(c *checker, head selectedCase, e evidence) bool {
	if e.live || e.trace == nil || b.Kind != suite.AgentTest || runsIn(b.report.Recordings) != runsIn(e.recordings) {
		return false
	}
	if staleness.SameRecordings(b.report.Recordings, e.recordings) {
		return false
	}
	was := b.checker.digests(b.selectedCase, b.report.Cassettes)
	return len(was) > 0 && slices.Equal(was, c.digests(head, e.cassettes))
}

// digests returns the hashes of all that a case's recordings hold of each run, sorted, and of all else in them that gates see;
// none where nobody knows.
func (c *checker) digests(s selectedCase, files []string) (list []string) {
	size := int64(0)
	for _, file := range files {
		about, err := fs.Stat(c.fsys, file)
		if err != nil {
			return nil
		}
		size += about.Size()
	}
	if size > maxComparedRuns {
		return nil
	}
	tr, errs := c.readRuns(s, files, trace.KeepArgs|trace.KeepResults|trace.KeepTurns|trace.KeepAnswers, new(evidence))
	if len(errs) > 0 {
		return nil
	}
	list = append(list, digest(s.keepsApart(tr), tr.Distractors, tr.Faults, tr.Recorded != nil, cmp.Or(tr.Recorded, &catalog.Catalog{}).SHA256()))
	for i := range tr.Runs {
		run := s.attributedRun(tr.Runs[i])
		run.Number, run.Pos = 0, source.Pos{}
		list = append(list, digest(run))
	}
	slices.Sort(list[1:])
	return list
}

// attributedRun returns a run with the calls that name no server under the case's only one, which logs name and cassettes need not.
func (s selectedCase) attributedRun(run trace.Run) trace.Run {
	if len(s.ServerNames) != 1 {
		return run
	}
	run.Calls = slices.Clone(run.Calls)
	for i, call := range run.Calls {
		if call.Tool.Server == "" {
			one := *call.Tool
			one.Server = s.ServerNames[0]
			run.Calls[i].Tool = &one
		}
	}
	return run
}

// digest returns the hash of values, which JSON can hold.
func digest(values ...any) string {
	hash := sha256.New()
	for _, v := range values {
		if err := json.NewEncoder(hash).Encode(v); err != nil {
			return "" // unreachable: all of them were read from JSON
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// redacted returns the head's runs as the base's suite redacts them. That makes a difference in logs alone, which are read with the
// words of a suite: a cassette was redacted when it was written.
func (b *baseCase) redacted(c *checker, head selectedCase, e evidence) *trace.Trace {
	if head.Log == nil || e.trace == nil || reflect.DeepEqual(b.suite.Redact, head.suite.Redact) {
		return e.trace
	}
	own := *head.suite
	own.Redact = b.suite.Redact
	head.suite = &own
	tr, errs := c.readLogs(head, e.cassettes, c.kept(head), new(evidence))
	if len(errs) > 0 {
		return e.trace
	}
	return tr
}
