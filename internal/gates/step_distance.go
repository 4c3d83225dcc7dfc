package gates

// distance returns how many calls must be put in, taken out or replaced for the calls to match the steps one by one. The order
// counts.
func (w walk) distance() int {
	steps := w.path.order
	if !w.work.spend(len(w.calls) * (len(steps) + 1)) {
		return 0
	}
	// row[j] is the distance of the calls so far from the first j steps.
	row := make([]int, len(steps)+1)
	for j := range row {
		row[j] = j
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

// common returns for each call whether it is in the longest common subsequence of calls and steps; of several, in the one that
// keeps the earliest calls.
func (w walk) common() []bool {
	var some []int // calls that match a step at all
	for i, entries := range w.calls {
		if len(entries) > 0 {
			some = append(some, i)
		}
	}
	kept := make([]bool, len(w.calls))
	width := len(w.path.order) + 1
	if !w.work.spend(len(some)*width) || len(some)*width > maxTable {
		w.work.spend(maxStepWork)
		return kept
	}
	longest := w.longest(some, width)
	for at, step := 0, 0; at < len(some); at++ {
		// A call is kept where the calls behind it still reach the greatest length, from the first step that it matches on.
		for j := step; j < width-1; j++ {
			if w.fits(some[at], j) {
				if longest[(at+1)*width+j+1]+1 == longest[at*width+step] {
					kept[some[at]], step = true, j+1
				}
				break
			}
		}
	}
	return kept
}

// maxTable bounds the pairs of the calls of one run and the steps, because all are kept in memory: they take 32 MiB.
const maxTable = 1 << 24

// longest returns the table of the lengths of longest common subsequences: of the calls from one on, and the steps from one on.
func (w walk) longest(some []int, width int) []uint16 {
	table := make([]uint16, (len(some)+1)*width)
	for at := len(some) - 1; at >= 0; at-- {
		row, below := table[at*width:(at+1)*width], table[(at+1)*width:]
		matches := w.matches(some[at])
		for j := width - 2; j >= 0; j-- {
			row[j] = max(below[j], row[j+1])
			if matches[w.path.order[j]] {
				row[j] = max(row[j], below[j+1]+1)
			}
		}
	}
	return table
}
