package judge

import (
	"testing"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// TestSchemaFloors pins in which schemas for a percentage a share of 1 is a mistake: where it is a bound that a figure must reach.
func TestSchemaFloors(t *testing.T) {
	for schema, want := range map[string]bool{
		"{minimum: 80}": true, "{minimum: 0.8}": false, "{minimum: 1}": false, "{minimum: 0}": true, "{maximum: 0.8}": true,
		"{enum: [90, 100]}": true, "{enum: [90, 0.9]}": false, "{const: 90}": true, "{const: 0.9}": false, "{type: number}": true,
		"{anyOf: [{minimum: 80}, {minimum: 0.8}]}": false, "{anyOf: [{minimum: 80}, {minimum: 90}]}": true,
		"{not: {maximum: 0.8}}": false, "{not: {minimum: 0.8}}": true, "{not: {not: {minimum: 0.8}}}": false,
	} {
		var errs source.Errors
		arg, _ := yamlread.Parse("s.yml", []byte("schema: "+schema), &errs).Value("schema")
		got := checkSchemaFloors(arg, "tool_selection.rate", schemaFloor)
		if got != want || got != (len(errs) == 0) {
			t.Errorf("%s: got %v and the mistakes %v, want %v", schema, got, errs.Err(), want)
		}
	}
}
