package gates

import (
	"fmt"

	"github.com/org/mcp-gates/internal/judge"
)

// unkeptArgs says why there is no figure on arguments where a recording does not keep those of so many of the calls that the
// figure looks at; "" where it keeps all.
func unkeptArgs(unknown, calls int) string {
	if unknown == 0 {
		return ""
	}
	return fmt.Sprintf("the log keeps no arguments of %d of %s; have the agent log them", unknown, judge.CountOf(calls, "call"))
}

// setAbsent makes figures absent for a reason; not for none.
func setAbsent(m *judge.Measurement, why string, targets ...string) {
	if why == "" {
		return
	}
	for _, target := range targets {
		delete(m.Values, target)
		delete(m.Detail, target)
		m.Absent[target] = why
	}
}
