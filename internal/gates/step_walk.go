package gates

import (
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/trace"
)

// maxStepWork bounds the number of pairs of a call and a step that one gate examines, over all runs of a case. This many take a few
// seconds.
const maxStepWork = 1 << 30

// stepWork counts examined pairs. The zero value has counted none.
type stepWork struct{ spent int }

// spend counts pairs, and reports whether the gate may examine them.
func (s *stepWork) spend(pairs int) bool {
	s.spent += pairs
	return s.problem() == ""
}

// problem returns the message for a gate that would examine more than maxStepWork pairs; "" if it examines fewer.
func (s *stepWork) problem() string {
	if s.spent <= maxStepWork {
		return ""
	}
	return fmt.Sprintf("comparing the calls with the steps takes more than %d comparisons, which is all that is done for one gate", maxStepWork)
}

// walk compares the calls of one run with the steps.
type walk struct {
	path  *stepPath
	calls [][]int // for each call, the positions of the patterns that it matches, in order
	work  *stepWork
	marks []bool // memory for the result of matches

	unkept int // calls that may match further entries, depending on arguments that the recording does not keep
}

func (p *stepPath) walk(run *trace.Run, m *callMatcher, work *stepWork) walk {
	w := walk{path: p, calls: make([][]int, len(run.Calls)), work: work, marks: make([]bool, len(p.patterns))}
	for i := range run.Calls {
		w.calls[i] = m.matching(&run.Calls[i])
		if m.undecided < len(p.patterns) {
			w.unkept++
		}
	}
	return w
}

func (w walk) fits(i, j int) bool { return slices.Contains(w.calls[i], w.path.order[j]) }

// matches returns for each pattern whether call i matches it. The next call of matches overwrites the result.
func (w walk) matches(i int) []bool {
	clear(w.marks)
	for _, entry := range w.calls[i] {
		w.marks[entry] = true
	}
	return w.marks
}

// inOrder returns how many steps the calls take in order, from the first step on, and how many calls this takes.
func (w walk) inOrder() (steps, calls int) {
	for i := range w.calls {
		if steps < len(w.path.order) && w.fits(i, steps) {
			steps, calls = steps+1, i+1
		}
	}
	return steps, calls
}

// inStep returns the number of calls before the first call that does not match the step at its position.
func (w walk) inStep() int {
	n := 0
	for n < min(len(w.calls), len(w.path.order)) && w.fits(n, n) {
		n++
	}
	return n
}

// pairing pairs calls with steps in any order, so that each call and each step is in at most one pair. All steps that come from one
// entry of the list are equal, so an entry has room for as many calls as it has steps.
type pairing struct {
	calls [][]int // for each call, the entries that it matches
	room  []int   // for each entry, the number of further calls that fit
	taken [][]int // for each entry, the calls that are paired with its steps
	seen  []bool  // for each entry, whether the current search has visited it
	dead  []bool  // for each entry, whether no later search through it can succeed
	work  *stepWork
}

// pair returns for each call whether it is in a largest pairing, and how many steps of each entry are left. The pairing prefers
// early calls: a call is left out only if an earlier one needs its place.
func (w walk) pair() (paired []bool, left []int) {
	entries := len(w.path.patterns)
	p := pairing{calls: w.calls, room: make([]int, entries), taken: make([][]int, entries), seen: make([]bool, entries), dead: make([]bool, entries), work: w.work}
	for _, entry := range w.path.order {
		p.room[entry]++
	}
	paired = make([]bool, len(w.calls))
	for i := range w.calls {
		clear(p.seen)
		paired[i] = p.place(i)
		if paired[i] {
			continue
		}
		// Later searches can skip the entries that a failed search has visited, because these entries are full and lead only to
		// full entries.
		for entry, seen := range p.seen {
			p.dead[entry] = p.dead[entry] || seen
		}
	}
	return paired, p.room
}

// place finds an entry for a call, and moves other calls to other entries if needed.
func (p *pairing) place(call int) bool {
	if !p.work.spend(1 + len(p.calls[call])) {
		return false
	}
	for _, entry := range p.calls[call] {
		if p.seen[entry] || p.dead[entry] {
			continue
		}
		p.seen[entry] = true
		if p.room[entry] > 0 {
			p.room[entry]--
			p.taken[entry] = append(p.taken[entry], call)
			return true
		}
		for at, other := range p.taken[entry] {
			if p.place(other) {
				p.taken[entry][at] = call
				return true
			}
		}
	}
	return false
}

// distance returns how many calls must be inserted, removed or replaced so that the calls match the steps in order.
func (w walk) distance() int {
	steps := w.path.order
	if !w.work.spend(len(w.calls) * len(steps)) {
		return 0
	}
	// row[j] is the distance between the calls so far and the first j steps.
	row := []int{0}
	for j := range steps {
		row = append(row, j+1)
	}
	for i := range w.calls {
		matches := w.matches(i)
		diagonal := row[0]
		row[0] = i + 1
		for j, step := range steps {
			replaced := diagonal
			if !matches[step] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(steps)]
}

// common returns for each call whether it is in the longest common subsequence of calls and steps. If there are several such
// subsequences, it uses the one with the earliest calls.
func (w walk) common() []bool {
	var matching []int // calls that match any step
	for i, entries := range w.calls {
		if len(entries) > 0 {
			matching = append(matching, i)
		}
	}
	kept := make([]bool, len(w.calls))
	width := len(w.path.order) + 1
	if !w.work.spend(len(matching)*width) || len(matching)*width > maxTable {
		w.work.spend(maxStepWork)
		return kept
	}
	longest := w.longest(matching, width)
	step := 0 // the first step after those that kept calls have taken
	for at, call := range matching {
		first := step // the first step that the call matches
		for first < width-1 && !w.fits(call, first) {
			first++
		}
		if first == width-1 {
			continue
		}
		// A call is kept if the later calls still reach the greatest length.
		if longest[(at+1)*width+first+1]+1 == longest[at*width+step] {
			kept[call], step = true, first+1
		}
	}
	return kept
}

// maxTable bounds the number of pairs of a call and a step in one run, because all pairs are in memory, where they take 32 MiB.
const maxTable = 1 << 24

// longest returns a table with a row for each of calls, which are indexes, and width columns for the steps. A cell has the length
// of the longest common subsequence of the calls from its row on and the steps from its column on.
func (w walk) longest(calls []int, width int) []uint16 {
	table := make([]uint16, (len(calls)+1)*width)
	for at := len(calls) - 1; at >= 0; at-- {
		row, below := table[at*width:(at+1)*width], table[(at+1)*width:]
		matches := w.matches(calls[at])
		for j := width - 2; j >= 0; j-- {
			row[j] = max(below[j], row[j+1])
			if matches[w.path.order[j]] {
				row[j] = max(row[j], below[j+1]+1)
			}
		}
	}
	return table
}
