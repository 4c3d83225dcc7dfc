// Package compare finds how a report differs from the one of its base: regressions, weakenings of the head's own judge,
// and changed figures, tools, findings and cassettes.
package compare

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/weaken"
	"github.com/org/mcp-gates/internal/stat"
)

// Options says how to compare.
type Options struct {
	// Redact takes secrets out of the texts of tools before they are compared or cut; nil leaves them as they are.
	Redact func(string) string

	// Stands reports whether there is something at a path of the head's workspace: a catalog has moved only where its old path is
	// empty. nil: nobody knows, and a path that no suite of the head names counts as empty.
	Stands func(path string) bool
}

func (o Options) redact() func(string) string {
	if o.Redact == nil {
		return func(text string) string { return text }
	}
	return o.Redact
}

func (o Options) stands() func(path string) bool {
	if o.Stands == nil {
		return func(string) bool { return false }
	}
	return o.Stands
}

// Reports returns how head differs from base. Cases are paired by suite, name and model, and a case that has the cassette
// of one that is gone is that case renamed. Findings are the same when rule, server, tool and argument are.
func Reports(base, head *report.Report, o Options) *report.Comparison {
	base = withoutRemoved(base)
	c := &comparer{base: base, head: head, redact: o.redact(), stands: o.stands(), out: &report.Comparison{Base: report.Base{Verdict: base.Verdict, Mistakes: len(base.Problems), Unread: base.Unread}}}
	for _, one := range base.Cases {
		if one.LeftOut == report.HasMistakes {
			c.out.Base.Mistaken = append(c.out.Base.Mistaken, one.ID)
		}
	}
	c.before, c.after = comparable(base.Catalogs, head), comparable(head.Catalogs, base)
	c.out.Totals = [2]report.Totals{TotalsOf(base.Cases, counted(c.before, c.after)), TotalsOf(head.Cases, counted(c.after, c.before))}
	c.moved = report.MovedCatalogs(base.Catalogs, head.Catalogs, c.stands)
	c.scores()
	c.costs()
	c.partner, c.vanished = pairing(base.Cases, head.Cases, func(int) {})
	for i := range head.Cases {
		c.compareCase(c.partner[i], &head.Cases[i])
	}
	c.addRemoved()
	c.executable()
	c.out.Weakened = append(c.out.Weakened, weaken.Suites(base, head, c.suitePairs())...)
	c.tools()
	c.instructions()
	c.findings()
	c.out.Weakened = append(c.out.Weakened, weaken.Rules(c.before, c.after, head.Cases, c.out.Weakened)...)
	c.out.Cassettes = c.compareCassettes()
	c.out.Outdated = slices.Clone(head.Outdated)
	c.out.Weakened = append(c.out.Weakened, head.Uncovered...)
	return c.out
}

// withoutRemoved returns a report without the cases that only its own base had.
func withoutRemoved(r *report.Report) *report.Report {
	isRemoved := func(c report.Case) bool { return c.Removed }
	if !slices.ContainsFunc(r.Cases, isRemoved) {
		return r
	}
	one := *r
	one.Cases = slices.DeleteFunc(slices.Clone(r.Cases), isRemoved)
	return &one
}

// comparer compares two reports.
type comparer struct {
	base, head *report.Report
	redact     func(string) string
	stands     func(path string) bool
	out        *report.Comparison
	before     []report.Catalog // of the base, and
	after      []report.Catalog // of the head, as far as the other side can be held against them
	partner    []*report.Case   // by case of the head; nil for a new one
	vanished   []*report.Case   // of the base, in its order
	drops      stat.Drops

	successors map[catalog.Ref]catalog.Ref // of tools of the base that have another name in the head

	namelessGone bool // the head has no catalog without a server any more, and the base has one

	moved map[string]string // the head's path of a catalog of the base that was moved as it is
}

// suitePairs returns the base's suite for each of the head's that has a case of it: the one at its path, else that of its first case.
func (c *comparer) suitePairs() map[string]string {
	pairs := map[string]string{}
	for i, was := range c.partner {
		if was == nil {
			continue
		}
		file := c.head.Cases[i].Suite
		if pairs[file] == "" || was.Suite == file {
			pairs[file] = was.Suite
		}
	}
	return pairs
}

// comparable returns the catalogs that can be held against the other side. Where that has mistakes, a catalog that it
// does not show may be one that it could not read.
func comparable(catalogs []report.Catalog, other *report.Report) []report.Catalog {
	if len(other.Problems) == 0 {
		return catalogs
	}
	return slices.DeleteFunc(slices.Clone(catalogs), func(c report.Catalog) bool {
		return !slices.ContainsFunc(other.Catalogs, func(o report.Catalog) bool { return o.Path == c.Path })
	})
}

