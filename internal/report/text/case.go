package text

import (
	"io"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

func titleOf(c *report.Case) string {
	if c.Model == "" {
		return report.Safe(c.Name)
	}
	return report.Safe(c.Name) + " (" + report.Safe(string(c.Model)) + ")"
}

func (t *writer) titleSince(i int) string {
	if since := t.Since(i); since != "" {
		return titleOf(&t.r.Cases[i]) + ", " + since
	}
	return titleOf(&t.r.Cases[i])
}

// Case writes a case that does not pass: its gates with their figures, its faults, and its runs.
func Case(w io.Writer, r *report.Report, s *tell.Story, i int, o Options) error {
	t := writer{s, newPrinter(w, o), r, o}
	t.writeCase(i)
	return t.p.out.Flush()
}

// Reason returns one line on why a case does not pass: the first fault that is not about runs, and the number of further
// faults. The line is safe for a terminal. It is "" for a case that passes.
func Reason(s *tell.Story, i int) string {
	facts := s.Facts(i)
	if len(facts) == 0 {
		return ""
	}
	t := writer{p: newPrinter(io.Discard, Options{})}
	return t.firstFault(facts)
}

// writeCase writes a case: the figures of its gates, its faults, what was skipped, curves and runs.
func (t *writer) writeCase(i int) {
	c := &t.r.Cases[i]
	t.p.line(t.p.verdict(c.Verdict), " ", t.p.place(c.Suite, c.Line), t.titleSince(i))
	for j := range c.Gates {
		t.writeGate(c, &c.Gates[j])
	}
	t.writeFacts(t.Facts(i))
	for j := range c.Gates {
		t.writeSkipped(c, &c.Gates[j])
		t.writeCurve(&c.Gates[j])
	}
	if chance := t.Chance(i); chance != nil {
		t.p.line("  ", t.p.render(chance))
	}
	t.writeRuns(c)
}

func (t *writer) writeGate(c *report.Case, g *judge.Result) {
	t.p.line(t.p.place(c.Suite, g.Line), report.Safe(g.Gate), " ", t.p.verdict(g.Verdict), figures(g, ": ", t.options.All))
	if g.Headline != "" {
		t.p.line(report.Safe(g.Headline))
	}
}

func (t *writer) writeSkipped(c *report.Case, g *judge.Result) {
	for i := range g.Assertions {
		if a := &g.Assertions[i]; a.Verdict == judge.Skipped {
			t.p.line("  ", t.p.place(c.Suite, a.Line), t.p.paint(yellow, "skipped"), ": ", report.Safe(report.Said(a)))
		}
	}
}

// writeRuns writes the calls of the first runs that break the case, or the runs that options ask for.
func (t *writer) writeRuns(c *report.Case) {
	if t.options.All || t.options.Run > 0 {
		t.writeRows(c)
		return
	}
	concerned := slices.DeleteFunc(concernedRows(c), func(i int) bool { return quotesError(c, &c.Rows[i]) })
	shown := t.p.limit(len(concerned), maxRuns)
	for _, i := range concerned[:shown] {
		t.p.line("  ", t.rowLine(c, &c.Rows[i]))
	}
	t.p.writeRest("  ", len(concerned)-shown, "run")
	if more := c.MoreRuns(); more != "" {
		t.p.line("  ", t.p.paint(dim, more))
	}
}

func quotesError(c *report.Case, r *report.Row) bool {
	return c.Err != nil && r.Err != "" && c.Err.Run == r.Run
}

// concernedRows returns the indexes of the runs that explain a failure: those that did not finish, broke an expectation, missed
// a class, or made an unexpected call.
func concernedRows(c *report.Case) []int {
	isConcerned := map[int]bool{} // by number of the run
	for _, g := range c.Gates {
		if g.Verdict == judge.Pass {
			continue
		}
		for _, n := range g.Notes {
			for _, run := range n.Runs {
				isConcerned[run] = isConcerned[run] || !judge.KindOf(n.Kind).Right
			}
		}
	}
	var rows []int
	for i, row := range c.Rows {
		if row.Verdict.Broken() || isConcerned[row.Run] {
			rows = append(rows, i)
		}
	}
	return rows
}

// writeGoodCase writes a case that passed. If all of its gates have a headline, it writes the headlines, otherwise one line.
func (t *writer) writeGoodCase(c *report.Case) {
	var shown []string
	needsLine := len(c.Gates) == 0
	for i := range c.Gates {
		g := &c.Gates[i]
		shown = append(shown, strings.TrimPrefix(figures(g, ", ", t.options.All), ", "))
		for j := range g.Assertions {
			shown = append(shown, report.Safe(g.Assertions[j].Instead))
		}
		needsLine = needsLine || g.Headline == ""
	}
	if c.LeftOut != "" {
		shown = append(shown, report.Safe(string(c.LeftOut)))
	}
	broke := t.p.render(tell.Broke(c))
	if needsLine {
		shown = append(shown, broke)
		shown = slices.DeleteFunc(shown, func(s string) bool { return s == "" })
		t.p.line(t.p.verdict(c.Verdict), " ", t.p.place(c.Suite, c.Line), titleOf(c), t.p.paint(dim, figuresIn(shown)))
	}
	for i := range c.Gates {
		g := &c.Gates[i]
		if g.Headline != "" {
			line := report.Safe(g.Headline)
			if broke != "" {
				line += " (" + broke + ")"
			}
			t.p.line(line)
		}
		t.writeSkipped(c, g)
	}
	t.writeRows(c)
}

func figuresIn(figures []string) string {
	if len(figures) == 0 {
		return ""
	}
	return " (" + strings.Join(figures, "; ") + ")"
}

// figures returns the figures of a gate, in the order of its documentation, with lead before them; "" if there are none. It
// leaves out figures with a parameter, such as those of single tools. For a gate that passes, it returns only the figures with
// an expectation, or the first figure if there are none; all overrides this.
func figures(g *judge.Result, lead string, all bool) string {
	most := 8
	targets := gates.Find(g.Gate).Figures(g)
	if !all && g.Verdict == judge.Pass {
		most = 2
		expected := slices.DeleteFunc(slices.Clone(targets), func(target string) bool {
			return !slices.ContainsFunc(g.Assertions, func(a judge.Assertion) bool { return a.Target == target })
		})
		targets = targets[:min(1, len(targets))]
		if len(expected) > 0 {
			targets = expected
		}
	}
	var parts []string
	for _, target := range targets {
		_, name, hasFamily := strings.Cut(target, ".")
		if !hasFamily {
			name = target
		}
		parts = append(parts, report.Safe(name)+" "+g.Metrics[target].Format())
	}
	if g.Grade != "" {
		parts = append(parts, "grade "+report.Safe(g.Grade))
	}
	if len(parts) == 0 {
		return ""
	}
	return lead + strings.Join(parts[:min(len(parts), most)], ", ")
}
