package stat

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/org/mcp-gates/internal/thorough"
)

// The figures are those of R's fisher.test, but for the first two rows, which are in the documentation.
func TestFisher(t *testing.T) {
	for _, test := range []struct{ a, n, b, m, want int }{
		{10, 10, 6, 10, 867},
		{10, 10, 5, 10, 325},
		{3, 4, 1, 4, 4857},    // Fisher's tea tasting, two-sided
		{1, 10, 11, 14, 28},   // 0.002759, Wikipedia's dieting table
		{8, 10, 1, 6, 350},    // 0.03497
		{10, 13, 2, 17, 5},    // 0.0005367, the criminal twins in the help of fisher.test
		{0, 5, 5, 5, 79},      // 2/252
		{6, 6, 0, 0, 10000},   // nothing to compare with
		{0, 0, 5, 5, 10000},   // nothing to compare
		{0, 0, 0, 0, 10000},   // nothing at all
		{0, 10, 0, 10, 10000}, // no success at all
		{10, 10, 10, 10, 10000},
		{1, 1, 0, 1, 10000},
	} {
		if got := Fisher(test.a, test.n, test.b, test.m); got != test.want {
			t.Errorf("Fisher(%d, %d, %d, %d) = %d, want %d", test.a, test.n, test.b, test.m, got, test.want)
		}
		if got := Fisher(test.b, test.m, test.a, test.n); got != test.want {
			t.Errorf("Fisher(%d, %d, %d, %d) = %d, want %d: the order of samples must not matter", test.b, test.m, test.a, test.n, got, test.want)
		}
	}
}

// TestFisherIsExact pins every table of up to 40 trials a side, and some larger ones, to whole numbers: ties and halves
// of 1/10000 included.
func TestFisherIsExact(t *testing.T) {
	most := 20
	if thorough.Asked() {
		most = 40
	}
	for n := range most + 1 {
		for m := n; m <= most; m++ {
			for k := range n + m + 1 {
				checkExact(t, n, m, k)
			}
		}
	}
	for _, s := range []samples{{100, 100, 37}, {100, 300, 150}, {512, 512, 512}, {1000, 1000, 830}, {1000, 3, 501}} {
		checkExact(t, s.n, s.m, s.k)
	}
}

// checkExact compares all tables of two samples with k successes altogether with a computation in whole numbers.
func checkExact(t *testing.T, n, m, k int) {
	t.Helper()
	lo, hi := max(0, k-m), min(n, k)
	var ways []*big.Int
	for x := lo; x <= hi; x++ {
		ways = append(ways, new(big.Int).Mul(choose(n, x), choose(m, k-x)))
	}
	// Rounded half up: (2*10000*sum + all) / (2*all).
	all := choose(n+m, k)
	twice := new(big.Int).Lsh(all, 1)
	for i := range ways {
		sum := new(big.Int)
		for _, way := range ways {
			if way.Cmp(ways[i]) <= 0 {
				sum.Add(sum, way)
			}
		}
		sum.Mul(sum, big.NewInt(20000)).Add(sum, all)
		want := int(sum.Quo(sum, twice).Int64())
		if got := Fisher(lo+i, n, k-lo-i, m); got != want {
			t.Errorf("Fisher(%d, %d, %d, %d) = %d, want %d", lo+i, n, k-lo-i, m, got, want)
		}
	}
}

func choose(n, k int) *big.Int { return new(big.Int).Binomial(int64(n), int64(k)) }

// TestFisherOfManyTrials pins p-values that a chi-squared test with Yates's correction gives, which is as good where
// rates are far from 0 and 1.
func TestFisherOfManyTrials(t *testing.T) {
	for _, trials := range []int{100_000, 1_000_000, 17_000_000, 19_000_000, 1 << 40} {
		half, deviation := trials/2, math.Sqrt(float64(trials)/8)
		for _, z := range []float64{0, 0.5, 1, 1.96, 2.5758, 3.29, 5, 50} {
			moved := int(z * deviation)
			got := Fisher(half-moved, trials, half+moved, trials)
			want := tenThousandths(math.Erfc(max(float64(moved)-0.5, 0) / deviation / math.Sqrt2))
			if got < want-1 || got > want+1 {
				t.Errorf("Fisher(%d, %d, %d, %[2]d) = %d, want about %d", half-moved, trials, half+moved, got, want)
			}
		}
	}
}

// TestFisherFallsWithDistance pins that a larger difference is never likelier, on either side of the bound on work.
func TestFisherFallsWithDistance(t *testing.T) {
	for _, trials := range []int{1000, 1_000_000, 100_000_000} {
		for _, share := range []int{2, 10, 1000} {
			middle, last := trials/share, 10000
			for moved := 0; moved < 5*int(math.Sqrt(float64(middle))); moved += max(1, middle/10_000) {
				got := Fisher(middle-moved, trials, middle+moved, trials)
				if got > last {
					t.Fatalf("Fisher(%d, %d, %d, %[2]d) = %d, and %d for a smaller difference", middle-moved, trials, middle+moved, got, last)
				}
				last = got
			}
		}
	}
}

// TestFisherSeams pins how far the normal distribution is off where it takes over, of rates of which rare ones are skewed
// most.
func TestFisherSeams(t *testing.T) {
	for _, s := range []samples{
		{18_000_000, 18_000_000, 18_000_000}, {1 << 40, 1 << 40, 4_500_000}, {1 << 50, 1 << 46, 36_000_000}, {1 << 46, 1 << 50, 36_000_000},
	} {
		for z := -5.0; z <= 5; z += 0.125 {
			a := int(s.mean() + z*s.deviation())
			summed, normal := s.exactP(a), s.normalP(a)
			if diff := summed - normal; diff < -5 || diff > 5 {
				t.Errorf("%d of %d, %d of %d: %d summed up and %d by the normal distribution", a, s.n, s.k-a, s.m, summed, normal)
			}
		}
	}
}

// TestFisherTakesLittle pins the work: counts come from reports, too, and hold what their writer likes.
func TestFisherTakesLittle(t *testing.T) {
	for _, s := range []samples{
		{1_000_000, 1_000_000, 1_000_000}, {17_900_000, 17_900_000, 17_900_000}, {1 << 50, 1 << 50, 4_000_000},
		{1 << 50, 1 << 50, 1 << 50}, {math.MaxInt / 4, math.MaxInt / 4, math.MaxInt / 4},
	} {
		a := s.k / 2
		outcomes := 0
		if s.deviation() <= 1500 {
			s.eachOutcome(func(int, float64) { outcomes++ })
		}
		if outcomes > 30_000 {
			t.Errorf("Fisher(%d, %d, %d, %d) looks at %d outcomes, want at most 30,000", a, s.n, s.k-a, s.m, outcomes)
		}
		start := time.Now()
		Fisher(a, s.n, s.k-a, s.m)
		if took := time.Since(start); took > 10*time.Second { // ten thousand times what it takes
			t.Errorf("Fisher(%d, %d, %d, %d) took %v", a, s.n, s.k-a, s.m, took)
		}
	}
}

func BenchmarkFisher(b *testing.B) {
	b.Run("1000 trials", func(b *testing.B) {
		for b.Loop() {
			Fisher(400, 1000, 430, 1000)
		}
	})
	b.Run("a million trials", func(b *testing.B) {
		for b.Loop() {
			Fisher(500_000, 1_000_000, 500_300, 1_000_000)
		}
	})
	b.Run("the dearest", func(b *testing.B) {
		for b.Loop() {
			Fisher(8_950_000, 17_900_000, 8_950_000, 17_900_000)
		}
	})
}
