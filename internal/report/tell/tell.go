// Package tell decides what renderings say about a report: the headline, what went wrong and what to do about it, which tools
// changed, which figures moved, which evidence is new. It takes a [report.Report] and returns a [Story]: ordered items made of
// spans. Each sentence is made here, once. A medium (terminal, Markdown, page, annotation, JUnit) writes spans and decides only the
// layout. The table [Room] bounds the entries of each medium.
//
// The report contains no secrets any more. Texts are escaped only where they are written.
package tell

import (
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// Mark is the severity of an item, or of the report as a whole.
type Mark int

// The marks, worst first.
const (
	Failed   Mark = iota // the item fails the job, or could not be judged
	Breaks               // the item breaks callers
	Critical             // a critical finding
	Warned               // a reviewer must decide
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

// Kind is the subject of an item, in words that precede it in a terminal and on a page.
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

// Item is an entry of a story.
type Item struct {
	Kind  Kind
	Mark  Mark
	Path  string // place of the item; "" for none
	Line  int    // line in Path; 0 means the whole file
	Col   int
	Case  int  // index of its case, -1 for none
	Worse bool // the item fails something, or is worse than in the base
	Text  Line
	Facts []Fact
	Aside Line // sentence about chance

	// Do is the advice. If neighbouring items share advice, only the last item has it, and Shared is the number of these items.
	Do     Line
	Shared int
}

// Fact is a detail of an item: a figure that does not hold, a missed class, a case that a change of a tool concerns.
type Fact struct {
	Path string // place of the fact, if it differs from the item's
	Line int
	Col  int
	Text Line
	Case int // index of its case if the item has another subject, else -1

	// Found is the actual value in the first run that fails an expectation: a model's words, or an argument. It is not published.
	Found Line

	// Floor has the lines of a broken floor. Terminals and logs show them instead of Text; see docs/results.md.
	Floor    []string
	MoreRuns int // number of further runs that break the floor and are not in the report
}

// Options add facts that the report lacks. The zero value adds nothing.
type Options struct {
	Failed     bool   // the job fails, whatever the verdict of the cases is
	NoBaseline string // reason why there is no base to compare with; "" leaves it out
}

// Story holds everything that renderings show of a report.
type Story struct {
	Mark     Mark
	Headline Line
	Compared Line   // the base, and the number of changes; nil if nothing was compared
	Doubts   []Line // what could not be compared

	Wrong      []Item
	Executable []Item // what live runs execute now and did not execute in the base
	Tools      Tools
	Figures    []Moved
	Settings   []Item // changes of how a case is judged that are not counted as weakenings
	Cassettes  []Cassette
	ByAuthor   Line           // sentence on who vouches for the changed recordings
	Stale      []Item         // recordings of tools that changed before this change
	Cases      []int          // indexes of the cases, the most important first
	Important  int            // number of Cases that changed or do not pass
	Notes      []Line         // figures that are not a model's, tokens that no provider counted, calls that no gate sees
	pairs      []report.Pair  // the pair of each case
	report     *report.Report // the subject of the story
	compared   *report.Comparison
	options    Options
}

// Of returns the story of a report.
func Of(r *report.Report, o Options) *Story {
	s := &Story{report: r, compared: r.Baseline, options: o, pairs: compare.Pairs(r)}
	s.sortCases()
	s.Mark, s.Headline = s.markOfReport(), s.headline()
	s.Compared, s.Doubts, s.Notes = s.comparedLine(), s.doubtLines(), s.noteLines()
	causes := s.causes()
	s.Wrong = s.wrongItems(causes)
	s.Executable, s.Tools, s.Figures = s.executableItems(), s.changedTools(), s.movedFigureList()
	s.Settings, s.Cassettes, s.Stale = s.otherSettings(), s.changedCassettes(), s.staleItems(causes)
	s.ByAuthor = s.byAuthor()
	return s
}

// WrongTitle returns the title of Wrong, which depends on whether an item fails the job.
func (s *Story) WrongTitle() string {
	if s.Mark == Failed || slices.ContainsFunc(s.Wrong, func(i Item) bool { return i.Mark == Failed }) {
		return "What went wrong"
	}
	return "What to look at before merging; nothing fails"
}

// Pair returns the comparison of a case with the base's case.
func (s *Story) Pair(i int) *report.Pair { return &s.pairs[i] }

// Pairs returns the comparison of each case with the base's case.
func (s *Story) Pairs() []report.Pair { return s.pairs }
