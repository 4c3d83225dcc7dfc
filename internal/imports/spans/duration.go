package spans

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// between returns the milliseconds from one time to another; unknown if the log lacks one of them.
func between(start, end logs.Instant) trace.Count {
	if start <= 0 || end < start {
		return trace.Count{}
	}
	ms := int64(end-start) / int64(time.Millisecond)
	return trace.Known(min(ms, trace.MaxCount))
}

// milliseconds is a duration in milliseconds, which may have a fraction.
type milliseconds struct{ logs.Number }

// UnmarshalJSON reads the duration.
func (m *milliseconds) UnmarshalJSON(raw []byte) error {
	whole, _, _ := strings.Cut(string(raw), ".")
	if jsontext.Value(raw).Kind() != '0' {
		whole = "" // a text is unknown
	}
	return m.Number.UnmarshalJSON([]byte(whole))
}
