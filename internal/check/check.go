// Package check evaluates suites: it finds and loads them, gathers the evidence of each case, compares it with today's
// snapshots, lets the gates judge it, and assembles the report.
//
// Everything is read through an fs.FS, so that the same call checks a folder, a commit or a test's map of files. The report
// depends only on the files, not on the number of cases that are evaluated at once or on their order.
package check

import (
	"context"
	"io/fs"
	"regexp"
	"runtime"
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/shard"
	"github.com/org/mcp-gates/internal/staleness"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// Options select what is checked. The zero value checks every case of the suites in the workspace.
type Options struct {
	Suites         []string        // files, globs and folders of suites, relative to the workspace; none means the usual places
	Filter         *regexp.Regexp  // selects the cases whose id has a match; nil selects all
	Tags, SkipTags []string        // select cases that have a tag of Tags and none of SkipTags; empty Tags select all
	Only           map[string]bool // selects cases by id; unknown ids are a problem, except on a base; nil selects all
	Jobs           int             // number of cases to evaluate at once; below 1 means one for each processor
	Version        string          // version of the program, for the report
	Build          string          // build of the program, in the form of [report.Tool]
	SkipForeign    bool            // leave out keys that only other programs' suites have, see [suite.Loader]
	Settings       bool            // report how each case is judged
	JudgeRun       int             // the only run of each case that is judged; 0 for all. It excludes a base, a shard and live runs
	Shown          int             // a run of each case that the report always includes; 0 for none
	Timelines      bool            // report the calls of each run, for cases that do not pass
	FewTimelines   bool            // set Timelines if at most a thousand cases are selected: text output shows only the first few
	AllCalls       bool            // report the calls of each run, for passing cases, too
	Digests        bool            // hash cassettes and report Settings, so that the report can be compared with another

	share share // the amount of data that each case keeps; zero is an equal share of the bounds, and only tests use another value

	// FailOnStale is a floor for stale_catalog that no suite can lower: StaleAffected, StaleFail, or StaleDefault for no floor.
	FailOnStale suite.StalePolicy

	// ByWords fills Report.Words.
	ByWords bool

	// BaseSuites are the suites of the base, which judge in addition to the head's; nil for none. See [RunBase].
	BaseSuites *BaseSuites

	// NoBase is the reason why BaseSuites is nil; "" if no base was requested. Gates report it if they need figures of the base.
	NoBase string

	// ByBase lets BaseSuites, which must not be nil, give the verdicts on the cases that they have, including cases that the
	// head removed. The evidence still comes from the files of Run. The head's own suites judge the other cases, and are still
	// compared with the base's.
	ByBase bool

	// OnlyBaseRuns means that under ByBase nothing is started for cases that only the head has: their recordings are judged.
	OnlyBaseRuns bool

	// OnlyAffected means that only the affected suites were requested. If the base cannot be read, it is unknown which suites
	// are affected, and Affected is nil.
	OnlyAffected bool
	Affected     *Affected // leaves out all other suites; nil leaves out none

	Shard *shard.Division // selects the cases of this shard; nil selects all
	Merge *shard.Set      // provides the results of shards, so that no case is evaluated; nil evaluates the cases
	Base  string          // name of the base that shards are compared with, such as a commit; "" for none

	// Live prepares suites to run; nil replays their recordings.
	Live   Live
	Getenv func(name string) string // the environment that live runs read variables from; nil means empty

	// AgentVersion returns the current version of a case's program; "" if it has none. Recordings of another version are refused.
	// If AgentVersion is nil, versions are not compared and nothing is started.
	AgentVersion func(ctx context.Context, s *suite.Suite, c *suite.Case) (string, error)

	// Recall returns results of earlier checks; nil evaluates everything. It requires a replay that has neither a base nor a
	// shard.
	Recall Recall

	// Progress is called with the number of finished cases among the selected ones, one call at a time, first with 0. It may be
	// nil.
	Progress func(done, total int)
}

// Run checks the suites in the workspace fsys. The report, which is never nil, lists the mistakes in the input. When ctx ends,
// cases that have not started are errors.
func Run(ctx context.Context, fsys fs.FS, o Options) *report.Report {
	r, _ := newChecker(ctx, fsys, o).run()
	return r
}

func newChecker(ctx context.Context, fsys fs.FS, o Options) *checker {
	if o.Jobs < 1 {
		o.Jobs = runtime.NumCPU()
	}
	c := &checker{ctx: ctx, fsys: fsys, options: o, counts: &Counts{}}
	if o.Recall != nil {
		c.counts, c.options.Jobs = o.Recall.Counts(), 1
	}
	c.readers.New = func() any { return new(trace.Reader) }
	return c
}

// run checks the cases. It returns the report, and the cases in the order in which the report lists them.
func (c *checker) run() (*report.Report, []selectedCase) {
	r := &report.Report{
		Version: report.Version,
		Tool:    report.Tool{Name: "mcp-gates", Version: c.options.Version, Build: c.options.Build},
		Mode:    report.Replay,
	}
	if c.isLive() {
		r.Mode = report.Live
	}
	all := c.load(r)
	c.reportSharedCassettes(all, r)
	c.unaffected = slices.DeleteFunc(slices.Clone(all), c.options.Affected.has)
	suites := slices.DeleteFunc(all, func(s *suite.Suite) bool { return !c.options.Affected.has(s) })
	r.Affected, r.JudgedRun = c.options.Affected.report(), c.options.JudgeRun
	c.suites = suites
	r.Servers = declaredServers(suites)
	if c.options.Settings || c.options.Digests {
		r.Executables, r.SuiteSettings = executables(suites), suiteSettings(suites)
	}
	defer c.closeLive()
	selected := c.selectCases(suites, r)
	selected = c.options.BaseSuites.pair(c, selected, r)
	c.selectForVague(selected) // before the cases are divided, so that each shard is judged in the same way
	const few = 1000
	c.options.Timelines = c.options.Timelines || c.options.FewTimelines && len(selected) <= few
	c.share = shareOf(len(selected)) // before the cases are divided, so that each shard cuts in the same way
	if c.options.share != (share{}) {
		c.share = c.options.share
	}
	selected = c.prepareLive(c.divideCases(selected, suites, r), r)
	catalogs := namedCatalogs(suites, c.baseJudges)
	c.findOutdated(selected, r)
	c.evaluate(selected, catalogs, r)
	if c.options.Recall == nil { // a recall needs only verdicts and figures
		c.byWords(selected, r)
	}
	if len(r.Cases) == 0 && len(r.Problems) == 0 && !r.MayBeEmpty() {
		r.Problems = append(r.Problems, report.Problem{Message: "no suite has a case, so nothing was checked"})
	}
	r.Conclude()
	return r, selected
}

type checker struct {
	ctx     context.Context
	fsys    fs.FS
	options Options
	loader  *suite.Loader
	counts  *Counts
	readers sync.Pool // of *trace.Reader
	isBase  bool      // the files are those of a base, which may lack a case that is requested by its id

	mayLackSuites bool // the arguments may leave out suites

	suites     []*suite.Suite // all suites that were read
	unaffected []*suite.Suite // suites that were read but are left out
	baseJudges []*suite.Suite // suites of the base that give verdicts

	admission admission
	seen      firstSeen
	share     share // the amount of data that each case keeps

	live map[*suite.Suite]LiveSuite // prepared suites; nil in a replay

	merged []shard.Outcome // outcomes of the selected cases; nil without a merge

	outdated []report.OutdatedTool // tools whose snapshots are older than the code

	compared staleness.Cache
	recorded sync.Map // maps *suite.Server to a func() *catalog.Catalog that finds the server's tools in recordings
}

// load finds the suites, reads them in parallel, and notes their mistakes. It leaves out a suite with a mistake outside of its
// tests.
func (c *checker) load(r *report.Report) []*suite.Suite {
	files, err := c.suiteFiles()
	r.Problems = append(r.Problems, problemsOf(err)...)
	c.mayLackSuites = c.mayLackOthers(files)
	c.loader = c.newLoader()
	loaded := make([]*suite.Suite, len(files))
	problems := make([][]report.Problem, len(files))
	parallel(len(files), c.options.Jobs, func(i int) {
		s, errs := c.recallSuite(files[i])
		loaded[i], problems[i] = s, problemsOf(errs.Err())
	})
	r.Problems = append(r.Problems, slices.Concat(problems...)...)
	for i, file := range files {
		if loaded[i] == nil {
			r.Unread = append(r.Unread, file)
		}
	}
	loaded = slices.DeleteFunc(loaded, func(s *suite.Suite) bool { return s == nil })
	for _, s := range loaded {
		if !c.options.Affected.has(s) {
			continue
		}
		r.Warnings = append(r.Warnings, problemsOf(s.Warnings.Err())...)
		if len(s.Cases) == 0 {
			r.Warnings = append(r.Warnings, report.Problem{Path: s.File, Line: 1, Col: 1, Message: "has no case, so nothing in it is judged"})
		}
	}
	return loaded
}

func (c *checker) newLoader() *suite.Loader {
	loader := suite.NewLoader(c.fsys)
	loader.Version = c.options.Version
	loader.Settings, loader.SkipForeign = c.options.Settings || c.options.Digests, c.options.SkipForeign
	if c.isLive() {
		loader.Getenv = c.options.Getenv
	}
	loader.Had = c.hadTool
	return loader
}

func executables(suites []*suite.Suite) (list []report.Executable) {
	for _, s := range suites {
		for _, e := range s.Executables() {
			list = append(list, report.Executable{Suite: s.File, Key: e.Key, Of: e.Of, Words: e.Words, File: e.File, Line: e.Line})
		}
	}
	return list
}

func declaredServers(suites []*suite.Suite) (list []report.DeclaredServer) {
	for _, s := range suites {
		for _, server := range s.Servers {
			one := report.DeclaredServer{Name: server.Name, Path: server.Pos.File, Line: server.Pos.Line}
			if server.Snapshot != nil {
				one.Catalog = server.Snapshot.File
			}
			list = append(list, one)
		}
	}
	return list
}

// evaluate evaluates the cases and catalogs at the same time, and adds the results to the report in their order.
func (c *checker) evaluate(selected []selectedCase, catalogs []*namedCatalog, r *report.Report) {
	outcomes := make([]outcome, len(selected))
	r.Catalogs = make([]report.Catalog, len(catalogs))
	done := progressCounter(len(selected), c.options.Progress)
	parallel(len(selected)+len(catalogs), c.options.Jobs, func(i int) {
		if at := i - len(selected); at >= 0 {
			r.Catalogs[at] = c.recallCatalog(catalogs[at])
			return
		}
		if c.merged != nil {
			outcomes[i] = restoreOutcome(selected[i], c.merged[i])
		} else {
			leave := c.admission.enter(c.recordedBytes(selected[i]))
			outcomes[i] = c.outcomeOf(selected[i])
			leave()
			c.dropSeen(outcomes, i)
		}
		done()
	})
	r.Cases = slices.Grow(r.Cases, len(outcomes))
	for i := range outcomes {
		out := &outcomes[i]
		r.Cases = append(r.Cases, out.Case)
		r.Problems = append(r.Problems, out.problems...)
		r.Warnings = append(r.Warnings, out.warnings...)
	}
	r.Warnings = append(r.Warnings, sharedWarnings(outcomes)...)
	r.Warnings = append(r.Warnings, vagueWarnings(selected, outcomes)...)
	c.addSeen(outcomes, r)
	c.keepForMerge(outcomes, r)
}
