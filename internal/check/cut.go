package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
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
	called                    int // tools that a row lists
	text                      int // bytes of the error of a run
}

func shareOf(cases int) share {
	cases = max(cases, 1)
	return share{
		runs: max(keptRuns/cases, 10), notes: max(keptNotes/cases, 20), calls: min(max(keptCalls/cases, 20), report.MaxCaseCalls),
		bytes: max(keptBytes/cases, 4<<10), called: 1000, text: 10_000,
	}
}

// halved returns a share with half of each number except bytes, which is the goal.
func (s share) halved() share {
	return share{max(s.runs/2, 1), max(s.notes/2, 1), max(s.calls/2, 1), s.bytes, max(s.called/2, 1), max(s.text/2, 200)}
}

// keepShare makes the rows and the timelines of a case, and cuts them to the case's share. It keeps the runs behind failures, and
// then the first of the other runs. If the data take too many bytes, it cuts again to half of the numbers.
func (c *checker) keepShare(out *outcome, s selectedCase, runs []trace.Run, j judgement) {
	out.leaveOut(j.counted)
	for most := c.share; ; most = most.halved() {
		kept := out.chooseRuns(runs, j, most.runs, c.options.Shown)
		if most == c.share {
			out.Rows = rows(s, runs, kept, j.rowVerdicts)
		} else {
			out.Rows = slices.DeleteFunc(out.Rows, func(r report.Row) bool { return !kept.has(r.Run) })
		}
		out.limitRows(runs, most)
		if c.options.Timelines && out.Verdict.Broken() {
			out.Timelines = timelines(runs, kept, most.calls)
		}
		out.Shown = c.shownRuns(out, runs, kept, most.calls)
		for i := range out.Gates {
			limitGate(&out.Gates[i], kept, most)
		}
		out.limitExpectations(kept)
		if out.size() <= most.bytes || most == most.halved() {
			break
		}
	}
	if left := len(runs) - len(out.Rows); left > 0 {
		out.cut().Runs = left
	}
}

// cut returns the case's account of what was left out, and creates it if needed.
func (out *outcome) cut() *report.CaseCut {
	if out.Cut == nil {
		out.Cut = &report.CaseCut{}
	}
	return out.Cut
}

// keptSet has the numbers of runs that a case keeps; nil means all.
type keptSet map[int]bool

func (k keptSet) has(run int) bool { return k == nil || k[run] }

// chooseRuns returns the runs that a case keeps: at most most of them, and the run shown.
func (out *outcome) chooseRuns(runs []trace.Run, j judgement, most, shown int) keptSet {
	if len(runs) <= most {
		return nil
	}
	kept := keptSet{}
	add := func(wanted func(run *trace.Run) bool) {
		for i := 0; i < len(runs) && len(kept) < most; i++ {
			if run := &runs[i]; !kept[run.Number] && wanted(run) {
				kept[run.Number] = true
			}
		}
	}
	behind := out.behindFailures(most)
	add(func(run *trace.Run) bool {
		return run.Error != "" || j.rowVerdicts[run.Number].Broken() || behind[run.Number]
	})
	add(func(*trace.Run) bool { return true })
	if shown > 0 && shown <= len(runs) {
		kept[shown] = true
	}
	return kept
}

// behindFailures returns the runs that notes and breaches of failing gates name, at most most for each.
func (out *outcome) behindFailures(most int) map[int]bool {
	behind := map[int]bool{}
	add := func(runs []int) {
		for _, run := range runs[:min(len(runs), most)] {
			behind[run] = true
		}
	}
	for i := range out.Gates {
		g := &out.Gates[i]
		for _, a := range g.Assertions {
			if a.Breach != nil {
				for _, run := range a.Breach.Runs[:min(len(a.Breach.Runs), most)] {
					behind[run.Run] = true
				}
			}
		}
		for _, n := range g.Notes[:min(len(g.Notes), most)] {
			if g.Verdict.Broken() && !judge.KindOf(n.Kind).Right {
				add(n.Runs)
			}
		}
	}
	return behind
}

// limitRows cuts the lists of tools and the errors of rows. Rows share lists, and have the order of the runs.
func (out *outcome) limitRows(runs []trace.Run, most share) {
	at := 0
	for i := range out.Rows {
		row := &out.Rows[i]
		for runs[at].Number != row.Run {
			at++
		}
		if more := len(row.Called) - most.called; more > 0 {
			row.Called, row.More = row.Called[:most.called:most.called], row.More+more
		}
		row.Err = report.Optional(limitText(runs[at].Error, most.text))
	}
}

func limitText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("… (%d more bytes)", len(text)-most)
}

// limitGate cuts the notes of each kind, and removes runs that are not kept from notes and breaches.
func limitGate(g *judge.Result, kept keptSet, most share) {
	of := map[string]int{}
	notes := g.Notes[:0]
	for _, n := range g.Notes {
		if of[n.Kind]++; of[n.Kind] > most.notes {
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
		notes = slices.Clone(notes) // a copy frees the memory of the others
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
	left := tally{}
	if out.Cut != nil {
		left.take(out.Cut.Expect)
	}
	var list []report.RunAssertion
	for i := range out.Expect {
		if e := &out.Expect[i]; kept.has(e.Run) {
			list = append(list, *e)
		} else {
			left.add(&e.Assertion)
		}
	}
	out.Expect = slices.Clip(list)
	out.leaveOut(left)
}

func (out *outcome) leaveOut(left tally) {
	if len(left.list) > 0 {
		out.cut().Expect = left.list
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

func (t *tally) of(key tallyKey) *report.CutExpect {
	at, known := t.at[key]
	if !known {
		if t.at == nil {
			t.at = map[tallyKey]int{}
		}
		at = len(t.list)
		t.at[key] = at
		t.list = append(t.list, report.CutExpect{Target: key.target, Matcher: key.matcher, Line: key.line})
	}
	return &t.list[at]
}

func (t *tally) add(a *judge.Assertion) {
	t.of(tallyKey{a.Target, a.Matcher, a.Line}).Add(a.Verdict)
}

// moveLines changes the lines of the expectations, and joins those that share a line afterwards.
func (t *tally) moveLines(line func(was int) int) {
	was := t.list
	t.at, t.list = nil, nil
	for _, e := range was {
		to := t.of(tallyKey{e.Target, e.Matcher, line(e.Line)})
		to.Passed, to.Failed, to.Errors, to.Skipped = to.Passed+e.Passed, to.Failed+e.Failed, to.Errors+e.Errors, to.Skipped+e.Skipped
	}
}

// take adopts the counts of an earlier check.
func (t *tally) take(list []report.CutExpect) {
	for _, e := range list {
		*t.of(tallyKey{e.Target, e.Matcher, e.Line}) = e
	}
}

// size returns the estimated memory of the data that is cut, in bytes. Lists that rows share count once.
func (out *outcome) size() int {
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
