package spans

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// between returns the milliseconds from one time to another; unknown where the log lacks one.
func between(start, end logs.Instant) trace.Count {
	if start <= 0 || end < start {
		return trace.Count{}
	}
	ms := int64(end-start) / int64(time.Millisecond)
	return trace.Known(min(ms, trace.MaxCount))
}

// milliseconds is a time in milliseconds, which may have a fraction.
type milliseconds struct{ trace.Count }

// UnmarshalJSONFrom reads the time.
func (m *milliseconds) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	whole, _, _ := strings.Cut(string(raw), ".")
	var n logs.Number
	err = json.Unmarshal(jsontext.Value(whole), &n, logs.Lenient)
	m.Count = n.Count
	if err != nil || raw.Kind() != '0' {
		m.Count = trace.Count{}
	}
	return nil
}
