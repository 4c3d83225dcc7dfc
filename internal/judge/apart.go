package judge

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/trace"
)

// apart keeps the calls of an agent's own tools from gates that do not name them, see [trace.Trace.BuiltinsApart].
type apart struct {
	view  *trace.Trace
	plain *trace.Trace // view without any such call; nil until a gate asks for it
}

// newApart returns what hands the view to gates.
func newApart(view *trace.Trace) *apart { return &apart{view: view} }

// of returns the view of a check's gate, which sees those of the agent's own tools that the check names.
func (a *apart) of(check Check) *trace.Trace {
	if !a.view.BuiltinsApart {
		return a.view
	}
	if a.plain == nil {
		a.plain = withoutBuiltins(a.view, nil)
	}
	if a.plain == a.view { // no run called one
		return a.view
	}
	if named := check.Builtins(); len(named) > 0 {
		return withoutBuiltins(a.view, named)
	}
	return a.plain
}

// Builtins returns the agent's own tools that the check names, without their server.
func (c Check) Builtins() []string {
	names := c.Names()
	for _, m := range c.Plan.Members {
		names = append(names, m.Name)
	}
	for _, m := range c.Plan.Listed {
		names = append(names, m.Name)
	}
	for _, class := range c.Plan.Classes {
		names = append(names, class.Members...)
	}
	return BuiltinsOf(names)
}

// BuiltinsOf returns the agent's own tools among names, which may be globs, without their server.
func BuiltinsOf(names []string) []string {
	var own []string
	for _, name := range names {
		if tool, ok := strings.CutPrefix(name, trace.BuiltinServer+"."); ok {
			own = append(own, tool)
		}
	}
	return own
}

// withoutBuiltins returns the trace without the calls of the agent's own tools but those that are named.
func withoutBuiltins(view *trace.Trace, named []string) *trace.Trace {
	if !hasHidden(view.Runs, named) && !hasHidden(view.Others, named) {
		return view
	}
	out := *view
	out.Runs, out.Others = make([]trace.Run, len(view.Runs)), make([]trace.Run, len(view.Others))
	for i := range view.Runs {
		out.Runs[i] = runWithoutBuiltins(&view.Runs[i], named)
	}
	for i := range view.Others {
		out.Others[i] = runWithoutBuiltins(&view.Others[i], named)
	}
	return &out
}

// hasHidden reports whether one of the runs has a call that withoutBuiltins would leave out.
func hasHidden(runs []trace.Run, named []string) bool {
	for i := range runs {
		if slices.ContainsFunc(runs[i].Calls, func(c trace.Call) bool { return isHidden(c.Tool.Ref, named) }) {
			return true
		}
	}
	return false
}

func runWithoutBuiltins(run *trace.Run, named []string) trace.Run {
	out := *run
	hidden := func(c trace.Call) bool { return isHidden(c.Tool.Ref, named) }
	if slices.ContainsFunc(run.Calls, hidden) {
		out.Calls = slices.DeleteFunc(slices.Clone(run.Calls), hidden)
	}
	return out
}

func isHidden(ref catalog.Ref, named []string) bool {
	return ref.Server == trace.BuiltinServer && !NamesBuiltin(named, ref.Name)
}

// NamesBuiltin reports whether one of the names, which [BuiltinsOf] returned, means a tool of the agent's own.
func NamesBuiltin(named []string, tool string) bool {
	return slices.ContainsFunc(named, func(name string) bool { return name == tool || IsGlob(name) && matchGlob(name, tool) })
}

// Apart returns a run as the expectations of each run see it, where calls of the agent's own tools are kept apart.
func (e RunExpect) Apart(run *trace.Run) *trace.Run {
	out := runWithoutBuiltins(run, BuiltinsOf(e.Names()))
	return &out
}
