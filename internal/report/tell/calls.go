package tell

import "github.com/org/mcp-gates/internal/report"

// MostCalls is how many calls of a run stand in a line, before the others are counted.
const MostCalls = 12

// Calls lists what a run called, as it was called: in order, a repeated call again, one that failed with "!" behind it. Where the report
// has no more than the tools, each stands once. Beyond the first most calls they are counted; 0 lists all.
func Calls(c *report.Case, row *report.Row, most int) Line {
	timeline := c.TimelineOf(row.Run)
	if timeline == nil {
		return cutCalls(len(row.Called), row.More, most, func(i int) any { return name(row.Called[i]) })
	}
	return cutCalls(len(timeline.Calls), timeline.More, most, func(i int) any {
		call := &timeline.Calls[i]
		if call.Failed {
			return say(name(call.Tool), "!")
		}
		return name(call.Tool)
	})
}

// cutCalls lists n calls, of which more follow that the report does not have.
func cutCalls(n, more, most int, entry func(i int) any) Line {
	if n+more == 0 {
		return say("nothing")
	}
	if most == 0 || n < most {
		most = n
	}
	line := listed(most, most, entry)
	if left := n - most + more; left > 0 {
		line = say(line, " and "+count(left)+" more")
	}
	return line
}
