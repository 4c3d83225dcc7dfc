package stat

import (
	"math"
	"math/big"
)

// Up to this many trials Fisher's test is computed in whole numbers; past it those take too long, and the rounded
// result is the same but for the rarest ties.
const mostExact = 2000

// Fisher returns the two-sided p-value of Fisher's exact test, in 1/10000 rounded half up: the chance, were both rates
// the same, of two samples that differ at least as much as a successes in n trials and b in m. It sums up all outcomes
// that are no more likely than the one seen, as is usual (R's fisher.test does). a is from 0 to n, b from 0 to m.
func Fisher(a, n, b, m int) int {
	if n+m > mostExact {
		return fisherFloat(a, n, b, m)
	}
	s := samples{n, m, a + b}
	seen, sum := s.ways(a), new(big.Int)
	x := max(0, s.k-m)
	for way := s.ways(x); x <= min(n, s.k); x++ {
		if way.Cmp(seen) <= 0 {
			sum.Add(sum, way)
		}
		way = s.next(way, x)
	}
	// Rounded half up: (2*10000*sum + all) / (2*all).
	all := choose(n+m, s.k)
	sum.Mul(sum, big.NewInt(20000)).Add(sum, all)
	return int(sum.Quo(sum, new(big.Int).Lsh(all, 1)).Int64())
}

func choose(n, k int) *big.Int { return new(big.Int).Binomial(int64(n), int64(k)) }

// samples are two samples of n and m trials with k successes altogether. The chance of x of them in the first one is
// C(n,x)C(m,k-x)/C(n+m,k).
type samples struct{ n, m, k int }

// ways returns C(n,x)C(m,k-x).
func (s samples) ways(x int) *big.Int {
	return new(big.Int).Mul(choose(s.n, x), choose(s.m, s.k-x))
}

// next returns the ways of x+1 from those of x.
func (s samples) next(way *big.Int, x int) *big.Int {
	more := new(big.Int).Mul(big.NewInt(int64(s.n-x)), big.NewInt(int64(s.k-x)))
	less := new(big.Int).Mul(big.NewInt(int64(x+1)), big.NewInt(int64(s.m-s.k+x+1)))
	return more.Quo(more.Mul(more, way), less)
}

// fisherFloat is Fisher for many trials, in logarithms.
func fisherFloat(a, n, b, m int) int {
	k := a + b
	all := logChoose(n+m, k)
	chance := func(x int) float64 { return math.Exp(logChoose(n, x) + logChoose(m, k-x) - all) }
	const tie = 1 + 1e-7 // as R has it: what is equally likely must not be lost to rounding
	limit, sum := chance(a)*tie, 0.0
	for x := max(0, k-m); x <= min(n, k); x++ {
		if p := chance(x); p <= limit {
			sum += p
		}
	}
	return tenThousandths(sum)
}

func logChoose(n, k int) float64 {
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

func logFactorial(n int) float64 {
	log, _ := math.Lgamma(float64(n) + 1)
	return log
}
