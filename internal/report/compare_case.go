package report

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/stat"
)

// Delta is a figure of both sides.
type Delta struct {
	Name string   `json:"name"`
	Base Optional `json:"base"` // digits, with the unit's sign where it has one; null where the figure is absent
	Head Optional `json:"head"`

	// P is the two-sided p-value of Fisher's exact test, four decimals, for a rate that changed; Runs are the runs that
	// it stands on, of base and head.
	P    Optional `json:"p,omitempty"`
	Runs *[2]int  `json:"runs,omitempty"`
}

// Changed reports whether the figure differs.
func (d Delta) Changed() bool { return d.Base != d.Head }

// The figures that every case is compared by, in the order of tables.
const (
	FigureF1               = "f1"
	FigureRecall           = "recall"
	FigureSelectionRate    = "selection_rate"
	FigurePassK            = "pass^k"
	FigureTokensPerCorrect = "tokens_per_correct"
	FigureSurfaceTokens    = "surface_tokens"
	FigureRunTokens        = "run_tokens"     // the median
	FigureRunTokensMax     = "run_tokens_max" // shown with the median
)

// figure is one of them.
type figure struct {
	name, title string   // without a title it shares the column of another
	label       string   // in a line of text; "" is the name
	metrics     []string // the figure is the first of these that a gate of the case has
	of          func(*Case) Optional
	count       string // the key of the counts behind a rate, beside runs
	with        string // the figure that always stands beside it
}

var caseFigures = []figure{
	{name: FigureF1, title: "F1", metrics: []string{"tool_selection.f1", "token_efficiency.f1"}},
	{name: FigureRecall, title: "Recall", metrics: []string{"tool_selection.recall"}},
	{name: FigureSelectionRate, title: "Selection rate", metrics: []string{"tool_selection.rate"}, count: "selected"},
	{name: FigurePassK, title: "pass^k", metrics: []string{"tool_selection.within_budget_rate"}, count: "within_budget"},
	{name: FigureTokensPerCorrect, title: "Tokens per correct", metrics: []string{"token_efficiency.tokens_per_correct"}},
	{name: FigureSurfaceTokens, title: "Surface tokens", metrics: []string{"token_efficiency.tool_surface_tokens"}},
	{name: FigureRunTokens, title: "Run tokens, median / max", label: "run tokens (median)", of: medianTokens, with: FigureRunTokensMax},
	{name: FigureRunTokensMax, label: "run tokens (max)", of: maxTokens, with: FigureRunTokens},
}

// value returns the figure of a case, which may be nil.
func (f figure) value(c *Case) Optional {
	if c == nil {
		return ""
	}
	if f.of != nil {
		return f.of(c)
	}
	for _, target := range f.metrics {
		for _, g := range c.Gates {
			if v, ok := g.Metrics[target]; ok {
				return Optional(v.Digits())
			}
		}
	}
	return ""
}

func medianTokens(c *Case) Optional {
	if c.Tokens == nil {
		return ""
	}
	return Optional(strconv.FormatInt(c.Tokens.Median, 10))
}

func maxTokens(c *Case) Optional {
	if c.Tokens == nil {
		return ""
	}
	return Optional(strconv.FormatInt(c.Tokens.Max, 10))
}

// figureNamed returns what is known of a figure; a saved report can hold one that is not known.
func figureNamed(name string) figure {
	if i := slices.IndexFunc(caseFigures, func(f figure) bool { return f.name == name }); i >= 0 {
		return caseFigures[i]
	}
	return figure{name: name}
}

// compareCase compares a case of the head with the base's, which is nil for a new one.
func (c *comparer) compareCase(base, head *Case) {
	p := Pair{ID: head.ID, New: base == nil}
	if base != nil {
		p.Base = base.Verdict
		p.Fixed = broken(base.Verdict) && head.Verdict == judge.Pass && !head.softened()
		if base.key() != head.key() {
			p.WasID = Optional(base.ID)
		}
	}
	p.compareFigures(base, head)
	p.compareWrong(base, head)
	p.BaseCurve = baseCurve(base, head)
	found := regressionsOf(base, head)
	p.Worse = len(found) > 0
	c.out.Regressions = append(c.out.Regressions, found...)
	if base != nil {
		settings := weakenings(c.followed(base, head), head, c.head.Mode == Live)
		c.inEffect(head, settings)
		c.out.Weakened = append(c.out.Weakened, settings...)
	}
	c.out.Cases = append(c.out.Cases, p)
}

func (p *Pair) compareFigures(base, head *Case) {
	for _, f := range caseFigures {
		d := Delta{Name: f.name, Base: f.value(base), Head: f.value(head)}
		if d.Base == "" && d.Head == "" {
			continue
		}
		if f.count != "" && base != nil && d.Changed() {
			d.test(base.trials(f.count), head.trials(f.count))
		}
		p.Figures = append(p.Figures, d)
	}
	if base == nil {
		return
	}
	p.Others = otherFigures(base, head)
	p.Changed = base.Verdict != head.Verdict || len(p.Others) > 0 || slices.ContainsFunc(p.Figures, Delta.Changed)
}

// trials are the successes and the runs behind a rate.
type trials struct{ won, of int }

