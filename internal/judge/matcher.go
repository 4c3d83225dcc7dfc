package judge

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
)

// Matcher is an expectation on a figure, or on a value of a trace. The zero Matcher matches nothing.
type Matcher struct {
	bounds []bound // all must hold
	text   string  // name and argument of a named matcher, as compact JSON; "" for bounds
	test   func(actual any, work *Work) (ok bool, why string)
}

// bound compares a number with an exact limit.
type bound struct {
	op    string
	limit *big.Rat
}

// operators maps each operator to a function that reports whether it holds for the sign of actual - limit.
var operators = map[string]func(sign int) bool{
	">=": func(sign int) bool { return sign >= 0 },
	">":  func(sign int) bool { return sign > 0 },
	"<=": func(sign int) bool { return sign <= 0 },
	"<":  func(sign int) bool { return sign < 0 },
	"==": func(sign int) bool { return sign == 0 },
	"!=": func(sign int) bool { return sign != 0 },
}

// operatorNames lists the operators in the order of messages.
var operatorNames = []string{">=", ">", "<=", "<", "==", "!="}

const operatorsDoc = "A number for which the comparison is true. If one map has several operators, all must hold."

// MatcherWords returns the operators and the named matchers, in the order of the documentation.
func MatcherWords() []Word {
	words := lists.Map(operatorNames, func(op string) Word { return Word{Name: op, Doc: operatorsDoc, Of: []string{OfNumber, OfAny}} })
	for _, m := range namedMatchers {
		kinds := lists.Map(m.of, func(of kind) string { return string(of) })
		words = append(words, Word{Name: m.name, Doc: m.doc, Of: kinds})
	}
	return words
}

// Bound returns the matcher that compares a number with limit. op is one of >=, >, <=, <, == and !=.
func Bound(op string, limit *big.Rat) Matcher {
	return Matcher{bounds: []bound{{op, limit}}}
}

// String returns the matcher as reports print it. Operators look like ">= 80", and several are joined by " and ". A named matcher
// has its name and its argument in compact JSON, such as `contains "fetch"`.
func (m Matcher) String() string {
	if len(m.bounds) == 0 {
		return m.text
	}
	return strings.Join(lists.Map(m.bounds, func(b bound) string { return b.op + " " + DecimalText(b.limit) }), " and ")
}

// Match reports whether actual is as expected. actual is a Value, a text, a list of texts, a jsontext.Value or a decoded JSON
// value. why is the reason for a mismatch; "" if String and actual already show it. The cost is added to work. Once work is used
// up, nothing matches.
func (m Matcher) Match(actual any, work *Work) (ok bool, why string) {
	if len(m.bounds) > 0 {
		return m.compare(actual)
	}
	if m.test == nil {
		return false, "nothing is expected"
	}
	plain, ok := plainJSON(actual)
	if !ok {
		return false, numberTooLong
	}
	return m.test(plain, work)
}

// numberTooLong is the reason why a value cannot be compared.
const numberTooLong = "it holds a number that is too long to compute with"

func (m Matcher) compare(actual any) (ok bool, why string) {
	if _, isBounded := plainJSON(actual); !isBounded {
		return false, numberTooLong
	}
	n, isNumber := exactNumber(actual)
	if !isNumber {
		return false, "it is not a number"
	}
	for _, b := range m.bounds {
		if !operators[b.op](n.Cmp(b.limit)) {
			return false, ""
		}
	}
	return true, ""
}

func exactNumber(actual any) (*big.Rat, bool) {
	if v, ok := actual.(Value); ok {
		return v.rat(), true
	}
	plain, _ := plainJSON(actual)
	if n, ok := plain.(json.Number); ok {
		return parseDecimal(n.String())
	}
	return nil, false
}

// plainJSON returns a value in the form that matchers compare; ok is false if it contains a number that is too long.
func plainJSON(actual any) (any, bool) {
	switch v := actual.(type) {
	case Value:
		return json.Number(rationalText(v.rat())), true
	case jsontext.Value:
		return DecodeJSON(v)
	case []string:
		return lists.Map(v, func(s string) any { return s }), true
	}
	return actual, boundedNumbers(actual)
}

// rationalText returns the decimal digits of a number. If they never end, it returns forty decimals.
func rationalText(r *big.Rat) string {
	if places, exact := r.FloatPrec(); exact {
		return r.FloatString(places)
	}
	return r.FloatString(40)
}

// CompactJSON returns a decoded JSON value, or a list of texts, as JSON on one line. Keys are sorted, and nothing is escaped
// for HTML.
func CompactJSON(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // decoded JSON can be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// Clip cuts a long text, so that messages about it stay readable.
func Clip(s string) string {
	const limit = 200
	if len(s) <= limit {
		return s
	}
	runes := []rune(s[:min(len(s), 4*limit+4)])
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit]) + "…"
}

func matcherList() string {
	return "one of " + strings.Join(append(slices.Clone(operatorNames), matcherNames()...), ", ")
}

// otherSpellings maps the operators of other languages to ours.
var otherSpellings = map[string]string{"=": "==", "===": "==", "=>": ">=", "=<": "<=", "<>": "!=", "=!": "!=", "!==": "!=", "≥": ">=", "≤": "<=", "≠": "!="}

func matcherHint(word string) string {
	if op := otherSpellings[word]; op != "" {
		return source.DidYouMean(op, []string{op})
	}
	if hint := source.DidYouMean(word, matcherNames()); hint != "" {
		return hint
	}
	return ", expected " + matcherList()
}

func matcherNames() []string {
	return lists.Map(namedMatchers, func(k matcherKind) string { return k.name })
}
