package check

import (
	"cmp"
	"slices"
	"strconv"

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
	key   []byte   // of seen
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
	l.key = l.key[:0]
	for _, id := range l.seen {
		l.key = appendPart(l.key, id)
	}
	list, ok := l.lists[string(l.key)]
	if !ok {
		list = append([]string{}, l.seen...)
		l.lists[string(l.key)] = list
	}
	return list
}

// appendPart adds a part to a key of several. Its length comes first, because the name of a tool can hold any separator.
func appendPart(key []byte, part string) []byte {
	key = strconv.AppendInt(key, int64(len(part)), 10)
	key = append(key, ':')
	return append(key, part...)
}

// timelines returns the calls of runs, equal lists of them once, in the order of the first run of each; none where the rows say all
// about them.
func timelines(runs []trace.Run) []report.Timeline {
	t := timelineList{at: map[string]int{}, ids: map[*trace.Tool]string{}}
	for i := range runs {
		t.add(&runs[i])
	}
	if !t.saysMore {
		return nil
	}
	return t.all
}

// timelineList are timelines that are being made.
type timelineList struct {
	all      []report.Timeline
	at       map[string]int // places in all, by what the calls were
	ids      map[*trace.Tool]string
	calls    int  // in all
	saysMore bool // than the tools that were called, in the order of their first calls
}

func (t *timelineList) add(run *trace.Run) {
	calls := run.Calls[:min(len(run.Calls), report.MaxTimelineCalls)]
	more := len(run.Calls) - len(calls)
	key := appendPart(nil, strconv.Itoa(more))
	seen := map[string]bool{}
	list := make([]report.TimelineCall, len(calls))
	for i := range calls {
		list[i] = t.call(&calls[i])
		c := &list[i]
		key = appendPart(strconv.AppendBool(appendPart(key, c.Tool), c.Failed), string(c.Agent))
		t.saysMore = t.saysMore || seen[c.Tool] || c.Failed || c.Agent != "" || c.MS != nil
		seen[c.Tool] = true
	}
	t.saysMore = t.saysMore || more > 0
	at, ok := t.at[string(key)]
	switch {
	case ok:
		t.all[at].Runs = append(t.all[at].Runs, run.Number)
		widen(t.all[at].Calls, list)
	case len(t.all) < report.MaxTimelines && t.calls+len(list) <= report.MaxCaseCalls:
		t.calls += len(list)
		t.at[string(key)] = len(t.all)
		t.all = append(t.all, report.Timeline{Runs: []int{run.Number}, Calls: list, More: more})
	}
}

func (t *timelineList) call(c *trace.Call) report.TimelineCall {
	id, known := t.ids[c.Tool]
	if !known {
		id = c.Tool.ID()
		t.ids[c.Tool] = id
	}
	out := report.TimelineCall{Tool: id, Failed: c.Failed}
	if c.Detail != nil {
		out.Agent = report.Optional(c.Detail.Agent)
		if d := c.Detail.Duration; d.Known {
			out.MS = &d.N
		}
	}
	return out
}

// widen adds the durations of the calls of another run, which made the same ones.
func widen(calls, others []report.TimelineCall) {
	for i := range calls {
		c, ms := &calls[i], others[i].MS
		switch {
		case ms == nil:
		case c.MS == nil:
			c.MS = ms
		case *ms < *c.MS:
			c.MostMS = cmp.Or(c.MostMS, c.MS)
			c.MS = ms
		case *ms > *c.MS && (c.MostMS == nil || *ms > *c.MostMS):
			c.MostMS = ms
		}
	}
}
