package gates

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// ActualText returns the actual value of an assertion as people read it: a figure as [Value.Format] has it, anything
// else as compact JSON, and "absent" for nil.
func ActualText(actual any) string {
	switch v := actual.(type) {
	case nil:
		return "absent"
	case Value:
		return v.Format()
	case float64: // of a report that was read back
		return strconv.FormatFloat(v, 'f', -1, 64)
	case jsontext.Value:
		return string(v)
	}
	return compactJSON(actual)
}

// Targets returns the names of the figures that have no parameter, in the order in which the gate documents them; what
// it does not document comes last, by name.
func (r *Result) Targets() []string {
	var known []string
	for _, g := range All {
		if g.Name == r.Gate {
			known = targetNames(g.Targets)
		}
	}
	place := func(name string) int {
		if at := slices.Index(known, name); at >= 0 {
			return at
		}
		return len(known)
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(r.Metrics)), func(name string) bool { return strings.Contains(name, "[") })
	slices.SortStableFunc(names, func(a, b string) int { return place(a) - place(b) })
	return names
}
