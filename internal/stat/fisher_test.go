package stat

import (
	"math/rand/v2"
	"testing"
)

// The figures are those of R's fisher.test, but for the first two rows, which are in the documentation.
func TestFisher(t *testing.T) {
	for _, test := range []struct{ a, n, b, m, want int }{
		{10, 10, 6, 10, 867},
		{10, 10, 5, 10, 325},
		{3, 4, 1, 4, 4857},    // Fisher's tea tasting, two-sided
		{1, 10, 11, 14, 28},   // 0.002759, Wikipedia's dieting table
		{8, 10, 1, 6, 350},    // 0.03497
		{0, 5, 5, 5, 79},      // 2/252
		{0, 0, 5, 5, 10000},   // nothing to compare
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

// Logarithms are used for many trials only, but must say the same for few.
func TestFisherFloat(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n, m := random.IntN(60), random.IntN(60)
		a, b := random.IntN(n+1), random.IntN(m+1)
		exact, float := Fisher(a, n, b, m), fisherFloat(a, n, b, m)
		if exact != float {
			t.Errorf("Fisher(%d, %d, %d, %d): %d in whole numbers, %d in logarithms", a, n, b, m, exact, float)
		}
	}
}

func TestFisherOfManyTrials(t *testing.T) {
	if got := Fisher(50_000, 100_000, 50_300, 100_000); got < 1700 || got > 1900 {
		t.Errorf("got %d, want about 1800, which a chi-squared test says", got) // z = 300/sqrt(50150) = 1.34
	}
}

func BenchmarkFisher(b *testing.B) {
	for b.Loop() {
		Fisher(400, 1000, 430, 1000)
	}
}
