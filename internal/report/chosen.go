package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

// Chosen describes which cases a report covers, if it does not cover all.
type Chosen struct {
	Of int    `json:"of"` // number of cases in the suites that were checked
	By string `json:"by"` // the options that left cases out, such as --filter "weather"; "" if they left out none

	// Suites are the files, globs and folders that the user named, sorted; empty if they match exactly the suites of the usual places.
	Suites []string `json:"suites,omitempty"`

	Left []string `json:"-"` // the ids of the cases that were left out; empty in a saved report
}

// LeftCases returns a clause, to follow the report's name, on the options that left cases out. show writes an untrusted text.
func (c *Chosen) LeftCases(show func(string) string) string {
	return fmt.Sprintf("is not of all %s, because %s left some out", judge.CountOf(c.Of, "case"), show(c.By))
}

// LeftSuites returns a clause, to follow the report's name, on the arguments that may have left suites out. show writes an
// untrusted text.
func (c *Chosen) LeftSuites(show func(string) string) string {
	const shown = 5
	quoted := func(name string) string { return show(fmt.Sprintf("%q", name)) }
	list := lists.First(c.Suites, shown, quoted, fmt.Sprintf("%d more", len(c.Suites)-shown))
	if len(list) == 1 {
		return "is only of the suites that the argument " + list[0] + " names"
	}
	return "is only of the suites that the arguments " + lists.InSentence(list, "and") + " name"
}

// Again is the beginning of Chosen.By if only the cases of a list were run.
const Again = "the list of cases to run again"

// OnlyAffected is the beginning of Chosen.By if only the suites that the change touches were run.
const OnlyAffected = "--affected"

// Uncompared returns the options that left out cases that the change may touch; "" for none.
func (c *Chosen) Uncompared() string {
	return strings.TrimPrefix(strings.TrimPrefix(c.By, OnlyAffected), " with ")
}

// varies reports whether the same options can leave out other cases at another time.
func (c *Chosen) varies() bool {
	return strings.HasPrefix(c.By, Again) || strings.HasPrefix(c.By, OnlyAffected)
}

// isSame reports whether two reports left out the same cases and suites, as far as the reports show.
func (c *Chosen) isSame(other *Chosen) bool {
	return c != nil && other != nil && c.By == other.By && !c.varies() && slices.Equal(c.Suites, other.Suites)
}

// PartialOf returns which of two saved reports do not cover all cases; none if both left out the same cases.
func PartialOf(base, head *Report) (list []Partial) {
	if base.Chosen.isSame(head.Chosen) {
		return nil
	}
	if base.Chosen != nil {
		list = append(list, Partial{SideBase, *base.Chosen})
	}
	if head.Chosen != nil {
		list = append(list, Partial{SideHead, *head.Chosen})
	}
	return list
}

// lines returns a line on the options, and a line on the arguments, that left cases or suites out. show writes an untrusted text.
func (p Partial) lines(show func(string) string) (lines []string) {
	missing := "; a case that is listed as new may not be new"
	if p.Report == SideHead {
		missing = "; a case that is listed as removed may still be there"
	}
	if p.By != "" || len(p.Suites) == 0 {
		lines = append(lines, "the "+p.Report+" "+p.LeftCases(show)+missing)
	}
	if len(p.Suites) > 0 {
		lines = append(lines, "the "+p.Report+" "+p.LeftSuites(show)+missing)
	}
	return lines
}

// Names reports whether the report has exactly these arguments for suites, in any order.
func (c *Chosen) Names(suites []string) bool {
	sorted := slices.Compact(slices.Sorted(slices.Values(suites)))
	return slices.Equal(c.Suites, sorted)
}
