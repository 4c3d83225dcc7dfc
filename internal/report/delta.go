package report

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/stat"
)

// Delta is a figure in base and head.
type Delta struct {
	Name string   `json:"name"`
	Base Optional `json:"base"` // digits of the figure, with the sign of its unit, if any; null if the figure is absent
	Head Optional `json:"head"`

	// P is the two-sided p-value of Fisher's exact test, with four decimals, for a rate that changed. Runs are the numbers of
	// runs in base and head.
	P    Optional `json:"p,omitempty"`
	Runs *[2]int  `json:"runs,omitempty"`

	// Needed is set if the drop is not distinguishable from chance. It is the number of runs in each of base and head that would
	// reveal the drop with a chance of 80 %, or one more than [stat.MostRuns] if more runs are needed.
	Needed int `json:"runs_needed,omitzero"`
}

// Changed reports whether the figure differs.
func (d Delta) Changed() bool { return d.Base != d.Head }

// Names of figures.
const (
	FigureSelectionRate = "selection_rate"
	FigureRunTokens     = "run_tokens"     // the median
	FigureRunTokensMax  = "run_tokens_max" // always shown beside the median
	FigureMeanScore     = "mean_score"     // mean score of a catalog, which is shown if a rule moved it
	FigureMinScore      = "min_score"      // lowest score of a catalog, which is shown if a rule moved it
)

// Figure is a figure by which every case is compared.
type Figure struct {
	Name, Title string   // a figure without a title is shown in the column of another figure
	Label       string   // its name in a line of text; "" means Name
	Metrics     []string // targets; the first target that a gate of the case measures gives the figure
	Of          func(*Case) Optional
	Count       string // key of the counts that the rate is made of, shown beside the number of runs
	With        string // name of the figure that is always shown beside this one
}

// Figures are the figures by which every case is compared, in the order of tables.
var Figures = []Figure{
	{Name: "f1", Title: "F1", Metrics: []string{"tool_selection.f1", "token_efficiency.f1"}},
	{Name: "recall", Title: "Recall", Metrics: []string{"tool_selection.recall"}},
	{Name: FigureSelectionRate, Title: "Selection rate", Metrics: []string{"tool_selection.rate"}, Count: "selected"},
	{Name: "pass^k", Title: stat.PassHatName(1), Metrics: []string{"tool_selection.within_budget_rate"}, Count: "within_budget"},
	{Name: "tokens_per_correct", Title: "Tokens per correct", Metrics: []string{"token_efficiency.tokens_per_correct"}},
	{Name: "surface_tokens", Title: "Surface tokens", Metrics: []string{"token_efficiency.tool_surface_tokens"}},
	{Name: FigureRunTokens, Title: "Run tokens, median / max", Label: "run tokens (median)", Of: ofTokens(func(t *Tokens) int64 { return t.Median }), With: FigureRunTokensMax},
	{Name: FigureRunTokensMax, Label: "run tokens (max)", Of: ofTokens(func(t *Tokens) int64 { return t.Max }), With: FigureRunTokens},
}

// Value returns the figure of a case; the case may be nil.
func (f Figure) Value(c *Case) Optional {
	if c == nil {
		return ""
	}
	if f.Of != nil {
		return f.Of(c)
	}
	for _, target := range f.Metrics {
		for _, g := range c.Gates {
			if v, ok := g.Metrics[target]; ok {
				return Optional(v.Digits())
			}
		}
	}
	return ""
}

func ofTokens(figure func(*Tokens) int64) func(*Case) Optional {
	return func(c *Case) Optional {
		if c.Tokens == nil {
			return ""
		}
		return Optional(strconv.FormatInt(figure(c.Tokens), 10))
	}
}

// FigureNamed returns the figure with this name. A saved report can have an unknown name.
func FigureNamed(name string) Figure {
	if i := slices.IndexFunc(Figures, func(f Figure) bool { return f.Name == name }); i >= 0 {
		return Figures[i]
	}
	return Figure{Name: name}
}

// Gate returns the result of the case's gate with this name; nil if there is none.
func (c *Case) Gate(name string) *judge.Result {
	return lists.Find(c.Gates, func(g *judge.Result) bool { return g.Gate == name })
}

// Difference returns head - base with its sign; "" if both are equal, or a figure is not a number.
func (d Delta) Difference() string {
	base, okBase := Digits(string(d.Base))
	head, okHead := Digits(string(d.Head))
	if !okBase || !okHead {
		return ""
	}
	diff := new(big.Rat).Sub(head, base)
	_, fraction, _ := strings.Cut(strings.TrimSuffix(string(d.Head), "%"), ".")
	text := Grouped(diff.FloatString(len(fraction)))
	switch diff.Sign() {
	case 0:
		return ""
	case 1:
		return "+" + text
	}
	return "−" + strings.TrimPrefix(text, "-")
}

// maxDigits bounds the length of figures in computations, because a saved report can have any number. The longest number that a
// suite may contain has 80 digits and an exponent of two digits.
const maxDigits = 200

// Digits returns the number in a formatted figure; ok is false if there is none.
func Digits(figure string) (*big.Rat, bool) {
	s := strings.TrimSuffix(strings.TrimPrefix(figure, "$"), "%")
	if s == "" || len(s) > maxDigits || strings.Trim(s, "-.0123456789") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// News returns the list of a comparison that contains new notes of this kind.
func (p *Pair) News(kind *judge.Kind) []string {
	switch kind.News {
	case judge.NewMissed:
		return p.NewMissed
	case judge.NewUnexpected:
		return p.NewUnexpected
	}
	return nil
}

// Figure returns the pair's figure with a name.
func (p *Pair) Figure(name string) Delta {
	return deltaNamed(p.Figures, name)
}

// Of returns the pair's figure for a target of a gate, from p.Figures or from p.Others.
func (p *Pair) Of(target string) Delta {
	for _, f := range Figures {
		if slices.Contains(f.Metrics, target) {
			return p.Figure(f.Name)
		}
	}
	return deltaNamed(p.Others, target)
}

func deltaNamed(list []Delta, name string) Delta {
	if d := lists.Find(list, func(d *Delta) bool { return d.Name == name }); d != nil {
		return *d
	}
	return Delta{}
}

// IsPercent reports whether the figure is a percentage.
func (f Figure) IsPercent() bool { return len(f.Metrics) > 0 && !strings.Contains(f.Title, "okens") }

// Significance returns a text on Fisher's test of the change. The test changes no verdict, because even a real drop from 10 of
// 10 to 6 of 10 has p = 0.09.
func (d Delta) Significance() string {
	p, ok := Digits(string(d.P))
	if !ok || d.Runs == nil {
		return ""
	}
	said, level := "distinguishable", big.NewRat(5, 100)
	if p.Cmp(level) >= 0 {
		said = "not distinguishable"
	}
	value := "= " + p.FloatString(2)
	switch {
	case value == "= 0.00":
		value = "< 0.01"
	case value == "= 0.05":
		value = "= " + p.FloatString(4) // two decimals would not show on which side of the level it is
	}
	return said + " with " + Thousands(int64(d.Runs[0])) + " and " + Thousands(int64(d.Runs[1])) + " runs (p " + value + ")" + d.needed()
}

func (d Delta) needed() string {
	switch {
	case d.Needed <= 0:
		return ""
	case d.Needed > stat.MostRuns:
		return "; more than " + strconv.Itoa(stat.MostRuns) + " runs a side would tell"
	}
	return "; " + strconv.Itoa(d.Needed) + " runs a side would tell"
}
