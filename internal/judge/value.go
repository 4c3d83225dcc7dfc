package judge

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Unit is the unit of a figure, which decides how the figure is printed.
type Unit int

// These are the units of figures.
const (
	Percent           Unit = iota // whole, 0..100
	Number                        // whole count
	Tokens                        // whole
	Score                         // 0..1 in steps of 1/10000, four decimals
	Fraction                      // 0..1, four decimals
	Dollars                       // 0 or more, in millionths, up to six decimals
	TokensPerCorrect              // exact fraction of tokens, two decimals
	DollarsPerCorrect             // exact fraction of dollars, six decimals
)

// units has a row for each unit.
var units = [...]struct {
	name          string
	kind          kind
	decimals      int    // number of decimals with which a figure is printed; in JSON, a figure without decimals is a number
	before, after string // signs of a figure for people
}{
	Percent:           {"percent", percentKind, 0, "", "%"},
	Number:            {"count", numberKind, 0, "", ""},
	Tokens:            {"tokens", numberKind, 0, "", ""},
	Score:             {"0 to 1", fractionKind, 4, "", ""},
	Fraction:          {"0 to 1", fractionKind, 4, "", ""},
	Dollars:           {"dollars", numberKind, 6, "$", ""},
	TokensPerCorrect:  {"tokens each", numberKind, 2, "", ""},
	DollarsPerCorrect: {"dollars each", numberKind, 6, "$", ""},
}

// String returns the unit as documentation and histories name it.
func (u Unit) String() string { return units[u].name }

// Value is an exact figure, in the unit in which bounds are written: 50 for 50 %, 0.5833 for a score and 0.0051 for about half a
// cent. Comparisons use the exact value. Only printing rounds, half up.
type Value struct {
	Rat  *big.Rat
	Unit Unit
}

// Int returns the figure n.
func Int(n int, unit Unit) Value {
	return Value{new(big.Rat).SetInt64(int64(n)), unit}
}

// Ratio returns the figure a/b. b must not be 0.
func Ratio(a, b int64, unit Unit) Value {
	return Value{big.NewRat(a, b), unit}
}

// Cmp compares the exact figures. It is negative if v is less than w, 0 if both are equal, and otherwise positive.
func (v Value) Cmp(w Value) int { return v.rat().Cmp(w.rat()) }

// rat returns the number; 0 for the zero Value.
func (v Value) rat() *big.Rat {
	if v.Rat == nil {
		return new(big.Rat)
	}
	return v.Rat
}

// Digits returns the figure with the fixed decimals of its unit and nothing else, such as "50", "0.5833" or
// "0.005100".
func (v Value) Digits() string {
	// FloatString rounds halves away from zero, and figures are not negative.
	return v.rat().FloatString(units[v.Unit].decimals)
}

// Format returns the figure for people, in text and Markdown: "50%", "0.5833", "$0.005100".
func (v Value) Format() string { return units[v.Unit].before + v.Digits() + units[v.Unit].after }

// MarshalJSON returns a whole figure as a JSON number, and any other as a text with fixed decimals.
func (v Value) MarshalJSON() ([]byte, error) {
	if units[v.Unit].decimals == 0 {
		return []byte(v.Digits()), nil
	}
	return []byte(`"` + v.Digits() + `"`), nil
}

// UnmarshalJSON reads a figure of a report. JSON has no units: a number gets the unit Number, and a text gets the first unit with
// the same number of decimals. [Gate.Restore] sets the right units.
func (v *Value) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return v.parse(string(data), Number)
	}
	_, fraction, _ := strings.Cut(text, ".")
	switch len(fraction) {
	case 2:
		return v.parse(text, TokensPerCorrect)
	case 4:
		return v.parse(text, Score)
	case 6:
		return v.parse(text, Dollars)
	}
	return fmt.Errorf("%q is not a figure: it must have 2, 4 or 6 decimals", text)
}

func (v *Value) parse(digits string, unit Unit) error {
	r, ok := parseDecimal(digits)
	if !ok {
		return fmt.Errorf("%q is not a figure: it must be a decimal number", digits)
	}
	*v = Value{r, unit}
	return nil
}

