package gates

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// sameCalls finds calls that are equal in tool and arguments: the order of keys, white space and the spelling of numbers do
// not matter. Arguments that are not a JSON object are not kept by recordings, and count as equal.
type sameCalls struct {
	written map[callText]*callIdentity  // by the arguments as they are written, but for the first of each shape
	shapes  map[callShape]*callIdentity // the first of each shape
	meant   map[callText]*callIdentity  // by the arguments in one spelling, of shapes that several calls have
	leaves  map[string]int              // numbers of leaves
}

// callText is a call with its arguments as a text.
type callText struct {
	tool  catalog.Ref
	state trace.ArgsState
	args  string
}

// callShape is what equal calls share that is cheap to find out.
type callShape struct {
	tool  catalog.Ref
	state trace.ArgsState
	sum   uint64
}

// callIdentity is the same for all calls that are equal.
type callIdentity struct {
	args   jsontext.Value // of one of them; nil when they have none
	meant  bool           // it is in sameCalls.meant
	leaves []int          // numbers of the leaves of the arguments, see leafText; may repeat one
	known  bool           // that leaves are
}

func newSameCalls() *sameCalls {
	return &sameCalls{
		written: map[callText]*callIdentity{}, shapes: map[callShape]*callIdentity{}, meant: map[callText]*callIdentity{}, leaves: map[string]int{},
	}
}

// of returns the identity of a call, which all equal calls have. Arguments are only brought into one spelling where calls may
// be equal.
func (s *sameCalls) of(call *trace.Call) *callIdentity {
	tool, state, args := call.Tool.Ref, call.Args, call.Arguments()
	if known, ok := s.written[callText{tool, state, string(args)}]; ok {
		return known
	}
	shape := callShape{tool, state, spellingSum(args)}
	first := s.shapes[shape]
	switch {
	case first == nil:
		first = &callIdentity{args: args}
		s.shapes[shape] = first
		return first
	case bytes.Equal(first.args, args):
		return first
	case !first.meant:
		first.meant = true
		s.meant[callText{tool, state, judge.CanonicalJSON(first.args)}] = first
	}
	meaning := callText{tool, state, judge.CanonicalJSON(args)}
	same := s.meant[meaning]
	if same == nil {
		same = &callIdentity{args: args, meant: true}
		s.meant[meaning] = same
	}
	s.written[callText{tool, state, string(args)}] = same
	return same
}

// spellingSum returns a sum that is the same for all spellings of a JSON value: it leaves out what differs between them, and does
// not depend on the order of keys.
func spellingSum(raw jsontext.Value) (sum uint64) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return plainSum(raw)
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := d.ReadToken() // without the escapes of texts
		if err != nil {
			return sum
		}
		sum += plainSum([]byte(token.String()))
	}
}

// plainSum returns a sum of the characters that numbers are not written with, white space and punctuation between values aside.
func plainSum(text []byte) (sum uint64) {
	for _, b := range text {
		switch b {
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '.', 'e', 'E', ' ', '\t', '\r', '\n', ',', ':', '"':
		default:
			sum += uint64(b) * uint64(b)
		}
	}
	return sum
}

// calledAgain returns the tools that are called more than once.
func calledAgain(calls []trace.Call) map[catalog.Ref]bool {
	again := make(map[catalog.Ref]bool, len(calls))
	for i := range calls {
		tool := calls[i].Tool.Ref
		_, called := again[tool]
		again[tool] = called
	}
	return again
}

// leavesOf returns the numbers of the leaves of a call's arguments.
func (s *sameCalls) leavesOf(same *callIdentity) []int {
	if same.known || same.args == nil {
		return same.leaves
	}
	same.known = true
	value, ok := judge.DecodeJSON(same.args)
	if !ok { // a number in it is too long to compute with
		value = string(same.args)
	}
	everyLeaf(value, func(leaf any) { same.leaves = append(same.leaves, s.leaf(leafText(leaf))) })
	return same.leaves
}

func (s *sameCalls) leaf(text string) int {
	n, ok := s.leaves[text]
	if !ok {
		n = len(s.leaves)
		s.leaves[text] = n
	}
	return n
}

// leafText returns a spelling of a leaf of a decoded value, in which different leaves differ.
func leafText(leaf any) string {
	switch v := leaf.(type) {
	case json.Number:
		return judge.CanonicalJSON(jsontext.Value(v))
	case string:
		return strconv.Quote(v)
	}
	return fmt.Sprint(leaf)
}

// everyLeaf calls do with each text, number, truth value and null in a decoded value.
func everyLeaf(value any, do func(leaf any)) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			everyLeaf(item, do)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			everyLeaf(v[key], do)
		}
	default:
		do(value)
	}
}
