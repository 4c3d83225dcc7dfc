package stat

import (
	"math/big"
	"strconv"
)

// PassHat returns C(c,k)/C(n,k): the chance that k runs, drawn without replacement from n of which c succeeded, all
// succeeded. k is from 1 to n, c from 0 to n.
func PassHat(c, n, k int) *big.Rat {
	if k > c {
		return new(big.Rat)
	}
	// C(c,k)/C(n,k) without the k! that cancels out.
	var won, all big.Int
	won.MulRange(int64(c-k+1), int64(c))
	all.MulRange(int64(n-k+1), int64(n))
	return new(big.Rat).SetFrac(&won, &all)
}

// PassHatName is the name of [PassHat] with its k, as people read it.
func PassHatName(k int) string { return "pass^" + strconv.Itoa(k) }

// PassHatPercent returns PassHat in percent, rounded down.
func PassHatPercent(c, n, k int) int {
	chance := PassHat(c, n, k)
	var percent big.Int
	percent.Mul(chance.Num(), big.NewInt(100))
	return int(percent.Quo(&percent, chance.Denom()).Int64())
}

// PassHats returns PassHatPercent for k = 1 to limit. Each value takes one byte, because a check of many cases keeps one for
// each run of a case. limit is from 0 to n.
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
