package check

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/check/basesuites"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/suite"
)

// BaseSuites holds the suites of a base commit and their cases. A change can weaken its suites in more ways than a list of
// settings can show, so [Run] also lets the base's suites judge the head's evidence.
type BaseSuites struct {
	checker *checker
	report  *report.Report
	cases   map[*report.Case]selectedCase

	once    sync.Once
	read    []*suite.Suite
	indexes sync.Map // maps *suite.Server to a func() catalog.Index with the server's tools
}

// RunBase does what [Run] does on the files of a base commit, and also returns the base's suites. The suites keep fsys, because a
// check of the head can read files of the base, such as recordings. Options.Digests must be set.
func RunBase(ctx context.Context, fsys fs.FS, o Options) (*report.Report, *BaseSuites) {
	c := newChecker(ctx, fsys, o)
	c.isBase = true
	r, selected := c.run()
	b := &BaseSuites{checker: c, report: r, cases: map[*report.Case]selectedCase{}}
	for i, one := range selected {
		b.cases[&r.Cases[i]] = one
	}
	return r, b
}

func (b *BaseSuites) wasOf(c *report.Case) *basesuites.Was {
	return &basesuites.Was{Entry: b.cases[c].Entry, Report: c}
}

// pair sets Was of each selected case to the same case of the base, which also judges the evidence if their suites differ. Under
// ByBase the base's suites give the verdicts, and pair also returns the cases that only the base has. If b is nil, it returns
// selected.
func (b *BaseSuites) pair(head *checker, selected []selectedCase, r *report.Report) []selectedCase {
	if b == nil {
		return selected
	}
	headCases := lists.Map(selected, selectedCase.emptyReport)
	addRecordings := func(i int) {
		headCases[i].Cassettes, _ = head.cassettes(selected[i])
		headCases[i].Recordings = head.recordings(headCases[i].Cassettes, nil)
	}
	partners, vanished := compare.Pairing(b.report.Cases, headCases, addRecordings)
	for i, was := range partners {
		if was != nil {
			one := &selected[i]
			one.Was = b.wasOf(was)
			one.byBoth = one.Was.IsJudged() && one.IsJudged() && one.Differs()
		}
	}
	if !head.options.ByBase {
		return selected
	}
	return b.takeOver(head, selected, vanished, r)
}

// takeOver lets the base's suites judge the selected cases that the base has and whose suites differ from the base's. It adds the
// vanished cases, which only the base has.
func (b *BaseSuites) takeOver(head *checker, selected []selectedCase, vanished []*report.Case, r *report.Report) []selectedCase {
	pairs := lists.Map(selected, func(s selectedCase) basesuites.Pair { return s.Pair })
	otherSuites := slices.Clone(b.report.Unread)
	for _, one := range vanished {
		otherSuites = append(otherSuites, one.Suite)
	}
	parallel := func(n int, do func(i int)) { parallel(n, head.options.Jobs, do) }
	judges := basesuites.Load(head.loader, b.checker.fsys, pairs, otherSuites, parallel)
	head.baseJudges = judges.Suites(b.suites(), head.suites)
	r.Problems = append(r.Problems, judges.Refuse(b.report.Unread, head.suites)...)
	for i := range selected {
		one := &selected[i]
		if one.Differs() {
			one.judgedAs = head.caseForVerdict(*one, judges.Instead(one.Pair))
		}
		isNew := one.Was == nil || one.Differs() && one.judgedAs == nil
		one.replays = isNew && head.options.OnlyBaseRuns
	}
	for _, was := range vanished {
		if slices.Contains(r.Unread, was.Suite) {
			continue // the head's suite was not read, so the case may still exist
		}
		if one := judges.Removed(was); one != nil {
			selected = append(selected, selectedCase{Pair: basesuites.Pair{Entry: *one, Was: b.wasOf(was)}, removed: true})
		}
	}
	lists.SortStable(selected, func(a, b *selectedCase) int { return cmp.Compare(a.Suite.File, b.Suite.File) })
	return selected
}

// caseForVerdict returns the case of the base that gives the verdict on a case of the head; nil if base is nil. If the base's
// recordings are gone, the returned case uses the head's recordings.
func (c *checker) caseForVerdict(s selectedCase, base *basesuites.Entry) *selectedCase {
	if base == nil {
		return nil
	}
	as := &selectedCase{Pair: basesuites.Pair{Entry: *base, Was: s.Was}, headCase: s.Case}
	if as.IsJudged() && as.Kind == suite.AgentTest && s.Kind == suite.AgentTest && !c.hasCassettes(*as) {
		as.Cassettes, as.Log, as.DefaultCassette = s.Cassettes, s.Log, s.DefaultCassette
	}
	return as
}

// suiteFiles returns the paths of the suites. Under ByBase, the arguments or the usual places may match only suites of the base,
// because these judge.
func (c *checker) suiteFiles() ([]string, error) {
	files, err := suite.Find(c.fsys, c.options.Suites)
	if err == nil || !c.options.ByBase || errors.Is(err, suite.ErrUnsearched) {
		return files, err
	}
	args := c.options.Suites
	if len(args) == 0 {
		args = []string{"."}
	}
	var problems []error
	for _, arg := range args {
		found, err := suite.Find(c.fsys, []string{arg})
		files = append(files, found...)
		if err == nil {
			continue
		}
		_, baseErr := suite.Find(c.options.BaseSuites.checker.fsys, []string{arg})
		if baseErr != nil { // the argument names no suite of the base either
			problems = append(problems, err)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), errors.Join(problems...)
}
