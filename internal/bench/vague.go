package bench

import "github.com/org/mcp-gates/internal/catalog"

// Vague is a sentence that could describe any tool. It is long enough for the rules on short descriptions.
const Vague = "This tool updates and handles various things of the system in some way."

// Vaguely returns tools as they would be if each description was [Vague]. They have the same names, arguments and order.
func Vaguely(cat *catalog.Catalog) *catalog.Catalog {
	tools := make([]*catalog.Tool, len(cat.Tools))
	for i, t := range cat.Tools {
		one := *t
		one.Description = Vague
		tools[i] = &one
	}
	return &catalog.Catalog{File: cat.File, Tools: tools, Hidden: cat.Hidden}
}
