// Package text writes reports, comparisons and lint for people at a terminal.
package text

import (
	"fmt"
	"io"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// Options decides how the report looks. The zero value is short and without colours.
type Options struct {
	Color   bool   // write ANSI colours, for a terminal
	All     bool   // write all entries of every list, and each run
	GroupBy string // lists the findings of a lint by [ByRule] or [ByTool]; "" lists them by tool, and only if All is set

	Run int // number of the only run to show of each case, with a line of its own; 0 for none

	// Values shows the actual values of runs that fail an expectation: arguments, results and answers. They can contain
	// secrets, so the option is for a terminal only, because files and logs are published.
	Values bool
}

// These constants bound the entries of lists that this package makes itself; further entries are counted. [Options].All
// overrides them.
const (
	maxPassingCases = 40 // if there are more passing cases, they are only counted
	maxRuns         = 10 // runs of a case
	maxLines        = 30 // runs below one line of a gate
	maxCatalogs     = 20
)

// Report writes the report: the headline, what went wrong with places and advice, what changed, the cases that passed, and the
// counts.
func Report(w io.Writer, r *report.Report, o Options) error {
	t := newWriter(w, r, o)
	t.writeHeadline()
	t.writeLead()
	t.writeWhatWentWrong()
	t.writeChanges()
	t.writeWarnings()
	t.writePassingCases()
	t.writeComplexity()
	t.writeCatalogs()
	t.writeFooter()
	return t.p.out.Flush()
}

type writer struct {
	*tell.Story
	p       *printer
	r       *report.Report
	options Options
}

func newWriter(w io.Writer, r *report.Report, o Options) *writer {
	return &writer{tell.Of(r, tell.Options{}), newPrinter(w, o), r, o}
}

// writeHeadline writes the outcome in one line. A refused change is not a pass.
func (t *writer) writeHeadline() {
	word := t.p.verdict(t.r.Verdict)
	if len(t.r.Refused) > 0 && !t.r.Verdict.Broken() {
		word = t.p.paint(red, "REFUSED")
	}
	t.p.line(word, ": ", t.p.render(t.Headline))
}

// limitCases returns the number of entries to print, of n, in a list of cases. It is n if options ask for one run of each case,
// otherwise the result of limit.
func (t *writer) limitCases(n, most int) int {
	if t.options.Run > 0 {
		return n
	}
	return t.p.limit(n, most)
}

func (t *writer) writeWarnings() {
	if len(t.r.Warnings) == 0 {
		return
	}
	t.p.line()
	t.p.line(t.p.paint(yellow, "WARNINGS"))
	shown := t.p.limit(len(t.r.Warnings), tell.Terminal.Limit(tell.Warnings).All)
	for _, w := range t.r.Warnings[:shown] {
		t.p.writeProblem("", w)
	}
	t.p.writeRest("", len(t.r.Warnings)-shown, "warning")
}

// writePassingCases writes a line for each case that passes, or only their number if there are many.
func (t *writer) writePassingCases() {
	good := t.r.Counts.Passed + t.r.Counts.Skipped
	if good == 0 {
		return
	}
	t.p.line()
	areTooMany := t.limitCases(good, maxPassingCases) < good
	if areTooMany {
		left := t.writeLeftOut()
		t.p.line(t.p.verdict(judge.Pass), " ", judge.CountOf(good-left, "case"), t.p.paint(dim, " (--verbose lists them)"))
		return
	}
	curves := 0
	for i := range t.r.Cases {
		if c := &t.r.Cases[i]; c.Verdict == judge.Pass || c.Verdict == judge.Skipped {
			t.writeGoodCase(c)
			curves += t.writeGoodCurves(c, curves)
		}
	}
	t.p.writeRest("", curves-t.p.limit(curves, maxCurves), "distractor curve")
}

// writeLeftOut writes the first cases that are left out, and returns the number of all of them.
func (t *writer) writeLeftOut() int {
	count := 0
	for i := range t.r.Cases {
		c := &t.r.Cases[i]
		if c.LeftOut == "" || c.Verdict != judge.Skipped {
			continue
		}
		count++
		if count <= maxPassingCases {
			t.writeGoodCase(c)
		}
	}
	t.p.writeRest("", count-min(count, maxPassingCases), "case that is left out")
	return count
}

func (t *writer) writeCatalogs() {
	if len(t.r.Catalogs) == 0 {
		return
	}
	t.p.line()
	shown, suites := t.p.limit(len(t.r.Catalogs), maxCatalogs), t.r.Suites()
	for i := range t.r.Catalogs[:shown] {
		c := &t.r.Catalogs[i]
		t.writeCatalog(c, suites[c.Path])
	}
	t.p.writeRest("", len(t.r.Catalogs)-shown, "catalog")
}

// writeCatalog writes a line about a catalog. If the catalog is in a suite, the line names its server.
func (t *writer) writeCatalog(c *report.Catalog, inSuite bool) {
	summary := judge.CountOf(len(c.Tools), "tool") + report.BesidesHidden(len(c.Hidden))
	if c.SurfaceTokens.IsKnown() {
		summary += fmt.Sprintf(", %d tokens", c.SurfaceTokens)
	}
	if c.MeanScore != "" {
		summary += ", score " + t.score(c, report.FigureMeanScore, c.MeanScore, " mean") + ", " + t.score(c, report.FigureMinScore, c.MinScore, " lowest")
	}
	if n := c.Counts.All(true); n > 0 {
		summary += fmt.Sprintf(", %d critical", n)
	}
	if n := c.Counts.All(false); n > 0 {
		summary += ", " + judge.CountOf(n, "warning")
	}
	place := t.p.place(c.Path, 0)
	if inSuite {
		place += "server " + report.Safe(c.Name) + ": "
	}
	t.p.line("catalog ", place, summary)
	t.p.writeUnknown(c.Manifest, len(c.Tools))
	if base := t.r.Baseline.CostOf(c); c.Cost != nil && (base != nil || t.options.All) {
		t.p.line("  cost: ", t.p.render(tell.CostLine(c.Cost, base)))
	}
}

func (t *writer) score(c *report.Catalog, figure string, now report.Optional, name string) string {
	m := t.r.Baseline.ScoreOf(c, figure)
	if m == nil {
		return report.Safe(string(now)) + name
	}
	return report.Safe(string(m.Base)) + " → " + report.Safe(string(m.Head)) + name + " (" + m.Why(report.Safe) + ")"
}

func (t *writer) writeFooter() {
	c := t.r.Counts
	line := fmt.Sprintf("%s: %d passed, %d failed, %s, %d skipped", judge.CountOf(c.Cases, "case"), c.Passed, c.Failed,
		judge.CountOf(c.Errors, "error"), c.Skipped)
	if n := len(t.r.Problems); n > 0 {
		line += "; " + judge.CountOf(n, "mistake")
	}
	if n := len(t.r.Warnings); n > 0 {
		line += "; " + judge.CountOf(n, "warning")
	}
	t.p.line()
	t.p.line(line)
	for _, note := range t.Notes {
		t.p.line(t.p.render(note))
	}
}

func (t *writer) writeComplexity() {
	if len(t.r.Complexity) == 0 {
		return
	}
	t.p.line()
	for _, s := range t.r.Complexity {
		line := fmt.Sprintf("%s: %s, %d passed", report.Safe(s.Complexity), judge.CountOf(s.Cases, "case"), s.Passed)
		if s.Accuracy != nil {
			line += fmt.Sprintf(", accuracy %d%% (%d of %d hits)", *s.Accuracy, s.Correct, s.Correct+s.Distractor)
		}
		t.p.line("complexity ", line)
	}
}
