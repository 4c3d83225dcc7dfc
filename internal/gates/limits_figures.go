package gates

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

// limit is a figure of a run that can be bounded.
type limit struct {
	key, target string
	unit        judge.Unit
	noun        string // noun of a counted figure; "" for dollars and milliseconds
	of          func(*trace.Run) trace.Count
	lacks       string // names the data that a run without the figure lacks, for a message
}

func (one limit) isDuration() bool { return one.unit != judge.Dollars && one.noun == "" }

// runLimits lists the figures that are not about single tools, in the order of the keys.
var runLimits = []limit{
	{"max_calls", "limits.calls", judge.Number, "call", countCalls, ""},
	{"max_turns", turnsTarget, judge.Number, "turn", (*trace.Run).Replies, "turns with a reply of the model"},
	{"max_errors", "limits.errors", judge.Number, "error", countErrors, ""},
	{"max_tokens", "limits.tokens", judge.Tokens, "token", (*trace.Run).Tokens, "total tokens"},
	{"max_duration", "limits.duration_ms", judge.Number, "", func(run *trace.Run) trace.Count { return run.Duration }, "duration"},
	{"max_cost_usd", "limits.cost_usd", judge.Dollars, "", func(run *trace.Run) trace.Count { return run.Cost }, "cost, and none that pricing: would give"},
}

func countCalls(run *trace.Run) trace.Count { return trace.Known(int64(len(run.Calls))) }

func countErrors(run *trace.Run) trace.Count {
	n := 0
	for i := range run.Calls {
		if run.Calls[i].Failed {
			n++
		}
	}
	return trace.Known(int64(n))
}

// figures returns the figures of the block, figures of single tools last.
func (l *limits) figures() []limit {
	list := slices.Clone(runLimits)
	for _, tool := range l.tools {
		list = append(list, limit{"max_calls_by_tool", callsByToolTarget.WithParam(tool.text), judge.Number, "call", tool.counter(), ""})
	}
	return list
}

func (t toolLimit) counter() func(*trace.Run) trace.Count {
	known := map[*trace.Tool]bool{}
	return func(run *trace.Run) trace.Count {
		n := 0
		for i := range run.Calls {
			tool := run.Calls[i].Tool
			if lists.Cached(known, tool, func() bool { return t.name.Names(tool.Ref) }) {
				n++
			}
		}
		return trace.Known(int64(n))
	}
}

// Measure computes the largest value of each figure over the runs.
func (l *limits) Measure(tr *trace.Trace) judge.Measurement {
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}}
	all := l.figures()
	var summary []string
	for _, one := range all {
		if one.measure(&m, tr.Runs) {
			summary = append(summary, one.format(m.Values[one.target]))
		}
	}
	m.Summary = "at most " + strings.Join(summary, ", ")
	m.Breach = func(a *judge.Assertion) *judge.Breach { return l.breach(a, all, tr.Runs) }
	return m
}

// measure sets the figure to the largest value of any run. If a run lacks the value, measure makes the figure absent and returns
// false.
func (one limit) measure(m *judge.Measurement, runs []trace.Run) bool {
	var most int64
	worst, unknown := 0, []int(nil)
	for i := range runs {
		n, number := one.of(&runs[i]), runs[i].Number
		switch {
		case !n.Known:
			unknown = append(unknown, number)
		case worst == 0 || n.N > most || n.N == most && number < worst: // the first run, or a worse one
			most, worst = n.N, number
		}
	}
	if len(unknown) > 0 {
		m.Absent[one.target] = fmt.Sprintf("%d of %s, such as run %d, have no %s recorded; use an agent that reports it",
			len(unknown), judge.CountOf(len(runs), "run"), slices.Min(unknown), one.lacks)
		return false
	}
	m.Values[one.target] = one.value(most)
	m.Detail[one.target] = fmt.Sprintf("in run %d", worst)
	return true
}

func (one limit) value(n int64) judge.Value {
	if one.unit == judge.Dollars {
		return judge.Ratio(n, microDollars, one.unit)
	}
	return judge.Ratio(n, 1, one.unit)
}

// microDollars is the number of micro-dollars in a dollar.
const microDollars = 1_000_000

// format returns a figure with its unit or noun.
func (one limit) format(v judge.Value) string {
	text := v.Format()
	switch {
	case one.unit == judge.Dollars:
		return text
	case one.isDuration():
		return text + " ms"
	}
	if text != "1" {
		text += " " + one.noun + "s"
	} else {
		text += " " + one.noun
	}
	if tool, ok := callsByToolTarget.Param(one.target); ok {
		text += " of " + tool
	}
	return text
}

// breach returns the breach of a key's bound, with the runs that exceed it. For an expectation, it returns an empty breach, because
// the message already has the figure.
func (l *limits) breach(a *judge.Assertion, all []limit, runs []trace.Run) *judge.Breach {
	b := &judge.Breach{}
	bound, hasBound := l.bounds[a.Target]
	isKey := hasBound && bound.String() == a.Matcher
	if _, known := a.Actual.(judge.Value); !isKey || !known {
		return b
	}
	one := all[slices.IndexFunc(all, func(one limit) bool { return one.target == a.Target })]
	for i := range runs {
		v := one.value(one.of(&runs[i]).N)
		if within, _ := bound.Match(v, &judge.Work{}); !within {
			b.Runs = append(b.Runs, judge.BreachRun{Run: runs[i].Number, Did: one.format(v)})
		}
	}
	sort.SliceStable(b.Runs, func(i, j int) bool { return b.Runs[i].Run < b.Runs[j].Run })
	b.Budget, b.Of = true, fmt.Sprintf("%d of %s", len(b.Runs), judge.CountOf(len(runs), "run"))
	b.Bound = strings.TrimPrefix(bound.String(), "<= ") + one.suffix()
	b.Figure = "worst run " + one.format(a.Actual.(judge.Value))
	return b
}

func (one limit) suffix() string {
	switch {
	case one.unit == judge.Dollars:
		return "-dollar"
	case one.isDuration():
		return "-ms"
	}
	return "-" + one.noun
}
