package lint

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/thorough"
)

// TestRequiredAtEase pins that schemas made to be searched over and over are checked at once. With 20,000 names any of these took
// a minute or more without its bound.
func TestRequiredAtEase(t *testing.T) {
	many := thorough.Size(5_000, 20_000)
	list := func(format string, n int) string {
		items := make([]string, n)
		for i := range items {
			items[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
		}
		return strings.Join(items, ",")
	}
	repeated := func(s string) string { return strings.TrimSuffix(strings.Repeat(s+",", 9), ",") }
	long := strings.Repeat("a", 200_000)
	tests := []struct {
		name, schema string
		critical     int  // of MCP-003
		exhausts     bool // the bound on searches
	}{
		{"many names near many arguments",
			`{"type": "object", "properties": {` + list(`"property_with_a_name_of_some_length_%d": {}`, 100) + `}, "required": [` +
				list(`"proporty_with_a_nome_of_some_length_%d"`, many) + `]}`, many, false},
		{"many branches",
			`{"type": "object", "allOf": [` + list(`{"properties": {"q%d": {}}}`, many) + `], "required": [` + list(`"p%d"`, many) + `]}`, many, false},
		{"branches that lead to each other",
			`{"type": "object", "allOf": [` + repeated(`{"$ref": "#/$defs/a"}`) + `], "required": [` + list(`"p%d"`, many) + `], "$defs": {` +
				`"a": {"allOf": [` + repeated(`{"$ref": "#/$defs/b"}`) + `]}, "b": {"allOf": [` + repeated(`{"$ref": "#/$defs/a"}`) + `]}}}`, many, false},
		{"long names", `{"type": "object", "properties": {"b` + long + `": {}}, "required": ["` + long + `"]}`, 1, false},
		{"many schemas that lead to one",
			`{"type": "object", "properties": {` + list(`"q%d": {"$ref": "#/$defs/a", "required": ["z"]}`, many) + `}, "$defs": {"a": {"properties": {` +
				list(`"p%d": {}`, many) + `}}}}`, 0, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tool := &catalog.Tool{Name: "t", InputSchema: []byte(test.schema)}
			v := newView(tool)
			got, suggested, start := 0, 0, time.Now()
			undeclaredRequired.Check(v, func(n Note) {
				got++
				if strings.Contains(n.Suggestion, "did you mean") {
					suggested++
				}
			})
			if test.critical > 0 && got != test.critical {
				t.Errorf("schema %s: got %d findings, want %d", Shortened(test.schema), got, test.critical)
			}
			if suggested > maxSuggested {
				t.Errorf("schema %s: got %d suggestions, want %d at most", Shortened(test.schema), suggested, maxSuggested)
			}
			undocumentedArgument.Check(v, func(Note) {})
			if exhausted := v.searches <= 0; exhausted != test.exhausts {
				t.Errorf("schema %s: %d searches are left, want none: %t", Shortened(test.schema), v.searches, test.exhausts)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("schema %s took %s", Shortened(test.schema), took)
			}
		})
	}
}
