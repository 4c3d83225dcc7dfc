package agentlogs

import (
	"strconv"
	"time"

	"github.com/org/mcp-gates/internal/trace"
)

// openCodeMs is a time in milliseconds since 1970; 0 if it is missing or unreadable.
type openCodeMs int64

// UnmarshalJSON reads the time.
func (m *openCodeMs) UnmarshalJSON(raw []byte) error {
	*m = 0
	const latest = 1e14 // milliseconds since 1970; the year 5138
	if ms, err := strconv.ParseInt(string(raw), 10, 64); err == nil && ms > 0 && ms < latest {
		*m = openCodeMs(ms)
	}
	return nil
}

// orderKey returns the time in microseconds, for sorting. In nanoseconds, the latest time would not fit into an int64.
func (m openCodeMs) orderKey() int64 { return int64(m) * 1e3 }

// text returns the time in RFC 3339; "" if there is none.
func (m openCodeMs) text() string {
	if m == 0 {
		return ""
	}
	return time.UnixMilli(int64(m)).UTC().Format(time.RFC3339)
}

func (m openCodeMs) millisecondsUntil(end openCodeMs) trace.Count {
	if m == 0 || end < m || end-m > trace.MaxCount {
		return trace.Count{}
	}
	return trace.Known(int64(end - m))
}
