package gates

// mostListed bounds the runs that all lists of one gate hold, where each of many entries of a suite can be about each of many runs.
const mostListed = 2_000_000

// runList is the runs that a note is about, in the order in which they were judged: the first of them, and how many more there are.
type runList struct {
	runs []int
	more int
}

// newRoom returns how many runs each of so many lists may hold.
func newRoom(lists int) int { return max(mostListed/max(lists, 1), 1) }

func (l *runList) add(run, room int) {
	if len(l.runs) >= room {
		l.more++
		return
	}
	l.runs = append(l.runs, run)
}
