package check

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

// rows returns a row for each run that is kept. verdicts has the verdicts of the runs whose expectations do not pass. Rows share
// equal lists of tools, because a case can have a hundred thousand runs that mostly called the same tools.
func rows(s selectedCase, runs []trace.Run, kept keptSet, verdicts map[int]judge.Verdict) []report.Row {
	lists := callLists{tools: map[*trace.Tool]*calledTool{}, ids: map[string]*calledTool{}, lists: map[string][]string{}}
	n := len(runs)
	if kept != nil {
		n = len(kept)
	}
	rows := make([]report.Row, 0, n)
	tokens := make([]int64, 0, n)
	name := s.DisplayName()
	for i := range runs {
		run := &runs[i]
		if !kept.has(run.Number) {
			continue
		}
		row := report.Row{
			Run:    run.Number,
			Name:   name + " #" + strconv.Itoa(run.Number),
			Called: lists.idsOf(run.Calls),
			Err:    report.Optional(run.Error),
		}
		row.Verdict = rowVerdict(s, run, verdicts)
		if n := run.Tokens(); n.Known {
			tokens = append(tokens, n.N)
			row.Tokens = &tokens[len(tokens)-1]
		}
		rows = append(rows, row)
	}
	return rows
}

// shareSelection moves the results of tool_selection from the gate to the case, and adds them to the rows of the runs that the
// gate judged. The results then share the rows' lists and counts.
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
	selections := make([]report.RowSelection, 0, len(out.Rows))
	runs := make([]judge.SelectionRun, 0, len(out.Rows))
	for _, run := range found.Runs {
		row := byRun[run.Run]
		if row == nil {
			continue // the row was left out
		}
		selections = append(selections, report.RowSelection{Selected: run.Selected, OverBudget: run.OverBudget})
		row.RowSelection = &selections[len(selections)-1]
		run.Called, run.Tokens = row.Called, row.Tokens
		runs = append(runs, run)
	}
	found.Runs = runs
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

type callLists struct {
	tools map[*trace.Tool]*calledTool
	ids   map[string]*calledTool // several tools can share an id, because names of servers and tools can contain dots
	lists map[string][]string
	runs  int      // number of runs so far
	seen  []string // ids in the last run
	key   []byte   // key of seen in lists, made of the tools' numbers because names can be long
}

// calledTool is the qualified id of a tool that was called.
type calledTool struct {
	id     string
	number uint64 // among all ids
	last   int    // number of the last run that called the tool, counted from 1
}

// idsOf returns the qualified ids of the called tools, without repeats, in order of first call.
func (l *callLists) idsOf(calls []trace.Call) []string {
	l.runs++
	l.seen, l.key = l.seen[:0], l.key[:0]
	for i := range calls {
		if tool := l.calledTool(calls[i].Tool); tool.last != l.runs {
			tool.last = l.runs
			l.seen = append(l.seen, tool.id)
			l.key = binary.AppendUvarint(l.key, tool.number)
		}
	}
	list, ok := l.lists[string(l.key)]
	if !ok {
		list = append([]string{}, l.seen...)
		l.lists[string(l.key)] = list
	}
	return list
}

func (l *callLists) calledTool(of *trace.Tool) *calledTool {
	return lists.Cached(l.tools, of, func() *calledTool {
		id := of.ID()
		return lists.Cached(l.ids, id, func() *calledTool { return &calledTool{id: id, number: uint64(len(l.ids))} })
	})
}

// appendPart adds a part to a key of several parts. The part's length comes first, because a tool's name can contain any
// separator.
func appendPart(key []byte, part string) []byte {
	key = strconv.AppendInt(key, int64(len(part)), 10)
	key = append(key, ':')
	return append(key, part...)
}

// timelines returns the lists of calls of the kept runs, in the order of their first runs. Runs with equal calls share a timeline.
// It returns nil if the rows already have all the information.
func timelines(runs []trace.Run, kept keptSet, most int) []report.Timeline {
	t := newTimelineList()
	t.kept, t.most = kept, most
	for i := range runs {
		t.addTimeline(&runs[i])
	}
	if !t.saysMore {
		return nil
	}
	return t.all
}

