// Package trend is the verdicts and figures of a repository through its commits: what comes out of their evaluation, how figures moved,
// and the words and lines in which it is written. Renderings range over [History.Moved] and decide nothing but layout.
package trend

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// History is the states of the commits that change a file which is read, the oldest first.
type History struct {
	Repository string // name of it
	Points     []*Point
	IsCut      bool // the clone ends before the history does
	More       bool // there are older commits than those that were asked for
	Looked     int  // commits that were looked at

	Compared map[string]Comparison // of the commits with the biggest steps, by hash; for pages, nil otherwise

	oneTarget bool // all others were left out, and verdicts
}

// Comparison is what a check of a commit shows against its parent.
type Comparison struct {
	Report *report.Report // with its baseline; nil where there is none
	Why    string         // there is none
}

// Point is the state of one commit.
type Point struct {
	Commit
	Names    map[string]string // how files that were moved since were called in it: by that name, the one of today
	Gap      string            // why the commit could not be evaluated; "" where it was
	Problems []report.Problem  // in its files, whose suites or catalogs are missing
	Cases    []*Case           // sorted by id
	Catalogs []*Catalog        // sorted by path
}

// Commit is a commit, as it says itself: author and subject are anybody's.
type Commit struct {
	SHA, Author, Subject string
	Date                 string // when it was committed, in UTC: 2026-11-27T08:30:00Z
}

// Short is the beginning of the commit's hash, as people write it.
func (c *Commit) Short() string { return c.SHA[:min(len(c.SHA), 10)] }

// Day is the date of the commit.
func (c *Commit) Day() string { return c.Date[:min(len(c.Date), len("2026-11-27"))] }

// Headline says how many commits a history has, and of how many.
func (h *History) Headline() string {
	if len(h.Points) == 0 {
		return fmt.Sprintf("none of %s changes a file that is read%s", counted(h.Looked, "commit"), h.end())
	}
	return fmt.Sprintf("%s from %s to %s change what is read%s", counted(len(h.Points), "commit"), h.Points[0].Day(), h.Points[len(h.Points)-1].Day(), h.end())
}

// end says why the history ends where it does; "" where it began there.
func (h *History) end() string {
	switch {
	case h.More:
		return "; there are older ones"
	case h.IsCut:
		return "; the clone is shallow and ends there: `git fetch --unshallow` brings the rest"
	}
	return ""
}

// Gap is a commit that could not be evaluated, or a file of one.
type Gap struct {
	*Commit
	Reason string
}

// Gaps returns what could not be evaluated, the oldest first.
func (h *History) Gaps() (gaps []Gap) {
	for _, p := range h.Points {
		if p.Gap != "" {
			gaps = append(gaps, Gap{&p.Commit, p.Gap})
		}
		for i := range p.Problems {
			gaps = append(gaps, Gap{&p.Commit, Place(&p.Problems[i]) + p.Problems[i].Message})
		}
	}
	return gaps
}

func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return report.Thousands(int64(n)) + " " + noun
}

// Label names a figure without what it is of.
func (k *Key) Label() string {
	target := cmp.Or(k.Target, "verdict")
	if k.Gate != "" && !strings.HasPrefix(target, k.Gate+".") {
		target = k.Gate + " " + target
	}
	return target
}

// Of names what a figure is of: a case by its name and model, or a catalog by its path.
func (s *Series) Of() string {
	if s.Catalog != "" {
		return s.Catalog
	}
	return s.Name
}

// Text is the value as people read it: "pass", "80%", "22,885".
func (v *Value) Text() string {
	if v.State != "" {
		return string(v.State)
	}
	return report.Grouped(v.Figure.Format())
}

// Change says how a figure changed, in one line. Rates have their runs.
func Change(from, to *Value) string {
	line := from.Text() + " → " + to.Text()
	if to.Runs > 0 {
		line += " (" + counted(to.Runs, "run") + ")"
	}
	return line
}

// Titles and lines that every rendering has.
const (
	Title        = "History"
	NoneMoved    = "no figure moved"
	BiggestStep  = "biggest step"
	BiggestSteps = "biggest steps"
	NotEvaluated = "not evaluated"
)

// Columns are those of a table of the figures that moved.
var Columns = []string{"of", "figure", "first → last", "curve", BiggestStep}

// Bounds of what text and Markdown show.
const (
	MostMoves = 40
	MostTurns = 10
	MostSteps = 4 // of one commit
	MostGaps  = 5
	LineWidth = 24 // of a sparkline, in characters
)

// More says what is left out of a list of n of which the first most are shown; "" where nothing is.
func More(n, most int, noun string) string {
	if n <= most {
		return ""
	}
	return "and " + counted(n-most, "more "+noun)
}
