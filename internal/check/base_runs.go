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
	"github.com/org/mcp-gates/internal/check/basesuites"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/staleness"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// noteLostRuns notes the recordings that the change takes away from its case and that fail by the base's suite.
func (c *checker) noteLostRuns(s selectedCase, out *outcome, e evidence) {
	was := s.Was
	if e.live || e.trace == nil || was.Kind != suite.AgentTest || !was.IsJudged() {
		return
	}
	lost := was.Lost(e.recordings)
	if was.Report.Verdict != judge.Fail || out.Verdict.Broken() {
		fails := c.options.BaseSuites.checker.failsAlone
		lost = slices.DeleteFunc(lost, func(path string) bool { return !fails(s.baseCase(), path) })
	}
	if len(lost) == 0 {
		return
	}
	if out.Base == nil {
		out.Base = &report.BaseJudgement{Case: was.Report.ID, Verdict: out.Verdict}
	}
	out.Base.Lost = lost
}

func (s selectedCase) baseCase() selectedCase {
	return caseOf(s.Was.Suite, s.Was.Case)
}

// failsAlone reports whether a case fails if it is judged by the runs of one recording alone.
func (c *checker) failsAlone(s selectedCase, path string) bool {
	one := *s.Case
	one.Cassettes, one.Runs = []string{path}, 1
	s.Case = &one
	e := c.read(s)
	if e.trace == nil {
		return false
	}
	j := c.judge(s, assessment{evidence: e})
	isFailedRun := j.run > 0 && one.AllowRunErrors == 0
	return j.verdict == judge.Fail || isFailedRun
}

// maxComparedRuns is the largest total size, in bytes, of a case's recordings whose runs are compared with those of the base. All
// runs of the case are in memory at once.
const maxComparedRuns = 32 << 20

// sameRuns reports whether the head's recordings are other files with the same runs as the base's recordings, such as the log that
// a cassette was imported from.
func (c *checker) sameRuns(s selectedCase, e evidence) bool {
	if e.live || e.trace == nil || s.Was.Kind != suite.AgentTest {
		return false
	}
	recordings := s.Was.Report.Recordings
	sameCount := basesuites.CountRuns(recordings) == basesuites.CountRuns(e.recordings)
	if !sameCount || staleness.SameRecordings(recordings, e.recordings) {
		return false
	}
	baseDigests := c.options.BaseSuites.checker.digests(s.baseCase(), s.Was.Report.Cassettes)
	return len(baseDigests) > 0 && slices.Equal(baseDigests, c.digests(s, e.cassettes))
}

// digests returns hashes of the data that gates see in a case's recordings: first the hash of all data outside of the runs, then
// the sorted hashes of the runs. It returns nil if the recordings cannot be read or are too large.
func (c *checker) digests(s selectedCase, files []string) (list []string) {
	size := int64(0)
	for _, file := range files {
		info, err := fs.Stat(c.fsys, file)
		if err != nil {
			return nil
		}
		size += info.Size()
	}
	if size > maxComparedRuns {
		return nil
	}
	const seenByGates = trace.KeepArgs | trace.KeepResults | trace.KeepTurns | trace.KeepAnswers
	var ignored evidence // the case's own evidence already has the notes
	tr, errs := c.readRuns(s, files, seenByGates, &ignored)
	if len(errs) > 0 {
		return nil
	}
	recorded := cmp.Or(tr.Recorded, &catalog.Catalog{})
	list = append(list, digest(s.keepsApart(tr), tr.Distractors, tr.Faults, tr.Recorded != nil, recorded.SHA256()))
	for i := range tr.Runs {
		run := s.attributedRun(tr.Runs[i])
		run.Number, run.Pos = 0, source.Pos{}
		list = append(list, digest(run))
	}
	slices.Sort(list[1:])
	return list
}

// attributedRun returns a run in which calls without a server have the case's server, if the case has only one server. Logs always
// name the server, but cassettes need not.
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

// digest returns the hash of values that JSON can represent.
func digest(values ...any) string {
	hash := sha256.New()
	for _, v := range values {
		_ = json.NewEncoder(hash).Encode(v) // all values were read from JSON
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// redactedBy returns the head's runs, redacted by the rules of the base's suite. Only logs are redacted when they are read; a
// cassette was redacted when it was written.
func (c *checker) redactedBy(base *suite.Suite, s selectedCase, e evidence) *trace.Trace {
	if s.Log == nil || e.trace == nil || reflect.DeepEqual(base.Redact, s.Suite.Redact) {
		return e.trace
	}
	own := *s.Suite
	own.Redact, s.Suite = base.Redact, &own
	var ignored evidence // e already has the notes about the logs
	tr, errs := c.readLogs(s, e.cassettes, c.partsToKeep(s), &ignored)
	if len(errs) > 0 {
		return e.trace
	}
	return tr
}
