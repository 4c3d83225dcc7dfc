package stat

import "slices"

// MostRuns is the largest number of runs on each side that [Drops.Needed] tries.
const MostRuns = 200

// Drops finds how many runs it takes to see a drop of a rate. The zero value is ready to use. Drops keeps its results, and is not
// safe for concurrent use.
type Drops struct {
	critical [][]int     // results of criticalOf; the first is for 1 run on each side
	ways     [][]float64 // results of binomialCoefficients; the first is for 1 run on each side
}

// Needed returns the least number of runs on each side that show a drop with a chance of at least 80 %, if the true rates are a of
// n before and b of m after. It returns MostRuns+1 if more runs are needed, or if the rate did not drop. Runs show a drop if the
// one-sided p-value of Fisher's exact test is at most 5 %. n and m are 1 or more, a is from 0 to n and b from 0 to m.
func (d *Drops) Needed(a, n, b, m int) int {
	before, after := float64(a)/float64(n), float64(b)/float64(m)
	for i := range MostRuns {
		if d.chanceToSee(i, before, after) >= 0.8 { // without a drop, the chance is at most 5 %
			return i + 1
		}
	}
	return MostRuns + 1
}

// chanceToSee returns the chance that i+1 runs on each side show a drop from before to after. It must first be called with each
// smaller i.
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

// criticalOf returns, for each number of successes before a change, the largest number of successes after the change that shows a
// drop; -1 if none does. Both samples have n trials. The returned numbers never decrease.
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

// isDrop reports whether x successes before and y afterwards have a one-sided p-value of at most 5 %. one has the binomial
// coefficients for the size of one sample, both those for the total size.
func isDrop(one, both []float64, x, y int) bool {
	sum := 0.0
	for i := x; i < len(one) && i <= x+y; i++ {
		sum += one[i] * one[x+y-i]
	}
	return sum <= both[x+y]/20*(1+1e-9) // exactly 5 % counts, as for 3 of 3 and 0 of 3
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

// binomialChances returns the chances of 0 to n successes in n trials. ways are the binomial coefficients of n. Powers are computed
// by repeated multiplication for speed, because a saved report can ask for thousands of rates.
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
