package compare

import (
	"cmp"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// compareInstructions finds the servers whose instructions differ, in catalogs at the same path or at a new path.
func (c *comparer) compareInstructions() {
	before := map[string][]report.Instructions{}
	for i := range c.before {
		path := c.before[i].Path
		before[cmp.Or(c.movedTo[path], path)] = c.before[i].Instructions
	}
	for i := range c.after {
		cat := &c.after[i]
		c.out.Instructions = append(c.out.Instructions, report.DiffInstructions(before[cat.Path], cat.Instructions, cat.Path, c.options.Redact)...)
	}
	lists.SortStable(c.out.Instructions, func(a, b *report.InstructionsChange) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Server, b.Server))
	})
}
