package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/schema"
)

// DecodeJSON decodes a valid JSON value into the form that matchers compare, as [schema.Values] does. ok is false if the value
// contains a number that is too long to compute with.
func DecodeJSON(raw jsontext.Value) (any, bool) {
	v, err := schema.Values(raw)
	return v, err == nil && boundedNumbers(v)
}

// everyNode reports whether holds is true for a decoded value and for every value in it. It calls holds with each value and its
// depth. depth is the depth of v.
func everyNode(v any, depth int, holds func(v any, depth int) bool) bool {
	if !holds(v, depth) {
		return false
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if !everyNode(item, depth+1, holds) {
				return false
			}
		}
	case map[string]any:
		for _, member := range v {
			if !everyNode(member, depth+1, holds) {
				return false
			}
		}
	}
	return true
}

// boundedNumbers reports whether all numbers in a decoded value are short enough to compute with.
func boundedNumbers(v any) bool {
	return everyNode(v, 0, func(v any, _ int) bool {
		n, isNumber := v.(json.Number)
		return !isNumber || len(n) <= maxDigits && plainDecimal(n.String())
	})
}

// schemaProblem returns one line with the reason why a schema, or a value under a schema, is refused. If there are several
// reasons, it returns the first in sorted order, because the library walks maps in random order.
func schemaProblem(err error) string {
	if url, remote := schema.Remote(err); remote {
		return fmt.Sprintf("%q is another document, and references to other documents are not followed", Clip(url))
	}
	flaws := schema.Flaws(err)
	if len(flaws) == 0 {
		return Clip(schema.Problem(err))
	}
	problems := make([]string, len(flaws))
	for i, f := range flaws {
		problems[i] = f.Problem
		if len(f.Path) > 0 {
			problems[i] = fmt.Sprintf("%q: %s", strings.Join(f.Path, "."), f.Problem)
		}
		problems[i] = Clip(problems[i])
	}
	return slices.Min(problems)
}
