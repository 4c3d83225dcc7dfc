package check

import (
	"context"
	"io/fs"
	"sync"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/suite"
)

// BaseSuites holds the suites of a base commit and their cases. A change can soften its suites in more ways than a list of
// settings can hold, so that [Run] has the base's suites judge the head's evidence, too.
type BaseSuites struct {
	checker *checker
	report  *report.Report
	cases   map[*report.Case]selectedCase

	once    sync.Once
	read    []*suite.Suite
	indexes sync.Map // from *suite.Server to the func() catalog.Index that finds its tools
}

// RunBase is [Run] on the files of a base commit. It also returns the base's suites, which keep fsys: where a case has no snapshot,
// they read the base's recordings to learn which tools the case had. Options.Digests must be set.
func RunBase(ctx context.Context, fsys fs.FS, o Options) (*report.Report, *BaseSuites) {
	c := newChecker(ctx, fsys, o)
	c.ofBase = true
	r, selected := c.run()
	b := &BaseSuites{checker: c, report: r, cases: map[*report.Case]selectedCase{}}
	for i, one := range selected {
		b.cases[&r.Cases[i]] = one
	}
	return r, b
}

// baseCase is the base's case that a case of the head is compared with.
type baseCase struct {
	selectedCase
	checker *checker // of the base
	report  *report.Case
}

// pair gives each of the head's cases its case of the base, which judges where their suites differ. Under ByBase it also has the
// base's suites give the verdicts, and returns the cases that only the base has with the others. Where there are none, it does nothing.
func (b *BaseSuites) pair(head *checker, selected []selectedCase, r *report.Report) []selectedCase {
	if b == nil {
		return selected
	}
	named := make([]report.Case, len(selected))
	for i, one := range selected {
		named[i] = one.named()
	}
	evidence := func(i int) {
		named[i].Cassettes, _ = head.cassettes(selected[i])
		named[i].Recordings = head.recordings(named[i].Cassettes, nil)
	}
	paired := map[*report.Case]bool{}
	for i, was := range compare.Pairing(b.report.Cases, named, evidence) {
		if was == nil {
			continue
		}
		paired[was] = true
		one := &selected[i]
		one.was = &baseCase{b.cases[was], b.checker, was}
		if one.was.IsJudged() && one.IsJudged() && one.differs() {
			one.base = one.was
		}
	}
	if !head.options.ByBase {
		return selected
	}
	var vanished []*report.Case
	for i := range b.report.Cases {
		if was := &b.report.Cases[i]; !paired[was] {
			vanished = append(vanished, was)
		}
	}
	return b.takeOver(head, selected, vanished, r)
}
