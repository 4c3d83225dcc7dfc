package stat

import (
	"math/big"
	"strconv"
)

// PassHat returns C(c,k)/C(n,k): the chance that k runs all succeeded, if they are drawn without replacement from n runs of which c
// succeeded. k is from 1 to n, c from 0 to n.
func PassHat(c, n, k int) *big.Rat {
	if k > c {
		return new(big.Rat)
	}
	// C(c,k) and C(n,k) have the same denominator k!, which cancels out.
	var won, all big.Int
	won.MulRange(int64(c-k+1), int64(c))
	all.MulRange(int64(n-k+1), int64(n))
	return new(big.Rat).SetFrac(&won, &all)
}

// PassHatName returns the name of [PassHat] for k, such as pass^3.
func PassHatName(k int) string { return "pass^" + strconv.Itoa(k) }

// PassHatPercent returns PassHat in percent, rounded down.
func PassHatPercent(c, n, k int) int {
	chance := PassHat(c, n, k)
	var percent big.Int
	percent.Mul(chance.Num(), big.NewInt(100))
	return int(percent.Quo(&percent, chance.Denom()).Int64())
}

// PassHats returns PassHatPercent for k = 1 to limit. Each value takes one byte, because a check of many cases keeps one value for
// each run. limit is from 0 to n.
func PassHats(c, n, limit int) []int8 {
	percents := make([]int8, limit)
	won, all, percent := big.NewInt(100), big.NewInt(1), new(big.Int)
	for k := range min(limit, c) {
		won.Mul(won, big.NewInt(int64(c-k)))
		all.Mul(all, big.NewInt(int64(n-k)))
		percents[k] = int8(percent.Quo(won, all).Int64())
	}
	return percents
}
