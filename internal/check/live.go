package check

import (
	"context"
	"errors"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// Live readies the cases of a suite to be run with its servers and a model. It reports what would keep them from running,
// and starts nothing.
type Live func(s *suite.Suite, cases []*suite.Case) (LiveSuite, source.Errors)

// LiveSuite is a suite whose cases are ready to be run. Its methods may be called by several goroutines at once.
type LiveSuite interface {
	// Run returns the evidence of all runs of a case. With an error it is what there is of it, or nil; a *source.Error
	// blames the user's files, any other error the world.
	Run(ctx context.Context, c *suite.Case) (*trace.Trace, error)

	// Tools returns what a server of the suite advertises, each tool under the server's name.
	Tools(ctx context.Context, server *suite.Server) (*catalog.Catalog, error)

	// Close ends what the runs share.
	Close() error
}

// prepareLive leaves out the suites whose selected cases cannot run, and notes why. Nothing has been started by then.
func (c *checker) prepareLive(selected []selectedCase, r *report.Report) []selectedCase {
	if c.options.Live == nil {
		return selected
	}
	bySuite := map[*suite.Suite][]*suite.Case{}
	var suites []*suite.Suite
	for _, one := range selected {
		if bySuite[one.suite] == nil {
			suites = append(suites, one.suite)
		}
		bySuite[one.suite] = append(bySuite[one.suite], one.Case)
	}
	c.live = map[*suite.Suite]LiveSuite{}
	for _, s := range suites {
		ready, errs := c.options.Live(s, bySuite[s])
		if len(errs) > 0 {
			r.Problems = append(r.Problems, problemsOf(errs.Sorted().Err())...)
			continue
		}
		c.live[s] = ready
	}
	return slices.DeleteFunc(selected, func(one selectedCase) bool { return c.live[one.suite] == nil })
}

// closeLive ends what live runs share.
func (c *checker) closeLive() {
	for _, one := range c.live {
		_ = one.Close()
	}
}

// runLive runs the case; nil when there is no evidence of it, which it then notes.
func (k *caseCheck) runLive() *trace.Trace {
	tr, err := k.live[k.suite].Run(k.ctx, k.Case)
	if err != nil {
		k.noteLive(err)
	}
	if tr != nil && len(tr.Sources) > 0 {
		for _, from := range tr.Sources {
			k.out.Cassettes = append(k.out.Cassettes, from.File)
		}
		k.out.Recordings = k.recordings(k.out.Cassettes, tr)
	}
	return tr
}

// noteLive makes what went wrong around the runs the case's error.
func (k *caseCheck) noteLive(err error) {
	var mistake *source.Error
	if errors.As(err, &mistake) {
		k.short = append(k.short, mistake)
		return
	}
	k.broken.Addf(k.Pos, "%s", err)
}

// startable reports whether a live run can reach the server.
func startable(s *suite.Server) bool { return len(s.Start.Command) > 0 || s.Start.URL != "" }