// ActualText returns the actual value of an assertion for readers: a figure in the form of [Value.Format], "absent" for nil, and
// anything else as compact JSON.
func ActualText(actual any) string {
	switch v := actual.(type) {
	case nil:
		return "absent"
	case Value:
		return v.Format()
	case float64: // a figure from a report that was read back
		return strconv.FormatFloat(v, 'f', -1, 64)
	case jsontext.Value:
		return string(v)
	}
	return CompactJSON(actual)
}

// plainDecimal reports whether a text is a number in the spelling of JSON and YAML. An exponent may have at most three digits,
// because exact arithmetic with an exponent of a billion never ends.
func plainDecimal(text string) bool {
	digits, rest := cutDigits(withoutSign(text))
	if after, ok := strings.CutPrefix(rest, "."); ok {
		decimals, end := cutDigits(after)
		digits, rest = digits+decimals, end
	}
	if digits == 0 || rest == "" {
		return digits > 0
	}
	isExponent := rest[0] == 'e' || rest[0] == 'E'
	places, end := cutDigits(withoutSign(rest[1:]))
	return isExponent && 1 <= places && places <= 3 && end == ""
}

func withoutSign(text string) string {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		return text[1:]
	}
	return text
}

// cutDigits returns the number of digits with which a text begins, and the rest of the text.
func cutDigits(text string) (digits int, rest string) {
	rest = strings.TrimLeft(text, "0123456789")
	return len(text) - len(rest), rest
}

// maxDigits bounds the length of a number. Every 64-bit float is shorter, even without an exponent.
const maxDigits = 800

// parseDecimal parses digits as an exact number; ok is false if they are not a decimal number of bounded size.
func parseDecimal(digits string) (*big.Rat, bool) {
	if len(digits) > maxDigits || !plainDecimal(digits) {
		return nil, false
	}
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return new(big.Rat).SetInt64(n), true
	}
	return new(big.Rat).SetString(digits)
}

// DecimalText returns a number that has a finite decimal form, exactly and without trailing zeros: 85.5, 80, 0.7.
func DecimalText(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	places, _ := r.FloatPrec()
	return r.FloatString(places)
}

// PercentText returns a rate from 0 to 1 in percent, exactly and without trailing zeros: 0.855 is 85.5%.
func PercentText(rate *big.Rat) string {
	return DecimalText(new(big.Rat).Mul(rate, big.NewRat(100, 1))) + "%"
}

// A duration is a sum of numbers with units, such as 1m30s. The durations of servers have the same spelling. The length is bounded
// because the arithmetic is exact.
var (
	durationText = regexp.MustCompile(`^([0-9]{1,9}(\.[0-9]{1,9})?(h|ms|m|s)){1,4}$`)
	durationPart = regexp.MustCompile(`([0-9.]+)(h|ms|m|s)`)
)

// unitMilliseconds has the milliseconds of each unit.
var unitMilliseconds = map[string]int64{"h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}

// ReadDuration reads the duration of a key, such as 90s or 1m30s, in milliseconds, which may be a fraction.
func ReadDuration(m *yamlread.Map, key string) (*big.Rat, bool) {
	v, ok := m.Value(key)
	if !ok {
		return nil, false
	}
	ms, ok := milliseconds(v)
	if !ok || ms.Sign() == 0 {
		v.Errorf("%q must be a duration such as 90s, 1m30s or 500ms, found %s", key, v.Describe())
		return nil, false
	}
	return ms, true
}

// milliseconds returns the duration in a value; it reports no mistakes.
func milliseconds(v yamlread.Value) (*big.Rat, bool) {
	if v.Kind() != yamlread.TextKind || !durationText.MatchString(v.Text()) {
		return nil, false
	}
	sum := new(big.Rat)
	for _, part := range durationPart.FindAllStringSubmatch(v.Text(), -1) {
		n, _ := parseDecimal(part[1]) // durationText has checked the number
		sum.Add(sum, n.Mul(n, new(big.Rat).SetInt64(unitMilliseconds[part[2]])))
	}
	return sum, true
}
