package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

// rows returns a row for each run. A case can have a hundred thousand, few of which differ in what they called, so that
// equal lists are shared.
func (k *caseCheck) rows(runs []trace.Run) []report.Row {
	verdicts := k.rowVerdicts()
	lists := callLists{ids: map[*trace.Tool]*calledID{}, byID: map[string]*calledID{}, lists: map[string][]string{}}
	rows := make([]report.Row, len(runs))
	tokens := make([]int64, 0, len(runs))
	name := k.DisplayName()
	for i := range runs {
		run := &runs[i]
		row := &rows[i]
		*row = report.Row{
			Run:    run.Number,
			Name:   name + " #" + strconv.Itoa(run.Number),
			Called: lists.of(run.Calls),
			Err:    report.Optional(run.Error),
		}
		row.Verdict = k.rowVerdict(run, verdicts)
		if n := run.Tokens(); n.Known {
			tokens = append(tokens, n.N)
			row.Tokens = &tokens[len(tokens)-1]
		}
	}
	k.tellSelection(rows)
	return rows
}

// tellSelection moves what tool_selection found from the gate to the case, adds it to the rows of the runs that the gate
// judged, and lets it share the rows' lists and counts.
func (k *caseCheck) tellSelection(rows []report.Row) {
	i := slices.IndexFunc(k.out.Gates, func(g judge.Result) bool { return g.Selection != nil })
	if i < 0 {
		return
	}
	found := k.out.Gates[i].Selection
	k.out.ToolSelection, k.out.Gates[i].Selection = found, nil
	byRun := make(map[int]*report.Row, len(rows))
	for i := range rows {
		byRun[rows[i].Run] = &rows[i]
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
func (k *caseCheck) rowVerdicts() map[int]judge.Verdict {
	verdicts := map[int]judge.Verdict{}
	for _, e := range k.out.Expect {
		verdict, ok := verdicts[e.Run]
		if !ok {
			verdict = judge.Skipped
		}
		verdicts[e.Run] = judge.Combine(verdict, e.Verdict)
	}
	return verdicts
}

func (k *caseCheck) rowVerdict(run *trace.Run, verdicts map[int]judge.Verdict) judge.Verdict {
	if run.Error != "" {
		return judge.Error
	}
	if !k.selects(run) {
		return judge.Skipped
	}
	if verdict, ok := verdicts[run.Number]; ok {
		return verdict
	}
	return judge.Pass
}

// callLists shares equal lists of called tools.
type callLists struct {
	ids   map[*trace.Tool]*calledID
	byID  map[string]*calledID
	lists map[string][]string
	runs  int      // so far
	seen  []string // in the last of them
}

// calledID is a qualified id. Several tools can share one: names of servers and of tools hold dots.
type calledID struct {
	id   string
	last int // number, by callLists.runs, of the last run that called it
}

// of returns the qualified ids that calls name, each once, in order of first call.
func (l *callLists) of(calls []trace.Call) []string {
	l.runs++
	l.seen = l.seen[:0]
	for i := range calls {
		if called := l.id(calls[i].Tool); called.last != l.runs {
			called.last = l.runs
			l.seen = append(l.seen, called.id)
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

func (l *callLists) id(tool *trace.Tool) *calledID {
	if called, ok := l.ids[tool]; ok {
		return called
	}
	id := tool.ID()
	called, ok := l.byID[id]
	if !ok {
		called = &calledID{id: id}
		l.byID[id] = called
	}
	l.ids[tool] = called
	return called
}
