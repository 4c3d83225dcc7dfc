package gates

// mostListed bounds the runs in all lists of one gate, because each of many entries of a suite may concern each of many runs.
const mostListed = 2_000_000

// runList holds the first runs of a note, in the order in which they were judged, and the number of the others.
type runList struct {
	runs []int
	more int
}

// newRoom returns the number of runs that each list may hold if there are this many lists.
func newRoom(lists int) int { return max(mostListed/max(lists, 1), 1) }

func (l *runList) add(run, room int) {
	if len(l.runs) >= room {
		l.more++
		return
	}
	l.runs = append(l.runs, run)
}
