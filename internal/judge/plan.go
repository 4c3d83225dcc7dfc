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

	// Members are the tools that the block names (class members, expected tools, correct entries). Configure sets them, and the
	// suite checks them against today's snapshots.
	Members []Member

	// Listed are the tools that the block names but does not expect to be called, such as restricted tools. Only their names are
	// checked. Globs are left out.
	Listed []Member

	MaxDrop *MaxDrop // how far a figure may be below the base's; nil for no bound

	// Classes are [Context.TestClasses] if the gate uses them, otherwise nil. They count as settings in the gate's block.
	Classes []Class

	// Sought are the tools of which each run should call one. Servers are the declared servers. If runs searched for tools, the
	// report uses Sought and Servers to name the step that failed.
	Sought  []Sought
	Servers []string

	// Named holds lists of tools as the block names them. The gate cannot hold unless one tool of each list exists.
	Named [][]string
}

// Member is a tool that a gate's block names.
type Member struct {
	Name string     // name as it is written: bare or qualified
	Pos  source.Pos // place in the suite
}

// Measurer turns evidence into figures. It gets only scored runs, and must not depend on their order.
type Measurer interface {
	Measure(*trace.Trace) Measurement
}

// Measure is a function that is a [Measurer].
type Measure func(*trace.Trace) Measurement

// Measure calls the function.
func (m Measure) Measure(tr *trace.Trace) Measurement { return m(tr) }

// Selector is a Measurer that chooses which of the scored runs all gates of the case judge.
type Selector interface {
	Selects(*trace.Run) bool
}

// Injector is a Measurer for which live runs add distractors to the real tools.
type Injector interface {
	// Inject returns the distractors, in order.
	Inject(real []*catalog.Tool) ([]*catalog.Tool, error)
	// Offer returns the numbers of distractors with which a live run repeats the case, in order; nil means once, with all
	// distractors.
	Offer() []int
}

// Keeper is a Measurer that needs further parts of the cassette, beyond the Keep of its gate.
type Keeper interface {
	Keep() trace.Keep
}

// Mentioner is a Measurer whose block mentions tools that it does not need.
type Mentioner interface {
	Mentions() []string
}

// Labeller is a Measurer whose block may label the complexity of the task, for reports. Its method returns "" without a label.
type Labeller interface {
	Complexity() string
}

// Holder is a Measurer whose block can contain the judged tools. Its method returns nil if the block does not contain them.
type Holder interface {
	Catalog() *catalog.Catalog
}

// Selects reports whether all checks of a case select a run.
func Selects(checks []Check, run *trace.Run) bool {
	return !slices.ContainsFunc(checks, func(c Check) bool {
		selector, ok := c.Plan.Measurer.(Selector)
		return ok && !selector.Selects(run)
	})
}
