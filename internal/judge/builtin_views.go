package judge

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

// builtinViews makes a view of a trace for each gate. A view hides calls of the agent's own tools that the gate does not name, see
// [trace.Trace.BuiltinsApart]. Searches for tools are hidden even if BuiltinsApart is false.
type builtinViews struct {
	view  *trace.Trace
	plain *trace.Trace // view without the calls of the agent's own tools; nil until a gate asks for it
}

func newBuiltinViews(view *trace.Trace) *builtinViews { return &builtinViews{view: view} }

// viewFor returns the view for a check. The view has the calls of the agent's own tools that the check names.
func (a *builtinViews) viewFor(check Check) *trace.Trace {
	if a.plain == nil {
		a.plain = withoutBuiltins(a.view, nil)
	}
	if a.plain == a.view { // no run called a hidden tool
		return a.view
	}
	if _, reads := check.Plan.Measurer.(Searcher); reads {
		isHidden := Hidden(a.view.BuiltinsApart, check.Builtins())
		return withoutCalls(a.view, func(c trace.Call) bool { return c.Search() == nil && isHidden(c) })
	}
	if named := check.Builtins(); len(named) > 0 {
		return withoutBuiltins(a.view, named)
	}
	return a.plain
}

// Builtins returns the agent's own tools that the check names, without the name of the server.
func (c Check) Builtins() []string {
	names := c.Names()
	for _, m := range slices.Concat(c.Plan.Members, c.Plan.Listed) {
		names = append(names, m.Name)
	}
	for _, class := range c.Plan.Classes {
		names = append(names, class.Members...)
	}
	return BuiltinsOf(names)
}

// BuiltinsOf returns the agent's own tools among names, without the name of the server. names may contain globs.
func BuiltinsOf(names []string) (own []string) {
	for _, name := range names {
		if tool, ok := strings.CutPrefix(name, trace.BuiltinServer+"."); ok {
			own = append(own, tool)
		}
	}
	return own
}

// withoutBuiltins returns the trace without the calls that [Hidden] hides.
func withoutBuiltins(view *trace.Trace, named []string) *trace.Trace {
	return withoutCalls(view, Hidden(view.BuiltinsApart, named))
}

func withoutCalls(view *trace.Trace, isHidden func(trace.Call) bool) *trace.Trace {
	if !anyCall(view.Runs, isHidden) && !anyCall(view.Others, isHidden) {
		return view
	}
	out := *view
	visible := func(run trace.Run) trace.Run { return withoutHidden(&run, isHidden) }
	out.Runs, out.Others = lists.Map(view.Runs, visible), lists.Map(view.Others, visible)
	return &out
}

func anyCall(runs []trace.Run, is func(trace.Call) bool) bool {
	return slices.ContainsFunc(runs, func(run trace.Run) bool { return slices.ContainsFunc(run.Calls, is) })
}

func withoutHidden(run *trace.Run, isHidden func(trace.Call) bool) trace.Run {
	out := *run
	if slices.ContainsFunc(run.Calls, isHidden) {
		out.Calls = slices.DeleteFunc(slices.Clone(run.Calls), isHidden)
	}
	return out
}

// Hidden returns a function that reports whether a call is hidden from gates. Calls of the agent's own tools are hidden if apart
// is true or if they search for tools. Tools in named, a result of [BuiltinsOf], are never hidden.
func Hidden(apart bool, named []string) func(trace.Call) bool {
	return func(c trace.Call) bool {
		if !apart && c.Search() == nil {
			return false
		}
		return c.Tool.Server == trace.BuiltinServer && !namesBuiltin(named, c.Tool.Name)
	}
}

// namesBuiltin reports whether a name or a glob in named means the agent's own tool.
func namesBuiltin(named []string, tool string) bool {
	return slices.ContainsFunc(named, func(name string) bool { return name == tool || IsGlob(name) && MatchGlob(name, tool) })
}

// Visible returns a function that copies a run without the calls that are hidden from the expectations.
func (e RunExpect) Visible(view *trace.Trace) func(*trace.Run) trace.Run {
	isHidden := Hidden(view.BuiltinsApart, BuiltinsOf(e.Names()))
	return func(run *trace.Run) trace.Run { return withoutHidden(run, isHidden) }
}
