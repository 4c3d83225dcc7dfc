package cli

import (
	"context"
	"errors"

	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/history"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/trend"
)

// Bounds on the history that a comment shows.
const (
	maxDrawn    = 50     // commits that change a file of the suites
	maxSearched = 5_000  // commits that are searched for them
	maxWork     = 10_000 // evaluations of cases and catalogs
)

// addSparklines adds a small chart to each figure whose history is known. It changes no verdict. If the history cannot be read, the
// report gets a warning with the reason.
func (a *action) addSparklines(ctx context.Context, r *report.Report) {
	if !a.inputs.History || r.Shard != nil {
		return
	}
	h, err := a.readHistory(ctx)
	switch {
	case err != nil:
		r.Warn("no history is drawn: " + err.Error())
		return
	case h.Unreadable != "":
		r.Warn("the history is drawn from the first commit on that can be read: " + h.Unreadable)
	case h.IsCut && !h.More:
		r.Warn("the history is drawn from the end of the shallow clone on; `fetch-depth: 0` on actions/checkout brings all of it along")
	}
	r.Sparklines = report.Sparklines{}
	for _, s := range h.Series() {
		if len(s.Steps()) > 0 {
			r.Sparklines[report.SparklineKey{Of: s.Case + s.Catalog, Target: s.Target}] = s.Sparkline(trend.LineWidth)
		}
	}
}

// readHistory evaluates the commit that is checked out and the last commits before it.
func (a *action) readHistory(ctx context.Context) (*trend.History, error) {
	if a.event.Privileged() {
		return nil, errors.New("the change is not checked out")
	}
	repository, err := a.repository()
	if err != nil {
		return nil, err
	}
	head, err := repository.Head(ctx)
	if err != nil {
		return nil, err
	}
	objects, err := repository.History(ctx)
	if err != nil {
		return nil, err
	}
	defer objects.Close()
	o := &a.pipeline.options
	return history.Read(ctx, objects, history.Options{
		Head: head.SHA, Last: maxDrawn, MaxLooked: maxSearched, MaxWork: maxWork, Suites: true, Jobs: 1, // always the same work
		Check: check.Options{Suites: o.Suites, Filter: o.Filter, Tags: o.Tags, Version: o.Version, Build: o.Build, SkipForeign: o.SkipForeign},
	})
}
