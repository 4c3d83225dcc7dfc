package compare

import (
	"reflect"

	"github.com/org/mcp-gates/internal/report"
)

func (c *comparer) compareCosts() {
	for _, p := range report.PairCatalogs(c.before, c.after) {
		if p.Base.Cost != nil && p.Head.Cost != nil && !reflect.DeepEqual(p.Base.Cost, p.Head.Cost) {
			c.out.Costs = append(c.out.Costs, report.CostMove{Name: p.Head.Name, Path: p.Head.Path, Base: *p.Base.Cost})
		}
	}
}
