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

	// Members are the tools that the block names (class members, expected tools, correct entries). Configure sets them, and the suite
	// checks them against today's snapshots.
	Members []Member

	// Listed are the tools that the block names but does not expect to be called, such as restricted tools. Only their names are checked.
	// Globs are left out.
	Listed []Member

	MaxDrop *MaxDrop // how far a figure may be below the base's; nil for no bound

	// Classes are [Context.TestClasses] if the gate uses them: they are settings of the gate, as if its block contained them.
	Classes []Class

	// Sought are the tools of which each run should call one, and Servers the declared servers. If runs searched for tools, the report
	// names the step that failed.
	Sought  []Sought
	Servers []string

	// Named holds lists of tools as the block names them. The gate cannot hold unless one tool of each list exists.
	Named [][]string
}

// Member is a tool that a gate's block names.
type Member struct {
	Name string     // as written: bare or qualified
	Pos  source.Pos // place in the suite
}

// Measurer turns evidence into figures. It gets scored runs only, and must not depend on their order.
type Measurer interface {
	Measure(*trace.Trace) Measurement
}

// Measure is a function that is a [Measurer].
type Measure func(*trace.Trace) Measurement

// Measure calls the function.
func (m Measure) Measure(tr *trace.Trace) Measurement { return m(tr) }

// Selector is a Measurer that selects, from the scored runs, those that all gates of the case judge.
type Selector interface {
	Selects(*trace.Run) bool
}

// Injector is a Measurer for which live runs add distractors to the real tools.
type Injector interface {
	// Inject returns the distractors, in order.
	Inject(real []*catalog.Tool) ([]*catalog.Tool, error)
	// Offer lists the numbers of distractors that the runs are offered, in order: a live run repeats the case for each. nil means all
	// distractors.
	Offer() []int
}

// Keeper is a Measurer that needs more parts of the cassette than its gate always needs.
type Keeper interface {
	Keep() trace.Keep
}

// Mentioner is a Measurer whose block mentions tools that it does not need.
type Mentioner interface {
	Mentions() []string
}

// Labeller is a Measurer whose block may label the complexity of the task, which only reports show; "" without a label.
type Labeller interface {
	Complexity() string
}

// Holder is a Measurer whose block may contain the tools that it judges; nil if it does not.
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