// counted returns catalogs without the tokens of those whose tokens the other side does not know: their sums are to be of the same catalogs.
func counted(catalogs, other []report.Catalog) []report.Catalog {
	unknown := map[string]bool{}
	for _, c := range other {
		unknown[c.Path] = unknown[c.Path] || !c.SurfaceTokens.IsKnown()
	}
	list := slices.Clone(catalogs)
	for i := range list {
		if unknown[list[i].Path] {
			list[i].SurfaceTokens = report.NotKnown
		}
	}
	return list
}

func (c *comparer) addRemoved() {
	mistakes := map[string]report.Problem{}
	for _, p := range slices.Backward(c.head.Problems) {
		mistakes[p.Path] = p // the first of each file
	}
	lost, read := map[string]int{}, map[string]bool{}
	for i := range c.head.Cases {
		read[c.head.Cases[i].Suite] = true
	}
	for _, one := range c.vanished {
		_, notEvaluated := mistakes[one.Suite]
		notEvaluated = notEvaluated && !read[one.Suite] // otherwise its mistakes are those of the cases that it still has
		if notEvaluated {
			c.out.Removed = append(c.out.Removed, report.Gone{ID: one.ID, Suite: one.Suite, Name: one.Name, Model: one.Model, NotEvaluated: true})
			lost[one.Suite]++
			continue
		}
		c.removed(one)
	}
	for _, suite := range slices.Compact(suitesOf(c.vanished)) {
		if n := lost[suite]; n > 0 {
			c.out.Regressions = append(c.out.Regressions, report.Regression{
				Kind: report.NotEvaluated, Case: suite, What: judge.CountOf(n, "case"), Path: suite, Line: mistakes[suite].Line,
			})
		}
	}
}

func (c *comparer) removed(one *report.Case) {
	c.out.Removed = append(c.out.Removed, report.Gone{ID: one.ID, Suite: one.Suite, Name: one.Name, Model: one.Model})
	c.out.Weakened = append(c.out.Weakened, report.Weakening{
		Kind: report.CaseRemoved, Case: one.ID, Suite: one.Suite, Name: one.Name, Model: one.Model,
	})
}

func suitesOf(cases []*report.Case) []string {
	var suites []string
	for _, c := range cases {
		suites = append(suites, c.Suite)
	}
	slices.Sort(suites)
	return suites
}

// TotalsOf returns the figures of a report as a whole.
func TotalsOf(cases []report.Case, catalogs []report.Catalog) report.Totals {
	t := report.Totals{Cases: len(cases), Catalogs: len(catalogs), F1: pooledF1(cases), Rate: pooledRate(cases)}
	for _, c := range cases {
		if c.Verdict.Broken() {
			t.Broken++
		}
	}
	isKnown := len(catalogs) == 0
	for _, c := range catalogs {
		isKnown = isKnown || c.SurfaceTokens.IsKnown()
		t.Surface += report.Count(c.SurfaceTokens.OrNone())
	}
	if !isKnown {
		t.Surface = report.NotKnown
	}
	return t
}

// pooledF1 returns 2TP/(2TP+FP+FN) over the cases in percent, rounded down; nil without any counts. One gate of a case
// counts, because all of its gates that have counts have the same.
func pooledF1(cases []report.Case) *int {
	hits, whole, known := 0, 0, false
	for _, c := range cases {
		for _, g := range c.Gates {
			if tp, ok := g.Counts["tp"]; ok {
				hits, whole, known = hits+2*tp, whole+2*tp+g.Counts["fp"]+g.Counts["fn"], true
				break
			}
		}
	}
	percent := 100
	if whole > 0 {
		percent = 100 * hits / whole
	}
	if !known {
		return nil
	}
	return &percent
}

// pooledRate returns the share of all judged runs that selected, in percent, rounded down; nil without a case that counts them.
func pooledRate(cases []report.Case) *int {
	selected, runs := 0, 0
	for i := range cases {
		if g := cases[i].Gate("tool_selection"); g != nil {
			selected, runs = selected+g.Counts["selected"], runs+g.Counts["runs"]
		}
	}
	if runs <= 0 {
		return nil
	}
	percent := 100 * selected / runs
	return &percent
}

// byPlace orders findings for people: the worst first, then by place. "critical" is before "warning".
func byPlace(a, b report.Finding) int {
	return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Argument, b.Argument))
}
