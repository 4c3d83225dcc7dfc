package bench

import (
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
)

// Vague is a sentence that could describe any tool. It is long enough for the rules on short descriptions.
const Vague = "This tool updates and handles various things of the system in some way."

// Vaguely returns a catalog of the same tools with [Vague] as the description of each. Names, arguments and order are unchanged.
func Vaguely(cat *catalog.Catalog) *catalog.Catalog {
	tools := lists.Map(cat.Tools, func(t *catalog.Tool) *catalog.Tool {
		one := *t
		one.Description = Vague
		return &one
	})
	return &catalog.Catalog{File: cat.File, Tools: tools, Hidden: cat.Hidden}
}
