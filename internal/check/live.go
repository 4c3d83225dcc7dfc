package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// Live prepares the cases of a suite to run with its servers and a model. It returns the mistakes that prevent them from
// running, and starts nothing.
type Live func(s *suite.Suite, cases []*suite.Case) (LiveSuite, source.Errors)

// LiveSuite is a suite whose cases are ready to be run. Its methods may be called by several goroutines at once.
type LiveSuite interface {
	// Run returns the evidence of all runs of a case. With an error it returns the evidence so far, or nil. A *source.Error is
	// a mistake in the user's files, and any other error has another cause.
	Run(ctx context.Context, c *suite.Case) (*trace.Trace, error)

	// Tools returns the tools that a server of the suite advertises, each under the server's name.
	Tools(ctx context.Context, server *suite.Server) (*catalog.Catalog, error)

	// Kept returns the path of the case's partial recording, which has the runs that ended so far; "" if there is none. It also
	// returns how many of these runs broke, and how many runs are missing.
	Kept(c *suite.Case) (path string, broken, missing int)

	// Close stops the servers and pools that the runs share.
	Close() error
}

// prepareLive prepares the suites of the selected cases for a live check. It returns the cases without those that cannot run, and
// notes the reasons. It starts nothing.
func (c *checker) prepareLive(selected []selectedCase, r *report.Report) []selectedCase {
	if c.options.Live == nil {
		return selected
	}
	bySuite := map[*suite.Suite][]*suite.Case{}
	var suites []*suite.Suite
	for _, one := range selected {
		by := one.verdictBy()
		if !by.IsJudged() || by.replays {
			continue
		}
		if bySuite[by.Suite] == nil {
			suites = append(suites, by.Suite)
		}
		bySuite[by.Suite] = append(bySuite[by.Suite], by.Case)
	}
	c.live = map[*suite.Suite]LiveSuite{}
	for _, s := range suites {
		ready, errs := c.options.Live(s, bySuite[s])
		if len(errs) > 0 {
			c.noteUnready(s, problemsOf(errs.Sorted().Err()), r)
			continue
		}
		c.live[s] = ready
	}
	return slices.DeleteFunc(selected, func(one selectedCase) bool {
		by := one.verdictBy()
		needsLive := by.IsJudged() && !by.replays
		return needsLive && c.live[by.Suite] == nil
	})
}

// noteUnready notes why the cases of a suite cannot be run. The report of a shard keeps the reasons for the merge.
func (c *checker) noteUnready(s *suite.Suite, why []report.Problem, r *report.Report) {
	r.Problems = append(r.Problems, why...)
	if r.Shard != nil {
		r.Shard.Kept.Unready = append(r.Shard.Kept.Unready, s.File)
		r.Shard.Kept.Problems = append(r.Shard.Kept.Problems, why...)
	}
}

func (c *checker) closeLive() {
	for _, one := range c.live {
		_ = one.Close()
	}
}

func (c *checker) runLive(s selectedCase, e *evidence) {
	tr, err := c.live[s.Suite].Run(c.ctx, s.Case)
	e.kept, e.broke, e.missing = c.live[s.Suite].Kept(s.Case)
	if err != nil {
		e.noteFailure(s, err)
	}
	e.trace = tr
	if tr != nil && len(tr.Sources) > 0 {
		e.cassettes = lists.Map(tr.Sources, func(from trace.Source) string { return from.File })
		e.recordings = c.recordings(e.cassettes, tr)
	}
}

// noteFailure notes why there are fewer runs than the case asks for. A mistake in the user's files counts as too little
// evidence.
func (e *evidence) noteFailure(s selectedCase, err error) {
	var mistake *source.Error
	if errors.As(err, &mistake) {
		e.short.Addf(mistake.Pos, "%s%s", mistake.Msg, e.resumeAdvice())
		return
	}
	e.broken.Addf(s.Pos, "%s%s", err, e.resumeAdvice())
}

// resumeAdvice returns advice for making the missing runs; "" if no runs are kept.
func (e *evidence) resumeAdvice() string {
	switch {
	case e.kept == "":
		return ""
	case e.missing == 0:
		return fmt.Sprintf(`; all runs are kept in %q, and %q writes the recording`, e.kept, trace.ResumeCommand)
	}
	return fmt.Sprintf(`; the runs that ended are kept in %q, and %q makes the missing ones`, e.kept, trace.ResumeCommand)
}

// toleranceAdvice returns advice for runs that broke; "" if no runs are kept.
func (e *evidence) toleranceAdvice() string {
	switch {
	case e.kept == "" || e.broke == 0:
		return e.resumeAdvice()
	case e.missing > 0:
		return fmt.Sprintf(`; the runs that ended are kept in %q, and %q makes %d more; those that broke stay counted, and "allow_run_errors: %d" tolerates them`,
			e.kept, trace.ResumeCommand, e.missing, e.broke)
	}
	return fmt.Sprintf(`; all are kept in %q: with "allow_run_errors: %d" in the suite %q records them`, e.kept, e.broke, trace.ResumeCommand)
}
