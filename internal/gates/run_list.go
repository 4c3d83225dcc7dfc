package gates

// maxListedRuns bounds the number of runs in all lists of one gate, because each entry of a suite may list every run.
const maxListedRuns = 2_000_000

// runList holds the first runs of a note, in the order in which they were judged, and the number of further runs.
type runList struct {
	runs []int
	more int
}

// add adds a run to l. lists is the number of lists that share maxListedRuns equally. If the share of l is used up, the run is only
// counted.
func (l *runList) add(run, lists int) {
	if len(l.runs) == maxListedRuns/lists {
		l.more++
		return
	}
	l.runs = append(l.runs, run)
}
