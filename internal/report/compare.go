package report

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
)

// Comparison says how a report differs from the one of its base. It holds all that renderers show of the base.
type Comparison struct {
	Base    Base      `json:"base"`
	Totals  [2]Totals `json:"totals"`  // base, head; over the catalogs that could be compared
	Cases   []Pair    `json:"cases"`   // of the head, in its order
	Removed []Gone    `json:"removed"` // cases of the base that the head does not have, in the base's order

	Regressions []Regression     `json:"regressions"` // in the order of cases, then of catalogs
	Weakened    []Weakening      `json:"weakened"`    // in the order of cases, of each first what is weakened in effect, then by setting
	Unjudged    []Unjudged       `json:"unjudged"`    // cases that the base's suites could not judge, in the order of cases
	Tools       []ToolChange     `json:"tools"`       // the biggest increase first
	New         []Finding        `json:"new_findings"`
	Fixed       []Finding        `json:"fixed_findings"`
	Cassettes   []CassetteChange `json:"cassettes"` // by path
}

// Base says what a report was compared with. Whoever compares fills in what it knows of the first three.
type Base struct {
	Ref      Optional      `json:"ref"`  // a branch or tag
	SHA      Optional      `json:"sha"`  // a commit
	File     Optional      `json:"file"` // a saved report
	Verdict  judge.Verdict `json:"verdict"`
	Mistakes int           `json:"mistakes"` // in its suites, cassettes and catalogs: what they are about could not be compared
	Unread   []string      `json:"unread"`   // suites of it that have mistakes, sorted: they judged nothing, and their settings were not compared
}

// Totals are figures of a report as a whole.
type Totals struct {
	Cases    int   `json:"cases"`
	Broken   int   `json:"broken"`         // cases that failed or could not be evaluated
	F1       *int  `json:"f1"`             // percent, pooled over the cases that have one; nil when none has
	Surface  int64 `json:"surface_tokens"` // sum over the catalogs
	Catalogs int   `json:"catalogs"`
}

// Pair is a case of the head, and the one of the base that it is compared with.
type Pair struct {
	ID      string        `json:"id"`
	WasID   Optional      `json:"was_id"`  // of the base's case, when it was renamed
	New     bool          `json:"new"`     // the base has no such case
	Changed bool          `json:"changed"` // the verdict or a figure
	Worse   bool          `json:"worse"`   // there is a regression of this case
	Fixed   bool          `json:"fixed"`   // it passes, failed or could not be evaluated, and does not owe that to a softened suite
	Base    judge.Verdict `json:"base_verdict,omitempty"`

	Figures []Delta `json:"figures"` // those of figureNames that either side has, in that order
	Others  []Delta `json:"others"`  // other figures that changed, by name

	BaseCurve []judge.CurvePoint `json:"base_curve,omitempty"` // of the base, where the head has another one

	NewMissed     []string `json:"new_missed"`     // classes that the base did not miss
	NewUnexpected []string `json:"new_unexpected"` // tools that the base's runs did not call unexpectedly
	NewFailures   []string `json:"new_failures"`   // targets of assertions that fail and did not fail in the base
}

// Gone is a case that the head does not have.
type Gone struct {
	ID           string   `json:"id"`
	Suite        string   `json:"suite"`
	Name         string   `json:"name"`
	Model        Optional `json:"model"`
	NotEvaluated bool     `json:"not_evaluated"` // its suite is there, but has a mistake
}

// Regression is something that got worse than in the base.
type Regression struct {
	Kind string `json:"kind"`
	Case string `json:"case"` // id of the head's case; of a finding the catalog's path
	What string `json:"what"` // target of an assertion, or rule and tool
	Path string `json:"path"`
	Line int    `json:"line"`
	Base string `json:"base"` // verdict or figure; "" when there is none
	Head string `json:"head"`
}

// The kinds of regressions.
const (
	WorseVerdict  = "verdict"       // a case's verdict is worse
	WorseFigure   = "figure"        // the figure of a failing assertion moved away from its bound
	NewFailure    = "expectation"   // an assertion fails that did not, or a gate could not be evaluated that could, in a case that is no worse otherwise
	MoreRuns      = "runs"          // an expectation on every run fails in a larger share of the runs
	BrokenNewCase = "new_case"      // a new case does not pass
	NotEvaluated  = "not_evaluated" // cases of a suite that has a mistake now
	NewCritical   = "critical"      // a new critical finding
)

// Compare says how head differs from base. Cases are paired by suite, name and model, and a case that has the cassette
// of one that is gone is that case renamed. Findings are the same when rule, server, tool and argument are.
func Compare(base, head *Report) *Comparison {
	c := &comparer{base: base, head: head, out: &Comparison{Base: Base{Verdict: base.Verdict, Mistakes: len(base.Problems), Unread: base.Unread}}}
	c.before, c.after = comparable(base.Catalogs, head), comparable(head.Catalogs, base)
	c.out.Totals = [2]Totals{totalsOf(base.Cases, c.before), totalsOf(head.Cases, c.after)}
	c.moved = movedCatalogs(base.Catalogs, head.Catalogs)
	c.partner, c.vanished = pairing(base.Cases, head.Cases)
	for i := range head.Cases {
		c.compareCase(c.partner[i], &head.Cases[i])
	}
	c.gone()
	c.out.Tools = compareTools(c.before, c.after)
	c.findings()
	c.rules()
	c.out.Cassettes = c.compareCassettes()
	return c.out
}

