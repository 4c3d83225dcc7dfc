package trace

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
)

// Called returns the tools that runs called, sorted and without repeats.
func Called(runs []Run) []catalog.Ref {
	seen := map[*Tool]bool{}
	var refs []catalog.Ref
	for i := range runs {
		for _, call := range runs[i].Calls {
			if !seen[call.Tool] {
				seen[call.Tool] = true
				refs = append(refs, call.Tool.Ref)
			}
		}
	}
	slices.SortStableFunc(refs, catalog.CompareRefs)
	return slices.Compact(refs)
}
