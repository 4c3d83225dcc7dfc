package judge

import (
	"testing"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// TestReadChoice pins what is read as one of several texts, and how a mistake lists them.
func TestReadChoice(t *testing.T) {
	for _, test := range []struct {
		value, got, mistake string
		choices             []string
	}{
		{"other: exact", "", "", []string{"exact"}},
		{"mode: in_order", "in_order", "", []string{"exact", "in_order"}},
		{"mode: strict", "", `s.yml:1:7: "mode" must be exact, found "strict"`, []string{"exact"}},
		{"mode: strict", "", `s.yml:1:7: "mode" must be exact or in_order, found "strict"`, []string{"exact", "in_order"}},
		{"mode: in_ordr", "", `s.yml:1:7: "mode" must be exact, in_order or any_order, found "in_ordr", did you mean "in_order"?`, []string{"exact", "in_order", "any_order"}},
	} {
		var errs source.Errors
		got := ReadChoice(yamlread.Parse("s.yml", []byte(test.value+"\n"), &errs), "mode", test.choices...)
		mistake := ""
		if len(errs) > 0 {
			mistake = errs[0].Error()
		}
		if got != test.got || mistake != test.mistake {
			t.Errorf("%q of %q: got %q with the mistake %q, want %q with %q", test.value, test.choices, got, mistake, test.got, test.mistake)
		}
	}
}