// trials returns what the count called name stands on.
func (c *Case) trials(name string) trials {
	for _, g := range c.Gates {
		if won, ok := g.Counts[name]; ok {
			return trials{won, g.Counts["runs"]}
		}
	}
	return trials{}
}

func (t trials) valid() bool { return t.won >= 0 && t.won <= t.of && t.of > 0 && t.of <= 1_000_000 }

// test tells how likely it is that so large a change comes of chance alone.
func (d *Delta) test(base, head trials) {
	if !base.valid() || !head.valid() { // a saved report can say anything
		return
	}
	p := stat.Fisher(base.won, base.of, head.won, head.of)
	d.P = Optional(fmt.Sprintf("%d.%04d", p/10000, p%10000))
	d.Runs = &[2]int{base.of, head.of}
}

// otherFigures returns the figures that changed and have no column of their own, of gates that both cases have.
func otherFigures(base, head *Case) []Delta {
	var list []Delta
	for i := range head.Gates {
		h := &head.Gates[i]
		b := base.gate(h.Gate)
		if b == nil {
			continue
		}
		targets := slices.AppendSeq(slices.Collect(maps.Keys(h.Metrics)), maps.Keys(b.Metrics))
		slices.Sort(targets)
		for _, target := range slices.Compact(targets) {
			d := Delta{Name: target, Base: metricText(b, target), Head: metricText(h, target)}
			if d.Changed() && !hasColumn(target) {
				list = append(list, d)
			}
		}
	}
	return list
}

// hasColumn reports whether a target is shown elsewhere: in a column, or tool by tool in the surface.
func hasColumn(target string) bool {
	return strings.Contains(target, "[") || target == "tool_selection.precision" || // which F1 and recall tell
		slices.ContainsFunc(caseFigures, func(f figure) bool { return slices.Contains(f.metrics, target) })
}

func metricText(g *judge.Result, target string) Optional {
	v, ok := g.Metrics[target]
	if !ok {
		return ""
	}
	return Optional(v.Format())
}

// gate returns the case's gate of that name; nil when it has none.
func (c *Case) gate(name string) *judge.Result {
	for i := range c.Gates {
		if c.Gates[i].Gate == name {
			return &c.Gates[i]
		}
	}
	return nil
}

// difference returns head - base with its sign; "" when one of them is no number or there is no difference.
func (d Delta) difference() string {
	base, okBase := digits(string(d.Base))
	head, okHead := digits(string(d.Head))
	if !okBase || !okHead {
		return ""
	}
	diff := new(big.Rat).Sub(head, base)
	_, fraction, _ := strings.Cut(strings.TrimSuffix(string(d.Head), "%"), ".")
	text := diff.FloatString(len(fraction))
	switch diff.Sign() {
	case 0:
		return ""
	case 1:
		return "+" + text
	}
	return "−" + strings.TrimPrefix(text, "-")
}

// maxDigits bounds the figures that are computed with, for a saved report can hold anything. The longest number of a suite
// has 80 digits and a power of ten of two digits.
const maxDigits = 200

// digits returns the number that a printed figure is.
func digits(figure string) (*big.Rat, bool) {
	s := strings.TrimSuffix(strings.TrimPrefix(figure, "$"), "%")
	if s == "" || len(s) > maxDigits || strings.Trim(s, "-.0123456789") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// compareWrong tells what went wrong in the head and not in the base.
func (p *Pair) compareWrong(base, head *Case) {
	before := wrongIn(base)
	after := wrongIn(head)
	p.NewMissed = without(after.missed, before.missed)
	p.NewUnexpected = without(after.unexpected, before.unexpected)
	p.NewFailures = without(after.failures, before.failures)
}

// news returns the list of a comparison in which new notes of a kind stand.
func (p *Pair) news(kind *judge.Kind) []string {
	switch kind.News {
	case judge.NewMissed:
		return p.NewMissed
	case judge.NewUnexpected:
		return p.NewUnexpected
	}
	return nil
}

// wrong is what went wrong in a case, each list sorted, each name once.
type wrong struct{ missed, unexpected, failures []string }

func wrongIn(c *Case) wrong {
	var w wrong
	if c == nil {
		return w
	}
	for _, g := range c.Gates {
		for _, n := range g.Notes {
			switch judge.KindOf(n.Kind).News {
			case judge.NewMissed:
				w.missed = append(w.missed, n.Subject)
			case judge.NewUnexpected:
				w.unexpected = append(w.unexpected, n.Subject)
			}
		}
		for _, a := range g.Assertions {
			w.failed(&a)
		}
	}
	for _, e := range c.Expect {
		w.failed(&e.Assertion)
	}
	for _, list := range []*[]string{&w.missed, &w.unexpected, &w.failures} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return w
}

func (w *wrong) failed(a *judge.Assertion) {
	if a.Verdict == judge.Fail || a.Verdict == judge.Error {
		w.failures = append(w.failures, a.Target)
	}
}

// without returns what a has and b, which is sorted, does not.
func without(a, b []string) []string {
	var list []string
	for _, s := range a {
		if _, found := slices.BinarySearch(b, s); !found {
			list = append(list, s)
		}
	}
	return list
}
