package html

import (
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// How much of what went wrong is shown.
const (
	mostWrong   = 500 // entries of a list
	mostOpen    = 8   // cases whose reasons are shown without a click
	mostReasons = 100 // of one case
	mostBehind  = 10  // runs behind a floor that does not hold
)

// wrong is what went wrong: why the change is refused, mistakes in the input, what the change does to its own judge and to callers, then the cases that
// do not pass or got worse.
func (d *document) wrong() markup {
	return bullets(slices.Concat(d.refused(), d.mistakes(), d.weakened(), d.breaking(), d.executable(), d.newCritical()), mostWrong) +
		d.cards(d.wrongCases(), mostOpen)
}

// isWrong reports whether a case belongs to what went wrong.
func (d *document) isWrong(i int) bool {
	p := &d.pairs[i]
	return d.r.Cases[i].Verdict.Broken() || d.c != nil && (p.Worse || len(p.NewMissed)+len(p.NewUnexpected) > 0)
}

// wrongCases returns the indexes of the cases that do not pass or got worse: first those that got worse.
func (d *document) wrongCases() []int {
	var worse, broken []int
	for i := range d.r.Cases {
		switch {
		case !d.isWrong(i):
		case d.c != nil && d.pairs[i].Worse:
			worse = append(worse, i)
		default:
			broken = append(broken, i)
		}
	}
	return append(worse, broken...)
}

// refused says why the change is refused, whatever the verdicts of the cases are.
func (d *document) refused() []markup {
	list := make([]markup, len(d.r.Refused))
	for i, r := range d.r.Refused {
		list[i] = "<b class=mark>" + name(r.Demand) + "</b> " + message(r.Message)
	}
	return list
}

// mistakes are those in users' files.
func (d *document) mistakes() []markup {
	var list []markup
	for _, p := range d.r.Problems {
		list = append(list, join(" ", problemPlace(p), message(p.Message)))
	}
	return list
}

// problemPlace is where something is wrong, to the column.
func problemPlace(p report.Problem) markup {
	if p.Path == "" || p.Line <= 0 || p.Col <= 0 {
		return place(p.Path, p.Line)
	}
	return "<span class=at>" + escaped(report.Cut(p.Path, maxName)) + ":" + number(p.Line) + ":" + number(p.Col) + "</span>"
}

// weakened are the ways in which the change weakens its own judge.
func (d *document) weakened() []markup {
	if d.c == nil {
		return nil
	}
	var list []markup
	for _, w := range d.c.WeakenedCases() {
		if !w.ToldOnly {
			list = append(list, "<b class=mark>weakened</b> "+weakening(w))
		}
	}
	return list
}

// weakening says what became weaker, and by which settings.
func weakening(w report.WeakenedCase) markup {
	var settings []markup
	for _, s := range w.Settings {
		settings = append(settings, place(s.Path(), s.Line)+" "+shown(s.Says))
	}
	return join(" ", place(w.Path(), w.Line), shown(w.Says)) + bullets(settings, mostReasons)
}

// breaking is what callers of the base's tools trip over.
func (d *document) breaking() []markup {
	if d.c == nil {
		return nil
	}
	var list []markup
	for _, b := range d.c.Breaking {
		about := name(report.ToolID(b.Server, b.Tool))
		if b.Argument != "" {
			about += " " + name(string(b.Argument))
		}
		list = append(list, "<b class=mark>breaks callers</b> "+join(" ", place(b.Path, b.Line), about+": "+message(b.Message)))
	}
	return list
}

// executable is what live runs execute now and did not in the base.
func (d *document) executable() []markup {
	if d.c == nil {
		return nil
	}
	var list []markup
	for i := range d.c.Executable {
		e := &d.c.Executable[i]
		list = append(list, "<b class=mark>executable change</b> "+place(e.Path(), e.Line)+" "+name(e.Key)+" of "+name(e.Of)+": "+shown(e.Became))
	}
	return list
}

// newCritical are the critical findings that the base does not have.
func (d *document) newCritical() []markup {
	if d.c == nil {
		return nil
	}
	var list []markup
	for _, f := range d.c.New {
		if f.Severity == "critical" {
			list = append(list, "<b class=mark>new critical finding</b> "+join(" ", place(f.Path, f.Line),
				name(f.Rule)+" "+name(report.ToolID(f.Server, f.Tool))+": "+message(f.Message)))
		}
	}
	return list
}

// reasons are why a case does not pass, and the evidence for its figures: each once, because two gates can have the same.
func (d *document) reasons(i int) []markup {
	c := &d.r.Cases[i]
	var list []markup
	add := func(reasons ...markup) {
		for _, one := range reasons {
			if !slices.Contains(list[:min(len(list), mostReasons)], one) {
				list = append(list, one)
			}
		}
	}
	if c.Err != nil {
		add(join(" ", place(c.Err.Path, c.Err.Line), message(c.Err.Message)))
	}
	for j := range c.Gates {
		add(failures(c, &c.Gates[j])...)
	}
	add(expectations(c)...)
	for j := range c.Gates {
		add(d.evidence(c, &d.pairs[i], &c.Gates[j])...)
	}
	return list
}

// failures are the error of a gate, and its assertions that do not hold.
func failures(c *report.Case, g *judge.Result) []markup {
	var list []markup
	if g.Err != nil && !g.Breached() {
		list = append(list, join(" ", place(g.Err.Path, g.Err.Line), name(g.Gate)+": "+message(g.Err.Message)))
	}
	for j := range g.Assertions {
		a := &g.Assertions[j]
		if !a.Verdict.Broken() || g.Err != nil && a.Line == g.Err.Line && a.Message == g.Err.Message {
			continue
		}
		list = append(list, place(c.Suite, a.Line)+" "+failure(a))
	}
	return list
}

// failure says how an assertion does not hold, with the runs behind a floor.
func failure(a *judge.Assertion) markup {
	if a.Breach == nil {
		return message(report.Said(a))
	}
	var runs []markup
	for _, run := range a.Breach.Runs {
		runs = append(runs, "run "+number(run.Run)+": "+message(run.Did))
	}
	if more := max(len(runs)-mostBehind, 0) + a.Breach.More; more > a.Breach.More && a.Breach.More > 0 {
		runs = append(runs[:mostBehind], "and "+counted(more, "more run"))
		return message(a.Broken()) + bullets(runs, len(runs))
	}
	return message(a.Broken()) + bullets(runs, mostBehind)
}

// expectations sums up the per-run expectations that do not hold, by what they expect, with what the first run has.
func expectations(c *report.Case) []markup {
	var list []markup
	for _, e := range c.RunExpectations() {
		if !e.Verdict().Broken() {
			continue
		}
		line := place(c.Suite, e.Line) + " expect in " + markup(report.Numbers(e.Broken, e.MoreBroken())) + ": "
		if e.First == nil {
			line += message(e.Target + " is not " + e.Matcher)
		} else {
			line += message(report.Said(e.First))
		}
		list = append(list, line)
	}
	return list
}

// evidence is the notes of a gate; those that the base does not have are marked.
func (d *document) evidence(c *report.Case, p *report.Pair, g *judge.Result) []markup {
	words := noteWords()
	var list []markup
	for i := range judge.Kinds {
		kind := &judge.Kinds[i]
		if kind.Right {
			continue
		}
		for _, n := range g.Of(kind.Name) {
			line := markup(n.Say(kind.Line, words))
			if aside := n.Say(kind.Aside, words); aside != "" {
				line += " (" + markup(aside) + ")"
			}
			if n.Line > 0 {
				line = place(c.Suite, n.Line) + " " + line
			}
			if d.c != nil && slices.Contains(p.News(kind), n.Subject) {
				line += " <b class=mark>new</b>"
			}
			list = append(list, line)
		}
		if more := g.NotesCut[kind.Name]; more > 0 {
			list = append(list, "and "+counted(more, "more note")+" of the kind "+name(kind.Name)+", which the report leaves out")
		}
	}
	return list
}

// noteWords write the parts of notes as markup.
func noteWords() judge.Words {
	const mostNames = 8
	show := func(s string) string { return string(name(s)) }
	return judge.Words{
		Subject: func(n *judge.Note) string { return show(n.Subject) },
		Name:    show,
		Quote:   show,
		List:    func(list []string) string { return string(names(list, mostNames)) },
		Runs:    report.Numbers,
	}
}
