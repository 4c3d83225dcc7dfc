package yamlread

import (
	"math/big"
	"strconv"
)

// Int returns the whole number of key, which must be at least min, or def if m lacks the key.
func (m *Map) Int(key string, def, min int) int {
	if n, ok := m.Whole(key, min); ok {
		return n
	}
	return def
}

// Whole returns the whole number of key, which must be at least min, and whether there is a valid one.
func (m *Map) Whole(key string, min int) (n int, ok bool) {
	v, ok := m.Value(key)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(v.node.text)
	if !v.node.isInt || !decimal.MatchString(v.node.text) || err != nil || n < min {
		v.Errorf("%q must be a whole number of %d or more, found %s", key, min, v.Describe())
		return 0, false
	}
	return n, true
}

// Bool returns the truth value of key, or def if m lacks the key.
func (m *Map) Bool(key string, def bool) bool {
	v, ok := m.Value(key)
	if !ok {
		return def
	}
	b, ok := v.truth()
	if !ok {
		v.Errorf("%q must be true or false, found %s", key, v.Describe())
		return def
	}
	return b
}

// Decimal returns the exact decimal number of key, which must be from min to max, and whether there is a valid one. A nil max
// means no bound.
func (m *Map) Decimal(key string, min, max *big.Rat) (*big.Rat, bool) {
	v, ok := m.Value(key)
	if !ok {
		return nil, false
	}
	r, ok := v.Rat()
	if !ok || r.Cmp(min) < 0 || max != nil && r.Cmp(max) > 0 {
		v.Errorf("%q must be a number %s, found %s%s", key, span(min, max), v.Describe(), fractionHint(v, max))
		return nil, false
	}
	return r, true
}

// fractionHint returns a hint for a percentage in place of a number from 0 to 1.
func fractionHint(v Value, max *big.Rat) string {
	percent, ok := v.Percentage()
	if !ok || max == nil || max.Cmp(big.NewRat(1, 1)) != 0 {
		return ""
	}
	share := percent.Mul(percent, big.NewRat(1, 100))
	places, _ := share.FloatPrec()
	return " (write " + share.FloatString(places) + ")"
}

func span(min, max *big.Rat) string {
	if max == nil {
		return "of " + min.RatString() + " or more"
	}
	return "from " + min.RatString() + " to " + max.RatString()
}
