// Package tell decides what is said of a report: the headline, what went wrong and what to do about it, which tools changed,
// which figures moved, which evidence is new. In comes a [report.Report], out goes a [Story]: items made of spans, in the order
// in which they are said. Each sentence is made here, once. A medium (terminal, Markdown, page, annotation, JUnit) writes spans
// and decides nothing but layout; how many entries it has room for is a number in the table [Room].
//
// Secrets are out of a report before it comes here, and texts are escaped only where they are written.
package tell

import (
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// Mark says how bad an item is, or the report as a whole.
type Mark int

// The marks, worst first.
const (
	Failed   Mark = iota // fails the job, or could not be judged
	Breaks               // breaks callers
	Critical             // a critical finding
	Warned               // is for a reviewer to decide
	Passed
)

// MarkOf returns the mark of a verdict.
func MarkOf(v judge.Verdict) Mark {
	switch v {
	case judge.Pass:
		return Passed
	case judge.Skipped:
		return Warned
	}
	return Failed
}

// Kind says what an item is about, in words that stand before it in a terminal and on a page.
type Kind string

// The kinds of items.
const (
	Refusal      Kind = "refused"
	Mistake      Kind = "mistake"
	Weakened     Kind = "weakened"
	BreakingTool Kind = "breaks callers"
	ChangedTool  Kind = "changed tool"
	OldSnapshot  Kind = "old snapshot"
	OfCase       Kind = "case"
	NewFinding   Kind = "new critical finding"
	Executed     Kind = "executable change"
	Remark       Kind = "remark"
)

// Item is one thing that is said.
type Item struct {
	Kind  Kind
	Mark  Mark
	Path  string // where it is; "" for nowhere
	Line  int    // in Path; 0 for the file as a whole
	Col   int
	Case  int  // index of the case that it is about, -1 for none
	Worse bool // it fails something, or is worse than in the base
	Text  Line
	Facts []Fact
	Aside Line // about chance

	// Do is what to do about it. Of neighbours with the same only the last has it, with how many it is for in Shared.
	Do     Line
	Shared int
}

// Fact is one thing about an item: a figure that does not hold, a missed class, a case that a change of a tool concerns.
type Fact struct {
	Path string // where it is, if that is not where the item is
	Line int
	Col  int
	Text Line
	Case int // index of the case that it is about where the item is about another thing, else -1

	// Found is what the first run has of which an expectation does not hold: a model's words, or an argument. It is not published.
	Found Line

	// Floor are the lines of a floor that does not hold, as terminals and logs have them in place of Text; see docs/results.md.
	Floor    []string
	MoreRuns int // behind the floor, which the report leaves out
}

// Options say what is known besides the report. The zero value knows nothing else.
type Options struct {
	Failed     bool   // the job fails, whatever the verdict of the cases is
	NoBaseline string // why there is nothing to compare with; "" leaves that out
}

// Story is what is said of a report.
type Story struct {
	Mark     Mark
	Headline Line
	Compared Line   // the base, and how much changed; none when nothing was compared
	Doubts   []Line // what could not be compared

	Wrong      []Item
	Executable []Item // what live runs execute now and did not in the base
	Tools      Tools
	Figures    []Moved
	Settings   []Item // changes of how a case is judged that are not counted as weakenings
	Cassettes  []Cassette
	ByAuthor   Line           // on whose word the changed recordings are evidence
	Stale      []Item         // recordings of tools that had changed before this change
	Cases      []int          // indexes of the cases, the most important first
	Important  int            // how many of Cases changed or do not pass
	Notes      []Line         // which figures are not those of a model, which tokens no provider counted, which calls no gate sees
	pairs      []report.Pair  // of each case
	report     *report.Report // what it is about
	compared   *report.Comparison
	options    Options
}

// Of returns what is said of a report.
func Of(r *report.Report, o Options) *Story {
	s := &Story{report: r, compared: r.Baseline, options: o, pairs: compare.Pairs(r)}
	s.order()
	s.Mark, s.Headline = s.mark(), s.headline()
	s.Compared, s.Doubts, s.Notes = s.base(), s.doubts(), s.notes()
	causes := s.causes()
	s.Wrong = s.wrongItems(causes)
	s.Executable, s.Tools, s.Figures = s.executable(), s.tools(), s.figures()
	s.Settings, s.Cassettes, s.Stale = s.settings(), s.cassettes(), s.stale(causes)
	s.ByAuthor = s.byAuthor()
	return s
}

// WrongTitle is the title of Wrong: nothing went wrong where no item fails the job.
func (s *Story) WrongTitle() string {
	if s.Mark == Failed || slices.ContainsFunc(s.Wrong, func(i Item) bool { return i.Mark == Failed }) {
		return "What went wrong"
	}
	return "What to look at before merging; nothing fails"
}

// Pair returns how a case compares with the base's.
func (s *Story) Pair(i int) *report.Pair { return &s.pairs[i] }

// Pairs returns how each case compares with the base's.
func (s *Story) Pairs() []report.Pair { return s.pairs }
