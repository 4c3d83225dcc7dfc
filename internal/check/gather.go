package check

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/staleness"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// evidence has the runs or the catalog that the gates of a case judge, and where they come from. It does not change after it
// was gathered.
type evidence struct {
	trace   *trace.Trace     // the runs, or a trace with the catalog; nil if there is nothing to judge
	catalog *catalog.Catalog // the judged catalog, in a case that judges one
	live    bool             // the runs were made just now, as many as the suite asks for
	ofHead  bool             // the base's suite judges the evidence of the head's case

	cassettes  []string
	recordings []report.Recording
	seen       []seenServer
	problems   []report.Problem // mistakes in the cassettes
	notes      []sharedWarning  // parts of logs that are not in the runs
	kept       string           // path of a partial recording; "" if there is none
	broke      int              // number of broken runs in the partial recording
	missing    int              // number of runs that the partial recording lacks
	faults
}

// gather returns the evidence of a case: its recordings, its live runs, or the catalog that it judges.
func (c *checker) gather(s selectedCase) evidence {
	e := evidence{catalog: s.Case.Catalog, live: c.options.Live != nil && !s.replays}
	switch {
	case s.Kind != suite.AgentTest:
		c.findTools(s, &e)
	case e.live:
		// If the gates need a tool that is gone, a live run would cost money and prove nothing.
		given := s.withGivenInputs(true, true).Case
		e.refused = staleness.Lost(given, c.stalePolicy(s))
		if len(e.refused) == 0 {
			c.runLive(s, &e)
		}
	default:
		e = c.read(s)
	}
	if s.Kind == suite.AgentTest && e.trace != nil {
		e.seen = seenServers(s.Suite, s.Servers, &e.trace.Header)
	}
	e.refused, e.short, e.broken = slices.Clip(e.refused), slices.Clip(e.short), slices.Clip(e.broken) // callers append to copies
	return e
}

// read reads the case's cassettes. The evidence has no trace if a cassette is missing or has a mistake.
func (c *checker) read(s selectedCase) evidence {
	e := evidence{catalog: s.Case.Catalog}
	files, errs := c.cassettes(s)
	if len(errs) > 0 {
		e.refused = append(errs, c.missingCassettes(s, &e)...)
		return e
	}
	tr, errs := c.readRuns(s, files, c.partsToKeep(s), &e)
	if len(errs) > 0 {
		e.refused = c.missingCassettes(s, &e)
		if len(e.refused) > 0 {
			return e
		}
		e.noteMistakes(errs.Sorted())
	}
	e.cassettes, e.recordings = files, c.recordings(files, tr)
	if len(errs) == 0 {
		e.trace = tr
		c.keepJudgedRun(s, &e)
	}
	return e
}

// keepJudgedRun removes all runs except the one that Options.JudgeRun selects. If that is 0, it keeps all.
func (c *checker) keepJudgedRun(s selectedCase, e *evidence) {
	n := c.options.JudgeRun
	if n == 0 {
		return
	}
	all := e.trace.Runs
	e.trace.Runs = nil
	for i := range all {
		if all[i].Number == n {
			e.trace.Runs = all[i : i+1 : i+1]
		}
	}
	if len(e.trace.Runs) == 0 {
		e.short.Addf(s.CassettePos, "there is no run %d to judge alone: the case has %s", n, judge.CountOf(len(all), "run"))
	}
}

func (c *checker) readRuns(s selectedCase, files []string, keep trace.Keep, e *evidence) (*trace.Trace, source.Errors) {
	if s.Log != nil {
		return c.readLogs(s, files, keep, e)
	}
	reader := c.readers.Get().(*trace.Reader)
	defer c.readers.Put(reader)
	return reader.Read(c.fsys, files, keep)
}

