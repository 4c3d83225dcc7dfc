package gates

import (
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// callKey is a call with its arguments in one spelling.
type callKey struct {
	tool  catalog.Ref
	state trace.ArgsState
	args  string
}

// earlierCalls returns for each call of a run the last call before it that is equal in tool and arguments; -1 where there is
// none. Arguments are only brought into one spelling where a tool is called twice.
func earlierCalls(run *trace.Run) []int {
	times := map[catalog.Ref]int{}
	for i := range run.Calls {
		times[run.Calls[i].Tool.Ref]++
	}
	earlier := make([]int, len(run.Calls))
	last := map[callKey]int{}
	for i := range run.Calls {
		call := &run.Calls[i]
		earlier[i] = -1
		if times[call.Tool.Ref] == 1 {
			continue
		}
		key := callKey{call.Tool.Ref, call.Args, judge.CanonicalJSON(call.Arguments())}
		if at, ok := last[key]; ok {
			earlier[i] = at
		}
		last[key] = i
	}
	return earlier
}
