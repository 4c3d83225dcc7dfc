package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

// These constants bound the data of runs that all cases of a check keep together, because many cases of a suite can read one
// recording of many runs. Each case has an equal share. The share depends only on the number of cases, so that a shard cuts in
// the same way as a whole check.
const (
	keptRuns  = 100_000   // rows, and entries in the lists of runs behind figures
	keptNotes = 1_000_000 // notes of gates; each kind of a gate's notes has its own share
	keptCalls = 2_000_000 // calls in timelines
	keptBytes = 64 << 20  // bytes of all texts among these
)

// share is the amount of data that one case keeps.
type share struct {
	runs, notes, calls, bytes int
	called                    int // number of tools that a row lists
	text                      int // bytes of a run's error
}

func shareOf(cases int) share {
	cases = max(cases, 1)
	return share{
		runs: max(keptRuns/cases, 10), notes: max(keptNotes/cases, 20), calls: min(max(keptCalls/cases, 20), report.MaxCaseCalls),
		bytes: max(keptBytes/cases, 4<<10), called: 1000, text: 10_000,
	}
}

// halved returns a share with half of each number, except for bytes, which stays the goal.
func (s share) halved() share {
	return share{max(s.runs/2, 1), max(s.notes/2, 1), max(s.calls/2, 1), s.bytes, max(s.called/2, 1), max(s.text/2, 200)}
}

// keepShare makes the rows and the timelines of a case, and cuts them to the case's share. It keeps the runs behind failures, and
// then the first of the other runs. If the data take too many bytes, it halves the numbers and cuts again.
func (c *checker) keepShare(out *outcome, s selectedCase, runs []trace.Run, j judgement) {
	out.setCutExpect(j.counted)
	for limit := c.share; ; limit = limit.halved() {
		kept := out.chooseRuns(runs, j, limit.runs, c.options.Shown)
		if isFirst := limit == c.share; isFirst {
			out.Rows = rows(s, runs, kept, j.rowVerdicts)
		} else {
			out.Rows = slices.DeleteFunc(out.Rows, func(r report.Row) bool { return !kept.has(r.Run) })
		}
		out.limitRows(runs, limit)
		if c.options.Timelines && out.Verdict.Broken() {
			out.Timelines = timelines(runs, kept, limit.calls)
		}
		out.Shown = c.shownRuns(out, runs, kept, limit.calls)
		for i := range out.Gates {
			limitGate(&out.Gates[i], kept, limit)
		}
		out.limitExpectations(kept)
		isLeast := limit == limit.halved()
		if out.estimatedSize() <= limit.bytes || isLeast {
			break
		}
	}
	if left := len(runs) - len(out.Rows); left > 0 {
		out.ensureCut().Runs = left
	}
}

// ensureCut returns the case's account of what was left out, and creates it if needed.
func (out *outcome) ensureCut() *report.CaseCut {
	if out.Cut == nil {
		out.Cut = &report.CaseCut{}
	}
	return out.Cut
}

// keptSet has the numbers of runs that a case keeps; nil means all.
type keptSet map[int]bool

func (k keptSet) has(run int) bool { return k == nil || k[run] }

// chooseRuns returns the runs that a case keeps: at most limit of them, and the run with the number shown.
func (out *outcome) chooseRuns(runs []trace.Run, j judgement, limit, shown int) keptSet {
	if len(runs) <= limit {
		return nil
	}
	kept := keptSet{}
	add := func(wanted func(run *trace.Run) bool) {
		for i := 0; i < len(runs) && len(kept) < limit; i++ {
			if run := &runs[i]; !kept[run.Number] && wanted(run) {
				kept[run.Number] = true
			}
		}
	}
	behind := out.behindFailures(limit)
	add(func(run *trace.Run) bool {
		return run.Error != "" || j.rowVerdicts[run.Number].Broken() || behind[run.Number]
	})
	add(func(*trace.Run) bool { return true })
	if shown > 0 && shown <= len(runs) {
		kept[shown] = true
	}
	return kept
}

// behindFailures returns the runs that are named by breaches or by notes of failing gates. It uses at most limit runs of each
// breach and note, and at most limit notes of each gate.
func (out *outcome) behindFailures(limit int) map[int]bool {
	behind := map[int]bool{}
	for i := range out.Gates {
		g := &out.Gates[i]
		for _, a := range g.Assertions {
			if a.Breach == nil {
				continue
			}
			for _, run := range a.Breach.Runs[:min(len(a.Breach.Runs), limit)] {
				behind[run.Run] = true
			}
		}
		if !g.Verdict.Broken() {
			continue
		}
		for _, n := range g.Notes[:min(len(g.Notes), limit)] {
			if judge.KindOf(n.Kind).Right {
				continue
			}
			for _, run := range n.Runs[:min(len(n.Runs), limit)] {
				behind[run] = true
			}
		}
	}
	return behind
}

// limitRows cuts the lists of tools and the errors of rows. The rows are in the order of the runs, and can share lists.
func (out *outcome) limitRows(runs []trace.Run, limit share) {
	at := 0 // index of the row's run
	for i := range out.Rows {
		row := &out.Rows[i]
		for runs[at].Number != row.Run {
			at++
		}
		if more := len(row.Called) - limit.called; more > 0 {
			row.Called, row.More = row.Called[:limit.called:limit.called], row.More+more
		}
		row.Err = report.Optional(limitText(runs[at].Error, limit.text))
	}
}

