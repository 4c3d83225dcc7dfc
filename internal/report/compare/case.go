package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/weaken"
	"github.com/org/mcp-gates/internal/stat"
)

// compareCase compares a case of the head with the base's case, which is nil for a new case.
func (c *comparer) compareCase(base, head *report.Case) {
	p := report.Pair{ID: head.ID, New: base == nil}
	if base != nil {
		p.Base = base.Verdict
		p.Fixed = base.Verdict.Broken() && head.Verdict == judge.Pass && !weaken.IsSoftened(head)
		if keyOfCase(base) != keyOfCase(head) {
			p.WasID = report.Optional(base.ID)
		}
	}
	if head.Removed { // the head's suite lacks the case, but the base's suite judged it
		c.noteRemoved(head)
	}
	isUnjudged := base != nil && weaken.IsUnjudged(base, head)
	isLeftOut := isUnjudged && head.Verdict == judge.Skipped && head.LeftOut != ""
	if base != nil {
		c.out.Weakened = append(c.out.Weakened, weaken.Case(base, head, c.movedTo, c.head.Mode == report.Live)...)
	}
	if isLeftOut { // every other change follows from this one
		p.Changed, p.Worse = true, base.Verdict == judge.Pass
		c.out.Cases = append(c.out.Cases, p)
		return
	}
	c.compareFigures(&p, base, head)
	p.Others = c.withoutUnexplainedScores(head, p.Others)
	hasChangedFigure := len(p.Others) > 0 || slices.ContainsFunc(p.Figures, report.Delta.Changed)
	p.Changed = base != nil && (base.Verdict != head.Verdict || hasChangedFigure)
	compareWrong(&p, base, head)
	if base != nil && !slices.Equal(base.Curve(), head.Curve()) {
		p.BaseCurve = base.Curve()
	}
	found := append(regressionsOf(base, head), boundDrops(&p, base, head)...)
	p.Worse = len(found) > 0
	c.out.Regressions = append(c.out.Regressions, found...)
	if base != nil && !isUnjudged && head.Base != nil && head.Base.Fault != "" {
		c.out.Unjudged = append(c.out.Unjudged, report.Unjudged{Case: head.ID, Reason: head.Base.Fault})
	}
	c.out.Cases = append(c.out.Cases, p)
}

func (c *comparer) compareFigures(p *report.Pair, base, head *report.Case) {
	for _, f := range report.Figures {
		d := report.Delta{Name: f.Name, Base: f.Value(base), Head: f.Value(head)}
		if d.Base == "" && d.Head == "" {
			continue
		}
		if f.Count != "" && base != nil && d.Changed() {
			c.addChance(&d, f.Trials(base), f.Trials(head))
		}
		p.Figures = append(p.Figures, d)
	}
	if base != nil {
		p.Others = otherFigures(base, head)
	}
}

// addChance sets the probability that chance alone causes such a change. For a drop that may be chance, it also sets the number of
// runs that would reveal the drop.
func (c *comparer) addChance(d *report.Delta, base, head report.Trials) {
	if !base.Valid() || !head.Valid() { // a saved report can hold any numbers
		return
	}
	p := stat.Fisher(base.Won, base.Of, head.Won, head.Of) // in units of 0.0001
	d.P = report.Optional(fmt.Sprintf("%d.%04d", p/10000, p%10000))
	d.Runs = &[2]int{base.Of, head.Of}
	const significant = 500
	isDrop := int64(head.Won)*int64(base.Of) < int64(base.Won)*int64(head.Of)
	if p < significant || !isDrop {
		return
	}
	if runs := c.drops.Needed(base.Won, base.Of, head.Won, head.Of); runs > min(base.Of, head.Of) {
		d.Needed = runs
	}
}

// otherFigures returns the changed figures that have no column of their own. It compares the gates that both cases have.
func otherFigures(base, head *report.Case) (list []report.Delta) {
	for i := range head.Gates {
		headGate := &head.Gates[i]
		baseGate := base.Gate(headGate.Gate)
		if baseGate == nil {
			continue
		}
		targets := slices.AppendSeq(slices.Collect(maps.Keys(headGate.Metrics)), maps.Keys(baseGate.Metrics))
		slices.Sort(targets)
		for _, target := range slices.Compact(targets) {
			d := report.Delta{Name: target, Base: MetricText(baseGate, target), Head: MetricText(headGate, target)}
			if d.Changed() && !isShownElsewhere(target) && !isOfChange(headGate, target) {
				list = append(list, d)
			}
		}
	}
	return list
}

