package logs

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/trace"
)

// Number is a whole number in a log: tokens, milliseconds. Anything but a whole number from 0 to [trace.MaxCount] is unknown,
// and does not make the record unreadable.
type Number struct{ trace.Count }

// UnmarshalJSON reads the number.
func (n *Number) UnmarshalJSON(raw []byte) error {
	n.Count = trace.Count{}
	// Some programs write counts as 12.0, and OTLP writes 64-bit integers as texts.
	text := strings.TrimSuffix(strings.Trim(string(raw), `"`), ".0")
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil && whole >= 0 && whole <= trace.MaxCount {
		n.Count = trace.Known(whole)
	}
	return nil
}

// Dollars is an amount of dollars in a log, in micro-dollars. Anything but an amount is unknown.
type Dollars struct{ trace.Count }

// UnmarshalJSON reads the amount.
func (d *Dollars) UnmarshalJSON(raw []byte) error {
	d.Count = trace.Count{}
	if jsontext.Value(raw).Kind() != '0' {
		return nil
	}
	if micros, ok := trace.MicroDollars(string(raw)); ok {
		d.Count = trace.Known(micros)
	}
	return nil
}

// Sum adds the known counts to the first count. The sum is unknown if the first count is unknown.
func Sum(first trace.Count, more ...trace.Count) trace.Count {
	for _, one := range more {
		if first.Known && one.Known {
			first.N = min(first.N+one.N, trace.MaxCount)
		}
	}
	return first
}
