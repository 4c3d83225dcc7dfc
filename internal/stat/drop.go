package stat

import "slices"

// MostRuns is the largest number of runs a side that [Drops.Needed] tries.
const MostRuns = 200

// Drops finds how many runs it takes to see a drop of a rate. The zero value is ready. It keeps what it computed, and must
// not be used by two goroutines at once.
type Drops struct {
	critical [][]int     // see criticalOf; by the number of runs on each side, from 1 on
	ways     [][]float64 // see binomialCoefficients; by the number of runs on each side, from 1 on
}

// Needed returns the least number of runs on each side with which a drop from a of n to b of m is seen with a chance of at
// least 80 %, if these are the true rates. It is MostRuns+1 if it takes more, or if the rate did not drop. A drop is seen if
// the one-sided p-value of Fisher's exact test is at most 5 %. n and m are 1 or more, a is from 0 to n and b from 0 to m.
func (d *Drops) Needed(a, n, b, m int) int {
	before, after := float64(a)/float64(n), float64(b)/float64(m)
	for i := range MostRuns {
		if d.chanceToSee(i, before, after) >= 0.8 { // of a rate that did not drop it is at most 5 %
			return i + 1
		}
	}
	return MostRuns + 1
}

// chanceToSee returns the chance of seeing a drop between two rates with i+1 runs on each side, over all outcomes. For i above 0, it
// must have been called for i-1 before.
func (d *Drops) chanceToSee(i int, before, after float64) float64 {
	if len(d.critical) == i {
		d.critical = append(d.critical, criticalOf(i+1))
		d.ways = append(d.ways, binomialCoefficients(i+1))
	}
	was, is := binomialChances(d.ways[i], before), binomialChances(d.ways[i], after)
	sum, atMost, y := 0.0, 0.0, 0
	for x, most := range d.critical[i] {
		for ; y <= most; y++ {
			atMost += is[y]
		}
		sum += was[x] * atMost
	}
	return sum
}

// criticalOf returns, for each number of successes before, the largest number afterwards that is seen as a drop; -1 for none. Both
// samples have n trials. The result never decreases from one number to the next.
func criticalOf(n int) []int {
	one, both := binomialCoefficients(n), binomialCoefficients(2*n)
	list := make([]int, n+1)
	most := -1
	for x := range list {
		for isDrop(one, both, x, most+1) {
			most++
		}
		list[x] = most
	}
	return list
}

// isDrop reports whether x successes before and y afterwards have a one-sided p-value of at most 5 %. one has the numbers of
// ways to choose from one sample, both those from two.
func isDrop(one, both []float64, x, y int) bool {
	sum := 0.0
	for i := x; i < len(one) && i <= x+y; i++ {
		sum += one[i] * one[x+y-i]
	}
	return sum <= both[x+y]/20*(1+1e-9) // exactly 5 % counts: 3 of 3 and 0 of 3
}

// binomialCoefficients returns C(n,k) for k from 0 to n. n is at most 1000.
func binomialCoefficients(n int) []float64 {
	row := make([]float64, n+1)
	row[0] = 1
	for k := 1; k <= n; k++ {
		row[k] = row[k-1] * float64(n-k+1) / float64(k)
	}
	return row
}

// binomialChances returns the chances of 0 to n successes in n trials. ways has the numbers of ways to choose from them. Powers are
// multiplied up, because a saved report can ask for thousands of rates.
func binomialChances(ways []float64, rate float64) []float64 {
	row := slices.Clone(ways)
	power := 1.0
	for k := range row {
		row[k] *= power
		power *= rate
	}
	power = 1
	for k := range slices.Backward(row) {
		row[k] *= power
		power *= 1 - rate
	}
	return row
}
