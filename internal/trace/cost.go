package trace

import (
	"strconv"
	"strings"
)

// readCost reads an optional amount of dollars; null is unknown.
func (r *reader) readCost() Count {
	if r.json.Null() {
		return Count{}
	}
	offset := r.json.Offset()
	digits, ok := r.json.Number(`"cost_usd"`)
	if !ok {
		return Count{}
	}
	micros, ok := MicroDollars(digits)
	if !ok {
		r.json.Mistakef(offset, `"cost_usd" must be a number of 0 to 1000000, found %.60s`, digits)
	}
	return Count{micros, ok}
}

// MicroDollars returns a JSON number of dollars in micro-dollars, rounded half up from its decimal digits. A negative
// number and one of more than a million dollars (MaxCount micro-dollars) are refused.
func MicroDollars(number string) (int64, bool) {
	significant := strings.TrimLeft(number, "-0.")
	isZero := significant == "" || strings.IndexAny(significant, "eE") == 0 // such as 0.0 or 0e5
	if isZero {
		return 0, true
	}
	if number[0] == '-' {
		return 0, false
	}
	digits, point := decimal(number)
	wholeDigits := point + 6 // digits of the micro-dollars before the decimal point
	switch {
	case wholeDigits > len("1000000000000"): // the digits of MaxCount
		return 0, false
	case wholeDigits < 0:
		return 0, true
	}
	for len(digits) <= wholeDigits {
		digits += "0"
	}
	n, err := strconv.ParseInt("0"+digits[:wholeDigits], 10, 64)
	if roundsUp := digits[wholeDigits] >= '5'; roundsUp {
		n++
	}
	return n, err == nil && n <= MaxCount
}

// decimal returns a JSON number other than 0 as 0.DIGITS times ten to the power of point. The first digit is not 0.
func decimal(number string) (digits string, point int) {
	mantissa, exponent := number, "0"
	if at := strings.IndexAny(number, "eE"); at >= 0 {
		mantissa, exponent = number[:at], number[at+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	digits = strings.TrimLeft(all, "0")
	point = len(whole) - (len(all) - len(digits))
	power, err := strconv.Atoi(exponent)
	// Far more digits than a file can have, but so few that the sum cannot overflow.
	const maxPower = 1 << 30
	if err != nil || power > maxPower || power < -maxPower {
		power = maxPower
		if exponent[0] == '-' {
			power = -maxPower
		}
	}
	return digits, point + power
}
