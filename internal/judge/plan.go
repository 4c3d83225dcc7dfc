package judge

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// Plan is a configured gate. Its Measurer may have further methods: see [Selector], [Injector], [Keeper], [Mentioner],
// [Labeller], [Searcher] and [Holder].
type Plan struct {
	Measurer
	Expect []Expectation

	// Members are the tools that the block names (class members, expected tools, correct entries): Configure fills
	// them in, and the suite checks them against today's snapshots.
	Members []Member

	// Listed are the tools that the block names without a wish that they be called, such as restricted ones: only their
	// names are checked. Globs are left out.
	Listed []Member

	MaxDrop *MaxDrop // how far a figure may be below the base's; nil for any distance

	// Classes are [Context.TestClasses] where the gate takes them: they are settings of the gate, as if its block held them.
	Classes []Class

	// Sought are the tools of which each run is to call one, and Servers the declared servers: where runs searched for tools, the
	// report says which step failed.
	Sought  []Sought
	Servers []string

	// Named lists the tools without which the block cannot hold, as it names them: of each list one must exist.
	Named [][]string
}

// Member is a tool that a gate's block names.
type Member struct {
	Name string     // as written: bare or qualified
	Pos  source.Pos // where it stands in the suite
}

// Measurer turns evidence into figures. It is given scored runs only; it must not depend on their order.
type Measurer interface {
	Measure(*trace.Trace) Measurement
}

// Measure is a function that is a [Measurer].
type Measure func(*trace.Trace) Measurement

// Measure calls the function.
func (m Measure) Measure(tr *trace.Trace) Measurement { return m(tr) }

// Selector is a Measurer that picks the runs which all gates of the case judge, out of the scored ones.
type Selector interface {
	Selects(*trace.Run) bool
}

// Injector is a Measurer for which live runs add distractors to the real tools.
type Injector interface {
	// Inject returns the distractors, in order.
	Inject(real []*catalog.Tool) ([]*catalog.Tool, error)
	// Offer lists, in order, how many of them the runs are offered: a live run repeats the case at each. nil: all.
	Offer() []int
}

// Keeper is a Measurer that needs parts of the cassette besides those that its gate always needs.
type Keeper interface {
	Keep() trace.Keep
}

// Mentioner is a Measurer whose block mentions tools that it does not need.
type Mentioner interface {
	Mentions() []string
}

// Labeller is a Measurer whose block may label the complexity of the task, for reports alone; "" without a label.
type Labeller interface {
	Complexity() string
}

// Holder is a Measurer whose block may hold the tools that it judges; nil when it does not.
type Holder interface {
	Catalog() *catalog.Catalog
}

// Selects reports whether all checks of a case pick a run.
func Selects(checks []Check, run *trace.Run) bool {
	return !slices.ContainsFunc(checks, func(c Check) bool {
		selector, ok := c.Plan.Measurer.(Selector)
		return ok && !selector.Selects(run)
	})
}
