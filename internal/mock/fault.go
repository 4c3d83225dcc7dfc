package mock

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/source"
)

// Fault is a way in which a server misbehaves. The zero value means no fault.
type Fault struct {
	kind string
	n    int // milliseconds for slow, number of calls for recover-after
}

// The kinds of faults: none, and the faults of package fault that a server can have by itself.
const (
	none         = "none"
	hang         = fault.Hang
	wedged       = fault.Wedged
	slow         = fault.Slow
	recoverAfter = fault.RecoverAfter
)

// faults are all kinds of faults with the meaning of their numbers.
var faults = []struct {
	kind, number, what string
	max                int
	doc                string
}{
	{none, "", "", 0, "answers at once"},
	{hang, "", "", 0, "connects and lists, but never answers a tool call"},
	{wedged, "", "", 0, "never answers anything"},
	{slow, "MS", "milliseconds", 3_600_000, "answers everything MS milliseconds late"},
	{recoverAfter, "N", "calls", 1_000_000_000, "answers the first N tool calls of each session with an error"},
}

// FaultUsage returns all faults with their effects, one on each line.
func FaultUsage() string {
	var text strings.Builder
	for i, spelling := range faultSpellings() {
		fmt.Fprintf(&text, "  %-16s %s\n", spelling, faults[i].doc)
	}
	return text.String()
}

func faultSpellings() []string {
	var list []string
	for _, f := range faults {
		if f.number == "" {
			list = append(list, f.kind)
			continue
		}
		list = append(list, f.kind+":"+f.number)
	}
	return list
}

// ParseFault reads a fault in the form of the command line: none, hang, wedged, slow:MS or recover-after:N, where MS is
// 0 to 3,600,000 milliseconds and N 0 to 1,000,000,000 calls.
func ParseFault(text string) (Fault, error) {
	kind, number, hasNumber := strings.Cut(text, ":")
	var kinds []string
	for _, f := range faults {
		kinds = append(kinds, f.kind)
	}
	at := slices.Index(kinds, kind)
	if at < 0 {
		return Fault{}, fmt.Errorf("unknown fault %q%s; the faults are %s", clip(text),
			source.DidYouMean(clip(kind), kinds), strings.Join(faultSpellings(), ", "))
	}
	f := faults[at]
	if f.number == "" {
		if hasNumber {
			return Fault{}, fmt.Errorf("fault %q takes no number, found %q", kind, clip(text))
		}
		return Fault{kind: kind}, nil
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n > f.max {
		return Fault{}, fmt.Errorf("fault %q needs a whole number of %s from 0 to %d, as in %s:%s, found %q",
			kind, f.what, f.max, kind, f.number, clip(text))
	}
	return Fault{kind, n}, nil
}
