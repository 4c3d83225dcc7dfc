// Package trend describes the verdicts and figures of a repository through its commits: the results of evaluating them, how
// figures moved, and the words and lines in which this is written. Renderings range over [History.Moved] and decide only the
// layout.
package trend

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// History has the states of the commits that changed a file which the evaluation reads, the oldest first.
type History struct {
	Repository string // name of the repository
	Points     []*Point
	IsCut      bool   // the clone is shallow and ends before the history does
	Unreadable string // why the commit before the oldest one cannot be read; "" if it can be read, or is not needed
	More       bool   // there are older commits than were asked for
	Looked     int    // number of commits that were examined

	Compared map[string]Comparison // comparisons of the commits with the biggest steps, by hash; only for pages, nil otherwise

	oneTarget bool // see [History.Only]: all figures of other targets, and verdicts, were removed
}

// Comparison compares a commit with its parent, as a check of the commit does.
type Comparison struct {
	Report *report.Report // has the parent as baseline; nil if there is no report
	Why    string         // why there is no report; "" if there is one
}

// Point is the state of one commit.
type Point struct {
	Commit
	Names    map[string]string // paths in this commit of files that were moved later, by their current path
	Gap      string            // why the commit could not be evaluated; "" if it could
	Problems []report.Problem  // mistakes in the commit's files, whose suites and catalogs are missing here
	IsBase   bool              // the commit is here only to compare later commits with it
	Cases    []*Case           // sorted by id
	Catalogs []*Catalog        // sorted by path
}

// Commit describes a commit. Its author and its subject are untrusted text.
type Commit struct {
	SHA, Author, Subject string
	Date                 string // time of the commit in UTC: 2026-11-27T08:30:00Z
}

// Short returns the first 10 digits of the hash.
func (c *Commit) Short() string { return c.SHA[:min(len(c.SHA), 10)] }

// Day returns the day of the commit, such as 2026-11-27.
func (c *Commit) Day() string { return c.Date[:min(len(c.Date), len("2026-11-27"))] }

// Headline returns a line with the numbers of commits in the history and of examined commits.
func (h *History) Headline() string {
	points, looked := h.Points, h.Looked
	if len(points) > 0 && points[0].IsBase {
		points, looked = points[1:], looked-1
	}
	switch {
	case len(points) == 0 && looked == 1:
		return "the only commit changes no file that is read" + h.end()
	case len(points) == 0:
		return fmt.Sprintf("none of %s changes a file that is read%s", counted(looked, "commit"), h.end())
	case len(points) == 1:
		return fmt.Sprintf("1 commit (%s) changes what is read%s", points[0].Day(), h.end())
	}
	return fmt.Sprintf("%s from %s to %s change what is read%s", counted(len(points), "commit"), points[0].Day(), points[len(points)-1].Day(), h.end())
}

// end returns the reason why the history begins with its oldest commit; "" if the repository began there.
func (h *History) end() string {
	switch {
	case h.Unreadable != "":
		return "; the commits before cannot be read: " + h.Unreadable
	case h.More:
		return "; there are older ones"
	case h.IsCut:
		return "; the clone is shallow and ends there: `git fetch --unshallow` brings the rest"
	}
	return ""
}

// Gap is a commit, or a file of a commit, that could not be evaluated.
type Gap struct {
	*Commit
	Reason string
}

// Gaps returns the gaps of the history, the oldest first.
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

// Label returns the name of a figure without the name of its case or catalog.
func (k *Key) Label() string {
	target := cmp.Or(k.Target, "verdict")
	if k.Gate != "" && !strings.HasPrefix(target, k.Gate+".") {
		target = k.Gate + " " + target
	}
	return target
}

// Of returns the name and model of the figure's case, or the path of its catalog.
func (s *Series) Of() string {
	if s.Catalog != "" {
		return s.Catalog
	}
	return s.Name
}

// Text returns the value in the form for readers: "pass", "80%", "22,885".
func (v *Value) Text() string {
	if v.State != "" {
		return string(v.State)
	}
	return report.Grouped(v.Figure.Format())
}

// Change returns one line on how a figure changed. A rate has its number of runs.
func Change(from, to *Value) string {
	line := from.Text() + " → " + to.Text()
	if to.Runs > 0 {
		line += " (" + counted(to.Runs, "run") + ")"
	}
	return line
}

// All renderings use these titles and lines.
const (
	Title        = "History"
	NoneMoved    = "no figure moved"
	BiggestStep  = "biggest step"
	BiggestSteps = "biggest steps"
	NotEvaluated = "not evaluated"
)

// Columns are the columns of a table of the figures that moved.
var Columns = []string{"of", "figure", "first → last", "curve", BiggestStep}

// These constants bound what the text and Markdown formats show.
const (
	MostMoves = 40
	MostTurns = 10
	MostSteps = 4 // steps of one commit
	MostGaps  = 5
	LineWidth = 24 // width of a sparkline, in characters
)

// More returns a text on how many of n entries a list with the bound most leaves out; "" if none.
func More(n, most int, noun string) string {
	if n <= most {
		return ""
	}
	return "and " + counted(n-most, "more "+noun)
}