// isShownElsewhere reports whether renderings show a target in a column, in another figure, or tool by tool.
func isShownElsewhere(target string) bool {
	isOfTool := strings.Contains(target, "[")
	isInFigure := target == "tool_selection.precision" // F1 and recall determine it
	hasColumn := slices.ContainsFunc(report.Figures, func(f report.Figure) bool { return slices.Contains(f.Metrics, target) })
	return isOfTool || isInFigure || hasColumn
}

func isOfChange(g *judge.Result, target string) bool {
	gate := gates.Find(g.Gate)
	return gate != nil && slices.ContainsFunc(gate.Targets, func(t judge.Target) bool { return t.Name == target && t.OfChange })
}

// MetricText returns a figure of a gate for people; "" if it is absent.
func MetricText(g *judge.Result, target string) report.Optional {
	v, ok := g.Metrics[target]
	if !ok {
		return ""
	}
	return report.Optional(v.Format())
}

func compareWrong(p *report.Pair, base, head *report.Case) {
	before, after := wrongIn(base), wrongIn(head)
	if !before.isIncomplete[judge.NewMissed] { // if the base's list is incomplete, it is unknown which entries are new
		p.NewMissed = difference(after.missed, before.missed)
	}
	if !before.isIncomplete[judge.NewUnexpected] {
		p.NewUnexpected = difference(after.unexpected, before.unexpected)
	}
	p.NewFailures = difference(after.failures, before.failures)
}

// wrong lists the faults of a case. Each list is sorted, and has each name once.
type wrong struct {
	missed, unexpected, failures []string
	isIncomplete                 map[judge.News]bool // lists that the report cut
}

// wrongIn returns the faults of a case, which may be nil.
func wrongIn(c *report.Case) wrong {
	w := wrong{isIncomplete: map[judge.News]bool{}}
	if c == nil {
		return w
	}
	for _, g := range c.Gates {
		for kind := range g.NotesCut {
			if k := judge.KindOf(kind); k != nil {
				w.isIncomplete[k.News] = true
			}
		}
		for _, n := range g.Notes {
			switch judge.KindOf(n.Kind).News {
			case judge.NewMissed:
				w.missed = append(w.missed, n.Subject)
			case judge.NewUnexpected:
				w.unexpected = append(w.unexpected, n.Subject)
			}
		}
		for _, a := range g.Assertions {
			if a.Verdict.Broken() {
				w.failures = append(w.failures, a.Target)
			}
		}
	}
	for _, e := range c.RunExpectations() {
		if e.Verdict().Broken() {
			w.failures = append(w.failures, e.Target)
		}
	}
	for _, list := range []*[]string{&w.missed, &w.unexpected, &w.failures} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return w
}

// difference returns the elements of a that b, which is sorted, does not have.
func difference(a, b []string) (list []string) {
	for _, s := range a {
		if _, found := slices.BinarySearch(b, s); !found {
			list = append(list, s)
		}
	}
	return list
}

// Pairs returns the pair of each case of a report, in the order of the cases. A case that the report's comparison lacks, as it may in
// a saved report, gets a pair without a base.
func Pairs(r *report.Report) []report.Pair {
	byID := map[string]report.Pair{}
	if r.Baseline != nil {
		for _, p := range r.Baseline.Cases {
			byID[p.ID] = p
		}
	}
	pairs := make([]report.Pair, len(r.Cases))
	for i := range r.Cases {
		p, ok := byID[r.Cases[i].ID]
		if !ok {
			p = report.Pair{ID: r.Cases[i].ID} // its own figures and faults
			new(comparer).compareFigures(&p, nil, &r.Cases[i])
			compareWrong(&p, nil, &r.Cases[i])
		}
		pairs[i] = p
	}
	return pairs
}
