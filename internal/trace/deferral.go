package trace

import (
	"fmt"

	"github.com/org/mcp-gates/internal/catalog"
)

// Deferral counts what the model saw in runs with deferred tools, in cl100k tokens.
type Deferral struct {
	Upfront Count  // before any search: the eager tools, the list of the deferred tools, and the search tool
	Why     string // the reason why Upfront is unknown; "" if it is known

	Eager map[catalog.Ref]bool  // the tools that the model saw from the start, as far as the recording shows
	Tools map[catalog.Ref]int64 // the tokens of the tools whose definition is known
}

// Load is the result of the searches of a run.
type Load struct {
	Tools  []catalog.Ref // servers' tools that the model did not see from the start, without repeats, in the order of the searches
	Tokens Count
	Why    string // the reason why Tokens is unknown; "" if it is known
}

// Loaded returns the tools that the searches of a run returned.
func (d *Deferral) Loaded(run *Run) Load {
	out := Load{Tokens: Known(0)}
	seen := map[catalog.Ref]bool{}
	for i := range run.Calls {
		search := run.Calls[i].Search()
		if search == nil {
			continue
		}
		if search.Tools == nil {
			out.Tokens, out.Why = Count{}, "the recording does not keep what a search returned"
		}
		for _, ref := range search.Tools {
			if seen[ref] || ref.Server == BuiltinServer || d.Eager[ref] {
				continue
			}
			seen[ref] = true
			n, known := d.Tools[ref]
			switch {
			case !known:
				out.Tokens, out.Why = Count{}, fmt.Sprintf("the definition of %q, which was loaded, is not recorded", ref.ID())
			case out.Tokens.Known:
				out.Tokens.N += n
			}
			out.Tools = append(out.Tools, ref)
		}
	}
	return out
}

// Surface returns the tokens of Upfront and of the tools that the searches of a run loaded, or the reason why they are unknown.
func (d *Deferral) Surface(run *Run) (tokens Count, why string) {
	load := d.Loaded(run)
	switch {
	case !d.Upfront.Known:
		return Count{}, d.Why
	case !load.Tokens.Known:
		return Count{}, load.Why
	}
	return Known(d.Upfront.N + load.Tokens.N), ""
}
