package compare

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// movedAway reports whether a figure violates a bound and is farther from it than before.
func movedAway(matcher, before, after string) bool {
	was, okBefore := report.Digits(before)
	is, okAfter := report.Digits(after)
	if !okBefore || !okAfter {
		return false
	}
	return slices.ContainsFunc(boundsOf(matcher), func(b report.Bound) bool {
		return !b.Holds(is) && b.Distance(is).Cmp(b.Distance(was)) > 0
	})
}

// schemaBounds lists the keywords of a JSON Schema that bound a number.
var schemaBounds = []struct{ keyword, op string }{
	{"minimum", ">="}, {"exclusiveMinimum", ">"}, {"maximum", "<="}, {"exclusiveMaximum", "<"}, {"const", "=="},
}

// boundsOf returns the comparisons in a matcher, which may also contain other conditions.
func boundsOf(matcher string) []report.Bound {
	if bounds, ok := report.ParseBounds(matcher); ok {
		return bounds
	}
	var schema map[string]json.RawMessage
	if doc, isSchema := strings.CutPrefix(matcher, "schema "); !isSchema || json.Unmarshal([]byte(doc), &schema) != nil {
		return nil
	}
	var bounds []report.Bound
	for _, bound := range schemaBounds {
		if at, ok := report.Digits(string(schema[bound.keyword])); ok {
			bounds = append(bounds, report.Bound{Op: bound.op, At: at})
		}
	}
	return bounds
}