func limitText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("… (%d more bytes)", len(text)-most)
}

// limitGate cuts the notes of each kind, and removes runs that are not kept from notes and breaches.
func limitGate(g *judge.Result, kept keptSet, limit share) {
	ofKind := map[string]int{}
	notes := g.Notes[:0]
	for _, n := range g.Notes {
		ofKind[n.Kind]++
		if ofKind[n.Kind] > limit.notes {
			if g.NotesCut == nil {
				g.NotesCut = map[string]int{}
			}
			g.NotesCut[n.Kind]++
			continue
		}
		before := len(n.Runs)
		n.Runs = keepRuns(n.Runs, kept, func(run int) int { return run })
		n.MoreRuns += before - len(n.Runs)
		notes = append(notes, n)
	}
	if cap(notes) > 2*len(notes) {
		notes = slices.Clone(notes) // the copy frees the memory of the removed notes
	}
	g.Notes = slices.Clip(notes)
	for i := range g.Assertions {
		if b := g.Assertions[i].Breach; b != nil {
			before := len(b.Runs)
			b.Runs = keepRuns(b.Runs, kept, func(run judge.BreachRun) int { return run.Run })
			b.More += before - len(b.Runs)
		}
	}
}

// keepRuns returns the elements that belong to kept runs, in a slice without spare capacity.
func keepRuns[T any](list []T, kept keptSet, numberOf func(T) int) []T {
	if kept == nil {
		return list
	}
	var out []T
	for _, one := range list {
		if kept.has(numberOf(one)) {
			out = append(out, one)
		}
	}
	return slices.Clip(out)
}

func (out *outcome) limitExpectations(kept keptSet) {
	if kept == nil {
		return
	}
	leftOut := tally{}
	if out.Cut != nil {
		leftOut.set(out.Cut.Expect)
	}
	var list []report.RunAssertion
	for i := range out.Expect {
		if e := &out.Expect[i]; kept.has(e.Run) {
			list = append(list, *e)
		} else {
			leftOut.add(&e.Assertion)
		}
	}
	out.Expect = slices.Clip(list)
	out.setCutExpect(leftOut)
}

func (out *outcome) setCutExpect(leftOut tally) {
	if len(leftOut.list) > 0 {
		out.ensureCut().Expect = leftOut.list
	}
}

// tally counts the assertions that are not kept, by expectation.
type tally struct {
	at   map[tallyKey]int
	list []report.CutExpect
}

type tallyKey struct {
	target, matcher string
	line            int
}

func (t *tally) entry(key tallyKey) *report.CutExpect {
	if t.at == nil {
		t.at = map[tallyKey]int{}
	}
	return lists.ElementFor(&t.list, t.at, key, report.CutExpect{Target: key.target, Matcher: key.matcher, Line: key.line})
}

func (t *tally) add(a *judge.Assertion) {
	t.entry(tallyKey{a.Target, a.Matcher, a.Line}).Add(a.Verdict)
}

// moveLines changes the lines of the expectations, and merges those that are then equal.
func (t *tally) moveLines(line func(was int) int) {
	was := t.list
	t.at, t.list = nil, nil
	for _, e := range was {
		to := t.entry(tallyKey{e.Target, e.Matcher, line(e.Line)})
		to.Passed, to.Failed, to.Errors, to.Skipped = to.Passed+e.Passed, to.Failed+e.Failed, to.Errors+e.Errors, to.Skipped+e.Skipped
	}
}

// set sets the counts of the expectations in a list.
func (t *tally) set(list []report.CutExpect) {
	for _, e := range list {
		*t.entry(tallyKey{e.Target, e.Matcher, e.Line}) = e
	}
}

// estimatedSize returns the estimated memory of the data that is cut, in bytes. Lists that rows share count once.
func (out *outcome) estimatedSize() int {
	const row, pointer, note, assertion, timeline = 250, 16, 250, 250, 90
	size := row * len(out.Rows)
	counted := map[*string]bool{}
	for i := range out.Rows {
		r := &out.Rows[i]
		size += len(r.Err)
		if len(r.Called) > 0 && !counted[&r.Called[0]] {
			counted[&r.Called[0]] = true
			size += textsSize(r.Called)
		}
	}
	for i := range out.Gates {
		for j := range out.Gates[i].Notes {
			n := &out.Gates[i].Notes[j]
			size += note + len(n.Subject) + len(n.Text) + 8*len(n.Runs)
		}
		for _, a := range out.Gates[i].Assertions {
			if a.Breach != nil {
				for _, run := range a.Breach.Runs {
					size += 3*pointer + len(run.Did)
				}
			}
		}
	}
	for i := range out.Expect {
		size += assertion + sizeOf(out.Expect[i].Assertion)
	}
	for i := range out.Timelines {
		for _, call := range out.Timelines[i].Calls {
			size += timeline + len(call.Tool) + len(call.Agent) + textsSize(call.Arguments)
		}
	}
	return size
}

func textsSize(list []string) int {
	size := 0
	for _, text := range list {
		size += 16 + len(text)
	}
	return size
}
