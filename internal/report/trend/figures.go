package trend

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strconv"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// Figure is one figure of a case or a catalog.
type Figure struct {
	Gate    string // gate that measured the figure; "" for a count without a gate
	Target  string // name of the figure in expect: and in reports
	Value   judge.Value
	Matcher string        // bound in the suite, such as ">= 80"; "" for none
	Verdict judge.Verdict // result of Matcher; "" for none
}

// Case is the state of a case in one commit. Several commits can share it, so it must not be changed.
type Case struct {
	Suite, ID, Name, Model string

	Verdict judge.Verdict
	Runs    int      // number of scored runs
	Reason  string   // why gates gave no verdict; "" if they did
	Figures []Figure // sorted by gate and target

	Recordings string // hashes of the case's recordings; "" for none
}

// Catalog is the state of a catalog in one commit. Several commits can share it, so it must not be changed.
type Catalog struct {
	Name    string // name of the server, or the path
	Path    string // path of the catalog in the newest commit
	Then    string // path of the catalog in this commit
	Figures []Figure
}

// CaseOf returns the state of a case, as far as a history shows it.
func CaseOf(c *report.Case) *Case {
	one := &Case{Suite: c.Suite, ID: c.ID, Name: c.Name, Model: string(c.Model), Verdict: c.Verdict, Runs: c.Runs.Scored, Reason: string(c.LeftOut)}
	if c.Err != nil {
		one.Reason = c.Err.Message
	}
	for _, r := range c.Recordings {
		one.Recordings += string(r.SHA256) + " "
	}
	for i := range c.Gates {
		one.Figures = append(one.Figures, figuresOf(&c.Gates[i])...)
	}
	if t := c.Tokens; t != nil {
		for _, f := range []struct {
			target string
			n      int64
		}{{"tokens.max", t.Max}, {"tokens.median", t.Median}, {"tokens.total", t.Total}} {
			one.Figures = append(one.Figures, Figure{Target: f.target, Value: judge.Ratio(f.n, 1, judge.Tokens)})
		}
	}
	if cost, ok := decimal(c.CostUSD); ok {
		one.Figures = append(one.Figures, Figure{Target: "cost_usd", Value: cost})
	}
	sort.SliceStable(one.Figures, func(i, j int) bool {
		a, b := &one.Figures[i], &one.Figures[j]
		return cmp.Or(cmp.Compare(a.Gate, b.Gate), cmp.Compare(a.Target, b.Target)) < 0
	})
	return one
}

// figuresOf returns the figures of a gate: the measured figures, and figures that only an expectation names.
func figuresOf(g *judge.Result) []Figure {
	known := map[string]*Figure{}
	for target, value := range g.Metrics {
		known[target] = &Figure{Gate: g.Gate, Target: target, Value: value}
	}
	for _, a := range g.Assertions {
		target := a.Target
		if a.K > 0 {
			target += "[" + strconv.Itoa(a.K) + "]"
		}
		f := known[target]
		if f == nil {
			value, isFigure := a.Actual.(judge.Value)
			if !isFigure {
				continue
			}
			f = &Figure{Gate: g.Gate, Target: target, Value: value}
			known[target] = f
		}
		if f.Matcher == "" || a.Verdict != judge.Pass { // if there are several bounds, keep one that does not hold
			f.Matcher, f.Verdict = a.Matcher, a.Verdict
		}
	}
	var list []Figure
	for _, target := range slices.Sorted(maps.Keys(known)) {
		list = append(list, *known[target])
	}
	return list
}

// CatalogOf returns the state of a catalog, as far as a history shows it.
func CatalogOf(c *report.Catalog) *Catalog {
	one := &Catalog{Name: c.Name, Path: c.Path, Then: c.Path}
	add := func(target string, value judge.Value) {
		one.Figures = append(one.Figures, Figure{Target: target, Value: value})
	}
	count := func(target string, n report.Count, unit judge.Unit) {
		if n.IsKnown() {
			add(target, judge.Ratio(int64(n), 1, unit))
		}
	}
	add("conformance_critical", judge.Int(c.Counts.ConformanceCritical, judge.Number))
	add("conformance_warning", judge.Int(c.Counts.ConformanceWarning, judge.Number))
	add("critical", judge.Int(c.Counts.Critical, judge.Number))
	if mean, ok := decimal(c.MeanScore); ok {
		add("mean_score", mean)
	}
	if least, ok := decimal(c.MinScore); ok {
		add("min_score", least)
	}
	count("schema_critical", c.Counts.SchemaCritical, judge.Number)
	count("schema_warning", c.Counts.SchemaWarning, judge.Number)
	count("surface_tokens", c.SurfaceTokens, judge.Tokens)
	add("tools", judge.Int(len(c.Tools), judge.Number))
	add("warning", judge.Int(c.Counts.Warning, judge.Number))
	return one
}

// decimal parses a figure of a report; ok is false if the report has none.
func decimal(text report.Optional) (value judge.Value, ok bool) {
	return value, text != "" && value.UnmarshalJSON([]byte(strconv.Quote(string(text)))) == nil
}
