package compare

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// movedAway reports whether a figure is farther from a bound that it does not keep than it was before.
func movedAway(matcher, before, after string) bool {
	was, okBefore := report.Digits(before)
	is, okAfter := report.Digits(after)
	if !okBefore || !okAfter {
		return false
	}
	for _, b := range limitsOf(matcher) {
		if !b.holds(is) && b.distance(is).Cmp(b.distance(was)) > 0 {
			return true
		}
	}
	return false
}

// limit is one comparison of a matcher.
type limit struct {
	op string
	at *big.Rat
}

// parseBounds reads a matcher that reports print as comparisons, such as ">= 80" or ">= 10 and < 20", or as the exact
// number that is expected.
func parseBounds(matcher string) ([]limit, bool) {
	if number, isExact := strings.CutPrefix(matcher, "exact "); isExact {
		at, ok := report.Digits(number)
		return []limit{{"==", at}}, ok
	}
	var bounds []limit
	for _, part := range strings.Split(matcher, " and ") {
		op, number, _ := strings.Cut(part, " ")
		at, ok := report.Digits(number)
		if !ok || strings.HasPrefix(number, "$") || allowed[op] == nil {
			return nil, false
		}
		bounds = append(bounds, limit{op, at})
	}
	return bounds, true
}

// schemaLimits lists the keywords of a JSON Schema that bound a number.
var schemaLimits = []struct{ keyword, op string }{
	{"minimum", ">="}, {"exclusiveMinimum", ">"}, {"maximum", "<="}, {"exclusiveMaximum", "<"}, {"const", "=="},
}

// limitsOf returns the comparisons that a matcher makes, among others that it may make besides.
func limitsOf(matcher string) []limit {
	if bounds, ok := parseBounds(matcher); ok {
		return bounds
	}
	var schema map[string]json.RawMessage
	if doc, isSchema := strings.CutPrefix(matcher, "schema "); !isSchema || json.Unmarshal([]byte(doc), &schema) != nil {
		return nil
	}
	var bounds []limit
	for _, l := range schemaLimits {
		if at, ok := report.Digits(string(schema[l.keyword])); ok {
			bounds = append(bounds, limit{l.op, at})
		}
	}
	return bounds
}

// allowed are the operators, with the results of a comparison that each allows.
var allowed = map[string][]int{">=": {0, 1}, ">": {1}, "<=": {-1, 0}, "<": {-1}, "==": {0}, "!=": {-1, 1}}

func (l limit) holds(v *big.Rat) bool { return slices.Contains(allowed[l.op], v.Cmp(l.at)) }

// distance returns how far v is on the wrong side of the bound; 0 or less when it is on the right one.
func (l limit) distance(v *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(v, l.at)
	switch l.op {
	case ">=", ">":
		return d.Neg(d)
	case "==":
		return d.Abs(d)
	case "!=":
		return new(big.Rat)
	}
	return d
}