// shownRuns returns the calls of runs that the options ask for and that the case's timelines lack.
func (c *checker) shownRuns(out *outcome, runs []trace.Run, kept keptSet, most int) []report.Timeline {
	switch {
	case c.options.Shown > 0:
		return shownRun(runs, c.options.Shown, most)
	case c.options.AllCalls && out.Timelines == nil:
		return timelines(runs, kept, most)
	}
	return nil
}

// shownRun returns the first calls of the run with a number, at most limit calls; nil if no run has the number.
func shownRun(runs []trace.Run, number, limit int) []report.Timeline {
	at := slices.IndexFunc(runs, func(r trace.Run) bool { return r.Number == number })
	if at < 0 {
		return nil
	}
	t := newTimelineList()
	calls := runs[at].Calls
	line := report.Timeline{Runs: []int{number}, More: max(len(calls)-limit, 0)}
	for i := range calls[:min(len(calls), limit)] {
		line.Calls = append(line.Calls, t.timelineCall(&calls[i]))
	}
	return []report.Timeline{line}
}

// timelineList collects the timelines of a case.
type timelineList struct {
	all      []report.Timeline
	at       map[string]int // index in all, by the key of the calls
	ids      map[*trace.Tool]string
	names    trace.NameLists
	texts    map[*trace.Names][]string
	calls    int // number of calls in all timelines together
	kept     keptSet
	most     int  // bound on the calls
	saysMore bool // the timelines have information that the rows lack
}

func newTimelineList() *timelineList {
	return &timelineList{at: map[string]int{}, ids: map[*trace.Tool]string{}, texts: map[*trace.Names][]string{}}
}

func (t *timelineList) addTimeline(run *trace.Run) {
	calls := run.Calls[:min(len(run.Calls), report.MaxTimelineCalls)]
	more := len(run.Calls) - len(calls)
	key := appendPart(nil, strconv.Itoa(more))
	seen := map[string]bool{}
	list := make([]report.TimelineCall, len(calls))
	for i := range calls {
		list[i] = t.timelineCall(&calls[i])
		c := &list[i]
		key = appendCall(key, c)
		hasDetail := c.Failed || c.Agent != "" || c.MS != nil || len(c.Arguments)+c.MoreArguments > 0
		t.saysMore = t.saysMore || hasDetail || seen[c.Tool]
		seen[c.Tool] = true
	}
	t.saysMore = t.saysMore || more > 0
	at, ok := t.at[string(key)]
	switch {
	case ok:
		addRun(&t.all[at], run.Number, t.kept)
		addDurations(t.all[at].Calls, list)
	case len(t.all) < report.MaxTimelines && t.calls+len(list) <= t.most:
		t.calls += len(list)
		t.at[string(key)] = len(t.all)
		t.all = append(t.all, report.Timeline{Calls: list, More: more})
		addRun(&t.all[len(t.all)-1], run.Number, t.kept)
	}
}

// appendCall adds a call to a key, except for its duration.
func appendCall(key []byte, c *report.TimelineCall) []byte {
	key = appendPart(strconv.AppendBool(appendPart(key, c.Tool), c.Failed), string(c.Agent))
	for _, name := range c.Arguments {
		key = appendPart(append(key, ','), name)
	}
	key = strconv.AppendInt(append(key, '+'), int64(c.MoreArguments), 10)
	return append(key, ';')
}

func addRun(line *report.Timeline, run int, kept keptSet) {
	if kept.has(run) {
		line.Runs = append(line.Runs, run)
	} else {
		line.MoreRuns++
	}
}

func (t *timelineList) timelineCall(c *trace.Call) report.TimelineCall {
	out := report.TimelineCall{Tool: lists.Cached(t.ids, c.Tool, c.Tool.ID), Failed: c.Failed}
	if names := t.names.OfCall(c); names != nil {
		// The list is a copy, so that the report can change it. Calls with the same list have the same copy.
		out.Arguments = lists.Cached(t.texts, names, func() []string { return slices.Clone(names.List) })
		out.MoreArguments = names.More
	}
	if c.Detail != nil {
		out.Agent = report.Optional(c.Detail.Agent)
		if d := c.Detail.Duration; d.Known {
			out.MS = &d.N
		}
	}
	return out
}

// addDurations extends the range of durations of each call by the duration of the same call in another run.
func addDurations(calls, others []report.TimelineCall) {
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
