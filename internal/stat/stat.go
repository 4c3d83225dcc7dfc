// Package stat holds the arithmetic behind figures: exact percentages, confidence bounds of a rate, pass^k and the
// median. Floating point numbers do not leave it; bounds come out as whole percents or 1/10000, and are the same on
// every platform.
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

// RoundPercent returns 100*a/b rounded half up, but 100 or more only when a is at least b: 199 of 200 is 99. a is 0 or
// more, b is more than 0, and both are below 4e16.
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
// The bound is the largest rate at which x or more successes have a chance of at most 5 %, which is the 0.05 quantile of
// Beta(x, n-x+1). It is searched among whole percents, so that no quantile has to be computed and rounded.
func CertifiedLower(x, n int) int {
	if x == 0 {
		return 0
	}
	// At 1 of 1 the chance at 5 % is 0.05 to the last bit, or not, depending on the platform's rounding.
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

// tenThousandths rounds half up. The conversion keeps the product and the sum apart, because some platforms compute both in one
// step, which rounds once instead of twice.
func tenThousandths(f float64) int {
	return min(max(int(math.Floor(float64(f*10000)+0.5)), 0), 10000)
}

// Median returns the median of values, in any order. If their number is even, it is the lower of the two middle values, so that
// it is a value that occurred. values must not be empty, and are not changed.
func Median(values []int64) int64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[(len(sorted)-1)/2]
}
