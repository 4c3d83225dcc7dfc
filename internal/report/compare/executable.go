package compare

import (
	"slices"

	"github.com/org/mcp-gates/internal/report"
)

// compareExecutables lists the executables that live runs of the head start and the base's suites do not, in the head's order. A
// test or a server that was only renamed executes the same words.
func (c *comparer) compareExecutables() {
	for _, now := range c.head.Executables {
		same := func(was report.Executable) bool {
			return was.Suite == now.Suite && was.Words == now.Words && was.Key == now.Key
		}
		if slices.ContainsFunc(c.base.Executables, same) {
			continue
		}
		change := report.ExecutableChange{Suite: now.Suite, Key: now.Key, Of: now.Of, Head: now.Words, File: now.File, Line: now.Line}
		at := slices.IndexFunc(c.base.Executables, func(was report.Executable) bool {
			return was.Suite == now.Suite && was.Key == now.Key && was.Of == now.Of
		})
		if at >= 0 {
			change.Base = report.Optional(c.base.Executables[at].Words)
		}
		c.out.Executable = append(c.out.Executable, change)
	}
}
