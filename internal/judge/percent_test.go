package judge

import (
	"fmt"
	"math/big"
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

// TestSharesAndPercentages pins which numbers a share and a percentage may be, and how far a figure may drop.
func TestSharesAndPercentages(t *testing.T) {
	const notShare = `"x" must be a number from 0 to 1, or a percentage such as 80%, found `
	const notPercent = `"x" must be a number from 0 to 100, or a percentage such as 80%, found `
	const notDrop = `"max_drop" must be a whole number of percentage points from 0 to 100, found `
	for _, test := range []struct{ value, share, percent, drop string }{
		{"0", "0", "0", "0"},
		{"0%", "0", "0", ""},
		{"1", "1", "", "1"},
		{"0.5", "1/2", "", ""},
		{"80%", "4/5", "80", ""},
		{"100%", "1", "100", ""},
		{"100", notShare + "100", "100", "100"},
		{"101", notShare + "101", notPercent + "101", notDrop + "101"},
		{"101%", notShare + `"101%"`, notPercent + `"101%"`, ""},
		{"-1", notShare + "-1", notPercent + "-1", ""},
		{"much", notShare + `"much"`, notPercent + `"much"`, ""},
	} {
		read := func(read func(m *yamlread.Map) string) string {
			var errs source.Errors
			got := read(yamlread.Parse("s.yml", []byte("x: "+test.value+"\nmax_drop: "+test.value+"\n"), &errs))
			if len(errs) > 0 {
				return errs[0].Msg
			}
			return got
		}
		text := func(r *big.Rat, ok bool) string {
			if !ok {
				return ""
			}
			return r.RatString()
		}
		if got := read(func(m *yamlread.Map) string { return text(ReadShare(m, "x")) }); got != test.share {
			t.Errorf("the share %s: got %s, want %s", test.value, got, test.share)
		}
		if got := read(func(m *yamlread.Map) string { return text(ReadPercent(m, "x")) }); test.percent != "" && got != test.percent {
			t.Errorf("the percentage %s: got %s, want %s", test.value, got, test.percent)
		}
		if got := read(func(m *yamlread.Map) string { return dropOf(m) }); test.drop != "" && got != test.drop {
			t.Errorf("the drop %s: got %s, want %s", test.value, got, test.drop)
		}
	}
}

func dropOf(m *yamlread.Map) string {
	if d := ReadMaxDrop(m, "it"); d != nil {
		return fmt.Sprint(d.Most)
	}
	return ""
}
