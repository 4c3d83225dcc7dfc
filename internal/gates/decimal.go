package gates

import (
	"math/big"
	"regexp"
)

// plainDecimal is a number as JSON and YAML spell it. Its exponent is bounded, for exact arithmetic on an exponent of a
// billion never ends.
var plainDecimal = regexp.MustCompile(`^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,3})?$`)

// maxDigits bounds how long a number may be; every 64-bit float written out is shorter.
const maxDigits = 800

// parseDecimal returns the exact number that digits say, and whether they are a decimal number of bounded size.
func parseDecimal(digits string) (*big.Rat, bool) {
	if len(digits) > maxDigits || !plainDecimal.MatchString(digits) {
		return nil, false
	}
	return new(big.Rat).SetString(digits)
}

// decimalText returns a number that has a finite decimal form, exactly and without trailing zeros: 85.5, 80, 0.7.
func decimalText(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	places, _ := r.FloatPrec()
	return r.FloatString(places)
}

// percentText returns a rate from 0 to 1 as its exact percent without trailing zeros: 0.855 is 85.5%.
func percentText(rate *big.Rat) string {
	return decimalText(new(big.Rat).Mul(rate, big.NewRat(100, 1))) + "%"
}
