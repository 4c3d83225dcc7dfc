package change

import (
	"maps"
	"slices"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
)

// TestKeywordsAreSaid pins that each change of a keyword by which callers may break is told in words: which keyword, what it was and what
// it is, and not only that the input schema changed.
func TestKeywordsAreSaid(t *testing.T) {
	for _, key := range slices.Sorted(maps.Keys(keywordTests)) {
		for _, test := range keywordTests[key] {
			tool := func(a string) *catalog.Tool {
				cat, errs := catalog.Read("c.json", []byte(`[{"name": "t", "inputSchema": {"type": "object", "properties": {"a": `+a+`},
					"$defs": {"text": {"type": "string"}, "tree": {"properties": {"in": {"$ref": "#/$defs/tree"}}}}}}]`))
				if len(errs) > 0 {
					t.Fatalf("%.100s: %v", a, errs.Err())
				}
				return cat.Tools[0]
			}
			pair := Pair{tool(test.old), tool(test.now)}
			for _, line := range partLines(pair.Parts(func(s string) string { return s })) {
				if line == "inputSchema" && test.want != "" {
					t.Errorf("%s: %.200s to %.200s is told as a change of the input schema (breaks: %.100s)", key, test.old, test.now, test.want)
				}
			}
		}
	}
}