// comparer compares two reports.
type comparer struct {
	base, head *Report
	out        *Comparison
	before     []Catalog // of the base, and
	after      []Catalog // of the head, as far as the other side can be held against them
	partner    []*Case   // by case of the head; nil for a new one
	vanished   []*Case   // of the base, in its order

	moved map[string]string // the head's path of a catalog of the base that was moved as it is
}

// comparable returns the catalogs that can be held against the other side. Where that has mistakes, a catalog that it
// does not show may be one that it could not read.
func comparable(catalogs []Catalog, other *Report) []Catalog {
	if len(other.Problems) == 0 {
		return catalogs
	}
	return slices.DeleteFunc(slices.Clone(catalogs), func(c Catalog) bool {
		return !slices.ContainsFunc(other.Catalogs, func(o Catalog) bool { return o.Path == c.Path })
	})
}

// gone tells of the cases that the head does not have.
func (c *comparer) gone() {
	mistakes := map[string]Problem{}
	for _, p := range slices.Backward(c.head.Problems) {
		mistakes[p.Path] = p // the first of each file
	}
	lost := map[string]int{}
	for _, one := range c.vanished {
		_, notEvaluated := mistakes[one.Suite]
		c.out.Removed = append(c.out.Removed, Gone{one.ID, one.Suite, one.Name, one.Model, notEvaluated})
		if notEvaluated {
			lost[one.Suite]++
			continue
		}
		c.out.Weakened = append(c.out.Weakened, Weakening{
			Kind: CaseRemoved, Case: one.ID, Suite: one.Suite, Name: one.Name, Model: one.Model,
		})
	}
	for _, suite := range slices.Compact(suitesOf(c.vanished)) {
		if n := lost[suite]; n > 0 {
			c.out.Regressions = append(c.out.Regressions, Regression{
				Kind: NotEvaluated, Case: suite, What: count(n, "case"), Path: suite, Line: mistakes[suite].Line,
			})
		}
	}
}

func suitesOf(cases []*Case) []string {
	var suites []string
	for _, c := range cases {
		suites = append(suites, c.Suite)
	}
	slices.Sort(suites)
	return suites
}

// totalsOf returns the figures of a report as a whole.
func totalsOf(cases []Case, catalogs []Catalog) Totals {
	t := Totals{Cases: len(cases), Catalogs: len(catalogs)}
	var sum scores
	for i := range cases {
		if broken(cases[i].Verdict) {
			t.Broken++
		}
		sum.add(&cases[i])
	}
	t.F1 = sum.f1()
	for _, c := range catalogs {
		t.Surface += c.SurfaceTokens
	}
	return t
}

// scores are the counts behind F1, pooled over cases.
type scores struct {
	tp, fp, fn int64
	any        bool
}

// add adds the counts of a case: of one gate, for all of its gates that have some have the same.
func (s *scores) add(c *Case) {
	for _, g := range c.Gates {
		if _, ok := g.Counts["tp"]; ok {
			s.tp += int64(g.Counts["tp"])
			s.fp += int64(g.Counts["fp"])
			s.fn += int64(g.Counts["fn"])
			s.any = true
			return
		}
	}
}

// f1 returns 2TP/(2TP+FP+FN) in percent, rounded down; nil without any counts.
func (s *scores) f1() *int {
	if !s.any {
		return nil
	}
	percent := 100
	if whole := 2*s.tp + s.fp + s.fn; whole > 0 {
		percent = int(200 * s.tp / whole)
	}
	return &percent
}

// IsChanged reports whether anything that is shown differs from the base.
func (c *Comparison) IsChanged() bool {
	return len(c.Removed)+len(c.Regressions)+len(c.Weakened)+len(c.Tools)+len(c.New)+len(c.Fixed)+len(c.Cassettes) > 0 ||
		slices.ContainsFunc(c.Cases, func(p Pair) bool { return p.New || p.Changed || p.WasID != "" })
}

// Regressed reports whether anything got worse than in the base.
func (c *Comparison) Regressed() bool { return len(c.Regressions) > 0 }

// IsWeakened reports whether the head weakens its own judge, as fail-on-weakened counts it.
func (c *Comparison) IsWeakened() bool {
	return slices.ContainsFunc(c.Weakened, func(w Weakening) bool { return !w.ToldOnly })
}

// byPlace orders findings for people: the worst first, then by place.
func byPlace(a, b Finding) int {
	return cmp.Or(cmp.Compare(severityRank(a.Severity), severityRank(b.Severity)), cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Argument, b.Argument))
}

func severityRank(severity string) int {
	switch severity {
	case "critical":
		return 0
	case "warning":
		return 1
	}
	return 2
}
