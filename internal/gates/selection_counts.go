package gates

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/stat"
	"github.com/org/mcp-gates/internal/trace"
)

type selectionCounts struct {
	tools     []string       // expected tools, as the suite writes them
	runs      []selectionRun // by number
	selected  int
	succeeded int // runs that call an expected tool and stay within the budget
	over      int // runs that exceed the budget
	uncounted int // runs whose tokens were not recorded
	tokens    []int64
}

type selectionRun struct {
	run      *trace.Run
	selected bool
	tokens   trace.Count
	over     bool
}

func (f *selectionFloor) count(runs []trace.Run) selectionCounts {
	c := selectionCounts{tools: f.tools, runs: make([]selectionRun, len(runs))}
	for i := range runs {
		r := f.countRun(&runs[i])
		c.runs[i] = r
		c.add(r)
	}
	sort.SliceStable(c.runs, func(i, j int) bool { return c.runs[i].run.Number < c.runs[j].run.Number })
	return c
}

func (f *selectionFloor) countRun(run *trace.Run) selectionRun {
	r := selectionRun{run: run, tokens: run.Tokens()}
	r.selected = slices.ContainsFunc(run.Calls, func(call trace.Call) bool { return f.members.Names(call.Tool.Ref) })
	r.over = f.hasBudget && r.tokens.Known && r.tokens.N > f.budget
	return r
}

func (c *selectionCounts) add(r selectionRun) {
	if r.tokens.Known {
		c.tokens = append(c.tokens, r.tokens.N)
	} else {
		c.uncounted++
	}
	if r.over {
		c.over++
	}
	if r.selected {
		c.selected++
		if !r.over {
			c.succeeded++
		}
	}
}

func (c *selectionCounts) maxTokens() int64 { return slices.Max(c.tokens) }

func (c *selectionCounts) selectedOf() string {
	return fmt.Sprintf("%d of %s selected %s", c.selected, judge.CountOf(len(c.runs), "run"), tickedTools(c.tools))
}

func (c *selectionCounts) overOf() string {
	return fmt.Sprintf("%d of %s", c.over, judge.CountOf(len(c.runs), "run"))
}

func (c *selectionCounts) succeededOf() string {
	return fmt.Sprintf("%d of %s succeeded", c.succeeded, judge.CountOf(len(c.runs), "run"))
}

func (c *selectionCounts) uncountedOf() string {
	if c.uncounted == 1 {
		return fmt.Sprintf("1 of %s has", judge.CountOf(len(c.runs), "run"))
	}
	return fmt.Sprintf("%d of %s have", c.uncounted, judge.CountOf(len(c.runs), "run"))
}

func tickedTools(tools []string) string {
	return "`" + strings.Join(tools, "` or `") + "`"
}

// Measure counts the runs that call an expected tool, and how many of these stay within the budget.
func (f *selectionFloor) Measure(tr *trace.Trace) judge.Measurement {
	c := f.count(tr.Runs)
	n := len(c.runs)
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}}
	m.Counts = map[string]int{"runs": n, "selected": c.selected}
	m.Selection = c.evidence(f.hasBudget)
	m.Breach = func(a *judge.Assertion) *judge.Breach { return f.breach(a, c) }
	m.Values["tool_selection.rate"] = judge.Int(stat.FloorPercent(int64(c.selected), int64(n)), judge.Percent)
	m.Values[minSelectionRate] = judge.Ratio(int64(c.selected), int64(n), judge.Fraction)
	detail := c.selectedOf()
	m.Detail["tool_selection.rate"], m.Detail[minSelectionRate] = detail, detail
	if f.hasBudget && c.uncounted > 0 {
		f.withoutTokens(&m, c)
	} else {
		f.measureSuccess(&m, c)
	}
	m.Summary = c.summary(m.Values, f.k)
	return m
}

func (f *selectionFloor) withoutTokens(m *judge.Measurement, c selectionCounts) {
	why := c.uncountedOf() + " no recorded tokens, which max_total_tokens needs; use a provider that reports them"
	targets := []string{"tool_selection.within_budget_rate", "tool_selection.certified_rate", maxTotalTokens, minPassHat, minCertifiedRate}
	for _, e := range f.expect {
		if _, ok := passHatTarget.Param(e.Target); ok {
			targets = append(targets, e.Target)
		}
	}
	for _, target := range targets {
		m.Absent[target] = why
	}
}

func (f *selectionFloor) measureSuccess(m *judge.Measurement, c selectionCounts) {
	n := len(c.runs)
	m.Counts["within_budget"] = c.succeeded
	m.PassHat = stat.PassHats(c.succeeded, n, passHatLimit(n))
	within := stat.FloorPercent(int64(c.succeeded), int64(n))
	m.Selection.Within, m.Selection.PassHat = &within, m.PassHat
	certified := judge.Int(stat.CertifiedLower(c.succeeded, n), judge.Percent)
	m.Values["tool_selection.within_budget_rate"] = judge.Int(within, judge.Percent)
	m.Values["tool_selection.certified_rate"] = certified
	m.Values[minCertifiedRate] = certified
	if len(c.tokens) > 0 {
		m.Values[maxTotalTokens] = judge.Ratio(c.maxTokens(), 1, judge.Tokens)
	}
	succeeded := c.succeededOf()
	for _, target := range []string{"tool_selection.within_budget_rate", "tool_selection.certified_rate", minCertifiedRate, minPassHat} {
		m.Detail[target] = succeeded
	}
	m.Detail[maxTotalTokens] = c.overOf() + " over budget"
	f.measurePassHat(m, c)
}

// passHatLimit returns the largest k for which a report lists pass_hat: the number of runs, or 100 for a long recording.
func passHatLimit(runs int) int {
	if runs > 1000 {
		return 100
	}
	return runs
}

// measurePassHat computes only the values of pass^k that the suite asks for, because there is one for each run.
func (f *selectionFloor) measurePassHat(m *judge.Measurement, c selectionCounts) {
	n := len(c.runs)
	for _, e := range f.expect {
		param, ok := passHatTarget.Param(e.Target)
		k, _ := strconv.Atoi(param)
		switch {
		case !ok:
		case k > n:
			m.Absent[e.Target] = tooFewRuns(k, n)
		default:
			m.Values[e.Target] = judge.Int(stat.PassHatPercent(c.succeeded, n, k), judge.Percent)
			m.Detail[e.Target] = c.succeededOf()
		}
	}
	if f.k > n {
		m.Absent[minPassHat] = tooFewRuns(f.k, n)
	} else if f.passRate != nil {
		m.Values[minPassHat] = judge.Value{Rat: stat.PassHat(c.succeeded, n, f.k), Unit: judge.Fraction}
	}
}

func tooFewRuns(k, n int) string {
	return fmt.Sprintf("%d runs are to be drawn and only %d finished; record more runs", k, n)
}
