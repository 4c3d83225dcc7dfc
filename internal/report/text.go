package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
)

// TextOptions says how the text report looks. The zero value is plain and short.
type TextOptions struct {
	Color bool // ANSI colours, for a terminal
	All   bool // list everything, however much there is, and each run
	Run   int  // show this run of each case, and no other, in a line of its own; 0 for none

	// Public leaves out what was found where a run's expectation does not hold, for it can be an argument, a result or
	// an answer, and these can hold anything.
	Public bool
}

// How many entries of a list are printed before the rest is counted, unless everything is asked for.
const (
	mostTold     = 30  // failing cases that are told in full
	mostNamed    = 200 // further ones, a line each
	mostPassing  = 40  // passing cases; more are only counted
	mostRuns     = 10  // runs of a case
	mostLines    = 30  // runs below one line of a gate
	mostTools    = 10  // tools of one kind of evidence
	mostWarnings = 50
	mostCatalogs = 20
)

// Text writes the report for a person: the verdict first, then what is wrong and where, then what passed, and the
// counts at the end.
func Text(w io.Writer, r *Report, o TextOptions) error {
	t := text{newPrinter(w, o.Color), r, o}
	t.p.line(t.p.verdict(r.Verdict), ": ", r.headline())
	t.mistakes()
	t.broken()
	t.warnings()
	t.passing()
	t.complexity()
	t.catalogs()
	if r.Baseline != nil {
		t.p.line()
		t.comparison()
	}
	t.footer()
	return t.p.out.Flush()
}

// text is one text report being written.
type text struct {
	p       *printer
	r       *Report
	options TextOptions
}

// limit returns how many of n entries to print when most is the bound.
func (t *text) limit(n, most int) int {
	if t.options.All {
		return n
	}
	return min(n, most)
}

// limitCases is limit for cases: where a run of each is asked for, each has a line for it.
func (t *text) limitCases(n, most int) int {
	if t.options.Run > 0 {
		return n
	}
	return t.limit(n, most)
}

// rest says how many entries of a list, each a noun, were left out.
func (t *text) rest(indent string, left int, noun string) {
	if left > 0 {
		t.p.line(indent, t.p.paint(dim, "and "+count(left, "more "+noun)+" (--verbose lists all)"))
	}
}

// headline says in one line what came out.
func (r *Report) headline() string {
	c := r.Counts
	var parts []string
	if c.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s failed", c.Failed, count(c.Cases, "case")))
	}
	if c.Errors > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s could not be evaluated", c.Errors, count(c.Cases, "case")))
	}
	if len(r.Problems) > 0 {
		parts = append(parts, count(len(r.Problems), "mistake")+" in the input")
	}
	switch {
	case c.Cases == 0:
		parts = append(parts, "nothing was checked")
	case c.Skipped == c.Cases:
		parts = append(parts, "nothing was checked: every assertion was skipped")
	case len(parts) == 0:
		parts = append(parts, count(c.Passed, "case")+" passed")
		if c.Skipped > 0 {
			parts = append(parts, fmt.Sprintf("%d skipped", c.Skipped))
		}
	}
	return strings.Join(parts, ", ")
}

// broken tells of the cases that failed or could not be evaluated: the first of them in full, and more in a line each,
// for a change that breaks one case often breaks hundreds.
func (t *text) broken() {
	var broken []*Case
	for i := range t.r.Cases {
		if c := &t.r.Cases[i]; c.Verdict == judge.Fail || c.Verdict == judge.Error {
			broken = append(broken, c)
		}
	}
	told := t.limitCases(len(broken), mostTold)
	for _, c := range broken[:told] {
		t.brokenCase(c)
	}
	if told == len(broken) {
		return
	}
	t.p.line()
	named := min(len(broken), told+mostNamed)
	for _, c := range broken[told:named] {
		t.p.line(t.p.verdict(c.Verdict), " ", t.p.place(c.Suite, c.Line), c.title(), ": ", c.reason())
	}
	t.rest("", len(broken)-named, "case")
}

// mistakes lists what is wrong in files, other than what is said at the case that it breaks.
func (t *text) mistakes() {
	atCase := map[string]bool{}
	for _, c := range t.r.Cases {
		if c.Err != nil && c.Err.Path != c.Suite {
			atCase[c.Err.Path] = true
		}
	}
	first := true
	for _, pr := range t.r.Problems {
		if atCase[pr.Path] {
			continue
		}
		if first {
			t.p.line()
			first = false
		}
		t.p.problem("", pr)
	}
}

func (t *text) warnings() {
	if len(t.r.Warnings) == 0 {
		return
	}
	t.p.line()
	t.p.line(t.p.paint(yellow, "WARNINGS"))
	shown := t.limit(len(t.r.Warnings), mostWarnings)
	for _, w := range t.r.Warnings[:shown] {
		t.p.problem("", w)
	}
	t.rest("", len(t.r.Warnings)-shown, "warning")
}

// passing lists the cases that are all right, one line each, or counts them when there are many.
func (t *text) passing() {
	good := t.r.Counts.Passed + t.r.Counts.Skipped
	if good == 0 {
		return
	}
	t.p.line()
	if t.limitCases(good, mostPassing) < good {
		t.p.line(t.p.verdict(judge.Pass), " ", count(good, "case"), t.p.paint(dim, " (--verbose lists them)"))
		t.agentNotes(modelNoteOfGood)
		return
	}
	curves := 0
	for i := range t.r.Cases {
		if c := &t.r.Cases[i]; c.Verdict == judge.Pass || c.Verdict == judge.Skipped {
			t.goodCase(c)
			curves += t.goodCurves(c, curves)
		}
	}
	t.rest("", curves-t.limit(curves, mostCurves), "distractor curve")
}

func (t *text) catalogs() {
	if len(t.r.Catalogs) == 0 {
		return
	}
	t.p.line()
	shown := t.limit(len(t.r.Catalogs), mostCatalogs)
	for i := range t.r.Catalogs[:shown] {
		t.catalog(&t.r.Catalogs[i])
	}
	t.rest("", len(t.r.Catalogs)-shown, "catalog")
}

func (t *text) catalog(c *Catalog) {
	summary := fmt.Sprintf("%s, %d tokens", count(len(c.Tools), "tool"), c.SurfaceTokens)
	if c.MeanScore != "" {
		summary += ", score " + Safe(string(c.MeanScore)) + " mean, " + Safe(string(c.MinScore)) + " lowest"
	}
	if n := c.Counts.all(true); n > 0 {
		summary += fmt.Sprintf(", %d critical", n)
	}
	if n := c.Counts.all(false); n > 0 {
		summary += ", " + count(n, "warning")
	}
	place := t.p.place(c.Path, 0)
	if t.r.isSuite(c.Path) {
		place += "server " + Safe(c.Name) + ": "
	}
	t.p.line("catalog ", place, summary)
}

func (t *text) footer() {
	c := t.r.Counts
	line := fmt.Sprintf("%s: %d passed, %d failed, %s, %d skipped", count(c.Cases, "case"), c.Passed, c.Failed,
		count(c.Errors, "error"), c.Skipped)
	if n := len(t.r.Problems); n > 0 {
		line += "; " + count(n, "mistake")
	}
	if n := len(t.r.Warnings); n > 0 {
		line += "; " + count(n, "warning")
	}
	t.p.line()
	t.p.line(line)
	t.tokenNotes()
	if c.Failed > 0 {
		t.p.line(t.p.paint(dim, "next: change what the lines above point at, record the runs again, and check again; "+
			"docs/gates.md explains the figures"))
	}
}
