package compare

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
)

// A number of a saved report is computed with only where a suite could hold it: millions of digits take a minute to read.
func TestLongFigures(t *testing.T) {
	long := strings.Repeat("9", 4<<20)
	if movedAway(">= "+long, "1", "0") || movedAway(">= 1", long, "0") {
		t.Error("a figure of four million digits is computed with")
	}
}

// The chance of a change is computed only for as many runs as a cassette can hold: a saved report can claim any number,
// and the exact test of a trillion runs never ends.
func TestManyRuns(t *testing.T) {
	var d report.Delta
	new(comparer).addChance(&d, report.Trials{Won: 1, Of: 1 << 40}, report.Trials{Won: 1 << 39, Of: 1 << 40})
	if d.P != "" {
		t.Errorf("got p = %s of a trillion runs, want none", d.P)
	}
}

// thirds is the beginning of a number that is longer than any floating-point number holds.
var thirds = "0." + strings.Repeat("3", 70)

func TestMovedAway(t *testing.T) {
	for _, test := range []struct {
		matcher, before, after string
		want                   bool
	}{
		{">= 80", "70", "60", true},
		{">= 80", "60", "70", false},
		{">= 80", "60", "60", false},
		{">= 80", "90", "70", true},
		{"> 80", "81", "80", true},
		{"<= 5", "6", "9", true},
		{"<= 5", "9", "6", false},
		{"== 5", "6", "3", true},
		{"== 5", "3", "6", false},
		{"!= 5", "4", "5", false},
		{">= 10 and < 20", "21", "25", true},
		{">= 10 and < 20", "25", "21", false},
		{">= 0.8", "0.7000", "0.6000", true},
		{">= 80", "", "60", false},
		{">= 80", "70", "", false},
		{`contains "x"`, "70", "60", false},
		{">= $80", "70", "60", false},
		{"exact 5", "6", "9", true},
		{"exact 5", "9", "6", false},
		{"exact 5", "5", "4", true},
		{"exact " + thirds + "4", thirds + "5", thirds + "6", true},
		{"exact " + thirds + "4", thirds + "6", thirds + "5", false},
		{">= " + thirds + "4", thirds + "3", thirds + "2", true},
		{`exact "80"`, "70", "60", false},
		{`schema {"minimum":80,"type":"integer"}`, "70", "60", true},
		{`schema {"minimum":80,"type":"integer"}`, "60", "70", false},
		{`schema {"exclusiveMaximum":3,"type":"integer"}`, "3", "4", true},
		{`schema {"exclusiveMaximum":3,"type":"integer"}`, "2", "3", true},
		{`schema {"maximum":3,"type":"integer"}`, "3", "4", true},
		{`schema {"maximum":3,"type":"integer"}`, "2", "3", false},
		{`schema {"exclusiveMinimum":3,"type":"integer"}`, "3", "2", true},
		{`schema {"exclusiveMinimum":3,"type":"integer"}`, "4", "3", true},
		{`schema {"minimum":3,"type":"integer"}`, "4", "3", false},
		{`schema {"const":3}`, "2", "1", true},
		{`schema {"exclusiveMinimum":true,"minimum":80}`, "70", "60", true},
		{`schema {"type":"integer"}`, "70", "60", false},
		{"schema ]", "70", "60", false},
	} {
		if got := movedAway(test.matcher, test.before, test.after); got != test.want {
			t.Errorf("movedAway(%q, %q, %q) = %t, want %t", test.matcher, test.before, test.after, got, test.want)
		}
	}
}
