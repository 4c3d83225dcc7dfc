package gates

import (
	"bytes"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// callKey is a call with its arguments in one spelling.
type callKey struct {
	callShape
	args string
}

// callShape is what equal calls share that is cheap to find out.
type callShape struct {
	tool  catalog.Ref
	state trace.ArgsState
	sum   uint64
}

// earlierCalls returns for each call of a run the last call before it that is equal in tool and arguments; -1 without
// one. Arguments are only brought into one spelling where calls may be equal.
func earlierCalls(run *trace.Run) []int {
	escaped := slices.ContainsFunc(run.Calls, func(c trace.Call) bool { return bytes.IndexByte(c.Arguments(), '\\') >= 0 })
	shapes := make([]callShape, len(run.Calls))
	times := make(map[callShape]int, len(run.Calls))
	for i := range run.Calls {
		call := &run.Calls[i]
		shapes[i] = callShape{tool: call.Tool.Ref, state: call.Args}
		if !escaped { // a text has many spellings with escapes
			shapes[i].sum = plainSum(call.Arguments())
		}
		times[shapes[i]]++
	}
	earlier := make([]int, len(run.Calls))
	last := map[callKey]int{}
	for i, shape := range shapes {
		earlier[i] = -1
		if times[shape] == 1 {
			continue
		}
		key := callKey{shape, judge.CanonicalJSON(run.Calls[i].Arguments())}
		if at, ok := last[key]; ok {
			earlier[i] = at
		}
		last[key] = i
	}
	return earlier
}

// plainSum returns a sum of the characters of JSON without escapes that neither the order of keys nor the spelling of numbers
// changes.
func plainSum(raw []byte) (sum uint64) {
	for _, b := range raw {
		switch b {
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '.', 'e', 'E':
		default:
			sum += uint64(b) * uint64(b)
		}
	}
	return sum
}
