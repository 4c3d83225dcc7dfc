package judge

import (
	"slices"

	"github.com/org/mcp-gates/internal/trace"
)

// FindErrors returns the runs with every call failed whose result matches the pattern of errors of a test; runs stays as it
// is. Without a pattern it returns runs. Once the case has matched as much as it may, it finds no more: see [Work.Excess].
func (w *Work) FindErrors(runs []trace.Run, pattern *Pattern) []trace.Run {
	if pattern == nil {
		return runs
	}
	found := slices.Clone(runs)
	for i := range found {
		found[i].Calls = w.failing(found[i].Calls, pattern)
	}
	return found
}

// failing returns the calls, and copies them when one more of them failed.
func (w *Work) failing(calls []trace.Call, pattern *Pattern) []trace.Call {
	copied := false
	for i := range calls {
		if calls[i].Failed || calls[i].Detail == nil || !pattern.match(calls[i].Detail.Result, w) {
			continue
		}
		if !copied {
			calls, copied = slices.Clone(calls), true
		}
		calls[i].Failed = true
	}
	return calls
}
