package tell

import (
	"cmp"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// MostCalls is the number of calls of a run that a line lists; further calls are counted.
const MostCalls = 12

// Calls lists the calls of a run in order, repeated calls included, with the names of their arguments, and with "!" after a failed
// call. If the report has only the tools, it lists each tool once. most bounds the number of listed calls, and 0 means no bound.
// The number of the rest follows.
func Calls(c *report.Case, row *report.Row, most int) Line {
	timeline := c.TimelineOf(row.Run)
	if timeline == nil {
		return cutCalls(len(row.Called), row.More, most, func(i int) any { return name(row.Called[i]) })
	}
	return cutCalls(len(timeline.Calls), timeline.More, most, func(i int) any {
		call := &timeline.Calls[i]
		called := name(call.Tool + Arguments(call))
		if call.Failed {
			return say(called, "!")
		}
		return called
	})
}

// Bounds of the argument names after a call. A saved report can hold more.
const (
	maxArguments = 8
	maxArgument  = 40 // characters of a name
)

// Arguments returns the names of a call's arguments, such as "(id, body)", to be written after the tool's name; "" if there are none.
func Arguments(call *report.TimelineCall) string {
	shown := call.Arguments[:min(len(call.Arguments), maxArguments)]
	var list []string
	for _, name := range shown {
		list = append(list, cmp.Or(report.Cut(name, maxArgument), `""`))
	}
	if len(call.Arguments) > len(shown) || call.MoreArguments > 0 {
		list = append(list, "…")
	}
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// cutCalls lists n calls. most bounds the list, and 0 means no bound. more is the number of further calls, which the report lacks.
func cutCalls(n, more, most int, entry func(i int) any) Line {
	if n+more == 0 {
		return say("nothing")
	}
	if most == 0 || n < most {
		most = n
	}
	line := listLine(most, most, entry)
	if left := n - most + more; left > 0 {
		line = say(line, " and "+count(left)+" more")
	}
	return line
}

// Selected returns a text on whether a run selected the expected tool; "" if no gate expects a tool.
func Selected(row *report.Row) string {
	switch {
	case row.RowSelection == nil:
		return ""
	case row.Selected:
		return "yes"
	}
	return "no"
}
