package compare

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/report"
)

// saidKey is what instructions are paired by.
type saidKey struct{ path, server string }

// instructions finds the servers whose instructions differ, by path and server. What one side does not keep is no difference.
func (c *comparer) instructions() {
	before := map[saidKey]*report.Instructions{}
	for i := range c.before {
		cat := &c.before[i]
		for j := range cat.Instructions {
			before[saidKey{cat.Path, cat.Instructions[j].Server}] = &cat.Instructions[j]
		}
	}
	for i := range c.after {
		cat := &c.after[i]
		for j := range cat.Instructions {
			now := &cat.Instructions[j]
			was := before[saidKey{cat.Path, now.Server}]
			if was == nil || was.SHA256 == now.SHA256 {
				continue
			}
			one := report.InstructionsChange{Server: now.Server, Path: cat.Path, Line: now.Line, Base: was.Tokens, Head: now.Tokens}
			one.Diff, _ = lexical.WordDiff(c.redact(was.Text), c.redact(now.Text))
			if was.Text == "" && was.Tokens > 0 { // a saved report has no texts
				one.Diff = nil
			}
			c.out.Instructions = append(c.out.Instructions, one)
		}
	}
	slices.SortFunc(c.out.Instructions, func(a, b report.InstructionsChange) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Server, b.Server))
	})
}
