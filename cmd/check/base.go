package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/report"
)

// basis is what a check is compared with.
type basis struct {
	report *report.Report // nil when there is nothing to compare with
	about  report.Base
	none   string // why there is nothing, to follow "no baseline: "
	broken error  // why what there is could not be read

	files fs.FS        // of the base commit, even when it has no suite; nil for a saved report
	judge *check.Judge // of the base commit's suites; nil for a saved report, which has figures and no gates
	close func() error // gives files back; nil when there is nothing to give back
}

// compare puts the comparison with the base into the report of the head.
func (b *basis) compare(head *report.Report) {
	if b.report == nil {
		return
	}
	c := report.Compare(b.report, head)
	c.Base.Ref, c.Base.SHA, c.Base.File = b.about.Ref, b.about.SHA, b.about.File
	head.Baseline = c
}

// why says why there is nothing to compare with; "" when there is something.
func (b *basis) why() string {
	switch {
	case b.report != nil:
		return ""
	case b.broken != nil:
		return "the base could not be read: " + b.broken.Error()
	}
	return b.none
}

// settle sorts the outcome of an evaluation into what it means.
func (b *basis) settle(r *report.Report, judge *check.Judge, err error) {
	var nothing *baseline.NoBaseline
	switch {
	case err == nil:
		b.report, b.judge = r, judge
	case errors.As(err, &nothing):
		b.none = nothing.Reason
	default:
		b.broken = err
	}
}

// savedReport loads a baseline that is a file; ok is false when there is no such file.
func savedReport(name string) (b basis, ok bool) {
	if info, err := os.Stat(name); err != nil || info.IsDir() {
		return b, false
	}
	r, err := baseline.Load(name)
	b.settle(r, nil, err)
	b.about.File = report.Optional(name)
	return b, true
}

// localBase evaluates the baseline that the user names: a saved report, or a revision of the workspace's repository.
func (p *program) localBase(ctx context.Context, workspace, named string, o check.Options) (basis, error) {
	if b, ok := savedReport(named); ok {
		return b, b.broken
	}
	repository, err := baseline.Open(ctx, baseline.Place{Dir: workspace, Getenv: p.getenv})
	if err != nil {
		return basis{}, fmt.Errorf("--baseline %q: no such file, and %w", named, err)
	}
	commit, err := repository.Resolve(ctx, named)
	if err != nil {
		return basis{}, fmt.Errorf("--baseline %q: %w", named, err)
	}
	files, err := repository.Files(ctx, commit.SHA)
	if err != nil {
		return basis{}, fmt.Errorf("--baseline %q: %w", named, err)
	}
	b := basis{files: files, close: files.Close}
	b.about.Ref, b.about.SHA = report.Optional(commit.Ref), report.Optional(commit.SHA)
	b.settle(baseline.Evaluate(ctx, files, o))
	return b, b.broken
}
