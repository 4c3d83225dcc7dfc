package compare

import (
	"testing"

	"github.com/org/mcp-gates/internal/report"
)

// A cost is compared where both sides have one: reports of earlier versions have none.
func TestCosts(t *testing.T) {
	of := func(surface int64) *report.Cost { return &report.Cost{Tools: 1, Surface: surface} }
	for _, test := range []struct {
		name       string
		base, head *report.Cost
		want       int64 // of the base; 0 for no difference
	}{
		{"the same", of(5), of(5), 0},
		{"more", of(5), of(7), 5},
		{"not in the base", nil, of(7), 0},
		{"not here", of(5), nil, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			with := func(c *report.Cost) *report.Report {
				return &report.Report{Catalogs: []report.Catalog{{Name: "a", Path: "a.json", Cost: c}}}
			}
			head := with(test.head)
			base := Reports(with(test.base), head, Options{}).CostOf(&head.Catalogs[0])
			if got := base; test.want == 0 && got != nil || test.want > 0 && (got == nil || got.Surface != test.want) {
				t.Errorf("the base is %+v, want %d tokens", got, test.want)
			}
		})
	}
}
