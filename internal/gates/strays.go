package gates

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// stray is where a run leaves its path.
type stray struct {
	call int // from 0: the first that is not as expected, or one past the last
	step int // from 0: that is expected there, or one past the last
}

// judge reports whether a run matches, and where it leaves the path. paired and left are those of walk.pair.
func (mode matchMode) judge(w walk, paired []bool, left []int) (matches bool, s stray) {
	calls, steps := len(w.calls), len(w.path.order)
	switch mode {
	case strictMode:
		n := w.inStep()
		return n == calls && n == steps, stray{n, n}
	case inOrderMode:
		n, at := w.inOrder()
		return n == steps, stray{at, n}
	}
	s = stray{slices.Index(paired, false), w.firstLeft(left)}
	if s.call < 0 || mode == supersetMode {
		s.call = calls
	}
	if mode == subsetMode {
		s.step = steps
	}
	return s.call == calls && s.step == steps, s
}

// firstLeft returns the place of a step that no call is paired with, the first of those that are left.
func (w walk) firstLeft(left []int) int {
	for i, entry := range w.path.order {
		if left[entry] > 0 {
			return i
		}
	}
	return len(w.path.order)
}

// strays holds the runs that leave the path, by how they do.
type strays map[strayed][]int

// strayed is how a run leaves the path.
type strayed struct {
	position        int // of the call, from 1
	expected, found string
}

func (s strays) add(at stray, w walk, run *trace.Run) {
	key := strayed{position: at.call + 1, expected: w.path.text(at.step)}
	if at.call < len(run.Calls) {
		key.found = w.path.found(at.step, run.Calls[at.call].Tool)
	}
	s[key] = append(s[key], run.Number)
}

// found returns what was called in place of a step.
func (p *stepPath) found(step int, tool *trace.Tool) string {
	if step < len(p.order) && p.patterns[p.order[step]].names(tool.Ref) {
		return tool.ID() + " with other arguments"
	}
	return tool.ID()
}

// maxStrays bounds the notes on strays of one gate: every run can leave the path in a way of its own.
const maxStrays = 1000

// notes returns a note for each way to leave the path, the earliest first.
func (s strays) notes() []judge.Note {
	ways := slices.SortedFunc(maps.Keys(s), func(a, b strayed) int {
		return cmp.Or(a.position-b.position, cmp.Compare(a.expected, b.expected), cmp.Compare(a.found, b.found))
	})
	var notes []judge.Note
	for _, way := range ways[:min(len(ways), maxStrays)] {
		notes = append(notes, judge.Note{
			Kind: judge.Strayed, Subject: way.expected, Call: way.position, Text: way.found, Runs: sortedRuns(s[way]),
		})
	}
	return notes
}

// firstStray describes the first of the notes on strays; "" without one.
func firstStray(notes []judge.Note) string {
	if len(notes) == 0 {
		return ""
	}
	n := notes[0]
	return fmt.Sprintf("; at call %d of run %d expected %s, found %s", n.Call, n.Runs[0], n.Subject, cmp.Or(n.Text, "nothing"))
}
