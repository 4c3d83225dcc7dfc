package report

import (
	"math/big"
	"slices"
	"strings"
)

// Bound is one comparison of a matcher.
type Bound struct {
	Op string // ">=", ">", "<=", "<", "==" or "!="
	At *big.Rat
}

// ParseBounds parses a matcher as reports print it: comparisons, such as ">= 80" or ">= 10 and < 20", or "exact" and a number.
func ParseBounds(matcher string) ([]Bound, bool) {
	if number, isExact := strings.CutPrefix(matcher, "exact "); isExact {
		at, ok := Digits(number)
		return []Bound{{"==", at}}, ok
	}
	var bounds []Bound
	for _, part := range strings.Split(matcher, " and ") {
		op, number, _ := strings.Cut(part, " ")
		at, ok := Digits(number)
		if !ok || strings.HasPrefix(number, "$") || allowed[op] == nil {
			return nil, false
		}
		bounds = append(bounds, Bound{op, at})
	}
	return bounds, true
}

// allowed maps each operator to the results of a comparison that satisfy it.
var allowed = map[string][]int{">=": {0, 1}, ">": {1}, "<=": {-1, 0}, "<": {-1}, "==": {0}, "!=": {-1, 1}}

// Holds reports whether v satisfies the bound.
func (b Bound) Holds(v *big.Rat) bool { return slices.Contains(allowed[b.Op], v.Cmp(b.At)) }

// Distance returns by how much v violates the bound; 0 or less if it satisfies the bound, and always 0 for "!=".
func (b Bound) Distance(v *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(v, b.At)
	switch b.Op {
	case ">=", ">":
		return d.Neg(d)
	case "==":
		return d.Abs(d)
	case "!=":
		return new(big.Rat)
	}
	return d
}
