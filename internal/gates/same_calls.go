package gates

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// sameCalls finds calls that are equal in tool and arguments: the order of keys, white space and the spelling of numbers do
// not matter. Arguments that are no JSON object are not kept by recordings, and count as equal.
type sameCalls struct {
	written map[callText]*callIdentity // by the arguments as they are written
	meant   map[callText]*callIdentity // by the arguments in one spelling
	leaves  map[string]int             // numbers of leaves
}

// callText is a call with its arguments as a text.
type callText struct {
	tool  catalog.Ref
	state trace.ArgsState
	args  string
}

// callIdentity stands for all calls that are equal.
type callIdentity struct {
	tool   catalog.Ref
	leaves []int // numbers of the leaves of the arguments, see leafTexts; may repeat one
}

func newSameCalls() *sameCalls {
	return &sameCalls{written: map[callText]*callIdentity{}, meant: map[callText]*callIdentity{}, leaves: map[string]int{}}
}

// of returns what stands for all calls that are equal to this one.
func (s *sameCalls) of(call *trace.Call) *callIdentity {
	key := callText{call.Tool.Ref, call.Args, string(call.Arguments())}
	if known, ok := s.written[key]; ok {
		return known
	}
	meaning, leaves := key, []string(nil)
	if value, ok := judge.DecodeJSON(call.Arguments()); ok {
		meaning.args, leaves = string(appendCanonical(nil, value)), leafTexts(nil, value)
	} else if key.args != "" {
		leaves = []string{key.args} // a number in it is too long to compute with
	}
	same := s.meant[meaning]
	if same == nil {
		same = &callIdentity{tool: call.Tool.Ref}
		for _, text := range leaves {
			same.leaves = append(same.leaves, s.leaf(text))
		}
		s.meant[meaning] = same
	}
	s.written[key] = same
	return same
}

func (s *sameCalls) leaf(text string) int {
	n, ok := s.leaves[text]
	if !ok {
		n = len(s.leaves)
		s.leaves[text] = n
	}
	return n
}

// leafTexts appends a spelling of each text, number, truth value and null in a decoded value, in which different leaves
// differ.
func leafTexts(to []string, value any) []string {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			to = leafTexts(to, item)
		}
		return to
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			to = leafTexts(to, v[key])
		}
		return to
	}
	return append(to, string(appendCanonical(nil, value)))
}

// appendCanonical appends a decoded value as JSON in one spelling.
func appendCanonical(to []byte, value any) []byte {
	switch v := value.(type) {
	case json.Number:
		return append(to, canonicalNumber(v.String())...)
	case string:
		return strconv.AppendQuote(to, v)
	case bool:
		return strconv.AppendBool(to, v)
	case []any:
		to = append(to, '[')
		for _, item := range v {
			to = append(appendCanonical(to, item), ',')
		}
		return append(to, ']')
	case map[string]any:
		to = append(to, '{')
		for _, key := range slices.Sorted(maps.Keys(v)) {
			to = append(strconv.AppendQuote(to, key), ':')
			to = append(appendCanonical(to, v[key]), ',')
		}
		return append(to, '}')
	}
	return append(to, "null"...)
}

// canonicalNumber returns a JSON number as its significant digits and a power of ten, so that equal numbers have one
// spelling.
func canonicalNumber(digits string) string {
	mantissa, power, _ := strings.Cut(strings.ToLower(digits), "e")
	exponent, err := strconv.ParseInt(power, 10, 32)
	if power != "" && err != nil {
		return digits // no computer number is that large; its spelling is kept
	}
	bare, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(bare, ".")
	exponent -= int64(len(fraction))
	significant := strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(significant, "0")
	exponent += int64(len(significant) - len(short))
	if short == "" {
		return "0"
	}
	if negative {
		short = "-" + short
	}
	return short + "e" + strconv.FormatInt(exponent, 10)
}
