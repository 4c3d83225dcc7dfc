package stat

import (
	"math/big"
	"testing"

	"github.com/org/mcp-gates/internal/thorough"
)

func TestFloorPercent(t *testing.T) {
	tests := []struct {
		a, b int64
		want int
	}{{0, 1, 0}, {2, 3, 66}, {999, 1000, 99}, {1000, 1000, 100}, {4, 5, 80}, {90_000_000_000_000_000, 90_000_000_000_000_000, 100}}
	for _, test := range tests {
		if got := FloorPercent(test.a, test.b); got != test.want {
			t.Errorf("FloorPercent(%d, %d) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

func TestRoundPercent(t *testing.T) {
	tests := []struct {
		a, b int64
		want int
	}{{2, 3, 67}, {1, 3, 33}, {1, 8, 13}, {1, 200, 1}, {199, 200, 99}, {200, 200, 100}, {3, 2, 150}, {0, 7, 0}}
	for _, test := range tests {
		if got := RoundPercent(test.a, test.b); got != test.want {
			t.Errorf("RoundPercent(%d, %d) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

func TestCertifiedLower(t *testing.T) {
	tests := []struct{ x, n, want int }{
		{0, 1, 0}, {0, 100_000, 0}, {1, 1, 5}, {5, 5, 54}, {4, 5, 34}, {10, 10, 74}, {9, 10, 60}, {20, 20, 86},
		{80, 100, 72}, {58, 58, 94}, {59, 59, 95}, {299, 299, 99}, {298, 298, 98}, {100_000, 100_000, 99},
		{50_000, 100_000, 49}, {50_270, 100_000, 50}, {1, 100_000, 0},
	}
	for _, test := range tests {
		if got := CertifiedLower(test.x, test.n); got != test.want {
			t.Errorf("CertifiedLower(%d, %d) = %d, want %d", test.x, test.n, got, test.want)
		}
	}
}

// TestCertifiedLowerExact compares with the definition in exact arithmetic: the bound is the largest whole percent p at
// which the chance of x or more successes is at most 1/20.
func TestCertifiedLowerExact(t *testing.T) {
	trials := thorough.Size(100, 200)
	want := make([][]int, trials+1)
	for n := range want {
		want[n] = make([]int, n+1)
	}
	for p := int64(1); p < 100; p++ {
		exactTails(p, trials, func(n, x int) { want[n][x] = int(p) })
	}
	for n := 1; n <= trials; n++ {
		for x := 0; x <= n; x++ {
			if got := CertifiedLower(x, n); got != want[n][x] {
				t.Errorf("CertifiedLower(%d, %d) = %d, want %d", x, n, got, want[n][x])
			}
		}
	}
}

// exactTails calls rare with each n up to trials and each x above 0 for which x or more successes in n trials, each
// with a chance of p percent, have a chance of at most 1/20.
func exactTails(p int64, trials int, rare func(n, x int)) {
	win, lose, limit := big.NewInt(p), big.NewInt(100-p), big.NewInt(1)
	ways := []*big.Int{big.NewInt(1)} // ways[i] is the chance of i successes, times 100^n
	var carried, tail, scaled big.Int
	for n := 1; n <= trials; n++ {
		ways = append(ways, new(big.Int))
		for i := n; i > 0; i-- {
			carried.Mul(ways[i-1], win)
			ways[i].Mul(ways[i], lose)
			ways[i].Add(ways[i], &carried)
		}
		ways[0].Mul(ways[0], lose)
		limit.Mul(limit, big.NewInt(100))
		tail.SetInt64(0)
		for x := n; x > 0; x-- {
			tail.Add(&tail, ways[x])
			if scaled.Mul(&tail, big.NewInt(20)).Cmp(limit) > 0 {
				break
			}
			rare(n, x)
		}
	}
}

func TestWilson(t *testing.T) {
	// Wilson's interval from the textbook formula in exact decimals, to four places.
	tests := []struct{ x, n, lo, hi int }{
		{4, 5, 3755, 9638}, {9, 10, 5958, 9821}, {10, 10, 7225, 10000}, {0, 10, 0, 2775}, {1, 1, 2065, 10000},
		{0, 1, 0, 7935}, {81, 263, 2553, 3662}, {5, 10, 2366, 7634}, {50_000, 100_000, 4969, 5031},
	}
	for _, test := range tests {
		if lo, hi := Wilson(test.x, test.n); lo != test.lo || hi != test.hi {
			t.Errorf("Wilson(%d, %d) = %d, %d, want %d, %d", test.x, test.n, lo, hi, test.lo, test.hi)
		}
	}
}

func TestMedian(t *testing.T) {
	tests := []struct {
		values []int64
		want   int64
	}{{[]int64{7}, 7}, {[]int64{9, 1}, 1}, {[]int64{3, 1, 2}, 2}, {[]int64{4, 1, 3, 2}, 2}}
	for _, test := range tests {
		first := test.values[0]
		if got := Median(test.values); got != test.want {
			t.Errorf("Median(%v) = %d, want %d", test.values, got, test.want)
		}
		if test.values[0] != first {
			t.Errorf("Median changed its argument to %v", test.values)
		}
	}
}

func TestPassHat(t *testing.T) {
	for k := 1; k <= 10; k++ {
		if got, want := PassHatPercent(9, 10, k), 100-10*k; got != want {
			t.Errorf("PassHatPercent(9, 10, %d) = %d, want %d", k, got, want)
		}
	}
	if got := PassHatPercent(100_000, 100_000, 50_000); got != 100 {
		t.Errorf("PassHatPercent(100000, 100000, 50000) = %d, want 100", got)
	}
	if got := PassHatPercent(99_999, 100_000, 50_000); got != 50 {
		t.Errorf("PassHatPercent(99999, 100000, 50000) = %d, want 50", got)
	}
}

// TestPassHatBinomial compares with the formula as it is printed, C(c,k)/C(n,k).
func TestPassHatBinomial(t *testing.T) {
	for n := 1; n <= 30; n++ {
		for c := 0; c <= n; c++ {
			percents := PassHats(c, n, n)
			for k := 1; k <= n; k++ {
				var won, all big.Int
				want := new(big.Rat).SetFrac(won.Binomial(int64(c), int64(k)), all.Binomial(int64(n), int64(k)))
				if k > c {
					want.SetInt64(0)
				}
				if got := PassHat(c, n, k); got.Cmp(want) != 0 {
					t.Errorf("PassHat(%d, %d, %d) = %s, want %s", c, n, k, got, want)
				}
				if got, want := percents[k-1], PassHatPercent(c, n, k); int(got) != want {
					t.Errorf("PassHats(%d, %d)[%d] = %d, want %d", c, n, k, got, want)
				}
			}
		}
	}
}

func TestPassHatName(t *testing.T) {
	if got := PassHatName(3); got != "pass^3" {
		t.Errorf("got %q, want pass^3", got)
	}
}
