package trace

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/redact"
)

// Tools has the tools of a trace. Equal tools share a pointer.
type Tools map[catalog.Ref]*Tool

// Of returns the tool with a name, with the same pointer each time.
func (t Tools) Of(ref catalog.Ref) *Tool {
	if t[ref] == nil {
		t[ref] = &Tool{Ref: ref}
	}
	return t[ref]
}

// Clone returns a copy of the run that [Run.Redact] can change.
func (run *Run) Clone() Run {
	out := *run
	out.Calls, out.Turns = slices.Clone(run.Calls), slices.Clone(run.Turns)
	for i := range out.Calls {
		if d := out.Calls[i].Detail; d != nil {
			one := *d
			one.Search = d.Search.clone()
			out.Calls[i].Detail = &one
		}
	}
	if run.Extra != nil {
		one := *run.Extra
		one.Delegations = slices.Clone(one.Delegations)
		out.Extra = &one
	}
	return out
}

// Redact removes the secrets from a run, in the order in which it is written. The names of servers are those of the suite, and
// are kept.
func (run *Run) Redact(r *redact.Redactor, tools Tools) {
	for i := range run.Calls {
		call := &run.Calls[i]
		call.Tool = tools.Of(catalog.Ref{Server: call.Tool.Server, Name: r.Text(call.Tool.Name)})
		call.Detail.redact(r)
		call.Names = call.Names.redact(r)
	}
	for i := range run.Turns {
		run.Turns[i].Content = r.Text(run.Turns[i].Content)
	}
	run.FinalResponse, run.StopReason = r.Text(run.FinalResponse), r.Text(run.StopReason)
	delegations := run.Extra.Value().Delegations
	for i := range delegations {
		d := &delegations[i]
		d.From, d.To = r.Text(d.From), r.Text(d.To)
	}
	run.Error = r.Text(run.Error)
}

func (d *Detail) redact(r *redact.Redactor) {
	if d == nil {
		return
	}
	if len(d.Args) > 0 {
		d.Args = r.JSON(d.Args)
	}
	d.Search.redact(r)
	d.Result, d.Error, d.Agent = r.Text(d.Result), r.Text(d.Error), r.Text(d.Agent)
}
