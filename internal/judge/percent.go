package judge

import (
	"encoding/json"
	"math/big"

	"github.com/org/mcp-gates/internal/yamlread"
)

var hundred = big.NewRat(100, 1)

func (k kind) withoutUnit() kind {
	if k == percentKind || k == fractionKind {
		return numberKind
	}
	return k
}

// number returns the number in a value that is compared with a target of this kind. For a percentage, 80% is 80.
func (k kind) number(v yamlread.Value) (*big.Rat, bool) {
	if percent, ok := v.Percentage(); ok && k == percentKind {
		return percent, true
	}
	return v.Rat()
}

// percentHint returns a hint if a percentage is compared with a number that is not a percentage; otherwise "".
func percentHint(v yamlread.Value, target string, of kind) string {
	percent, ok := v.Percentage()
	switch {
	case !ok || of.withoutUnit() != numberKind || of == percentKind:
		return ""
	case of == fractionKind:
		return " (" + CompactJSON(target) + " is " + string(of) + ": write " + DecimalText(percent.Quo(percent, hundred)) + ")"
	}
	return " (" + CompactJSON(target) + " is not a percentage)"
}

// side is the condition under which the number of an operator, a matcher or a keyword is a lower bound on a figure.
type side uint8

const (
	noFloor       side = iota
	floor              // an operator or a matcher whose number can have a % sign
	schemaFloor        // a keyword of a JSON Schema that is a lower bound
	schemaCeiling      // a keyword of a JSON Schema that is a lower bound under "not"
)

// sides maps the names of operators, matchers and keywords to their sides.
var sides = map[string]side{
	">=": floor, ">": floor, "==": floor, "exact": floor,
	"minimum": schemaFloor, "exclusiveMinimum": schemaFloor, "const": schemaFloor, "enum": schemaFloor,
	"maximum": schemaCeiling, "exclusiveMaximum": schemaCeiling,
}

// checkFloor reports a lower bound on a percentage that looks like a share of 1: 0.8 means 0.8 %, and probably 80 % was meant. It
// returns whether the number is right.
func checkFloor(v yamlread.Value, key, of string) bool {
	n, ok := v.Rat()
	looksLikeShare := ok && n.Sign() > 0 && n.Cmp(big.NewRat(1, 1)) <= 0
	if !looksLikeShare {
		return true
	}
	share, where := DecimalText(n), ""
	isKeyword := sides[key] == schemaFloor || sides[key] == schemaCeiling
	if isKeyword {
		where = " under an operator such as >="
	}
	v.Errorf("%q%s: %s is %s %%; write %s, or %s%%%s if that is meant",
		key, of, share, share, DecimalText(n.Mul(n, hundred)), share, where)
	return false
}

// ofTarget returns the words of a message for the target of a bound.
func ofTarget(target string) string { return " of " + CompactJSON(target) }

// percentArgument returns the argument of a named matcher for a percentage. It reports an argument that looks like a share of 1.
func (k matcherKind) percentArgument(arg yamlread.Value, plain any, target string) (any, bool) {
	switch k.name {
	case "exact":
		if percent, ok := arg.Percentage(); ok {
			return json.Number(DecimalText(percent)), true
		}
		return plain, checkFloor(arg, k.name, ofTarget(target))
	case "schema":
		return plain, jsonSize(plain) > maxMatcher || checkSchemaFloors(arg, target, schemaFloor)
	}
	return plain, true
}

// checkSchemaFloors reports lower bounds in a schema and its subschemas that look like a share of 1. Keywords with the side floors
// are lower bounds. It returns whether all bounds are right.
func checkSchemaFloors(v yamlread.Value, target string, floors side) bool {
	good := true
	switch v.Kind() {
	case yamlread.ListKind:
		for _, item := range v.List() {
			good = checkSchemaFloors(item, target, floors) && good
		}
	case yamlread.MapKind:
		m, _ := v.Map()
		for _, e := range m.Entries() {
			good = checkKeyword(e, target, floors) && good
		}
	}
	return good
}

// checkKeyword reports lower bounds in the value of one keyword of a schema, like checkSchemaFloors. Under "not", the keywords for
// upper bounds are lower bounds, and vice versa.
func checkKeyword(e yamlread.Entry, target string, floors side) bool {
	key := e.Key.Value
	switch {
	case key == "not" && floors == schemaFloor:
		return checkSchemaFloors(e.Value, target, schemaCeiling)
	case key == "not":
		return checkSchemaFloors(e.Value, target, schemaFloor)
	case sides[key] == noFloor:
		return checkSchemaFloors(e.Value, target, floors)
	case sides[key] != floors:
		return true
	}
	if e.Value.Kind() != yamlread.ListKind {
		return checkFloor(e.Value, key, ofTarget(target))
	}
	good := true
	for _, one := range e.Value.List() { // of enum
		good = checkFloor(one, key, ofTarget(target)) && good
	}
	return good
}

// ReadShare reads a number from 0 to 1, or a percentage: 80% is 0.8.
func ReadShare(m *yamlread.Map, key string) (*big.Rat, bool) {
	v, ok := m.Value(key)
	if !ok {
		return nil, false
	}
	share, ok := shareOf(v)
	isShare := ok && share.Sign() >= 0 && share.Cmp(big.NewRat(1, 1)) <= 0
	if !isShare {
		v.Errorf("%q must be a number from 0 to 1, or a percentage such as 80%%, found %s", key, v.Describe())
		return nil, false
	}
	return share, true
}

func shareOf(v yamlread.Value) (*big.Rat, bool) {
	if percent, ok := v.Percentage(); ok {
		return percent.Quo(percent, hundred), true
	}
	return v.Rat()
}

// ReadPercent reads a number from 0 to 100, with or without a % sign.
func ReadPercent(m *yamlread.Map, key string) (*big.Rat, bool) {
	v, ok := m.Value(key)
	if !ok {
		return nil, false
	}
	percent, ok := percentKind.number(v)
	isPercent := ok && percent.Sign() >= 0 && percent.Cmp(hundred) <= 0
	if !isPercent {
		v.Errorf("%q must be a number from 0 to 100, or a percentage such as 80%%, found %s", key, v.Describe())
		return nil, false
	}
	return percent, checkFloor(v, key, "")
}

// number returns the number in the value of a key, if the key's type is a share, a percentage or a duration.
func (k Key) number(v yamlread.Value) (*big.Rat, bool) {
	switch k.Type {
	case TypeShare:
		return shareOf(v)
	case TypePercent:
		return percentKind.number(v)
	case TypeDuration:
		return milliseconds(v)
	}
	return nil, false
}
