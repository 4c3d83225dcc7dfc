// Package compare computes the differences between a report and the report of its base: regressions, weakenings of how the change
// is judged, and changed figures, tools, findings and cassettes.
package compare

import (
	"cmp"
	"maps"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/weaken"
	"github.com/org/mcp-gates/internal/stat"
)

// Options are the options of a comparison.
type Options struct {
	// Redact removes secrets from the texts of tools before they are compared or cut; nil leaves the texts unchanged.
	Redact func(string) string

	// Stands reports whether a path exists in the head's workspace: a catalog has moved only if its old path does not exist. If
	// Stands is nil, no path counts as existing.
	Stands func(path string) bool
}

// Reports returns the comparison of head with base. It pairs cases by suite, name and model, and a new case with a removed case if
// both have the same evidence. Findings are the same if rule, server, tool and argument are the same.
func Reports(base, head *report.Report, o Options) *report.Comparison {
	if o.Redact == nil {
		o.Redact = func(text string) string { return text }
	}
	if o.Stands == nil {
		o.Stands = func(string) bool { return false }
	}
	base = withoutRemoved(base)
	c := &comparer{base: base, head: head, options: o, out: &report.Comparison{Base: report.Base{Verdict: base.Verdict, Mistakes: len(base.Problems), Unread: base.Unread}}}
	for _, one := range base.Cases {
		if one.LeftOut == report.HasMistakes {
			c.out.Base.Mistaken = append(c.out.Base.Mistaken, one.ID)
		}
	}
	c.before, c.after = comparableCatalogs(base.Catalogs, head), comparableCatalogs(head.Catalogs, base)
	c.out.Totals = [2]report.Totals{TotalsOf(base.Cases, withCommonTokens(c.before, c.after)), TotalsOf(head.Cases, withCommonTokens(c.after, c.before))}
	c.movedTo = report.MovedCatalogs(base.Catalogs, head.Catalogs, c.options.Stands)
	c.compareScores()
	c.compareCosts()
	evidenceIsSet := func(int) {}
	c.partners, c.vanished = Pairing(base.Cases, head.Cases, evidenceIsSet)
	for i := range head.Cases {
		c.compareCase(c.partners[i], &head.Cases[i])
	}
	c.addRemoved()
	c.compareExecutables()
	c.out.Weakened = append(c.out.Weakened, weaken.Suites(base, head, c.suitePairs())...)
	c.compareTools()
	c.compareInstructions()
	c.compareFindings()
	c.out.Weakened = append(c.out.Weakened, weaken.Rules(c.before, c.after, head.Cases, c.out.Weakened)...)
	c.out.Cassettes = c.compareCassettes()
	c.out.Outdated = slices.Clone(head.Outdated)
	c.out.Weakened = append(c.out.Weakened, head.Uncovered...)
	return c.out
}

// withoutRemoved returns a report without the cases that only its base had.
func withoutRemoved(r *report.Report) *report.Report {
	isRemoved := func(c report.Case) bool { return c.Removed }
	if !slices.ContainsFunc(r.Cases, isRemoved) {
		return r
	}
	one := *r
	one.Cases = slices.DeleteFunc(slices.Clone(r.Cases), isRemoved)
	return &one
}

type comparer struct {
	base, head *report.Report
	options    Options // both functions are set
	out        *report.Comparison
	before     []report.Catalog // catalogs of the base that can be compared with the head
	after      []report.Catalog // catalogs of the head that can be compared with the base
	partners   []*report.Case   // the base's case for each case of the head; nil for a new case
	vanished   []*report.Case   // cases that only the base has, in its order
	drops      stat.Drops

	successors map[catalog.Ref]catalog.Ref // new names of the base's renamed tools

	namelessGone bool // the base has a catalog without a server, and the head has none

	movedTo map[string]string // the head's path of each catalog of the base that moved, see [report.MovedCatalogs]
}

// suitePairs maps each suite of the head that has cases of the base to the base's suite with these cases. If the cases come from
// several suites, the suite at the same path wins, otherwise the suite of the first case.
func (c *comparer) suitePairs() map[string]string {
	pairs := map[string]string{}
	for i, was := range c.partners {
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

// comparableCatalogs returns the catalogs that can be compared with other. If other has mistakes, a catalog that it lacks may be
// unread, not removed.
func comparableCatalogs(catalogs []report.Catalog, other *report.Report) []report.Catalog {
	if len(other.Problems) == 0 {
		return catalogs
	}
	return slices.DeleteFunc(slices.Clone(catalogs), func(c report.Catalog) bool {
		return !slices.ContainsFunc(other.Catalogs, func(o report.Catalog) bool { return o.Path == c.Path })
	})
}

// withCommonTokens returns the catalogs without the tokens that are unknown in other, because both sums must cover the same
// catalogs.
func withCommonTokens(catalogs, other []report.Catalog) []report.Catalog {
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

// addRemoved adds the cases that the head lacks. If their suite has a mistake, they count as not evaluated.
func (c *comparer) addRemoved() {
	mistakes := map[string]report.Problem{}
	for _, p := range slices.Backward(c.head.Problems) {
		mistakes[p.Path] = p // the first mistake of each file
	}
	notEvaluatedIn, isSuiteRead := map[string]int{}, c.head.Suites()
	for _, one := range c.vanished {
		_, hasMistake := mistakes[one.Suite]
		if hasMistake && !isSuiteRead[one.Suite] { // if the suite was read, its mistakes belong to cases that it still has
			c.out.Removed = append(c.out.Removed, report.Gone{ID: one.ID, Suite: one.Suite, Name: one.Name, Model: one.Model, NotEvaluated: true})
			notEvaluatedIn[one.Suite]++
			continue
		}
		c.noteRemoved(one)
	}
	for _, suite := range slices.Sorted(maps.Keys(notEvaluatedIn)) {
		c.out.Regressions = append(c.out.Regressions, report.Regression{
			Kind: report.NotEvaluated, Case: suite, What: judge.CountOf(notEvaluatedIn[suite], "case"), Path: suite, Line: mistakes[suite].Line,
		})
	}
}

func (c *comparer) noteRemoved(one *report.Case) {
	c.out.Removed = append(c.out.Removed, report.Gone{ID: one.ID, Suite: one.Suite, Name: one.Name, Model: one.Model})
	c.out.Weakened = append(c.out.Weakened, report.Weakening{
		Kind: report.CaseRemoved, Case: one.ID, Suite: one.Suite, Name: one.Name, Model: one.Model,
	})
}

// TotalsOf returns the figures of a whole report.
func TotalsOf(cases []report.Case, catalogs []report.Catalog) report.Totals {
	t := report.Totals{Cases: len(cases), Catalogs: len(catalogs), F1: pooledF1(cases), Rate: pooledRate(cases)}
	t.Broken = lists.Count(cases, func(c report.Case) bool { return c.Verdict.Broken() })
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

// pooledF1 returns 2TP/(2TP+FP+FN) over the cases in percent, rounded down; nil if no case has counts. In each case it uses the
// first gate with counts, because all such gates of a case have the same counts.
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

// pooledRate returns the share of the judged runs that selected the expected tools, over all cases, in percent, rounded down; nil if
// no case has these counts.
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
