package html

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/tell"
)

// maxCases bounds both the rows of the table of cases and the cases with details. The page counts the cases that are left out.
const maxCases = 5000

func (d *document) caseTable() markup {
	columns := []markup{"Verdict", "Case", "Suite", "Other figures"}
	figures := slices.DeleteFunc(slices.Clone(report.Figures), func(f report.Figure) bool { return f.Title == "" })
	for _, f := range figures {
		title := markup(f.Title)
		if f.IsPercent() {
			title += " %"
		}
		columns = append(columns, title+":")
	}
	order := d.Cases
	return d.intervalNote() + newTable("cases", append(columns, "Runs:"), len(order), maxCases, func(at int) []markup {
		i := order[at]
		c := &d.r.Cases[i]
		cells := []markup{chip(c.Verdict) + d.verdictBefore(i), caseLink(i, c) + d.origin(i), d.suite(c), otherFigures(c)}
		for _, f := range figures {
			cells = append(cells, d.figureCell(i, f))
		}
		return append(cells, runsCell(c))
	}).folding().write()
}

// intervalNote returns the note that explains the small numbers below rates; "" if no rate has an interval.
func (d *document) intervalNote() markup {
	for i := range d.r.Cases {
		if slices.ContainsFunc(report.Figures, func(f report.Figure) bool { return f.Trials(&d.r.Cases[i]).Valid() }) {
			return "<p class=dim>Below a rate is its 95 % interval (Wilson): where the rate over many more runs can be expected.\n"
		}
	}
	return ""
}

func (d *document) suite(c *report.Case) markup {
	if !d.suites {
		return ""
	}
	return place(c.Suite, c.Line)
}

func (d *document) verdictBefore(i int) markup {
	p := d.Pair(i)
	switch {
	case d.c == nil:
		return ""
	case p.New:
		return " <small>new</small>"
	case p.Base != "" && p.Base != d.r.Cases[i].Verdict:
		return " <small>was " + verdictWord(p.Base) + "</small>"
	}
	return ""
}

// origin returns the former name of a renamed case.
func (d *document) origin(i int) markup {
	if d.Pair(i).WasID == "" {
		return ""
	}
	return " <small>was " + name(string(d.Pair(i).WasID)) + "</small>"
}

// figureCell returns the cell of a figure: its value, the base's value if it differs, and the interval of a rate.
func (d *document) figureCell(i int, f report.Figure) markup {
	p := d.Pair(i)
	own := d.valueAndBase(p, p.Figure(f.Name))
	if f.With != "" {
		beside := d.valueAndBase(p, p.Figure(f.With))
		if own != "" || beside != "" {
			return cmp.Or(own, report.Absent) + " / " + cmp.Or(beside, report.Absent)
		}
	}
	if own == "" {
		return ""
	}
	return own + interval(f.Trials(&d.r.Cases[i]))
}

// valueAndBase returns a figure's value, and the base's value if it differs.
func (d *document) valueAndBase(p *report.Pair, f report.Delta) markup {
	hasBase := f.Base != "" && !p.New
	if f.Head == "" && !hasBase {
		return ""
	}
	text := figure(f.Head)
	if d.c == nil || p.New || !f.Changed() {
		return text
	}
	text += " <small>was " + figure(f.Base)
	if diff := f.Difference(); diff != "" {
		text += ", " + escaped(diff)
	}
	return text + "</small>"
}

// interval draws the interval of a rate on a line from 0 to 100 %, and writes its ends. It returns "" if the rate has no counts
// of runs.
func interval(t report.Trials) markup {
	if !t.Valid() {
		return ""
	}
	low, high := t.Interval()
	return "<svg class=ci viewBox=\"0 0 100 8\" aria-hidden=true><path d=\"M0 4H100\"/><path class=is d=\"M" + number(low) + " 4H" + number(high) +
		"\"/><circle cx=" + number(t.Won*100/t.Of) + " cy=4 r=3 /></svg><small>" + number(low) + " to " + number(high) + "</small>"
}

// noBreak is a space at which a browser does not break the line.
const noBreak = "\u00a0"

// otherFigures returns the first few figures that have an expectation and no column of their own.
func otherFigures(c *report.Case) markup {
	const most = 4
	var list []markup
	for i := range c.Gates {
		g := &c.Gates[i]
		for j := range g.Assertions {
			a := &g.Assertions[j]
			if a.Actual == nil || hasColumn(a.Target) {
				continue
			}
			label, bound := escaped(shortName(a.Target)+tell.OfPassHat(a)), escaped(report.Cut(a.Matcher, maxName))
			list = append(list, label+noBreak+foundFigure(g, a)+noBreak+"<small>"+bound+"</small>")
		}
	}
	text := join("<br>", list[:min(len(list), most)]...)
	if left := len(list) - most; left > 0 {
		text += "<br><small>and " + count(left) + " more</small>"
	}
	return text
}

func hasColumn(target string) bool {
	return slices.ContainsFunc(report.Figures, func(f report.Figure) bool { return slices.Contains(f.Metrics, target) })
}

func runsCell(c *report.Case) markup {
	if c.Runs.Recorded == 0 {
		return ""
	}
	text := count(c.Runs.Scored)
	if c.Runs.Scored != c.Runs.Recorded {
		text += " <small>of " + count(c.Runs.Recorded) + "</small>"
	}
	return text
}

// figureTable returns the table of the figures with an expectation: figure, bound and verdict.
func (d *document) figureTable(i int) markup {
	c, p := &d.r.Cases[i], d.Pair(i)
	type judged struct {
		gate      *judge.Result
		assertion *judge.Assertion
	}
	var list []judged
	for j := range c.Gates {
		g := &c.Gates[j]
		for k := range g.Assertions {
			list = append(list, judged{g, &g.Assertions[k]})
		}
	}
	columns := []markup{"Verdict", "Gate", "Figure", "Found:", "Expected", "Base:", "Place"}
	return newTable("expectations", columns, len(list), maxReasons, func(at int) []markup {
		g, a := list[at].gate, list[at].assertion
		return []markup{chip(a.Verdict), name(g.Gate), name(a.Target) + escaped(tell.OfPassHat(a)), foundFigure(g, a), name(a.Matcher), d.baseFigure(p, a.Target), place(c.Suite, a.Line)}
	}).write()
}

func foundFigure(g *judge.Result, a *judge.Assertion) markup {
	if text := compare.MetricText(g, a.Target); text != "" {
		return figure(text)
	}
	if digits, ok := a.Actual.(string); ok { // a report that was read back has the figure as a text
		return figure(report.Optional(digits))
	}
	return escaped(report.ActualText(a.Actual))
}

// baseFigure returns the base's figure of a target; "" if it is unknown or the same.
func (d *document) baseFigure(p *report.Pair, target string) markup {
	delta := p.Of(target)
	if d.c == nil || p.New || !delta.Changed() || delta.Base == "" {
		return ""
	}
	text := figure(delta.Base)
	if report.FigureNamed(delta.Name).IsPercent() {
		text += "%"
	}
	return text
}
