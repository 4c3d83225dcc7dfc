// Package stat computes figures: exact percentages, confidence bounds of a rate, pass^k and the median. It returns no floating
// point numbers: bounds are in whole percents or in 1/10000, and are the same on every platform.
package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// FloorPercent returns 100*a/b rounded down, so that 100 always means all. a is 0 or more, b is more than 0, and a is
// below 9e16.
func FloorPercent(a, b int64) int {
	return int(100 * a / b)
}

// RoundPercent returns 100*a/b rounded half up, but at most 99 if a is less than b: 199 of 200 is 99. a is 0 or more, b is more
// than 0, and both are below 4e16.
func RoundPercent(a, b int64) int {
	percent := int((200*a + b) / (2 * b))
	if a < b {
		return min(percent, 99)
	}
	return percent
}

// CertifiedLower returns the one-sided 95 % Clopper-Pearson lower bound of a success rate, in percent rounded down, if x of n
// trials succeeded. n is 1 or more, x from 0 to n.
//
// The bound is the 0.05 quantile of Beta(x, n-x+1): the largest rate at which x or more successes have a chance of at most 5 %. The
// search tries whole percents, so that no quantile must be computed and rounded.
func CertifiedLower(x, n int) int {
	if x == 0 {
		return 0
	}
	// For 1 of 1, the chance at a rate of 5 % is 0.05, but can differ in the last bit, depending on the platform.
	const limit = 0.05 + 1e-12
	percent := 0
	for step := 64; step > 0; step /= 2 {
		if p := percent + step; p < 100 && mathext.RegIncBeta(float64(x), float64(n-x+1), float64(p)/100) <= limit {
			percent = p
		}
	}
	return percent
}

// Wilson returns the two-sided 95 % score interval of Wilson (1927) for x successes in n trials, in 1/10000, both ends
// rounded half up. n is 1 or more, x from 0 to n.
func Wilson(x, n int) (lo, hi int) {
	const z = 1.959963984540054 // the 0.975 quantile of the normal distribution
	count, rate := float64(n), float64(x)/float64(n)
	centre := rate + z*z/(2*count)
	spread := z * math.Sqrt(rate*(1-rate)/count+z*z/(4*count*count))
	scale := 1 + z*z/count
	return tenThousandths((centre - spread) / scale), tenThousandths((centre + spread) / scale)
}

// tenThousandths returns f in 1/10000, rounded half up. The conversion rounds the product, because some platforms otherwise round
// only the sum.
func tenThousandths(f float64) int {
	return min(max(int(math.Floor(float64(f*10000)+0.5)), 0), 10000)
}

// Median returns the median of values, which are in any order and not empty. If their number is even, it returns the lower of the
// two middle values. It does not change values.
func Median(values []int64) int64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[(len(sorted)-1)/2]
}
