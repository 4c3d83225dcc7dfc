package gates

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

// sameCalls finds calls with equal tools and arguments. The order of keys, white space and the spelling of numbers do not matter.
// Malformed arguments count as equal, because recordings do not keep them.
type sameCalls struct {
	known  map[callText]*callIdentity // identities, by arguments as they are written, and by their canonical form
	leaves map[string]int             // maps the text of each leaf to its number
}

// callText is a call with its arguments as a text.
type callText struct {
	tool  catalog.Ref
	state trace.ArgsState
	args  string
}

// callIdentity has the data that all calls with equal tools and arguments share.
type callIdentity struct {
	args   jsontext.Value // arguments of one of the calls; nil if they have none
	leaves []int          // numbers of the leaves of the arguments, see leafText; a number may occur twice
	known  bool           // leaves has been set
}

func newSameCalls() *sameCalls {
	return &sameCalls{known: map[callText]*callIdentity{}, leaves: map[string]int{}}
}

// identityOf returns the identity of a call. Equal calls share one identity.
func (s *sameCalls) identityOf(call *trace.Call) *callIdentity {
	args := call.Arguments()
	text := callText{call.Tool.Ref, call.Args, string(args)}
	if same := s.known[text]; same != nil {
		return same
	}
	canonical := text
	canonical.args = judge.CanonicalJSON(args)
	if s.known[canonical] == nil {
		s.known[canonical] = &callIdentity{args: args}
	}
	s.known[text] = s.known[canonical]
	return s.known[text]
}

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
	if !ok { // the arguments contain a number that is too long to compute with
		value = string(same.args)
	}
	everyLeaf(value, func(leaf any) { same.leaves = append(same.leaves, s.leafNumber(leafText(leaf))) })
	return same.leaves
}

func (s *sameCalls) leafNumber(text string) int {
	return lists.Cached(s.leaves, text, func() int { return len(s.leaves) })
}

// leafText returns a text for a leaf of a decoded value. Different leaves have different texts.
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
