package stat

import "math"

// Fisher returns the two-sided p-value of Fisher's exact test, in 1/10000, rounded half up: the chance that two samples with equal
// rates differ at least as much as a successes in n trials and b successes in m trials. Like R's fisher.test, it adds up all
// outcomes that are at most as likely as the observed one. a is from 0 to n, b from 0 to m.
//
// The work is bounded. If the number of successes in the first sample has a standard deviation of more than 1500, which takes 18
// million trials in each sample, Fisher uses the normal distribution. The error is then at most 5/10000.
func Fisher(a, n, b, m int) int {
	const mostDeviation = 1500
	s := samples{n, m, a + b}
	if s.deviation() > mostDeviation {
		return s.normalP(a)
	}
	return s.exactP(a)
}

// exactP returns the p-value of a successes in the first sample, as a sum over outcomes.
func (s samples) exactP(a int) int {
	var all, seen float64
	s.eachOutcome(func(x int, weight float64) {
		all += weight
		if x == a {
			seen = weight
		}
	})
	// Outcomes that are equally likely must count. The margin is far larger than their rounding errors.
	limit, sum := seen*(1+1e-9), 0.0
	s.eachOutcome(func(_ int, weight float64) {
		if weight <= limit {
			sum += weight
		}
	})
	// A p-value halfway between two results must be rounded up, even if the sum is slightly too small.
	return tenThousandths(sum/all + 1e-12)
}

// normalP returns the p-value by the normal distribution, with the usual continuity correction.
func (s samples) normalP(a int) int {
	distance := max(math.Abs(float64(a)-s.mean())-0.5, 0)
	return tenThousandths(math.Erfc(distance / s.deviation() / math.Sqrt2))
}

// samples are two samples of n and m trials with k successes in total. The chance of x successes in the first sample is
// C(n,x)C(m,k-x)/C(n+m,k).
type samples struct{ n, m, k int }

// mean is the mean of the number of successes in the first sample, and deviation its standard deviation.
func (s samples) mean() float64 {
	return float64(s.k) / (float64(s.n) + float64(s.m)) * float64(s.n)
}

func (s samples) deviation() float64 {
	total := float64(s.n) + float64(s.m)
	if total <= 1 {
		return 0
	}
	return math.Sqrt(s.mean() * (float64(s.m) / total) * ((total - float64(s.k)) / (total - 1)))
}

// negligible is a share of the mean's chance. In each direction, outcomes beyond the first with this share or less are skipped.
// Chances fall ever faster, so all skipped outcomes together have a chance far below 1/10000.
const negligible = 1e-20

// eachOutcome calls do for each number x of successes in the first sample whose chance is not negligible: from the mean upwards,
// then downwards. weight is the chance as a multiple of the mean's chance. It is computed from the ratios of neighbours, because
// logarithms of factorials are too large to keep the digits that matter.
func (s samples) eachOutcome(do func(x int, weight float64)) {
	lo, hi := max(0, s.k-s.m), min(s.n, s.k)
	middle := min(max(lo, int(s.mean())), hi)
	do(middle, 1)
	weight := 1.0
	for x := middle; x < hi && weight > negligible; x++ {
		weight *= s.ratio(x)
		do(x+1, weight)
	}
	weight = 1
	for x := middle; x > lo && weight > negligible; x-- {
		weight /= s.ratio(x - 1)
		do(x-1, weight)
	}
}

// ratio returns the chance of x+1 divided by the chance of x.
func (s samples) ratio(x int) float64 {
	return float64(s.n-x) * float64(s.k-x) / (float64(x+1) * float64(s.m-s.k+x+1))
}