// noteMistakes notes the mistakes in the cassettes: the first as the case's error, and all as mistakes in their files.
func (e *evidence) noteMistakes(errs source.Errors) {
	e.problems = problemsOf(errs)
	isNotWhole := func(err *source.Error) bool { return err.Msg == trace.NotWhole }
	if i := slices.IndexFunc(errs, isNotWhole); i >= 0 {
		e.kept = errs[i].Pos.File
	}
	message := errs[0].Msg
	if len(errs) > 1 {
		message += fmt.Sprintf(" (the first of %d mistakes)", len(errs))
	}
	e.refused.Addf(errs[0].Pos, "%s", message)
}

// cassettes returns the files of the case's paths and globs, sorted and without repeats.
func (c *checker) cassettes(s selectedCase) (files []string, errs source.Errors) {
	for _, pattern := range s.Cassettes {
		files = append(files, c.cassetteFiles(s, pattern, &errs)...)
	}
	slices.Sort(files)
	return slices.Compact(files), errs
}

// cassetteFiles returns the files of a path or a glob. A glob without files is a mistake.
func (c *checker) cassetteFiles(s selectedCase, pattern string, errs *source.Errors) []string {
	if !isGlob(pattern) {
		return []string{pattern}
	}
	if _, err := fs.Stat(c.fsys, pattern); err == nil {
		return []string{pattern} // a file name may contain brackets
	}
	files, _ := doublestar.Glob(c.fsys, pattern, doublestar.WithFilesOnly()) // the suite's reader has checked the glob
	files = slices.DeleteFunc(files, trace.IsPartial)
	if len(files) == 0 {
		errs.Addf(s.CassettePos, "no cassette matches %q; %s, %s", pattern, putThere, nameOne)
	}
	return files
}

func isGlob(pattern string) bool { return strings.ContainsAny(pattern, `*?[{\`) }

// missingCassettes returns a mistake for each path without a readable cassette. It is called only after reading failed, because a
// check can have ten thousand paths.
func (c *checker) missingCassettes(s selectedCase, e *evidence) (errs source.Errors) {
	advice := putThere
	if s.IsRecordable() {
		advice = makeOne
	}
	for _, path := range s.Cassettes {
		if isGlob(path) {
			continue
		}
		_, err := fs.Stat(c.fsys, path)
		if errors.Is(err, fs.ErrNotExist) {
			if part := path + trace.PartialSuffix; s.IsRecordable() && source.Stands(c.fsys, part) {
				e.kept = part
				errs.Addf(s.CassettePos, "no cassette at %q, only a part of it in %q; %s", path, part, makeRest)
				continue
			}
			errs.Addf(s.CassettePos, "no cassette at %q; %s, %s", path, advice, nameOne)
			continue
		}
		if err == nil {
			continue
		}
		if _, err := source.Open(c.fsys, path, source.MaxCassette); err != nil {
			errs.Addf(s.CassettePos, "cassette %q %s", path, problemsOf(err)[0].Message)
		}
	}
	return errs
}

// These are parts of the advice about a missing recording.
const (
	putThere = "put recorded runs there"
	makeRest = `"` + trace.ResumeCommand + `" makes the missing runs`
	makeOne  = `"mcp-gates run --record" makes one`
	nameOne  = `or name a recording under "cassette" (docs/cassettes.md says what one holds)`
)

func (c *checker) partsToKeep(s selectedCase) trace.Keep {
	if c.options.Timelines || c.options.Shown > 0 || c.options.AllCalls {
		return s.partsToJudge() | trace.KeepTimelines
	}
	return s.partsToJudge()
}

// partsToJudge returns the parts of the cassettes that gates and expectations read. If the base's case also judges, it includes the
// parts that the base's case reads.
func (s selectedCase) partsToJudge() trace.Keep {
	keep := s.Expect.Keep()
	if s.ErrorPattern != nil {
		keep |= trace.KeepResults
	}
	for _, check := range s.Checks {
		keep |= check.Gate.Keep
		if keeper, ok := check.Plan.Measurer.(judge.Keeper); ok {
			keep |= keeper.Keep()
		}
	}
	if s.byBoth {
		keep |= s.baseCase().partsToJudge()
	}
	if s.judgedAs != nil {
		keep |= s.judgedAs.partsToJudge()
	}
	return keep
}
