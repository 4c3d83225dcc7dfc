package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

// rows returns a row for each run. A case can have a hundred thousand runs, which mostly called the same tools, so that
// equal lists are shared.
func rows(s selectedCase, runs []trace.Run, expect []report.RunAssertion) []report.Row {
	verdicts := rowVerdicts(expect)
	lists := callLists{ids: map[*trace.Tool]string{}, last: map[string]int{}, lists: map[string][]string{}}
	rows := make([]report.Row, len(runs))
	tokens := make([]int64, 0, len(runs))
	name := s.DisplayName()
	for i := range runs {
		run := &runs[i]
		row := &rows[i]
		*row = report.Row{
			Run:    run.Number,
			Name:   name + " #" + strconv.Itoa(run.Number),
			Called: lists.of(run.Calls),
			Err:    report.Optional(run.Error),
		}
		row.Verdict = rowVerdict(s, run, verdicts)
		if n := run.Tokens(); n.Known {
			tokens = append(tokens, n.N)
			row.Tokens = &tokens[len(tokens)-1]
		}
	}
	return rows
}

// shareSelection moves the results of tool_selection from the gate to the case, adds them to the rows of the runs that
// the gate judged, and lets them share the rows' lists and counts.
func (out *outcome) shareSelection() {
	i := slices.IndexFunc(out.Gates, func(g judge.Result) bool { return g.Selection != nil })
	if i < 0 {
		return
	}
	found := out.Gates[i].Selection
	out.ToolSelection, out.Gates[i].Selection = found, nil
	byRun := make(map[int]*report.Row, len(out.Rows))
	for i := range out.Rows {
		byRun[out.Rows[i].Run] = &out.Rows[i]
	}
	selections := make([]report.RowSelection, len(found.Runs))
	for i := range found.Runs {
		run := &found.Runs[i]
		row := byRun[run.Run]
		selections[i] = report.RowSelection{Selected: run.Selected, OverBudget: run.OverBudget}
		row.RowSelection = &selections[i]
		run.Called, run.Tokens = row.Called, row.Tokens
	}
}

// rowVerdicts returns the verdicts of the expectations by run.
func rowVerdicts(expect []report.RunAssertion) map[int]judge.Verdict {
	verdicts := map[int]judge.Verdict{}
	for _, e := range expect {
		verdict, ok := verdicts[e.Run]
		if !ok {
			verdict = judge.Skipped
		}
		verdicts[e.Run] = judge.Combine(verdict, e.Verdict)
	}
	return verdicts
}

func rowVerdict(s selectedCase, run *trace.Run, verdicts map[int]judge.Verdict) judge.Verdict {
	if run.Error != "" {
		return judge.Error
	}
	if !s.selects(run) {
		return judge.Skipped
	}
	if verdict, ok := verdicts[run.Number]; ok {
		return verdict
	}
	return judge.Pass
}

// callLists shares equal lists of called tools.
type callLists struct {
	ids   map[*trace.Tool]string // qualified; several tools can share one, because names of servers and of tools hold dots
	last  map[string]int         // the last run that called an id, counted from 1
	lists map[string][]string
	runs  int      // so far
	seen  []string // in the last of them
}

// of returns the qualified ids that calls name, each once, in order of first call.
func (l *callLists) of(calls []trace.Call) []string {
	l.runs++
	l.seen = l.seen[:0]
	for i := range calls {
		tool := calls[i].Tool
		id, known := l.ids[tool]
		if !known {
			id = tool.ID()
			l.ids[tool] = id
		}
		if l.last[id] != l.runs {
			l.last[id] = l.runs
			l.seen = append(l.seen, id)
		}
	}
	key := strings.Join(l.seen, "\x00")
	list, ok := l.lists[key]
	if !ok {
		list = append([]string{}, l.seen...)
		l.lists[key] = list
	}
	return list
}
