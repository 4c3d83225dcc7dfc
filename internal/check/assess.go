package check

import (
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/staleness"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// assessment is evidence with the differences that a comparison with the suite and today's tools found.
type assessment struct {
	evidence  // including the comparison's reasons to refuse the evidence
	freshness *report.Freshness
	warnings  []report.Problem
	shared    []sharedWarning // differences for which the case's policy only warns
}

// assess compares the evidence of a case with the suite and today's tools. It does not change the evidence.
func (c *checker) assess(s selectedCase, e evidence) assessment {
	a := assessment{evidence: e}
	refuse := func(errs source.Errors) { a.refused = slices.Concat(a.refused, errs) }
	if s.Kind != suite.AgentTest {
		refuse(c.outdatedCatalog(s))
		return a
	}
	if e.trace == nil {
		if !e.live {
			a.freshness = &report.Freshness{State: report.Unknown, Tools: []report.StaleTool{}}
		}
		return a
	}
	st := staleness.Of(c.stalenessInput(s, e))
	if !e.live {
		a.freshness = st.Freshness
	}
	if w := staleness.BrokenPromise(s.Suite, s.Case, &e.trace.Header); w != nil {
		a.warnings = append(a.warnings, problemAt(w))
	}
	refused, warned := st.Decide(c.stalePolicy(s))
	refuse(refused)
	for _, d := range warned {
		a.shared = append(a.shared, sharedWarning{d.Pos, d.Message, s.DisplayName()})
	}
	return a
}

// stalePolicy returns the case's stale_catalog, or FailOnStale if that is stricter.
func (c *checker) stalePolicy(s selectedCase) suite.StalePolicy {
	return s.StaleCatalog.AtLeast(c.options.FailOnStale)
}

func (c *checker) stalenessInput(s selectedCase, e evidence) staleness.Input {
	input := staleness.Input{
		Case: s.Case, Trace: e.trace, Live: e.live, Recordings: e.recordings, Outdated: c.outdated,
		Demanded: c.options.FailOnStale == suite.StaleFail, Argued: sync.OnceValue(c.argumentReader(s, e)), Cache: &c.compared,
	}
	if c.options.AgentVersion != nil && e.trace.AgentVersion != "" {
		input.AgentVersion, input.VersionErr = c.options.AgentVersion(c.ctx, s.Suite, s.Case)
	}
	if c.options.BaseSuites != nil {
		input.Base = &staleness.Base{}
	}
	if s.Was != nil {
		input.Base = &staleness.Base{Suite: s.Was.Suite, Recordings: s.Was.Report.Recordings}
	}
	return input
}

// argumentReader returns a function that returns the recorded runs with the arguments of their calls. If the runs were read without
// arguments, the function reads the recordings again.
func (c *checker) argumentReader(s selectedCase, e evidence) func() []trace.Run {
	runs, files := e.trace.Runs, e.cassettes
	if c.partsToKeep(s)&trace.KeepArgs != 0 {
		return func() []trace.Run { return runs }
	}
	return func() []trace.Run {
		var ignored evidence // the case already has the notes
		tr, errs := c.readRuns(s, files, trace.KeepArgs, &ignored)
		if len(errs) > 0 {
			return nil // the first reading already reported the mistakes
		}
		return tr.Runs
	}
}

// outdatedCatalog returns the reason to refuse a case whose snapshot is older than the code.
func (c *checker) outdatedCatalog(s selectedCase) (errs source.Errors) {
	if !staleness.RefusesOutdated(c.options.FailOnStale) || s.Case.Catalog == nil {
		return nil
	}
	for _, o := range c.outdated {
		if o.Path == s.Case.Catalog.File {
			errs.Addf(s.Pos, "%s", staleness.SaysOutdated(&o))
		}
	}
	return errs
}
